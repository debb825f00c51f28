package properties_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// hidden are ways to answer a question by more than what is asked; each is made anew for a check.
var hidden = map[string]func() func(q any) bool{
	"counter": func() func(any) bool {
		n := 0
		return func(any) bool { n++; return n%2 == 0 }
	},
	"counter, once": func() func(any) bool {
		n := 0
		return func(any) bool { n++; return n == 3 }
	},
	"counter, interrupted": func() func(any) bool {
		n := 0
		return func(any) bool {
			if n++; n == 1 {
				time.Sleep(2 * time.Millisecond) // as on a busy machine
			}
			return n != 6
		}
	},
	"map": func() func(any) bool {
		m := map[int]bool{1: true, 2: false, 3: true, 4: false}
		return func(any) bool {
			for _, v := range m {
				return v
			}
			return false
		}
	},
	"time": func() func(any) bool {
		began := time.Now()
		return func(any) bool { return time.Since(began)/time.Microsecond%2 == 0 }
	},
	"order": func() func(any) bool {
		asked := map[string]bool{}
		return func(q any) bool { asked[fmt.Sprint(q)] = true; return len(asked) >= 2 }
	},
}

// functions plant a hidden input in one function that is no handler, of an algorithm whose
// processes go from 0 to 3 as timers expire, and by messages.
var functions = map[string]func(a *oddState, odd func(any) bool) []properties.Property{
	"Leader is": func(a *oddState, odd func(any) bool) []properties.Property {
		a.Election.Leader = func(s int) spec.ID { return spec.ID(number(odd(s))) }
		return nil
	},
	"Idle is": func(a *oddState, odd func(any) bool) []properties.Property {
		a.Idle = func(s int) bool { return odd(s) }
		return []properties.Property{properties.NoDeadlock, properties.Invariant("idle", "it is asked who is idle", func(w *model.World) error {
			w.Idle(1)
			return nil
		})}
	},
	"Measure is": func(a *oddState, odd func(any) bool) []properties.Property {
		a.Measure = func(s int) int { return number(odd(s)) }
		return nil
	},
	"Stable is": func(a *oddState, odd func(any) bool) []properties.Property {
		a.Stable = func(s int) int { return number(odd(s)) }
		return nil
	},
	"Kind is": func(a *oddState, odd func(any) bool) []properties.Property {
		a.Kinds = []string{"one", "two"}
		a.Kind = func(m int) string { return a.Kinds[number(odd(m))] }
		return nil
	},
	"Awaited of the timer T is": func(a *oddState, odd func(any) bool) []properties.Property {
		a.Rules[0].Awaited = func(p, from, to spec.ID, m int) bool { return odd([]any{p, from, to, m}) }
		return nil
	},
	"Silent of the timer T is": func(a *oddState, odd func(any) bool) []properties.Property {
		a.Rules[0].Silent = func(s int, _ spec.ID, _ spec.Set) spec.Set { return spec.Set(number(odd(s))) }
		return nil
	},
	"Owing of the timer T is": func(a *oddState, odd func(any) bool) []properties.Property {
		a.Rules[0].Owing = func(s int, _ spec.ID, _ spec.Set) spec.Set { return spec.Set(number(odd(s))) }
		return nil
	},
	"the claim kept is": func(a *oddState, odd func(any) bool) []properties.Property {
		a.Claims = []spec.Claim[int]{{Name: "kept", Holds: func(_ spec.ID, _ spec.Set, before, after int, _ []any) error {
			return fault(odd([]any{before, after}))
		}}}
		return properties.Own(a)
	},
	"the property state is": func(_ *oddState, odd func(any) bool) []properties.Property {
		return []properties.Property{properties.Invariant("state", "", func(w *model.World) error { return fault(odd(w.State(1))) })}
	},
	"the property rest is": func(_ *oddState, odd func(any) bool) []properties.Property {
		return []properties.Property{properties.Quiescent("rest", "", func(w *model.World) error { return fault(odd(w.State(2))) })}
	},
	"the property step is": func(_ *oddState, odd func(any) bool) []properties.Property {
		return []properties.Property{properties.EveryStep("step", "", func(v, w *model.World) error { return fault(odd(w.State(1))) })}
	},
	"the property goal is": func(_ *oddState, odd func(any) bool) []properties.Property {
		return []properties.Property{properties.Cover("goal", "", func(w *model.World) bool { return odd(w.State(1)) })}
	},
	"the property settled is": func(_ *oddState, odd func(any) bool) []properties.Property {
		return []properties.Property{properties.Stabilized("settled", "", 1, func(w *model.World) error { return fault(odd(w.State(1))) })}
	},
	"the property end is": func(_ *oddState, odd func(any) bool) []properties.Property {
		return []properties.Property{properties.AlwaysEventually("end", "", func(w *model.World) error { return fault(odd(w.State(1))) })}
	},
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func fault(b bool) error {
	if b {
		return errors.New("odd")
	}
	return nil
}

// TestAskedAgain: a function that answers by more than what it is asked is told with what it was
// asked, whatever the property says; so no verdict rests on it.
func TestAskedAgain(t *testing.T) {
	testsize.Alone(t)
	ways := []properties.Options{{Continue: true}, {Continue: true, Engine: properties.Symbolic}, {Continue: true, Direct: true}}
	for want, plant := range functions {
		for hides, input := range hidden {
			if want == "the property rest is" && hides == "order" {
				continue // there are too few such states
			}
			for _, o := range ways[:testsize.Of(1, 2, 3)] {
				a := climber()
				props := append(plant(a, input()), properties.Invariant("fine", "", func(*model.World) error { return nil }))
				_, err := properties.Verify(t.Context(), a, model.Config{N: 2, Network: model.Bag, Crashes: 1, Recoveries: 1, Bound: 9}, props, o)
				if whim := (*model.NondeterminismError)(nil); !errors.As(err, &whim) || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "and when asked again it says") {
					t.Errorf("%s, %+v: %v; want %s", hides, o, err, want)
				}
			}
		}
	}
}

// climber returns an algorithm whose processes tell each other three times that they go on.
func climber() *oddState {
	return odd("climber", func(a *oddState) {
		a.Init = func(_ *int, p *oddProc) { p.SetTimer(0) }
		a.Timeout = func(s *int, p *oddProc, _ spec.Timer) {
			if *s++; *s < 3 {
				p.SetTimer(0)
			}
			p.Broadcast(p.Others(), *s)
		}
		a.Receive = func(*int, *oddProc, spec.ID, int) {}
		a.Rules = []oddRule{{Name: "T"}}
		a.Rules[0].Awaited = func(_, _, _ spec.ID, _ int) bool { return false }
		a.Rules[0].Silent = func(int, spec.ID, spec.Set) spec.Set { return 0 }
		a.Measure = func(s int) int { return s }
		a.Stable = func(s int) int { return 0 }
	})
}

// TestAskedFunctions: functions that are functions pass, in all engines.
func TestAskedFunctions(t *testing.T) {
	for want, plant := range functions {
		a := climber()
		props := append(plant(a, func(any) bool { return false }), properties.Invariant("fine", "", func(*model.World) error { return nil }))
		for _, o := range everyWay {
			o.Continue = true
			if _, err := properties.Verify(t.Context(), a, model.Config{N: 2, Network: model.Bag, Crashes: 1, Recoveries: 1, Bound: 9}, props, o); err != nil {
				t.Errorf("%s, %+v: %v", want, o, err)
			}
		}
	}
}
