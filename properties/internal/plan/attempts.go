package plan

import (
	"errors"
	"slices"

	"interleave/explore/dd"
	"interleave/model"
	"interleave/model/diagram"
)

// attemptsAt returns the ways to try, the most promising first.
//
// On a ring, few messages of the same content are in flight at once, so grouping by content
// keeps diagrams small. Elsewhere messages are grouped by receiver, and the processes with
// the highest numbers come first, since they decide an election.
//
// Unless Question.Diagram says otherwise, the last attempt is of an over-approximation. There a message
// may stay where it arrived, so chaining does well, on a ring too; and any number of messages may
// be in flight, so it matters how many different ones there are.
func attemptsAt(q *Question) ([]Attempt, error) {
	way := func(g diagram.Grouping, s dd.Strategy) Attempt {
		return Attempt{Form: diagram.Form{Grouping: g}, Strategy: s}
	}
	byReceiver := []Attempt{
		way(diagram.ByReceiver, dd.Saturate), way(diagram.ByPair, dd.Saturate),
		way(diagram.ByReceiver, dd.Chain), way(diagram.ByPair, dd.Chain),
	}
	byContent := []Attempt{way(diagram.ByContent, dd.Chain), way(diagram.ByContent, dd.Saturate)}
	exact, order := slices.Concat(byReceiver, byContent), diagram.Reversed
	if q.Machine.Traits().Ring {
		exact, order = slices.Concat(byContent, byReceiver), diagram.RingOrder
	}
	over := []Attempt{
		way(diagram.Fitting, dd.Chain), way(diagram.ByPair, dd.Chain), way(diagram.Fitting, dd.Saturate), way(diagram.ByPair, dd.Saturate),
	}
	d := q.Diagram
	if d.Grouping != nil {
		over = []Attempt{way(*d.Grouping, dd.Chain), way(*d.Grouping, dd.Saturate)}
	}
	if d.Order != nil {
		order = *d.Order
	}
	fit := func(all []Attempt, over bool) (some []Attempt) {
		for _, a := range all {
			a.Order, a.Overapprox = order, over
			possible := over || a.Grouping != diagram.ByContent || q.Config.Network != model.FIFO
			if possible && (d.Grouping == nil || *d.Grouping == a.Grouping) && (d.Strategy == nil || *d.Strategy == a.Strategy) {
				some = append(some, a)
			}
		}
		return some
	}
	exact, over = fit(exact, false), fit(over, true)
	switch {
	case d.Overapprox != nil && *d.Overapprox:
		return over, nil
	case exact == nil:
		return nil, errors.New("a fifo network has queues for each receiver, which hold messages of any content: group messages by receiver or pair")
	case d == Diagram{}:
		return append(exact, over[0]), nil
	}
	return exact, nil
}
