package plan

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"interleave/explore"
)

// auto decides small worlds explicitly, and large ones symbolically where that is possible.
// It goes from one step to the next until everything is decided:
//
//  1. explicit, up to Schedule.QuickStates;
//  2. a preview of diagrams;
//  3. explicit, up to Schedule.SlowStates, unless the preview counted more or the memory was full;
//  4. diagrams, for as long as they take;
//  5. explicit, to the end.
type auto struct{}

// search implements engine.
func (auto) search(ctx context.Context, q *Question, known partial) (a Answer, err error) {
	attempts, err := attemptsAt(q)
	if err != nil {
		return Answer{}, err
	}
	began, because := time.Now(), ""
	defer func() {
		a.Stats.Because, a.Stats.Attempts = because, a.partial.tried
		if because != "" {
			a.Stats.Choosing = max(0, time.Since(began).Seconds()-a.Stats.Seconds-a.Stats.Judging)
		}
	}()
	a, err = explicit{q.Schedule.QuickStates}.search(ctx, q, known)
	stopped := a.stopped
	if stopped == nil || err != nil {
		return a, err
	}
	because = "the explicit engine " + stopped.String()
	seen, err := previews(ctx, q, a.partial, attempts, stopped)
	because += seen.because
	a = seen.Answer
	late := ctx.Err() != nil && !stopped.crowded
	if err == nil && late && seen.Findings == nil {
		return a.partial.cutOff(q, explore.EndOf(ctx)), nil
	}
	if err != nil || late || seen.decides(q) {
		return a, err
	}
	if !stopped.crowded && seen.states <= float64(q.Schedule.SlowStates) {
		because += "; so the explicit one took it up again"
		a, err = explicit{q.Schedule.SlowStates}.search(ctx, q, a.partial)
		switch {
		case err == nil && ctx.Err() != nil && a.Stats.States < a.partial.seen.States: // step 1 came further
			return a.partial.cutOff(q, explore.EndOf(ctx)), nil
		case a.stopped == nil || err != nil:
			return a, err
		}
		stopped = a.stopped
		because += ", and " + stopped.String()
	}
	if a.Findings == nil {
		a, err = symbolic{}.search(ctx, q, a.partial)
	}
	open := q.open(a.Findings)
	if err != nil || len(open) == 0 || ctx.Err() != nil || stopped.crowded { // it would be crowded again
		return a, err
	}
	if seen.Findings == nil {
		because += "; the symbolic engine does not decide " + strings.Join(open, ", ")
	}
	because += "; so the explicit one took it up again"
	return explicit{}.search(ctx, q, a.partial)
}

// preview is what a short look for diagrams has shown.
type preview struct {
	Answer             // without Findings, if there was no diagram in time
	overapprox bool    // of an over-approximation
	states     float64 // of the world itself; 0 if they were not counted
	late       bool    // the time was over
	because    string  // what it adds to why Auto takes the engine that it takes
}

func (p *preview) decides(q *Question) bool { return p.Findings != nil && len(q.open(p.Findings)) == 0 }

// says says what a preview has shown.
func (p *preview) says(q *Question) string {
	text := "no diagram was found"
	switch {
	case p.overapprox:
		text = "one of an over-approximation"
	case p.Findings != nil:
		text = fmt.Sprintf("a diagram of %.3g million states", p.states/1e6)
	case p.late:
		return fmt.Sprintf("%s in %v", text, q.Schedule.Preview)
	default:
		return text
	}
	if p.decides(q) {
		return text + ", which decides everything"
	}
	return text + ", which leaves open " + strings.Join(q.open(p.Findings), ", ")
}

// previews looks for a diagram of the reachable states and, if none is found soon, for one of
// an over-approximation. The second counts only if it decides everything.
func previews(ctx context.Context, q *Question, known partial, attempts []Attempt, stopped *stop) (preview, error) {
	exact := slices.DeleteFunc(slices.Clone(attempts), Attempt.overapproximates)
	seen, err := look(ctx, q, known, exact, q.Schedule.FirstNodes, stopped)
	if err != nil || seen.decides(q) {
		return seen, err
	}
	if seen.states == 0 && ctx.Err() != nil && !stopped.crowded {
		seen.because = "; then no diagram was found"
		return seen, nil
	}
	seen.because = "; " + seen.says(q)
	if last := attempts[len(attempts)-1]; seen.states == 0 && last.Overapprox {
		over, err := look(ctx, q, seen.partial, []Attempt{last}, lastNodes, stopped)
		seen.partial, over.because = over.partial, seen.because
		if over.Findings != nil {
			over.because += ", but " + over.says(q)
		}
		if seen.because = over.because; err != nil || over.decides(q) {
			return over, err
		}
	}
	return seen, nil
}

// look looks for a diagram for Schedule.Preview, and judges by it for as long again.
// What that decides is kept for what follows. If the diagram has too many states to be
// explored one by one, there is no better way, and it judges without a time limit.
func look(ctx context.Context, q *Question, known partial, attempts []Attempt, nodes int, stopped *stop) (p preview, err error) {
	hurry, cancel := context.WithCancel(ctx)
	defer cancel()
	timer := time.AfterFunc(q.Schedule.Preview, cancel)
	defer func() { timer.Stop() }()
	_, tried, _ := reach(hurry, q, known.tried, attempts, nodes, func(d *diagrams) (bool, error) { // the reason for finding none does not matter
		if !timer.Stop() {
			return true, nil
		}
		if p.overapprox = d.Overapprox; !p.overapprox {
			p.states, _ = new(big.Float).SetInt(d.Forest.Count(d.all)).Float64()
		}
		if p.overapprox || !stopped.crowded && p.states <= float64(q.Schedule.SlowStates) {
			timer = time.AfterFunc(q.Schedule.Judging, cancel)
		}
		p.Answer, err = d.answer(hurry, known)
		p.Findings = known.fill(q, p.Findings)
		return true, nil
	})
	known.tried, p.late = tried, hurry.Err() != nil
	if err != nil && errors.Is(err, hurry.Err()) {
		return preview{Answer: Answer{partial: known}, late: true}, nil
	}
	p.partial = known.with(q, p.Findings)
	return p, err
}
