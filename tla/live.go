package tla

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"interleave/explore"
	"interleave/explore/ltl"
	"interleave/tla/eval"
	"interleave/tla/value"
)

// property is a temporal formula taken apart: what has to be true at first, what
// of every state, what of every step, and the rest.
type property struct {
	name    string
	initial []*eval.Predicate
	always  []*eval.Predicate
	every   []*eval.Predicate
	live    []*eval.Temporal
}

func newProperty(name string, t *eval.Temporal) *property {
	p := &property{name: name}
	p.take(t)
	return p
}

func (p *property) take(t *eval.Temporal) {
	switch {
	case t.Op == eval.And:
		for _, a := range t.Args {
			p.take(a)
		}
	case t.Op == eval.State:
		p.initial = append(p.initial, t.Pred)
	case t.Op == eval.Every:
		p.every = append(p.every, t.Pred)
	case t.Op == eval.Always && t.Args[0].Op == eval.State:
		p.always = append(p.always, t.Args[0].Pred)
	default:
		p.live = append(p.live, t)
	}
}

// liveSystem is a system whose states know, in one more word, which of the actions
// that formulas ask for the last step was. A state with such knowledge has a step to
// the same state without, for a run that comes to rest does nothing again and again.
// An action tells the class of fairness: the lowest byte is the part, then come two
// bytes of the class and the number of the step.
type liveSystem struct {
	*system
	states  []*eval.Predicate // atoms, by their marks
	actions []*eval.Predicate // atoms of steps; their marks come after
	justice []eval.Justice
	broken  error
	seen    seen
}

// seen keeps what was found of states: all of them are expanded twice, in the search
// and where runs are judged, and to ask what is fair takes most of the time.
type seen struct {
	mu    sync.RWMutex
	steps map[string]*explore.Steps
	bytes int64
	most  int64 // bytes
}

// keptSteps is how many bytes of steps are kept, unless a quarter of the memory that
// is given is less.
const keptSteps = 1 << 30

func (k *seen) add(out *explore.Steps, words []uint64) bool {
	k.mu.RLock()
	known := k.steps[key(words)]
	k.mu.RUnlock()
	if known == nil {
		return false
	}
	out.Actions, out.States, out.Marks = append(out.Actions, known.Actions...), append(out.States, known.States...), append(out.Marks, known.Marks...)
	return true
}

// keep keeps the steps of a state, if there is room. Nothing else was in out before.
func (k *seen) keep(words []uint64, out *explore.Steps) {
	const others = 200 // of the map, and headers
	k.mu.Lock()
	defer k.mu.Unlock()
	size := others + int64(len(words)+len(out.Actions)+len(out.States)+2*len(out.Marks))*8
	if k.bytes+size > k.most {
		return
	}
	k.bytes += size
	k.steps[key(words)] = &explore.Steps{Actions: slices.Clone(out.Actions), States: slices.Clone(out.States), Marks: slices.Clone(out.Marks)}
}

const (
	forgets    = 255 // the part of steps that only forget
	maxAtoms   = 60
	maxJustice = 1 << 16
)

func (s *liveSystem) wide() bool { return len(s.actions) > 0 }

// outside reports whether a state stands for all that constraints cut off: its words
// are the zeros that no state begins with. Nothing is known there, and no run leads
// through it. Steps lead there to tell what is possible where they begin, as fairness
// is owed to them, too.
func (s *liveSystem) outside(words []uint64) bool { return words[0] == 0 }

// knows reports whether a state knows anything of the last step.
func (s *liveSystem) knows(words []uint64) bool { return s.wide() && words[s.width] != 0 }

// unrest is the class of every step out of a state that knows something. Weak
// fairness is owed to it, so that no run rests there; as all steps are in it, it asks
// nothing of a run that goes on.
func (s *liveSystem) unrest() explore.Action { return explore.Action(len(s.justice)+1) << 8 }

