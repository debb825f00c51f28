package properties_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"interleave/explore"
	"interleave/internal/rapidtest"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// small is what a process of a drawn algorithm remembers.
type small struct{ A, B, Sent uint8 }

// reaction is what such a process does: it changes what it remembers, and perhaps sends something.
type reaction struct{ a, b, to, message uint8 }

// drawnAlgorithm draws an algorithm whose processes start, act, may act, and receive, each in some way that depends on A.
func drawnAlgorithm(t *rapid.T) *spec.Algorithm[small, uint8] {
	table := map[[3]int]reaction{}
	for kind := range 5 {
		for a := range 3 {
			for p := range 2 {
				table[[3]int{kind, a, p}] = reaction{
					uint8(rapid.IntRange(0, 2).Draw(t, "a")), uint8(rapid.IntRange(0, 2).Draw(t, "b")),
					uint8(rapid.IntRange(0, 4).Draw(t, "to")), uint8(rapid.IntRange(0, 1).Draw(t, "message")),
				}
			}
		}
	}
	react := func(kind int, s *small, p *spec.Proc[uint8]) {
		r := table[[3]int{kind, int(s.A), int(p.ID) % 2}]
		s.A, s.B = r.a, r.b
		if r.to > 0 && s.Sent < 2 {
			s.Sent++
			p.Send(spec.ID((int(r.to)-1)%p.All().Len()+1), r.message)
		}
	}
	waits := uint8(rapid.IntRange(0, 3).Draw(t, "waits"))
	a := &spec.Algorithm[small, uint8]{
		Name: "test/drawn", Doc: "is drawn", Source: "this test",
		Start:   func(s *small, p *spec.Proc[uint8]) { react(0, s, p) },
		Receive: func(s *small, p *spec.Proc[uint8], _ spec.ID, m uint8) { react(1+int(m), s, p) },
		Idle:    func(s small) bool { return s.A != waits },
	}
	if rapid.Bool().Draw(t, "acts") {
		a.Actions = append(a.Actions, spec.Action[small, uint8]{Name: "ask", Times: 1, Do: func(s *small, p *spec.Proc[uint8]) { react(3, s, p) }})
	}
	if rapid.Bool().Draw(t, "must") {
		a.Actions = append(a.Actions, spec.Action[small, uint8]{Name: "must", Times: 1, Fair: true, Do: func(s *small, p *spec.Proc[uint8]) {
			s.A = uint8(p.Choose(2)) // in one of two ways
			react(4, s, p)
		}})
	}
	return a
}

// condition is true in a state if each of its parts is; the later ones are not looked at if an earlier one is false.
type condition []part

type part struct {
	what  string
	p     spec.ID
	value uint8
	is    bool
}

func drawnCondition(t *rapid.T, n int, whats []string) (c condition) {
	for range rapid.IntRange(1, 3).Draw(t, "parts") {
		c = append(c, part{
			rapid.SampledFrom(whats).Draw(t, "what"), spec.ID(rapid.IntRange(1, n).Draw(t, "p")),
			uint8(rapid.IntRange(0, 2).Draw(t, "value")), rapid.IntRange(0, 3).Draw(t, "is") > 0,
		})
	}
	return c
}

func (c condition) met(w spec.World) bool {
	for _, p := range c {
		if p.met(w) != p.is {
			return false
		}
	}
	return true
}

func (p part) met(w spec.World) bool {
	switch p.what {
	case "idle":
		return w.Idle(p.p)
	case "started":
		return w.Started(p.p)
	case "live":
		return w.Live().Has(p.p)
	case "sent":
		for range w.InFlight() {
			return true
		}
		return false
	case "quiescent":
		return w.Quiescent()
	}
	switch s := w.State(p.p).(type) {
	case small:
		return p.what == "A" && s.A == p.value || p.what == "B" && s.B == p.value
	case uint8: // what a view makes of it
		return s == p.value
	case [2]uint8:
		return s == [2]uint8{p.value, p.value}
	}
	return false // it is down
}

