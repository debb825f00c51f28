package cli

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"interleave/impl/capture"
	"interleave/impl/wire"
)

// TestCaptureCounts: what is in a capture is counted by kind, and what is no
// frame by why.
func TestCaptureCounts(t *testing.T) {
	var file, copied bytes.Buffer
	w, err := capture.NewWriter(&file, "a test")
	if err != nil {
		t.Fatal(err)
	}
	here := netip.MustParseAddrPort("127.0.0.1:26540")
	for i, kind := range []wire.Kind{wire.Hello, wire.Heartbeat, wire.Heartbeat, 0} {
		b := []byte("GET / HTTP/1.1\r\n\r\n")
		if kind != 0 {
			f := wire.Frame{Header: wire.Header{Kind: kind, Algorithm: "bully/mended", From: 1, To: 2, Incarnation: 1}}
			if b, err = f.Append(nil, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.UDP(capture.Sent, time.Unix(int64(i+1), 0), here, here, b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	reader, err := capture.NewReader(&file, capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	counts, err := (&tool{}).capture(reader, &copied)
	if err != nil || counts.String() != "4 packets, 3 frames (2 heartbeat, 1 hello); no frames of ours: 1 foreign" {
		t.Errorf("%v, %v", counts, err)
	}
	if copied.Len() == 0 {
		t.Error("nothing is written")
	}
}

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
	reader, err := capture.Live(capture.Options{})
	_, port, _ := net.SplitHostPort(receiver.LocalAddr().String())
	line := "capture --write " + name + " --port " + port
	if errors.Is(err, capture.ErrPermission) || errors.Is(err, capture.ErrNoLive) {
		o := mc(ctx, line)
		if _, missing := os.Stat(name); o.status != exitContradicted || missing == nil || !strings.Contains(o.err, "mc: error: capture: ") {
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
	if o.status != exitHolds || !strings.HasPrefix(o.out, name+": ") || !strings.Contains(o.out, " heartbeat)\n") {
		t.Errorf("status %d: %s%s", o.status, o.out, o.err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if reader, err = capture.NewReader(file, capture.Options{Ports: []uint16{receiver.LocalAddr().(*net.UDPAddr).AddrPort().Port()}}); err != nil {
		t.Fatal(err)
	}
	if p, err := reader.Next(); err != nil || p.Frame.Kind != wire.Heartbeat || p.Interface == "" {
		t.Errorf("%+v, %v", p, err)
	}
}
