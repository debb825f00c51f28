package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"interleave/spec"
)

// tick returns s one tick later.
func (r *Reference) tick(s State) State {
	later := s.clone()
	for i, in := range s.Inboxes {
		later.Inboxes[i] = slices.Clone(in)
		for k, e := range in {
			later.Inboxes[i][k].Age = min(e.Age+1, uint8(r.config.Delta))
		}
		later.Locals[i].tick(r.rules.durations)
	}
	return later
}

// tick lets armed timers age up to when they expire, and a crash up to when it is noticed.
// Those that Init sets run from the start of the process on: the two are one moment.
func (l *Local) tick(d durations) {
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

// urgent reports whether a message has to arrive, or a timer to expire, in this tick. A message
// that the handler refuses has arrived, and waits while time goes on, as do the messages behind
// it in a queue.
func (r *Reference) urgent(s State) bool {
	for p := range r.all.All() {
		l, in := s.Local(p), s.Inbox(p)
		for t := range spec.Timer(spec.MaxTimers) {
			if l.Timers>>t&1 != 0 && l.Ages.Timers[t] >= r.rules.durations.timers[t] && !r.refuses(s, p, spec.Event{Kind: spec.Timeout, Timer: t}) {
				return true
			}
		}
		for place := range in.Deliverable(r.config.Network) {
			e := in[place]
			if int(e.Age) >= r.config.Delta && !r.waits(s, p, e) {
				return true
			}
		}
	}
	return false
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
	if t.Handles.Has(spec.Notice) {
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
