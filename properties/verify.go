package properties

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"slices"

	"interleave/explore"
	"interleave/model"
	"interleave/properties/internal/plan"
	"interleave/spec"
)

// Options of Verify. The zero value checks Config.Ring with one worker to the
// end, or to the first violation.
type Options struct {
	AllRings    bool // every placement on the ring up to rotation
	Continue    bool // do not stop at the first violation
	Engine      Engine
	Diagram     Diagram // of the symbolic engine
	Direct      bool    // without the tables: slow, for comparison
	OnlyReached bool    // call handlers only for steps that some run takes; of the explicit engine, without Reduce
	Keep        bool    // the states, for Report.States, and a Witness of each goal; not with Symbolic, nor Reduce
	Reduce      bool    // leave out orders that make no difference, where the world and the properties allow it
	Workers     int     // goroutines; 0: 1. The report is the same for any number
	MaxStates   int     // on one ring; 0: no limit
	MaxDepth    int     // look at states up to that many steps away; 0: no limit. A pass is then Bounded
	Memory      int64   // bytes for states and tables; 0: no limit
	Spill       string  // a folder: past Memory, the explicit engine goes on on disk there; not with Keep

	// Store says what is kept of the states visited. With any but Exact nothing
	// is Verified or Bounded but the goal of a cover, and Stats.Omission says why.
	// Only of the explicit engine, with tables, and not with Keep, Spill, Reduce.
	Store explore.Store

	AssumeNothing bool // of existing code: look at what it is told to ignore, too

	Catalogue Catalogue // of the properties to check when none are given, and of names

	Progress func(explore.Stats) // called now and then
	Judging  func(explore.Look)  // likewise, while it looks for infinite runs
	Growth   func(Growth)        // likewise, by the symbolic engine
	Slow     func(Call)          // likewise, while a handler does not return; from a goroutine of its own
}

// Engine is a way to explore.
type Engine = plan.Engine

// The engines.
const (
	Explicit = plan.Explicit // state by state
	Symbolic = plan.Symbolic // sets of states, as decision diagrams
	Auto     = plan.Auto     // explicit as long as that is quick, then symbolic, then explicit to the end
)

// EngineNames are the engines in words.
var EngineNames = plan.EngineNames

// Diagram says how states become decision diagrams. What is nil is chosen automatically.
type Diagram = plan.Diagram

// ParseDiagram reads a list of words as in "content,chain,reversed": at most one each for the
// grouping, the strategy, the order, and whether the world is an over-approximation.
func ParseDiagram(text string) (Diagram, error) { return plan.ParseDiagram(text) }

// Growth says how far the symbolic engine has come.
type Growth = plan.Growth

// Verify explores machine m in the world c and judges the properties; nil means the Standard
// ones of Options.Catalogue. It returns an error if the configuration is refused, and a *ContradictionError if a
// counterexample does not replay. When ctx ends, the report is Inconclusive; it is an error if a
// handler does not return then.
func Verify(ctx context.Context, m spec.Machine, c model.Config, props []Property, o Options) (*Report, error) {
	return supervise(ctx, m, o.Slow, outside*patience, func(m spec.Machine) (*Report, error) { return verify(ctx, m, c, props, o) })
}

func verify(ctx context.Context, m spec.Machine, c model.Config, props []Property, o Options) (*Report, error) {
	if code := m.Traits().Code; code != nil && o.AssumeNothing {
		m = code.Strict()
	}
	if err := o.checkWorld(m, c); err != nil {
		return nil, err
	}
	props, undecided := splitUndecided(props)
	var notes map[string]string
	only := ""
	if props == nil {
		props, notes = o.Catalogue.standard(m, c)
		only = scope(m, props)
	}
	if err := o.Catalogue.check(m); err != nil {
		return nil, err
	}
	c = Watched(c, props)
	if err := Check(m, c, props); err != nil {
		return nil, err
	}
	undecided, err := o.Catalogue.namesOf(m, props, undecided)
	if err != nil {
		return nil, err
	}
	r := &Report{
		Version: ReportVersion, Algorithm: m.Traits().Name, Config: c, AllRings: o.AllRings, Direct: o.Direct,
		Assumptions: c.Assumptions(m), Stats: Stats{Fired: map[string]int{}, Complete: true}, MayStay: undecided, Scope: only, lacksBound: c.LacksBound(m.Traits()),
	}
	var instead []string // what to ask where a bound cuts runs short
	promised, _ := o.Catalogue.standard(m, c)
	for _, p := range promised {
		if p.stabilized != nil {
			instead = append(instead, p.Name)
		}
	}
	checked := Checked(m, props)
	all := slices.Values([]model.Config{c})
	if o.AllRings {
		all, r.RingsInAll = Rings(m, c), model.CountPlacements(c.N)
	}
	for c := range all {
		reference, err := model.NewReference(m, c)
		if err != nil {
			return nil, err
		}
		q := o.question(m, c, reference)
		q.NoPanic, q.Instead = statementOf(NoPanic, reference, "", false), instead
		for _, p := range checked {
			q.Properties = append(q.Properties, statementOf(p, reference, notes[p.Name], slices.Contains(undecided, p.Name)))
		}
		a, err := q.Answer(ctx)
		if err != nil {
			return nil, err
		}
		var findings []Finding
		for i, f := range a.Findings {
			p := NoPanic
			if i < len(props) {
				p = props[i]
			}
			findings = append(findings, findingOn(p, reference, f, notes[p.Name], slices.Contains(undecided, p.Name)))
		}
		r.merge(c.Ring, findings, a.Stats)
		r.states = a.States
		uncertain := a.Stats.Omission != nil && a.Stats.Omission.Ended // not a reason to stop
		if r.conclude(); ctx.Err() != nil || !o.Continue && (r.Verdict == Violated || r.Verdict == Inconclusive && !uncertain && slices.ContainsFunc(r.Findings, Finding.lacking)) {
			break
		}
	}
	r.missing(ctx)
	r.untested()
	r.NeverFired = r.neverFired()
	return r, r.audit(ctx, m.Traits().Code)
}

