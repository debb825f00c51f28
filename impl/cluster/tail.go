package cluster

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"time"

	"interleave/impl/runlog"
	"interleave/spec"
)

// report is the part of an runlog.Record that tells of a step, whom a process follows if somebody is
// elected, and which assumptions it saw violated.
type report struct {
	Line    string    `json:"line"`
	Time    time.Time `json:"time"`
	Process spec.ID   `json:"process"`
	Leader  *spec.ID  `json:"leader"`
	Breach  *breach   `json:"breach"`
}

type breach struct {
	Kind runlog.BreachKind `json:"kind"`
}

// tailPeriod is how often a log is looked at. The times are those of the
// lines, so it bounds only how late we learn of them.
const tailPeriod = 5 * time.Millisecond

// tail reads the log of a process as it grows, and calls each for every line
// of a process, until ctx ends; then it reads the rest.
func tail(ctx context.Context, file string, each func(report)) error {
	ticker := time.NewTicker(tailPeriod)
	defer ticker.Stop()
	f, err := open(ctx, file, ticker)
	if err != nil || f == nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<16)
	var line []byte // as far as it is written
	for {
		part, err := r.ReadBytes('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			if rep, ok := parseReport(line); ok {
				each(rep)
			}
			line = line[:0]
			continue
		case err != io.EOF:
			return err
		case ctx.Err() != nil:
			return nil
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		}
	}
}

// open waits for the log to be there.
func open(ctx context.Context, file string, ticker *time.Ticker) (*os.File, error) {
	for {
		f, err := os.Open(file)
		if err == nil || !os.IsNotExist(err) {
			return f, err
		}
		select {
		case <-ctx.Done():
			return nil, nil
		case <-ticker.C:
		}
	}
}

// parseReport returns what a line tells. A line that was cut by kill -9 tells nothing.
func parseReport(line []byte) (report, bool) {
	var r report
	if json.Unmarshal(line, &r) != nil || r.Line == "" {
		return report{}, false
	}
	return r, r.Leader == nil || *r.Leader >= spec.None && *r.Leader <= spec.MaxID
}