// Width is that of explore.System.
func (s *liveSystem) Width() int {
	if s.wide() {
		return s.width + 1
	}
	return s.width
}

// Bytes adds what is kept to what the values take.
func (s *liveSystem) Bytes() int64 {
	s.seen.mu.RLock()
	defer s.seen.mu.RUnlock()
	return s.system.Bytes() + s.seen.bytes
}

// Initial yields the initial states.
func (s *liveSystem) Initial(yield func([]uint64) bool) {
	wide := make([]uint64, s.Width())
	s.system.Initial(func(words []uint64) bool {
		copy(wide, words)
		return yield(wide)
	})
}

// Expander is that of explore.System.
func (s *liveSystem) Expander() explore.Expander {
	return &liveExpander{s, s.machine.Evaluator(), s.machine.Evaluator()}
}

type liveExpander struct {
	*liveSystem
	ev, other *eval.Evaluator
}

// Expand adds a step for every class that it belongs to, or one of no class.
func (x *liveExpander) Expand(words []uint64, out *explore.Steps) bool {
	if x.outside(words) {
		out.Cut = true
		return true
	}
	if x.seen.add(out, words) {
		return true
	}
	first := len(out.Actions)
	vals := x.decode(words[:x.width])
	err := x.marks(words, vals, out)
	if err == nil {
		err = x.steps(words, vals, out)
	}
	if err != nil {
		x.mu.Lock()
		x.broken = err
		x.mu.Unlock()
		out.Marks = append(out.Marks, explore.Mark{Bit: markFailed})
	} else if first == 0 {
		x.seen.keep(words, out)
	}
	return true
}

func (x *liveExpander) marks(words []uint64, vals []value.Value, out *explore.Steps) error {
	for i, q := range x.states {
		ok, err := x.other.Holds(q, vals, nil)
		if err != nil {
			return err
		}
		if ok {
			out.Marks = append(out.Marks, explore.Mark{Bit: uint8(i)})
		}
	}
	if x.wide() {
		for i := range x.actions {
			if words[x.width]>>i&1 != 0 {
				out.Marks = append(out.Marks, explore.Mark{Bit: uint8(len(x.states) + i)})
			}
		}
	}
	return nil
}

func (x *liveExpander) steps(words []uint64, vals []value.Value, out *explore.Steps) error {
	possible := make([]bool, len(x.justice))
	n := 0
	var inner error
	err := x.ev.Next(vals, func(part int, next []value.Value) bool {
		inner = x.step(words, vals, next, explore.Action(min(part, 254))|explore.Action(n)<<24, possible, out)
		n++
		return inner == nil
	})
	if err := cmpErr(inner, err); err != nil {
		return err
	}
	for i, j := range x.justice {
		if possible[i] {
			continue
		}
		ok, err := x.other.Holds(j.Enabled, vals, nil)
		if err != nil {
			return err
		}
		if ok {
			return fmt.Errorf("fairness is owed to %s, which is enabled where the next-state relation allows no such step: not supported", j.Name)
		}
	}
	if x.knows(words) {
		out.Add(forgets|x.unrest(), words)[x.width] = 0
	}
	return nil
}

// step adds a step for every class that it belongs to.
func (x *liveExpander) step(words []uint64, vals, next []value.Value, a explore.Action, possible []bool, out *explore.Steps) error {
	first := len(out.States)
	within, err := x.allowed(x.other, vals, next)
	if err != nil {
		return err
	}
	for i, j := range x.justice {
		ok, err := x.other.Holds(j.Taken, vals, next)
		if err != nil {
			return err
		}
		if ok {
			possible[i] = true
			if err := x.lead(out.Add(a|explore.Action(i+1)<<8, words), next, within); err != nil {
				return err
			}
		}
	}
	if !within {
		return nil
	}
	if x.knows(words) {
		a |= x.unrest()
	}
	if x.knows(words) || len(out.States) == first {
		if err := x.lead(out.Add(a, words), next, true); err != nil {
			return err
		}
	}
	if !x.wide() {
		return nil
	}
	seen := uint64(0)
	for i, q := range x.actions {
		ok, err := x.other.Holds(q, vals, next)
		if err != nil {
			return err
		}
		if ok {
			seen |= 1 << i
		}
	}
	for at := first + x.width; at < len(out.States); at += x.width + 1 {
		out.States[at] = seen
	}
	return nil
}

