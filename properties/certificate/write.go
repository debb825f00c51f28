package certificate

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sort"

	"github.com/klauspost/compress/zstd"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// Of returns the header for those properties that a report found to hold and that count towards
// its verdict.
func Of(r *properties.Report) Header {
	h := Header{Format: Format, Version: Version, Algorithm: r.Algorithm, Config: r.Config, Properties: []string{}, States: r.Stats.States}
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

// WriteOptions are options of Write. The zero value will do.
type WriteOptions struct {
	Memory   int64              // bytes that may be taken, roughly; 0: no limit
	Progress func(done, of int) // called now and then
}

// MemoryError says that writing a certificate takes more memory than is allowed.
type MemoryError struct {
	States     int
	Need, Room int64 // bytes
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("to write down %d states takes %d MiB of memory, and there is room for %d MiB", e.States, (e.Need+1<<20-1)>>20, e.Room>>20)
}

// Write writes a certificate of a set of states of machine m, which it goes through twice. The
// header is that of a report, with counts to be filled in here; Progress takes its number of
// States as an estimate. The error may be that of ctx or a *MemoryError.
func Write(ctx context.Context, w io.Writer, m spec.Machine, h Header, states iter.Seq[model.State], o WriteOptions) error {
	p := &writer{ctx: ctx, options: o, expected: h.States, set: newSet(h.Config.N)}
	if err := p.gather(states); err != nil {
		return err
	}
	h.Parts = nil
	for _, values := range p.values {
		h.Parts = append(h.Parts, len(values))
	}
	if err := p.fill(states, p.done); err != nil {
		return err
	}
	h.States = p.size()
	made := p.histories(m, h.Config)
	h.Histories = len(made)
	lines, err := p.lines(m, h, made)
	if err != nil {
		return err
	}
	return p.seal(w, lines)
}

// writer is a certificate being written.
type writer struct {
	*set
	ctx      context.Context
	options  WriteOptions
	expected int    // states
	done     int    // states done, in both passes
	compared int    // rows
	swapped  []byte // a row
}

// zipBytes is the memory of the compression.
const zipBytes = 32 << 20

// goOn reports progress, and returns an error if the context has ended.
func (p *writer) goOn() error {
	if p.done++; p.done%1024 != 0 {
		return nil
	}
	if p.options.Progress != nil {
		p.options.Progress(p.done, max(p.done, 2*p.expected))
	}
	return p.ctx.Err()
}

// gather numbers all parts of the states.
func (p *writer) gather(states iter.Seq[model.State]) error {
	last := model.State{}
	for s := range states {
		for place, part := range changes(last, s) {
			p.learn(place, part)
		}
		last = s
		if err := p.goOn(); err != nil {
			return err
		}
	}
	return nil
}

// fill adds the rows of count states, and sorts them.
func (p *writer) fill(states iter.Seq[model.State], count int) error {
	need := int64(count*p.width()) + zipBytes
	if room := p.options.Memory; room > 0 && need > room {
		return &MemoryError{count, need, room}
	}
	p.rows = make([]byte, 0, count*p.width())
	row, last := make([]byte, p.width()), model.State{}
	for s := range states {
		if !p.pack(row, last, s) || p.size() == count {
			return errors.New("the states are not the same when gone through again")
		}
		p.rows, last = append(p.rows, row...), s
		if err := p.goOn(); err != nil {
			return err
		}
	}
	sort.Sort(p)
	return p.ctx.Err()
}

// Len, Less and Swap are for sort. If the context ends, the order does not matter.
func (p *writer) Len() int { return p.size() }

func (p *writer) Less(i, j int) bool {
	if p.compared++; p.compared%(1<<16) == 0 && p.ctx.Err() != nil {
		p.compared-- // so that every further comparison ends at once, too
		return false
	}
	return bytes.Compare(p.row(i), p.row(j)) < 0
}

func (p *writer) Swap(i, j int) {
	p.swapped = append(p.swapped[:0], p.row(i)...)
	copy(p.row(i), p.row(j))
	copy(p.row(j), p.swapped)
}

// lines returns the lines of JSON of a certificate.
func (p *writer) lines(m spec.Machine, h Header, made []spec.History) ([][]byte, error) {
	reference, err := model.NewReference(m, h.Config)
	if err != nil {
		return nil, fmt.Errorf("its world: %w", err)
	}
	header, err := lineOf(h)
	if err != nil {
		return nil, err
	}
	lines, size := [][]byte{header}, len(header)
	for i, h := range made {
		line, err := p.historyLine(reference, h)
		if size += len(line); err == nil && size > maxLines {
			err = fmt.Errorf("all lines together would have more than %d bytes", maxLines)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d, history %d: %w", len(lines)+1, i+1, err)
		}
		lines = append(lines, line)
	}
	for place, values := range p.values {
		for _, part := range values {
			line, err := p.line(reference, place, part)
			if size += len(line); err == nil && size > maxLines {
				err = fmt.Errorf("all lines together would have more than %d bytes", maxLines)
			}
			if err != nil {
				return nil, fmt.Errorf("line %d, one of the %s: %w", len(lines)+1, h.named(place), err)
			}
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// histories returns how the local states came about, if m is existing code.
func (p *writer) histories(m spec.Machine, c model.Config) (needed []spec.History) {
	code := m.Traits().Code
	if code == nil {
		return nil
	}
	wanted := map[local]bool{}
	for process := range c.N {
		for _, part := range p.values[2*process] {
			wanted[local{spec.ID(process + 1), part.(model.Local).State}] = true
		}
	}
	all := code.Histories()
	states, needs := make([]any, len(all)), make([]bool, len(all))
	for i, h := range all {
		if slices.Equal(h.Ring, c.Placement()) {
			from := h.Memory
			if h.Before >= 0 {
				from = states[h.Before]
			}
			states[i], _ = m.Step(h.Process, h.Ring, from, h.Event)
			needs[i] = wanted[local{h.Process, states[i]}]
		}
	}
	for i, h := range slices.Backward(all) {
		if needs[i] && h.Before >= 0 {
			needs[h.Before] = true
		}
	}
	number := make([]int, len(all))
	for i, h := range all {
		if needs[i] {
			if h.Before >= 0 {
				h.Before = number[h.Before]
			}
			number[i] = len(needed)
			needed = append(needed, h)
		}
	}
	return needed
}

// historyLine returns the line of a history, and makes sure that it can be read again.
func (p *writer) historyLine(r *model.Reference, h spec.History) ([]byte, error) {
	line, err := lineOfHistory(h)
	if err != nil {
		return nil, fmt.Errorf("a part of it has no JSON: %w", err)
	}
	if len(line) > maxLine {
		return nil, fmt.Errorf("it would have more than %d bytes", maxLine)
	}
	again, err := parseHistory(r.Traits(), line)
	if err != nil || again.Memory != h.Memory || again.Event.Message != h.Event.Message || again.Event.Value != h.Event.Value {
		return nil, fmt.Errorf("what is read from its JSON is not what was written, %s: is a string in it that is not UTF-8, or a field that JSON leaves out?", bytes.TrimSpace(line))
	}
	return line, nil
}

// line returns the line of a part, and makes sure that it can be read again.
func (p *writer) line(r *model.Reference, place int, part any) ([]byte, error) {
	in, ok := part.(model.Inbox)
	if ok && in == nil {
		part = model.Inbox{} // an empty list, not null
	}
	if len(in) > maxInbox {
		return nil, fmt.Errorf("it would have %d messages, and %d are possible", len(in), maxInbox)
	}
	line, err := lineOf(part)
	if err != nil {
		return nil, fmt.Errorf("a part of a state has no JSON: %w", err)
	}
	if len(line) > maxLine {
		return nil, fmt.Errorf("it would have more than %d bytes", maxLine)
	}
	if again, err := parse(r, line, place); err != nil || keyOf(again) != keyOf(part) {
		return nil, fmt.Errorf("what is read from its JSON is not what was written, %s: is a string in it that is not UTF-8, or a field that JSON leaves out?", bytes.TrimSpace(line))
	}
	return line, nil
}

// seal writes lines and the rows, compressed, and their checksum.
func (p *writer) seal(w io.Writer, lines [][]byte) error {
	zip, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) // always the same file
	if err != nil {
		return err
	}
	sum := sha256.New()
	out := bufio.NewWriter(io.MultiWriter(zip, sum))
	for _, line := range lines {
		out.Write(line)
	}
	for n := range p.size() {
		if n%1024 == 0 && p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		out.Write(p.row(n))
	}
	if err := out.Flush(); err != nil { // it remembers what went wrong above
		return err
	}
	_, err = zip.Write(sum.Sum(nil))
	return errors.Join(err, zip.Close())
}
