package spec_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"interleave/spec"
)

type notes struct {
	Log   []int
	Acks  map[int]bool
	First *int
	Last  *int
}

var kept []int

var buffers = sync.Pool{New: func() any { return new([]int) }}

// TestAliasing: the ways in which what a handler gives away, or remembers, may share something with what it goes on
// changing. Either that is a fault which names the part, or nothing is shared, as the step before and the step after
// show: each step gets a copy of its own.
func TestAliasing(t *testing.T) {
	var message any
	type handler = func(s *notes, p *spec.Proc[notes], m notes)
	for name, c := range map[string]struct {
		handler handler
		fault   string // empty: nothing is shared
	}{
		"append into a sent slice": {func(s *notes, p *spec.Proc[notes], m notes) {
			list := append([]int{}, 1, 2)
			p.Send(2, notes{Log: list})
			_ = append(list[:1], 9)
		}, "it sends a value that it changes afterwards: Log[1] is 9, and was 2"},
		"append behind a sent slice": {func(s *notes, p *spec.Proc[notes], m notes) {
			list := make([]int, 1, 8)
			p.Send(2, notes{Log: list})
			s.Log = append(list, 9)
		}, ""},
		"a map that is sent and goes on being filled": {func(s *notes, p *spec.Proc[notes], m notes) {
			s.Acks = map[int]bool{}
			p.Send(2, notes{Acks: s.Acks})
			s.Acks[3] = true
		}, "it sends a value that it changes afterwards: Acks[3] is true, and was none"},
		"a map shared between copies of a state": {func(s *notes, p *spec.Proc[notes], m notes) {
			other := *s
			other.Acks[len(other.Acks)] = true
			p.Output(other.Acks)
		}, ""},
		"an output": {func(s *notes, p *spec.Proc[notes], m notes) {
			p.Output(s.Log)
			s.Log[0]++
		}, "it outputs a value that it changes afterwards: [0] is 2, and was 1"},
		"a slice of a message kept": {func(s *notes, p *spec.Proc[notes], m notes) {
			s.Log = m.Log
			s.Log[0] = 7
		}, ""},
		"a sub-slice with room": {func(s *notes, p *spec.Proc[notes], m notes) {
			s.Log = append(s.Log[:1], m.Log...)
			p.Send(2, notes{Log: s.Log[:1]})
			s.Log = append(s.Log[:1], 5)
		}, ""},
		"a list of a state, appended to twice": {func(s *notes, p *spec.Proc[notes], m notes) {
			longer := append(m.Log, 1)
			other := append(m.Log, 2)
			s.Log = append(longer, other...)
			if s.Log[2] != 1 || s.Log[5] != 2 {
				panic("two lists share their ends")
			}
		}, ""},
		"a pointer in two fields": {func(s *notes, p *spec.Proc[notes], m notes) {
			s.First = new(int)
			s.Last = s.First
		}, "it remembers a pointer that is there twice: in a copy there would be two values in place of one (Last)"},
		"a pointer that becomes one to itself": {func(s *notes, p *spec.Proc[notes], m notes) {
			m.First, m.Last = new(int), new(int)
			l := []*int{m.First, m.Last}
			p.Output(l)
			l[1] = l[0]
		}, "it outputs what becomes a pointer that is there twice: in a copy there would be two values in place of one ([1])"},
		"a variable of the package": {func(s *notes, p *spec.Proc[notes], m notes) {
			for i := range kept {
				kept[i] = 9
			}
			kept = s.Log
		}, ""},
		"a buffer of a sync.Pool, in use again later": {func(s *notes, p *spec.Proc[notes], m notes) {
			b := buffers.Get().(*[]int)
			*b = append((*b)[:0], 4)
			p.Send(2, notes{Log: *b})
			buffers.Put(b)
		}, ""},
		"a buffer of a sync.Pool, in use again at once": {func(s *notes, p *spec.Proc[notes], m notes) {
			b := &[]int{3}
			p.Send(2, notes{Log: *b})
			*b = append((*b)[:0], 4)
			p.Send(3, notes{Log: *b})
		}, "it sends a value that it changes afterwards: Log[0] is 4, and was 3"},
	} {
		a := algorithm[notes, notes]()
		a.Receive = func(s *notes, p *spec.Proc[notes], _ spec.ID, m notes) { c.handler(s, p, m) }
		if err := a.Validate(); err != nil {
			t.Fatal(err)
		}
		a.Start = func(s *notes, p *spec.Proc[notes]) {
			*s = notes{Log: slices.Grow([]int{1, 2}, 8), Acks: map[int]bool{0: true}}
			p.Send(1, notes{Log: []int{1, 2}})
		}
		ring := []spec.ID{1, 2, 3}
		first, fx := a.Step(1, ring, a.Traits().Zero, spec.Event{Kind: spec.Start})
		message = fx.Sends[0].Message
		e := spec.Event{Kind: spec.Receive, From: 1, Message: message}
		after, fx := a.Step(1, ring, first, e)
		again, fx2 := a.Step(1, ring, first, e)
		if c.fault != "" {
			if !strings.HasPrefix(fx.Panic, c.fault) {
				t.Errorf("%s: %v, want %q", name, fx, c.fault)
			}
			continue
		}
		if fx.Panic != "" || after != again || !fx.Same(fx2) {
			t.Errorf("%s: %v, %v, then %v, %v", name, after, fx, again, fx2)
		}
		a.Step(1, ring, after, e)
		if third, fx3 := a.Step(1, ring, first, e); third != after || !fx3.Same(fx) {
			t.Errorf("%s: another step changed what this comes to: %v, %v, then %v, %v", name, after, fx, third, fx3)
		}
	}
	mutant := algorithm[notes, notes]()
	mutant.Receive = func(*notes, *spec.Proc[notes], spec.ID, notes) {}
	seen := 0
	around := mutant.Mutant("sees", "", func(s *notes, _ *spec.Proc[notes], e spec.Event, handle func()) { seen = len(e.Message.(notes).Log) })
	around.Step(1, []spec.ID{1}, around.Traits().Zero, spec.Event{Kind: spec.Receive, From: 1, Message: message})
	if seen != 2 {
		t.Errorf("a mutant is shown %d entries", seen)
	}
	if err := algorithm[struct{ Then func() }, int]().Validate(); err == nil || !strings.Contains(err.Error(), "state.Then is a func()") {
		t.Errorf("a closure in a field: %v", err)
	}
}
