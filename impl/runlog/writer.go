// Package runlog is the log of a real process: what its lines say, and how they are written and read.
package runlog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"interleave/internal/filelock"
)

// Version is the version of the format of logs.
const Version = 2

// MaxLine bounds a line of a log in bytes. It has room for a state with long lists, and for the longest messages.
const MaxLine = 1 << 26

// HashState returns the hash of a state's JSON, as in records.
func HashState(state []byte) string {
	sum := sha256.Sum256(state)
	return hex.EncodeToString(sum[:8])
}

// chain returns the Chain of a line, given that of the line before and the line
// without its own.
func chain(before string, line []byte) (digits [32]byte) {
	sum := sha256.Sum256(append(append(make([]byte, 0, 512), before...), line...))
	hex.Encode(digits[:], sum[:16])
	return digits
}

// Writer writes records.
type Writer struct {
	To     io.Writer
	number uint64
	chain  string
}

// Write adds number and chain to r and writes it.
func (w *Writer) Write(r *Record) error {
	w.number++
	r.Number, r.Chain = w.number, ""
	line, err := PlainJSON(r)
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	line = line[:len(line)-1] // the brace
	digits := chain(w.chain, line)
	w.chain = string(digits[:])
	line = fmt.Appendf(line, `,"chain":"%s"}`+"\n", w.chain)
	if len(line) > MaxLine {
		return fmt.Errorf("log: a line of %d bytes: at most %d can be read", len(line), MaxLine)
	}
	if _, err := w.To.Write(line); err != nil {
		return fmt.Errorf("log: %w", err)
	}
	return nil
}

// Open opens a log to append to, unless another process writes it. A line that a
// crash cut short is removed: nothing in it had left the process.
func Open(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	err = filelock.Lock(f)
	var size int64
	if err == nil {
		size, err = whole(f)
	}
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

// ours checks that a file is empty or begins as a log does, at least with what a crash
// has left of its first line.
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
	tail := make([]byte, min(info.Size(), MaxLine))
	start := info.Size() - int64(len(tail))
	if _, err := f.ReadAt(tail, start); err != nil && len(tail) > 0 {
		return 0, err
	}
	end := bytes.LastIndexByte(tail, '\n') + 1
	if end == 0 && start > 0 {
		return 0, fmt.Errorf("it ends in a line of more than %d bytes, so it is no log of ours", MaxLine)
	}
	return start + int64(end), nil
}