// lead writes where a step leads.
func (x *liveExpander) lead(dst []uint64, next []value.Value, within bool) error {
	clear(dst)
	if !within {
		return nil
	}
	return x.encode(dst[:x.width], next)
}

// fairness says what is owed to the class of a step.
func (s *liveSystem) fairness(_ []uint64, a explore.Action) (explore.Class, explore.Strength) {
	class := uint64(a) >> 8 & 0xffff
	if class == 0 {
		return 0, explore.Unfair
	}
	if class <= uint64(len(s.justice)) && s.justice[class-1].Strong {
		return explore.Class(class), explore.Strong
	}
	return explore.Class(class), explore.Weak
}

// translation makes formulas of package ltl, and atoms for their predicates. The
// atom of a step is named before it is known how many of states there are.
type translation struct {
	states, actions []*eval.Predicate
}

func (t *translation) of(f *eval.Temporal) *ltl.Formula {
	var args []*ltl.Formula
	for _, a := range f.Args {
		args = append(args, t.of(a))
	}
	switch f.Op {
	case eval.State:
		t.states = append(t.states, f.Pred)
		return ltl.Atom(fmt.Sprintf("s%d", len(t.states)-1))
	case eval.Again, eval.Some:
		t.actions = append(t.actions, f.Pred)
		once := ltl.Eventually(ltl.Atom(fmt.Sprintf("a%d", len(t.actions)-1)))
		if f.Op == eval.Some {
			return once
		}
		return ltl.Always(once)
	case eval.Every:
		panic("tla: [][A]_v inside of a formula") // Temporal refuses it
	case eval.And:
		return ltl.And(args...)
	case eval.Or:
		return ltl.Or(args...)
	case eval.Not:
		return ltl.Not(args[0])
	case eval.Always:
		return ltl.Always(args[0])
	}
	return ltl.Eventually(args[0])
}

// claim is a property of runs, as a formula.
type claim struct {
	*Finding
	formula *ltl.Formula
}

// judge judges the properties of runs, in searches of their own: those that speak of
// states only in one, as they need the same graph.
func (s *system) judge(ctx context.Context, o Options, bound string) ([]Finding, error) {
	findings := make([]Finding, 0, len(s.properties))
	together := &translation{}
	var shared []claim
	for _, p := range s.properties {
		if len(p.live) == 0 {
			continue
		}
		findings = append(findings, Finding{Name: p.name})
		tr := &translation{}
		if !slices.ContainsFunc(p.live, (*eval.Temporal).OfSteps) {
			tr = together
		}
		var all []*ltl.Formula
		for _, t := range p.live {
			all = append(all, tr.of(t))
		}
		c := claim{&findings[len(findings)-1], ltl.And(all...)}
		if tr == together {
			shared = append(shared, c)
			continue
		}
		if err := s.judgeAll(ctx, o, tr, bound, c); err != nil {
			return nil, err
		}
	}
	if shared == nil {
		return findings, nil
	}
	return findings, s.judgeAll(ctx, o, together, bound, shared...)
}

