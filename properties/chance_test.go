package properties_test

import (
	"errors"
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/itairodeh"
)

// coin is what a process that flips coins remembers.
type coin struct {
	Shows int
	Done  bool
}

type flipper = spec.Algorithm[coin, int]

// flips is an algorithm that begins with a flip, and where a message is answered by a handler.
func flips(name string, receive func(s *coin, p *spec.Proc[int], from spec.ID, shown int)) *flipper {
	return &flipper{
		Name: "test/" + name, Doc: "flips coins", Source: "this test",
		Start:   func(s *coin, p *spec.Proc[int]) { flip(s, p, p.ID) },
		Receive: receive,
	}
}

// flip tells a process what a coin shows.
func flip(s *coin, p *spec.Proc[int], to spec.ID) {
	s.Shows = p.Choose(2)
	p.Send(to, s.Shows)
}

// different is for two processes that flip coins until these show different sides.
func different() *flipper {
	other := func(p *spec.Proc[int]) spec.ID { return 3 - p.ID }
	a := flips("different", func(s *coin, p *spec.Proc[int], _ spec.ID, shown int) {
		if s.Done = shown != s.Shows; !s.Done {
			flip(s, p, other(p))
		}
	})
	a.Start = func(s *coin, p *spec.Proc[int]) { flip(s, p, other(p)) }
	return a
}

// untilHeads is for processes that flip a coin each until it shows heads.
var untilHeads = flips("until-heads", func(s *coin, p *spec.Proc[int], _ spec.ID, shown int) {
	if s.Done = shown == 1; !s.Done {
		flip(s, p, p.ID)
	}
})

// doneByAll is true of runs in which each process is done sooner or later.
var doneByAll = properties.Of(spec.Temporal("done", "all are done in the end", "<>done", map[string]func(w spec.World) error{
	"done": func(w spec.World) error {
		for _, s := range spec.States[coin](w) {
			if !s.Done {
				return errors.New("one is not")
			}
		}
		return nil
	},
}))

// TestOnlyLuck: a violation is noted as one that only choices keep going where that is so, and only if all
// of the world was seen.
func TestOnlyLuck(t *testing.T) {
	counted := *untilHeads
	counted.Measure = func(s coin) int { return s.Shows }
	forever := flips("forever", func(s *coin, p *spec.Proc[int], _ spec.ID, _ int) { flip(s, p, p.ID) })
	trap := flips("trap", func(s *coin, p *spec.Proc[int], _ spec.ID, shown int) {
		switch shown {
		case 0:
			flip(s, p, p.ID)
		case 1, 2:
			p.Send(p.ID, 2)
		}
	})
	end := flips("end", func(s *coin, p *spec.Proc[int], _ spec.ID, shown int) {
		if shown == 0 {
			flip(s, p, p.ID)
		}
	})
	fall := flips("fall", func(s *coin, p *spec.Proc[int], _ spec.ID, shown int) {
		if flip(s, p, p.ID); s.Shows != shown {
			panic("it fell off the table")
		}
	})
	one, two := model.Config{N: 1}, model.Config{N: 2}
	bounded, failing := one, two
	bounded.Bound = 3
	failing.Crashes = 1
	for _, row := range []struct {
		name     string
		a        spec.Machine
		c        model.Config
		o        properties.Options
		p        properties.Property
		onlyLuck bool
	}{
		{"flip until heads", untilHeads, one, properties.Options{}, doneByAll, true},
		{"and then it ends", untilHeads, one, properties.Options{}, properties.Termination, true},
		{"two of them", untilHeads, two, properties.Options{}, doneByAll, true},
		{"whatever the coin shows", forever, one, properties.Options{}, doneByAll, false},
		{"another loop", trap, one, properties.Options{}, doneByAll, false},
		{"another loop, and it does not end", trap, one, properties.Options{}, properties.Termination, false},
		{"another end", end, one, properties.Options{}, doneByAll, false},
		{"but it ends", end, one, properties.Options{}, properties.Termination, true},
		{"two different ones", different(), two, properties.Options{}, properties.Termination, true},
		{"one does not send any more", different(), failing, properties.Options{}, doneByAll, false},
		{"itai and rodeh", itairodeh.Finite, two, properties.Options{}, properties.Termination, true},

		{"a limit", untilHeads, two, properties.Options{MaxStates: 12}, doneByAll, false},
		{"a limit on depth", untilHeads, two, properties.Options{MaxDepth: 3}, doneByAll, false},
		{"a bound", &counted, bounded, properties.Options{}, doneByAll, false},
		{"no bound", &counted, one, properties.Options{}, doneByAll, true},
		{"a panic", fall, one, properties.Options{Continue: true}, properties.Termination, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			steps := -1
			for _, direct := range []bool{false, true} {
				for _, workers := range []int{1, 2} {
					row.o.Direct, row.o.Workers = direct, workers
					f := verify(t, row.a, row.c, []properties.Property{row.p}, row.o).Findings[0]
					if f.Verdict != properties.Violated || f.Trace == nil || f.OnlyLuck != row.onlyLuck {
						t.Errorf("direct %v, %d workers: %v (%s), only luck: %v", direct, workers, f.Verdict, f.Why, f.OnlyLuck)
					}
					if steps < 0 {
						steps = f.Depth
					}
					if f.Depth != steps {
						t.Errorf("direct %v, %d workers: %d steps, else %d", direct, workers, f.Depth, steps)
					}
				}
			}
		})
	}
}

