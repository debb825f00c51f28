package certificate

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// Options of Check. The zero value will do.
type Options struct {
	Properties []properties.Property // in addition to those known by name
	Memory     int64                 // bytes for which room is made at once, if so many states are said to follow
	Progress   func(done, of int)    // called now and then, with how many states were checked
}

// Result is what a certificate proves.
type Result struct {
	Findings  []*Finding
	Initial   int // states, all of them in the set
	States    int
	Steps     int // out of these states; none leads out of the set
	Quiescent int

	Assumes []spec.Assumption // what is taken for granted of existing code
	Audits  int               // how often another history of a state was tried
	Unseen  []string          // what matters perhaps and no text has
}

// Finding is the result for a property that is claimed to hold.
type Finding struct {
	Property properties.Property
	Doubt    string // why the certificate does not confirm it; empty: it is confirmed

	endsWell func(model.State) bool // Liveness: it is true of every run that ends in a state
	sure     bool                   // otherwise it is false of every such run

	goals []uint32 // Recoverable: the states that satisfy it
}

// RefutedError says that a certificate is well formed but proves nothing.
type RefutedError struct {
	Reason string
	State  *model.State // where; nil: not at a particular state
	Step   *model.Step  // out of State; nil if there is none
}

func (e *RefutedError) Error() string { return e.Reason }

// checker is a certificate being checked.
type checker struct {
	Header
	*set
	machine   spec.Machine
	reference *model.Reference
	options   Options
	result    Result

	next   [][]uint32 // by state, where its steps lead; nil unless they must form no cycle
	before [][]uint32 // by state, from where steps that help lead to it; nil unless something must be reached
}

// Check reads the rest of a certificate, which is of machine m, and confirms it. The error is a
// *RefutedError unless the file is at fault, or ctx ended.
func (c *Certificate) Check(ctx context.Context, m spec.Machine, o Options) (_ *Result, err error) {
	if name := m.Traits().Name; name != c.Header.Algorithm {
		return nil, fmt.Errorf("the certificate is of %s, not of %s", c.Header.Algorithm, name)
	}
	k := &checker{Header: c.Header, machine: m, options: o}
	if k.reference, err = model.NewReference(m, k.Config); err != nil {
		return nil, fmt.Errorf("its world: %w", err)
	}
	for _, name := range k.Properties {
		p, err := election.Find(m, name, o.Properties...)
		if err = cmp.Or(err, election.Check(m, k.Config, []properties.Property{p})); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(k.result.Findings, func(f *Finding) bool { return f.Property.Name == p.Name }) { // each may have a run repeated
			return nil, fmt.Errorf("the property %s stands there twice", p.Name)
		}
		k.result.Findings = append(k.result.Findings, &Finding{Property: properties.Checked(m, []properties.Property{p})[0]})
	}
	if k.set, err = c.read(ctx, m, k.reference, o.Memory); err != nil {
		return nil, err
	}
	if err := k.check(ctx); err != nil {
		return &k.result, err
	}
	return &k.result, k.audit(ctx)
}

// audit puts to the test what is taken for granted of existing code.
func (k *checker) audit(ctx context.Context) error {
	code := k.machine.Traits().Code
	if code == nil {
		return nil
	}
	var err error
	k.result.Assumes, k.result.Unseen = code.Assumes(), code.Unseen()
	if k.result.Audits, _, err = code.Audit(ctx); err != nil {
		return &RefutedError{Reason: err.Error()}
	}
	return ctx.Err()
}

// check examines everything once; a Leader or a property may panic during this.
func (k *checker) check(ctx context.Context) (err error) {
	var now model.State
	defer func() {
		if p := recover(); p != nil {
			err = refuted(now, nil, "%v", model.OutsideHandlers(k.machine, p, debug.Stack()))
		}
	}()
	for i, f := range k.result.Findings {
		if err := k.prepare(f, k.Properties[i]); err != nil {
			return err
		}
	}
	initial := map[int]bool{} // some may be the same, as a leader that is down is no initiator
	for _, now = range k.reference.Initial() {
		n, found := k.find(make([]byte, k.width()), model.State{}, now)
		if !found {
			return refuted(now, nil, "an initial state is not in the set")
		}
		initial[n] = true
	}
	k.result.Initial, k.result.States = len(initial), k.size()
	for n := range k.size() {
		if n%1024 == 0 && k.options.Progress != nil {
			k.options.Progress(n, k.size())
		}
		now = k.state(n)
		if err := k.look(ctx, n, now); err != nil {
			return err
		}
	}
	for _, f := range k.result.Findings {
		if f.Property.Kind != properties.RecoverableKind {
			continue
		}
		if n := k.lost(f.goals); n >= 0 {
			return refuted(k.state(n), nil, "from a state of the set none that satisfies %s can be reached without a further fault", f.Property.Name)
		}
	}
	cycles := k.next != nil && !k.acyclic()
	for _, f := range k.result.Findings {
		if f.Doubt == "" && f.Property.Kind == properties.LivenessKind && cycles {
			f.Doubt = "steps lead round in a cycle, and a set of states does not say whether a fair run may stay there"
		} else if f.Doubt == "" {
			f.Doubt = f.Property.Untested(k.result.Quiescent, k.result.Steps)
		}
	}
	return nil
}

