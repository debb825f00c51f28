// Package wireshark_test compares the dissector for Wireshark with our own
// decoder, by tshark.
package wireshark_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/impl/wire/wiretest"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
)

const script = "interleave.lua"

var update = flag.Bool("update", false, "write the shapes of the catalogue into the dissector")

// TestShapes wants the shapes of the catalogue in the dissector.
func TestShapes(t *testing.T) {
	old, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "-- BEGIN: written by go test ./impl/wireshark -update\n", "-- END\n"
	head, rest, ok := bytes.Cut(old, []byte(begin))
	_, tail, ok2 := bytes.Cut(rest, []byte(end))
	if !ok || !ok2 {
		t.Fatalf("%s lacks the lines between which the shapes go", script)
	}
	fresh := slices.Concat(head, []byte(begin), []byte(shapes(t)), []byte(end), tail)
	if *update {
		if err := os.WriteFile(script, fresh, 0o666); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(fresh, old) {
		t.Errorf("the shapes of the catalogue changed: run go test ./impl/wireshark -update")
	}
	if want := fmt.Sprintf("local default_port = %d\n", wire.Port); !bytes.Contains(fresh, []byte(want)) {
		t.Errorf("%s lacks %q", script, want)
	}
}

// shapes returns the shapes of the catalogue as the inside of a Lua table.
func shapes(t *testing.T) string {
	var b strings.Builder
	for _, m := range catalog.Machines {
		c := codec(t, m)
		fmt.Fprintf(&b, "  [\"%016x\"] = { algorithm = %q, parts = {\n", c.Shape(), m.Traits().Name)
		body, err := c.Append(nil, m.Traits().Message)
		if err != nil {
			t.Fatal(err)
		}
		fields, err := c.Fields(body)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fields {
			fmt.Fprintf(&b, "    { %q, %q%s },\n", f.Name, f.Type, names(f.Value))
		}
		b.WriteString("  } },\n")
	}
	return b.String()
}

// names returns what the values of a part are called, if they are a few of
// eight bits with names.
func names(value any) string {
	if _, named := value.(fmt.Stringer); !named || reflect.TypeOf(value).Kind() != reflect.Uint8 {
		return ""
	}
	v, list := reflect.New(reflect.TypeOf(value)).Elem(), ""
	for i := range uint64(256) {
		v.SetUint(i)
		name := fmt.Sprint(v.Interface())
		if strings.Contains(name, "PANIC") {
			break
		}
		list += fmt.Sprintf(", [%d] = %q", i, name)
	}
	return ", { " + strings.TrimPrefix(list, ", ") + " }"
}

func codec(t testing.TB, m spec.Machine) *wire.Codec {
	t.Helper()
	c, err := wire.NewCodec(m)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

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
	if err := cmd.Run(); err != nil || strings.Contains(complaints.String(), "Lua") {
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
	"interleave.sequence", "interleave.link", "interleave.sent", "interleave.algorithm", "interleave.body", "interleave.part", "interleave.reason", "interleave.mac"}

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

var start = time.Unix(1_790_000_000, 987_654_321)

// everything writes a capture with a frame of every kind and messages of every
// algorithm, some with a MAC, over UDP and TCP, sent and delivered.
func everything(t *testing.T) (file string, codecs map[uint64]*wire.Codec) {
	t.Helper()
	file, codecs = filepath.Join(t.TempDir(), "all.pcapng"), map[uint64]*wire.Codec{}
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w, err := capture.NewWriter(out, "all there is")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, m := range catalog.Machines {
		c := codec(t, m)
		codecs[c.Shape()] = c
		for _, f := range frames(t, m, c) {
			n++
			write(t, w, n, f)
		}
	}
	if err := errors.Join(w.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	return file, codecs
}

// write writes one frame everywhere.
func write(t *testing.T, w *capture.Writer, n int, f wire.Frame) {
	t.Helper()
	var k wire.Key
	if n%3 == 0 {
		k = wire.Key("sixteen bytes ..")
	}
	b, err := f.Append(nil, k)
	if err != nil {
		t.Fatal(err)
	}
	from, to := address(f.From), address(f.To)
	for i, side := range []capture.Side{capture.Sent, capture.Delivered} {
		at := start.Add(time.Duration(2*n+i) * time.Millisecond)
		if err := errors.Join(w.UDP(side, at, from, to, b), w.TCP(side, at, from, to, b)); err != nil {
			t.Fatal(err)
		}
	}
}

func address(id spec.ID) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, byte(id)}), wire.Port)
}

