// Package wire encodes and decodes what processes send each other: frames, which are a
// header, a body and perhaps a MAC, and the messages of an algorithm, which are the bodies
// of data frames. docs/wire.md describes both byte by byte.
//
//	codec, err := wire.NewCodec(bully.Mended)
//	body, err := codec.Append(nil, bully.Election)
//	frame := wire.Frame{Header: wire.Header{Kind: wire.Data, …, Shape: codec.Shape()}, Body: body}
//	datagram, err := frame.Append(nil, key)
//
// An algorithm needs no code for this: a message is encoded by its Go type. If peers have
// another algorithm or shape, the header shows it.
//
// Every value has exactly one encoding, and bytes that are not the encoding of a value are
// refused. Whether a frame fits into a run (whether its sender is a peer, whether it was
// seen before) is not checked here.
//
// Begin to read with frame.go and codec.go.
package wire
