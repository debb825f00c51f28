package properties_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/certificate"
	"interleave/spec"
)

// judge decides properties without the engines: he lists the states of a world as the
// Reference has them, and looks at sets of states for one in which a fair run may stay. He
// is slow, and easy to follow.
type judge struct {
	reference *model.Reference
	states    []model.State
	initial   int      // of the states
	steps     [][]move // out of each state
	resting   []bool
	cut       []bool // the bound leaves out a step that would be obliged to happen
	panics    bool
	strong    map[model.FairClass]bool // those to which strong fairness is owed
}

// move is a step.
type move struct {
	to    int // -1: the handler panics
	owed  bool
	class model.FairClass
	sends int
}

// judgeOf returns the judge of a world of at most so many states; nil if it has more.
func judgeOf(t *testing.T, m spec.Machine, c model.Config, most int) *judge {
	t.Helper()
	r, err := model.NewReference(m, c)
	if err != nil {
		t.Fatal(err)
	}
	j, numbers := &judge{reference: r, strong: map[model.FairClass]bool{}}, map[string]int{}
	number := func(s model.State) int {
		key := fmt.Sprint(s)
		n, known := numbers[key]
		if !known {
			n = len(j.states)
			numbers[key], j.states = n, append(j.states, s)
		}
		return n
	}
	for _, s := range r.Initial() {
		number(s)
	}
	j.initial = len(j.states)
	for n := 0; n < len(j.states); n++ {
		if n > most {
			return nil
		}
		s := j.states[n]
		steps, cut := r.Enabled(s)
		var moves []move
		for _, step := range steps {
			class, strength := r.FairnessOf(s, step)
			to := -1
			if step.Panic == "" {
				to = number(step.After)
			}
			moves = append(moves, move{to, strength != explore.Unfair, class, len(step.Sends)})
			j.strong[class] = j.strong[class] || strength == explore.Strong
			j.panics = j.panics || to < 0
		}
		j.steps, j.cut = append(j.steps, moves), append(j.cut, cut)
		j.resting = append(j.resting, r.World(s).Quiescent())
	}
	return j
}

// set is some of the states, by number.
type set []bool

func (j *judge) where(holds func(n int) bool) set {
	s := make(set, len(j.states))
	for n := range s {
		s[n] = holds(n)
	}
	return s
}

func (j *judge) not(s set) set { return j.where(func(n int) bool { return !s[n] }) }

func (j *judge) both(s, t set) set { return j.where(func(n int) bool { return s[n] && t[n] }) }

func (j *judge) beginning() set { return j.where(func(n int) bool { return n < j.initial }) }

// reach returns the states inside a set that can be reached from some of it without leaving it;
// or, if back, from which those can be reached.
func (j *judge) reach(from, inside set, back bool) set {
	met := j.both(from, inside)
	for more := true; more; {
		more = false
		for n, steps := range j.steps {
			for _, step := range steps {
				a, b := n, step.to
				if back {
					a, b = b, a
				}
				if step.to >= 0 && met[a] && inside[b] && !met[b] {
					met[b], more = true, true
				}
			}
		}
	}
	return met
}

// fair returns those states of a set in which a fair run may stay inside it forever and meet some
// states again and again. What comes beyond the bound is not known, so none stays there.
func (j *judge) fair(inside, often set) set {
	left := j.where(func(n int) bool { return inside[n] && !j.cut[n] })
	found := make(set, len(left))
	for n := range left {
		if !left[n] {
			continue
		}
		one := j.where(func(k int) bool { return k == n })
		together := j.both(j.reach(one, left, false), j.reach(one, left, true))
		left = j.both(left, j.not(together))
		fair, less := j.mayStay(together)
		switch {
		case less != nil:
			together = j.fair(less, often)
		case !fair || !slices.Contains(j.both(together, often), true):
			continue
		}
		found = j.where(func(k int) bool { return found[k] || together[k] })
	}
	return found
}