// views are what a property may see of a local state.
var views = map[string]func(p spec.Property) spec.Property{
	"all": func(p spec.Property) spec.Property { return p },
	"A":   func(p spec.Property) spec.Property { return spec.Seeing(p, func(s small) uint8 { return s.A }) },
	"B":   func(p spec.Property) spec.Property { return spec.Seeing(p, func(s small) uint8 { return s.B }) },
	"both": func(p spec.Property) spec.Property {
		return spec.Seeing(p, func(s small) [2]uint8 { return [2]uint8{s.A, s.B} })
	},
	"none": func(p spec.Property) spec.Property { return spec.Seeing(p, func(small) uint8 { return 0 }) },
}

var viewNames = []string{"all", "all", "A", "A", "B", "both", "none"}

// looking are what properties may look at, most of all at local states.
var looking = []string{"A", "A", "B", "A", "B", "A", "idle", "started", "live", "A", "B", "sent", "A", "B", "quiescent"}

// drawnOwn draws a property of any form.
func drawnOwn(t *rapid.T, name string, n int) spec.Property {
	c, d := drawnCondition(t, n, looking), drawnCondition(t, n, looking)
	not := func(w spec.World) error {
		if c.met(w) {
			return errors.New("it is so")
		}
		return nil
	}
	yes := func(c condition) func(w spec.World) error {
		return func(w spec.World) error {
			if c.met(w) {
				return nil
			}
			return errors.New("it is not so")
		}
	}
	var p spec.Property
	switch rapid.SampledFrom([]string{"invariant", "invariant", "invariant", "quiescent", "cover", "cover", "step", "runs"}).Draw(t, "form") {
	case "invariant":
		p = spec.Invariant(name, "it is never so", not)
	case "quiescent":
		p = spec.Quiescent(name, "it is not so in the end", not)
	case "cover":
		p = spec.Cover(name, "it may be so", func(w spec.World) bool { return c.met(w) })
	case "step":
		p = spec.EveryStep(name, "no step leads from one to the other", func(before, after spec.World) error {
			if c.met(before) && d.met(after) {
				return errors.New("it does")
			}
			return nil
		})
	case "runs":
		formula := rapid.SampledFrom([]string{"<>p", "[]p", "<>[]p", "[]<>p", "p ~> q", "<>[](p -> q)", "p U q"}).Draw(t, "formula")
		p = spec.Temporal(name, "it is so of every run", formula, map[string]func(w spec.World) error{"p": yes(c), "q": yes(d)})
	}
	return views[rapid.SampledFrom(viewNames).Draw(t, "view")](p)
}

