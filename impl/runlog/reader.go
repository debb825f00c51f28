package runlog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Reader reads a log line by line. It checks that the lines of an
// incarnation are whole, in order and unaltered.
type Reader struct {
	lines       *bufio.Reader
	long        []byte        // a line that is longer than most
	feed        bytes.Reader  // the line that objects reads
	objects     *json.Decoder // one for all lines, for it keeps its buffer
	scanner     scanner
	end         []byte // how the line must end
	line        int
	incarnation uint32
	number      uint64
	chain       string
}

// LineError is an error in a line of a log.
type LineError struct {
	Line int  // from 1
	Cut  bool // it is the last one, and has no end: a crash may have cut it short
	Text []byte
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("log line %d: %v", e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// NewReader returns a reader of a log.
func NewReader(r io.Reader) *Reader {
	l := &Reader{lines: bufio.NewReaderSize(r, usualLine)}
	l.objects = json.NewDecoder(&l.feed)
	l.objects.DisallowUnknownFields()
	return l
}

// Line returns the number of the line that was read last, from 1.
func (l *Reader) Line() int { return l.line }

// Next returns the next record; io.EOF says that there is none. Every other error
// is a *LineError, or one of reading, and the last that Next returns.
func (l *Reader) Next() (*Record, error) {
	line, err := l.read()
	switch {
	case err == io.EOF && len(line) == 0:
		return nil, io.EOF
	case errors.Is(err, bufio.ErrBufferFull):
		l.line++
		return nil, l.refuse(nil, false, fmt.Errorf("it is longer than %d bytes, so it is no line of a log", MaxLine))
	case err != nil && err != io.EOF:
		return nil, err
	}
	l.line++
	line, ended := bytes.CutSuffix(line, []byte("\n"))
	record, hashed, err := l.parse(line)
	if err == nil {
		err = l.follow(record, hashed)
	}
	if err != nil {
		return nil, l.refuse(line, !ended, err)
	}
	return record, nil
}

// usualLine bounds the length of almost all lines.
const usualLine = 1 << 14

// read reads a line with its line feed, if it has one.
func (l *Reader) read() ([]byte, error) {
	line, err := l.lines.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return line, err
	}
	l.long = append(l.long[:0], line...)
	for err == bufio.ErrBufferFull && len(l.long) <= MaxLine {
		line, err = l.lines.ReadSlice('\n')
		l.long = append(l.long, line...)
	}
	if len(bytes.TrimSuffix(l.long, []byte("\n"))) > MaxLine {
		err = bufio.ErrBufferFull
	}
	return l.long, err
}

func (l *Reader) refuse(line []byte, cut bool, err error) error {
	return &LineError{Line: l.line, Cut: cut, Text: bytes.Clone(line), Err: err}
}

// follow checks that a line follows the one before.
func (l *Reader) follow(r *Record, hashed []byte) error {
	if r.Line == LineBegin {
		if r.Incarnation <= l.incarnation {
			return fmt.Errorf("incarnation %d begins after incarnation %d", r.Incarnation, l.incarnation)
		}
		l.incarnation, l.number, l.chain = r.Incarnation, 0, ""
	}
	want := chain(l.chain, hashed)
	const altered = "it does not follow the line before: lines are missing or were altered: "
	switch {
	case l.incarnation == 0:
		return errors.New(altered + "an incarnation begins with a line \"begin\"")
	case r.Incarnation != l.incarnation || r.Number != l.number+1:
		return fmt.Errorf(altered+"it is number %d of incarnation %d, and number %d of incarnation %d is next",
			r.Number, r.Incarnation, l.number+1, l.incarnation)
	case r.Chain != string(want[:]):
		return fmt.Errorf(altered+"its chain is %q, and of what it says after the line before it would be %q", r.Chain, want[:])
	}
	l.number, l.chain = r.Number, r.Chain
	return nil
}

// Read reads a log and hands each record to use, until that returns an error. It
// checks that the lines of an incarnation are whole, in order and unaltered.
func Read(r io.Reader, use func(Record) error) error {
	for lines := NewReader(r); ; {
		record, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = use(*record)
		}
		if err != nil {
			return err
		}
	}
}

// parse reads a line, and also returns what its chain is a hash of. After an error no
// other line can be read.
func (l *Reader) parse(line []byte) (*Record, []byte, error) {
	r, ok := l.scanner.scan(line)
	if !ok {
		var err error
		if r, err = l.object(line); err != nil {
			return nil, nil, err
		}
	}
	end := append(append(append(l.end[:0], `,"chain":"`...), r.Chain...), `"}`...)
	hashed, found := bytes.CutSuffix(line, end)
	l.end = end
	if !found {
		return nil, nil, errors.New("it does not end with its chain")
	}
	if !ok {
		if err := plain(r, line); err != nil {
			return nil, nil, err
		}
	}
	return r, hashed, nil
}

// object reads a line as a JSON object; plain checks how it is written.
func (l *Reader) object(line []byte) (*Record, error) {
	var r Record
	l.feed.Reset(line)
	begin := l.objects.InputOffset()
	if err := l.objects.Decode(&r); err == io.EOF {
		return nil, errors.New("it is an empty line, and each line of a log is a JSON object")
	} else if err != nil {
		return nil, err
	}
	if rest := line[l.objects.InputOffset()-begin:]; string(rest) == "\r" {
		return nil, errors.New("it ends in CR LF, and lines of a log end in LF alone")
	} else if len(rest) > 0 {
		return nil, errors.New("it holds more than one JSON object")
	}
	return &r, nil
}

// plain refuses a line that is not written in the only way in which its record is
// written. For example, readers disagree about a key that occurs twice.
func plain(r *Record, line []byte) error {
	text, err := PlainJSON(r)
	if err != nil {
		return err
	}
	if have, want := untimed(line), untimed(text); !bytes.Equal(have, want) {
		return fmt.Errorf("it has %q where %q is to stand: write each key once, in the order of docs/formats.md, and nothing else", after(have, want), after(want, have))
	}
	return nil
}

// untimed returns a line without its time, which may be written in several ways.
func untimed(line []byte) []byte {
	before, rest, _ := bytes.Cut(line, []byte(`"time":"`))
	_, rest, _ = bytes.Cut(rest, []byte(`"`))
	return slices.Concat(before, rest)
}

// after returns a little of a, from where it differs from b.
func after(a, b []byte) []byte {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	return a[at:min(at+20, len(a))]
}
