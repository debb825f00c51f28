package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"interleave/spec"
)

// Timing says when an armed timer may expire, in terms of its spec.TimerRule. A message in flight
// that its receiver refuses counts as arrived.
type Timing uint8

const (
	// Flush: when nothing that could still bring the answer is in flight, and
	// all that the crashed processes among the awaited have sent has arrived; a
	// crashed leader is noticed when all that it sent has arrived, by algorithms
	// that take silence for a crash. Complete for
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
	// Timed: at its duration, in discrete time. A message takes at most Delta
	// ticks, handlers take none, and what happens in the same tick happens in
	// any order. A crash of the leader is noticed after a duration, too.
	Timed
)

// Justifies reports whether a timer may expire only when that is justified.
func (t Timing) Justifies(elects bool) bool { return t == Flush || t == Just || t == Mixed && elects }

// justified is asked where the armed timer t of p expires.
func (w *Rules) justified(p spec.ID, l Local, t spec.Timer) []Condition {
	rule := &w.traits.Rules[t]
	switch {
	case w.config.Timers == Timed:
		return []Condition{{Ask: ArmedFor, Process: p, Timer: t, Ticks: w.durations.timers[t]}}
	case !w.config.Timers.Justifies(rule.Elects):
		return nil
	}
	var asks []Condition
	var silent spec.Set
	if rule.Silent != nil {
		silent = rule.Silent(l.State, p, w.all)
	}
	if rule.AllDown && silent != 0 {
		asks = append(asks, Condition{Ask: AllDown, Of: silent})
	}
	if rule.Owing != nil {
		asks = append(asks, Condition{Ask: NoneOwing, Process: p, Timer: t})
	}
	if rule.Awaited != nil {
		asks = append(asks, Condition{Ask: NoneAwaited, Process: p, Timer: t})
	}
	if w.config.Timers != Just && silent != 0 {
		asks = append(asks, Condition{Ask: NoneFrom, Of: silent})
	}
	return asks
}

// leaderless is asked where a process that follows leader notices that it has no live leader.
// Nothing is asked of a leader that does not exist.
func (w *Rules) leaderless(leader spec.ID) []Condition {
	if leader < 1 || int(leader) > w.config.N {
		return nil
	}
	some := spec.SetOf(leader)
	asks := []Condition{{Ask: AllDown, Of: some}}
	switch {
	case w.config.Timers == Timed:
		asks = append(asks, Condition{Ask: DownFor, Of: some, Ticks: w.durations.notice})
	case w.NoticesLate():
		asks = append(asks, Condition{Ask: NoneFrom, Of: some})
	}
	return asks
}

// NoticesLate reports whether a crashed leader is noticed only after everything that it sent has
// arrived: in a flush world of an algorithm that takes silence for a crash.
func (w *Rules) NoticesLate() bool {
	return w.config.Timers == Flush && slices.ContainsFunc(w.traits.Rules, func(r spec.TimerRule[any, any]) bool { return r.Silent != nil })
}

// after returns s one tick later, in a world where a message takes at most delta.
func (d *durations) after(s State, delta int) State {
	later := s.clone()
	for i, in := range s.Inboxes {
		later.Inboxes[i] = slices.Clone(in)
		for k, e := range in {
			later.Inboxes[i][k].Age = min(e.Age+1, uint8(delta))
		}
		later.Locals[i].tick(d)
	}
	return later
}

// tick lets armed timers age up to when they expire, and a crash up to when it is noticed.
// Those that Init sets run from the start of the process on: the two are one moment.
func (l *Local) tick(d *durations) {
	switch l.Status {
	case Down:
		l.Ages.Down = min(l.Ages.Down+1, d.notice)
	case Up:
		for t := range l.Ages.Timers {
			if l.Timers>>t&1 != 0 {
				l.Ages.Timers[t] = min(l.Ages.Timers[t]+1, d.timers[t])
			}
		}
	}
}

// Durations says after how many ticks each timer expires, and after how many the crash of a
// leader is noticed, as in "T_ok=3,T_coord=5,notice=3".
type Durations string

// maxTicks bounds every duration.
const maxTicks = 100

const noticeDuration = "notice"

// durations are Durations by timer.
type durations struct {
	timers [spec.MaxTimers]uint8
	notice uint8
}

// parse returns the durations of all timers of an algorithm, each of which must be given.
func (d Durations) parse(t spec.Traits) (durations, error) {
	var out durations
	fields := map[string]*uint8{}
	var names []string
	for i, r := range t.Rules {
		fields[r.Name] = &out.timers[i]
		names = append(names, r.Name)
	}
	if t.Notices() {
		fields[noticeDuration] = &out.notice
		names = append(names, noticeDuration)
	}
	fail := func(format string, args ...any) (durations, error) {
		return out, &ConfigError{"durations", fmt.Sprintf(format, args...) + ": give each, as in " + strings.Join(names, "=3,") + "=3"}
	}
	if d == "" {
		return fail("it is not given, and with clocks each timer has one")
	}
	for part := range strings.SplitSeq(string(d), ",") {
		at := strings.LastIndexByte(part, '=')
		if at < 0 {
			return fail("%q is not a duration", part)
		}
		name := part[:at]
		ticks, err := strconv.Atoi(part[at+1:])
		switch field := fields[name]; {
		case !slices.Contains(names, name):
			return fail("there is no timer %q", name)
		case *field != 0:
			return fail("%s is given twice", name)
		case err != nil || ticks < 1 || ticks > maxTicks:
			return fail("%q is not 1 to %d ticks", part[at+1:], maxTicks)
		default:
			*field = uint8(ticks)
		}
	}
	for _, name := range names {
		if *fields[name] == 0 {
			return fail("%s has no duration", name)
		}
	}
	return out, nil
}
