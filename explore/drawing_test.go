package explore

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// drawing is a System whose whole graph lies on the table: its states are the
// numbers below len(arrows).
type drawing struct {
	initial []int // perhaps with repetitions
	arrows  [][]arrow
	marks   [][]Mark
	cut     []bool       // states out of which a step is missing
	left    map[int]bool // likewise, but no fairness is owed to it
	bursts  map[int]int  // states at whose expansion it panics, unless this mark is known

	lessons []bool // states that have to be learned before they expand
	every   int    // the packing changes after so many are learned; 0: never
	learned int
	taught  []int // in turn, since the drawing was fresh
	packing int   // index into packings
	apart   bool  // leave out packings in which states have the same Hash
	refusal error // of Learn
	size    int64
}

type arrow struct {
	action Action
	to     int
}

// dead is where an arrow leads that leads nowhere.
const dead = -1

// blank returns a graph of n states without a step.
func blank(n int) *drawing {
	return &drawing{arrows: make([][]arrow, n), marks: make([][]Mark, n), cut: make([]bool, n), lessons: make([]bool, n)}
}

// Kinds of action: a state that only failures leave is quiet.
const (
	advance Action = 1
	failure Action = 255
)

// draw draws the graph of the given edges between one-letter states. With a
// bang, an edge is a failure.
//
//	draw("a", "ab bc bc! ca")
func draw(initial, edges string) *drawing {
	d := blank(26)
	for _, s := range initial {
		d.initial = append(d.initial, int(s-'a'))
	}
	for i, e := range strings.Fields(edges) {
		kind := advance
		if strings.HasSuffix(e, "!") {
			kind = failure
		}
		from := int(e[0] - 'a')
		d.arrows[from] = append(d.arrows[from], arrow{kind | Action(i)<<8, int(e[1] - 'a')})
	}
	return d
}

// bear has the state of the given letter bear marks.
func (d *drawing) bear(state rune, marks ...Mark) *drawing {
	d.marks[int(state-'a')] = marks
	return d
}

// scatter draws a graph of n states by chance: from each state a few steps lead
// at most reach back or forth. Some states bear marks, and some are to be
// learned, after which the packing changes now and then.
func scatter(seed uint64, n, initial, back, forth int) *drawing {
	rng := rand.New(rand.NewPCG(seed, 0))
	d := blank(n)
	for range initial {
		d.initial = append(d.initial, rng.IntN(initial))
	}
	for s := range d.arrows {
		lo, hi := max(s-back, 0), min(s+forth+1, n)
		for i := range rng.IntN(5) {
			kind := []Action{0, advance, failure}[rng.IntN(3)]
			d.arrows[s] = append(d.arrows[s], arrow{kind | Action(i)<<8, lo + rng.IntN(hi-lo)})
		}
		if rng.IntN(20) == 0 {
			d.marks[s] = []Mark{{Bit: uint8(rng.IntN(60))}, {Bit: uint8(rng.IntN(60)), OnStep: true, Action: Action(s)}}
		}
		d.lessons[s] = rng.IntN(3) == 0
	}
	d.every, d.packing = rng.IntN(n), rng.IntN(len(packings))
	return d
}

// cube draws the corners of a cube: each step of kind k sets bit k.
func cube(dimension int) *drawing {
	d := blank(1 << dimension)
	d.initial = []int{0}
	for s := range d.arrows {
		for k := range dimension {
			if s>>k&1 == 0 {
				d.arrows[s] = append(d.arrows[s], arrow{Action(k), s | 1<<k})
			}
		}
	}
	return d
}

// fresh returns the drawing as it was before anything is learned, if d was.
func (d *drawing) fresh() *drawing {
	again := *d
	again.lessons, again.taught = slices.Clone(d.lessons), nil
	return &again
}

// learnt returns the drawing with nothing left to learn.
func (d *drawing) learnt() *drawing {
	all := *d
	all.lessons = make([]bool, len(d.lessons))
	return &all
}

