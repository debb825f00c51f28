package explorer

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"interleave/explore"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/properties"
	"interleave/spec"
)

// How much of a state space is drawn, and how long states are counted.
const (
	maxDrawn      = 300     // states of a space that is drawn whole
	maxNear       = 60      // states around one, otherwise
	stepsBefore   = 3       // of the run, up to that one
	stepsAfter    = 3       // and how far what follows is away
	maxCounted    = 500_000 // states of the histogram
	countingTime  = 8 * time.Second
	countingBytes = 1 << 30
)

// A Graph is a state space, or the part of it that begins in a state.
type Graph struct {
	Whole     bool       `json:"whole"` // all states that can be reached from the beginning of the run
	From      string     `json:"from"`  // the state from which the names tell the difference: the beginning, or this state
	Nodes     []Node     `json:"nodes"`
	Edges     []Edge     `json:"edges"`
	Histogram *Histogram `json:"histogram,omitempty"` // of a whole space; to count another takes a while
}

// Histogram counts the states of a world by their distance from its initial states.
type Histogram struct {
	Counts   []int  `json:"counts"`
	States   int    `json:"states"`
	Complete bool   `json:"complete"`
	Why      string `json:"why,omitempty"` // it is not
}

// Node is a state.
type Node struct {
	Depth     int      `json:"depth"` // from the beginning of the graph
	X         float64  `json:"x"`     // within its layer, in rooms of one node
	Name      []string `json:"name"`  // how it differs from another state, in lines; no two are equal
	Whole     []string `json:"whole"` // the same, with nothing cut
	Quiescent bool     `json:"quiescent"`
	False     []string `json:"false,omitempty"` // properties that count
	Beyond    bool     `json:"beyond"`          // more follows than is drawn
	Place     Place    `json:"place"`
	On        bool     `json:"on"` // the run passes it
	Here      bool     `json:"here"`
	Steps     []int    `json:"steps,omitempty"` // of the run, after each of which it is here
}

// Edge is all steps from one state to another.
type Edge struct {
	From    int      `json:"from"`
	To      int      `json:"to"`
	Actions []string `json:"actions"`
	On      bool     `json:"on"`
}

// graph draws the state space if it is small, and else what follows from a state.
func (c *course) graph(q atQuestion) (g *Graph, err error) {
	defer guarded(c.Machine, &err)
	run, err := c.walk(q.Place)
	if err != nil {
		return nil, err
	}
	if q.At < 0 || q.At >= len(run.States) {
		return nil, fmt.Errorf("there is no state %d", q.At)
	}
	begin := Place{which: q.which, Initial: q.Initial, Choices: []int{}}
	whole := &growing{course: c, limit: maxDrawn, depth: -1, Graph: &Graph{Whole: true}, numbers: map[string]int{}}
	whole.add(run.States[0], begin, 0)
	if whole.grow(0); !whole.cut {
		whole.name(0, "the beginning")
		whole.finish(run, 0, q.At)
		whole.Histogram = whole.count()
		return whole.Graph, nil
	}
	return c.near(q, run), nil
}

// near is the graph of how the run came to a state, and of what follows from it.
func (c *course) near(q atQuestion, run *model.Run) *Graph {
	from := max(0, q.At-stepsBefore)
	g := &growing{course: c, limit: maxNear, depth: q.At - from + stepsAfter, Graph: &Graph{}, numbers: map[string]int{}}
	for i := from; i <= q.At; i++ {
		n := g.add(run.States[i], q.after(i), i-from)
		g.describe(&g.Nodes[n], c.reference.World(run.States[i]))
	}
	g.grow(g.numbers[run.States[q.At].Key()])
	for i := from; i < q.At; i++ {
		e := [2]int{g.numbers[run.States[i].Key()], g.numbers[run.States[i+1].Key()]}
		if g.edges[e] == nil {
			g.edges[e] = []string{c.told(run.Steps[i].Event)}
		}
	}
	g.name(g.numbers[run.States[q.At].Key()], "this state")
	g.finish(run, from, q.At)
	return g.Graph
}

// after is the place after so many steps of the run to the place in question.
func (q atQuestion) after(steps int) Place {
	p := q.Place
	p.Steps = min(p.Steps, steps)
	p.Choices = slices.Clone(p.Choices[:max(0, steps-q.Place.Steps)])
	return p
}

func (c *course) told(e model.Event) string {
	if e.Process == spec.None {
		return c.reference.Describe(e)
	}
	return fmt.Sprintf("%v: %s", e.Process, c.reference.Describe(e))
}

// growing is a graph in the making.
type growing struct {
	*Graph
	course  *course
	limit   int // states
	depth   int // steps; -1: any
	cut     bool
	states  []model.State
	numbers map[string]int // by state
	edges   map[[2]int][]string
}

