package wire_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"

	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/catalog"
)

var key = wire.Key("a secret of thirty-two bytes ...")

// frames returns one frame of each kind.
func frames() []wire.Frame {
	h := wire.Header{Algorithm: "bully/mended", Shape: 0x0102030405060708, Run: 99, From: 2, To: 64, Incarnation: 3, Sent: 1_700_000_000_000_000_001}
	var all []wire.Frame
	for _, kind := range wire.Kinds {
		f := wire.Frame{Header: h}
		f.Kind = kind
		switch kind {
		case wire.Data:
			f.Sequence, f.Link, f.Body = 7, 5, []byte{2}
		case wire.Ack:
			f.Sequence, f.Link, f.Acked = 8, 6, 4
		case wire.Refuse:
			f.Body = []byte("another algorithm")
		}
		all = append(all, f)
	}
	return all
}

func TestFrames(t *testing.T) {
	for _, k := range []wire.Key{nil, key} {
		var stream bytes.Buffer
		for _, f := range frames() {
			b, err := f.Append([]byte("before"), k)
			if err != nil {
				t.Fatal(err)
			}
			b = b[len("before"):]
			got, err := wire.Parse(b, k)
			if err != nil || !reflect.DeepEqual(got, f) {
				t.Errorf("%+v: %v; want %+v", got, err, f)
			}
			stream.Write(b)
		}
		r := bufio.NewReader(&stream)
		for _, f := range frames() {
			if got, err := wire.ReadFrame(r, k); err != nil || !reflect.DeepEqual(got, f) {
				t.Errorf("%+v: %v; want %+v", got, err, f)
			}
		}
		if _, err := wire.ReadFrame(r, k); !errors.Is(err, io.EOF) {
			t.Errorf("at the end: %v", err)
		}
	}
}

func TestZeroMessages(t *testing.T) {
	for _, m := range catalog.Machines {
		c, err := wire.NewCodec(m)
		if err != nil {
			t.Error(err)
			continue
		}
		b, err := c.Append(nil, m.Traits().Message)
		if err != nil {
			t.Error(err)
		}
		got, err := c.Decode(b)
		if err != nil || got != m.Traits().Message {
			t.Errorf("%s: %+v: %v", m.Traits().Name, got, err)
		}
	}
	_ = spec.None
}
