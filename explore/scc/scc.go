// Package scc finds the strongly connected components of directed graphs, without recursion and
// with little memory.
//
// Of numbers the components of a small graph that is given in full. A Search is for large ones:
// it asks for the successors of each node once, reports each component as soon as it is complete,
// after all components that it leads to, and heeds a limit on memory and a context.
package scc

import (
	"context"
	"errors"
)

// Search finds the strongly connected components of a graph by Tarjan's algorithm in the form of
// Pearce, which takes one number for each node (D. J. Pearce: A space-efficient algorithm for
// finding strongly connected components, Information Processing Letters 116, 2016). It has a
// stack of its own, since a path may be as long as there are nodes.
type Search struct {
	Nodes int // they are numbered from 0
	// Follow appends the successors of a node to out.
	Follow func(node int, out []uint32) []uint32
	// Found is called with each component, after those that it leads to, and with whether it has
	// a cycle. The slice is valid until it returns.
	Found  func(members []uint32, cyclic bool) error
	Memory int64 // bytes that it may take; 0: no limit

	// place is by node. It is 0 before the node is met. While the node is on the path or
	// waiting, it is the least number, in order of discovery from 1 on, of a node that it
	// is known to lead back to. In the end it is the number of its component, counted
	// down from the largest.
	place     []uint32
	met       uint32
	component uint32
	path      []visit
	arcs      []uint32 // still to be followed, of the visits on the path one after the other
	waiting   []uint32 // done, but they lead back to a node further up
	seen      int
	ctx       context.Context
}

// visit is a node on the path. Its arcs from first on, up to the first of the next visit, are
// still to be followed.
type visit struct {
	node  uint32
	first int
	root  bool // as far as is known, it leads back to no node above it
	loops bool // a step leads from it to itself
}

// ErrMemory says that a search took more memory than it was given.
var ErrMemory = errors.New("memory limit reached")

// most is the largest number of nodes.
const most = 1<<32 - 2

// Of returns the number of the component of each node of a graph, which is given as the
// successors of each. A component has a larger number than those that it leads to.
func Of(next [][]uint32) []int {
	numbers, count := make([]int, len(next)), 0
	s := Search{Nodes: len(next), Follow: func(n int, out []uint32) []uint32 { return append(out, next[n]...) }}
	s.Found = func(members []uint32, _ bool) error {
		for _, m := range members {
			numbers[m] = count
		}
		count++
		return nil
	}
	if err := s.Run(context.Background()); err != nil {
		panic(err) // there is no reason to fail
	}
	return numbers
}

// Run finds the components. The error is that of Found or of ctx, or ErrMemory.
func (s *Search) Run(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	for n := range s.Nodes {
		if s.place[n] != 0 {
			continue
		}
		if err := s.explore(uint32(n)); err != nil {
			return err
		}
	}
	return nil
}

// RunFrom finds the components that can be reached from a node, its own last.
func (s *Search) RunFrom(ctx context.Context, node int) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	return s.explore(uint32(node))
}

func (s *Search) begin(ctx context.Context) error {
	s.ctx = ctx
	if s.Nodes > most || s.Memory > 0 && 4*int64(s.Nodes) > s.Memory {
		return ErrMemory
	}
	s.place = make([]uint32, s.Nodes)
	s.met, s.component, s.seen = 0, 1<<32-1, 0
	return nil
}

// Seen is how many nodes were met so far.
func (s *Search) Seen() int { return s.seen }

// Together reports whether two nodes are in the same component. During a call of Found, one of
// them must be in the component that was found.
func (s *Search) Together(a, b uint32) bool { return s.place[a] == s.place[b] }

func (s *Search) explore(n uint32) error {
	if err := s.enter(n); err != nil {
		return err
	}
	for len(s.path) > 0 {
		top := &s.path[len(s.path)-1]
		if top.first == len(s.arcs) {
			if err := s.leave(); err != nil {
				return err
			}
			continue
		}
		to := s.arcs[len(s.arcs)-1]
		s.arcs = s.arcs[:len(s.arcs)-1]
		if s.place[to] != 0 {
			s.meet(top, to)
			continue
		}
		if err := s.enter(to); err != nil {
			return err
		}
	}
	return nil
}

// enter puts a node on the path. It keeps only arcs to nodes that were not met yet; these may be
// met before the arc is followed.
func (s *Search) enter(n uint32) error {
	if s.seen%someNodes == 0 {
		if err := s.mayGoOn(); err != nil {
			return err
		}
	}
	s.seen++
	s.met++
	s.place[n] = s.met
	s.path = append(s.path, visit{node: n, first: len(s.arcs), root: true})
	top := &s.path[len(s.path)-1]
	s.arcs = s.Follow(int(n), s.arcs)
	kept := s.arcs[:top.first]
	for _, to := range s.arcs[top.first:] {
		switch {
		case to == n:
			top.loops = true
		case s.place[to] == 0:
			kept = append(kept, to)
		default:
			s.meet(top, to)
		}
	}
	s.arcs = kept
	return nil
}

// meet records that a node leads to another that was met before.
func (s *Search) meet(v *visit, to uint32) {
	if s.place[to] < s.place[v.node] {
		s.place[v.node], v.root = s.place[to], false
	}
}

// someNodes is how many nodes are met between two calls of mayGoOn.
const someNodes = 1 << 12

// mayGoOn returns why the search has to end, or nil.
func (s *Search) mayGoOn() error {
	if taken := 4*(cap(s.place)+cap(s.arcs)+cap(s.waiting)) + 24*cap(s.path); s.Memory > 0 && int64(taken) > s.Memory {
		return ErrMemory
	}
	return s.ctx.Err()
}

// leave takes the last node from the path. If it is the root of its component, the component is
// complete.
func (s *Search) leave() error {
	v := s.path[len(s.path)-1]
	s.path = s.path[:len(s.path)-1]
	s.waiting = append(s.waiting, v.node)
	if !v.root {
		s.meet(&s.path[len(s.path)-1], v.node)
		return nil
	}
	first := len(s.waiting) - 1
	for first > 0 && s.place[s.waiting[first-1]] >= s.place[v.node] {
		first--
	}
	members := s.waiting[first:]
	for _, m := range members {
		s.place[m] = s.component
	}
	s.component--
	s.met -= uint32(len(members))
	s.waiting = s.waiting[:first]
	return s.Found(members, v.loops || len(members) > 1)
}
