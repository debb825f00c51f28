package properties

import (
	"context"
	"slices"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// check is the check of one configuration: what it is asked, and how far it has come. Auto
// may run several searches one after the other.
type check struct {
	machine spec.Machine
	config  model.Config
	props   []Property
	notes   map[string]string
	excused []string // the names of those that may stay undecided
	options Options

	subject
	stateSearch
	diagramSearch
	carried
}

// subject is what the current search explores, and what it watches.
type subject struct {
	sys       system
	reference *model.Reference
	temporal  []*temporal // of the Liveness properties, by index in props
	atoms     uint64      // the marks of the predicates in their formulas
}

// system is what model.System and model.Direct have in common.
type system interface {
	explore.System
	Event(words []uint64, a explore.Action) model.Event
	State(words []uint64) model.State
	Kinds() []string
	TableStats() model.TableStats
	Fairness() explore.Fairness
}

// judgeAll explores and judges all properties, and leaves nothing on disk.
func (c *check) judgeAll(ctx context.Context) (findings []Finding, stats Stats, err error) {
	defer func() { // even if a property panics
		if forgotten := c.forget(); err == nil {
			err = forgotten
		}
	}()
	c.kept = map[uint8]Finding{}
	findings, stats, err = c.byEngine(ctx)
	return c.recall(findings), stats, err
}

// finding returns an undecided finding on property p.
func (c *check) finding(p Property) Finding {
	return Finding{Property: p, Name: p.Name, Doc: p.Doc, Kind: p.Kind, Note: c.notes[p.Name], excused: slices.Contains(c.excused, p.Name)}
}

// nothing returns an undecided finding on each property, and why it is undecided.
func (c *check) nothing(why string) []Finding {
	findings := []Finding{}
	for _, p := range c.props {
		f := c.finding(p)
		f.Why = why
		findings = append(findings, f)
	}
	return findings
}

// unheld makes verdicts that hold for all runs Inconclusive, since some runs end in a panic, or
// may, and it is unknown what would have come after it.
func unheld(findings []Finding) []Finding {
	for i := range findings {
		f := &findings[i]
		if holds := f.Verdict == Verified || f.Verdict == Bounded; holds && (f.Kind == Liveness || f.Kind == Messages) {
			f.Verdict, f.Why, f.byEnds = Inconclusive, "a handler panics, and what would come after it is unknown", false
		}
	}
	return findings
}

// forget drops the result of the last search, unless Options.Keep.
func (c *check) forget() error {
	if c.result == nil || c.options.Keep {
		return nil
	}
	graph := c.result.Graph
	c.result, c.runs = nil, nil
	return graph.Close()
}
