package certificate

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/klauspost/compress/zstd"

	"interleave/model"
	"interleave/properties"
)

// Of returns the header for what a report found to hold, and counts.
func Of(r *properties.Report) Header {
	h := Header{Format: Format, Version: Version, Algorithm: r.Algorithm, Config: r.Config, Properties: []string{}}
	for _, f := range r.Findings {
		if !f.Counts() || f.Verdict != properties.Verified && f.Verdict != properties.Bounded {
			continue
		}
		h.Properties = append(h.Properties, f.Name)
		if f.Witness != nil {
			h.Runs = append(h.Runs, f.Witness)
		}
	}
	return h
}

// Write writes a certificate of a set of states, which is gone through twice.
// The header is that of a report; what it counts is filled in here.
func Write(w io.Writer, h Header, states iter.Seq[model.State]) error {
	b := newBook(h.Config.N)
	for s := range states {
		for place := range b.values {
			b.learn(place, partAt(s, place))
		}
	}
	h.Parts = nil
	for _, values := range b.values {
		h.Parts = append(h.Parts, len(values))
	}
	b.measure(h.Parts)
	rows, err := b.rows(states)
	if err != nil {
		return err
	}
	h.States = len(rows)
	lines, err := b.lines(h)
	if err != nil {
		return err
	}
	return seal(w, lines, rows)
}

// rows returns the rows of the states, in ascending order.
func (b *book) rows(states iter.Seq[model.State]) ([][]byte, error) {
	var rows [][]byte
	var chunk []byte
	for s := range states {
		if cap(chunk)-len(chunk) < b.width() {
			chunk = make([]byte, 0, 1024*b.width())
		}
		var known bool
		begin := len(chunk)
		if chunk, known = b.pack(chunk, s); !known {
			return nil, errors.New("the states are not the same when gone through again")
		}
		rows = append(rows, chunk[begin:])
	}
	slices.SortFunc(rows, bytes.Compare)
	return rows, nil
}

// lines returns what stands in a certificate as JSON.
func (b *book) lines(h Header) ([][]byte, error) {
	things := []any{h}
	for _, values := range b.values {
		things = append(things, values...)
	}
	var lines [][]byte
	for i, thing := range things {
		if in, ok := thing.(model.Inbox); ok && in == nil {
			thing = model.Inbox{} // an empty list, not null
		}
		line, err := lineOf(thing)
		switch {
		case err != nil:
			return nil, fmt.Errorf("a part of a state has no JSON: %w", err)
		case len(line) > maxLine:
			return nil, fmt.Errorf("line %d would have more than %d bytes", i+1, maxLine)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// seal writes lines and rows, compressed, and their checksum.
func seal(w io.Writer, lines, rows [][]byte) error {
	zip, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) // always the same file
	if err != nil {
		return err
	}
	sum := sha256.New()
	out := bufio.NewWriter(io.MultiWriter(zip, sum))
	for _, line := range lines {
		out.Write(line)
	}
	for _, row := range rows {
		out.Write(row)
	}
	if err := out.Flush(); err != nil { // it remembers what went wrong above
		return err
	}
	_, err = zip.Write(sum.Sum(nil))
	return errors.Join(err, zip.Close())
}
