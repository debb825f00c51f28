package wire_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"

	"interleave/impl/wire"
	"interleave/impl/wire/wiretest"
	"interleave/internal/cell"
	"interleave/spec/bully"
)

func seeds(f *testing.F) {
	for _, k := range []wire.Key{nil, key} {
		for _, frame := range frames() {
			f.Add(wiretest.Encode(f, frame, k))
		}
	}
	f.Add([]byte("ILVE\x01\x01\x00\x0c\xff\xff"))
	f.Add([]byte("ILVE\x01\x01\xff\x0c\xff\xff"))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Add([]byte{})
}

// FuzzParse wants each datagram refused, or to be the one encoding of a frame.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, k := range []wire.Key{nil, key} {
			frame, err := wire.Parse(b, k)
			if err != nil {
				if wire.Label(err) == "other" {
					t.Fatalf("%v has no label", err)
				}
				continue
			}
			if again := wiretest.Encode(t, frame, k); !bytes.Equal(again, b) {
				t.Fatalf("%x became %x", b, again)
			}
		}
	})
}

// FuzzReadFrame wants a stream to end, and Parse to agree about each frame.
func FuzzReadFrame(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		r, left := bufio.NewReader(bytes.NewReader(b)), b
		for {
			frame, err := wire.ReadFrame(r, nil)
			if !inStep(err) {
				break
			}
			size, wrong := wire.Size(left)
			if wrong != nil {
				t.Fatal(wrong)
			}
			want, wantErr := wire.Parse(left[:size], nil)
			if !reflect.DeepEqual(frame, want) || (err == nil) != (wantErr == nil) {
				t.Fatalf("%+v, %v; want %+v, %v", frame, err, want, wantErr)
			}
			left = left[size:]
		}
	})
}

func inStep(err error) bool {
	return err == nil || errors.Is(err, wire.ErrMAC) || errors.Is(err, wire.ErrMalformed)
}

// FuzzDecode wants the bytes of each message refused, or to be the one
// encoding of it.
func FuzzDecode(f *testing.F) {
	codecs := []*wire.Codec{codec[every](f, "test/every"), codec[struct{}](f, "test/empty"), codec[[4]string](f, "test/strings"), codec[lists](f, "test/lists"),
		codec[map[string][]*int](f, "test/maps")}
	first := len(codecs)
	for _, m := range []any{cell.Must(lists{}), cell.Must(someLists), cell.Must(map[string][]*int{"a\x00": {nil, new(int)}, "b": nil})} {
		for i, c := range codecs[3:] {
			if body, err := c.Append(nil, m); err == nil {
				f.Add(uint8(i+3), body)
			}
		}
	}
	for i, m := range everyMachine() {
		c, err := wire.NewCodec(m)
		if err != nil {
			f.Fatal(err)
		}
		codecs = append(codecs, c)
		for _, message := range wiretest.OfEachKind(m) {
			if message != nil {
				body, _ := c.Append(nil, message)
				f.Add(uint8(i+first), body)
			}
		}
	}
	f.Add(uint8(2), []byte("\x00\x01a\x00\x00\xff\xff"))
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		c := codecs[int(which)%len(codecs)]
		message, err := c.Decode(b)
		fields, fieldsErr := c.Fields(b)
		if (err == nil) != (fieldsErr == nil) || err != nil && (fields != nil || !errors.Is(err, wire.ErrMessage)) {
			t.Fatalf("%v, and of the fields %v", err, fieldsErr)
		}
		if err == nil && len(b) > 0 {
			roundTrip(t, c, message)
		}
	})
}

// TestAllocation wants little memory taken for bytes that announce much, and
// none that lasts for a stream without end.
func TestAllocation(t *testing.T) {
	texts := codec[[4]string](t, "test/strings")
	huge := bytes.Repeat([]byte("ILVE\x01\x01\xfe\x0c\xff\xff"), 1<<20)
	small := huge[:5000]
	frame := wiretest.Encode(t, frames()[0], nil)
	for what, c := range map[string]struct {
		limit uint64 // bytes
		do    func() error
	}{
		"a datagram that says 8 MiB": {2 << 10, func() error { _, err := wire.Parse(huge, nil); return err }},
		"a stream that says so": {20 << 10, func() error {
			_, err := wire.ReadFrame(bufio.NewReaderSize(bytes.NewReader(small), 16), nil)
			return err
		}},
		"a frame cut short": {4 << 10, func() error {
			_, err := wire.ReadFrame(bufio.NewReaderSize(bytes.NewReader(frame[:20]), 16), nil)
			return err
		}},
		"a message of strings of 65535 bytes": {4 << 10, func() error { _, err := texts.Decode(huge[8:1000]); return err }},
		"a message of 10 megabytes":           {4 << 10, func() error { _, err := texts.Decode(huge); return err }},
		"fields of 10 megabytes":              {4 << 10, func() error { _, err := texts.Fields(huge); return err }},
	} {
		if err := c.do(); err == nil || err == io.EOF {
			t.Errorf("%s: %v", what, err)
		}
		if got := wiretest.Allocated(func() { c.do() }); got > c.limit {
			t.Errorf("%s: %d bytes allocated, at most %d are allowed", what, got, c.limit)
		}
	}
}

func BenchmarkWire(b *testing.B) {
	codec, frame := bullyCodec(b), frames()[0]
	for _, k := range []wire.Key{nil, key} {
		name := "plain"
		if k != nil {
			name = "mac"
		}
		var dst []byte
		b.Run("encode/"+name, func(b *testing.B) {
			for b.Loop() {
				frame.Body, _ = codec.Append(frame.Body[:0], bully.Coordinator)
				dst, _ = frame.Append(dst[:0], k)
			}
		})
		b.Run("decode/"+name, func(b *testing.B) {
			for b.Loop() {
				f, _ := wire.Parse(dst, k)
				if _, err := codec.Decode(f.Body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
