package properties

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"interleave/model"
	"interleave/properties/internal/simulate"
	"interleave/spec"
)

// SimulateOptions of Simulate. The zero value takes 10,000 runs of up to 1,000 steps, by all schedulers in turn.
type SimulateOptions struct {
	Scheduler   Scheduler
	Depth       int           // of PCT: a bug of that depth is found with a probability that the report bounds; 0: 3
	Runs        int           // 0: 10,000, or any number if For is set
	Steps       int           // of a run, at most; 0: 1,000
	For         time.Duration // a run that goes on after it does not count; 0: no limit
	Seed        uint64        // the same seed and number of runs give the same Simulation
	Workers     int           // goroutines, each with tables of its own; 0: 1. The Simulation is the same for any number
	Direct      bool          // without the tables: slow, for comparison
	OnlyReached bool          // call handlers only for steps that are possible in the states of a run
	tables      int64         // bytes that those of a worker may have; 0: some

	// ThenVerify is how many states a search from a suspicious state may meet: one where a run came to rest, or how far it
	// came, or on the way there. With it, Recoverables are judged, and all else also in what can follow. 0: none.
	ThenVerify int

	Catalogue Catalogue // of the properties to judge when none are given, and of names

	Progress func(SimulateStats)
	Slow     func(Call) // while a handler does not return; from a goroutine of its own
}

// Scheduler is a way to choose the steps of a run.
type Scheduler = simulate.Scheduler

// The schedulers.
const (
	MixedScheduler    = simulate.Mixed    // the others in turn
	UniformScheduler  = simulate.Uniform  // any step of a state
	PCTScheduler      = simulate.PCT      // by random priorities, which change at a few random moments
	FaultsScheduler   = simulate.Faults   // faults at random moments, in combinations that are rare otherwise
	CoverageScheduler = simulate.Coverage // from where an earlier run met something new
)

// SchedulerNames are the schedulers in words.
var SchedulerNames = simulate.SchedulerNames

// SimulateStats says what the runs of a Simulation met.
type SimulateStats = simulate.Stats

// SimulationVersion is the version of the JSON form of a Simulation.
const SimulationVersion = 1

// Simulation is the outcome of Simulate. It verifies nothing: a property without a violation stays Inconclusive.
type Simulation struct {
	Version     int           `json:"version"`
	Algorithm   string        `json:"algorithm"`
	Config      model.Config  `json:"config"`
	Assumptions []string      `json:"assumptions"`
	Scheduler   Scheduler     `json:"scheduler"`
	Depth       int           `json:"depth,omitempty"`     // of PCT
	Bound       float64       `json:"pct_bound,omitempty"` // of PCT: each run of Stats.Measured finds a bug of that depth with at least this probability
	MaxSteps    int           `json:"max_steps"`           // of a run
	Seed        uint64        `json:"seed"`
	Verdict     Verdict       `json:"verdict"` // Violated or Inconclusive
	Findings    []Finding     `json:"properties"`
	Run         int           `json:"run,omitempty"`         // the first that violates a property
	RunSteps    int           `json:"run_steps,omitempty"`   // its steps, before it was made smaller
	AheadSteps  int           `json:"ahead_steps,omitempty"` // of these: by a search from a suspicious state of the run
	CutOff      bool          `json:"cut_off,omitempty"`     // before the run was as small as it can be: by time, by the number of steps tried, or by ThenVerify
	Reached     []Reached     `json:"reached"`               // the goals of covers
	Unreached   []string      `json:"unreached"`
	NotJudged   []string      `json:"not_judged"` // properties of whole runs, of which no run shows that they are violated
	NeverFired  []string      `json:"never_fired"`
	ThenVerify  int           `json:"then_verify,omitempty"` // how many states a search from a suspicious state may meet
	Ahead       *Ahead        `json:"ahead,omitempty"`       // of ThenVerify
	Stats       SimulateStats `json:"stats"`
}

