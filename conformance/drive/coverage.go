package drive

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"

	"interleave/internal/numbering"
	"interleave/model"
)

// coverageMap is what can happen in a world, within the bound on states: the points
// to which processes can be driven, how each is reached, and the classes and kinds of
// action of the model.
type coverageMap struct {
	scheduler  *scheduler
	limit      int            // of states, and of points
	points     []visited      // those at which runs begin come first
	beginnings []beginning    // number of points at which runs begin
	seen       map[string]int // points, by key
	keys       keys

	classes []class         // classes of the model, in the order in which they are found
	known   map[class]int   // their numbers
	reasons map[int]string  // why steps of a class cannot be driven, if one was refused
	where   map[int]place   // the first group that goes through a class
	refused map[class]bool  // classes of what processes refuse in the model
	askable map[class]int   // the first point at which they can be given it
	kinds   map[string]bool // kinds of action that the model takes
	states  int             // of the model
	whole   bool            // everything was explored
}

// visited is a point and the group that first led to it.
type visited struct {
	point  point
	parent int // -1: initial
	via    int // index among the groups of the parent
	depth  int
}

// place identifies a group from a point, by their numbers.
type place struct{ point, group int }

// keys gives equal keys to equal states.
type keys struct {
	locals   numbering.Of[model.Local]
	letters  numbering.Of[model.Envelope]
	envs     numbering.Of[model.Env]
	runtimes numbering.Of[runtimeState]
}

func appendNumber[T comparable](key []byte, of *numbering.Of[T], v T) []byte {
	n, _ := of.Number(v)
	return binary.AppendUvarint(key, uint64(n))
}

func (k *keys) of(s model.State) []byte {
	key := appendNumber(make([]byte, 0, 32), &k.envs, s.Env)
	for i, l := range s.Locals {
		key = appendNumber(key, &k.locals, l)
		key = binary.AppendUvarint(key, uint64(len(s.Inboxes[i])))
		for _, e := range s.Inboxes[i] {
			key = appendNumber(key, &k.letters, e)
		}
	}
	return key
}

func (k *keys) ofPoint(pt point) string {
	key := k.of(pt.state)
	for _, m := range pt.runtimes {
		key = appendNumber(key, &k.runtimes, m)
	}
	for _, mail := range pt.mail { // as many as in the inboxes
		for _, e := range mail {
			key = appendNumber(key, &k.letters, e)
		}
	}
	return string(key)
}

func newCoverageMap(d *scheduler, limit int) *coverageMap {
	return &coverageMap{
		scheduler: d, limit: limit, seen: map[string]int{}, known: map[class]int{}, reasons: map[int]string{}, where: map[int]place{}, kinds: map[string]bool{},
		refused: map[class]bool{}, askable: map[class]int{}, whole: true,
	}
}

// explore explores a world, with a bound on the number of states.
func explore(ctx context.Context, d *scheduler, limit int) (*coverageMap, error) {
	a := newCoverageMap(d, limit)
	if err := a.exploreModel(ctx); err != nil {
		return nil, err
	}
	return a, a.explorePoints(ctx)
}

// exploreModel finds every class and kind of action that the model has.
func (a *coverageMap) exploreModel(ctx context.Context) error {
	queue := a.scheduler.reference.Initial()
	seen := map[string]bool{}
	for _, s := range queue {
		seen[string(a.keys.of(s))] = true
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := queue[0]
		a.noteRefused(s)
		for _, step := range a.scheduler.reference.Steps(s) {
			a.note(s, step)
			if step.Panic != "" {
				continue
			}
			if key := string(a.keys.of(step.After)); !seen[key] {
				if len(seen) >= a.limit {
					a.whole = false
					continue
				}
				seen[key] = true
				queue = append(queue, step.After)
			}
		}
	}
	a.states = len(seen)
	return nil
}

// note records the classes and the kind of a step.
func (a *coverageMap) note(before model.State, step model.Step) {
	for _, c := range a.scheduler.classes(before, step) {
		if _, ok := a.known[c]; !ok {
			a.known[c] = len(a.classes)
			a.classes = append(a.classes, c)
		}
	}
	a.kinds[a.scheduler.kind(before, step)] = true
}

