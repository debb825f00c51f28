// Package wire turns what processes say to each other into bytes and back:
// frames, which are a header, a body and perhaps a MAC, and the messages of an
// algorithm, which are the bodies of data frames. docs/wire.md describes both
// byte by byte.
//
//	codec, err := wire.NewCodec(bully.Mended)
//	body, err := codec.Append(nil, bully.Election)
//	frame := wire.Frame{Header: wire.Header{Kind: wire.Data, …, Shape: codec.Shape()}, Body: body}
//	datagram, err := frame.Append(nil, key)
//
// Any algorithm can speak without code of its own: a message is written from
// the shape of its type, and peers whose algorithm or shape differ can tell by
// the header.
//
// Every value has exactly one encoding, and whatever is not the encoding of
// some value is refused. What a frame may say of a run (whether its sender is a
// peer, whether it was seen before) is not judged here.
package wire