// Ahead says what a Simulation found out of what can follow suspicious states.
type Ahead = simulate.Ahead

// Reached says which run reached the goal of a cover first.
type Reached struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
	simulate.Reached
}

// Simulate takes runs of machine m in the world c by a schedule, up to the first that violates one of the properties; nil
// means those of the Standard ones of SimulateOptions.Catalogue that count and that a run can violate. That run is
// made smaller, and replayed through the handlers. Errors are those of Verify. When ctx ends, all ends with what was found.
func Simulate(ctx context.Context, m spec.Machine, c model.Config, props []Property, o SimulateOptions) (*Simulation, error) {
	if o.For > 0 && o.ThenVerify == 0 { // a call that does not return is told then
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.For+overtime*patience)
		defer cancel()
	}
	return supervise(ctx, m, o.Slow, outside*patience, func(m spec.Machine) (*Simulation, error) { return simulated(ctx, m, c, props, o) })
}

// overtime is how often patience the last runs may take when For is over, to make one smaller included.
const overtime = 30

func simulated(ctx context.Context, m spec.Machine, c model.Config, props []Property, o SimulateOptions) (*Simulation, error) {
	o.fill()
	s := &Simulation{
		Version: SimulationVersion, Algorithm: m.Traits().Name, Scheduler: o.Scheduler, MaxSteps: o.Steps, Seed: o.Seed, ThenVerify: o.ThenVerify,
		Reached: []Reached{}, Unreached: []string{}, NotJudged: []string{}, NeverFired: []string{},
	}
	q, judged, err := o.question(m, c, props, s)
	if err != nil {
		return nil, err
	}
	s.Config, s.Assumptions = q.Config, q.Config.Assumptions(m)
	a, err := q.Answer(ctx)
	if err != nil {
		return nil, err
	}
	s.Stats = a.Stats
	for i, p := range judged {
		reached, is := a.Reached[i]
		switch {
		case p.Kind != CoverKind:
			f := Finding{Property: p, Name: p.Name, Doc: p.Doc, Kind: p.Kind}
			if open := a.Ahead.Open[i]; open > 0 {
				f.Why = fmt.Sprintf("it is not known of %d of %d suspicious states", open, a.Ahead.States)
			}
			s.Findings = append(s.Findings, f)
		case is:
			s.Reached = append(s.Reached, Reached{p.Name, p.Doc, reached})
		default:
			s.Unreached = append(s.Unreached, p.Name)
		}
	}
	if o.ThenVerify > 0 {
		s.Ahead = &a.Ahead
	}
	if a.Found != nil {
		s.violated(append(judged, NoPanic)[a.Found.Property], a.Found)
		if err := auditRun(ctx, m.Traits().Code, s.Findings); err != nil {
			return nil, err
		}
	}
	for kind, n := range a.Fired {
		if n == 0 {
			s.NeverFired = append(s.NeverFired, kind)
		}
	}
	slices.Sort(s.NeverFired)
	if o.Scheduler == PCTScheduler && a.Measured > 0 {
		s.Depth, s.Bound = o.Depth, a.Bound(o.Depth)
	}
	return s, nil
}

// violated adds the finding on a property that a run violates.
func (s *Simulation) violated(p Property, found *simulate.Found) {
	f := Finding{
		Property: p, Name: p.Name, Doc: p.Doc, Kind: p.Kind,
		Verdict: Violated, Why: found.Reason, Depth: len(found.Trace.Steps), Trace: found.Trace,
	}
	s.Verdict, s.Run, s.RunSteps, s.AheadSteps, s.CutOff = Violated, found.Run, found.Steps, found.Ahead, !found.Whole
	if i := slices.IndexFunc(s.Findings, func(g Finding) bool { return g.Name == p.Name }); i >= 0 {
		s.Findings[i] = f
	} else { // NoPanic
		s.Findings = append(s.Findings, f)
	}
}