// mayStay reports whether a run that goes round in a set, all over it, is fair. If that would
// break strong fairness only, a run may stay in those states that never owe it.
func (j *judge) mayStay(s set) (fair bool, less set) {
	enabled, taken, stays := map[model.FairClass]int{}, map[model.FairClass]bool{}, false
	for n, steps := range j.steps {
		if !s[n] {
			continue
		}
		here := map[model.FairClass]bool{}
		for _, step := range steps {
			if step.owed {
				here[step.class] = true
			}
			if step.to >= 0 && s[step.to] {
				stays = true
				taken[step.class] = taken[step.class] || step.owed
			}
		}
		for class := range here {
			enabled[class]++
		}
		stays = stays || len(here) == 0
	}
	size, starved := 0, map[model.FairClass]bool{}
	for n := range s {
		if s[n] {
			size++
		}
	}
	for class, times := range enabled {
		switch {
		case taken[class]:
		case times == size:
			return false, nil
		case j.strong[class]:
			starved[class] = true
		}
	}
	if len(starved) == 0 {
		return stays, nil
	}
	return false, j.where(func(n int) bool {
		return s[n] && !slices.ContainsFunc(j.steps[n], func(step move) bool { return step.owed && starved[step.class] })
	})
}

// counts returns how many steps lead somewhere, and how many states are at rest.
func (j *judge) counts() (steps, resting int) {
	for n, moves := range j.steps {
		for _, step := range moves {
			if step.to >= 0 {
				steps++
			}
		}
		if j.resting[n] {
			resting++
		}
	}
	return steps, resting
}

// mostSent returns how many messages a run may send; false if there is no limit.
func (j *judge) mostSent() (most int, limited bool) {
	sent := make([]int, len(j.states))
	for range len(j.states) + 1 {
		limited = true
		for n, steps := range j.steps {
			for _, step := range steps {
				if step.to >= 0 && sent[n]+step.sends > sent[step.to] {
					sent[step.to], limited = sent[n]+step.sends, false
				}
			}
		}
		if limited {
			return slices.Max(sent), true
		}
	}
	return 0, false
}

// nothingToRead is true where nothing is on its way to process 1. What is put off forever shows.
func nothingToRead(w *model.World) error {
	if n := len(w.Inbox(1)); n > 0 {
		return fmt.Errorf("%d messages are on their way", n)
	}
	return nil
}

// judged is a property, and whether it is violated, as the judge has it.
type judged struct {
	properties.Property
	violated bool
}

type predicate = func(w *model.World) error

// verdicts returns one property of each form about two predicates.
func (j *judge) verdicts(p, q predicate) []judged {
	some := func(s set) bool { return slices.Contains(s, true) }
	all := j.where(func(int) bool { return true })
	at := func(p predicate) set {
		return j.where(func(n int) bool { return p(j.reference.World(j.states[n])) == nil })
	}
	isP, isQ := at(p), at(q)
	notP, notQ := j.not(isP), j.not(isQ)
	_, limited := j.mostSent()
	return []judged{
		{properties.Invariant("always", "", p), some(notP)},
		{properties.Quiescent("quiescent", "", p), some(j.both(notP, j.resting))},
		{properties.Cover("cover", "", func(w *model.World) bool { return p(w) == nil && q(w) == nil }), !some(j.both(isP, isQ))},
		{properties.Eventually("eventually", "", p), some(j.both(j.reach(j.beginning(), notP, false), j.fair(notP, all)))},
		{properties.AlwaysEventually("again", "", p), some(j.fair(notP, all))},
		{properties.EventuallyAlways("forever", "", p), some(j.fair(all, notP))},
		{properties.LeadsTo("leads to", "", p, q), some(j.both(j.reach(isP, notQ, false), j.fair(notQ, all)))},
		{properties.Termination, some(j.fair(all, j.not(j.resting)))},
		{properties.MessagesBounded, !limited},
	}
}

