package properties

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

// Auto explores up to quickStates explicitly. After that it looks for a small diagram for
// previewTime, and judges by it for as long again. If that does not help, it
// explores explicitly up to slowStates.
var quickStates, slowStates, previewTime = 2_000_000, 40_000_000, 3 * time.Second

// auto decides small worlds explicitly, and large ones symbolically where that is possible.
// It goes from one step to the next until everything is decided:
//
//  1. explicit, up to quickStates;
//  2. a preview of diagrams;
//  3. explicit, up to slowStates, unless the preview counted more or the memory was full;
//  4. diagrams, for as long as they take;
//  5. explicit, to the end.
func (c *check) auto(ctx context.Context) (findings []Finding, stats Stats, err error) {
	attempts, err := c.attempts()
	if err != nil {
		return nil, Stats{}, err
	}
	began := time.Now()
	defer func() {
		stats.Because, stats.Attempts = c.because, c.tried
		if c.because != "" {
			stats.Choosing = max(0, time.Since(began).Seconds()-stats.Seconds-stats.Judging)
		}
	}()
	findings, stats, stopped, err := c.upTo(ctx, quickStates)
	if stopped == nil || err != nil {
		return findings, stats, err
	}
	c.because = "the explicit engine " + stopped.String()
	seen, err := c.previews(ctx, attempts, stopped)
	late := ctx.Err() != nil && !stopped.crowded
	if err == nil && late && seen.findings == nil {
		return c.cutOff(explore.EndOf(ctx))
	}
	findings, stats = seen.findings, seen.stats
	if err != nil || late || seen.decides() {
		return findings, stats, err
	}
	if !stopped.crowded && seen.states <= float64(slowStates) {
		c.because += "; so the explicit one took it up again"
		findings, stats, stopped, err = c.upTo(ctx, slowStates)
		switch {
		case err == nil && ctx.Err() != nil && stats.States < c.seen.States: // step 1 came further
			return c.cutOff(explore.EndOf(ctx))
		case stopped == nil || err != nil:
			return findings, stats, err
		}
		c.because += ", and " + stopped.String()
	}
	if findings == nil {
		findings, stats, err = c.byDiagrams(ctx)
	}
	open := undecidedOf(findings)
	if err != nil || len(open) == 0 || ctx.Err() != nil || stopped.crowded { // it would be crowded again
		return findings, stats, err
	}
	if seen.findings == nil {
		c.because += "; the symbolic engine does not decide " + strings.Join(open, ", ")
	}
	c.because += "; so the explicit one took it up again"
	return c.explicit(ctx)
}

// previews looks for a diagram of the reachable states and, if none is found soon, for one of
// a looser world. The second counts only if it decides everything.
func (c *check) previews(ctx context.Context, attempts []Attempt, stopped *stop) (preview, error) {
	exact := slices.DeleteFunc(slices.Clone(attempts), Attempt.loose)
	seen, err := c.preview(ctx, exact, firstNodes, stopped)
	if err != nil || seen.decides() {
		return seen, err
	}
	if seen.states == 0 && ctx.Err() != nil && !stopped.crowded {
		c.because += "; then no diagram was found"
		return seen, nil
	}
	c.because += "; " + seen.String()
	if last := attempts[len(attempts)-1]; seen.states == 0 && last.Loose {
		looser, err := c.preview(ctx, []Attempt{last}, lastNodes, stopped)
		if looser.findings != nil {
			c.because += ", but " + looser.String()
		}
		if err != nil || looser.decides() {
			return looser, err
		}
	}
	return seen, nil
}

// preview is what a short look for diagrams has shown.
type preview struct {
	findings []Finding // nil: there was none in time
	stats    Stats
	loose    bool    // of a looser world
	states   float64 // of the world itself; 0 if they were not counted
	late     bool    // the time was over
}

func (g *preview) decides() bool { return g.findings != nil && len(undecidedOf(g.findings)) == 0 }

