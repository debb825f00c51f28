package explore

import (
	"context"
	"errors"
)

// components finds the strongly connected components of a graph of count nodes
// by Tarjan's algorithm as Pearce has it, which takes one number for each node
// (D. J. Pearce: A space-efficient algorithm for finding strongly connected
// components, Information Processing Letters 116, 2016). The stack is our own:
// a path may be as long as there are nodes.
type components struct {
	ctx   context.Context
	count int
	// follow appends the successors of a node to out.
	follow func(node int, out []uint32) []uint32
	// found is told of each component, those that it leads to before it, and
	// whether there is a cycle in it. The slice is valid until it returns.
	found func(members []uint32, cyclic bool) error

	// place is 0 for what was not met yet; while a node is at hand, the least
	// number in order of discovery of what it is known to lead back to, from 1
	// on; then the number of its component, which are given from the top.
	place     []uint32
	met       uint32
	component uint32
	path      []visit
	arcs      []uint32 // of the visits on the path, one after the other
	waiting   []uint32 // done, but for a node further up that they lead back to
	seen      int
	memory    int64 // bytes that it may take; 0: no limit
}

// visit is a node on the path; arcs from first on, up to those of the next
// visit, are to be followed.
type visit struct {
	node  uint32
	first int
	root  bool // it leads back to nothing above it, as far as is known
	loops bool // a step leads from it to itself
}

func (c *components) run() error {
	c.place = make([]uint32, c.count)
	c.met, c.component = 0, 1<<32-1
	for n := range c.count {
		switch {
		case c.place[n] != 0:
			continue
		case c.seen == 0:
			if err := c.mayGoOn(); err != nil {
				return err
			}
		}
		if err := c.explore(uint32(n)); err != nil {
			return err
		}
	}
	return nil
}

// together reports whether two nodes are in the same component; found may ask
// of a node in the component at hand, and any other.
func (c *components) together(a, b uint32) bool { return c.place[a] == c.place[b] }

func (c *components) explore(n uint32) error {
	c.enter(n)
	for len(c.path) > 0 {
		top := &c.path[len(c.path)-1]
		if top.first == len(c.arcs) {
			if err := c.leave(); err != nil {
				return err
			}
			continue
		}
		to := c.arcs[len(c.arcs)-1]
		c.arcs = c.arcs[:len(c.arcs)-1]
		if c.place[to] == 0 {
			c.enter(to)
			continue
		}
		c.meet(top, to)
	}
	return nil
}

// enter puts a node on the path. Of its arcs those are kept that lead to what
// was not met yet: it may be, before they are followed.
func (c *components) enter(n uint32) {
	c.met++
	c.place[n] = c.met
	c.path = append(c.path, visit{node: n, first: len(c.arcs), root: true})
	top := &c.path[len(c.path)-1]
	c.arcs = c.follow(int(n), c.arcs)
	kept := c.arcs[:top.first]
	for _, to := range c.arcs[top.first:] {
		switch {
		case to == n:
			top.loops = true
		case c.place[to] == 0:
			kept = append(kept, to)
		default:
			c.meet(top, to)
		}
	}
	c.arcs = kept
}

// meet notes that a node leads to another that was met before.
func (c *components) meet(v *visit, to uint32) {
	if c.place[to] < c.place[v.node] {
		c.place[v.node], v.root = c.place[to], false
	}
}

// mayGoOn returns why the search has to end, if it has to.
func (c *components) mayGoOn() error {
	if taken := 4*(cap(c.place)+cap(c.arcs)+cap(c.waiting)) + 24*cap(c.path); c.memory > 0 && int64(taken) > c.memory {
		return ErrMemory
	}
	return c.ctx.Err()
}

// ErrMemory says that a question took more memory than it was given.
var ErrMemory = errors.New("memory limit reached")

// leave takes the last node from the path, and with it its component, if that
// ends there.
func (c *components) leave() error {
	v := c.path[len(c.path)-1]
	c.path = c.path[:len(c.path)-1]
	if c.seen++; c.seen%batchStates == 0 {
		if err := c.mayGoOn(); err != nil {
			return err
		}
	}
	c.waiting = append(c.waiting, v.node)
	if !v.root {
		c.meet(&c.path[len(c.path)-1], v.node)
		return nil
	}
	first := len(c.waiting) - 1
	for first > 0 && c.place[c.waiting[first-1]] >= c.place[v.node] {
		first--
	}
	members := c.waiting[first:]
	for _, m := range members {
		c.place[m] = c.component
	}
	c.component--
	c.met -= uint32(len(members))
	c.waiting = c.waiting[:first]
	return c.found(members, v.loops || len(members) > 1)
}
