package impl

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"time"

	"interleave/impl/storage"
	"interleave/impl/transport"
	"interleave/impl/wire"
	"interleave/spec"
)

// DefaultDelta is how long a message may take, unless a Config says otherwise.
const DefaultDelta = 100 * time.Millisecond

// Config says what one process runs, and on what assumptions. Machine, ID, Ring and
// Transport must be set; the zero value of the rest is the mildest world.
type Config struct {
	Machine   spec.Machine
	ID        spec.ID
	Ring      []spec.ID           // all processes, 1..N in ring order
	Run       uint64              // which run of the cluster: frames of other runs are ignored
	Transport transport.Transport // the node closes it
	Key       wire.Key            // nil: frames are not authenticated

	Delta        time.Duration            // the longest that a message takes, from sending to handling; 0: DefaultDelta
	Durations    map[string]time.Duration // of timers, by name; missing ones are as in DefaultDurations
	UnsafeTimers bool                     // run even if an electing timer does not last longer than two deltas
	Begin        time.Time                // lock step: when the first round begins, the same for all

	Bystander bool // is no initiator: begins nothing of its own accord
	Datagrams bool // messages go out once, and arrive in any order, or not at all

	Storage  storage.Stable  // keeps the incarnation, and what the algorithm keeps over a crash; nil: nothing survives
	Log      io.Writer       // one Record of a log a line, each in one Write; nil: none
	Logger   *slog.Logger    // for people; nil: none
	Choose   func(n int) int // answers what a handler chooses, 0 to n-1; nil: by chance
	Triggers <-chan Trigger  // events that happen sooner than by the clock, for drivers; nil: none
	Output   func(v any)     // gets what the algorithm hands to its user; called by the goroutine that runs the node, and must not call the node. nil: nobody listens
}

// complete returns c with its zero values filled in, or everything that is
// wrong with it.
func (c Config) complete() (Config, error) {
	if c.Machine == nil {
		return c, errors.New("there is no algorithm to run")
	}
	if err := c.Machine.Validate(); err != nil {
		return c, err
	}
	if c.Delta == 0 {
		c.Delta = DefaultDelta
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Log == nil {
		c.Log = io.Discard
	}
	if c.Choose == nil {
		c.Choose = rand.IntN
	}
	if err := errors.Join(c.checkProcesses(), c.checkWorld()); err != nil {
		return c, err
	}
	var err error
	c.Durations, err = c.durations()
	return c, err
}

func (c Config) checkProcesses() error {
	n := len(c.Ring)
	if err := c.Machine.Traits().CheckN(n); err != nil {
		return err
	}
	if c.ID < 1 || int(c.ID) > n {
		return fmt.Errorf("there is no process %d among the processes 1 to %d", int(c.ID), n)
	}
	if !spec.IsRing(c.Ring, n) {
		return fmt.Errorf("the ring %v does not name each of the processes 1 to %d once", c.Ring, n)
	}
	if c.Transport == nil {
		return errors.New("there is no transport")
	}
	return nil
}

func (c Config) checkWorld() error {
	lockStep := c.Machine.Traits().Handles.Has(spec.Round)
	switch {
	case c.Delta > time.Hour:
		return fmt.Errorf("delta is %v: give an hour at most", c.Delta)
	case c.Delta < time.Millisecond:
		return fmt.Errorf("delta is %v: give 1ms or more, which is what a process on a busy machine keeps to", c.Delta)
	case lockStep && c.Begin.IsZero():
		return errors.New("in lock step all processes begin at the same moment: say when")
	case !lockStep && !c.Begin.IsZero():
		return fmt.Errorf("%s does not run in lock step, so it has no beginning in common: leave it out", c.Machine.Traits().Name)
	case lockStep && c.Datagrams:
		return errors.New("in lock step nothing is lost: leave bare datagrams out")
	}
	return nil
}

// settings returns what all processes must have in common.
func (c Config) settings() string {
	s := wire.Settings{Ring: c.Ring, Delta: c.Delta, Datagrams: c.Datagrams}
	if c.Machine.Traits().Handles.Has(spec.Round) {
		s.Begin, s.Round = c.Begin, c.Durations[timerRound]
	}
	return s.String()
}
