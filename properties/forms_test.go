package properties_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// A log in two forms: as a list, and as an array with its length, as it had to be when states were compared with ==.

type entry struct{ Term, Value uint8 }

const longest = 8

type array struct {
	Length  int
	Entries [longest]entry
}

// logs is what an algorithm does with its log, in each form.
type logs[L any] struct {
	name   string
	append func(l L, e entry) L
	list   func(l L) []entry
}

var (
	asList  = logs[[]entry]{"list", func(l []entry, e entry) []entry { return append(l, e) }, func(l []entry) []entry { return l }}
	asArray = logs[array]{"array", func(l array, e entry) array {
		l.Entries[l.Length] = e
		l.Length++
		return l
	}, func(l array) []entry { return l.Entries[:l.Length] }}
)

type replica[L any] struct{ Log L }

// replicated has process 1 take so many requests, and send its whole log to the others, who take over longer ones. In a
// careless one they take over any.
func replicated[L any](form logs[L], requests int, careless bool) spec.Machine {
	type state = replica[L]
	broadcast := func(s *state, p *spec.Proc[L]) { p.Broadcast(p.Others(), s.Log) }
	return &spec.Algorithm[state, L]{
		Name: "log/" + form.name,
		Receive: func(s *state, p *spec.Proc[L], _ spec.ID, m L) {
			if careless || len(form.list(m)) > len(form.list(s.Log)) {
				s.Log = m
				p.Output(len(form.list(m)))
			}
		},
		Recover: func(s *state, p *spec.Proc[L]) {
			if p.ID == 1 {
				broadcast(s, p)
			}
		},
		Stable: func(s state) state { return s },
		Actions: []spec.Action[state, L]{{Name: "add", Times: requests, Request: spec.OneOf([]uint8{1, 2}, func(s *state, p *spec.Proc[L], value uint8) {
			if p.ID != 1 {
				p.Refuse()
				return
			}
			s.Log = form.append(s.Log, entry{uint8(len(form.list(s.Log)) + 1), value})
			broadcast(s, p)
		})}},
		Properties: []spec.Property{
			spec.Invariant("prefixes", "of two logs one begins the other", func(w spec.World) error {
				for p, a := range spec.States[state](w) {
					for q, b := range spec.States[state](w) {
						x, y := form.list(a.Log), form.list(b.Log)
						if n := min(len(x), len(y)); !slices.Equal(x[:n], y[:n]) {
							return fmt.Errorf("those of %v and %v are different", p, q)
						}
					}
				}
				return nil
			}),
			spec.Quiescent("equal", "in the end all logs are the same", func(w spec.World) error {
				for p, s := range spec.States[state](w) {
					if main, ok := w.State(1).(state); ok && !slices.Equal(form.list(main.Log), form.list(s.Log)) {
						return fmt.Errorf("that of %v is not", p)
					}
				}
				return nil
			}),
			spec.Monitored("longer", "no process is told of a shorter log than before", map[spec.ID]int{}, func(told map[spec.ID]int, s spec.Step) (map[spec.ID]int, error) {
				for _, length := range s.Outputs {
					if length.(int) < told[s.Process] {
						return nil, fmt.Errorf("process %v is told of %v after %d", s.Process, length, told[s.Process])
					}
					told[s.Process] = length.(int)
				}
				return told, nil
			}),
		},
	}
}