// TestReducedOwnAgrees compares reduced searches with full ones for properties of one's own, alone and together, of drawn
// algorithms.
func TestReducedOwnAgrees(t *testing.T) {
	testsize.Alone(t)
	type outcome struct {
		kind    properties.Kind
		verdict properties.Verdict
	}
	smaller := map[outcome]int{}
	missing := func() error {
		for _, o := range []outcome{
			{properties.InvariantKind, properties.Verified}, {properties.InvariantKind, properties.Violated},
			{properties.CoverKind, properties.Verified}, {properties.CoverKind, properties.Violated},
			{properties.QuiescentKind, properties.Verified}, {properties.QuiescentKind, properties.Violated},
			{properties.LivenessKind, properties.Verified}, {properties.LivenessKind, properties.Violated},
		} {
			if smaller[o] == 0 {
				return fmt.Errorf("%v: nothing was ever left out: not a test", o)
			}
		}
		return nil
	}
	rapidtest.Until(t, missing, func(t *rapid.T) {
		a := drawnAlgorithm(t)
		c := model.Config{N: rapid.SampledFrom([]int{2, 2, 2, 2, 2, 3}).Draw(t, "n"), Crashes: rapid.SampledFrom([]int{0, 0, 1}).Draw(t, "crashes")}
		var props []properties.Property
		for i := range rapid.SampledFrom([]int{1, 1, 2}).Draw(t, "properties") {
			props = append(props, properties.Of(drawnOwn(t, fmt.Sprint("p", i), c.N)))
		}
		var reports [2]*properties.Report
		for i, reduce := range []bool{false, true} {
			r, err := properties.Verify(t.Context(), a, c, props, properties.Options{Reduce: reduce, Continue: true, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			reports[i] = r
		}
		full, less := reports[0], reports[1]
		for i, f := range full.Findings {
			if g := less.Findings[i]; f.Verdict != g.Verdict {
				t.Fatalf("%s is %v, and %v reduced (%s)", f.Name, f.Verdict, g.Verdict, less.Stats.Reduction)
			}
			if less.Stats.States < full.Stats.States {
				smaller[outcome{f.Kind, f.Verdict}]++
			}
		}
	})
}

// TestReducedOwnSees: each process begins, and a search that did not see one way in which a property looks at that would let 1
// begin first.
func TestReducedOwnSees(t *testing.T) {
	m := &spec.Algorithm[small, bool]{
		Name: "test/begins", Doc: "begins", Source: "this test",
		Start:   func(s *small, _ *spec.Proc[bool]) { s.A = 1 },
		Receive: func(*small, *spec.Proc[bool], spec.ID, bool) {},
		Idle:    func(s small) bool { return s.A == 0 },
	}
	whole := func(w spec.World, p spec.ID) bool { return w.State(p).(small).A == 1 }
	viewed := func(w spec.World, p spec.ID) bool { return w.State(p) == uint8(1) }
	idle := func(w spec.World, p spec.ID) bool { return w.State(p) != nil && !w.Idle(p) }
	started := func(w spec.World, p spec.ID) bool { return w.State(p) != nil && w.Started(p) }
	inTurn := func(begun func(w spec.World, p spec.ID) bool) spec.Property {
		return spec.Invariant("in-turn", "2 does not begin before 1", func(w spec.World) error {
			if begun(w, 2) && !begun(w, 1) {
				return errors.New("it does")
			}
			return nil
		})
	}
	before := spec.Cover("before", "2 may begin before 1", func(w spec.World) bool { return viewed(w, 2) && !viewed(w, 1) })
	other := spec.Invariant("other", "nobody sends", func(w spec.World) error {
		if w.State(1) == uint8(1) || w.State(2) == uint8(1) {
			return errors.New("one does")
		}
		return nil
	})
	for name, props := range map[string][]spec.Property{
		"whole":     {inTurn(whole)},
		"A":         {views["A"](inTurn(viewed))},
		"both":      {spec.Seeing(views["A"](inTurn(viewed)), func(s small) small { return s })},
		"idle":      {views["none"](inTurn(idle))},
		"started":   {views["none"](inTurn(started))},
		"cover":     {views["A"](before)},
		"two views": {views["A"](inTurn(viewed)), spec.Seeing(other, func(s small) uint8 { return s.Sent })},
	} {
		var own []properties.Property
		for _, p := range props {
			own = append(own, properties.Of(p))
		}
		r, err := properties.Verify(t.Context(), m, model.Config{N: 2}, own, properties.Options{Reduce: true, Continue: true})
		if err != nil {
			t.Fatal(err)
		}
		f := r.Findings[0]
		if found := (f.Verdict == properties.Violated) != (f.Kind == properties.CoverKind); !found || r.Stats.Reduction != properties.Reduced {
			t.Errorf("%s: %v (%s)", name, f.Verdict, r.Stats.Reduction)
		}
	}
}

// ticker counts to 3, by messages to itself, and then is done.
type ticker struct {
	Count uint8
	Done  bool
}

var ticking = &spec.Algorithm[ticker, bool]{
	Name: "test/ticking", Doc: "counts", Source: "this test",
	Start: func(_ *ticker, p *spec.Proc[bool]) { p.Send(p.ID, true) },
	Receive: func(s *ticker, p *spec.Proc[bool], _ spec.ID, _ bool) {
		if s.Count < 3 {
			s.Count++
			p.Send(p.ID, true)
		} else {
			s.Done = true
		}
	},
}

// TestReducedView: the less a property sees, the fewer states are left. A view that panics, or that makes what cannot be
// compared, hides nothing.
func TestReducedView(t *testing.T) {
	flying := func(w spec.World, p spec.ID) bool {
		for range w.InFlight() {
		}
		return w.State(p).(ticker).Done
	}
	whole := func(w spec.World, p spec.ID) bool { return w.State(p).(ticker).Done }
	states, done := map[string]int{}, map[bool]chan bool{true: make(chan bool)}
	for name, row := range map[string]struct {
		done func(w spec.World, p spec.ID) bool
		view func(s ticker) any // nil: all
	}{
		"flying": {flying, nil},
		"whole":  {whole, nil},
		"done":   {func(w spec.World, p spec.ID) bool { return w.State(p).(bool) }, func(s ticker) any { return s.Done }},
		"slice":  {func(w spec.World, p spec.ID) bool { return w.State(p).([]bool)[0] }, func(s ticker) any { return []bool{s.Done} }},
		"chan":   {func(w spec.World, p spec.ID) bool { return w.State(p).([]chan bool)[0] != nil }, func(s ticker) any { return []chan bool{done[s.Done]} }},
	} {
		inTurn := spec.Invariant("in-turn", "1 is not done before 2", func(w spec.World) error {
			if row.done(w, 1) && !row.done(w, 2) {
				return errors.New("it is")
			}
			return nil
		})
		noGhost := spec.Invariant("no-ghost", "nobody is done, and down", func(w spec.World) error {
			for p := range spec.UpTo(3).All() {
				if row.done(w, p) && !w.Live().Has(p) {
					return errors.New("one is")
				}
			}
			return nil
		})
		for p, want := range map[*spec.Property]properties.Verdict{&inTurn: properties.Violated, &noGhost: properties.Verified} {
			if row.view != nil {
				*p = spec.Seeing(*p, row.view)
			}
			r, err := properties.Verify(t.Context(), ticking, model.Config{N: 3}, []properties.Property{properties.Of(*p)}, properties.Options{Reduce: true})
			if err != nil {
				t.Fatal(err)
			}
			if f := r.Findings[0]; f.Verdict != want {
				t.Errorf("%s of what is seen of %s: %v (%s)", f.Name, name, f.Verdict, r.Stats.Reduction)
			}
			if want == properties.Verified {
				states[name] = r.Stats.States
			}
		}
	}
	if done, whole, slice, channel, flying := states["done"], states["whole"], states["slice"], states["chan"], states["flying"]; done >= whole || whole >= flying || slice != done || channel < whole {
		t.Errorf("%v states", states)
	}
	panics := spec.Seeing(spec.Invariant("panics", "it panics", func(w spec.World) error {
		_ = w.State(1)
		return nil
	}), func(s ticker) int { return 1 / (2 - int(s.Count)) })
	r, err := properties.Verify(t.Context(), ticking, model.Config{N: 3}, []properties.Property{properties.Of(panics)}, properties.Options{Reduce: true})
	if err != nil || r.Verdict != properties.Violated {
		t.Errorf("%v, %v", r, err)
	}
}

// TestReducedLearns: a property that looks at more once something is kept is seen to do so.
func TestReducedLearns(t *testing.T) {
	p := spec.Invariant("order", "2 does not begin before 1", func(w spec.World) error {
		if w.Started(2) && !w.Started(1) && w.State(2).(ticker).Done {
			return errors.New("it does")
		}
		return nil
	})
	r, err := properties.Verify(t.Context(), ticking, model.Config{N: 2}, []properties.Property{properties.Of(p)}, properties.Options{Reduce: true, Continue: true})
	if err != nil || r.Findings[0].Verdict != properties.Violated || r.Stats.Reduction != properties.Reduced {
		t.Errorf("%v, %v", r, err)
	}
}

// TestReducedEarly: a search ends early if it hides something, and begins again.
func TestReducedEarly(t *testing.T) {
	p := spec.Seeing(spec.Invariant("none", "nobody counts before it starts", func(w spec.World) error {
		for p := range w.Live().All() {
			if w.State(p) != uint8(0) && !w.Started(p) {
				return errors.New("one does")
			}
		}
		return nil
	}), func(s ticker) uint8 { return s.Count })
	const most = 150_000
	last, again := 0, false
	r, err := properties.Verify(t.Context(), ticking, model.Config{N: 8}, []properties.Property{properties.Of(p)}, properties.Options{
		Engine: properties.Explicit, Reduce: true, MaxStates: most,
		Progress: func(s explore.Stats) {
			again = again || s.States < last && last < most
			last = s.States
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Findings[0]; f.Verdict != properties.Inconclusive || r.Stats.Outcome != explore.StateLimit.String() || !again {
		t.Errorf("%v after %d states, %s, begun again: %v", f.Verdict, r.Stats.States, r.Stats.Outcome, again)
	}
}
