package model

import (
	"errors"
	"fmt"
	"slices"

	"interleave/spec"
)

// MaxN is the largest number of processes.
const MaxN = 16

// Config is the world that an algorithm runs in: every assumption of a check.
// The zero value, but for N, is the mildest world: processes in ascending order
// on the ring, all of them initiators; fifo links; no crash; no failure
// detector; timers that expire only when they must; a cold start.
type Config struct {
	N          int        `json:"n"`              // processes 1..N
	Ring       []spec.ID  `json:"ring,omitempty"` // all processes in ring order; nil: ascending
	Initiators Initiators `json:"initiators,omitzero"`
	Network    Network    `json:"network"`
	Crashes    int        `json:"crashes"` // at most so many processes crash, at any moment, for good
	Split      bool       `json:"split"`   // a crash may also fall between the sends of one step
	Detector   Detector   `json:"detector"`
	Timers     Timing     `json:"timers"`
	Start      Beginning  `json:"start"`
}

// Initiators says which processes may begin of their own accord: have an
// effective start, or notice that there is no leader. The zero value: all.
type Initiators struct {
	Any  bool     `json:"any,omitempty"`  // every subset, the empty one too: 2^N initial states
	Only spec.Set `json:"only,omitempty"` // these, if not empty and not Any
}

// Network says in which order messages arrive. No network loses or copies any.
type Network uint8

const (
	FIFO Network = iota // one queue for each ordered pair of processes
	Bag                 // any message in flight may be next
	Set                 // as Bag, but a message equal to one in flight is absorbed
)

// Detector says what a process learns of the crashes of others.
type Detector uint8

const (
	NoDetector Detector = iota
	Perfect             // reports each crash to each process once, any time after it happened
	Flushed             // as Perfect, but not before all that the crashed process sent to this one has arrived
)

// Timing says when an armed timer may expire, in terms of its spec.TimerRule.
type Timing uint8

const (
	// Flush: when nothing that could still bring the answer is in flight, and
	// all that the crashed processes among the awaited have sent has arrived; a
	// crashed leader is noticed when all that it sent has arrived. Complete for
	// runs in which no message takes longer than δ, timers that elect last
	// longer than 2δ, and the others last longer than an election.
	Flush Timing = iota
	// Mixed: timers that elect as in Flush, the others at any moment. Complete
	// whenever no message takes longer than δ and timers that elect last longer
	// than 2δ.
	Mixed
	// Just: when nothing that could still bring the answer is in flight.
	Just
	// Any: at any moment. Nothing is assumed about time.
	Any
)

// Beginning says how a run begins.
type Beginning uint8

const (
	Cold       Beginning = iota // nobody knows a leader
	LeaderDown                  // process N has crashed, over and above Crashes, and the others follow it
)

// placement returns the ring, ascending if none is given.
func (c Config) placement() []spec.ID {
	if c.Ring != nil {
		return c.Ring
	}
	return Ascending(c.N)
}

// Ascending returns the ring 1..n.
func Ascending(n int) []spec.ID {
	ring := make([]spec.ID, n)
	for i := range ring {
		ring[i] = spec.ID(i + 1)
	}
	return ring
}

// Placements returns every ring of n processes up to rotation, each beginning
// with first, in lexicographic order.
func Placements(n int, first spec.ID) [][]spec.ID {
	var rings [][]spec.ID
	var extend func(ring []spec.ID, left spec.Set)
	extend = func(ring []spec.ID, left spec.Set) {
		if left == 0 {
			rings = append(rings, slices.Clone(ring))
		}
		for id := range left.All() {
			extend(append(ring, id), left.Without(id))
		}
	}
	extend([]spec.ID{first}, spec.UpTo(n).Without(first))
	return rings
}

// Check reports everything in c that is out of range, contradicts itself, or
// means nothing to the machine, or nil.
func (c Config) Check(m spec.Machine) error {
	if err := m.Validate(); err != nil {
		return err
	}
	if c.N < 1 || c.N > MaxN {
		return &ConfigError{"n", fmt.Sprintf("%d processes are out of range: give 1 to %d", c.N, MaxN)}
	}
	t := m.Traits()
	return errors.Join(c.checkRing(t), c.checkInitiators(t), c.checkFailures(t), c.checkTimers(t), c.checkStart(t))
}

