package properties

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// ReportVersion is the version of the JSON form of a Report.
const ReportVersion = 1

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
	NeverFired  []string     `json:"never_fired"`         // kinds of action that the world allows and that did not happen
	MayStay     []string     `json:"undecided,omitempty"` // the properties that may stay undecided
	Stats       Stats        `json:"stats"`               // over all rings
	Rings       []RingStats  `json:"rings,omitempty"`
	RingsInAll  int          `json:"rings_in_all,omitempty"` // Rings is shorter if the check stopped early
	Direct      bool         `json:"direct"`

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
	Trace    *model.Trace `json:"trace,omitempty"` // a shortest counterexample, unless it Circles or is of a Messages property

	Fairness []Witness     `json:"fairness,omitempty"` // if Trace is an infinite run: why it is fair
	Messages *MessageCount `json:"messages,omitempty"` // of a Messages property
	Witness  *model.Trace  `json:"-"`                  // of a cover that is reached, with Options.Keep: a shortest run there

	cutShort bool // undecided since runs are cut short by a bound, which no other search would change
	excused  bool // it may stay undecided

	byEnds bool // it follows from where runs end, and no steps lead round in a circle; known with Options.Keep
}

// Certifiable reports whether a certificate can confirm that the property holds, as found with
// Options.Keep. A set of states shows neither how many messages runs send, nor that fair runs
// leave a cycle.
func (f Finding) Certifiable() bool {
	return f.Kind != Messages && (f.Kind != Liveness || f.byEnds)
}

// Counts reports whether the finding counts towards the verdict.
func (f Finding) Counts() bool { return f.Note == "" }

// Circles reports whether the finding has an infinite run. A shorter one may show the same.
func (f Finding) Circles() bool {
	return f.Trace != nil && f.Trace.Loop > 0 && f.Trace.Loop <= len(f.Trace.Steps)
}

// Stats counts what was explored, up to 5·10¹⁷. Seconds are of the wall clock.
type Stats struct {
	Initial       int              `json:"initial_states"`
	States        int              `json:"distinct_states"`
	Transitions   int              `json:"transitions"`
	Generated     int              `json:"generated"` // as TLC counts: initial states and transitions
	Depth         int              `json:"depth"`     // the greatest distance from an initial state, in steps; -1: not known
	Engine        string           `json:"engine"`
	Reduction     string           `json:"reduction,omitempty"` // if one was asked for: its name, or why it is off
	Because       string           `json:"because,omitempty"`   // why that engine, if it was not the first to be tried
	Attempts      []Attempt        `json:"attempts,omitempty"`  // of the symbolic engine
	How           string           `json:"how,omitempty"`       // its last attempt
	Nodes         int              `json:"nodes,omitempty"`     // of the decision diagram
	Places        int              `json:"places,omitempty"`    // of its vectors
	Events        int              `json:"events,omitempty"`
	Sweeps        int              `json:"sweeps,omitempty"` // collections of unused nodes
	Quiescent     int              `json:"quiescent_states"`
	Frontier      int              `json:"frontier"`                   // found but not expanded
	Seconds       float64          `json:"seconds"`                    // of the search, and of learning before it
	Choosing      float64          `json:"choosing_seconds,omitempty"` // of earlier attempts, by this engine or the other
	Judging       float64          `json:"judging_seconds"`            // of what came afterwards: cycles, counterexamples, their replay
	Loose         int              `json:"loose_states,omitempty"`     // of a looser world, instead of counts of this one: what holds there holds here
	Odds          *Odds            `json:"odds,omitempty"`             // that states were omitted, by a lossy store
	Bytes         int64            `json:"bytes"`
	Disk          int64            `json:"disk_bytes,omitempty"` // at most, if it spilled
	BytesPerState float64          `json:"bytes_per_state"`
	WordsPerState int              `json:"words_per_state"`
	Tables        model.TableStats `json:"tables"`
	Fired         map[string]int   `json:"fired"` // transitions by kind of action
	Outcome       string           `json:"outcome"`
	Complete      bool             `json:"complete"` // every reachable state was expanded
}

