package properties

import (
	"context"
	"time"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// check is the check of one configuration: what it is asked, and what its engines have
// found so far. Auto may run several searches one after the other.
type check struct {
	machine spec.Machine
	config  model.Config
	props   []Property
	notes   map[string]string
	options Options

	sys       system // of the current search, like the rest of this group
	reference *model.Reference
	temporal  []*temporal // of the Liveness properties, by index in props
	atoms     uint64      // the marks of the predicates in their formulas

	// An explicit search.
	result    *explore.Result
	preparing time.Duration     // time for learning before the search
	mayCircle func() bool       // tellCircles of the result, computed once
	runs      *explore.FairRuns // of the result; nil until needed
	circling  map[uint8]Finding // by mark: Liveness properties that a glance found violated
	glancing  time.Duration     // time for the glances
	reducing  bool
	reduction string // Reduced, or why not; empty if not asked for

	// The symbolic engine.
	tried []Attempt
	doing string // what it is doing now, in words

	// Findings kept from an earlier search, or from before a search went on on disk.
	kept    map[uint8]Finding // by mark
	seen    Stats
	near    bool   // states were explored one by one as long as that is quick
	because string // why Auto took the engine that it took
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
	return Finding{Property: p, Name: p.Name, Doc: p.Doc, Kind: p.Kind, Note: c.notes[p.Name]}
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
