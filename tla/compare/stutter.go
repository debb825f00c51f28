package compare

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"interleave/internal/numbering"
	"interleave/tla"
	"interleave/tla/value"
)

// Visibly compares a module, under its configuration, with a Go algorithm by the values
// of some of the module's variables. A step that changes none of them is stuttering:
// the sides agree if their initial states are in the coarsest stuttering bisimulation
// that is sensitive to divergence (E. Clarke, O. Grumberg, D. Peled, Model Checking,
// section 10.2; R. De Nicola, F. Vaandrager, 1995). So either side may take several
// steps where the other takes one, and both satisfy the same formulas about these
// variables without a next-time operator. A run that goes on forever and one that ends
// are the same if nothing visible changes any more.
//
// Both graphs are explored in full. The difference is shown as a play: the sides move
// in turn, as alike as they can, until one of them can do what the other cannot.
func Visibly(ctx context.Context, m *tla.Model, p *Pair, visible []string, o Options) (*Result, error) {
	if o.Direction != Both {
		return nil, fmt.Errorf("steps that change nothing visible are compared in both directions only")
	}
	a, err := newAlgorithm(m, p)
	if err != nil {
		return nil, err
	}
	columns, missing := indices(visible, m.Variables())
	if missing >= 0 {
		return nil, fmt.Errorf("%s is no variable of %s; there are %s", visible[missing], m.Module, strings.Join(m.Variables(), ", "))
	}
	x, b := newComparison(m, o, a), &bisimulation{}
	x.Config = a.reference.Config()
	ends, err := b.explore(ctx, o, x.ours, columns)
	if err != nil {
		return nil, err
	}
	b.ours = len(b.nodes)
	x.States = b.ours
	for _, n := range b.nodes {
		x.Steps += len(n.next)
	}
	ends2, err := b.explore(ctx, o, x.module, columns)
	if err != nil {
		return nil, err
	}
	x.Images = len(b.nodes) - b.ours
	if x.Complete = ends && ends2; !x.Complete {
		return &x.Result, nil
	}
	b.refine()
	x.Difference = b.difference()
	if x.Difference != nil {
		x.Difference.Variables = visible
	}
	return &x.Result, nil
}

// indices returns where names stand among others, and the first that does not, or -1.
func indices(names, among []string) (at []int, missing int) {
	for _, name := range names {
		at = append(at, slices.Index(among, name))
	}
	return at, slices.Index(at, -1)
}

// bisimulation has the graphs of both sides, and a partition that becomes finer.
type bisimulation struct {
	nodes []node
	ours  int // how many nodes are states of the algorithm; the others are of the module
	// rounds has the class of every node, round by round: at first its visible values,
	// at last the coarsest bisimulation.
	rounds [][]int
}

// node is a state.
type node struct {
	view   []value.Value
	begins bool
	next   []int
	deeds  []string // the steps to next
}

// explore adds the graph of a side; false if it has more states than allowed.
func (b *bisimulation) explore(ctx context.Context, o Options, of side, columns []int) (bool, error) {
	var s states
	first := len(b.nodes)
	enter := func(out outcome) int {
		h := hash(out.image)
		if at, _ := s.place(h, out); at >= 0 {
			return first + at
		}
		n := node{}
		for _, i := range columns {
			n.view = append(n.view, out.image[i])
		}
		b.nodes = append(b.nodes, n)
		return first + s.add(h, pairState{image: out.image, state: out.state})
	}
	outs, err := of.begin()
	if err != nil {
		return false, err
	}
	for _, out := range outs {
		b.nodes[enter(out)].begins = true
	}
	for at := 0; at < len(s.found); at++ {
		if ctx.Err() != nil || o.MaxStates > 0 && len(s.found) > o.MaxStates {
			return false, nil
		}
		if outs, err = of.steps(&s.found[at]); err != nil {
			return false, err
		}
		for _, out := range outs {
			to := enter(out)
			n := &b.nodes[first+at]
			n.next, n.deeds = append(n.next, to), append(n.deeds, out.deed)
		}
	}
	return true, nil
}

// refine divides classes until the nodes of each can do the same.
func (b *bisimulation) refine() {
	var numbers numbering.Of[string]
	class := make([]int, len(b.nodes))
	number := func(text string) int {
		n, _ := numbers.Number(text)
		return int(n)
	}
	for i, n := range b.nodes {
		class[i] = number(value.Format(value.NewTuple(slices.Clone(n.view)...)))
	}
	for count := 0; count < len(numbers.Values); {
		count = len(numbers.Values)
		b.rounds = append(b.rounds, class)
		reach, rests := b.abilities(class)
		finer := make([]int, len(class))
		numbers = numbering.Of[string]{}
		for i := range class {
			finer[i] = number(fmt.Sprint(class[i], rests[i], reach[i]))
		}
		class = finer
	}
}

