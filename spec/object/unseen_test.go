package object_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/object"
)

// bell is an object with places in which something may hide.
type bell struct {
	log, other []int
	value      int
	at         *int
	ring       func() int
	phase      int
	hidden     int
	voters     map[spec.ID]bool
	count      int
}

type bells = object.Code[*bell, struct{}, int, int]

// ringing is code with some actions, each of which a process takes once or twice, and what they do.
func ringing(do map[string]func(o *bell, p *spec.Proc[int])) *bells {
	var names []string
	for name := range do {
		names = append(names, name)
	}
	slices.Sort(names)
	c := &bells{
		Open: func(spec.ID, spec.Set, struct{}) *bell { return &bell{log: []int{}} },
		Handle: func(o *bell, e spec.Event, p *spec.Proc[int]) {
			if e.Kind == spec.Act {
				do[names[e.Action]](o, p)
			}
		},
		View: func(o *bell) int { return 0 },
	}
	c.Name = "bell"
	for _, name := range names {
		c.Actions = append(c.Actions, spec.Action[object.State[struct{}, int], int]{Name: name, Doc: "does it", Times: 2})
	}
	return c
}

type does = map[string]func(o *bell, p *spec.Proc[int])

// TestUnseen: all funcs that stood in one place are told, once each and in order.
func TestUnseen(t *testing.T) {
	c := ringing(does{
		"one": func(o *bell, p *spec.Proc[int]) { o.ring = one },
		"two": func(o *bell, p *spec.Proc[int]) { o.ring = two },
	})
	if _, err := verified(c, model.Config{N: 2}, properties.Options{}); err != nil {
		t.Fatal(err)
	}
	want := "ring is the func interleave/spec/object_test.one or interleave/spec/object_test.two: what it captures is not seen"
	if got := c.Traits().Code.Unseen(); len(got) != 1 || got[0] != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func one() int { return 1 }
func two() int { return 2 }

// rings is a variable of the package.
var rings int

const notFunction = "is no function: in the state 0 it"

// hideouts are what no text shows, each with an example, and what of it is found: see the documentation of the package.
var hideouts = []struct {
	name, found string // found: part of the error; empty: nothing finds it
	code        func() *bells
}{
	{"what a func captures", "look for a variable of a package, one that a func captures, or what lists share", func() *bells {
		c := ringing(does{"ring": func(o *bell, p *spec.Proc[int]) { p.Output(o.ring()) }})
		c.Open = func(spec.ID, spec.Set, struct{}) *bell {
			n := 0
			return &bell{ring: func() int { n++; return n }}
		}
		return c
	}},
	{"a variable of a package", notFunction, func() *bells {
		return ringing(does{"ring": func(o *bell, p *spec.Proc[int]) { rings++; p.Output(rings) }})
	}},
	{"the capacity of a slice", "of add, once it outputs 0, and after another history it outputs 1. Nothing that is ignored tells them apart", func() *bells {
		return ringing(does{
			"add": func(o *bell, p *spec.Proc[int]) { p.Output(cap(o.log)); o.log = append(o.log, 1) },
			"cut": func(o *bell, p *spec.Proc[int]) { o.log = o.log[:0] },
		})
	}},
	{"a backing array that is shared", "after another history other[0] is", func() *bells {
		return ringing(does{
			"clone": func(o *bell, p *spec.Proc[int]) { o.log = []int{0}; o.other = slices.Clone(o.log) },
			"share": func(o *bell, p *spec.Proc[int]) { o.log = []int{0}; o.other = o.log },
			"write": func(o *bell, p *spec.Proc[int]) {
				if len(o.log) > 0 {
					o.log[0] = 1
				}
			},
		})
	}},
	{"a pointer into the middle of a struct", "after another history at is", func() *bells {
		return ringing(does{
			"inside":  func(o *bell, p *spec.Proc[int]) { o.value = 0; o.at = &o.value },
			"outside": func(o *bell, p *spec.Proc[int]) { o.value = 0; o.at = new(int) },
			"write":   func(o *bell, p *spec.Proc[int]) { o.value = 1 },
		})
	}},
	{"the time", notFunction, func() *bells {
		return ringing(does{"ring": func(o *bell, p *spec.Proc[int]) { p.Output(time.Now().UnixNano()) }})
	}},
	{"chance", notFunction, func() *bells {
		return ringing(does{"ring": func(o *bell, p *spec.Proc[int]) { p.Output(rand.Uint64()) }})
	}},
	{"the order of a map", "a map", func() *bells {
		return ringing(does{"ring": func(o *bell, p *spec.Proc[int]) {
			for m := range map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true, 8: true} { // each order is as likely
				p.Send(3-p.ID, m)
			}
		}})
	}},
	{"a goroutine that goes on", "", func() *bells {
		c := ringing(does{"ring": func(o *bell, p *spec.Proc[int]) { p.Output(o.ring()) }})
		c.Open = func(spec.ID, spec.Set, struct{}) *bell {
			var lock sync.Mutex
			n := 0
			return &bell{ring: func() int {
				go func() {
					time.Sleep(time.Minute) // objects do not live so long
					lock.Lock()
					defer lock.Unlock()
					n++
				}()
				lock.Lock()
				defer lock.Unlock()
				return n
			}}
		}
		return c
	}},
	{"what a long walk tells apart", "They differ in what is ignored: hidden is", func() *bells { return afterMany(40) }},
	{"what histories longer than those that are tried tell apart", "", func() *bells { return afterMany(100) }},
}

