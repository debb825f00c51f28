package drive

import (
	"context"
	"fmt"
	"slices"

	"interleave/model"
	"interleave/spec"
)

// beginning is how real processes get to the state in which a run of the model begins.
// They themselves begin cold.
type beginning struct {
	cold     point
	prologue []group
	point    point
}

// maxPrologue bounds the points that are searched for a prologue.
const maxPrologue = 50_000

// beginningOf returns how to get to an initial state: if processes follow a leader there that
// has crashed, it is elected first, and then crashes. The search for that is bounded by
// the given number of points, and by maxPrologue.
func beginningOf(ctx context.Context, d *scheduler, s model.State, limit int) (beginning, error) {
	if d.config.Start == model.Cold {
		pt := d.first(s)
		return beginning{cold: pt, point: pt}, nil
	}
	cold := d.config
	cold.Start, cold.Split, cold.Crashes = model.Cold, false, cold.Crashes+1
	if d.traits.Begins() {
		cold.Initiators = model.Initiators{Only: initiators(s).With(spec.ID(cold.N))}
	}
	before, err := newScheduler(d.machine, cold)
	if err != nil {
		return beginning{}, err
	}
	a := newCoverageMap(before, min(limit, maxPrologue))
	for _, first := range before.reference.Initial() {
		a.visit(visited{point: before.first(first), parent: -1})
	}
	for i := 0; i < len(a.points); i++ {
		if err := ctx.Err(); err != nil {
			return beginning{}, err
		}
		if pt := a.points[i].point; slices.Equal(pt.state.Locals, s.Locals) && noMail(pt.state) {
			root, groups := a.route(i)
			return beginning{a.points[root].point, groups, point{s, pt.runtimes, pt.mail}}, nil
		}
		groups, _, _ := before.groups(a.points[i].point)
		for k, m := range groups {
			if !m.panics() {
				a.visit(visited{m.after, i, k, a.points[i].depth + 1})
			}
		}
	}
	return beginning{}, &ImpossibleError{Reason: fmt.Sprintf("real processes begin without a leader, and in %d states there was no election to be found after which all follow process %d, and it crashes: take a cold start", len(a.points), cold.N)}
}

func noMail(s model.State) bool {
	return !slices.ContainsFunc(s.Inboxes, func(in model.Inbox) bool { return len(in) > 0 })
}

// initiators are the processes that begin of their own accord.
func initiators(s model.State) (set spec.Set) {
	for i, l := range s.Locals {
		if l.Initiator {
			set = set.With(spec.ID(i + 1))
		}
	}
	return set
}