// fickle returns an algorithm whose processes go round and round and change their minds: a
// process may send once, and refuses much, so what is possible now and then may be put off
// forever. Its state is a mood, and then whether it has sent.
func fickle(r *rand.Rand) *oddState {
	const moods, messages, sent = 3, 2, 4
	type action struct {
		to, send int // send: a message; messages: none
		refuses  bool
		arms     bool
		panics   bool
	}
	var actions [messages + 2][moods]action
	for event := range actions {
		for mood := range moods {
			actions[event][mood] = action{r.IntN(moods), r.IntN(messages + 1), r.IntN(4) == 0, r.IntN(8) > 0, r.IntN(40) == 0}
		}
	}
	do := func(event int, s *int, p *oddProc) {
		d := actions[event][*s%sent]
		switch {
		case d.refuses:
			p.Refuse()
			return
		case d.panics:
			panic("no more")
		}
		if *s = *s/sent*sent + d.to; d.arms {
			p.SetTimer(0)
		}
		if d.send < messages && *s < sent {
			*s += sent
			p.Send(p.ID%spec.ID(p.All().Len())+1, d.send)
		}
	}
	awaited, silent, elects := r.IntN(messages), r.IntN(moods), r.IntN(2) == 0
	return odd("fickle", func(a *oddState) {
		a.Init = func(_ *int, p *oddProc) { p.SetTimer(0) }
		a.Receive = func(s *int, p *oddProc, _ spec.ID, m int) { do(m, s, p) }
		a.Timeout = func(s *int, p *oddProc, _ spec.Timer) { do(messages, s, p) }
		a.Suspect = func(s *int, p *oddProc, _ spec.ID) { do(messages+1, s, p) }
		a.Rules = []oddRule{{
			Name: "T", Elects: elects,
			Awaited: func(p, _, to spec.ID, m int) bool { return to == p && m == awaited },
			Silent: func(s int, p spec.ID, all spec.Set) spec.Set {
				if s%sent == silent {
					return all.Without(p)
				}
				return 0
			},
			Owing: func(int, spec.ID, spec.Set) spec.Set { return 0 },
		}}
		a.Election.Leader = func(s int) spec.ID { return spec.ID(s % sent) }
		a.Measure = func(s int) int { return s }
	})
}

// inStep returns an algorithm of rounds without sense or purpose.
func inStep(r *rand.Rand) *oddState {
	const states = 4
	var to, send [states][3]int
	for s := range states {
		for heard := range 3 {
			to[s][heard], send[s][heard] = r.IntN(states), r.IntN(4)
		}
	}
	return odd("in-step", func(a *oddState) {
		a.Receive = nil
		a.Round = func(s *int, p *oddProc, in []spec.Received[int]) {
			heard := min(len(in), 2)
			if m := send[*s][heard]; m > 0 {
				p.Send(p.ID%spec.ID(p.All().Len())+1, m)
			}
			if *s = to[*s][heard]; heard > 0 {
				*s = (*s + in[0].Message) % states
			}
		}
		a.Election.Leader = func(s int) spec.ID { return spec.ID(s % 3) }
		a.Measure = func(s int) int { return s }
	})
}

// trialOf returns a world at random, neither too large for a judge nor dull.
func trialOf(t *testing.T, r *rand.Rand) (m spec.Machine, c model.Config, j *judge) {
	t.Helper()
	for j == nil || len(j.states) < 10 {
		m, c = fickle(r), whimsicalWorld(r)
		if r.IntN(2) == 0 {
			c.Fairness.Strong = [][]string{{"all"}, {"receive"}, {"timeout"}}[r.IntN(3)]
		}
		if c.N = 1 + r.IntN(3); r.IntN(6) == 0 {
			m, c = inStep(r), model.Config{N: c.N, Network: model.Rounds, Crashes: c.Crashes, Split: c.Split && c.Crashes > 0}
		}
		if c.Check(m) == nil {
			j = judgeOf(t, m, c, 300)
		}
	}
	return m, c, j
}

