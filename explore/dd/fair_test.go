package dd

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"interleave/explore/ltl"
	"interleave/internal/rapidtest"
)

// fairDrawing is a drawing of six vectors at most, with classes of its events,
// stocks that they take from and put to, and an automaton with up to two states
// that reads one atom.
type fairDrawing struct {
	drawing
	class  []int // by event; 0: nothing is owed
	strong [3]bool
	takes  []int    // by event, from which stock; 0: none
	puts   []uint64 // by event, to which stocks
	cut    plain
	atom   plain
	auto   *ltl.Automaton
}

func drawFair(t *rapid.T) *fairDrawing {
	d := &fairDrawing{cut: plain{}, atom: plain{}, drawing: drawing{initial: plain{{}: true}}}
	most := [places]int{1, 2}
	for range rapid.IntRange(1, 6).Draw(t, "events") {
		event := map[int][values]int{}
		for place := range rapid.IntRange(1, 2).Draw(t, "places") {
			next := [values]int{-1, -1, -1, -1}
			for v := range most[place] + 1 {
				next[v] = rapid.IntRange(-1, most[place]).Draw(t, "next")
			}
			event[place] = next
		}
		d.events = append(d.events, event)
		d.class = append(d.class, rapid.IntRange(0, 2).Draw(t, "class"))
		d.takes = append(d.takes, rapid.IntRange(0, 2).Draw(t, "takes"))
		d.puts = append(d.puts, rapid.Uint64Range(0, 3).Draw(t, "puts")<<1)
	}
	d.strong[1], d.strong[2] = rapid.Bool().Draw(t, "strong"), rapid.Bool().Draw(t, "strong")
	for a := range uint32(2) {
		for b := range uint32(3) {
			v := [places]uint32{a, b}
			if rapid.Bool().Draw(t, "atom") {
				d.atom[v] = true
			}
			if rapid.IntRange(0, 9).Draw(t, "cut") == 0 {
				d.cut[v] = true
			}
		}
	}
	size := rapid.IntRange(1, 2).Draw(t, "size")
	states := rapid.SliceOfNDistinct(rapid.IntRange(0, size-1), 0, size, rapid.ID)
	d.auto = &ltl.Automaton{Initial: []int{rapid.IntRange(0, size-1).Draw(t, "initial")}, Accepting: rapid.IntRange(0, 2).Draw(t, "accepting")}
	for range size {
		q := ltl.State{Next: states.Draw(t, "after"), Accept: uint64(rapid.IntRange(0, 1<<d.auto.Accepting-1).Draw(t, "accept"))}
		if atom := rapid.IntRange(0, 2).Draw(t, "reads"); atom == 1 {
			q.True = 1
		} else if atom == 2 {
			q.False = 1
		}
		d.auto.States = append(d.auto.States, q)
	}
	return d
}

// graph returns the graph that is drawn, and the atoms.
func (d *fairDrawing) graph(f *Forest) (*Graph, []Set) {
	all := d.reach()
	g := &Graph{States: f.Keep(setOf(f, all)), Initial: f.Keep(setOf(f, d.initial)), Steps: d.build(f)}
	for i, e := range g.Steps {
		if d.cycles(i) {
			g.Cycle = append(g.Cycle, e)
		}
	}
	g.Cut = f.Keep(setOf(f, filter(all, func(v [places]uint32) bool { return d.cut[v] })))
	g.Rests = f.Keep(setOf(f, filter(all, d.rests)))
	for class := 1; class <= 2; class++ {
		c := &Class{Strong: d.strong[class], Possible: f.Keep(setOf(f, filter(all, func(v [places]uint32) bool { return d.possible(v, class) })))}
		for i, e := range g.Steps {
			if d.class[i] == class && d.cycles(i) {
				c.Steps = append(c.Steps, e)
			}
		}
		g.Classes = append(g.Classes, c)
	}
	for stock := 1; stock <= 2; stock++ {
		s := &Stock{}
		for i, e := range g.Steps {
			if d.takes[i] == stock && d.cycles(i) {
				s.Takes = append(s.Takes, e)
			}
			if d.puts[i]>>stock&1 != 0 && d.cycles(i) {
				s.Puts = append(s.Puts, e)
			}
		}
		g.Stocks = append(g.Stocks, s)
	}
	return g, []Set{f.Keep(setOf(f, d.atom))}
}

// cycles reports whether an event may be part of a cycle.
func (d *fairDrawing) cycles(event int) bool {
	for v := range d.reach() {
		to, ok := step(d.events[event], v)
		if back := (drawing{plain{to: true}, d.events}); ok && back.reach()[v] {
			return true
		}
	}
	return false
}

