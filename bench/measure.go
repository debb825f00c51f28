package main

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// engine is one engine, ready to explore one world of one size.
type engine struct {
	name    string
	command *exec.Cmd
	states  func(printed []byte) (int, error) // how many it found; an error if it did not find them all
	other   bool                              // they are not ours
}

// measure is the cost of its process.
type measure struct {
	engine
	found      int // states
	user, wall time.Duration
	peak       int64 // bytes
}

// brief is what is over so soon that whatever else the machine does spoils most of its runs;
// of several runs there are then moreOfBrief times as many.
var brief = 2 * time.Second

const moreOfBrief = 5

// race runs the engines in turn, so many times, and returns the least that each
// took. If the first is brief, and more than one run is asked for, all that are run again.
func race(engines []engine, runs int) ([]measure, error) {
	best := make([]measure, len(engines))
	most := runs
	if runs > 1 {
		most *= moreOfBrief
	}
	for k := range most {
		for i, e := range engines {
			if k >= runs && max(best[0].wall, best[i].wall) >= brief {
				continue
			}
			m, err := e.run()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", e.name, err)
			}
			if k > 0 {
				m = m.least(best[i])
			}
			best[i] = m
		}
	}
	return best, nil
}

// least returns the less of each figure.
func (m measure) least(o measure) measure {
	m.user, m.wall, m.peak = min(m.user, o.user), min(m.wall, o.wall), min(m.peak, o.peak)
	return m
}

func (e engine) run() (measure, error) {
	c := exec.Command(e.command.Path, e.command.Args[1:]...)
	c.Dir = e.command.Dir
	began := time.Now()
	out, err := c.Output()
	wall := time.Since(began)
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return measure{}, fmt.Errorf("%v: %w\n%s%s", c, err, out, failed.Stderr)
	}
	if err != nil {
		return measure{}, err
	}
	m := measure{engine: e, wall: wall, user: c.ProcessState.UserTime()}
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		m.peak = usage.Maxrss << 10
	}
	if m.found, err = e.states(out); err != nil {
		return m, fmt.Errorf("%v: %w\n%s", c, err, out)
	}
	return m, nil
}