func (g *preview) String() string {
	text := "no diagram was found"
	switch {
	case g.loose:
		text = "one of a looser world"
	case g.findings != nil:
		text = fmt.Sprintf("a diagram of %.3g million states", g.states/1e6)
	case g.late:
		return fmt.Sprintf("%s in %v", text, previewTime)
	default:
		return text
	}
	if g.decides() {
		return text + ", which decides everything"
	}
	return text + ", which leaves open " + strings.Join(undecidedOf(g.findings), ", ")
}

// preview looks for a diagram for previewTime, and judges by it for as long again.
// What that decides is kept for what follows. If the diagram has too many states to be
// explored one by one, there is no better way, and it judges without a time limit.
func (c *check) preview(ctx context.Context, attempts []Attempt, nodes int, stopped *stop) (g preview, err error) {
	hurry, cancel := context.WithCancel(ctx)
	defer cancel()
	timer := time.AfterFunc(previewTime, cancel)
	defer func() { timer.Stop() }()
	_, _ = c.reach(hurry, attempts, nodes, func(d *diagrams) (bool, error) { // the reason for finding none does not matter
		if !timer.Stop() {
			return true, nil
		}
		if g.loose = d.Loose; !g.loose {
			g.states, _ = new(big.Float).SetInt(d.Forest.Count(d.all)).Float64()
		}
		if g.loose || !stopped.crowded && g.states <= float64(slowStates) {
			timer = time.AfterFunc(previewTime, cancel)
		}
		g.findings, g.stats, err = c.byDiagram(hurry, d)
		g.findings = c.recall(g.findings)
		return true, nil
	})
	g.late = hurry.Err() != nil
	if err != nil && errors.Is(err, hurry.Err()) {
		return preview{late: true}, nil
	}
	c.keepDecided(g.findings)
	return g, err
}

// upTo explores explicitly within a number of states and the memory. If that is not enough,
// it returns where it stopped, and nothing else.
func (c *check) upTo(ctx context.Context, states int) (findings []Finding, stats Stats, stopped *stop, err error) {
	c.near, c.options.MaxStates = true, states
	defer func() { c.options.MaxStates = 0 }()
	switch err := c.reduced(ctx); {
	case isFull(err):
		findings, stats, err = c.cutOff(explore.DiskLimit)
		return findings, stats, nil, err
	case err != nil:
		return nil, Stats{}, nil, err
	}
	crowded := c.result.Outcome == explore.MemoryLimit
	if c.result.Outcome != explore.StateLimit && !crowded {
		findings, stats, err = c.explored(ctx)
		return findings, stats, nil, err
	}
	c.seen = newStats(c.result, c.sys.Kinds(), c.sys.TableStats())
	stopped = &stop{c.seen.States, crowded, c.options.Spill != ""}
	err = c.keepFound(ctx)
	return nil, Stats{}, stopped, errors.Join(err, c.forget()) // its memory is for what comes next
}

// tablesStay says why memory can be too little though states go to disk.
const tablesStay = ": the tables alone take more, and they are not moved to disk"

// stop is where an explicit search stopped.
type stop struct {
	states  int
	crowded bool // the memory was full
	onDisk  bool // the states were on disk, so the tables filled it
}

func (s *stop) String() string {
	if !s.crowded {
		return fmt.Sprintf("stopped at %g million states", float64(s.states)/1e6)
	}
	text := "ran out of memory at once"
	if s.states >= 10_000 {
		text = fmt.Sprintf("ran out of memory at %.2g million states", float64(s.states)/1e6)
	}
	if s.onDisk {
		text += tablesStay
	}
	return text
}

// undecidedOf returns the names of the findings that are not decided, and that another search is to
// decide.
func undecidedOf(findings []Finding) (names []string) {
	for _, f := range findings {
		if f.Counts() && !f.cutShort && !f.excused && f.Verdict == Inconclusive {
			names = append(names, f.Name)
		}
	}
	return names
}