// TestJudge compares what all engines say of worlds at random with what the judge says,
// who has nothing in common with them but the Reference.
func TestJudge(t *testing.T) {
	testsize.Alone(t)
	t.Cleanup(properties.SetQuickStates(20, 1000))
	worlds := testsize.Of(24, 30, 120)
	predicates := []predicate{is(0, 4), is(1, 5), nothingToRead, func(w *model.World) error {
		if w.Quiescent() || w.Leader(1) == w.Leader(spec.ID(w.N())) {
			return nil
		}
		return errors.New("they differ")
	}}
	seen := make([]map[string]int, 2)
	t.Run("worlds", func(t *testing.T) {
		for part := range seen {
			seen[part] = map[string]int{}
			t.Run(fmt.Sprint(part), func(t *testing.T) {
				t.Parallel()
				for seed := range worlds / len(seen) {
					r := rand.New(rand.NewPCG(uint64(part), uint64(seed)))
					m, c, j := trialOf(t, r)
					trial := &trial{t, m, c, j, j.verdicts(predicates[r.IntN(4)], predicates[r.IntN(4)]), seen[part]}
					trial.note()
					for name, o := range ways(t, r, c) {
						trial.compare(name, o)
					}
					trial.certify(r)
				}
			})
		}
	})
	for _, what := range strings.Split("panics,bound,rounds,strong,unfair,explicit BOUNDED,confirmed,refused,"+
		"explicit VERIFIED,direct VERIFIED,reduced VERIFIED,crew VERIFIED,on disk VERIFIED,auto VERIFIED,symbolic VERIFIED,overapprox VERIFIED,"+
		"explicit VIOLATED,direct VIOLATED,reduced VIOLATED,crew VIOLATED,on disk VIOLATED,auto VIOLATED,symbolic VIOLATED,overapprox VIOLATED", ",") {
		if seen[0][what]+seen[1][what] == 0 && testsize.All() {
			t.Errorf("%s: never", what)
		}
	}
}

// ways are all ways to check a world.
func ways(t *testing.T, r *rand.Rand, c model.Config) map[string]properties.Options {
	t.Helper()
	form := []string{"receiver", "content"}[r.IntN(2)] + []string{",chain", ",saturate"}[r.IntN(2)] + []string{",ring", ",reversed", ",numbered"}[r.IntN(3)]
	if c.Network == model.FIFO || c.Network == model.Rounds {
		form = strings.Replace(form, "content", "receiver", 1)
	}
	all := map[string]properties.Options{
		"explicit": {},
		"direct":   {Direct: true},
		"reduced":  {Reduce: true},
		"crew":     {Workers: 3},
		"on disk":  {Spill: t.TempDir()}, // with less memory than it takes
		"auto":     {Engine: properties.Auto},
	}
	if c.HasTables() {
		all["symbolic"] = properties.Options{Engine: properties.Symbolic, Diagram: diagramOf(t, form+",exact")}
		all["overapprox"] = properties.Options{Engine: properties.Symbolic, Diagram: diagramOf(t, form+",overapprox")}
	}
	return all
}

// trial is a world in which a judge is compared with the engines.
type trial struct {
	*testing.T
	machine spec.Machine
	config  model.Config
	*judge
	judged []judged
	seen   map[string]int
}

// note counts what is special about the world.
func (t *trial) note() {
	c := t.config
	for what, is := range map[string]bool{
		"panics": t.panics, "bound": slices.Contains(t.cut, true), "rounds": c.Network == model.Rounds,
		"strong": c.Fairness.Strong != nil, "unfair": c.Fairness.Unfair != nil,
	} {
		if is {
			t.seen[what]++
		}
	}
}

func (t *trial) properties() (props []properties.Property) {
	for _, p := range t.judged {
		props = append(props, p.Property)
	}
	return props
}

