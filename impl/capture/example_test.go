package capture_test

import (
	"bytes"
	"fmt"
	"io"
	"net/netip"
	"time"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec/bully"
)

// What is written into a capture is read back from it, as it would be from one of
// tcpdump.
func ExampleReader() {
	codec, _ := wire.NewCodec(bully.Mended)
	hello := wire.Frame{Header: wire.Header{Kind: wire.Heartbeat, Algorithm: "bully/mended", Shape: codec.Shape(), Run: 1, From: 1, To: 2, Incarnation: 1}}
	datagram, err := hello.Append(nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	w, err := capture.NewWriter(&file, "an example")
	if err != nil {
		fmt.Println(err)
		return
	}
	one, two := netip.MustParseAddrPort("127.0.0.1:26540"), netip.MustParseAddrPort("127.0.0.2:26540")
	if err := w.UDP(capture.Sent, time.Unix(1, 0), one, two, datagram); err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	r, err := capture.NewReader(&file, capture.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for {
		p, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(p.Number, p.Interface, p.From, p.To, p.Frame.Kind)
	}
	// Output: 1 sent 127.0.0.1:26540 127.0.0.2:26540 heartbeat
}
