package impl

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"interleave/spec"
)

// The timers that are not the algorithm's own.
const (
	timerAction    = "action"    // how long a fair action waits once it is possible, and between two times
	timerNotice    = "notice"    // how long a process that knows no leader waits until it notices; a leader that is suspected is noticed at once
	timerHeartbeat = "heartbeat" // the interval of heartbeats
	timerSuspect   = "suspect"   // how long another process must be silent to be suspected
	timerJoin      = "join"      // the same for a process that was never heard
	timerRound     = "round"     // how long a lock-step round is
)

// DefaultDurations returns the default durations of the timers of a machine among n
// processes: the algorithm's own, and those of the runtime that it uses. A timer that
// can make a leader waits for a round trip and one delta more. One that only begins
// another election waits as long as an election in which every process is tried in
// turn. But what its rule says comes first.
func DefaultDurations(m spec.Machine, n int, delta time.Duration) map[string]time.Duration {
	t := m.Traits()
	d := map[string]time.Duration{
		timerHeartbeat: delta / 2,
		timerSuspect:   4 * delta, // the silence of seven heartbeats: a few may be lost
		timerJoin:      5*time.Second + 4*delta,
	}
	if slices.ContainsFunc(t.Actions, byItself) {
		d[timerAction] = max(delta/10, time.Millisecond)
	}
	if t.Notices() {
		d[timerNotice] = 3 * delta
	}
	if t.Handles.Has(spec.Round) {
		d[timerRound] = 2 * delta
		if t.Handles.Has(spec.Suspect) {
			d[timerRound] = 6 * delta // in which a crash is noticed
		}
	}
	for _, rule := range t.Rules {
		lasts := rule.Lasts
		switch {
		case lasts == 0 && rule.Elects:
			lasts = 3
		case lasts == 0:
			lasts = 3 * (n + 2)
		}
		d[rule.Name] = time.Duration(lasts) * delta
	}
	return d
}

// durations returns the duration of every timer, or what is wrong with those in c.
func (c Config) durations() (map[string]time.Duration, error) {
	all := DefaultDurations(c.Machine, len(c.Ring), c.Delta)
	for _, name := range slices.Sorted(maps.Keys(c.Durations)) {
		if _, ok := all[name]; !ok {
			return nil, fmt.Errorf("%s has no timer %q: there are %s", c.Machine.Traits().Name, name,
				strings.Join(slices.Sorted(maps.Keys(all)), ", "))
		}
		if d := c.Durations[name]; d < time.Millisecond || d > 1000*time.Hour {
			return nil, fmt.Errorf("timer %s lasts %v: give it 1ms to 1000h", name, d)
		}
		all[name] = c.Durations[name]
	}
	if c.UnsafeTimers {
		return all, nil
	}
	var errs []error
	for _, least := range c.least(all) {
		if all[least.name] <= least.than {
			errs = append(errs, &TimerError{least.name, all[least.name], least.than, least.why})
		}
	}
	return all, errors.Join(errs...)
}

// TimerError says that a timer is too short for the meaning of its expiry.
type TimerError struct {
	Name     string
	Duration time.Duration
	Than     time.Duration // it must last longer than this
	Why      string
}

func (e *TimerError) Error() string {
	return fmt.Sprintf("timer %s lasts %v, and must last longer than %v: %s", e.Name, e.Duration, e.Than, e.Why)
}

type leastDuration struct {
	name string
	than time.Duration
	why  string
}

// least returns the bounds that the timers must exceed.
func (c Config) least(d map[string]time.Duration) []leastDuration {
	out := []leastDuration{
		{timerSuspect, d[timerHeartbeat] + c.Delta, "the time between two heartbeats, and delta for the later one to arrive"},
		{timerJoin, d[timerHeartbeat] + c.Delta, "the time between two heartbeats, and delta for the later one to arrive"},
	}
	for _, rule := range c.Machine.Traits().Rules {
		if rule.Elects {
			out = append(out, leastDuration{rule.Name, 2 * c.Delta, "it can make a leader, and an answer may take two deltas"})
		}
	}
	if handles := c.Machine.Traits().Handles; handles.Has(spec.Round) {
		out = append(out, leastDuration{timerRound, c.Delta, "what is sent in a round has to arrive in it"})
		if handles.Has(spec.Suspect) {
			out = append(out, leastDuration{timerRound, c.Delta + d[timerSuspect], "who crashes in a round has to be suspected before the next"})
		}
	}
	slices.SortStableFunc(out, func(a, b leastDuration) int { return cmp.Compare(a.name, b.name) })
	return out
}
