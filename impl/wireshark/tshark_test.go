package wireshark_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"interleave/impl/capture"
	"interleave/impl/wire"
)

// tshark decodes a file; it returns the values of each of our fields by packet,
// those of a packet with several frames one after the other.
func tshark(t *testing.T, file string, fields []string, options ...string) map[int]map[string][]string {
	t.Helper()
	program, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("tshark is not installed: on Debian, apt-get install tshark")
	}
	args := []string{"-X", "lua_script:" + script, "-r", file, "-T", "fields", "-E", "separator=\x1e", "-E", "aggregator=\x1f", "-E", "occurrence=a",
		"-e", "frame.number"}
	for _, f := range fields {
		args = append(args, "-e", f)
	}
	cmd := exec.Command(program, append(args, options...)...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "WIRESHARK_CONFIG_DIR="+t.TempDir())
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil || strings.Contains(strings.ToLower(complaints.String()), "lua") {
		t.Fatalf("tshark: %v\n%s", err, complaints.String())
	}
	rows := map[int]map[string][]string{}
	for line := range strings.Lines(out.String()) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\x1e")
		number, err := strconv.Atoi(cells[0])
		if err != nil || len(cells) != 1+len(fields) {
			t.Fatalf("tshark says %q", line)
		}
		row := map[string][]string{}
		for i, f := range fields {
			if cells[i+1] != "" {
				row[f] = strings.Split(cells[i+1], "\x1f")
			}
		}
		rows[number] = row
	}
	return rows
}

// ours are the fields of the dissector, and those of what is below.
var ours = []string{"interleave.magic", "interleave.version", "interleave.kind", "interleave.authenticated", "interleave.name_length",
	"interleave.length", "interleave.from", "interleave.to", "interleave.incarnation", "interleave.acked", "interleave.shape", "interleave.run",
	"interleave.sequence", "interleave.link", "interleave.sent", "interleave.algorithm", "interleave.body", "interleave.part", "interleave.settings", "interleave.reason", "interleave.mac"}

var below = []string{"frame.interface_name", "frame.time_epoch", "ip.src", "ip.dst", "udp.srcport", "udp.dstport", "tcp.srcport", "tcp.dstport"}

// expect adds to a row what tshark ought to say of a frame.
func expect(t *testing.T, row map[string][]string, p capture.Packet, codecs map[uint64]*wire.Codec) {
	t.Helper()
	add := func(field string, value any) { row[field] = append(row[field], fmt.Sprint(value)) }
	f, mac, err := wire.Inspect(p.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	add("interleave.magic", wire.Magic)
	add("interleave.version", 1)
	add("interleave.kind", uint8(f.Kind))
	add("interleave.authenticated", len(mac)/16)
	add("interleave.name_length", len(f.Algorithm))
	add("interleave.length", len(p.Bytes))
	add("interleave.from", int(f.From))
	add("interleave.to", int(f.To))
	add("interleave.incarnation", f.Incarnation)
	add("interleave.acked", f.Acked)
	add("interleave.shape", fmt.Sprintf("0x%016x", f.Shape))
	add("interleave.run", f.Run)
	add("interleave.sequence", f.Sequence)
	add("interleave.link", f.Link)
	add("interleave.sent", f.Sent)
	add("interleave.algorithm", f.Algorithm)
	if mac != nil {
		add("interleave.mac", fmt.Sprintf("%x", mac))
	}
	switch {
	case f.Kind == wire.Refuse && len(f.Body) > 0:
		add("interleave.reason", string(f.Body))
	case f.Kind == wire.Hello && len(f.Body) > 0:
		add("interleave.settings", string(f.Body))
	case len(f.Body) > 0:
		add("interleave.body", fmt.Sprintf("%x", f.Body))
	}
	if c := codecs[f.Shape]; c != nil && f.Kind == wire.Data {
		fields, err := c.Fields(f.Body)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fields {
			add("interleave.part", fmt.Sprintf("%s=%v", f.Name, f.Value))
		}
	}
}

// expectBelow adds to a row what tshark ought to say of the layers below.
func expectBelow(row map[string][]string, p capture.Packet) {
	set := func(field string, value any) { row[field] = []string{fmt.Sprint(value)} }
	set("frame.interface_name", p.Interface)
	set("frame.time_epoch", fmt.Sprintf("%d.%09d", p.Time.Unix(), p.Time.Nanosecond()))
	set("ip.src", p.From.Addr())
	set("ip.dst", p.To.Addr())
	transport := "udp"
	if p.TCP {
		transport = "tcp"
	}
	set(transport+".srcport", p.From.Port())
	set(transport+".dstport", p.To.Port())
}

// packets reads a whole file with our own decoder.
func packets(t *testing.T, file string) []capture.Packet {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := capture.NewReader(bytes.NewReader(b), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all []capture.Packet
	for {
		p, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil || p.Err != nil {
			t.Fatal(err, p.Err)
		}
		all = append(all, p)
	}
}

// compare wants tshark to say of each packet of a file what we say.
func compare(t *testing.T, file string, codecs map[uint64]*wire.Codec, options ...string) {
	t.Helper()
	got, want := tshark(t, file, slices.Concat(ours, below), options...), map[int]map[string][]string{}
	frames := 0
	for _, p := range packets(t, file) {
		if want[p.Number] == nil {
			want[p.Number] = map[string][]string{}
		}
		expect(t, want[p.Number], p, codecs)
		expectBelow(want[p.Number], p)
		frames++
	}
	if frames == 0 {
		t.Fatalf("%s holds no frames", file)
	}
	for number, row := range got {
		for _, f := range slices.Concat(ours, below) {
			if wanted, hasFrame := want[number][f]; (hasFrame || want[number] != nil || slices.Contains(ours, f)) && !slices.Equal(row[f], wanted) {
				t.Errorf("packet %d: %s: tshark says %q, we say %q", number, f, row[f], wanted)
			}
		}
	}
	for number := range want {
		if got[number] == nil {
			t.Errorf("packet %d: tshark does not know it", number)
		}
	}
}

// clean wants tshark to find nothing wrong with a capture of ours.
func clean(t *testing.T, file string) {
	t.Helper()
	fields := []string{"ip.checksum.status", "udp.checksum.status", "tcp.checksum.status", "tcp.analysis.flags", "_ws.expert.severity"}
	good := 0
	checked := []string{"-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE"}
	for number, row := range tshark(t, file, fields, checked...) {
		for _, f := range fields[:3] {
			for _, status := range row[f] {
				if status != "1" {
					t.Errorf("packet %d: %s is %s, and 1 would be right", number, f, status)
				}
				good++
			}
		}
		if flags := row["tcp.analysis.flags"]; flags != nil {
			t.Errorf("packet %d: the stream is not plausible: %v", number, flags)
		}
		const note = 4 << 20
		for _, severity := range row["_ws.expert.severity"] {
			if n, err := strconv.Atoi(severity); err != nil || n > note {
				t.Errorf("packet %d: tshark warns of it: %v", number, row)
			}
		}
	}
	if good == 0 {
		t.Error("no checksum was looked at")
	}
}
