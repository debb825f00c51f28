package properties

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"interleave/explore"
	"interleave/model"
	"interleave/properties/internal/plan"
	"interleave/spec"
)

// ReportVersion is the version of the JSON form of a Report.
const ReportVersion = 2

// Verdict is what a check found out.
type Verdict = explore.Verdict

// The verdicts, as in package explore.
const (
	Inconclusive = explore.Inconclusive
	Verified     = explore.Verified
	Bounded      = explore.Bounded
	Violated     = explore.Violated
)

// Report is the outcome of Verify.
type Report struct {
	Version     int          `json:"version"`
	Algorithm   string       `json:"algorithm"`
	Config      model.Config `json:"config"`
	AllRings    bool         `json:"all_rings"` // every placement up to rotation, not only Config.Ring
	Assumptions []string     `json:"assumptions"`
	Verdict     Verdict      `json:"verdict"`
	Why         string       `json:"why,omitempty"` // if it is neither Verified nor Violated
	Findings    []Finding    `json:"properties"`
	Scope       string       `json:"scope,omitempty"`     // if no more was checked than any algorithm owes: that, and how to write more
	NeverFired  []string     `json:"never_fired"`         // kinds of action that the world allows and that did not happen
	MayStay     []string     `json:"undecided,omitempty"` // the properties that may stay undecided
	Stats       Stats        `json:"stats"`               // over all rings
	Rings       []RingStats  `json:"rings,omitempty"`
	RingsInAll  int          `json:"rings_in_all,omitempty"` // Rings is shorter if the check stopped early
	Direct      bool         `json:"direct"`

	Assumes []spec.Assumption  `json:"assumes,omitempty"` // of existing code: what is taken for granted
	Audits  int                `json:"audits,omitempty"`  // so many times another history of a state was tried
	Fields  []spec.FieldValues `json:"fields,omitempty"`  // of a search that did not end: the parts of objects with the most values

	states     iter.Seq[model.State] // of the last ring
	lacksBound bool                  // model.Config.LacksBound
}

// CountsOn reports whether the search was cut short in a world where processes may count up without
// end, and a Bound would keep them from it.
func (r *Report) CountsOn() bool { return r.lacksBound && r.Stats.CutShort() }

// States yields every explored state, of the last ring if there were several; nil unless
// Options.Keep was set.
func (r *Report) States() iter.Seq[model.State] { return r.states }

// Finding is the verdict on one property.
type Finding struct {
	Property Property     `json:"-"`
	Name     string       `json:"name"`
	Doc      string       `json:"doc"`
	Kind     Kind         `json:"kind"`
	Verdict  Verdict      `json:"verdict"`
	Note     string       `json:"note,omitempty"`  // if set, the finding does not count, for this reason
	Why      string       `json:"why,omitempty"`   // why it is false, or not decided
	Depth    int          `json:"depth"`           // steps in Trace; of a cover property, to the goal
	Trace    *model.Trace `json:"trace,omitempty"` // a shortest counterexample, unless it Cycles or is of a Messages property

	Fairness []Witness     `json:"fairness,omitempty"`  // if Trace is an infinite run: why it is fair
	OnlyLuck bool          `json:"only_luck,omitempty"` // only choices keep such a run going: with probability 1 the property holds
	Messages *MessageCount `json:"messages,omitempty"`  // of a Messages property
	Lost     int           `json:"lost,omitempty"`      // of a Recoverable that is violated: from so many states, as far as known, the goal cannot be reached
	MoreLost bool          `json:"more_lost,omitempty"` // there may be more of these, and a shorter run to one than Trace
	Witness  *model.Trace  `json:"-"`                   // of a cover that is reached, with Options.Keep: a shortest run there

	cutShort bool // undecided since runs are cut short by a bound, which no other search would change
	excused  bool // it may stay undecided

	byEnds bool // it follows from where runs end, and no steps lead round in a cycle; known with Options.Keep
}

