package properties

import (
	"context"
	"errors"
	"fmt"

	"interleave/explore"
)

// Engine is a way to explore.
type Engine uint8

const (
	Explicit Engine = iota // state by state
	Symbolic               // sets of states, as decision diagrams
	Auto                   // explicit as long as that is quick, then symbolic, then explicit to the end
)

// EngineNames are the engines in words.
var EngineNames = []string{"explicit", "symbolic", "auto"}

func (e Engine) String() string { return EngineNames[e] }

// byEngine explores with the engine that was asked for.
func (c *check) byEngine(ctx context.Context) ([]Finding, Stats, error) {
	o := c.options
	unfit := c.notSymbolic()
	switch {
	case o.Engine == Explicit || o.Engine == Auto && (unfit != "" || o.Store != explore.Exact) && o.Diagram == Diagram{}:
		findings, stats, err := c.explicit(ctx)
		if o.Engine == Auto && o.Keep {
			stats.Because = "a certificate lists the states one by one"
		}
		return findings, stats, err
	case unfit != "":
		return nil, Stats{}, fmt.Errorf("the symbolic engine %s: use another engine", unfit)
	case o.Engine == Auto:
		return c.auto(ctx)
	}
	return c.byDiagrams(ctx)
}

// notSymbolic says why the symbolic engine cannot do what is asked for; empty if it can.
// Stores are checked elsewhere.
func (c *check) notSymbolic() string {
	if c.options.MaxStates > 0 {
		return "takes no limit on states"
	}
	return c.onlyPlain()
}

// onlyPlain says why neither diagrams nor a reduction can do what is asked for; empty if
// they can.
func (c *check) onlyPlain() string {
	switch o := c.options; {
	case o.MaxDepth > 0:
		return "takes no limit on depth"
	case o.Direct:
		return "takes no --direct"
	case o.Keep:
		return "keeps no list of states"
	case !c.config.HasTables():
		return "knows neither lock-step rounds nor clocks"
	}
	return ""
}

// gaveUp says why the symbolic engine did not finish.
func gaveUp(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return explore.TimeLimit.String()
	case errors.Is(err, context.Canceled):
		return explore.Interrupted.String()
	}
	return err.Error()
}
