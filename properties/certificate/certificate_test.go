package certificate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"interleave/examples/raft"
	"interleave/explore"
	"interleave/internal/cell"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/model/modeltest"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
	"interleave/spec/changroberts"
	"interleave/spec/syncring"
)

// passed returns a report of m in the world c, and the states.
func passed(t testing.TB, m spec.Machine, c model.Config, props ...properties.Property) (Header, []model.State) {
	t.Helper()
	r, err := properties.Verify(context.Background(), m, c, props, properties.Options{Catalogue: election.Catalogue, Keep: true, Continue: true})
	if err != nil || !r.Stats.Complete {
		t.Fatal(err, r)
	}
	return Of(r), slices.Collect(r.States())
}

// check writes a certificate and checks it.
func check(t testing.TB, m spec.Machine, h Header, states []model.State, props ...properties.Property) (*Result, error) {
	t.Helper()
	return opened(t, m, h, states).Check(context.Background(), m, Options{Properties: props})
}

// opened writes a certificate and opens it.
func opened(t testing.TB, m spec.Machine, h Header, states []model.State) *Certificate {
	t.Helper()
	var file bytes.Buffer
	if err := Write(t.Context(), &file, m, h, slices.Values(states), WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	c, err := Open(&file)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// refused wants a certificate to be well formed, and to be refuted for a reason.
func refused(t *testing.T, err error, reason string) *RefutedError {
	t.Helper()
	var refuted *RefutedError
	if !errors.As(err, &refuted) || !strings.Contains(err.Error(), reason) {
		t.Errorf("%v; want %q", err, reason)
		return &RefutedError{}
	}
	return refuted
}

// TestShortNames: a certificate may have the short names of properties, also beside a run, but not both names of one.
func TestShortNames(t *testing.T) {
	h, states := passed(t, bully.Mended, model.Config{N: 2}, election.CanElect, election.WinnerIsTop)
	for i, name := range h.Properties {
		h.Properties[i] = election.Alias(name)
	}
	for _, run := range h.Runs {
		run.Property = election.Alias(run.Property)
	}
	r, err := check(t, bully.Mended, h, states)
	if err != nil || len(r.Findings) != len(h.Properties) || len(h.Runs) == 0 || h.Properties[0] != "C-elected" {
		t.Fatal(err, r, h.Properties)
	}
	for _, f := range r.Findings {
		if f.Doubt != "" {
			t.Errorf("%s: %s", f.Property.Name, f.Doubt)
		}
	}
	h.Properties = append(h.Properties, election.WinnerIsTop.Name)
	h.Runs = append(h.Runs, nil)
	if _, err := check(t, bully.Mended, h, states); err == nil || !strings.Contains(err.Error(), "stands there twice") {
		t.Error(err)
	}
}

// TestConfirmsTheCatalogue sends the small worlds of every algorithm through a
// certificate: all that holds is confirmed, and the counts agree.
func TestConfirmsTheCatalogue(t *testing.T) {
	certified, doubts, limit := 0, map[string]int{}, 5000
	if testing.Short() {
		limit = 1000
	}
	for _, m := range catalog.Machines {
		for _, change := range []func(c *model.Config){
			func(*model.Config) {},
			func(c *model.Config) { c.Crashes = 1 },
			func(c *model.Config) { c.Start = model.LeaderDown },
			func(c *model.Config) { c.Start, c.Initiators.Any = model.LeaderDown, true },
			func(c *model.Config) { c.Crashes, c.Recoveries, c.Bound = 1, 1, 1 },
			func(c *model.Config) { c.Losses, c.Timers = 1, model.Any },
			func(c *model.Config) { c.Network, c.Timers = model.Set, model.Any },
		} {
			c, _ := model.Home(m, 2)
			if change(&c); c.Check(m) != nil {
				continue
			}
			r, err := properties.Verify(t.Context(), m, c, about(m, c), properties.Options{Keep: true, Continue: true, MaxStates: limit})
			if err != nil || !r.Stats.Complete || len(Of(r).Properties) == 0 {
				continue
			}
			got, err := check(t, m, Of(r), slices.Collect(r.States()))
			if err != nil {
				t.Errorf("%s %+v: %v", m.Traits().Name, c, err)
				continue
			}
			certified++
			if s := r.Stats; got.States != s.States || got.Initial != s.Initial || got.Steps != s.Transitions || got.Quiescent != s.Quiescent {
				t.Errorf("%s %+v: %+v, not %+v", m.Traits().Name, c, got, s)
			}
			for _, f := range got.Findings {
				said := r.Findings[slices.IndexFunc(r.Findings, func(of properties.Finding) bool { return of.Name == f.Property.Name })]
				if said.Certifiable() != (f.Doubt == "") {
					t.Errorf("%s %+v: %s is said to be certifiable: %v; but %s", m.Traits().Name, c, f.Property.Name, said.Certifiable(), f.Doubt)
				}
				if f.Doubt != "" && (f.Property.Kind == properties.LivenessKind || f.Property.Kind == properties.MessagesKind) {
					doubts[f.Doubt]++
				} else if f.Doubt != "" {
					t.Errorf("%s %+v: %s: %s", m.Traits().Name, c, f.Property.Name, f.Doubt)
				}
			}
		}
	}
	if certified < 40 || len(doubts) < 4 {
		t.Errorf("only %d worlds were certified, with the doubts %v", certified, doubts)
	}
}

// about returns the usual properties and some of runs.
func about(m spec.Machine, c model.Config) []properties.Property {
	props, notes := election.Standard(m, c)
	props = slices.DeleteFunc(props, func(p properties.Property) bool { return notes[p.Name] != "" })
	for _, name := range []string{"messages-bounded", "[]<>(rest | knows(1) | !up(1))", "true U quiescent", "[](up(1) | <>[]!up(1))", "knows(1) ~> rest"} {
		p, _ := election.Named(m, name)
		props = append(props, p)
	}
	return props
}

var world = model.Config{N: 3, Crashes: 1}

// TestRefusesALackingState leaves out one state after the other.
func TestRefusesALackingState(t *testing.T) {
	h, states := passed(t, changroberts.Textbook, world, election.WinnerIsTop)
	if _, err := check(t, changroberts.Textbook, h, states); err != nil {
		t.Fatal(err)
	}
	for n := range states {
		reason := "a step leads out of the set"
		if n == 0 {
			reason = "an initial state is not in the set"
		}
		_, err := check(t, changroberts.Textbook, h, slices.Delete(slices.Clone(states), n, n+1))
		if e := refused(t, err, reason); n > 0 && (e.Step == nil || !e.Step.After.Equal(states[n])) {
			t.Errorf("without state %d the step to blame is %+v", n, e.Step)
		}
	}
}

// TestRequests: what actions do, and what comes of each choice, is in the set; a set without an answer is refused.
func TestRequests(t *testing.T) {
	for _, c := range []model.Config{{N: 2}, {N: 1, Crashes: 2, Recoveries: 1, Network: model.Bag}, {N: 1, Times: 2}} {
		h, states := passed(t, modeltest.Requests, c, properties.NoDeadlock)
		result, err := check(t, modeltest.Requests, h, states)
		if err != nil || len(result.Findings) != 1 || result.Findings[0].Doubt != "" || result.States != len(states) || len(states) < 50 {
			t.Errorf("%+v: %+v, %v", c, result, err)
		}
		for what, has := range map[string]func(l model.Local) bool{
			"an answer":         func(l model.Local) bool { return strings.Contains(fmt.Sprintf("%+v", l.State), "Coin:1") },
			"an action":         func(l model.Local) bool { return strings.Contains(fmt.Sprintf("%+v", l.State), "Open:true") },
			"one that is asked": func(l model.Local) bool { return l.Acted[1] > 0 },
		} {
			lacking := slices.DeleteFunc(slices.Clone(states), func(s model.State) bool { return slices.ContainsFunc(s.Locals, has) })
			if len(lacking) == 0 || len(lacking) == len(states) {
				t.Fatalf("%+v: %s: %d states of %d", c, what, len(lacking), len(states))
			}
			_, err := check(t, modeltest.Requests, h, lacking)
			refused(t, err, "a step leads out of the set")
		}
	}
}

// TestRefusesALackingBeginning leaves out all that begins with certain initiators, which nobody
// becomes later. So no step leads out of the rest, and only the initial state itself is missing.
func TestRefusesALackingBeginning(t *testing.T) {
	c := model.Config{N: 2}
	c.Initiators.Any = true
	h, states := passed(t, changroberts.Textbook, c, election.WinnerIsTop)
	begins := func(s model.State) [2]bool {
		return [2]bool{s.Locals[0].Initiator, s.Locals[1].Initiator}
	}
	for _, initial := range [][2]bool{{true, false}, {false, true}, {true, true}} {
		rest := slices.DeleteFunc(slices.Clone(states), func(s model.State) bool { return begins(s) == initial })
		if len(rest) == len(states) {
			t.Fatalf("nothing begins with the initiators %v", initial)
		}
		_, err := check(t, changroberts.Textbook, h, rest)
		if e := refused(t, err, "an initial state is not in the set"); e.State == nil || begins(*e.State) != initial {
			t.Errorf("with the initiators %v the state to blame is %+v", initial, e.State)
		}
	}
}

// TestRefusesWhatIsFalse: a property is false in the set, at a state that can be
// reached or at one that cannot, or on a step.
func TestRefusesWhatIsFalse(t *testing.T) {
	h, states := passed(t, bully.Mended, world)
	if _, err := check(t, bully.Mended, h, states); err != nil {
		t.Fatal(err)
	}
	with := func(name string) Header {
		h := h
		h.Properties = append(slices.Clone(h.Properties), name)
		return h
	}
	_, err := check(t, bully.Mended, with("leader-is-top"), states)
	refused(t, err, "leader-is-top is false in a state of the set: process")

	wrong := states[0]
	wrong.Locals = slices.Clone(wrong.Locals)
	wrong.Locals[0].State = bully.Mended.Traits().Follow(wrong.Locals[0].State, 1)
	_, err = check(t, bully.Mended, h, append(slices.Clone(states), wrong))
	if e := refused(t, err, "leader-is-top-or-crashed is false in a state of the set: process 1 follows 1, but 3 is top"); e.State == nil || !e.State.Equal(wrong) {
		t.Errorf("it is false in %+v", e.State)
	}

	none := properties.EveryStep("calm", "nobody crashes", func(before, after *model.World) error {
		if after.Live() != before.Live() {
			return errors.New("somebody crashes")
		}
		return nil
	})
	_, err = check(t, bully.Mended, with("calm"), states, none)
	if e := refused(t, err, "calm is false on a step: somebody crashes"); e.Step == nil || e.Step.Event.Action != model.Crash {
		t.Errorf("it is false on %+v", e.Step)
	}

	h.Config.Crashes = 2
	_, err = check(t, bully.Mended, h, states)
	refused(t, err, "a step leads out of the set")
}

// TestRefusesRuns: the run to the goal of a cover ends elsewhere, does not
// happen, or is missing.
func TestRefusesRuns(t *testing.T) {
	h, states := passed(t, bully.Mended, world, election.CanElect)
	steps := h.Runs[0].Steps
	h.Runs[0].Steps = nil
	_, err := check(t, bully.Mended, h, states)
	refused(t, err, "the run to can-elect does not end there")

	h.Runs[0].Steps = append(slices.Clone(steps), steps...)
	_, err = check(t, bully.Mended, h, states)
	refused(t, err, "the run to can-elect does not happen: step 2: ")

	h.Runs = nil
	if r, err := check(t, bully.Mended, h, states); err != nil || r.Findings[0].Doubt == "" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestDoubtsCycles: termination is said to hold, and a step leads from a state to itself.
func TestDoubtsCycles(t *testing.T) {
	restless := &spec.Algorithm[int, int]{
		Name: "odd/restless",
		Election: &spec.Election[int, int]{
			Leader: func(int) spec.ID { return spec.None },
			Notice: func(s *int, _ *spec.Proc[int]) { *s = (*s + 1) % 3 },
		},
		Receive: func(*int, *spec.Proc[int], spec.ID, int) {},
	}
	c := model.Config{N: 2}
	h, states := passed(t, restless, c, election.WinnerIsTop)
	if _, err := check(t, restless, h, states); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"termination", "leader-eventually"} {
		h.Properties = []string{name}
		r, err := check(t, restless, h, states)
		if err != nil || r.Findings[0].Doubt == "" {
			t.Errorf("%s is certified: %+v, %v", name, r, err)
		}
	}
}

// TestRefusesBadEnds: with a crash a message is lost for good, and a run ends in
// which nobody comes to know a leader.
func TestRefusesBadEnds(t *testing.T) {
	h, states := passed(t, changroberts.Textbook, world, election.WinnerIsTop)
	h.Properties = []string{"leader-eventually"}
	_, err := check(t, changroberts.Textbook, h, states)
	refused(t, err, "leader-eventually is false of a run that ends in a state of the set")

	once, _ := election.Formula("<>agreement-on-top") // which may have been true before
	h.Properties = []string{once.Name}
	r, err := check(t, changroberts.Textbook, h, states, once)
	if err != nil || r.Findings[0].Doubt == "" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestRefusesClaimsAndPanics: a handler breaks a promise, or panics.
func TestRefusesClaimsAndPanics(t *testing.T) {
	fragile := &spec.Algorithm[int, int]{
		Name: "odd/fragile",
		Election: &spec.Election[int, int]{
			Leader: func(int) spec.ID { return spec.None },
			Notice: func(s *int, p *spec.Proc[int]) {
				if *s++; *s > 2 {
					panic("worn out")
				}
			},
		},
		Receive: func(*int, *spec.Proc[int], spec.ID, int) {},
		Claims: []spec.Claim[int]{{Name: "still", Holds: func(_ spec.ID, _ spec.Set, before, after int, _ []any) error {
			if after == 2 {
				return errors.New("it moves")
			}
			return nil
		}}},
	}
	h, states := passed(t, fragile, model.Config{N: 1}, election.WinnerIsTop)
	_, err := check(t, fragile, h, states)
	if e := refused(t, err, "a handler panics: worn out"); e.Step == nil {
		t.Error("no step is to blame")
	}
	h.Properties = []string{"still"}
	_, err = check(t, fragile, h, states)
	refused(t, err, "still is false on a step: it moves")
}

// TestWhatASetCannotSay: messages, and what ends at a bound.
func TestWhatASetCannotSay(t *testing.T) {
	h, states := passed(t, changroberts.Textbook, model.Config{N: 2}, properties.MessagesBounded)
	r, err := check(t, changroberts.Textbook, h, states)
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Doubt == "" {
		t.Errorf("%+v, %v", r, err)
	}
}

// forgetful is a system whose engine skips a step: of all that it expands, the
// one with a given number.
type forgetful struct {
	*compiled.System
	skip int
}

func (f *forgetful) Expander() explore.Expander { return &forgetfulExpander{f, f.System.Expander()} }

type forgetfulExpander struct {
	*forgetful
	whole explore.Expander
}

func (e *forgetfulExpander) Held() int64 { return e.whole.Held() }

func (e *forgetfulExpander) Expand(s []uint64, out *explore.Steps) bool {
	known := e.whole.Expand(s, out)
	if n := e.skip; known && n >= 0 && n < len(out.Actions) {
		width := e.Width()
		out.Actions = slices.Delete(out.Actions, n, n+1)
		out.States = slices.Delete(out.States, n*width, (n+1)*width)
	}
	if known {
		e.skip -= len(out.Actions) + 1
	}
	return known
}

// TestCatchesAnEngineThatSkipsAStep lets an engine miss one step in a thousand:
// its certificate is refused whenever it missed a state, and only then.
func TestCatchesAnEngineThatSkipsAStep(t *testing.T) {
	h, all := passed(t, bully.Mended, world, election.WinnerIsTop)
	missed := 0
	for skip := 0; skip < 2000; skip += 97 {
		states := explored(t, &forgetful{skip: skip})
		_, err := check(t, bully.Mended, h, states)
		if len(states) == len(all) {
			if err != nil {
				t.Errorf("step %d makes no difference, and yet: %v", skip, err)
			}
			continue
		}
		missed++
		refused(t, err, "a step leads out of the set")
	}
	if missed == 0 {
		t.Error("no step that was skipped made a difference")
	}
}

func explored(t *testing.T, f *forgetful) []model.State {
	t.Helper()
	var err error
	if f.System, err = compiled.New(bully.Mended, world, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := explore.Search(t.Context(), f.System, explore.Options{}); err != nil { // learn, so that nothing is expanded twice
		t.Fatal(err)
	}
	r, err := explore.Search(t.Context(), f, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var states []model.State
	for n := range r.Graph.States() {
		states = append(states, f.State(r.Graph.State(n)))
	}
	return states
}

// TestInterrupted: a context that has ended confirms nothing.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h, states := passed(t, bully.Mended, world, election.WinnerIsTop)
	if _, err := opened(t, bully.Mended, h, states).Check(ctx, bully.Mended, Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	text := content(t)
	parts := text[:strings.LastIndexByte(text, '\n')+1] // the states are still to come
	c, err := Open(bytes.NewReader(zipped(t, parts, false)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Check(ctx, changroberts.Textbook, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("while it is read: %v", err)
	}
}

// TestInterruptedBetweenStates: a property that takes long keeps nobody waiting for other states.
func TestInterruptedBetweenStates(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	asks := properties.Invariant("asks", "", func(*model.World) error {
		asked++
		cancel()
		return nil
	})
	h, states := passed(t, bully.Mended, world, election.WinnerIsTop)
	h.Properties = []string{"asks"}
	_, err := opened(t, bully.Mended, h, states).Check(ctx, bully.Mended, Options{Properties: []properties.Property{asks}})
	if !errors.Is(err, context.Canceled) || asked != 1 {
		t.Errorf("%v, after %d states", err, asked)
	}
}

// TestMeansNothing: what Verify refuses to judge in a world is not confirmed there either.
func TestMeansNothing(t *testing.T) {
	h, states := passed(t, syncring.Published, model.Config{N: 3, Network: model.Rounds}, election.WinnerIsTop)
	h.Properties = []string{"agreement-within(5)"}
	if _, err := check(t, syncring.Published, h, states); err == nil || !strings.Contains(err.Error(), "agreement-within(5) means nothing to sync-ring/published") {
		t.Error(err)
	}
}

// TestAsksTwice: a property that says something else when it is asked again confirms nothing.
func TestAsksTwice(t *testing.T) {
	asked := 0
	odd := properties.Invariant("odd", "", func(*model.World) error {
		if asked++; asked%2 == 0 {
			return errors.New("an even time")
		}
		return nil
	})
	h, states := passed(t, bully.Mended, model.Config{N: 2}, election.WinnerIsTop)
	h.Properties = []string{"odd"}
	c := opened(t, bully.Mended, h, states)
	_, err := properties.Supervise(t.Context(), bully.Mended, nil, func(m spec.Machine) (*Result, error) {
		return c.Check(t.Context(), m, Options{Properties: []properties.Property{odd}})
	})
	if whim := (*model.NondeterminismError)(nil); !errors.As(err, &whim) || !strings.HasPrefix(err.Error(), "the property odd is no function: ") {
		t.Error(err)
	}
}

// TestNobody: nothing is confirmed of a process that there is not.
func TestNobody(t *testing.T) {
	h, states := passed(t, bully.Mended, model.Config{N: 2}, properties.Termination)
	h.Properties = []string{"[]!leads(9)"}
	if _, err := check(t, bully.Mended, h, states); err == nil || !strings.Contains(err.Error(), "there is no process 9: N is 2") {
		t.Error(err)
	}
}

// TestPropertyTwice: a certificate claims a property once; if it has a long run, thousands of
// claims would have it repeated as often.
func TestPropertyTwice(t *testing.T) {
	h, states := passed(t, bully.Mended, model.Config{N: 2}, properties.Termination)
	h.Properties = []string{"termination", "winner-is-top", "termination"}
	if _, err := check(t, bully.Mended, h, states); err == nil || !strings.Contains(err.Error(), "the property termination stands there twice") {
		t.Error(err)
	}
}

// TestLists: a state with lists and maps is written and confirmed, and one with an empty list in place of nil is another.
func TestLists(t *testing.T) {
	c, err := model.Home(raft.Algorithm, 2)
	if err != nil {
		t.Fatal(err)
	}
	c.Bound, c.Crashes, c.Recoveries, c.Split = 1, 1, 1, true
	h, states := passed(t, raft.Algorithm, c, properties.Own(raft.Algorithm)[1]) // log-matching
	if r, err := check(t, raft.Algorithm, h, states, properties.Own(raft.Algorithm)...); err != nil || r.States != len(states) || r.States < 1000 {
		t.Fatal(err, r)
	}
	first := states[0]
	first.Locals = slices.Clone(first.Locals)
	s := cell.Open[raft.State](first.Locals[0].State)
	s.Log = []raft.Entry{}
	first.Locals[0].State = cell.Must(s)
	states[0] = first
	_, err = check(t, raft.Algorithm, h, states, properties.Own(raft.Algorithm)...)
	refused(t, err, "an initial state is not in the set")
}

// TestRecoverable: from each state of the set the goal can be reached by steps that help, or the certificate is refuted.
func TestRecoverable(t *testing.T) {
	c := model.Config{N: 3, Crashes: 1}
	h, states := passed(t, bully.Mended, c, election.Electable)
	if r, err := check(t, bully.Mended, h, states); err != nil || len(r.Findings) != 1 || r.Findings[0].Doubt != "" {
		t.Errorf("%+v, %v", r, err)
	}
	for _, crashed := range []bool{false, true} { // where only a crash leads to the goal, it cannot be reached
		goal := properties.Recoverable("down", "somebody is down", func(w *model.World) bool { return w.Live().Len() < 3 })
		if !crashed {
			goal = properties.Recoverable("up", "all are up", func(w *model.World) bool { return w.Live().Len() == 3 })
		}
		h.Properties = []string{goal.Name}
		_, err := check(t, bully.Mended, h, states, goal)
		refused(t, err, "from a state of the set none that satisfies "+goal.Name+" can be reached without a further fault")
	}
}