func (d *fairDrawing) possible(v [places]uint32, class int) bool {
	for i, e := range d.events {
		if _, ok := step(e, v); ok && d.class[i] == class {
			return true
		}
	}
	return false
}

func (d *fairDrawing) rests(v [places]uint32) bool {
	return !d.cut[v] && !d.possible(v, 1) && !d.possible(v, 2)
}

// pair is a node of the product.
type pair struct {
	vector [places]uint32
	q      int
}

func (d *fairDrawing) reads(p pair) bool {
	letter := uint64(0)
	if d.atom[p.vector] {
		letter = 1
	}
	return d.auto.States[p.q].Reads(letter)
}

// follow yields the nodes that a node leads to, each with the event; -1 if it rests.
func (d *fairDrawing) follow(p pair, resting bool, yield func(to pair, event int)) {
	lead := func(v [places]uint32, event int) {
		for _, q := range d.auto.States[p.q].Next {
			if to := (pair{v, q}); d.reads(to) {
				yield(to, event)
			}
		}
	}
	if resting && d.rests(p.vector) {
		lead(p.vector, -1)
	}
	for i, e := range d.events {
		if to, ok := step(e, p.vector); ok {
			lead(to, i)
		}
	}
}

// distances returns how far the nodes are.
func (d *fairDrawing) distances() map[pair]int {
	far := map[pair]int{}
	var queue []pair
	for v := range d.initial {
		for _, q := range d.auto.Initial {
			if p := (pair{v, q}); d.reads(p) {
				far[p] = 0
				queue = append(queue, p)
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		d.follow(queue[0], true, func(to pair, _ int) {
			if _, met := far[to]; !met {
				far[to] = far[queue[0]] + 1
				queue = append(queue, to)
			}
		})
	}
	return far
}

// fairNodes returns the nodes around which a fair run may be accepted: those of
// all sets of nodes that are strongly connected and do justice to everything.
func (d *fairDrawing) fairNodes(nodes []pair, resting bool) map[pair]bool {
	nodes = slices.DeleteFunc(slices.Clone(nodes), func(p pair) bool { return d.cut[p.vector] })
	found := map[pair]bool{}
	for bits := range 1 << len(nodes) {
		set := map[pair]bool{}
		for i, p := range nodes {
			if bits>>i&1 != 0 {
				set[p] = true
			}
		}
		for stocks := uint64(0); len(set) > 0 && stocks < 8; stocks += 2 {
			if d.fairSet(set, resting, stocks) {
				maps.Copy(found, set)
			}
		}
	}
	return found
}

// fairSet reports whether a run may visit all of a set forever, and nothing else, that
// takes from certain stocks at most and puts to each of them.
func (d *fairDrawing) fairSet(set map[pair]bool, resting bool, stocks uint64) bool {
	var accepted, put uint64
	var taken, absent, present [3]bool
	for p := range set {
		accepted |= d.auto.States[p.q].Accept
		for class := range taken {
			absent[class] = absent[class] || !d.possible(p.vector, class)
			present[class] = present[class] || d.possible(p.vector, class)
		}
		met := map[pair]bool{}
		for queue := []pair{p}; len(queue) > 0; queue = queue[1:] {
			d.follow(queue[0], resting, func(to pair, event int) {
				if !set[to] || event >= 0 && d.takes[event] > 0 && stocks>>d.takes[event]&1 == 0 {
					return
				}
				if event >= 0 {
					taken[d.class[event]] = true
					put |= d.puts[event]
				}
				if !met[to] {
					met[to] = true
					queue = append(queue, to)
				}
			})
		}
		if len(met) < len(set) {
			return false
		}
	}
	for class := 1; class <= 2; class++ {
		just := taken[class] || !d.strong[class] && absent[class] || !present[class]
		if !just {
			return false
		}
	}
	return accepted == 1<<d.auto.Accepting-1 && put&stocks == stocks
}

// leads reports whether a node leads to a set without what is cut.
func (d *fairDrawing) leads(from pair, to map[pair]bool) bool {
	met := map[pair]bool{from: true}
	for queue := []pair{from}; len(queue) > 0; queue = queue[1:] {
		if to[queue[0]] {
			return true
		}
		d.follow(queue[0], true, func(p pair, _ int) {
			if !met[p] && !d.cut[p.vector] {
				met[p] = true
				queue = append(queue, p)
			}
		})
	}
	return false
}

// TestFairRuns compares what is found of fair runs with what all strongly
// connected sets of nodes say, also with a collection at every node.
func TestFairRuns(t *testing.T) {
	defer func(first, growth int) { collectFirst, collectGrowth = first, growth }(collectFirst, collectGrowth)
	collectGrowth = 1
	some, none := 0, 0
	missing := func() error {
		if some < 20 || none < 20 {
			return fmt.Errorf("%d times there was a run, and %d times none", some, none)
		}
		return nil
	}
	rapidtest.Until(t, missing, func(t *rapid.T) {
		for range 20 {
			collectFirst = rapid.SampledFrom([]int{1, 1 << 20}).Draw(t, "collect")
			if drawFair(t).compareRuns(t) {
				some++
			} else {
				none++
			}
		}
	})
}

// compareRuns reports whether there is a fair run that is accepted.
func (d *fairDrawing) compareRuns(t *rapid.T) bool {
	f := New(t.Context(), places, 0)
	g, atoms := d.graph(f)
	runs := FairRuns(f, g)
	found := runs.Accepted(d.auto, atoms)
	if f.Err() != nil {
		t.Fatal(f.Err())
	}

	far := d.distances()
	want := d.fairNodes(slices.Collect(maps.Keys(far)), true)
	if (found != nil) != (len(want) > 0) {
		t.Fatalf("found %v, want one around %v", found, want)
	}
	if found != nil {
		d.checkStem(t, f, found, far, want)
	}

	simple := *d
	simple.auto = everything
	all := slices.Collect(maps.Keys(simple.distances()))
	if fair, want := runs.stay != Empty, len(simple.fairNodes(all, true)) > 0; fair != want {
		t.Fatalf("there are fair runs: %v, want %v", fair, want)
	}
	want = simple.fairNodes(all, false)
	cycling := f.Keep(Empty)
	for p := range want {
		f.Replace(&cycling, f.Union(cycling, f.Single(p.vector[:])))
	}
	for _, among := range []Set{g.States, runs.stay, cycling} {
		if got := g.Cycles(f, among); got != (len(want) > 0) {
			t.Fatalf("fair runs cycle: %v, want %v", got, len(want) > 0)
		}
	}
	if len(want) > 0 && g.Cycles(f, f.Keep(f.Minus(g.States, cycling))) {
		t.Fatalf("fair runs cycle where none does")
	}
	return found != nil
}

// checkStem checks that a stem is one, and that no other is shorter.
func (d *fairDrawing) checkStem(t *rapid.T, f *Forest, found *Accepted, far map[pair]int, fair map[pair]bool) {
	t.Helper()
	last := pair{[places]uint32(found.Stem[len(found.Stem)-1]), found.State}
	if !d.initial[[places]uint32(found.Stem[0])] || !f.Contains(found.Stay, found.Stem[len(found.Stem)-1]) || !d.leads(last, fair) {
		t.Fatalf("%v leads to no fair run", found.Stem)
	}
	for i, v := range found.Stem[1:] {
		if !slices.ContainsFunc(d.events, func(e map[int][values]int) bool {
			to, ok := step(e, [places]uint32(found.Stem[i]))
			return ok && slices.Equal(to[:], v)
		}) {
			t.Fatalf("no step leads from %v to %v", found.Stem[i], v)
		}
	}
	for p := range fair {
		if len(found.Stem) > far[p]+1 {
			t.Fatalf("%v is longer than the way to %v, %d", found.Stem, p, far[p])
		}
	}
}

// TestStemRests: a run may rest before it goes on by a step that is not owed.
func TestStemRests(t *testing.T) {
	f := New(t.Context(), 1, 0)
	e := f.NewEvent()
	e.At(0, func(v uint32) (uint32, bool) { return 1, v == 0 })
	first, last := f.Keep(f.Single([]uint32{0})), f.Keep(f.Single([]uint32{1}))
	all := f.Keep(f.Union(first, last))
	g := &Graph{States: all, Initial: first, Steps: []*Event{e}, Rests: all}
	twice := &ltl.Automaton{Initial: []int{0}, States: []ltl.State{ // a letter with the atom twice, and never again
		{True: 1, Next: []int{1}}, {True: 1, Next: []int{2}}, {False: 1, Next: []int{2}},
	}}
	found := FairRuns(f, g).Accepted(twice, []Set{first})
	if found == nil || len(found.Stem) != 2 || found.State != 2 {
		t.Errorf("%+v", found)
	}
}

// TestContains asks for vectors of a set and others.
func TestContains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := New(t.Context(), places, 0)
		a := drawSet(t, 20)
		s, v := setOf(f, a), drawVector(t)
		if f.Contains(s, v[:]) != a[v] {
			t.Fatalf("contains %v: %v", v, f.Contains(s, v[:]))
		}
		for v := range a {
			if !f.Contains(s, v[:]) {
				t.Fatalf("%v is missing", v)
			}
		}
	})
}