// judgeAll judges claims that were translated together. If bound is not empty, it says
// which runs were not looked at.
func (s *system) judgeAll(ctx context.Context, o Options, tr *translation, bound string, claims ...claim) error {
	live := &liveSystem{system: s, states: tr.states, actions: tr.actions, justice: s.justice}
	live.seen.steps, live.seen.most = map[string]*explore.Steps{}, keptSteps
	if o.Memory > 0 {
		live.seen.most = min(keptSteps, o.Memory/4)
	}
	undecided := func(why string) error {
		for _, c := range claims {
			c.Why = why
		}
		return nil
	}
	if len(live.states)+len(live.actions) > maxAtoms || len(live.justice) >= maxJustice {
		return undecided(fmt.Sprintf("it speaks of more than %d predicates: not supported", maxAtoms))
	}
	end := s.spec.Limit(ctx, o.Memory)
	r, err := explore.Search(ctx, live, explore.Options{Workers: o.Workers, Memory: o.Memory, Stop: 1 << markFailed, Progress: o.Progress})
	if err != nil {
		return err
	}
	defer r.Graph.Close()
	end()
	defer s.spec.Limit(context.WithoutCancel(ctx), 0)()
	switch {
	case live.broken != nil:
		return undecided(live.broken.Error())
	case r.Outcome != explore.Exhausted:
		return undecided(r.Outcome.Why(ctx))
	}
	runs, err := r.Graph.FairRuns(ctx, explore.RunOptions{Fair: live.fairness, Memory: o.Memory})
	if err != nil {
		why, err := unjudged(err)
		return errors.Join(err, undecided(why))
	}
	names, marks := tr.atoms()
	for _, c := range claims {
		if err := live.judge(ctx, c, r.Graph, runs, names, marks); err != nil {
			return err
		}
		if c.Verdict == explore.Verified && bound != "" {
			c.Verdict, c.Why = explore.Bounded, bound
			if _, any, err := runs.Accepted(ctx, ltl.And().Automaton(nil), nil); !any {
				c.Verdict, c.Why = explore.Inconclusive, bound+", and there are none"
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// judge looks for a fair run that is against a claim.
func (s *liveSystem) judge(ctx context.Context, c claim, g *explore.Graph, runs *explore.FairRuns, names []string, marks []uint8) error {
	against := ltl.Not(c.formula).Automaton(names)
	if against == nil {
		c.Why = "the formula is too large"
		return nil
	}
	lasso, found, err := runs.Accepted(ctx, against, marks)
	if err != nil {
		c.Why, err = unjudged(err)
		return err
	}
	c.Verdict = explore.Verified
	if found {
		c.Verdict = explore.Violated
		return s.lasso(c.Finding, g, lasso)
	}
	return nil
}

// atoms returns the names of all atoms, and their marks.
func (t *translation) atoms() (names []string, marks []uint8) {
	for i := range t.states {
		names, marks = append(names, fmt.Sprintf("s%d", i)), append(marks, uint8(i))
	}
	for i := range t.actions {
		names, marks = append(names, fmt.Sprintf("a%d", i)), append(marks, uint8(len(t.states)+i))
	}
	return names, marks
}

// unjudged says why properties of runs were not judged; or it returns the error, if
// that is no answer.
func unjudged(err error) (why string, _ error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, explore.ErrMemory) {
		return err.Error(), nil
	}
	return "", err
}

// lasso makes a trace of a lasso, without the steps that only forget.
func (s *liveSystem) lasso(f *Finding, g *explore.Graph, l explore.Lasso) error {
	t := &Trace{Variables: s.spec.Variables}
	loop := -1
	for i, n := range l.States {
		if i > 0 && uint8(l.Actions[i-1]) == forgets {
			if i == l.Loop {
				loop = len(t.States) - 1
			}
			continue
		}
		if i > 0 {
			step, _, err := s.step(t.States[len(t.States)-1], l.Actions[i-1]>>24<<8)
			if err != nil {
				return err
			}
			t.Steps = append(t.Steps, step)
		}
		if i == l.Loop {
			loop = len(t.States)
		}
		t.States = append(t.States, s.decode(g.State(n)[:s.width]))
	}
	f.Why = "a run that ends"
	t.Loop = loop + 1
	if loop < len(t.States)-1 {
		f.Why = "a run that circles"
	}
	f.Trace = t
	return nil
}
