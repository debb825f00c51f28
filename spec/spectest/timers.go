package spectest

import (
	"testing"

	"interleave/internal/cell"
	"interleave/spec"
)

// Timers drives an algorithm as Run does, and checks that a timer is armed
// exactly in the states of which armed says so, after every step.
func Timers[S, M any](t *testing.T, a *spec.Algorithm[S, M], armed func(S) []spec.Timer) {
	t.Helper()
	d := &duties[S, M]{algorithm: a, traits: a.Traits(), ring: []spec.ID{2, 3, 1}}
	d.drive()
	bits := func(s any) (set uint8) {
		for _, timer := range armed(cell.Open[S](s)) {
			set |= 1 << timer
		}
		return set
	}
	for _, l := range d.states {
		for _, e := range d.events(l.self) {
			before := bits(l.state)
			if e.Kind == spec.Timeout {
				if before>>e.Timer&1 == 0 {
					continue
				}
				before &^= 1 << e.Timer
			}
			if d.traits.Oracle {
				e.Live = spec.UpTo(len(d.ring))
			}
			d.outcomes(l, e, func(e spec.Event, after any, fx spec.Effects) {
				if fx.Refused || fx.Panic != "" {
					return
				}
				if got, want := before&^fx.Stopped|fx.Armed, bits(after); got != want {
					t.Fatalf("%s: process %v in %+v, %v: in %+v the timers %b are armed, want %b", a.Name, l.self, l.state, d.traits.EventName(e), after, got, want)
				}
			})
		}
	}
}
