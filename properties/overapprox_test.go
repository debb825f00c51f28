package properties_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"interleave/explore"
	"interleave/explore/dd"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
	"interleave/spec/changroberts"
	"interleave/spec/fastbully"
)

func diagramOf(t *testing.T, words string) properties.Diagram {
	t.Helper()
	d, err := properties.ParseDiagram(words)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// unique looks at what an over-approximation does not tell.
var unique = properties.Invariant("unique", "no two equal messages are under way to one process", func(w *model.World) error {
	for p := range w.Live().All() {
		seen := map[model.Envelope]bool{}
		for _, e := range w.Inbox(p) {
			if seen[e] {
				return errors.New("one is there twice")
			}
			seen[e] = true
		}
	}
	return nil
})

// TestOverapproxAgrees: what an over-approximation decides is so, in small worlds of every
// algorithm; the rest it leaves open, but for what is near.
func TestOverapproxAgrees(t *testing.T) {
	t.Cleanup(properties.SetQuickStates(20, 1000))
	limit, stride, rungs := testsize.Of(100, 250, 1500), testsize.Of(3, 2, 1), testsize.Of(4, 3, 2)
	for i := 0; i < len(catalog.Machines); i += stride {
		m := catalog.Machines[i]
		t.Run(m.Traits().Name, func(t *testing.T) {
			t.Parallel()
			decided, open := 0, 0
			ladder := properties.Ladder(m)
			for k := 0; k < len(ladder); k += rungs {
				c := ladder[k]
				c.Bound = min(c.Bound, 1)
				if k/rungs%2 == 1 {
					c.Fairness.Strong = []string{"all"}
				}
				if c.HasTables() && exhausts(t, m, c, limit) {
					overapproxAgrees(t, m, c, &decided, &open)
				}
			}
			t.Logf("%d decided, %d open", decided, open)
			if m.Traits().Name == bully.Mended.Traits().Name && (decided < 100/rungs || open == 0) {
				t.Error("nothing was compared")
			}
		})
	}
}

func overapproxAgrees(t *testing.T, m spec.Machine, c model.Config, decided, open *int) {
	t.Helper()
	props, _ := election.Standard(m, c)
	props = append(props, election.LeaderEventually, election.StableLeader, election.TakeoverByTop, deepStep, unique, restless, rests, supposing, properties.MessagesBounded)
	props = suiting(m, props...)
	explicit := verify(t, m, c, props, properties.Options{Continue: true})
	over := verify(t, m, c, props, properties.Options{Continue: true, Engine: properties.Symbolic, Diagram: diagramOf(t, "overapprox")})
	if s := over.Stats; s.Complete != (s.States > 0) || s.States > 0 && s.States != explicit.Stats.States {
		t.Errorf("%+v: complete: %v, %d states, not %d", c, s.Complete, s.States, explicit.Stats.States)
	}
	for i, f := range over.Findings {
		if f.Verdict == properties.Inconclusive {
			*open++
			continue
		}
		*decided++
		if want := explicit.Findings[i]; f.Verdict != want.Verdict || f.Trace != nil && f.Depth != want.Depth {
			t.Errorf("%+v: %s is %v after %d (%s), explicitly %v after %d (%s)", c, f.Name, f.Verdict, f.Depth, f.Why, want.Verdict, want.Depth, want.Why)
		}
	}
}

// TestOverapproxAlone: queues that no diagram of a few nodes holds are decided by an
// over-approximation, and its states are not taken for theirs. It is not asked where a form is forced.
func TestOverapproxAlone(t *testing.T) {
	defer properties.SetFirstNodes(4000)()
	defer properties.SetQuickStates(1000, 2000)()
	c := model.Config{N: 4, Crashes: 1}
	for engine, want := range map[properties.Engine]string{
		properties.Symbolic: "exact exact exact exact over over ", // in two rounds
		properties.Auto:     "exact exact exact exact over ",      // in a preview
	} {
		r := verify(t, bully.Mended, c, nil, properties.Options{Engine: engine, Continue: true})
		if s := r.Stats; r.Verdict != properties.Verified || s.States != 0 || s.Complete || s.Overapprox != 391_407 || s.Outcome != explore.Exhausted.String() {
			t.Errorf("%v: %v (%s), %d states, %d of an over-approximation, %s", engine, r.Verdict, r.Why, s.States, s.Overapprox, s.Outcome)
		}
		ways := ""
		for _, a := range r.Stats.Attempts {
			ways += map[bool]string{false: "exact ", true: "over "}[a.Overapprox]
		}
		if ways != want {
			t.Errorf("%v: tried %s", engine, ways)
		}
		for _, f := range r.Findings {
			if f.Name == "leader-is-top" && (f.Verdict != properties.Violated || f.Depth != 3 || f.Trace == nil) {
				t.Errorf("%v: leader-is-top is %v after %d steps: %s", engine, f.Verdict, f.Depth, f.Why)
			}
		}
	}
	if !testsize.All() {
		return // a diagram of twelve million states
	}
	r := verify(t, bully.Mended, c, []properties.Property{election.WinnerIsTop}, properties.Options{Engine: properties.Symbolic, Diagram: diagramOf(t, "exact")})
	if s := r.Stats; r.Verdict != properties.Verified || s.States != 12_281_294 || s.Overapprox != 0 {
		t.Errorf("%v, %d states, %d of an over-approximation", r.Verdict, s.States, s.Overapprox)
	}
}

// TestAutoCrowded: where the states outgrow the memory, diagrams may not.
func TestAutoCrowded(t *testing.T) {
	r := verify(t, bully.Mended, model.Config{N: 4, Crashes: 1}, nil, properties.Options{Engine: properties.Auto, Memory: 4 << 20, Continue: true})
	if s := r.Stats; r.Verdict != properties.Verified || !strings.Contains(s.Because, "ran out of memory at") || s.Overapprox == 0 {
		t.Errorf("%v (%s) by the %s engine, as %s", r.Verdict, r.Why, s.Engine, s.Because)
	}
}

// TestOverapproxCycles: where a message may arrive again and again there are infinite runs
// that the world has not. Fairness, and that what is taken is sent, tell them from others.
func TestOverapproxCycles(t *testing.T) {
	defer properties.SetQuickStates(1, 1)()
	echo := func(forever bool) spec.Machine {
		return &spec.Algorithm[int, int]{
			Name:  fmt.Sprintf("x/echo-%t", forever),
			Ring:  true,
			Start: func(_ *int, p *spec.Proc[int]) { p.Send(p.Next(), 3) },
			Receive: func(turn *int, p *spec.Proc[int], from spec.ID, m int) {
				if *turn = 1 + *turn%2; m > 0 {
					p.Send(from, m-1)
				} else if forever {
					p.Send(from, 3)
				}
			},
			Election: &spec.Election[int, int]{Leader: func(turn int) spec.ID { return spec.ID(turn) }},
		}
	}
	pairs := &spec.Algorithm[bool, int]{ // a queue keeps those in order who would panic
		Name:  "x/pairs",
		Start: func(_ *bool, p *spec.Proc[int]) { p.Broadcast(p.Below(), 0) },
		Receive: func(met *bool, p *spec.Proc[int], from spec.ID, m int) {
			if m > 0 && *met == (m == 1) {
				panic("out of turn")
			}
			switch *met = m == 1; m {
			case 0:
				p.Send(from, 1)
				p.Send(from, 2)
			case 2:
				p.Send(from, 0)
			}
		},
		Election: &spec.Election[bool, int]{Leader: func(bool) spec.ID { return spec.None }},
	}
	for _, c := range []struct {
		machine spec.Machine
		config  model.Config
		p       properties.Property
		want    properties.Verdict
	}{
		{pairs, model.Config{N: 2}, properties.Termination, properties.Inconclusive},
		{fastbully.Mended, model.Config{N: 3, Crashes: 1}, properties.Termination, properties.Verified},
		{fastbully.Mended, model.Config{N: 3, Crashes: 1, Fairness: model.Fairness{Unfair: []string{"receive"}}}, properties.Termination, properties.Inconclusive},
		{echo(false), model.Config{N: 2, Network: model.Bag}, properties.Termination, properties.Verified},
		{echo(true), model.Config{N: 2, Network: model.Bag}, properties.Termination, properties.Inconclusive},
		{echo(true), model.Config{N: 2, Network: model.Bag}, election.LeaderEventually, properties.Verified},
		{echo(true), model.Config{N: 2, Network: model.Bag}, election.StableLeader, properties.Inconclusive},
	} {
		r := verify(t, c.machine, c.config, []properties.Property{c.p}, properties.Options{Engine: properties.Symbolic, Diagram: diagramOf(t, "overapprox")})
		if r.Findings[0].Verdict != c.want || r.Stats.Overapprox == 0 {
			t.Errorf("%s, %+v: %v %+v", c.machine.Traits().Name, c.config, r.Verdict, r.Findings)
		}
	}
}

// TestOverapproxImpatient ends the search of an over-approximation at every moment when it may: what
// is false of the world is never found to hold, and safety is decided before liveness.
// In a hurry it leaves out more and more moments, the earlier they are.
func TestOverapproxImpatient(t *testing.T) {
	testsize.Alone(t)
	defer properties.SetQuickStates(1, 1)()
	props := []properties.Property{properties.Termination, election.StableLeader, election.WinnerIsTop}
	o := properties.Options{Engine: properties.Symbolic, Diagram: diagramOf(t, "overapprox,receiver,saturate,reversed"), Continue: true}
	until := func(n int) (r *properties.Report, asked int) {
		r, err := properties.Verify(impatient{t.Context(), &asked, n}, changroberts.Naive, model.Config{N: 3, Crashes: 1}, props, o)
		if err != nil {
			t.Fatal(err)
		}
		return r, asked
	}
	_, looks := until(math.MaxInt)
	cut, safe, least := 0, 0, looks/2
	if !testsize.All() {
		least = 30
	}
	for n, step := looks, 1; n > 0; n -= step {
		r, _ := until(n)
		for _, f := range r.Findings[:2] {
			if f.Verdict != properties.Inconclusive && f.Verdict != properties.Violated {
				t.Errorf("%s is %v after %d looks", f.Name, f.Verdict, n)
			}
		}
		if strings.Contains(r.Findings[0].Why, "did not finish") {
			cut++
			if r.Findings[2].Verdict == properties.Verified {
				safe++
			}
		}
		if !testsize.All() {
			step++
		}
	}
	if cut < least || safe == 0 {
		t.Errorf("of %d looks it was cut short at %d, at %d of them after winner-is-top was decided", looks, cut, safe)
	}
}

// TestOverapproxLeavesOpen: what an over-approximation does not decide is left to diagrams of the
// world itself; what it decides stays so where those come to nothing.
func TestOverapproxLeavesOpen(t *testing.T) {
	testsize.Alone(t)
	defer properties.SetFirstNodes(20_000)()
	defer properties.SetQuickStates(10, 10)()
	c, props := model.Config{N: 4}, []properties.Property{election.WinnerIsTop, rests}
	r := verify(t, bully.Mended, c, props, properties.Options{Engine: properties.Symbolic})
	if s := r.Stats; r.Verdict != properties.Verified || s.Overapprox != 0 || s.States == 0 {
		t.Errorf("%v (%s), %d states, %d of an over-approximation", r.Verdict, r.Why, s.States, s.Overapprox)
	}
	tried := 0
	for _, a := range r.Stats.Attempts {
		if a.Overapprox && a.Outcome == "done" {
			tried++
		}
	}
	if tried != 1 {
		t.Errorf("an over-approximation was found %d times", tried)
	}
	r = verify(t, bully.Mended, c, props, properties.Options{Engine: properties.Symbolic, Diagram: diagramOf(t, "overapprox")})
	if done := r.Stats.Attempts; len(done) != 1 || r.Findings[0].Verdict != properties.Verified || r.Verdict != properties.Inconclusive {
		t.Errorf("%v after %+v", r.Verdict, done)
	}
	properties.SetQuickStates(1_000_000, 10)
	r = verify(t, bully.Mended, model.Config{N: 3}, props, properties.Options{Engine: properties.Symbolic, Diagram: diagramOf(t, "overapprox")})
	if s := r.Stats; r.Verdict != properties.Verified || s.Engine != properties.Explicit.String() || !strings.Contains(s.Because, rests.Name) || len(s.Attempts) == 0 {
		t.Errorf("%v by the %s engine, because %q, after %+v", r.Verdict, s.Engine, s.Because, s.Attempts)
	}
	properties.SetQuickStates(10, 10)
	ctx, cancel := context.WithCancel(t.Context())
	near := func(explore.Stats) { cancel() } // after the over-approximation was judged
	r, err := properties.Verify(ctx, bully.Mended, c, props, properties.Options{Engine: properties.Symbolic, Progress: near})
	if err != nil {
		t.Fatal(err)
	}
	if self, rest := r.Findings[0], r.Findings[1]; self.Verdict != properties.Verified || rest.Verdict != properties.Inconclusive || r.Verdict != properties.Inconclusive || !strings.Contains(rest.Why, "interrupted") {
		t.Errorf("%v, %v (%s)", self.Verdict, rest.Verdict, rest.Why)
	}
	if s := r.Stats; s.Overapprox == 0 || s.Outcome != explore.Interrupted.String() {
		t.Errorf("%d states of an over-approximation, %s", s.Overapprox, s.Outcome)
	}
}

// TestOverapproxTurns: what an over-approximation decides stands, and what it leaves open is not for
// want of nodes, even if it took more than one turn to find it.
func TestOverapproxTurns(t *testing.T) {
	defer properties.SetFirstNodes(4000)()
	defer properties.SetQuickStates(10, 10)()
	r := verify(t, bully.Mended, model.Config{N: 4, Crashes: 1}, []properties.Property{election.WinnerIsTop, rests}, properties.Options{Engine: properties.Symbolic, Diagram: diagramOf(t, "overapprox")})
	if self, rest := r.Findings[0], r.Findings[1]; self.Verdict != properties.Verified || rest.Verdict != properties.Inconclusive || !strings.Contains(rest.Why, "over-approximation") {
		t.Errorf("%v, %v (%s) after %d attempts", self.Verdict, rest.Verdict, rest.Why, len(r.Stats.Attempts))
	}
	if n := len(r.Stats.Attempts); n < 2 {
		t.Errorf("%d attempts", n)
	}
}

// TestOverapproxRefused: that there is no over-approximation is not why nothing was found.
func TestOverapproxRefused(t *testing.T) {
	picky := &spec.Algorithm[bool, int]{
		Name:  "x/picky",
		Start: func(_ *bool, p *spec.Proc[int]) { p.Broadcast(p.Others(), 1) },
		Receive: func(met *bool, p *spec.Proc[int], _ spec.ID, _ int) {
			if *met {
				p.Refuse()
			}
			*met = true
		},
		Election: &spec.Election[bool, int]{Leader: func(bool) spec.ID { return spec.None }},
	}
	r := verify(t, picky, model.Config{N: 3}, []properties.Property{election.WinnerIsTop}, properties.Options{Engine: properties.Symbolic, Memory: 1})
	last := r.Stats.Attempts[len(r.Stats.Attempts)-1]
	if why := r.Findings[0].Why; r.Verdict != properties.Inconclusive || !strings.Contains(why, dd.ErrMemory.Error()) || !last.Overapprox {
		t.Errorf("%v: %s, after %+v", r.Verdict, why, last)
	}
}

// TestPanicInterrupted: whoever is interrupted while panics are looked for does not say
// that there are none.
func TestPanicInterrupted(t *testing.T) {
	type taken struct{ Sum, Sent uint8 }
	panics := &spec.Algorithm[taken, int]{
		Name: "x/panics",
		Receive: func(s *taken, p *spec.Proc[int], _ spec.ID, _ int) {
			if p.ID == 1 && s.Sum == 5 {
				panic("enough")
			}
			s.Sum = min(s.Sum+1, 12)
		},
		Election: &spec.Election[taken, int]{
			Notice: func(s *taken, p *spec.Proc[int]) {
				if s.Sent >= 3 {
					p.Refuse()
					return
				}
				s.Sent++
				p.Broadcast(p.Others(), int(s.Sent)*10+int(p.ID))
			},
			Leader: func(taken) spec.ID { return spec.None },
		},
	}
	for form, network := range map[string]model.Network{"overapprox": model.FIFO, "exact": model.Set} {
		for _, interrupted := range []bool{false, true} {
			ctx, cancel := context.WithCancel(t.Context())
			asks := properties.Invariant("asks", "nothing", func(*model.World) error {
				if interrupted {
					cancel()
				}
				return nil
			})
			c := model.Config{N: 3, Network: network, Initiators: model.Initiators{Any: true}}
			r, err := properties.Verify(ctx, panics, c, []properties.Property{asks}, properties.Options{Engine: properties.Symbolic, Diagram: diagramOf(t, form+",receiver,saturate,reversed")})
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			want := properties.Violated
			if interrupted {
				want = properties.Inconclusive
			}
			if last := r.Findings[len(r.Findings)-1]; r.Verdict != want || last.Name != properties.NoPanic.Name || last.Verdict != want {
				t.Errorf("%s, interrupted %v: %v, %s is %v (%s)", form, interrupted, r.Verdict, last.Name, last.Verdict, last.Why)
			}
		}
	}
}

// TestOverapproxForever: queues that grow without end have an over-approximation that is small.
func TestOverapproxForever(t *testing.T) {
	c := model.Config{N: 3, Timers: model.Any}
	r := verify(t, bully.Mended, c, []properties.Property{election.AgreementOnTop, properties.NoDeadlock}, properties.Options{Engine: properties.Symbolic, Diagram: diagramOf(t, "overapprox")})
	if r.Verdict != properties.Verified || r.Stats.Overapprox == 0 {
		t.Errorf("%v (%s), %d states", r.Verdict, r.Why, r.Stats.Overapprox)
	}
	r = verify(t, changroberts.Classic, model.Config{N: 3, Initiators: model.Initiators{Any: true}}, []properties.Property{properties.Termination}, properties.Options{Engine: properties.Symbolic, Diagram: diagramOf(t, "overapprox,content,chain")})
	if r.Verdict != properties.Verified {
		t.Errorf("%v (%s)", r.Verdict, r.Why)
	}
}