// fill replaces zero values by what they mean.
func (o *SimulateOptions) fill() {
	if o.Runs == 0 && o.For == 0 {
		o.Runs = 10_000
	}
	o.Depth, o.Steps, o.Workers = cmp.Or(o.Depth, 3), cmp.Or(o.Steps, 1000), cmp.Or(o.Workers, 1)
}

// The largest SimulateOptions.Steps, since a run is taken to its end, and Depth.
const MostSimulateSteps, MostSimulateDepth = 1_000_000, 20

// MostThenVerify is the largest SimulateOptions.ThenVerify: a Replay can confirm that no more can follow.
const MostThenVerify = 100_000

// check refuses what is out of range.
func (o *SimulateOptions) check() error {
	switch {
	case int(o.Scheduler) >= len(simulate.SchedulerNames):
		return fmt.Errorf("scheduler: there is no number %d: take one of the Schedulers", uint8(o.Scheduler))
	case o.Depth < 1 || o.Depth > MostSimulateDepth:
		return fmt.Errorf("depth: %d is out of range: give 1 to %d", o.Depth, MostSimulateDepth)
	case o.Runs < 0:
		return fmt.Errorf("runs: %d is negative", o.Runs)
	case o.Steps < 1 || o.Steps > MostSimulateSteps:
		return fmt.Errorf("steps: %d is out of range: give 1 to %d", o.Steps, MostSimulateSteps)
	case o.For < 0:
		return fmt.Errorf("for: %v is negative", o.For)
	case o.ThenVerify < 0 || o.ThenVerify > MostThenVerify:
		return fmt.Errorf("then verify: %d states are out of range: give up to %d", o.ThenVerify, MostThenVerify)
	}
	return nil
}

// errNothingJudged is why a gate does not pass that would judge nothing.
var errNothingJudged = errors.New("nothing is judged but that no handler panics: give properties of states or steps")

// question is what is asked of the world, and the properties that are judged.
func (o *SimulateOptions) question(m spec.Machine, c model.Config, props []Property, s *Simulation) (q *simulate.Question, judged []Property, err error) {
	verifying := Options{Catalogue: o.Catalogue}
	if err := cmp.Or(o.check(), verifying.checkWorld(m, c), o.Catalogue.check(m)); err != nil {
		return nil, nil, err
	}
	all, notes := props, map[string]string(nil)
	if props == nil {
		all, notes = o.Catalogue.standard(m, c)
	}
	for _, p := range all {
		switch {
		case isUndecided(p):
			return nil, nil, errors.New("properties.Undecided is for Verify, Test and TestBounded: leave it out")
		case notes[p.Name] != "":
		case simulate.Judges(p.Kind), p.Kind == RecoverableKind && o.ThenVerify > 0:
			judged = append(judged, p)
		default:
			s.NotJudged = append(s.NotJudged, p.Name)
		}
	}
	if props != nil && len(s.NotJudged) > 0 {
		return nil, nil, fmt.Errorf("%s: it is about whole runs, or what can follow, and a simulation judges states and steps only: leave it out, or take mc verify", strings.Join(s.NotJudged, ", "))
	}
	c = Watched(c, judged)
	if err := Check(m, c, judged); err != nil {
		return nil, nil, err
	}
	r, err := model.NewReference(m, c)
	if err != nil {
		return nil, nil, err
	}
	q = &simulate.Question{
		Machine: m, Config: c, Reference: r, NoPanic: statementOf(NoPanic, r, "", false),
		Scheduler: o.Scheduler, Depth: o.Depth, Runs: o.Runs, Steps: o.Steps, For: o.For, Seed: o.Seed, Workers: o.Workers, Direct: o.Direct, OnlyReached: o.OnlyReached, Tables: o.tables,
		ThenVerify: o.ThenVerify,
		Progress:   o.Progress,
	}
	for _, p := range Checked(m, judged) {
		q.Properties = append(q.Properties, statementOf(p, r, "", false))
	}
	return q, judged, nil
}