// TestForms: an algorithm whose log is a list has the states, steps and verdicts of the one whose log is an array, by
// every engine and with any number of workers.
func TestForms(t *testing.T) {
	ways := append(slices.Clone(everyWay), properties.Options{Workers: 1}, properties.Options{Workers: 8}, properties.Options{Memory: 1 << 20, Spill: t.TempDir()})
	for _, c := range []struct {
		world    model.Config
		careless bool
	}{
		{model.Config{N: 3, Network: model.FIFO}, false},
		{model.Config{N: 3, Network: model.Set, Crashes: 1, Recoveries: 1}, false},
		{model.Config{N: 2, Network: model.Bag}, true},
		{model.Config{N: 2, Network: model.Bag, Losses: 1, Duplicates: 1}, true},
	} {
		for _, monitored := range []bool{false, true} {
			for _, o := range ways {
				world := c.world
				if monitored {
					world.Monitors = []string{"longer"}
				}
				o.Continue = true
				told := func(m spec.Machine) string {
					var own []properties.Property
					for _, p := range m.Traits().Properties {
						if p.Form != spec.Watched || monitored {
							own = append(own, properties.Of(p))
						}
					}
					r, err := properties.Verify(t.Context(), m, world, own, o)
					if err != nil {
						return err.Error()
					}
					text := fmt.Sprint(r.Stats.States, " states, ", r.Stats.Transitions, " steps")
					for _, f := range r.Findings {
						text += fmt.Sprintf(", %s %v", f.Name, f.Verdict)
						if f.Trace != nil {
							text += fmt.Sprint(" after ", len(f.Trace.Steps))
						}
					}
					return text
				}
				list, array := told(replicated(asList, 2, c.careless)), told(replicated(asArray, 2, c.careless))
				if list != array {
					t.Errorf("%+v, %+v: as a list %s; as an array %s", world, o, list, array)
				}
				if strings.HasPrefix(list, "0 states") && !(monitored && o.Engine == properties.Symbolic) {
					t.Errorf("%+v, %+v: %s", world, o, list)
				}
			}
		}
	}
}

// BenchmarkForms checks a log of up to eight entries in both forms.
func BenchmarkForms(b *testing.B) {
	for _, m := range []spec.Machine{replicated(asArray, longest, false), replicated(asList, longest, false)} {
		b.Run(m.Traits().Name, func(b *testing.B) {
			for b.Loop() {
				p := m.Traits().Properties[0]
				r, err := properties.Verify(b.Context(), m, model.Config{N: 3, Network: model.FIFO}, []properties.Property{properties.Of(p)}, properties.Options{MaxStates: 400_000})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Stats.States), "states")
			}
		})
	}
}

// TestSpoilt: a property that changes what it is shown is an error, and no verdict.
func TestSpoilt(t *testing.T) {
	m := replicated(asList, 2, false)
	sorts := spec.Invariant("sorts", "nothing", func(w spec.World) error {
		for _, s := range spec.States[replica[[]entry]](w) {
			for i := range s.Log {
				s.Log[i].Term = 7
			}
		}
		return nil
	})
	for _, o := range []properties.Options{{}, {Continue: true}, {Workers: 1}} {
		r, err := properties.Verify(t.Context(), m, model.Config{N: 2, Network: model.FIFO}, []properties.Property{properties.Of(sorts)}, o)
		if want := "a property of log/list changes a state that it is shown, where Log[0] is {7 1}, and was {1 1}: let it look only"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, %v", o, r, err)
		}
	}
}

// TestAppending: a property that appends to lists that it is shown appends to each for itself.
func TestAppending(t *testing.T) {
	m := replicated(asList, 2, false)
	same := spec.EveryStep("same", "the list of 1, if a step of another leaves it, is the same when longer by 7 before and by 8 after", func(before, after spec.World) error {
		b, ok := before.State(1).(replica[[]entry])
		a, up := after.State(1).(replica[[]entry])
		if !ok || !up || len(b.Log) == 0 || !slices.Equal(b.Log, a.Log) {
			return nil
		}
		if x, y := append(b.Log, entry{7, 7}), append(a.Log, entry{8, 8}); !slices.Equal(x, y) {
			return fmt.Errorf("%v and %v", x, y)
		}
		return nil
	})
	for _, o := range everyWay {
		r, err := properties.Verify(t.Context(), m, model.Config{N: 2, Network: model.FIFO}, []properties.Property{properties.Of(same)}, o)
		if err != nil || r.Verdict != properties.Violated {
			t.Errorf("%+v: %v, %v", o, r, err)
		}
	}
}