// TestOnlyLuckReduced: a reduction changes nothing.
func TestOnlyLuckReduced(t *testing.T) {
	for _, o := range []properties.Options{{}, {Reduce: true}, {Engine: properties.Auto}} {
		r := verify(t, itairodeh.Finite, model.Config{N: 2}, []properties.Property{properties.Termination}, o)
		if f := r.Findings[0]; f.Verdict != properties.Violated || !f.OnlyLuck || r.Stats.Outcome != explore.Exhausted.String() {
			t.Errorf("%v: %v, only luck: %v, %s", o.Engine, f.Verdict, f.OnlyLuck, r.Stats.Outcome)
		}
	}
}

// TestOnlyLuckEarly: a violation that is found early, and that perhaps only luck keeps going, is kept, but the search
// goes on: the whole world tells.
func TestOnlyLuckEarly(t *testing.T) {
	counting := *untilHeads // goes on for a while once it is done
	counting.Receive = func(s *coin, p *spec.Proc[int], from spec.ID, shown int) {
		switch {
		case shown == 0:
			flip(s, p, p.ID)
		case shown < 45:
			s.Done = true
			p.Send(p.ID, shown+1)
		}
	}
	for _, row := range []struct {
		o        properties.Options
		outcome  explore.Outcome
		onlyLuck bool
	}{
		{properties.Options{}, explore.Exhausted, true},
		{properties.Options{MaxStates: 90_000}, explore.StateLimit, false},
		{properties.Options{Memory: 4 << 20}, explore.MemoryLimit, false},
		{properties.Options{Memory: 21 << 18}, explore.Exhausted, false}, // without room for a look at runs
	} {
		r := verify(t, &counting, model.Config{N: 3}, []properties.Property{doneByAll}, row.o)
		if f := r.Findings[0]; f.Verdict != properties.Violated || f.OnlyLuck != row.onlyLuck || r.Stats.Outcome != row.outcome.String() {
			t.Errorf("%d states: %v, only luck: %v, %s", r.Stats.States, f.Verdict, f.OnlyLuck, r.Stats.Outcome)
		}
	}
}

// TestOnlyLuckRings: with all placements, it is noted only if it is so on each.
func TestOnlyLuckRings(t *testing.T) {
	ringed := *untilHeads
	ringed.Ring = true
	crooked := func(next spec.ID) *flipper { // 2 sees tails whatever its coin shows, if it is before next
		a := ringed
		a.Receive = func(s *coin, p *spec.Proc[int], from spec.ID, shown int) {
			if p.ID == 2 && p.Next() == next {
				shown = 0
			}
			untilHeads.Receive(s, p, from, shown)
		}
		return &a
	}
	for _, row := range []struct {
		a        *flipper
		o        properties.Options
		next     spec.ID // of 2, where it is shown; 0: anywhere
		onlyLuck bool
	}{
		{&ringed, properties.Options{Continue: true}, 0, true},
		{&ringed, properties.Options{}, 0, false}, // it stops at the first
		{crooked(1), properties.Options{Continue: true}, 1, false},
		{crooked(3), properties.Options{Continue: true}, 3, false},
	} {
		row.o.AllRings = true
		r := verify(t, row.a, model.Config{N: 3}, []properties.Property{doneByAll}, row.o)
		f := r.Findings[0]
		next := spec.NextOnRing(f.Trace.Config.Ring, 2, spec.UpTo(3))
		if f.Verdict != properties.Violated || f.OnlyLuck != row.onlyLuck || row.next != 0 && next != row.next {
			t.Errorf("of %d placements, %v: only luck: %v, 2 before %d", len(r.Rings), f.Verdict, f.OnlyLuck, next)
		}
	}
}