func (t *trial) compare(way string, o properties.Options) {
	t.Helper()
	o.Continue = true
	if way == "on disk" {
		o.Memory = verify(t.T, t.machine, t.config, t.properties(), properties.Options{Continue: true}).Stats.Bytes - 1
	}
	r := verify(t.T, t.machine, t.config, t.properties(), o)
	steps, resting := t.counts()
	exact := way != "reduced" && way != "overapprox" && r.Stats.Complete
	if s := r.Stats; exact && (s.States != len(t.states) || s.Initial != t.initial || s.Transitions != steps || s.Quiescent != resting) {
		t.Errorf("%s %+v: %+v, want %d states, %d of them initial and %d quiescent, and %d steps", way, t.config, s, len(t.states), t.initial, resting, steps)
	}
	decides := way == "explicit" || way == "direct" || way == "crew"
	if panics := len(r.Findings) > len(t.judged); panics && !t.panics && r.Findings[len(t.judged)].Verdict == properties.Violated || decides && t.panics && !panics {
		t.Errorf("%s %+v: a handler panics: %v, want %v", way, t.config, panics, t.panics)
	}
	for i, p := range t.judged {
		f := r.Findings[i]
		t.seen[way+" "+f.Verdict.String()]++
		holds := f.Verdict == properties.Verified || f.Verdict == properties.Bounded
		wrong := f.Verdict == properties.Violated && !p.violated || holds && (p.violated || t.saysNothing(p))
		open := decides && f.Verdict == properties.Inconclusive
		if wrong || open && !t.mayLeaveOpen(p, f) {
			t.Errorf("%s %+v: %s is %v (%s), violated: %v", way, t.config, f.Name, f.Verdict, f.Why, p.violated)
		}
		if most, limited := t.mostSent(); f.Messages != nil && !t.panics && (f.Messages.Unbounded == limited || f.Messages.Most != most) {
			t.Errorf("%s %+v: runs send %v, want %d messages, limited: %v", way, t.config, f.Messages, most, limited)
		}
	}
}

// saysNothing reports whether a property is about quiescent states and there is none.
func (t *trial) saysNothing(p judged) bool {
	_, resting := t.counts()
	return p.Kind == properties.QuiescentKind && resting == 0
}

// mayLeaveOpen reports whether there is a reason to decide nothing.
func (t *trial) mayLeaveOpen(p judged, f properties.Finding) bool {
	switch f.Kind {
	case properties.CoverKind:
		return t.config.Bound > 0
	case properties.LivenessKind:
		return !p.violated && (t.panics || t.config.Bound > 0 || strings.Contains(f.Why, "says nothing"))
	}
	return !p.violated && (t.panics || t.saysNothing(p))
}

// certify forges certificates of all properties: those of what is true are confirmed, as far as
// states can say it, and no others.
func (t *trial) certify(r *rand.Rand) {
	t.Helper()
	report := verify(t.T, t.machine, t.config, t.properties(), properties.Options{Continue: true, Keep: true})
	header, states := certificate.Of(report), slices.Collect(report.States())
	for _, p := range t.judged {
		header.Properties = []string{p.Name}
		result, err := t.check(header, states)
		confirmed := err == nil && result.Findings[0].Doubt == ""
		if known := p.Kind != properties.LivenessKind && p.Kind != properties.MessagesKind && p.Name != "cover"; known && !p.violated && !t.panics && !t.saysNothing(p) && !confirmed || confirmed && (p.violated || t.panics || t.saysNothing(p)) {
			t.Errorf("%+v: %s is confirmed: %v (%v), violated: %v", t.config, p.Name, confirmed, err, p.violated)
		}
		switch {
		case confirmed:
			t.seen["confirmed"]++
		case err != nil:
			t.seen["refused"]++
		}
	}
	header.Properties = nil
	lack := r.IntN(len(states))
	if _, err := t.check(header, slices.Delete(states, lack, lack+1)); err == nil {
		t.Errorf("%+v: without state %d it is confirmed", t.config, lack)
	}
}

func (t *trial) check(h certificate.Header, states []model.State) (*certificate.Result, error) {
	t.Helper()
	var file bytes.Buffer
	if err := certificate.Write(t.Context(), &file, t.machine, h, slices.Values(states), certificate.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	c, err := certificate.Open(&file)
	if err != nil {
		return nil, err
	}
	return c.Check(t.Context(), t.machine, certificate.Options{Properties: t.properties()})
}
