package model

import (
	"fmt"
	"iter"
	"slices"

	"interleave/spec"
)

// MaxN is the largest number of processes.
const MaxN = 16

// Config is the world that an algorithm runs in: every assumption of a check. The zero value,
// with N set, is the mildest world: processes in ascending order on the ring, all of them
// initiators; fifo links; no crash; no failure detector; timers that expire only when they must;
// a cold start.
type Config struct {
	N          int        `json:"n"`              // processes 1..N
	Ring       []spec.ID  `json:"ring,omitempty"` // all processes in ring order; nil: ascending
	Initiators Initiators `json:"initiators,omitzero"`
	Network    Network    `json:"network"`
	Losses     int        `json:"losses,omitempty"`     // how many messages may be lost; in a fifo network only the next one of a queue
	Duplicates int        `json:"duplicates,omitempty"` // how many messages may be copied in flight
	Partitions int        `json:"partitions,omitempty"` // how many times the network may divide, to heal later
	Crashes    int        `json:"crashes"`              // how many crashes there may be, at any moment
	Split      bool       `json:"split"`                // a crash may also fall between the sends of one step, and before them once what is kept has changed
	Recoveries int        `json:"recoveries,omitempty"` // how many crashed processes may come up again
	Detector   Detector   `json:"detector"`
	Suspicions int        `json:"suspicions,omitempty"` // how many false reports the Eventual detector may make
	Timers     Timing     `json:"timers"`
	Delta      int        `json:"delta,omitempty"`     // Timed: ticks that a message may take
	Durations  Durations  `json:"durations,omitempty"` // Timed
	Start      Beginning  `json:"start"`
	Bound      int        `json:"bound,omitempty"` // no process takes a step beyond this spec.Algorithm.Measure; 0: no bound
	Fairness   Fairness   `json:"fairness,omitzero"`
	Times      int        `json:"times,omitempty"`    // how often each action is done of which the algorithm limits it; 0: as it says; -1: as often as processes like
	Monitors   []string   `json:"monitors,omitempty"` // the properties of the algorithm whose spec.Monitor is part of the states

	together [spec.MaxActions + 1]uint8 // by action: how often all processes may do it together; 0: as they like
}

// Initiators says which processes may begin of their own accord, that is, have an effective
// start, or notice that there is no leader. The zero value: all.
type Initiators struct {
	Any  bool     `json:"any,omitempty"`  // every subset, the empty one too: 2^N initial states
	Only spec.Set `json:"only,omitempty"` // these, if not empty and not Any
}

// Network says in which order messages arrive.
type Network uint8

const (
	FIFO Network = iota // one queue for each ordered pair of processes
	Bag                 // any message in flight may be next
	Set                 // as Bag, but a message equal to one in flight is absorbed
	// Rounds: lock step. All live processes take a step at once, each with all
	// that was sent to it in the round before, in any order.
	Rounds
)

// Detector says what a process learns of the crashes of others.
type Detector uint8

const (
	NoDetector Detector = iota
	// Perfect: reports each crash to each process once, any time after it
	// happened; in Rounds at the beginning of every round after it.
	Perfect
	Flushed  // as Perfect, but not before every message from the crashed process to this one has arrived, or is refused
	Eventual // as Perfect, but it may report a live process, too, and withdraw that later
)

// Beginning says how a run begins.
type Beginning uint8

const (
	Cold       Beginning = iota // nobody knows a leader
	LeaderDown                  // process N has crashed, in addition to Crashes, and the others follow it
)

// Placement returns the ring, ascending if none is given.
func (c Config) Placement() []spec.ID {
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

// Placements yields every ring of n processes up to rotation, each beginning
// with first, in lexicographic order.
func Placements(n int, first spec.ID) iter.Seq[[]spec.ID] {
	return func(yield func([]spec.ID) bool) {
		var extend func(ring []spec.ID, left spec.Set) bool
		extend = func(ring []spec.ID, left spec.Set) bool {
			if left == 0 {
				return yield(slices.Clone(ring))
			}
			for id := range left.All() {
				if !extend(append(ring, id), left.Without(id)) {
					return false
				}
			}
			return true
		}
		extend([]spec.ID{first}, spec.UpTo(n).Without(first))
	}
}

// CountPlacements returns how many rings Placements yields.
func CountPlacements(n int) int {
	count := 1
	for k := 2; k < n; k++ {
		count *= k
	}
	return count
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
	if err := t.CheckN(c.N); err != nil {
		return &ConfigError{"n", err.Error()}
	}
	return configCheck{c, t}.all()
}

// Assumptions lists everything that the world takes for granted, one sentence
// each, for the reader of a verdict.
func (c Config) Assumptions(m spec.Machine) []string { return assumptions{c, m.Traits()}.lines() }

// LacksBound reports whether processes may count up without end, and a Bound would keep them from it.
func (c Config) LacksBound(t spec.Traits) bool {
	return t.Measure != nil && c.Bound == 0 && c.Network != Rounds
}

// HasEnv reports whether states differ in their Env.
func (c *Config) HasEnv() bool { return len(c.Counted()) > 0 || len(c.Monitors) > 0 }

// HasTables reports whether there is a compiled.System of the world. There is always an Interpreted.
func (c Config) HasTables() bool { return c.Network != Rounds && c.Timers != Timed }