// abilities returns, for each node, the other classes that it can reach by a step after
// steps within its class, in order, and whether it can stay in its class forever.
func (b *bisimulation) abilities(class []int) (reach [][]int, rests []bool) {
	reach, rests = make([][]int, len(class)), make([]bool, len(class))
	silent := func(i, j int) bool { return class[i] == class[j] }
	for i := range rests {
		rests[i] = true // until it is known that it must leave
	}
	for changed := true; changed; {
		changed = false
		for i := len(class) - 1; i >= 0; i-- {
			stays := len(b.nodes[i].next) == 0
			for _, j := range b.nodes[i].next {
				add := []int{class[j]}
				if silent(i, j) {
					add, stays = reach[j], stays || rests[j]
				}
				for _, k := range add {
					if at, ok := slices.BinarySearch(reach[i], k); !ok {
						reach[i], changed = slices.Insert(reach[i], at, k), true
					}
				}
			}
			if stays != rests[i] {
				rests[i], changed = stays, true
			}
		}
	}
	return reach, rests
}

// apart returns the first round in which two nodes are in different classes, or -1.
func (b *bisimulation) apart(i, j int) int {
	return slices.IndexFunc(b.rounds, func(class []int) bool { return class[i] != class[j] })
}

// difference returns nil if each side can begin as the other does.
func (b *bisimulation) difference() *Difference {
	for i, n := range b.nodes {
		if !n.begins {
			continue
		}
		var rivals []int
		for j, m := range b.nodes {
			if m.begins && (i < b.ours) != (j < b.ours) {
				rivals = append(rivals, j)
			}
		}
		if slices.ContainsFunc(rivals, func(j int) bool { return b.apart(i, j) < 0 }) {
			continue
		}
		d := &Difference{ByGo: i < b.ours, After: n.view}
		if rival, ok := b.likest(i, rivals); ok {
			b.play(d, i, rival)
		}
		return d
	}
	return nil
}

// likest returns the node that is distinguished last from i, of those with the same
// visible values.
func (b *bisimulation) likest(i int, among []int) (best int, ok bool) {
	last := 0
	for _, j := range among {
		if k := b.apart(i, j); k > last {
			best, last, ok = j, k, true
		}
	}
	return best, ok
}

// play continues from nodes i and j, which look the same but are not equivalent, until
// one side can do what the other cannot.
func (b *bisimulation) play(d *Difference, i, j int) {
	d.Run = []Moment{{State: b.nodes[i].view}}
	for {
		class := b.rounds[b.apart(i, j)-1]
		reach, rests := b.abilities(class)
		goal, ok := only(reach[i], reach[j])
		if !ok {
			if goal, ok = only(reach[j], reach[i]); ok || rests[j] && !rests[i] {
				i, j = j, i
			}
		}
		d.ByGo = i < b.ours
		if !ok { // i can stay in its class forever, and j cannot
			d.Deed, d.After = "forever nothing that is seen", b.nodes[i].view
			return
		}
		to, deed := b.path(i, class, func(n int) bool { return class[n] == goal })
		var answers []int
		b.path(j, class, func(n int) bool {
			answers = append(answers, n)
			return false
		})
		answer, ok := b.likest(to, answers)
		if !ok {
			d.Deed, d.After = deed, b.nodes[to].view
			return
		}
		_, other := b.path(j, class, func(n int) bool { return n == answer })
		m := Moment{Deed: deed, TLA: other, State: b.nodes[to].view}
		if !d.ByGo {
			m.Deed, m.TLA = other, deed
		}
		d.Run = append(d.Run, m)
		i, j = to, answer
	}
}

// only returns what is in one list and not in another.
func only(one, other []int) (int, bool) {
	for _, k := range one {
		if !slices.Contains(other, k) {
			return k, true
		}
	}
	return 0, false
}

// path searches for a node in the class of one, or a step away from that, and returns
// the steps to it.
func (b *bisimulation) path(from int, class []int, found func(n int) bool) (to int, deed string) {
	if found(from) {
		return from, "nothing"
	}
	deeds := map[int]string{from: ""}
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for k, n := range b.nodes[at].next {
			if _, known := deeds[n]; known {
				continue
			}
			deeds[n] = strings.TrimPrefix(deeds[at]+"; "+b.nodes[at].deeds[k], "; ")
			if found(n) {
				return n, deeds[n]
			}
			if class[n] == class[from] {
				queue = append(queue, n)
			}
		}
	}
	return from, ""
}
