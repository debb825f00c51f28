package wire_test

import (
	"fmt"

	"interleave/impl/wire"
	"interleave/spec/bully"
)

// A message travels in a frame, and comes out of it as it went in.
func ExampleParse() {
	codec, err := wire.NewCodec(bully.Mended)
	if err != nil {
		fmt.Println(err)
		return
	}
	body, err := codec.Append(nil, bully.Election)
	if err != nil {
		fmt.Println(err)
		return
	}
	frame := wire.Frame{
		Header: wire.Header{Kind: wire.Data, Algorithm: "bully/mended", Shape: codec.Shape(), Run: 1, From: 1, To: 3, Incarnation: 1, Sequence: 1, Link: 1},
		Body:   body,
	}
	datagram, err := frame.Append(nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	got, err := wire.Parse(datagram, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	message, err := codec.Decode(got.Body)
	fmt.Println(got.From, "to", got.To, message, err)
	// Output: 1 to 3 ELECTION <nil>
}