// OnlyLuck says what Finding.OnlyLuck means.
const OnlyLuck = "only choices keep this going: with probability 1 they end it, and the property holds"

// Certifiable reports whether a certificate can confirm that the property holds, as found with
// Options.Keep. A set of states shows neither how many messages runs send, nor that fair runs
// leave a cycle.
func (f Finding) Certifiable() bool {
	return f.Kind != MessagesKind && (f.Kind != LivenessKind || f.byEnds)
}

// Counts reports whether the finding counts towards the verdict.
func (f Finding) Counts() bool { return f.Note == "" }

// lacking reports whether the property is not decided, and should have been.
func (f Finding) lacking() bool {
	return f.Counts() && !f.cutShort && !f.excused && f.Verdict == Inconclusive
}

// Cycles reports whether the finding has an infinite run. A shorter one may show the same.
func (f Finding) Cycles() bool {
	return f.Trace != nil && f.Trace.Loop > 0 && f.Trace.Loop <= len(f.Trace.Steps)
}

// Stats counts what was explored.
type Stats = plan.Stats

// Attempt is a way to compute the reachable states as decision diagrams, and its outcome.
type Attempt = plan.Attempt

// OmissionProbability estimates what a lossy store may have cost, in states only.
type OmissionProbability = plan.OmissionProbability

// MessageCount says how many messages the runs of a world send.
type MessageCount = plan.MessageCount

// Reduced is the Stats.Reduction of a search that left something out.
const Reduced = plan.Reduced

// RingStats is what was explored for one placement.
type RingStats struct {
	Ring    []spec.ID `json:"ring"`
	Verdict Verdict   `json:"verdict"`
	Stats
}

// findingOn is the finding on p that an answer has.
func findingOn(p Property, r *model.Reference, a plan.Finding, note string, excused bool) Finding {
	f := Finding{
		Property: p, Name: p.Name, Doc: p.Doc, Kind: p.Kind, Note: note, Verdict: a.Verdict, Why: a.Why, Depth: a.Depth, Trace: a.Trace,
		OnlyLuck: a.Luck == plan.OnlyLuck, Messages: a.Messages, Lost: a.Lost, MoreLost: a.MoreLost, Witness: a.Witness, cutShort: a.CutShort, excused: excused, byEnds: a.ByEnds,
	}
	if a.Run != nil {
		f.Fairness, _ = Witnesses(r, a.Run, a.Trace.Loop)
	}
	return f
}

// amid combines what was found of a Messages property on other rings with f, which is of one
// more.
func (f Finding) amid(others Finding) Finding {
	all := f.Messages.Amid(others.Messages)
	if explore.Worse(others.Verdict, f.Verdict) == others.Verdict {
		f = others
	}
	f.Messages, f.Why = all, all.String()
	if all.Exceeds(f.Property.most) {
		f.Verdict, f.Why, f.Trace, f.Depth = Violated, all.MostRun.Reason, all.MostRun, len(all.MostRun.Steps)
	}
	return f
}

// lostOn returns how many states are lost by what was found of a property on some rings and on one more, and whether there
// may be more.
func lostOn(others, f Finding) (states int, atLeast bool) {
	states = others.Lost + f.Lost
	open := func(f Finding) bool { return f.MoreLost || f.Verdict == Inconclusive }
	return states, states > 0 && (open(others) || open(f))
}

