package cluster

import (
	"bufio"
	"encoding/json"
	"os"
	"sync"
	"time"
)

// lineLog writes JSON lines to a file, and remembers the first error.
type lineLog struct {
	mu   sync.Mutex
	file *os.File
	buf  *bufio.Writer
	enc  *json.Encoder
	err  error
}

func newLineLog(file string) (*lineLog, error) {
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	buf := bufio.NewWriterSize(f, 1<<16)
	return &lineLog{file: f, buf: buf, enc: json.NewEncoder(buf)}, nil
}

func (l *lineLog) write(line any) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.enc.Encode(line); err != nil && l.err == nil {
		l.err = err
	}
}

// flush makes what was written readable for others.
func (l *lineLog) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.buf.Flush(); err != nil && l.err == nil {
		l.err = err
	}
}

func (l *lineLog) close() error {
	if l == nil {
		return nil
	}
	l.flush()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.file.Close(); err != nil && l.err == nil {
		l.err = err
	}
	return l.err
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
