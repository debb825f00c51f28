package drive

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"

	"interleave/impl/transport"
	"interleave/model"
	"interleave/spec"
)

// Options says what Cover compares.
type Options struct {
	Real      spec.Machine // what the processes run; nil: the machine of the model
	MaxStates int          // bounds the states of the model that are explored; 0: DefaultMaxStates
	Progress  func(covered, total int)
	// Ran gets the logs and packets of each run that was performed to its end. Its
	// error ends Cover. nil: nothing is called.
	Ran func(Ran) error

	tamper func(spec.ID, transport.Transport) transport.Transport
}

// DefaultMaxStates bounds what Cover explores.
const DefaultMaxStates = 200_000

// Report is what Cover found.
type Report struct {
	Algorithm    string        `json:"algorithm"`
	Real         string        `json:"real,omitempty"` // what the processes ran, if it is another
	Config       model.Config  `json:"config"`
	Datagrams    bool          `json:"datagrams"` // processes ran on bare datagrams
	States       int           `json:"states"`    // of the model
	Bounded      bool          `json:"bounded"`   // there are more states
	Interrupted  bool          `json:"interrupted,omitempty"`
	Classes      Coverage      `json:"classes"`
	Kinds        []Kind        `json:"kinds"` // every kind of action that the world has
	Uncovered    []Uncovered   `json:"uncovered,omitempty"`
	Runs         int           `json:"runs"`
	Steps        int           `json:"steps"`            // classes of the model, performed and compared
	Panics       int           `json:"panics,omitempty"` // those of them in which a handler panics
	Refusals     Coverage      `json:"refusals"`         // classes of refusals in the model that were tried
	Verdict      Verdict       `json:"verdict"`
	Disagreement *Disagreement `json:"disagreement,omitempty"`
	Trace        *model.Trace  `json:"trace,omitempty"` // the run up to it, as the model takes it
}

// Coverage is how many were performed, and how many there are.
type Coverage struct {
	Covered int `json:"covered"`
	Total   int `json:"total"`
}

// Kind is a kind of action and how often it was performed.
type Kind struct {
	Kind      string `json:"kind"`
	Performed int    `json:"performed"`
	Possible  bool   `json:"possible"` // the model takes it in some reachable state
}

// Uncovered is a class that was not performed.
type Uncovered struct {
	Class  string `json:"class"`
	Reason string `json:"reason"`
}

// ImpossibleError is a step that no driver can make real processes take.
type ImpossibleError struct {
	Step   int // from 1; 0: the world
	What   string
	Reason string
}

func (e *ImpossibleError) Error() string {
	if e.Step == 0 {
		return e.Reason
	}
	return fmt.Sprintf("step %d, %s: %s", e.Step, e.What, e.Reason)
}

// Property is the name of the property in traces that end in a disagreement.
const Property = "conformance"

// drivable refuses worlds in which nothing can be driven.
func drivable(c model.Config) error {
	if c.Timers == model.Timed {
		return &ImpossibleError{Reason: "the driver is the clock, and has no ticks: take timers that expire otherwise"}
	}
	return nil
}

// Cover makes real processes of a machine take a set of runs through real sockets, and
// compares them with the model after every step. The runs go through every class of
// local steps that can be driven. A disagreement is in the report, and is no error. If
// ctx ends before, the model has more states, or nothing can be driven, the verdict is Unknown.
func Cover(ctx context.Context, m spec.Machine, c model.Config, o Options) (*Report, error) {
	if err := drivable(c); err != nil {
		return nil, err
	}
	if o.Real == nil {
		o.Real = m
	}
	if o.MaxStates == 0 {
		o.MaxStates = DefaultMaxStates
	}
	d, err := newScheduler(m, c)
	if err != nil {
		return nil, err
	}
	a, err := explore(ctx, d, o.MaxStates)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "mc-drive-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	s, err := newTestbed(o.Real, c, folder)
	if err != nil {
		return nil, err
	}
	s.tamper = o.tamper
	v := &cover{scheduler: d, coverageMap: a, testbed: s, options: o, performed: map[int]bool{}, refused: map[class]bool{}, kinds: map[string]int{}}
	v.report = &Report{Algorithm: m.Traits().Name, Config: c, Datagrams: s.datagrams, States: a.states, Bounded: !a.whole}
	if name := o.Real.Traits().Name; name != v.report.Algorithm {
		v.report.Real = name
	}
	run := func(b beginning, groups []group) (bool, error) { return v.run(ctx, b, groups) }
	if err = a.paths(v.performed, run); err == nil && v.report.Disagreement == nil {
		err = a.refusals(v.refused, run)
	}
	v.report.Interrupted = ctx.Err() != nil
	if err == nil && v.report.Disagreement == nil && a.whole && v.report.Runs > 0 && !v.report.Interrupted {
		v.report.Verdict = Agrees
	}
	return v.finish(), errors.Join(err, s.close())
}