// ConfigError is something wrong with one axis of a Config.
type ConfigError struct {
	Axis   string // as on the command line: "n", "ring", "timers"
	Reason string
}

func (e *ConfigError) Error() string { return e.Axis + ": " + e.Reason }

func (c Config) checkRing(t spec.Traits) error {
	if c.Ring == nil {
		return nil
	}
	if !t.Ring {
		return &ConfigError{"ring", t.Name + " does not use the ring, so a placement means nothing to it: leave it out"}
	}
	sorted := slices.Sorted(slices.Values(c.Ring))
	if !slices.Equal(sorted, Ascending(c.N)) {
		return &ConfigError{"ring", fmt.Sprintf("%v does not name each of the processes 1 to %d once", c.Ring, c.N)}
	}
	return nil
}

func (c Config) checkInitiators(t spec.Traits) error {
	switch {
	case c.Initiators == Initiators{}:
		return nil
	case !t.Handles.Has(spec.Start) && !t.Handles.Has(spec.Notice):
		return &ConfigError{"initiators", t.Name + " has neither Start nor Notice, so nobody begins of their own accord: leave it out"}
	case c.Initiators.Any && c.Initiators.Only != 0:
		return &ConfigError{"initiators", "give either every subset or one set, not both"}
	case c.Initiators.Only&^spec.UpTo(c.N) != 0:
		return &ConfigError{"initiators", fmt.Sprintf("%v names processes that do not exist: there are 1 to %d", c.Initiators.Only, c.N)}
	}
	return nil
}

func (c Config) checkFailures(t spec.Traits) error {
	up := c.N
	if c.Start == LeaderDown {
		up--
	}
	switch {
	case c.Network > Set:
		return &ConfigError{"network", fmt.Sprintf("there is no network number %d", c.Network)}
	case c.Crashes < 0 || c.Crashes > up:
		return &ConfigError{"crashes", fmt.Sprintf("%d crashes are out of range: 0 to %d processes can crash", c.Crashes, up)}
	case c.Split && c.Crashes == 0:
		return &ConfigError{"split", "it says where a crash may fall, and no process may crash: allow a crash"}
	case c.Detector > Flushed:
		return &ConfigError{"detector", fmt.Sprintf("there is no detector number %d", c.Detector)}
	case c.Detector != NoDetector && !t.Handles.Has(spec.Suspect):
		return &ConfigError{"detector", t.Name + " has no Suspect handler, so a detector means nothing to it: leave it out"}
	}
	return nil
}

func (c Config) checkTimers(t spec.Traits) error {
	if c.Timers > Any {
		return &ConfigError{"timers", fmt.Sprintf("there is no timing number %d", c.Timers)}
	}
	if len(t.Rules) == 0 && c.Timers != Flush {
		return &ConfigError{"timers", t.Name + " sets no timers, so their timing means nothing to it: leave it out"}
	}
	for _, r := range t.Rules {
		justified := c.Timers == Flush || c.Timers == Just || c.Timers == Mixed && r.Elects
		if justified && r.Awaited == nil {
			return &ConfigError{"timers", fmt.Sprintf("%v: nothing says when timer %s of %s is justified: use any", c.Timers, r.Name, t.Name)}
		}
	}
	return nil
}

func (c Config) checkStart(t spec.Traits) error {
	switch {
	case c.Start > LeaderDown:
		return &ConfigError{"start", fmt.Sprintf("there is no beginning number %d", c.Start)}
	case c.Start == LeaderDown && t.Follow == nil:
		return &ConfigError{"start", t.Name + " has no Follow, so its processes cannot begin with a leader: use cold"}
	case c.Start == LeaderDown && c.N < 2:
		return &ConfigError{"start", "with the leader down nobody is left: give at least 2 processes"}
	case t.Handles.Has(spec.Round):
		return &ConfigError{"rounds", t.Name + " runs in lock-step rounds, which this world does not have"}
	}
	return nil
}
