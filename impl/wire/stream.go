package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
)

// ReadFrame reads the next frame of a stream. It returns io.EOF where the
// stream ends between two frames. After ErrMAC or ErrMalformed the next frame
// may be read; after any other error nobody knows where that begins.
func ReadFrame(r *bufio.Reader, key Key) (Frame, error) {
	b, err := ReadRaw(r)
	if err != nil {
		return Frame{}, err
	}
	return Parse(b, key)
}

// ReadRaw reads the bytes of the next frame of a stream, for those who pass it
// on, and have no key. It looks at no more than its size; the errors are those
// of ReadFrame.
func ReadRaw(r *bufio.Reader) ([]byte, error) {
	prefix, err := peek(r, PrefixSize)
	if err != nil {
		return nil, err
	}
	size, err := Size(prefix)
	if err != nil {
		return nil, err
	}
	var b []byte
	for len(b) < size {
		b = slices.Grow(b, min(size-len(b), max(len(b), MaxDatagram))) // no more than what has arrived, and as much again
		room := b[len(b):min(cap(b), size)]
		n, err := io.ReadFull(r, room)
		if b = b[:len(b)+n]; err != nil {
			return nil, cut(err, len(b), size)
		}
	}
	return b, nil
}

// peek returns the next n bytes of r. If they are no beginning of a frame it
// returns them as far as they go, for the reason to be told.
func peek(r *bufio.Reader, n int) ([]byte, error) {
	b, err := r.Peek(n)
	if err == nil || len(b) == 0 {
		return b, err
	}
	if _, wrong := Size(b); !errors.Is(wrong, ErrShort) {
		return b, nil
	}
	return nil, cut(err, len(b), n)
}

// cut says that a stream ended after n bytes of a part of so many.
func cut(err error, n, of int) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the stream ends after %d bytes of %d", ErrShort, n, of)
	}
	return err
}