// frames returns a frame of each kind, and one for each message of a machine
// that three processes come to send.
func frames(t *testing.T, m spec.Machine, c *wire.Codec) []wire.Frame {
	t.Helper()
	h := wire.Header{Algorithm: m.Traits().Name, Shape: c.Shape(), Run: 1<<63 + 5, From: 3, To: 64, Incarnation: 1<<32 - 1, Sent: -1}
	var all []wire.Frame
	for _, kind := range wire.Kinds[1:] {
		f := wire.Frame{Header: h}
		f.Kind = kind
		if kind == wire.Ack {
			f.Sequence, f.Link, f.Acked = 1<<64-1, 9, 1<<31
		}
		if kind == wire.Refuse {
			f.Body = []byte("täuscht sich")
		}
		all = append(all, f)
	}
	for i, message := range wiretest.Messages(m, 40) {
		f := wire.Frame{Header: h}
		f.Kind, f.Sequence, f.Link, f.From, f.To, f.Sent = wire.Data, uint64(i+1), uint64(i), 1, 2, start.UnixNano()
		var err error
		if f.Body, err = c.Append(nil, message); err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

// TestCatalogue compares all there is, field by field.
func TestCatalogue(t *testing.T) {
	file, codecs := everything(t)
	compare(t, file, codecs)
	clean(t, file)
}

// TestRecorded compares what dumpcap wrote of real sockets: frames that share a
// segment, or are cut by one.
func TestRecorded(t *testing.T) {
	compare(t, "../capture/testdata/lo.pcapng", nil)
}

// TestPort finds frames on another port, if told of it.
func TestPort(t *testing.T) {
	f := encode(t, 0)
	file := captured(t, func(w *capture.Writer) error {
		from, to := netip.AddrPortFrom(address(1).Addr(), 7000), netip.AddrPortFrom(address(2).Addr(), 7000)
		return errors.Join(w.UDP(capture.Sent, start, from, to, f), w.TCP(capture.Sent, start, from, to, f))
	})
	for want, options := range map[int][]string{0: nil, 2: {"-o", "interleave.port:7000"}} {
		found := 0
		for _, row := range tshark(t, file, ours, options...) {
			found += len(row["interleave.magic"])
		}
		if found != want {
			t.Errorf("%d frames with %q, want %d", found, options, want)
		}
	}
}

// encode returns a data frame of Bully with the given message.
func encode(t *testing.T, message byte) []byte {
	t.Helper()
	c := codec(t, bully.Mended)
	b, err := wire.Frame{Header: wire.Header{Kind: wire.Data, Algorithm: "bully/mended", Shape: c.Shape(), From: 1, To: 2, Sequence: 1}, Body: []byte{message}}.Append(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// captured returns the name of a capture that write fills.
func captured(t *testing.T, write func(w *capture.Writer) error) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "some.pcapng")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w, err := capture.NewWriter(out, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(write(w), w.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestSpoilt alters each byte of a frame, and cuts it everywhere, on both
// transports: the dissector may show what it likes, but must not fail.
func TestSpoilt(t *testing.T) {
	good := encode(t, 2)
	spoilt := [][]byte{encode(t, 9), append(bytes.Clone(good), 7), []byte("GET / HTTP/1.1\r\n")}
	for i := range good {
		for _, flip := range []byte{1, 0x80, 0xff} {
			b := bytes.Clone(good)
			b[i] ^= flip
			spoilt = append(spoilt, b)
		}
		spoilt = append(spoilt, good[:i])
	}
	file := captured(t, func(w *capture.Writer) error {
		var errs []error
		for i, b := range spoilt {
			at := start.Add(time.Duration(i) * time.Millisecond)
			errs = append(errs, w.UDP(capture.Sent, at, address(1), address(2), b),
				w.TCP(capture.Sent, at, address(1), address(2), b), w.EndTCP(capture.Sent, at, address(1), address(2)))
		}
		return errors.Join(errs...)
	})
	refused, parts := 0, map[string]bool{}
	for number, row := range tshark(t, file, []string{"interleave.wrong", "interleave.part", "_ws.lua.error", "_ws.malformed.expert"}) {
		if row["_ws.lua.error"] != nil || row["_ws.malformed.expert"] != nil {
			t.Errorf("packet %d: the dissector fails: %q", number, row)
		}
		refused += len(row["interleave.wrong"])
		for _, part := range row["interleave.part"] {
			parts[part] = true
		}
	}
	if refused < 50 || !parts["message=COORDINATOR"] || !parts["message=9"] {
		t.Errorf("%d are said to be no frames; parts %v", refused, parts)
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
