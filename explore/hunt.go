package explore

import (
	"context"
	"slices"
)

// way is a path through a product.
type way []hop

// hop is a step of a way to a node. The first hop of a way may have no step: then the way begins
// at its node.
type hop struct {
	node   int
	stride int    // its index among the strides of the state before
	class  uint32 // of the stride; 0: no fairness is owed to it
	rest   bool   // the run stays where it is
	begins bool
}

// hunt looks for a shortest way to a goal, breadth-first.
type hunt struct {
	*product
	inside func(node int) bool     // nil: anywhere
	node   func(node int) bool     // reports whether the current node is a goal
	step   func(class uint32) bool // reports whether a step inside is one; may be nil
}

type queued struct {
	hop
	parent int
}

// from returns a shortest way from one of some nodes to a goal; nil if there is none. With again,
// a node where the way begins is a goal only if the way comes back to it.
func (h *hunt) from(ctx context.Context, begin []int, again bool) (way, error) {
	met := newNodes(h.nodes())
	var queue []queued
	add := func(e queued) {
		if !met.has(e.node) && (h.inside == nil || h.inside(e.node)) {
			met.add(e.node)
			queue = append(queue, e)
		}
	}
	for _, n := range begin {
		if add(queued{hop{node: n, begins: true}, -1}); again {
			met.drop(n)
		}
	}
	for i := 0; i < len(queue); i++ {
		if i%batchStates == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e := queue[i]
		if !h.at(e.node) {
			continue
		}
		if (!e.begins || !again) && h.node(e.node) {
			return wayBack(queue, i), nil
		}
		goal := -1
		h.hops(e.node, func(to hop) {
			if h.ends(to) && goal < 0 { // even if it leads to a node that was met
				goal = len(queue)
				queue = append(queue, queued{to, i})
			}
			add(queued{to, i})
		})
		if goal >= 0 {
			return wayBack(queue, goal), nil
		}
	}
	return nil, nil
}

// ends reports whether a hop is a step that is a goal.
func (h *hunt) ends(to hop) bool {
	return h.step != nil && !to.rest && h.inside(to.node) && h.step(to.class)
}

// hops yields the hops from the current node. Resting, if possible, is first.
func (p *product) hops(node int, yield func(to hop)) {
	next := p.auto.States[node%p.size].Next
	if p.rests() {
		for _, q := range next {
			yield(hop{node: node - node%p.size + q, rest: true})
		}
	}
	for i, s := range p.look.strides {
		if s.to == nowhere {
			continue
		}
		for _, q := range next {
			yield(hop{node: int(s.to)*p.size + q, stride: i, class: s.class})
		}
	}
}

// wayBack returns the way that ends with entry i of a queue.
func wayBack(queue []queued, i int) way {
	var t way
	for ; i >= 0; i = queue[i].parent {
		t = append(t, queue[i].hop)
	}
	slices.Reverse(t)
	return t
}

// path returns the states and actions of a way that starts in state from. It leaves out hops that
// rest, and the state from itself, unless the way has a hop that begins.
func (p *product) path(t way, from int) (path Path) {
	for _, h := range t {
		to := h.node / p.size
		if h.rest {
			continue
		}
		if !h.begins {
			path.Actions = append(path.Actions, p.action(from, h.stride))
		}
		path.States = append(path.States, to)
		from = to
	}
	return path
}
