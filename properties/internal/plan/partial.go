package plan

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"interleave/explore"
)

// partial is what earlier searches of a question have found, for the next one, or for the same one
// when it goes on on disk.
type partial struct {
	findings  map[uint8]Finding // those that are decided, by mark
	seen      Stats             // of the last search state by state that did not come to its end
	near      bool              // states were explored one by one as long as that is quick
	tried     []Attempt         // of diagrams
	looking   time.Duration     // for early cycle checks
	reduction string            // what the last search left out: Reduced, or why nothing; empty if not asked for
}

// with returns k with the findings that are decided.
func (k partial) with(q *Question, findings []Finding) partial {
	k.findings = maps.Clone(k.findings)
	if k.findings == nil {
		k.findings = map[uint8]Finding{}
	}
	for i, f := range findings {
		if f.Verdict != explore.Inconclusive {
			k.findings[q.markOf(i)] = f
		}
	}
	return k
}

// withFound returns k with what a search has found that did not come to its end.
func (k partial) withFound(ctx context.Context, s *states) (partial, error) {
	findings := make([]Finding, len(s.Properties)+1)
	for i := range findings {
		p, mark := s.property(i), s.markOf(i)
		early, cycles := s.early[mark]
		var err error
		switch {
		case cycles:
			findings[i] = early
		case !s.found(mark) || p.Kind == Recoverable: // a mark of that is no violation yet
		case p.Kind == Liveness:
			var f *Finding
			if f, err = s.ending(p, mark); f != nil {
				findings[i] = *f
			}
		default:
			findings[i], err = s.judge(ctx, s, p, mark)
		}
		if err != nil {
			return k, err
		}
	}
	return k.with(s.Question, findings), nil
}

// fill replaces findings that are undecided, or do not say how far away a goal is, by those
// that were kept. Two findings that contradict each other are a bug in an engine.
func (k partial) fill(q *Question, findings []Finding) []Finding {
	if len(findings) < len(q.Properties) {
		return findings // after an error
	}
	findings = slices.Clone(findings)
	for i := range len(q.Properties) + 1 {
		kept, known := k.findings[q.markOf(i)]
		switch {
		case !known:
		case i == len(findings):
			findings = append(findings, kept)
		case findings[i].Verdict == explore.Inconclusive || findings[i].Verdict == kept.Verdict && findings[i].Depth < 0:
			findings[i] = kept
		case findings[i].Verdict != kept.Verdict:
			panic(explore.Contradiction(fmt.Sprintf("%s is %v for one engine and %v for another", q.property(i).Name, kept.Verdict, findings[i].Verdict)))
		}
	}
	return findings
}

// cutOff answers only by what earlier searches found, since the one after them came to nothing.
func (k partial) cutOff(q *Question, why explore.Outcome) Answer {
	stats := k.seen
	stats.Outcome, stats.Judging, stats.Reduction = why.String(), k.looking.Seconds(), k.reduction
	return Answer{Findings: k.fill(q, q.nothing(why.Why())), Stats: stats, partial: k}
}