// cover is one call of Cover.
type cover struct {
	scheduler   *scheduler
	coverageMap *coverageMap
	testbed     *testbed
	options     Options
	report      *Report
	performed   map[int]bool   // classes, by number
	refused     map[class]bool // refusals, by class: those that were tried
	kinds       map[string]int
	taken       int // groups of the current run, the last perhaps not to its end
}

// attempts is how often a run that ends in silence is tried, since the machine may lose
// a datagram.
const attempts = 3

// run performs a path; false: it ends in a disagreement, and no further one is needed.
func (v *cover) run(ctx context.Context, b beginning, groups []group) (goOn bool, err error) {
	v.report.Runs++
	for range attempts {
		steps, panics, kinds := v.report.Steps, v.report.Panics, maps.Clone(v.kinds)
		var quiet *silence
		if err = v.perform(ctx, b, groups); !errors.As(err, &quiet) {
			break
		}
		v.report.Steps, v.report.Panics, v.kinds = steps, panics, kinds
	}
	var d *Disagreement
	var quiet *silence
	switch {
	case errors.As(err, &quiet):
		d = &Disagreement{Verdict: Missing, What: fmt.Sprintf("%v, %d times", quiet, attempts), Silent: true}
	case errors.As(err, &d):
	case err != nil && ctx.Err() != nil:
		return false, nil
	case err != nil:
		return false, err
	default:
		return true, nil
	}
	v.report.Verdict, v.report.Disagreement = d.Verdict, d
	return false, v.trace(b, groups, d)
}

// perform performs the groups one after the other.
func (v *cover) perform(ctx context.Context, b beginning, groups []group) error {
	v.taken = 0
	if err := v.testbed.begin(b); err != nil {
		return err
	}
	pt := b.point
	for i := range groups {
		if err := ctx.Err(); err != nil {
			return err
		}
		v.taken = i + 1
		if err := v.testbed.perform(pt, &groups[i]); err != nil {
			return err
		}
		for _, n := range v.coverageMap.passes(pt, &groups[i]) {
			v.performed[n] = true
		}
		before := pt.state
		for _, step := range groups[i].steps {
			v.report.Steps++
			if step.Panic != "" {
				v.report.Panics++
			}
			v.kinds[v.scheduler.kind(before, step)]++
			before = step.After
		}
		pt = groups[i].after
	}
	if err := askAll(v.testbed, v.scheduler, pt, groups, v.refused); err != nil {
		return err
	}
	if err := v.ran(); err != nil {
		return err
	}
	if v.options.Progress != nil {
		v.options.Progress(len(v.performed), len(v.coverageMap.classes))
	}
	return nil
}

// ran passes the logs and packets of a run to Options.Ran.
func (v *cover) ran() error {
	if v.options.Ran == nil {
		return nil
	}
	if err := v.testbed.clear(); err != nil {
		return err
	}
	var logs [][]byte
	for i := range v.testbed.logs {
		logs = append(logs, v.testbed.logs[i].Bytes())
	}
	return v.options.Ran(Ran{logs, v.testbed.tap.packets})
}

// trace records the run that ends in a disagreement.
func (v *cover) trace(b beginning, groups []group, d *Disagreement) error {
	var events []model.Event
	for _, m := range groups[:v.taken] {
		for _, step := range m.steps {
			events = append(events, step.Event)
		}
	}
	t, _, err := model.Record(v.scheduler.reference, b.point.state, events)
	if err != nil {
		return err
	}
	t.Property, t.Reason = Property, d.Error()
	v.report.Trace = t
	return nil
}

// finish completes the report.
func (v *cover) finish() *Report {
	r, a := v.report, v.coverageMap
	r.Refusals.Total = len(a.refused)
	for c := range a.refused {
		if v.refused[c] {
			r.Refusals.Covered++
		}
	}
	for n, c := range a.classes {
		switch {
		case c.action != "":
		case v.performed[n]:
			r.Classes.Covered++
			fallthrough
		default:
			r.Classes.Total++
		}
		if !v.performed[n] {
			r.Uncovered = append(r.Uncovered, Uncovered{v.scheduler.text(c), a.why(n)})
		}
	}
	for _, kind := range v.scheduler.allKinds() {
		r.Kinds = append(r.Kinds, Kind{kind, v.kinds[kind], a.kinds[kind]})
	}
	return r
}
