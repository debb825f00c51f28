package impl

import (
	"interleave/impl/wire"
	"interleave/spec/bully"
)

func newTestFrame() wire.Frame {
	codec, err := wire.NewCodec(bully.Mended)
	if err != nil {
		panic(err)
	}
	return wire.Frame{Header: wire.Header{Kind: wire.Heartbeat, Algorithm: "bully/mended", Shape: codec.Shape(), From: 1, To: 2, Incarnation: 1}}
}
