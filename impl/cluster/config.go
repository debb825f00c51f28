package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"interleave/impl"
	"interleave/impl/cluster/network"
	"interleave/impl/runcheck"
	"interleave/impl/transport"
	"interleave/spec"
)

// Config says what a cluster runs and what goes wrong in it. Machine, N,
// Program, Dir, and one of Duration and Elections must be set.
type Config struct {
	Machine    spec.Machine
	N          int
	Ring       []spec.ID // nil: ascending
	Initiators spec.Set  // who begins of its own accord; none: all

	Plan      Plan
	Duration  time.Duration // until the healing
	Elections int           // in place of a Duration: how often the leader is killed, and all is healed
	Settle    time.Duration // how long after the healing there may be no agreement; 0: as long as that may take, and 10 s more
	Calm      time.Duration // how long the agreement must last to be one; 0: the longest timer and two deltas

	Stream       bool // TCP in place of UDP
	Datagrams    bool // messages go out once: no reliable layer on top of UDP
	Delta        time.Duration
	Timers       map[string]time.Duration // how long timers last, by name; missing ones are as in impl.DefaultDurations
	UnsafeTimers bool                     // run even if the timers are too short for Delta
	Port         uint16                   // of all addresses; 0: that of the protocol, or a free one if it is taken

	Program []string // the command that runs one process, as in mc node
	Command []string // the command that repeats the run
	Dir     string   // the run directory, which must be empty or not there
	Capture bool     // write a capture of everything

	Tell  func(Occasion) // gets what happens, as it happens. nil: nobody listens
	Watch func(Snapshot) // gets the condition of the run, ten times a second. nil: nobody looks

	durations map[string]time.Duration // of every timer
}

// stopTime is how long a process may take to end when asked.
const stopTime = 10 * time.Second

// InputError says that a Config cannot be run.
type InputError struct{ Err error }

func (e *InputError) Error() string { return e.Err.Error() }
func (e *InputError) Unwrap() error { return e.Err }

// complete returns c with its zero values filled in, or what is wrong with it.
func (c Config) complete() (Config, error) {
	switch {
	case c.Machine == nil:
		return c, errors.New("there is no algorithm to run")
	case c.N < 2 || c.N > network.MaxN:
		return c, fmt.Errorf("a cluster of %d processes is out of range: give 2 to %d", c.N, network.MaxN)
	case len(c.Program) == 0:
		return c, errors.New("there is no program that runs a process")
	case (c.Duration > 0) == (c.Elections > 0) || c.Duration < 0 || c.Elections < 0:
		return c, errors.New("a run has either a duration or a number of elections, above 0")
	case c.Elections > 0 && len(c.Plan.Events) > 0:
		return c, errors.New("a run by elections kills the leaders itself: leave the events out of the plan")
	case c.Stream && c.Datagrams:
		return c, errors.New("datagrams go out over UDP only")
	case c.Elections > 0 && !c.Machine.Traits().Elects:
		return c, fmt.Errorf("%s elects nobody: give a duration", c.Machine.Traits().Name)
	case c.Delta <= 0:
		return c, errors.New("delta must be above 0")
	case c.lockStep() && (c.Elections > 0 || c.Plan.restarts()):
		return c, fmt.Errorf("%s runs in lock step, and nobody can join it later: kill without a restart, by a plan (--plan) with a kill and no for", c.Machine.Traits().Name)
	}
	if c.Ring == nil {
		c.Ring = slices.Collect(spec.UpTo(c.N).All())
	}
	if !spec.IsRing(c.Ring, c.N) {
		return c, fmt.Errorf("the ring %v does not name each of the processes 1 to %d once", c.Ring, c.N)
	}
	if c.Initiators == 0 {
		c.Initiators = spec.UpTo(c.N)
	}
	if err := c.checkNode(); err != nil {
		return c, err
	}
	c.durations = impl.DefaultDurations(c.Machine, c.N, c.Delta)
	maps.Copy(c.durations, c.Timers)
	if c.Calm == 0 {
		c.Calm = runcheck.Rest(c.Delta, c.durations)
	}
	if c.Settle == 0 {
		c.Settle = 2*c.Calm + 10*time.Second + 10*c.durations["round"] // in lock step an election takes some
	}
	return c, cmp.Or(c.Plan.check(c.Machine.Traits()), c.Plan.Check(c.N, max(c.Duration, 1)))
}

// checkNode refuses what a process would refuse.
func (c Config) checkNode() error {
	node := impl.Config{
		Machine: c.Machine, ID: 1, Ring: c.Ring, Transport: transport.NewSwitch(nil).Plug(1),
		Delta: c.Delta, Durations: c.Timers, UnsafeTimers: c.UnsafeTimers, Datagrams: c.Datagrams,
	}
	if c.lockStep() {
		node.Begin = time.Now()
	}
	_, err := impl.New(node)
	return err
}

func (c Config) lockStep() bool { return c.Machine.Traits().Handles.Has(spec.Round) }

// transport names what carries the frames.
func (c Config) transport() string {
	if c.Stream {
		return "tcp"
	}
	return "udp"
}

// Occasion is something that happened in a run.
type Occasion = runcheck.Occasion