// merge adds the findings on one ring.
func (r *Report) merge(ring []spec.ID, findings []Finding, stats Stats) {
	if r.AllRings {
		verdict := Verified
		for _, f := range findings {
			if f.Counts() {
				verdict = explore.Worse(verdict, f.Verdict)
			}
		}
		r.Rings = append(r.Rings, RingStats{ring, verdict, stats})
	}
	r.Stats.Add(stats)
	if r.Findings == nil {
		r.Findings = findings
		return
	}
	for i, f := range findings {
		if i == len(r.Findings) { // NoPanic comes last, and only some rings may have it
			r.Findings = append(r.Findings, f)
			continue
		}
		old := r.Findings[i]
		if f.Messages != nil && old.Messages != nil {
			r.Findings[i] = f.amid(old)
			continue
		}
		nearer := f.Verdict == old.Verdict && f.Depth < old.Depth && (f.Trace != nil || f.Kind == CoverKind)
		switch {
		case f.Verdict == old.Verdict && f.OnlyLuck != old.OnlyLuck: // where luck does not help, it is violated for good
			if old.OnlyLuck {
				r.Findings[i] = f
			}
		case nearer || explore.Worse(old.Verdict, f.Verdict) != old.Verdict:
			r.Findings[i] = f
		}
		if unlucky := func(f Finding) bool { return !f.OnlyLuck && f.Verdict != Verified }; unlucky(old) || unlucky(f) {
			r.Findings[i].OnlyLuck = false
		}
		r.Findings[i].Lost, r.Findings[i].MoreLost = lostOn(old, f)
	}
}

// neverFired lists the kinds of action that never happened, if the search would have seen them:
// steps that panic are not counted.
func (r *Report) neverFired() []string {
	kinds := []string{}
	for kind, n := range r.Stats.Fired {
		if n == 0 && r.Stats.Complete && !r.panics() {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// panics reports whether a handler was found to panic.
func (r *Report) panics() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Name == NoPanic.Name })
}

// untested takes back verdicts that a property holds where nothing put it to the test.
func (r *Report) untested() {
	steps := r.Stats.Transitions
	if !r.Stats.Complete { // they were perhaps not counted
		steps = 1
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		why := f.Property.Untested(r.Stats.Quiescent, steps)
		if why == "" || f.Verdict != Verified && f.Verdict != Bounded {
			continue
		}
		f.cutShort = f.Verdict == Bounded
		f.Verdict, f.Why = Inconclusive, "it holds, but says nothing: "+why
	}
	r.conclude()
}

// conclude sets the overall verdict from those of the findings.
func (r *Report) conclude() {
	r.excuse()
	r.Verdict, r.Why = Verified, ""
	counted := 0
	for _, f := range r.Findings {
		if !f.Counts() {
			continue
		}
		counted++
		if w := explore.Worse(r.Verdict, f.Verdict); w != r.Verdict {
			r.Verdict, r.Why = w, f.Why
		}
	}
	if counted == 0 {
		r.Verdict, r.Why = Inconclusive, "no property that was checked counts; the reasons stand beside them"
	}
	switch o := r.Stats.Omission; {
	case r.Verdict == Violated:
		r.Why = ""
	case o != nil && (o.Ended || r.Verdict == Verified):
		r.Verdict, r.Why = Inconclusive, fmt.Sprintf("no violation among the states found; %v", o)
	}
}

// missing takes back verdicts that a property holds, if some placements were not examined.
func (r *Report) missing(ctx context.Context) {
	if len(r.Rings) == r.RingsInAll {
		return
	}
	why := "the search stopped at a violation"
	switch ctx.Err() {
	case nil:
		if r.Verdict == Inconclusive {
			why = "the search stopped where it was not decided"
		}
	case context.DeadlineExceeded:
		why = "time ran out"
	default:
		why = "interrupted"
	}
	r.Stats.Complete = false
	for i := range r.Findings {
		f := &r.Findings[i]
		f.OnlyLuck = false
		if f.Verdict == Verified || f.Verdict == Bounded {
			f.Verdict, f.Why = Inconclusive, fmt.Sprintf("only %d of %d placements were looked at: %s", len(r.Rings), r.RingsInAll, why)
		}
	}
	r.conclude()
}

// ContradictionError says that the tool contradicts itself: it has a bug, or a handler is not
// deterministic.
type ContradictionError = plan.ContradictionError
