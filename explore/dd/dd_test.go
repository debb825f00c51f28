package dd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"interleave/internal/testsize"
)

// A plain set of vectors, to compare with.
type plain map[[places]uint32]bool

const (
	places = 5
	values = 4
)

// drawing is a small system of events, as functions and as their tables.
type drawing struct {
	initial plain
	events  []map[int][values]int // by place: the next value, or -1
}

func drawVector(t *rapid.T) (v [places]uint32) {
	for i := range v {
		v[i] = rapid.Uint32Range(0, values-1).Draw(t, "value")
	}
	return v
}

func drawSet(t *rapid.T, most int) plain {
	set := plain{}
	for range rapid.IntRange(0, most).Draw(t, "vectors") {
		set[drawVector(t)] = true
	}
	return set
}

func drawSystem(t *rapid.T) drawing {
	d := drawing{initial: drawSet(t, 3)}
	for range rapid.IntRange(1, 10).Draw(t, "events") {
		event := map[int][values]int{}
		for _, place := range rapid.SliceOfNDistinct(rapid.IntRange(0, places-1), 1, 3, rapid.ID).Draw(t, "places") {
			var next [values]int
			for v := range next {
				next[v] = rapid.IntRange(-1, values-1).Draw(t, "next")
			}
			event[place] = next
		}
		d.events = append(d.events, event)
	}
	return d
}

// step returns what becomes of a vector; false if the event cannot happen.
func step(event map[int][values]int, v [places]uint32) ([places]uint32, bool) {
	for place, next := range event {
		if next[v[place]] < 0 {
			return v, false
		}
		v[place] = uint32(next[v[place]])
	}
	return v, true
}

// image returns what becomes of the vectors of a set.
func image(event map[int][values]int, p plain) plain {
	after := plain{}
	for v := range p {
		if w, ok := step(event, v); ok {
			after[w] = true
		}
	}
	return after
}

func (d drawing) reach() plain {
	seen := maps.Clone(d.initial)
	for queue := slices.Collect(maps.Keys(seen)); len(queue) > 0; queue = queue[1:] {
		for _, e := range d.events {
			if w, ok := step(e, queue[0]); ok && !seen[w] {
				seen[w] = true
				queue = append(queue, w)
			}
		}
	}
	return seen
}

func (d drawing) build(f *Forest) []*Event {
	var events []*Event
	for _, event := range d.events {
		e := f.NewEvent()
		for _, place := range slices.Sorted(maps.Keys(event)) {
			next := event[place]
			e.At(place, func(v uint32) (uint32, bool) { return uint32(next[v]), next[v] >= 0 })
		}
		events = append(events, e)
	}
	return events
}

func setOf(f *Forest, p plain) Set {
	all := f.Keep(Empty)
	for v := range p {
		f.Replace(&all, f.Union(all, f.Single(v[:])))
	}
	f.Drop(all)
	return all
}

func compare(t *rapid.T, f *Forest, what string, s Set, want plain) {
	t.Helper()
	got := plain{}
	for v := range f.All(s) {
		got[[places]uint32(v)] = true
	}
	if !maps.Equal(got, want) || f.Count(s).Int64() != int64(len(want)) || f.Err() != nil {
		t.Fatalf("%s: %v (%v of them, %v), want %v", what, got, f.Count(s), f.Err(), want)
	}
	if again := setOf(f, want); again != s {
		t.Fatalf("%s: equal sets are different nodes", what)
	}
}

func filter(p plain, keep func(v [places]uint32) bool) plain {
	out := plain{}
	for v := range p {
		if keep(v) {
			out[v] = true
		}
	}
	return out
}

// TestAgainstPlainSets compares every operation with what it means, also with
// a collection at every node that is made.
func TestAgainstPlainSets(t *testing.T) {
	defer func(first, growth int) { collectFirst, collectGrowth = first, growth }(collectFirst, collectGrowth)
	for _, collectFirst = range []int{1, 1 << 20} {
		collectGrowth = 1 // at every node that is made, or never
		t.Run(fmt.Sprintf("collect at %d", collectFirst), func(t *testing.T) {
			for range testsize.Of(2, 2, 6) { // what is freed too early is missed in few drawings
				rapid.Check(t, againstPlainSets)
			}
		})
	}
}

func againstPlainSets(t *rapid.T) {
	f := New(t.Context(), places, 0)
	d := drawSystem(t)
	a, b := drawSet(t, 20), drawSet(t, 20)
	x, y := f.Keep(setOf(f, a)), f.Keep(setOf(f, b))
	union := maps.Clone(a)
	maps.Copy(union, b)
	compare(t, f, "union", f.Keep(f.Union(x, y)), union)
	compare(t, f, "minus", f.Keep(f.Minus(x, y)), filter(a, func(v [places]uint32) bool { return !b[v] }))
	compare(t, f, "intersect", f.Keep(f.Intersect(x, y)), filter(a, func(v [places]uint32) bool { return b[v] }))
	both := f.Keep(f.Union(x, y))
	for depth := range depthOfNews + 1 {
		differs := func(v [places]uint32) bool { // at this depth on the way to v
			for w := range a {
				if !b[w] && slices.Equal(v[:depth], w[:depth]) {
					return true
				}
			}
			return false
		}
		compare(t, f, fmt.Sprint("news of depth ", depth), f.Keep(f.news(both, y, depth)), filter(union, differs))
	}
	ask := func(events []*Event, when string) {
		for i, e := range events {
			into := func(v [places]uint32) bool { w, ok := step(d.events[i], v); return ok && b[w] }
			enabled := func(v [places]uint32) bool { _, ok := step(d.events[i], v); return ok }
			after := image(d.events[i], a)
			grown := maps.Clone(a)
			maps.Copy(grown, after)
			compare(t, f, "image "+when, f.Keep(f.Image(e, x)), after)
			compare(t, f, "source "+when, f.Keep(f.Source(e, x, y)), filter(a, into))
			compare(t, f, "enabled "+when, f.Keep(f.Enabled(e, x)), filter(a, enabled))
			compare(t, f, "grown "+when, f.Keep(f.grown(e, x)), grown)
		}
	}
	ask(d.build(f), "before all")
	all := d.reach()
	events := d.build(f)
	for _, s := range []Strategy{Chain, Saturate} {
		some := drawing{d.initial, d.events[:len(events)/2]}
		compare(t, f, "with fewer events", f.Keep(f.Reach(s, events[:len(events)/2], setOf(f, d.initial))), some.reach())
		compare(t, f, s.String(), f.Keep(f.Reach(s, events, setOf(f, d.initial))), all)
	}
	ask(events, "after all")
}

