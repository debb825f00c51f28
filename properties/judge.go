package properties

import (
	"context"
	"fmt"

	"interleave/explore"
)

// judge returns the finding on property p, which is watched by the given mark.
func (c *check) judge(ctx context.Context, p Property, mark uint8) (Finding, error) {
	f := c.finding(p)
	exhausted := c.result.Outcome == explore.Exhausted
	switch {
	case c.found(mark) && p.Kind == Reachable:
		f.Verdict, f.Depth = Verified, c.result.Found(mark).Depth
		if c.reduction == Reduced {
			f.Depth = -1 // there may be a shorter path
			return f, nil
		}
		return c.witnessed(f, mark)
	case p.Kind == Liveness:
		found, err := c.liveness(ctx, f, mark)
		if err == nil && found.Verdict == Verified && c.options.Keep {
			found.byEnds, err = c.byEnds(ctx, mark)
		}
		return found, err
	case c.found(mark):
		found, err := c.violation(p, mark)
		found.Note = f.Note
		return found, err
	case !exhausted:
		f = c.unfinished(f)
	case p.Kind == Reachable && c.config.Bound > 0:
		f.Why = "no state within the bound satisfies it"
	case p.Kind == Reachable:
		f.Verdict, f.Why = Violated, "no reachable state satisfies it"
	case p.Kind == Messages:
		return c.messages(ctx, f)
	default:
		f.Verdict = Verified
	}
	if f.Verdict == Verified && c.config.Bound > 0 {
		f.Verdict, f.Why = Bounded, "the world bounds what the processes remember"
	}
	return f, nil
}

// unfinished returns the finding on a property that a search which did not see everything has not
// decided.
func (c *check) unfinished(f Finding) Finding {
	f.Verdict, f.Why = c.undecided(f.Property)
	if !f.Property.local() && c.result.Outcome == explore.DepthLimit {
		f.cutShort = true
	}
	return f
}

// undecided returns the verdict on a property that a search which did not see everything has not
// decided, and why.
func (c *check) undecided(p Property) (Verdict, string) {
	switch c.result.Outcome {
	case explore.Depleted:
		return Inconclusive, lost(p)
	case explore.DepthLimit:
		if c.options.Store != explore.Exact {
			return Inconclusive, lost(p) + "; " + explore.WithinDepth(c.options.MaxDepth)
		}
		if p.local() {
			return Bounded, explore.WithinDepth(c.options.MaxDepth)
		}
		return Inconclusive, fmt.Sprintf("not decided by the first %d steps", c.options.MaxDepth)
	case explore.MemoryLimit:
		if c.options.Spill != "" {
			return Inconclusive, c.result.Outcome.Why() + tablesStay
		}
	}
	return Inconclusive, c.result.Outcome.Why()
}
