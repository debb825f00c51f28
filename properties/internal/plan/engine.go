package plan

import (
	"context"
	"errors"
	"fmt"
	"time"

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

// engine is a way to search: explicit, symbolic (of the world, or of an over-approximation), or auto,
// which takes the others in turn. What is known from earlier searches of the same question counts.
type engine interface {
	search(ctx context.Context, q *Question, known partial) (Answer, error)
}

// Answer explores, and judges all properties. It leaves nothing on disk.
func (q *Question) Answer(ctx context.Context) (Answer, error) {
	e, because, err := q.engine()
	if err != nil {
		return Answer{}, err
	}
	a, err := e.search(ctx, q, partial{})
	if because != "" {
		a.Stats.Because = because
	}
	a.Findings = a.partial.fill(q, a.Findings)
	return a, err
}

// engine chooses how to search. Because says why, if it is not what was asked for.
func (q *Question) engine() (e engine, because string, err error) {
	unfit := q.unusual()
	if q.MaxStates > 0 {
		unfit = "takes no limit on states"
	}
	switch {
	case q.Engine == Auto && q.Keep && q.Diagram == Diagram{}:
		return explicit{}, "a certificate lists the states one by one", nil
	case q.Engine == Auto && q.code() != nil && q.Diagram == Diagram{}:
		return explicit{}, "diagrams " + asksCode, nil
	case q.Engine == Explicit || q.Engine == Auto && (unfit != "" || q.Store != explore.Exact) && q.Diagram == Diagram{}:
		return explicit{}, "", nil
	case unfit != "":
		return nil, "", fmt.Errorf("the symbolic engine %s: use another engine", unfit)
	case q.Engine == Auto:
		return auto{}, "", nil
	}
	return symbolic{}, "", nil
}

// asksCode says why existing code is searched explicitly and in full: each step of it takes long, and it may never end to take those.
const asksCode = "would ask the code for steps that no run takes"

// unusual says why neither diagrams nor a reduction can do what is asked for; empty if they can.
// Stores are checked elsewhere.
func (q *Question) unusual() string {
	switch {
	case q.MaxDepth > 0:
		return "takes no limit on depth"
	case q.Direct:
		return "takes no --direct"
	case q.Keep:
		return "keeps no list of states"
	case !q.Config.HasTables():
		return "knows neither lock-step rounds nor clocks"
	}
	return ""
}

// Schedule says how far each search of a question goes while another may do better.
type Schedule struct {
	QuickStates int           // Auto explores explicitly up to these at first
	SlowStates  int           // and up to these where no diagram helps
	Preview     time.Duration // it looks for a small diagram for so long
	Judging     time.Duration // and judges by it for so long
	FirstNodes  int           // of diagrams: an attempt may make so many in the first round
	FirstSlice  time.Duration // and take so long, since some attempts make few nodes and still take long
	Around      []int         // how many states around the end of a stem are searched for a loop, first few, then more
}

// StandardSchedule is what suits most worlds. Times make the choice of attempts depend on the speed
// of the machine, and so Stats too; verdicts do not depend on it.
var StandardSchedule = Schedule{
	QuickStates: 2_000_000, SlowStates: 40_000_000, Preview: 3 * time.Second, Judging: 3 * time.Second,
	FirstNodes: 500_000, FirstSlice: 5 * time.Second, Around: []int{2_000, 20_000, 200_000},
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
