package impl

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// LogVersion is the version of the format of logs.
const LogVersion = 1

// maxLine bounds a line of a log in bytes.
const maxLine = 1 << 20

// HashState returns the hash of a state's JSON, as records tell it.
func HashState(state []byte) string {
	sum := sha256.Sum256(state)
	return hex.EncodeToString(sum[:8])
}

// chain returns the Chain of a line, given that of the line before and the line
// without its own.
func chain(before string, line []byte) string {
	h := sha256.New()
	h.Write([]byte(before))
	h.Write(line)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// logWriter writes records.
type logWriter struct {
	to     io.Writer
	number uint64
	chain  string
}

// write adds number and chain to r and writes it.
func (w *logWriter) write(r *Record) error {
	w.number++
	r.Number, r.Chain = w.number, ""
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	line = line[:len(line)-1] // the brace
	w.chain = chain(w.chain, line)
	line = fmt.Appendf(line, `,"chain":"%s"}`+"\n", w.chain)
	if _, err := w.to.Write(line); err != nil {
		return fmt.Errorf("log: %w", err)
	}
	return nil
}

// OpenLog opens a log to append to. A line that a crash cut short is taken out:
// nothing that it tells of had left the process.
func OpenLog(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	size, err := whole(f)
	if err == nil {
		err = ours(f)
	}
	if err == nil {
		err = f.Truncate(size)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("log %s: %w", name, err)
	}
	return f, nil
}

// ours checks that a file is empty or begins as a log does, at least with what a
// crash has left of its first line.
func ours(f *os.File) error {
	const begins = `{"line":"` + LineBegin + `",`
	head := make([]byte, len(begins))
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return err
	}
	if string(head[:n]) != begins[:n] {
		return errors.New("it is no log of ours: name another file, or remove it")
	}
	return nil
}

// whole returns the size of f up to the end of its last whole line.
func whole(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, errors.New("it is no regular file")
	}
	tail := make([]byte, min(info.Size(), maxLine))
	start := info.Size() - int64(len(tail))
	if _, err := f.ReadAt(tail, start); err != nil && len(tail) > 0 {
		return 0, err
	}
	end := bytes.LastIndexByte(tail, '\n') + 1
	if end == 0 && start > 0 {
		return 0, fmt.Errorf("it ends in a line of more than %d bytes, so it is no log of ours", maxLine)
	}
	return start + int64(end), nil
}

// ReadLog reads a log and hands each record to use, until that returns an error. It
// checks that the lines of an incarnation are whole, in order and unaltered.
func ReadLog(r io.Reader, use func(Record) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	var expect logWriter
	var incarnation uint32
	n := 0
	for lines.Scan() {
		n++
		record, line, err := parseLine(lines.Bytes())
		if err != nil {
			return fmt.Errorf("log line %d: %w", n, err)
		}
		if record.Line == LineBegin {
			if record.Incarnation <= incarnation {
				return fmt.Errorf("log line %d: incarnation %d begins after incarnation %d", n, record.Incarnation, incarnation)
			}
			incarnation, expect = record.Incarnation, logWriter{}
		}
		expect.number++
		expect.chain = chain(expect.chain, line)
		if record.Incarnation != incarnation || record.Number != expect.number || record.Chain != expect.chain {
			return fmt.Errorf("log line %d: it does not follow the line before: lines are missing or were altered", n)
		}
		if err := use(record); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("log line %d: %w", n+1, err)
	}
	return nil
}

// parseLine reads a line, and returns as well what its chain is a hash of.
func parseLine(line []byte) (Record, []byte, error) {
	var r Record
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return r, nil, err
	}
	hashed, found := bytes.CutSuffix(line, fmt.Appendf(nil, `,"chain":"%s"}`, r.Chain))
	if !found {
		return r, nil, errors.New("it does not end with its chain")
	}
	return r, hashed, nil
}
