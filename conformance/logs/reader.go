package logs

import (
	"errors"
	"io"
	"sync"

	"interleave/impl/runlog"
)

// batch is how many lines are read in one go; see BenchmarkCheckLogs.
const batch = 64

// entry is a line of a log, or why there is none.
type entry struct {
	record *runlog.Record
	line   int
	err    error
}

// readers read logs ahead of the check, one goroutine for each, since most of
// the work is to take JSON apart.
type readers struct {
	stop chan struct{}
	done sync.WaitGroup
}

func newReaders() *readers { return &readers{stop: make(chan struct{})} }

// close ends all of them, and waits for it.
func (r *readers) close() {
	close(r.stop)
	r.done.Wait()
}

// read reads a log to its end, or to its first error.
func (r *readers) read(from io.Reader) <-chan []entry {
	to := make(chan []entry, 2)
	r.done.Go(func() {
		defer close(to)
		lines := runlog.NewReader(from)
		for ended := false; !ended; {
			var entries []entry
			for len(entries) < batch && !ended {
				record, err := lines.Next()
				entries = append(entries, entry{record, lines.Line(), err})
				ended = err != nil
			}
			select {
			case to <- entries:
			case <-r.stop:
				return
			}
		}
	})
	return to
}

// read reads the next line. At the end of the log next is nil.
func (p *process) read() error {
	if len(p.ahead) == 0 {
		p.ahead = <-p.lines
	}
	e := p.ahead[0]
	p.ahead, p.line = p.ahead[1:], e.line
	if e.err == nil {
		p.next = e.record
		return nil
	}
	var line *runlog.LineError
	if errors.As(e.err, &line) && line.Cut && p.beginsLike(line.Text) {
		p.cut, e.err = true, io.EOF
	}
	p.done = true
	if e.err == io.EOF {
		return nil
	}
	return e.err
}