// packing writes a state as words, and reads it.
type packing struct {
	width int
	pack  func(dst []uint64, s uint64)
	state func(words []uint64) uint64

	collides bool // in Hash
}

var packings = []packing{
	{width: 1, pack: func(dst []uint64, s uint64) { dst[0] = s }, state: func(words []uint64) uint64 { return words[0] }},
	{2, func(dst []uint64, s uint64) { dst[0] = s; collide(dst, s/16) }, func(words []uint64) uint64 { return words[0] }, true},
	{3, func(dst []uint64, s uint64) { dst[0], dst[1] = s%4, s/4; collide(dst, s/16) }, func(words []uint64) uint64 { return words[1]*4 + words[0] }, true},
	{width: 3, pack: func(dst []uint64, s uint64) { dst[0], dst[1], dst[2] = 0, 1<<63, s }, state: func(words []uint64) uint64 { return words[2] }},
	{width: 1, pack: func(dst []uint64, s uint64) { dst[0] = ^(s << 40) }, state: func(words []uint64) uint64 { return ^words[0] >> 40 }},
	{width: 2, pack: func(dst []uint64, s uint64) { dst[0], dst[1] = mix(s), s }, state: func(words []uint64) uint64 { return words[1] }}, // which compresses badly
}

// collide chooses the last word such that all states of a class have the same
// Hash: it undoes what the words before did.
func collide(dst []uint64, class uint64) {
	last := len(dst) - 1
	first := dst[0]
	for _, w := range dst[1:last] {
		first = mix(first) ^ w
	}
	dst[last] = class ^ mix(first)
}

func (d *drawing) Width() int   { return packings[d.packing].width }
func (d *drawing) Bytes() int64 { return d.size }

func (d *drawing) Initial(yield func([]uint64) bool) {
	words := make([]uint64, d.Width())
	for _, s := range d.initial {
		packings[d.packing].pack(words, uint64(s))
		if !yield(words) {
			return
		}
		clear(words)
	}
}

func (d *drawing) Learn(states [][]uint64) (Repack, error) {
	if d.refusal != nil {
		return nil, d.refusal
	}
	old := packings[d.packing]
	for _, words := range states {
		d.lessons[old.state(words)] = false
		d.taught = append(d.taught, int(old.state(words)))
	}
	d.learned += len(states)
	if d.every == 0 || d.learned < d.every {
		return nil, nil
	}
	d.learned = 0
	for d.packing = (d.packing + 1) % len(packings); d.apart && packings[d.packing].collides; {
		d.packing = (d.packing + 1) % len(packings)
	}
	current := packings[d.packing]
	return func(dst, src []uint64) { current.pack(dst, old.state(src)) }, nil
}

func (d *drawing) Expander() Expander { return &reader{drawing: d} }

// reader is an Expander that reads a drawing.
type reader struct {
	*drawing
	state int // the one being expanded: two goroutines would be in each other's way
}

func (r *reader) Held() int64 { return 0 }

func (r *reader) Expand(words []uint64, out *Steps) bool {
	p := packings[r.packing]
	r.state = int(p.state(words))
	if unless, ok := r.bursts[r.state]; ok && out.Known>>unless&1 == 0 {
		panic(fmt.Sprintf("state %d bursts", r.state))
	}
	moves := false
	for _, a := range r.arrows[r.state] {
		if a.to == dead {
			out.Dead = append(out.Dead, a.action)
		} else {
			p.pack(out.Add(a.action, words), uint64(a.to))
		}
		moves = moves || a.action.Kind() != uint8(failure)
	}
	if !moves {
		out.Quiet = true
	}
	out.Cut, out.Left = r.cut[r.state], r.left[r.state]
	for _, m := range r.marks[r.state] {
		if known := out.Known>>m.Bit&1 == 1; !known || r.state%2 == 0 { // which is up to the Expander
			out.Marks = append(out.Marks, m)
		}
	}
	return !r.lessons[r.state]
}