// explorePoints finds the points to which processes can be driven, shortest ways first,
// until every class, and everything that processes refuse, is reached.
func (a *coverageMap) explorePoints(ctx context.Context) error {
	for _, s := range a.scheduler.reference.Initial() {
		b, err := beginningOf(ctx, a.scheduler, s, a.limit)
		if err != nil {
			return err
		}
		if a.visit(visited{point: b.point, parent: -1}) {
			a.beginnings = append(a.beginnings, b)
		}
	}
	for i := 0; i < len(a.points) && (len(a.where) < len(a.classes) || len(a.askable) < len(a.refused)); i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		a.noteAskable(i)
		pt := a.points[i].point
		groups, barred, steps := a.scheduler.groups(pt)
		for _, at := range slices.Sorted(maps.Keys(barred)) {
			for _, c := range a.scheduler.classes(pt.state, steps[at]) {
				if n, ok := a.known[c]; ok && a.reasons[n] == "" {
					a.reasons[n] = barred[at]
				}
			}
		}
		for k := range groups {
			for _, n := range a.passes(pt, &groups[k]) {
				if _, ok := a.where[n]; !ok {
					a.where[n] = place{i, k}
				}
			}
			if !groups[k].panics() {
				a.visit(visited{groups[k].after, i, k, a.points[i].depth + 1})
			}
		}
	}
	return nil
}

// visit adds a point, if it is new and there is room.
func (a *coverageMap) visit(v visited) bool {
	key := a.keys.ofPoint(v.point)
	if _, ok := a.seen[key]; ok {
		return false
	}
	if len(a.points) >= a.limit {
		a.whole = false
		return false
	}
	a.seen[key] = len(a.points)
	a.points = append(a.points, v)
	return true
}

// passes returns the numbers of the classes that a group goes through. Classes that
// occur only through the runtime's own order are not in the model, and have no number.
func (a *coverageMap) passes(pt point, m *group) (numbers []int) {
	before := pt.state
	for _, step := range m.steps {
		for _, c := range a.scheduler.classes(before, step) {
			if n, ok := a.known[c]; ok {
				numbers = append(numbers, n)
			}
		}
		before = step.After
	}
	return numbers
}

// why returns why a class was not performed.
func (a *coverageMap) why(n int) string {
	_, reached := a.where[n]
	switch {
	case reached:
		return "the run ended before"
	case a.reasons[n] != "":
		return a.reasons[n]
	case !a.whole:
		return "no way there was found in as many states as were looked at"
	}
	return "it is reached only after something that cannot be driven"
}

// route returns the groups from one of the first points, root, to point n.
func (a *coverageMap) route(n int) (root int, groups []group) {
	var back []int
	for ; a.points[n].parent >= 0; n = a.points[n].parent {
		back = append(back, n)
	}
	for _, k := range slices.Backward(back) {
		all, _, _ := a.scheduler.groups(a.points[a.points[k].parent].point)
		groups = append(groups, all[a.points[k].via])
	}
	return n, groups
}

// paths yields paths until every class that can be driven has been performed: each goes
// to the class that is deepest, and then on as long as it finds something new.
func (a *coverageMap) paths(performed map[int]bool, use func(b beginning, groups []group) (bool, error)) error {
	var open []int
	for n := range a.classes {
		if _, ok := a.where[n]; ok {
			open = append(open, n)
		}
	}
	slices.SortStableFunc(open, func(m, n int) int { return a.points[a.where[n].point].depth - a.points[a.where[m].point].depth })
	for _, n := range open {
		if performed[n] {
			continue
		}
		root, groups := a.route(a.where[n].point)
		all, _, _ := a.scheduler.groups(a.points[a.where[n].point].point)
		groups = append(groups, all[a.where[n].group])
		planned := map[int]bool{}
		pt := a.points[root].point
		for i := range groups {
			a.plan(planned, pt, &groups[i])
			pt = groups[i].after
		}
		if !groups[len(groups)-1].panics() {
			groups = a.lengthen(pt, groups, planned, performed)
		}
		if goOn, err := use(a.beginnings[root], groups); err != nil || !goOn {
			return err
		}
	}
	return nil
}

func (a *coverageMap) plan(planned map[int]bool, pt point, m *group) {
	for _, n := range a.passes(pt, m) {
		planned[n] = true
	}
}

// longest bounds the length of a path.
const longest = 200

// lengthen adds groups to a path as long as one goes through a class that is new.
func (a *coverageMap) lengthen(pt point, groups []group, planned, performed map[int]bool) []group {
	for len(groups) < longest {
		all, _, _ := a.scheduler.groups(pt)
		best, gain := -1, 0
		for k := range all {
			fresh := 0
			for _, n := range a.passes(pt, &all[k]) {
				if !planned[n] && !performed[n] {
					fresh++
				}
			}
			if fresh > gain && !all[k].panics() {
				best, gain = k, fresh
			}
		}
		if best < 0 {
			return groups
		}
		a.plan(planned, pt, &all[best])
		groups = append(groups, all[best])
		pt = all[best].after
	}
	return groups
}