// CutShort reports whether the search ended before it had come as far as it was meant to.
func (s Stats) CutShort() bool {
	return !slices.Contains([]string{explore.Exhausted.String(), explore.Stopped.String(), explore.DepthLimit.String(), explore.Depleted.String()}, s.Outcome)
}

// RingStats is what was explored for one placement.
type RingStats struct {
	Ring    []spec.ID `json:"ring"`
	Verdict Verdict   `json:"verdict"`
	Stats
}

func newStats(r *explore.Result, kinds []string, tables model.TableStats) Stats {
	e := r.Stats
	s := Stats{
		Engine: Explicit.String(), Initial: e.Initial, States: e.States, Transitions: e.Transitions, Generated: e.Initial + e.Transitions,
		Depth: e.Depth, Quiescent: e.Quiet, Frontier: e.Frontier,
		Seconds: e.Elapsed.Seconds(), Bytes: e.Bytes, Disk: e.Disk, BytesPerState: float64(e.Bytes) / float64(max(e.States, 1)),
		WordsPerState: e.Width, Tables: tables, Fired: map[string]int{},
		Outcome: r.Outcome.String(), Complete: r.Outcome == explore.Exhausted,
	}
	for i, name := range kinds {
		s.Fired[name] = e.Fired[i]
	}
	return s
}

// add adds what was explored on another ring.
func (s *Stats) add(t Stats) {
	s.Initial += t.Initial
	s.States += t.States
	s.Transitions += t.Transitions
	s.Generated += t.Generated
	if s.Depth >= 0 && t.Depth >= 0 {
		s.Depth = max(s.Depth, t.Depth)
	} else {
		s.Depth = -1
	}
	s.Engine, s.Because, s.How, s.Nodes = t.Engine, t.Because, cmp.Or(t.How, s.How), max(s.Nodes, t.Nodes)
	s.Attempts = append(s.Attempts, t.Attempts...)
	s.Places, s.Events, s.Sweeps = max(s.Places, t.Places), max(s.Events, t.Events), s.Sweeps+t.Sweeps
	s.Reduction = t.Reduction
	s.Loose += t.Loose
	s.Odds = t.Odds.amid(s.Odds, s.States)
	s.Quiescent += t.Quiescent
	s.Frontier += t.Frontier
	s.Seconds += t.Seconds
	s.Choosing += t.Choosing
	s.Judging += t.Judging
	s.Bytes = max(s.Bytes, t.Bytes)
	s.Disk = max(s.Disk, t.Disk)
	s.BytesPerState = max(s.BytesPerState, t.BytesPerState)
	s.WordsPerState = max(s.WordsPerState, t.WordsPerState)
	s.Tables.HandlerCalls += t.Tables.HandlerCalls
	s.Tables.Locals += t.Tables.Locals
	s.Tables.Inboxes += t.Tables.Inboxes
	s.Tables.Moves += t.Tables.Moves
	s.Tables.Longest = max(s.Tables.Longest, t.Tables.Longest)
	for k, n := range t.Fired {
		s.Fired[k] += n
	}
	s.Outcome, s.Complete = t.Outcome, s.Complete && t.Complete
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
	r.Stats.add(stats)
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
		nearer := f.Verdict == old.Verdict && f.Depth < old.Depth && (f.Trace != nil || f.Kind == Reachable)
		if nearer || explore.Worse(old.Verdict, f.Verdict) != old.Verdict {
			r.Findings[i] = f
		}
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
	switch o := r.Stats.Odds; {
	case r.Verdict == Violated:
		r.Why = ""
	case o != nil && (o.ended || r.Verdict == Verified):
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
		if f := &r.Findings[i]; f.Verdict == Verified || f.Verdict == Bounded {
			f.Verdict, f.Why = Inconclusive, fmt.Sprintf("only %d of %d placements were looked at: %s", len(r.Rings), r.RingsInAll, why)
		}
	}
	r.conclude()
}

// ContradictionError says that the tool contradicts itself: it has a bug, or a handler is not
// deterministic.
type ContradictionError struct{ Reason string }

func (e *ContradictionError) Error() string {
	return fmt.Sprintf("interleave contradicts itself: %s. A handler that goes by more than it is given (chance, time, variables of its own) can do that; if there is none, please report this", e.Reason)
}