// afterMany is code that does something only after so many events, which it counts where nobody looks.
func afterMany(events int) *bells {
	c := ringing(does{"ring": func(o *bell, p *spec.Proc[int]) {
		if o.hidden++; o.hidden > events {
			p.Output(o.hidden)
		}
	}})
	c.Actions[0].Times = 45
	c.Ignore = map[string]string{"bell.hidden": "it is only counted, or so it seems"}
	return c
}

// TestHideouts: what no text shows is found by other histories or by repetition, or is known not to be.
func TestHideouts(t *testing.T) {
	for _, h := range hideouts {
		for workers := 1; workers <= 2; workers++ {
			r, err := checked(h.code(), model.Config{N: 2}, workers)
			switch {
			case h.found == "" && (err != nil || r.Verdict != properties.Verified):
				t.Errorf("%s is found now: %v", h.name, err)
			case h.found != "" && (err == nil || !strings.Contains(err.Error(), h.found)):
				t.Errorf("%s: %v, want %s", h.name, err, h.found)
			}
		}
	}
}

func checked(c spec.Machine, w model.Config, workers int) (*properties.Report, error) {
	return properties.Verify(context.Background(), c, w, nil, properties.Options{Workers: workers})
}

// polled is code whose processes each ask for votes, once, and win with two.
func polled(win func(o *bell) bool) *bells {
	c := ringing(does{"ask": func(o *bell, p *spec.Proc[int]) { p.Broadcast(p.Others(), 1) }})
	act := c.Handle
	c.Handle = func(o *bell, e spec.Event, p *spec.Proc[int]) {
		switch {
		case e.Kind == spec.Act:
			act(o, e, p)
		case e.Message == 1:
			p.Send(e.From, 2)
		default:
			if o.voters == nil {
				o.voters = map[spec.ID]bool{}
			}
			o.voters[e.From] = true
			o.count = len(o.voters)
			if win(o) {
				p.Output(0)
			}
		}
	}
	c.Actions[0].Times = 1
	return c
}

// TestAudits: an unsound Ignore is found, in whatever order states became known; one that leaves out what other fields say is not
// complained about. Nor does what is tried depend on workers.
func TestAudits(t *testing.T) {
	votes := func() *bells {
		c := polled(func(o *bell) bool { return len(o.voters) == 2 })
		c.Ignore = map[string]string{"bell.voters": "who votes cannot matter", "bell.count": "it is how many have voted"}
		return c
	}
	early := func() *bells { // what is ignored is decided at the first step, and matters at the fourth
		step := func(hidden int) func(o *bell, p *spec.Proc[int]) {
			return func(o *bell, p *spec.Proc[int]) {
				switch o.phase++; o.phase {
				case 1:
					o.hidden = hidden
				case 4:
					p.Output(o.hidden)
				}
			}
		}
		c := ringing(does{"a": step(1), "b": step(2)})
		c.Ignore = map[string]string{"bell.hidden": "it is only set"}
		return c
	}
	redundant := func() *bells {
		c := polled(func(o *bell) bool { return o.count == 2 })
		c.Ignore = map[string]string{"bell.count": "it is how many have voted"}
		return c
	}
	for _, want := range []struct {
		name, says string
		code       func() *bells
		n          int
	}{
		{"votes", "two objects of process 1 have one text and are not alike: of receive 2 from 3, once it does nothing, and after another history it outputs 0. They differ in what is ignored: voters is", votes, 3},
		{"early", "and after another history it outputs 2. They differ in what is ignored: hidden is", early, 1},
		{"redundant", "", redundant, 3},
	} {
		var said []string
		tests := 0
		for range 2 {
			for workers := 1; workers <= 2; workers++ {
				r, err := checked(want.code(), model.Config{N: want.n}, workers)
				if want.says == "" {
					if err != nil || r.Audits == 0 || tests > 0 && r.Audits != tests || len(r.Assumes) != 1 || r.Assumes[0].Reason != want.code().Ignore[r.Assumes[0].Field] {
						t.Errorf("%s, %d workers: %v, %d tests, before %d, %v", want.name, workers, err, r.Audits, tests, r.Assumes)
					}
					tests = r.Audits
					continue
				}
				if err == nil || !strings.Contains(err.Error(), want.says) {
					t.Errorf("%s, %d workers: %v, want %s", want.name, workers, err, want.says)
					continue
				}
				if said = append(said, err.Error()); said[0] != err.Error() {
					t.Errorf("%s, %d workers: %v, and before %s", want.name, workers, err, said[0])
				}
			}
		}
		r, err := properties.Verify(context.Background(), want.code(), model.Config{N: want.n}, nil, properties.Options{AssumeNothing: true})
		if err != nil || r.Verdict != properties.Verified || r.Assumes != nil {
			t.Errorf("%s with nothing assumed: %v %v", want.name, r, err)
		}
	}
}
