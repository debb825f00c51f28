package certificate

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"sort"

	"github.com/klauspost/compress/zstd"

	"interleave/model"
	"interleave/spec"
)

const (
	maxLine   = 1 << 20
	maxLines  = 1 << 26 // bytes of all lines: a small file could unpack to any size
	maxInbox  = 1 << 10 // messages: each may lead to a state with a copy of all the others
	maxWindow = 1 << 25 // what a file can make zstd allocate
	maxStates = 1<<32 - 1
)

// Certificate is a certificate whose header was read.
type Certificate struct {
	Header Header
	in     *bufio.Reader
	sum    hash.Hash // of what was read
	lines  int       // bytes of those read
}

// Open reads the beginning of what Write wrote. Check reads the rest.
func Open(r io.Reader) (*Certificate, error) {
	zip, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	c := &Certificate{in: bufio.NewReaderSize(zip, maxLine), sum: sha256.New()}
	if _, err := c.in.Peek(1); err != nil {
		return nil, fmt.Errorf("it is not a certificate: %w", broken(err))
	}
	line, err := c.line()
	if err == nil {
		err = c.Header.read(line)
	}
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	return c, nil
}

func (h *Header) read(line []byte) error {
	err := json.Unmarshal(line, h)
	switch again, _ := lineOf(h); {
	case err == nil && h.Format != Format:
		return fmt.Errorf("it is not a certificate: its format is %q, not %q", h.Format, Format)
	case h.Format == Format && h.Version != Version:
		return fmt.Errorf("it is a certificate of version %d, and this program reads version %d", h.Version, Version)
	case err != nil:
		return fmt.Errorf("it is not a header: %w", err)
	case !bytes.Equal(again, line):
		return errors.New("the header is not as it was written: something stands there twice, or too much, or in other letters")
	}
	return h.check()
}

// check refuses impossible sizes.
func (h *Header) check() error {
	n := h.Config.N
	switch {
	case n < 1 || n > model.MaxN:
		return fmt.Errorf("%d processes are out of range: there are 1 to %d", n, model.MaxN)
	case len(h.Parts) != 2*n+1:
		return fmt.Errorf("the parts of states have %d places, not the %d that %d processes have", len(h.Parts), 2*n+1, n)
	case h.States < 1 || h.States > maxStates:
		return fmt.Errorf("%d states are out of range: there are 1 to %d", h.States, maxStates)
	case h.Histories < 0:
		return fmt.Errorf("%d histories are out of range: there are none, or some", h.Histories)
	}
	for place, count := range h.Parts {
		if count < 1 || count > h.States {
			return fmt.Errorf("%d are out of range as %s: each occurs in one of the %d states", count, h.named(place), h.States)
		}
	}
	return nil
}

// named names the parts at a place.
func (h *Header) named(place int) string {
	if place == 2*h.Config.N {
		return "environments"
	}
	return fmt.Sprintf("%s of process %d", [...]string{"local states", "inboxes"}[place%2], place/2+1)
}

// lineOf returns the line of a value in a certificate.
func lineOf(thing any) ([]byte, error) {
	line, err := json.Marshal(thing)
	return append(line, '\n'), err
}

// broken says in plain words why something could not be read.
func broken(err error) error {
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the file ends here: it was cut short")
	case errors.Is(err, bufio.ErrBufferFull):
		return fmt.Errorf("it has more than %d bytes: no certificate has such a line", maxLine)
	case errors.Is(err, zstd.ErrMagicMismatch):
		return fmt.Errorf("it does not begin like a zstd file: %w", err)
	}
	return fmt.Errorf("the file is damaged: %w", err)
}

// line returns the next line. It is valid until the next call.
func (c *Certificate) line() ([]byte, error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return nil, broken(err)
	}
	c.sum.Write(line)
	if c.lines += len(line); c.lines > maxLines {
		return nil, fmt.Errorf("its lines take more than %d bytes: no certificate has so many", maxLines)
	}
	return line, nil
}

