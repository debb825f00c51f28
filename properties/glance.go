package properties

import (
	"context"
	"time"

	"interleave/explore"
)

// glance looks for runs that circle while a search has few states. A wrong algorithm mostly
// shows one by then, and to look among all states takes longer than to find them. A violation
// that is wanted ends the search; another one is kept, so that no limit takes it away. Before a
// search goes on on disk, everything that it has found is kept, and runs are looked for only if
// that does not take long.
func (c *check) glance(ctx context.Context, soFar *explore.Result, wanted uint64) (enough bool, err error) {
	began := time.Now()
	c.result = soFar
	defer func() {
		c.result, c.runs = nil, nil
		c.glancing += time.Since(began)
	}()
	if soFar.Outcome == explore.Unfinished || soFar.Stats.States <= longGlance {
		if enough, err = c.glanceAtRuns(ctx, wanted); enough || err != nil {
			return enough, err
		}
	}
	if soFar.Outcome == explore.Unfinished {
		return false, nil
	}
	c.seen = newStats(soFar, c.sys.Kinds(), c.sys.TableStats())
	return false, c.keepFound(ctx)
}

// longGlance is how many states are too many for one more glance.
const longGlance = 4 << 20

func (c *check) glanceAtRuns(ctx context.Context, wanted uint64) (enough bool, err error) {
	if c.reducing {
		return false, nil
	}
	var open []uint8
	for i, t := range c.temporal {
		if _, known := c.circling[uint8(i)]; t != nil && !known {
			open = append(open, uint8(i))
		}
	}
	if open == nil || !c.tellCircles() {
		return false, nil
	}
	runs, err := c.fairRuns(ctx)
	if err != nil || !runs.Circle() { // the search itself sees where runs end
		_, err = tellUndecided(err)
		return false, err
	}
	for _, mark := range open {
		f, err := c.circles(ctx, c.finding(c.props[mark]), c.temporal[mark])
		if err != nil {
			_, err = tellUndecided(err)
			return enough, err
		}
		if f.Verdict == Violated {
			c.circling[mark] = f
			enough = enough || wanted>>mark&1 != 0
		}
	}
	return enough, nil
}
