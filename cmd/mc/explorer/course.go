package explorer

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// A Subject is what somebody wants to look at: a trace of an algorithm, or its world
// from the beginning if Trace is nil.
type Subject struct {
	Name       string // what the page calls it, such as the name of a file
	Machine    spec.Machine
	Config     model.Config
	Trace      *model.Trace
	Properties []properties.Property // to be judged along it; nil: the standard ones, and that of the trace
	Own        []properties.Property // that of the trace may be one of these, which do not come with Interleave
	Axes       []Axis                // by name and help: those that the page may change
}

// course is a run to look at: a repeated trace, or no steps yet.
type course struct {
	Subject
	reference *model.Reference
	run       *model.Run
	initial   []model.State
	judges    []properties.Property // in the order in which they are shown
	notes     map[string]string     // why one of them does not count
	reason    string                // why the property of the trace is false
	refuted   string                // why the trace is not repeated to its end, or shows nothing
	census    *census
}

// census counts the states of a world, once.
type census struct {
	sync.Mutex
	counted *Histogram // nil: nobody asked yet
}

// forOne returns a course for one goroutine: a reference counts what it does.
func (c *course) forOne() *course {
	mine, reference := *c, *c.reference
	mine.reference = &reference
	return &mine
}

func newCourse(s Subject) (*course, error) {
	c := &course{Subject: s, census: &census{}}
	var err error
	if s.Trace == nil {
		if c.reference, err = model.NewReference(s.Machine, s.Config); err != nil {
			return nil, err
		}
	} else if err = c.repeat(); err != nil {
		return nil, err
	}
	c.initial = c.reference.Initial()
	if c.run == nil {
		c.run = &model.Run{States: c.initial[:1]}
	}
	return c, c.judged()
}

// repeat repeats the trace. One that is refuted is shown as far as it is confirmed.
func (c *course) repeat() (err error) {
	c.Config = c.Trace.Config
	var refuted *model.ReplayError
	if _, known := election.Find(c.Machine, c.Trace.Property, c.known()...); known != nil {
		c.reference, c.run, c.reason, err = properties.ReplaySteps(c.Machine, c.Trace)
	} else {
		c.reference, c.run, c.reason, err = election.Replay(c.Machine, c.Trace, c.known()...)
	}
	switch {
	case errors.As(err, &refuted) && c.run != nil && len(c.run.States) > 0, errors.Is(err, properties.ErrHolds):
		c.refuted = err.Error()
		return nil
	}
	return err
}

// known are the properties that go before those that come with Interleave.
func (c *course) known() []properties.Property {
	return slices.Concat(c.Properties, c.Own, []properties.Property{properties.NoPanic})
}

// judged fills in the properties to be judged.
func (c *course) judged() error {
	if err := election.Check(c.Machine, c.Config, nil); err != nil {
		return err
	}
	if c.judges = slices.Clone(c.Properties); c.judges == nil {
		c.judges, c.notes = election.Standard(c.Machine, c.Config)
	}
	if c.Trace == nil {
		return nil
	}
	p, err := election.Find(c.Machine, c.Trace.Property, c.known()...)
	if err != nil {
		return nil // of real processes that disagreed, say
	}
	delete(c.notes, p.Name) // it was asked for, so it counts
	others := slices.DeleteFunc(c.judges, func(q properties.Property) bool { return q.Name == p.Name })
	c.judges = slices.Insert(others, 0, p)
	return p.Speaks(c.Config.N)
}

// loop is the step from which on the run repeats; 0: it does not.
func (c *course) loop() int {
	if c.Trace == nil || c.refuted != "" {
		return 0
	}
	return c.Trace.Loop
}

// A Place is a state of a course or beside it: after so many of its steps, and then
// after the steps that the choices take, each a place in what is possible.
type Place struct {
	which
	Initial int   `json:"initial"` // of a course without a trace: which of the initial states
	Steps   int   `json:"steps"`
	Choices []int `json:"choices"`
}

// maxChoices bounds how far somebody may go beside a trace.
const maxChoices = 2000

// walk returns the run to a place.
func (c *course) walk(p Place) (*model.Run, error) {
	run := &model.Run{States: slices.Clone(c.run.States), Steps: slices.Clone(c.run.Steps)}
	switch {
	case p.Steps < 0 || p.Steps > len(run.Steps):
		return nil, fmt.Errorf("there is no step %d: the run has %d", p.Steps, len(run.Steps))
	case p.Initial < 0 || p.Initial >= len(c.initial) || p.Initial > 0 && c.Trace != nil:
		return nil, fmt.Errorf("there is no initial state %d: there are %d", p.Initial, len(c.initial))
	case len(p.Choices) > maxChoices:
		return nil, fmt.Errorf("%d choices are too many: up to %d are taken", len(p.Choices), maxChoices)
	case p.Steps >= len(run.States) && len(p.Choices) > 0:
		return nil, errors.New("the handler panics there, so nothing follows")
	}
	run.Steps, run.States = run.Steps[:p.Steps], run.States[:min(p.Steps+1, len(run.States))]
	if c.Trace == nil {
		run.States[0] = c.initial[p.Initial]
	}
	for i, choice := range p.Choices {
		steps := c.reference.Steps(run.End())
		if choice < 0 || choice >= len(steps) {
			return nil, fmt.Errorf("choice %d: there is no step %d: %d are possible", i+1, choice, len(steps))
		}
		step := steps[choice]
		run.Steps = append(run.Steps, step)
		if step.Panic != "" {
			if i+1 < len(p.Choices) {
				return nil, fmt.Errorf("choice %d: the handler panics, so nothing follows", i+1)
			}
			return run, nil
		}
		run.States = append(run.States, step.After)
	}
	return run, nil
}