// read reads everything that follows the header, and makes room for so many bytes of rows at once. The error is a *RefutedError
// if nothing is wrong with the file, but its histories do not make its local states.
func (c *Certificate) read(ctx context.Context, m spec.Machine, r *model.Reference, room int64) (*set, error) {
	made, err := c.readHistories(ctx, m, r.Traits())
	if err != nil {
		return nil, err
	}
	s := newSet(c.Header.Config.N)
	s.rows = make([]byte, 0, min(int64(c.Header.States*s.width()), room))
	number := 1 + c.Header.Histories
	for place, count := range c.Header.Parts {
		for range count {
			number++
			if err := c.readPart(ctx, r, s, place); err != nil {
				return nil, fmt.Errorf("line %d, one of the %s: %w", number, c.Header.named(place), err)
			}
			if l, is := s.values[place][len(s.values[place])-1].(model.Local); is {
				made.expect(spec.ID(place/2+1), l)
			}
		}
	}
	row := make([]byte, s.width())
	for n := range c.Header.States {
		if err := c.readRow(ctx, s, row); err != nil {
			return nil, fmt.Errorf("state %d of %d: %w", n+1, c.Header.States, err)
		}
	}
	return s, cmp.Or(c.end(), made.doubt)
}

func (c *Certificate) readPart(ctx context.Context, r *model.Reference, s *set, place int) error {
	line, err := c.line()
	if err != nil {
		return err
	}
	part, err := parse(r, line, place)
	if err != nil {
		return err
	}
	if again, err := lineOf(part); err != nil || !bytes.Equal(again, line) {
		return fmt.Errorf("it is not as it was written, which is %s", bytes.TrimSpace(again))
	}
	if !s.learn(place, part) {
		return errors.New("it stands there twice")
	}
	return ctx.Err()
}

// parse reads a part from its line.
func parse(r *model.Reference, line []byte, place int) (any, error) {
	switch {
	case place == 2*r.Config().N:
		var env model.Env
		err := json.Unmarshal(line, &env)
		return env, err
	case place%2 == 0:
		return model.ReadLocal(r.Traits(), line)
	}
	in, err := model.ReadInbox(r.Traits(), line)
	if err == nil && len(in) > maxInbox {
		err = fmt.Errorf("it has %d messages: no certificate has an inbox with more than %d", len(in), maxInbox)
	}
	return in, err
}

func (c *Certificate) readRow(ctx context.Context, s *set, row []byte) error {
	if _, err := io.ReadFull(c.in, row); err != nil {
		return broken(err)
	}
	c.sum.Write(row)
	if n := s.size(); n > 0 && bytes.Compare(s.row(n-1), row) >= 0 {
		return errors.New("it is not above the one before: a state stands there twice, or they are not in order")
	}
	for place, values := range s.values {
		if n := numberAt(row, place); n >= len(values) {
			return fmt.Errorf("it has number %d of the %s, and there are %d, from 0", n, c.Header.named(place), len(values))
		}
	}
	s.rows = append(s.rows, row...)
	return ctx.Err()
}

// end reads the checksum, and makes sure that nothing follows it.
func (c *Certificate) end() error {
	have := make([]byte, sha256.Size)
	if _, err := io.ReadFull(c.in, have); err != nil {
		return fmt.Errorf("the checksum: %w", broken(err))
	}
	if !bytes.Equal(have, c.sum.Sum(nil)) {
		return errors.New("the checksum does not match the content: the file was changed after it was written")
	}
	if _, err := c.in.ReadByte(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the checksum, with which a certificate ends: the file was changed after it was written")
	}
	return nil
}

// state returns state n.
func (s *set) state(n int) (out model.State) {
	part := func(place int) any { return s.values[place][numberAt(s.row(n), place)] }
	last := len(s.values) - 1
	for place := 0; place < last; place += 2 {
		out.Locals = append(out.Locals, part(place).(model.Local))
		out.Inboxes = append(out.Inboxes, part(place+1).(model.Inbox))
	}
	out.Env = part(last).(model.Env)
	return out
}

// find returns the number of a state; false if it is not in the set. Another one is given with its
// row, from which it may differ little.
func (s *set) find(row []byte, from, state model.State) (n int, found bool) {
	row = slices.Clone(row)
	if !s.pack(row, from, state) {
		return 0, false
	}
	return sort.Find(s.size(), func(n int) int { return bytes.Compare(row, s.row(n)) })
}
