package capture

import (
	"bytes"
	"net/netip"
	"testing"
	"time"

	"interleave/cmd/mc/internal/ui"
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
	counts, err := Record((&ui.UI{}), reader, &copied)
	if err != nil || counts.String() != "4 packets, 3 frames (2 heartbeat, 1 hello); no frames of ours: 1 foreign" {
		t.Errorf("%v, %v", counts, err)
	}
	if copied.Len() == 0 {
		t.Error("nothing is written")
	}
}