func refuted(s model.State, step *model.Step, format string, args ...any) error {
	return &RefutedError{fmt.Sprintf(format, args...), &s, step}
}

// prepare decides how a property is to be confirmed: by a run, which it repeats; in the set; or
// not at all. The certificate gives it a name, which may be the short one.
func (k *checker) prepare(f *Finding, name string) error {
	switch f.Property.Kind {
	case properties.MessagesKind:
		f.Doubt = "how many messages the runs send is not for a set of states to say"
	case properties.CoverKind:
		return k.reach(f, name)
	case properties.RecoverableKind:
		k.before = make([][]uint32, k.size())
	case properties.LivenessKind:
		f.Doubt = "it does not follow from where runs end"
		if f.endsWell, f.sure = f.Property.EndsWell(k.reference); f.endsWell != nil {
			f.Doubt, k.next = "", make([][]uint32, k.size())
		}
	}
	return nil
}

// reach repeats the run to the goal of a cover.
func (k *checker) reach(f *Finding, name string) error {
	i := slices.IndexFunc(k.Runs, func(run *model.Trace) bool { return run != nil && run.Property == name })
	if i < 0 {
		f.Doubt = "a set of states does not say what can be reached, and the certificate has no run to it"
		return nil
	}
	run := k.Runs[i]
	run.Algorithm, run.Config = k.Algorithm, k.Config
	_, repeated, err := model.Replay(k.machine, run)
	if err != nil {
		return &RefutedError{Reason: fmt.Sprintf("the run to %s does not happen: %v", run.Property, err)}
	}
	if end := repeated.End(); !f.Property.Reached(k.reference.World(end)) {
		return refuted(end, nil, "the run to %s does not end there", run.Property)
	}
	return nil
}

// look confirms what is claimed of state n, and of the steps out of it.
func (k *checker) look(ctx context.Context, n int, s model.State) error {
	w := k.reference.World(s)
	for _, f := range k.result.Findings {
		if err := f.Property.InState(w); err != nil {
			return refuted(s, nil, "%s is false in a state of the set: %v", f.Property.Name, err)
		}
		if f.Property.Kind == properties.RecoverableKind && f.Property.Reached(w) {
			f.goals = append(f.goals, uint32(n))
		}
		switch {
		case f.Doubt != "" || f.endsWell == nil || !w.Quiescent() || f.endsWell(s):
		case f.sure:
			return refuted(s, nil, "%s is false of a run that ends in a state of the set", f.Property.Name)
		default:
			f.Doubt = "there is a state in which a run may end and violate it"
		}
	}
	if w.Quiescent() {
		k.result.Quiescent++
	}
	return k.follow(ctx, n, s)
}

// follow confirms that the steps out of state n lead to states of the set, and what is claimed
// of these steps.
func (k *checker) follow(ctx context.Context, n int, before model.State) error {
	for step := range k.reference.EachStep(before) {
		if step.Panic != "" {
			return refuted(before, &step, "a handler panics: %s", step.Panic)
		}
		to, found := k.find(k.row(n), before, step.After)
		if !found {
			return refuted(before, &step, "a step leads out of the set, to a state that is not in it")
		}
		for _, f := range k.result.Findings {
			if err := f.Property.OnStep(k.reference, before, step); err != nil {
				return refuted(before, &step, "%s is false on a step: %v", f.Property.Name, err)
			}
		}
		if k.next != nil {
			k.next[n] = append(k.next[n], uint32(to))
		}
		if k.before != nil && k.reference.Helps(before, step) {
			k.before[to] = append(k.before[to], uint32(n))
		}
		k.result.Steps++
	}
	return ctx.Err() // a property may take long over one state
}

// acyclic reports whether the steps, failures included, form no cycle: whether all states can be
// removed one by one, each when no step from a state that is left leads to it.
func (k *checker) acyclic() bool {
	into := make([]uint32, k.size()) // how many steps from states that are left
	for _, next := range k.next {
		for _, to := range next {
			into[to]++
		}
	}
	var removed []uint32
	for n, steps := range into {
		if steps == 0 {
			removed = append(removed, uint32(n))
		}
	}
	for i := 0; i < len(removed); i++ {
		for _, to := range k.next[removed[i]] {
			if into[to]--; into[to] == 0 {
				removed = append(removed, to)
			}
		}
	}
	return len(removed) == k.size()
}

// lost returns a state from which steps that help lead to none of the goals; -1 if there is none. It goes back from them.
func (k *checker) lost(goals []uint32) int {
	reach := make([]bool, k.size())
	met := func(n uint32) bool {
		old := reach[n]
		reach[n] = true
		return old
	}
	ahead := slices.DeleteFunc(goals, met)
	for i := 0; i < len(ahead); i++ {
		ahead = append(ahead, slices.DeleteFunc(slices.Clone(k.before[ahead[i]]), met)...)
	}
	return slices.Index(reach, false)
}
