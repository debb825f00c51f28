package explore

import (
	"context"
	"slices"

	"interleave/explore/ltl"
)

// Lasso is an infinite run: its path, and then again and again the part from States[Loop] on,
// which is also the last state. If Loop is the last index, the run comes to rest there.
type Lasso struct {
	Path
	Loop int
}

// Accepted returns a fair run that an automaton accepts, or false if there is none. No such run
// comes sooner to where it then stays. Bit i of the letter of a state is its mark with the number
// atoms[i]. The error is that of ctx.
func (r *FairRuns) Accepted(ctx context.Context, a *ltl.Automaton, atoms []uint8) (_ Lasso, found bool, _ error) {
	return r.accepted(ctx, a, atoms, nil)
}

func (r *FairRuns) accepted(ctx context.Context, a *ltl.Automaton, atoms []uint8, l *luck) (_ Lasso, found bool, _ error) {
	f, err := newFinder(ctx, lookForSuch, newProduct(r.outlooks, a, atoms), r.options)
	if err != nil {
		return Lasso{}, false, err
	}
	f.luck = l
	scope := newNodes(f.nodes())
	for n := range r.stay.all() {
		for q := range f.size {
			scope.add(n*f.size + q)
		}
	}
	scope.settle()
	if err := f.search(scope); err != nil {
		return Lasso{}, false, err
	}
	if err := f.searchAgain(); err != nil {
		return Lasso{}, false, err
	}
	if f.found.settle(); f.found.count == 0 {
		return Lasso{}, false, nil
	}
	stem, err := f.stem()
	if err != nil || stem == nil {
		return Lasso{}, false, err
	}
	entry := stem[len(stem)-1].node
	cycle := &loop{finder: f, entry: entry}
	if cycle.inside, err = f.around(entry); err != nil {
		return Lasso{}, false, err
	}
	if err := cycle.close(); err != nil {
		return Lasso{}, false, err
	}
	lasso := Lasso{Path: f.path(stem, 0)}
	lasso.Loop = len(lasso.States) - 1
	round := f.path(cycle.path, entry/f.size)
	lasso.States = append(lasso.States, round.States...)
	lasso.Actions = append(lasso.Actions, round.Actions...)
	return lasso, true, nil
}

// stem returns a shortest path from the beginning to a node that was found; nil if there is none.
func (f *finder) stem() (productPath, error) {
	h := &pathSearch{product: f.product, node: f.found.has}
	return h.from(f.ctx, slices.Collect(f.initial), false)
}

// around returns the strongly connected component of a node among those that were found.
func (f *finder) around(node int) (func(node int) bool, error) {
	f.looking = lookForCycle
	p, err := f.parts(f.found)
	if err != nil {
		return nil, err
	}
	rank := f.found.rank(node)
	inside := newNodes(f.nodes())
	p.Found = func(members []uint32, _ bool) error {
		if slices.Contains(members, uint32(rank)) {
			for _, m := range members {
				inside.add(p.list(int(m)))
			}
		}
		return nil
	}
	return inside.has, p.RunFrom(f.ctx, rank)
}

// loop is the part of a lasso that repeats, under construction: from an entry node inside a
// component in which a fair run may stay, and back to it.
type loop struct {
	*finder
	inside func(node int) bool
	entry  int
	path   productPath // without the entry

	accepted uint64
	always   classes // weak: possible at all nodes so far, and not taken
	ever     classes // strong: possible at one of them, and not taken
	taken    classes
}

// close extends the loop until it is content and back at its entry, each time to the nearest
// node, or by the nearest step, that is of use. A shorter loop may exist.
func (l *loop) close() error {
	l.begin()
	for !l.content() || l.last() != l.entry || len(l.path) == 0 {
		h := &pathSearch{product: l.product, inside: l.inside, bars: l.bars, node: l.helps, step: l.owes}
		if l.content() {
			h.node, h.step = func(n int) bool { return n == l.entry }, nil
		}
		more, err := h.from(l.ctx, []int{l.last()}, true)
		if err != nil {
			return err
		}
		if more == nil {
			panic(Contradiction("there is no path around a component in which a fair run may stay"))
		}
		l.add(more[1:])
	}
	return l.shorten()
}

// begin resets the loop to its entry.
func (l *loop) begin() {
	l.at(l.entry)
	l.path, l.taken = nil, nil
	l.accepted = l.auto.States[l.entry%l.size].Accept
	weak, strong := l.possible()
	l.always, l.ever = slices.Clone(weak), slices.Clone(strong)
}

func (l *loop) last() int {
	if len(l.path) == 0 {
		return l.entry
	}
	return l.path[len(l.path)-1].node
}

func (l *loop) add(more productPath) {
	for _, h := range more {
		if !h.rest && h.class != 0 {
			l.taken = l.taken.with(h.class)
		}
		l.at(h.node)
		weak, strong := l.possible()
		l.always = l.always.only(weak).without(l.taken)
		l.ever = l.ever.union(strong).without(l.taken)
		l.accepted |= l.auto.States[h.node%l.size].Accept
		l.path = append(l.path, h)
	}
}

// content reports whether a loop of these nodes and steps is fair and accepted.
func (l *loop) content() bool {
	return l.always.empty() && l.ever.empty() && l.accepted == l.acceptance()
}

// helps reports whether the current node is of use: it is in an acceptance set that the loop has
// not met yet, or a class that is owed weak fairness is not possible there.
func (l *loop) helps(node int) bool {
	if l.auto.States[node%l.size].Accept&^l.accepted != 0 {
		return true
	}
	weak, _ := l.possible()
	return !l.always.within(weak)
}

// owes reports whether a step of a class is still owed.
func (l *loop) owes(class uint32) bool { return l.always.has(class) || l.ever.has(class) }

// shorten removes parts that lead from a node back to it, as long as the loop stays content. It
// does not touch a loop that is too long for anybody to read.
func (l *loop) shorten() error {
	const readable = 1000
	for i := -1; i < len(l.path) && len(l.path) <= readable; i++ {
		if err := l.ctx.Err(); err != nil {
			return err
		}
		for k := len(l.path) - 1; k > i; k-- {
			whole := l.path
			if l.path[k].node != whole.at(i, l.entry) || i < 0 && k == len(whole)-1 {
				continue
			}
			l.begin()
			if l.add(slices.Concat(whole[:i+1], whole[k+1:])); l.content() {
				break
			}
			l.path = whole
		}
	}
	return nil
}

// at returns the node after edge i of a path that began at the given node, which comes before edge
// 0.
func (t productPath) at(i, began int) int {
	if i < 0 {
		return began
	}
	return t[i].node
}