// schedule is how far each search of a check goes while another may do better.
var schedule = plan.StandardSchedule

// question is what is asked of one world, but for properties.
func (o *Options) question(m spec.Machine, c model.Config, r *model.Reference) *plan.Question {
	return &plan.Question{
		Machine: m, Config: c, Reference: r,
		Engine: o.Engine, Diagram: o.Diagram, Schedule: schedule, Continue: o.Continue, Direct: o.Direct, OnlyReached: o.OnlyReached, Keep: o.Keep, Reduce: o.Reduce, Workers: o.Workers,
		MaxStates: o.MaxStates, MaxDepth: o.MaxDepth, Memory: o.Memory, Spill: o.Spill, Store: o.Store,
		Progress: o.Progress, Judging: o.Judging, Growth: o.Growth,
	}
}

// statementOf is p as a search sees it.
func statementOf(p Property, r *model.Reference, note string, mayStay bool) plan.Property {
	q := plan.Property{Name: p.Name, Doc: p.Doc, Kind: p.Kind, Most: p.most, Uncounted: note != "", MayStay: mayStay}
	q.False = func(run *model.Run, loop int) error { return p.falseAtEnd(r, run) }
	q.Lost = func(s model.State, most int) (why error, sure bool) { return p.OutOfReach(r, s, most) }
	if p.Kind == LivenessKind {
		q.Runs = p.over(r.Config().N).Oppose()
		q.False = func(run *model.Run, loop int) error { return p.falseOnLasso(r, run, loop) }
	} else if p.Kind != MessagesKind {
		q.Watch = p.watch()
	}
	return q
}

// recovered turns a panic of a check of m into an error. It is to be deferred.
func recovered(m spec.Machine, err *error) {
	switch p := recover().(type) {
	case nil:
	case explore.Contradiction:
		*err = &ContradictionError{Reason: string(p)}
	case *explore.DiskError:
		*err = p
	case *explore.Panic:
		*err = model.OutsideHandlers(m, p.Said, p.Stack)
	default:
		*err = model.OutsideHandlers(m, p, debug.Stack())
	}
}

// checkWorld refuses a world in which m cannot be checked, and options that cannot be combined
// with it.
func (o *Options) checkWorld(m spec.Machine, c model.Config) error {
	if o.Keep && o.Spill != "" {
		return errors.New("the states are to be kept, which is in memory, and to spill to disk: leave one out")
	}
	if err := c.Check(m); err != nil {
		return err
	}
	if _, err := model.Home(m, c.N); err != nil { // which is not asked for here, but by others
		return err
	}
	if err := o.storable(c); err != nil {
		return err
	}
	if o.AllRings && !m.Traits().Ring {
		return &model.ConfigError{Axis: "ring", Reason: m.Traits().Name + " does not use the ring, so its placements are all the same: leave it out"}
	}
	return nil
}

// Check refuses properties that cannot be judged of m in the world c, as Verify does.
func Check(m spec.Machine, c model.Config, props []Property) error {
	marks := len(props)
	for _, p := range props {
		if p.Kind == RecoverableKind {
			marks++ // its goal
		}
		if isUndecided(p) {
			return errors.New("properties.Undecided is for Verify, Test and TestBounded: leave it out")
		}
		if p.unreadable != nil {
			return fmt.Errorf("the property %s: %w", p.Name, p.unreadable)
		}
		if err := p.Speaks(c.N); err != nil {
			return err
		}
		if p.Kind == LivenessKind {
			t := p.over(c.N).Oppose()
			if t.Against == nil {
				return fmt.Errorf("%s: the formula is too large: check its parts one by one", p.Name)
			}
			marks += len(t.Names)
		}
	}
	if marks > model.PanicMark {
		return fmt.Errorf("%d properties and predicates of formulas are too many: check up to %d at a time", marks, model.PanicMark)
	}
	for _, p := range props {
		if err := p.Suits(m); err != nil {
			return err
		}
		if p.stabilized != nil && m.Traits().Handles.Has(spec.Round) {
			return fmt.Errorf("%s means nothing to %s, which runs in lock-step rounds anyway: leave it out", p.Name, m.Traits().Name)
		}
	}
	return nil
}

// Rings yields c with every placement on the ring, up to rotation.
func Rings(m spec.Machine, c model.Config) iter.Seq[model.Config] {
	first := spec.ID(c.N)
	if m.Traits().Wins == spec.SmallestInitiator {
		first = 1
	}
	return func(yield func(model.Config) bool) {
		for ring := range model.Placements(c.N, first) {
			if c.Ring = ring; !yield(c) {
				return
			}
		}
	}
}

// storable refuses what cannot be combined with a lossy store.
func (o Options) storable(c model.Config) error {
	why := ""
	switch {
	case o.Store == explore.Exact:
		return nil
	case o.Engine == Symbolic, o.Diagram != Diagram{}:
		why = "decision diagrams are no such store"
	case o.Keep:
		why = "the states are to be kept, and it does not"
	case o.Spill != "":
		why = "it has no states to spill to disk"
	case o.Reduce:
		why = "to leave out orders takes a look for cycles, and that takes the states"
	case o.Direct || !c.HasTables():
		why = "lock-step rounds, clocks and --direct keep whole states in any case"
	default:
		return nil
	}
	return fmt.Errorf("store %v: %s: leave one out", o.Store, why)
}