// grow finds what follows from a state on, and from those that were added after it.
func (g *growing) grow(from int) {
	g.edges = map[[2]int][]string{}
	for i := from; i < len(g.Nodes); i++ {
		g.describe(&g.Nodes[i], g.course.reference.World(g.states[i]))
		for k, step := range g.course.reference.Steps(g.states[i]) {
			if step.Panic != "" {
				continue
			}
			place := g.Nodes[i].Place
			place.Choices = append(slices.Clone(place.Choices), k)
			to := g.add(step.After, place, g.Nodes[i].Depth+1)
			if to < 0 {
				g.Nodes[i].Beyond, g.cut = true, true
				continue
			}
			g.edges[[2]int{i, to}] = append(g.edges[[2]int{i, to}], g.course.told(step.Event))
		}
		if g.cut && g.depth < 0 {
			return // it is too large to be drawn whole
		}
	}
}

// add returns the number of a state; -1 if it is left out.
func (g *growing) add(s model.State, at Place, depth int) int {
	key := s.Key()
	if n, known := g.numbers[key]; known {
		return n
	}
	if len(g.Nodes) == g.limit || g.depth >= 0 && depth > g.depth {
		return -1
	}
	n := len(g.Nodes)
	g.numbers[key] = n
	g.states = append(g.states, s)
	g.Nodes = append(g.Nodes, Node{Depth: depth, Place: at})
	return n
}

func (g *growing) describe(n *Node, w *model.World) {
	n.Quiescent = w.Quiescent()
	for _, p := range g.course.judges {
		if p.Kind == properties.InvariantKind || p.Kind == properties.QuiescentKind {
			if g.course.notes[p.Name] == "" && p.InState(w) != nil {
				n.False = append(n.False, p.Name)
			}
		}
	}
}

// name names the states by how they differ from one of them. What stays equal, as it was cut or
// tells the time, is numbered.
func (g *growing) name(reference int, what string) {
	g.From = what
	names, met := newStateNames(g.course, g.states, reference), map[string]int{}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		n.Name, n.Whole = names.name(i, what)
		text := strings.Join(n.Name, "\n")
		if met[text]++; met[text] > 1 {
			last := &n.Name[len(n.Name)-1]
			*last = fmt.Sprintf("%s (%d)", *last, met[text])
		}
	}
}

// finish lays the graph out, and marks the run from one of its states on.
func (g *growing) finish(run *model.Run, from, here int) {
	on := map[[2]int]bool{}
	last := -1
	for i, s := range run.States[from:] {
		n, known := g.numbers[s.Key()]
		if !known {
			break
		}
		g.Nodes[n].On, g.Nodes[n].Steps = true, append(g.Nodes[n].Steps, from+i)
		if from+i == here {
			g.Nodes[n].Here = true
		}
		if last >= 0 {
			on[[2]int{last, n}] = true
		}
		last = n
	}
	pairs := slices.SortedFunc(maps.Keys(g.edges), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	g.Edges = []Edge{}
	for _, e := range pairs {
		g.Edges = append(g.Edges, Edge{From: e[0], To: e[1], Actions: g.edges[e], On: on[e]})
	}
	layers := make([]int, len(g.Nodes))
	for i, n := range g.Nodes {
		layers[i] = n.Depth
	}
	for i, x := range lay(layers, pairs) {
		g.Nodes[i].X = x
	}
}

// count counts the states of a whole graph, which is one of an initial state.
func (g *growing) count() *Histogram {
	h := &Histogram{States: len(g.Nodes), Complete: true}
	for _, n := range g.Nodes {
		for len(h.Counts) <= n.Depth {
			h.Counts = append(h.Counts, 0)
		}
		h.Counts[n.Depth]++
	}
	return h
}

// histogram counts the states of the world, as far as it gets in a while.
func (c *course) histogram() (h *Histogram, err error) {
	defer guarded(c.Machine, &err)
	c.census.Lock()
	defer c.census.Unlock()
	if c.census.counted != nil {
		return c.census.counted, nil
	}
	var sys explore.System
	if c.Config.HasTables() {
		sys, err = compiled.New(c.Machine, c.Config, nil)
	} else {
		sys, err = model.NewInterpreted(c.Machine, c.Config, nil)
	}
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), countingTime)
	defer cancel()
	result, err := explore.Search(ctx, sys, explore.Options{MaxStates: maxCounted, Memory: countingBytes})
	if err != nil {
		return nil, err
	}
	h = &Histogram{Counts: result.Graph.Levels(), States: result.Stats.States, Complete: result.Outcome == explore.Exhausted}
	if !h.Complete {
		h.Why = "the search ended before all states were found: " + result.Outcome.String()
	}
	c.census.counted = h
	return h, result.Graph.Close()
}
