package properties

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"interleave/explore"
	"interleave/model"
)

// Reduced is the Stats.Reduction of a search that left something out.
const Reduced = "ample sets"

// reduced explores what a reduction leaves, if one was asked for and decides the properties, and
// otherwise everything.
func (c *check) reduced(ctx context.Context) error {
	if !c.options.Reduce {
		return c.search(ctx, nil)
	}
	if why := c.onlyPlain(); why != "" {
		c.reduction = "off: it " + why
		return c.search(ctx, nil)
	}
	c.reducing = true
	for _, status := range []bool{false, true} {
		err := c.search(ctx, func(s *model.System) error { return s.Reduce(status) })
		switch {
		case errors.Is(err, model.ErrNotReducible):
			c.reducing = false
			c.reduction = "off: " + strings.TrimPrefix(err.Error(), model.ErrNotReducible.Error()+": ")
			return c.search(ctx, nil)
		case err != nil:
			return err
		}
		again, err := c.doubt(ctx)
		if err != nil {
			return err
		}
		if !again {
			break
		}
	}
	if c.reduction != Reduced {
		c.reducing = false
		return c.search(ctx, nil)
	}
	return nil
}

// doubt reports whether a reduced search may have hidden something that it
// would not if it had been known to be of interest, and sets c.reduction.
func (c *check) doubt(ctx context.Context) (again bool, err error) {
	c.reduction = Reduced
	if c.result.Outcome == explore.Stopped || ctx.Err() != nil {
		return false, nil // what was found is real, and nothing else is claimed
	}
	if hidden, again := c.sys.(*model.System).Hidden(c.result.Marks); hidden {
		c.reduction = "off: a property looks at more than who is live and whom each follows"
		return again, nil
	}
	if c.result.Outcome != explore.Exhausted {
		return false, nil
	}
	for i, t := range c.temporal {
		if t != nil && (!t.endsDecide(c.config) || c.found(uint8(i)) && !t.formula.Tail()) {
			c.reduction = "off: " + c.props[i].Name + " is not decided by where runs end"
			return false, nil
		}
	}
	if !c.mayCircle() {
		return false, nil
	}
	switch cyclic, err := c.result.Graph.Circles(ctx, c.spare()); {
	case errors.Is(err, explore.ErrOnDisk) || errors.Is(err, explore.ErrMemory):
		c.reduction = fmt.Sprintf("off: %v, so that it is not known whether a step may be put off forever", err)
	case cyclic || err != nil:
		c.reduction = "off: runs can circle, and a step may be put off forever"
	}
	return false, nil
}