// counter is a vector of digits that count up: ever more nodes.
func counter(f *Forest, places, base int) (*Event, Set) {
	e := f.NewEvent()
	for i := range places {
		e.At(i, func(v uint32) (uint32, bool) { return (v*7 + uint32(i) + 1) % uint32(base), true })
	}
	return e, f.Single(make([]uint32, places))
}

// TestLimits: an operation that outgrows its limits says so, and gives nothing.
func TestLimits(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, row := range map[string]struct {
		ctx    context.Context
		memory int64
		most   int
		want   error
	}{
		"nodes":   {t.Context(), 0, 5000, ErrNodes},
		"memory":  {t.Context(), 1 << 19, 0, ErrMemory},
		"context": {cancelled, 0, 0, context.Canceled},
	} {
		f := New(row.ctx, 12, row.memory)
		f.Most = row.most
		var events []*Event
		var s Set
		for i := range 8 {
			e, start := counter(f, 12, 97+i)
			events, s = append(events, e), start
		}
		if all := f.Reach(Chain, events, s); all != Empty || !errors.Is(f.Err(), row.want) {
			t.Errorf("%s: %v, %v", name, all, f.Err())
		}
	}
}

// TestEndsAtOnce: after a failure nothing is remembered, so that an operation
// which went on would meet the same pairs of nodes again and again.
func TestEndsAtOnce(t *testing.T) {
	const places = 64
	f := New(t.Context(), places, 0)
	sums := func(modulus uint32) Set { // of digits 0 and 1: those whose sum is 0
		sets := []Set{end}
		for range modulus - 1 {
			sets = append(sets, Empty)
		}
		for level := places - 1; level >= 0; level-- {
			var next []Set
			for sum := range modulus {
				r := f.newRow()
				for digit := range uint32(2) {
					if s := sets[(sum+digit)%modulus]; s != Empty {
						r.arcs = append(r.arcs, arc{digit, s})
					}
				}
				next = append(next, f.build(level, r))
			}
			sets = next
		}
		return sets[0]
	}
	a, b := sums(5), sums(7)
	f.err = context.Canceled
	if s := f.Union(a, b); s != Empty {
		t.Errorf("the union is %v after a failure", s)
	}
}

// TestAllEnds: whoever asks much of each vector is told when the time is up.
func TestAllEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := New(ctx, 3, 0)
	all := f.Single([]uint32{0, 0, 0})
	for v := range uint32(1000) {
		all = f.Union(all, f.Single([]uint32{v / 100, v / 10 % 10, v % 10}))
	}
	yielded := 0
	for range f.All(all) {
		yielded++
	}
	if yielded != 1000 || f.Err() != nil {
		t.Errorf("%d vectors: %v", yielded, f.Err())
	}
	cancel()
	yielded = 0
	for range f.All(all) {
		yielded++
	}
	if yielded >= 1000 || f.Err() == nil {
		t.Errorf("%d vectors after the end: %v", yielded, f.Err())
	}
}

func ExampleForest_Reach() {
	f := New(context.Background(), 3, 0)
	var events []*Event
	for place := range 3 { // three digits, each of which may go up to 9
		e := f.NewEvent()
		e.At(place, func(digit uint32) (uint32, bool) { return digit + 1, digit < 9 })
		events = append(events, e)
	}
	all := f.Reach(Saturate, events, f.Single([]uint32{0, 0, 0}))
	fmt.Println(f.Count(all), "vectors,", f.Size(all), "nodes")
	// Output: 1000 vectors, 3 nodes
}

// TestSlowAnswers: what events are asked ends with the context, and when the answers have
// the caller hold too much, though nodes are few.
func TestSlowAnswers(t *testing.T) {
	cancelled, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	ended := errors.New("ended")
	for name, c := range map[string]struct {
		ctx  context.Context
		held int64 // by each answer
		want error
	}{
		"memory":  {t.Context(), 1 << 16, ErrMemory},
		"context": {cancelled, 0, ended},
		"none":    {t.Context(), 0, nil},
	} {
		const values = 1 << 12
		f := New(c.ctx, 1, 1<<22)
		held, asked := int64(0), 0
		f.Besides = func() int64 { return held }
		all := Empty
		for value := range uint32(values) {
			f.Replace(&all, f.Union(all, f.Single([]uint32{value})))
		}
		e := f.NewEvent()
		e.At(0, func(value uint32) (uint32, bool) {
			held += c.held
			if asked++; asked == values/4 && c.want == ended {
				cancel(ended)
			}
			return value, true
		})
		f.Image(e, all)
		if !errors.Is(f.Err(), c.want) || c.want != nil && asked > values/2 {
			t.Errorf("%s: %v after %d answers", name, f.Err(), asked)
		}
	}
}
