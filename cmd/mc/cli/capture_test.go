package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"interleave/cmd/mc/internal/capture"
	"interleave/cmd/mc/internal/capturetest"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance/captures"
	tap "interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/bully"
)

// TestCaptureLive: frames on loopback are captured until it is interrupted; who
// may not capture is told so, and no file is left.
func TestCaptureLive(t *testing.T) {
	name := filepath.Join(t.TempDir(), "capture.pcapng")
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	receiver, err := net.ListenPacket("udp", "127.0.0.2:0")
	if err != nil && runtime.GOOS != "linux" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer receiver.Close()
	reader, err := tap.Live(tap.Options{})
	_, port, _ := net.SplitHostPort(receiver.LocalAddr().String())
	line := "capture --write " + name + " --port " + port
	if errors.Is(err, tap.ErrPermission) || errors.Is(err, tap.ErrNoLive) {
		o := mc(ctx, line)
		if _, missing := os.Stat(name); o.status != ui.ExitContradicted || missing == nil || !strings.Contains(o.err, "mc: error: capture: ") {
			t.Errorf("status %d, the file: %v; %s%s", o.status, missing, o.out, o.err)
		}
		if runtime.GOOS == "linux" && os.Getuid() == 0 {
			t.Error(err) // root may
		}
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	reader.Close()
	done := make(chan outcome, 1)
	go func() { done <- mc(ctx, line) }()
	sender, err := net.Dial("udp", receiver.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer sender.Close()
	frame, err := wire.Frame{Header: wire.Header{Kind: wire.Heartbeat, Algorithm: "bully/mended", From: 1, To: 2, Incarnation: 1}}.Append(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if info, err := os.Stat(name); err == nil && info.Size() > 1000 { // a buffer of packets was written
			break
		}
		for range 20 {
			if _, err := sender.Write(frame); err != nil {
				t.Fatal(err)
			}
		}
	}
	interrupt()
	o := <-done
	if o.status != ui.ExitHolds || !strings.HasPrefix(o.out, name+": ") || !strings.Contains(o.out, " heartbeat)\n") {
		t.Errorf("status %d: %s%s", o.status, o.out, o.err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if reader, err = tap.NewReader(file, tap.Options{Ports: []uint16{receiver.LocalAddr().(*net.UDPAddr).AddrPort().Port()}}); err != nil {
		t.Fatal(err)
	}
	if p, err := reader.Next(); err != nil || p.Frame.Kind != wire.Heartbeat || p.Interface == "" {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestCaptureDropped: what the kernel has no room for is told by the command and by its file, so
// that nothing is refuted for the lack of it.
func TestCaptureDropped(t *testing.T) {
	t.Chdir(t.TempDir())
	twice := append(capturetest.Election[:5:5], capturetest.Data(2, 1, 3, 3, bully.OK)) // process 2 answers again, and is not asked again
	for _, c := range []struct {
		flood          int
		status         ui.Status
		captured, told string
	}{
		{0, ui.ExitViolated, "6 packets, 6 frames (4 data, 2 hello)", "REFUTED"},
		{500, ui.ExitInconclusive, " packets dropped", " packets were dropped while it was captured"},
	} {
		homes := homesOf(t, 2)
		port := func(id spec.ID) uint16 { return homes[id].LocalAddr().(*net.UDPAddr).AddrPort().Port() }
		reader, err := tap.Live(tap.Options{Ports: []uint16{port(1), port(2)}, Buffer: 1 << 14})
		if errors.Is(err, tap.ErrPermission) && os.Getuid() != 0 || errors.Is(err, tap.ErrNoLive) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		packets := framesOf(t, capturetest.PCAPNG(t, twice, nil))
		for i := range len(packets) + c.flood {
			p := packets[min(i, len(packets)-1)]
			if _, err := homes[p.Frame.From].WriteTo(p.Bytes, homes[p.Frame.To].LocalAddr()); err != nil {
				t.Fatal(err)
			}
			if _, err := homes[p.Frame.To].Read(make([]byte, wire.MaxDatagram)); err != nil { // so it has passed
				t.Fatal(err)
			}
		}
		reader.Close()
		var file bytes.Buffer
		counts, err := capture.Record((&ui.UI{}), reader, &file)
		if err != nil || !strings.HasSuffix(counts.String(), c.captured) {
			t.Errorf("%v, %v", counts, err)
		}
		put(t, "live.pcapng", file.String())
		mc(t.Context(), fmt.Sprintf("conform live.pcapng --port %d,%d", port(1), port(2))).expect(t, c.status, c.told)
	}
}

// homesOf returns a socket for each of n processes, each at an address of its own.
func homesOf(t *testing.T, n spec.ID) map[spec.ID]*net.UDPConn {
	t.Helper()
	homes := map[spec.ID]*net.UDPConn{}
	for id := spec.ID(1); id <= n; id++ {
		home, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, byte(id))})
		if err != nil {
			t.Skip(err) // not under Linux
		}
		t.Cleanup(func() { home.Close() })
		homes[id] = home
	}
	return homes
}

// framesOf returns the packets of a capture.
func framesOf(t *testing.T, file []byte) []tap.Packet {
	t.Helper()
	reader, err := tap.NewReader(bytes.NewReader(file), tap.Options{})
	if err != nil {
		t.Fatal(err)
	}
	packets, _, err := captures.Read(reader, false)
	if err != nil {
		t.Fatal(err)
	}
	return packets
}

// TestCaptureBuffer: the size of the buffer is a size, and within bounds.
func TestCaptureBuffer(t *testing.T) {
	for buffer, want := range map[string]string{"much": `--buffer: "much" is not a size`, "17": "is not a size", "1B": "out of range", "2GiB": "--buffer: 2GiB is out of range: give 1KiB to 1GiB"} {
		mc(t.Context(), "capture --write none.pcapng --buffer "+buffer).expect(t, ui.ExitUsage, want)
	}
}
