package properties

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"interleave/internal/cell"
	"interleave/model"
	"interleave/spec"
)

// questions notices functions of an algorithm that are no handlers, and properties, if they do not
// give the same answer to the same question.
type questions struct {
	over  atomic.Bool // the check is over: functions are only called
	lock  sync.Mutex
	first []func()                   // what asks the first questions once more, and panics if an answer is another
	found *model.NondeterminismError // the first that was noticed; whoever asked may have gone another way
}

// blame panics with an error, which is kept.
func (s *questions) blame(found *model.NondeterminismError) {
	s.lock.Lock()
	s.found = cmp.Or(s.found, found)
	s.lock.Unlock()
	panic(found)
}

// blamed returns the first error that was noticed.
func (s *questions) blamed() *model.NondeterminismError {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.found
}

// The first questions to a function are asked two times, up to twiceAsked of them, and after that
// one in seldomAsked. So many of the first are asked once more at the end, the last one first. The
// very first are asked oftenAsked times, unless every answer takes long: there may be no others.
const (
	twiceAsked, seldomAsked, onceMoreAsked = 1 << 12, 1 << 6, 1 << 10
	firstAsked, oftenAsked, longAsked      = 1 << 5, 1 << 4, time.Millisecond >> 4
)

// function is a function that is asked, and how to speak of it.
type function[Q, A any] struct {
	ask  func(q Q) A
	same func(a, b A) bool
	keep func(q Q) Q // a copy of a question that stays valid; nil: it does so itself
	name string
	of   func(q Q) string // the question in words, as in "of the message 7"
	says func(a A) string
}

// asked returns the function that f.ask is, and checks it.
func asked[Q, A any](s *questions, f function[Q, A]) func(Q) A {
	var calls atomic.Int64
	return func(q Q) A {
		n := calls.Add(1)
		if n > twiceAsked && n%seldomAsked != 0 || s.over.Load() {
			return f.ask(q)
		}
		first := time.Now()
		answer := f.ask(q)
		shortest := time.Since(first) // one answer may take long only because the machine is busy
		if shortest >= quick {
			return answer
		}
		for i := range 1 + oftenAsked {
			if i > 0 && (n > firstAsked || shortest > longAsked || time.Since(first) >= quick) {
				break
			}
			began := time.Now()
			f.askAgain(s, q, answer)
			shortest = min(shortest, time.Since(began))
		}
		if n <= onceMoreAsked {
			if f.keep != nil {
				q = f.keep(q)
			}
			s.lock.Lock()
			defer s.lock.Unlock()
			s.first = append(s.first, func() { f.askAgain(s, q, answer) })
		}
		return answer
	}
}

// askAgain panics if the answer to a question is another by now.
func (f function[Q, A]) askAgain(s *questions, q Q, answer A) {
	if again := f.ask(q); !f.same(answer, again) {
		s.blame(&model.NondeterminismError{Handler: f.name, Asked: f.of(q), Answers: [2]string{f.says(answer), f.says(again)}})
	}
}

// askAgain asks the first questions once more, and returns an error if an answer is another by now.
func (s *questions) askAgain(m spec.Machine) (err error) {
	defer recovered(m, &err)
	began := time.Now()
	s.lock.Lock()
	first := s.first
	s.lock.Unlock()
	for _, again := range slices.Backward(first) {
		if time.Since(began) > quick {
			break
		}
		again()
	}
	return nil
}

// ofState returns f, which is asked of local states.
func ofState[A comparable](s *questions, name string, f func(any) A) func(any) A {
	return ofValue(s, name, "in the state %+v", f)
}

func ofValue[A comparable](s *questions, name, of string, f func(any) A) func(any) A {
	if f == nil {
		return nil
	}
	return asked(s, function[any, A]{
		ask: f, same: func(a, b A) bool { return a == b }, name: name,
		of: func(v any) string { return fmt.Sprintf(of, v) }, says: func(a A) string { return fmt.Sprintf("%+v", a) },
	})
}

// about is what is asked of a function with several arguments.
type about struct {
	state   any
	p, q, r spec.ID
	all     spec.Set
	message any
}

// ofSeveral returns f, which is asked about several things.
func ofSeveral[A comparable](s *questions, name string, of func(about) string, f func(about) A) func(about) A {
	return asked(s, function[about, A]{
		ask: f, same: func(a, b A) bool { return a == b }, name: name, of: of, says: func(a A) string { return fmt.Sprintf("%+v", a) },
	})
}

// inState says in which state of which process a function was asked.
func inState(a about) string { return fmt.Sprintf("of process %v in the state %+v", a.p, a.state) }

// checked returns t with functions that are checked.
func (s *questions) checked(t spec.Traits) spec.Traits {
	t.Kind = ofValue(s, "Kind", "of the message %+v", t.Kind)
	if t.Elects {
		t.Leader = ofState(s, "Leader", t.Leader)
	}
	t.Idle, t.Halted = ofState(s, "Idle", t.Idle), ofState(s, "Halted", t.Halted)
	t.Measure, t.Stable = ofState(s, "Measure", t.Measure), ofState(s, "Stable", t.Stable)
	if follow := t.Follow; follow != nil {
		ask := ofSeveral(s, "Follow", func(a about) string { return fmt.Sprintf("of the leader %v in the state %+v", a.p, a.state) },
			func(a about) any { return follow(a.state, a.p) })
		t.Follow = func(state any, leader spec.ID) any { return ask(about{state: state, p: leader}) }
	}
	t.Actions, t.Rules, t.Claims = slices.Clone(t.Actions), slices.Clone(t.Rules), slices.Clone(t.Claims)
	for i := range t.Actions {
		t.Actions[i].When = ofState(s, "When of the action "+t.Actions[i].Name, t.Actions[i].When)
	}
	for i := range t.Rules {
		s.rule(&t.Rules[i])
	}
	for i := range t.Claims {
		s.claim(&t.Claims[i])
	}
	t.Properties = slices.Clone(t.Properties)
	for i := range t.Properties {
		if p := &t.Properties[i]; p.Monitor != nil {
			p.Monitor = s.monitor(p)
		}
	}
	return t
}

// monitored is what is asked of a monitor, and whatItMakes its answer.
type (
	monitored struct {
		value any
		step  spec.Step
	}
	whatItMakes struct {
		value any
		err   error
	}
)

// monitor checks the function of a monitor.
func (s *questions) monitor(p *spec.Property) *spec.Monitor {
	m := *p.Monitor
	next := m.Next
	ask := asked(s, function[monitored, whatItMakes]{
		ask: func(q monitored) whatItMakes {
			v, err := next(q.value, q.step)
			return whatItMakes{v, err}
		},
		same: func(a, b whatItMakes) bool { return alike(a.err, b.err) && (a.err != nil || a.value == b.value) },
		keep: func(q monitored) monitored { q.step.Outputs = slices.Clone(q.step.Outputs); return q },
		name: "the monitor of " + p.Name,
		says: func(a whatItMakes) string {
			if a.err != nil {
				return verdictOf(a.err)
			}
			return fmt.Sprintf("%+v", a.value)
		},
		of: func(q monitored) string {
			return fmt.Sprintf("with the value %+v of a step of process %v from %+v to %+v", q.value, q.step.Process, q.step.Before, q.step.After)
		},
	})
	m.Next = func(v any, step spec.Step) (any, error) {
		made := ask(monitored{v, step})
		return made.value, made.err
	}
	return &m
}

// rule checks the functions of a timer rule.
func (s *questions) rule(r *spec.TimerRule[any, any]) {
	if f := r.Awaited; f != nil {
		ask := ofSeveral(s, "Awaited of the timer "+r.Name,
			func(a about) string {
				return fmt.Sprintf("by process %v, of %+v from %v to %v", a.p, a.message, a.q, a.r)
			},
			func(a about) bool { return f(a.p, a.q, a.r, a.message) })
		r.Awaited = func(p, from, to spec.ID, m any) bool { return ask(about{p: p, q: from, r: to, message: m}) }
	}
	if f := r.Silent; f != nil {
		ask := ofSeveral(s, "Silent of the timer "+r.Name, inState, func(a about) spec.Set { return f(a.state, a.p, a.all) })
		r.Silent = func(state any, p spec.ID, all spec.Set) spec.Set { return ask(about{state: state, p: p, all: all}) }
	}
	if f := r.Owing; f != nil {
		ask := ofSeveral(s, "Owing of the timer "+r.Name, inState, func(a about) spec.Set { return f(a.state, a.p, a.all) })
		r.Owing = func(state any, q spec.ID, all spec.Set) spec.Set { return ask(about{state: state, p: q, all: all}) }
	}
}

// claimed is what is asked of a claim.
type claimed struct {
	p             spec.ID
	all           spec.Set
	before, after any
	told          []any
}

// claim checks the function of a claim.
func (s *questions) claim(c *spec.Claim[any]) {
	holds := c.Holds
	ask := asked(s, function[claimed, error]{
		ask: func(q claimed) error { return holds(q.p, q.all, q.before, q.after, q.told) }, same: alike,
		keep: func(q claimed) claimed { q.told = slices.Clone(q.told); return q },
		name: "the claim " + c.Name, says: verdictOf,
		of: func(q claimed) string {
			return fmt.Sprintf("of a step of process %v from %+v to %+v", q.p, q.before, q.after)
		},
	})
	c.Holds = func(p spec.ID, all spec.Set, before, after any, told []any) error {
		return ask(claimed{p, all, before, after, told})
	}
}

// alike reports whether two answers say the same: that something holds, or that it does not.
func alike(a, b error) bool { return (a == nil) == (b == nil) }

func verdictOf(err error) string {
	if err == nil {
		return "that it holds"
	}
	return fmt.Sprintf("%q", err.Error())
}

// Checked returns properties that are checked as the functions of m are, if m is the machine that
// some work with it was given by Supervise: that they give the same answer to the same question.
func Checked(m spec.Machine, props []Property) []Property {
	a, ok := m.(*supervised)
	if !ok {
		return props
	}
	props = slices.Clone(props)
	for i := range props {
		a.questions.property(&props[i])
	}
	return props
}

// property checks the functions of a property, unless it comes with Interleave.
func (s *questions) property(p *Property) {
	if p.ours {
		return
	}
	name := "the property " + p.Name
	switch {
	case p.stabilized != nil: // which remembers what it found
		p.state = Stabilized(p.Name, p.Doc, p.stabilized.rounds, s.predicate(name, p.stabilized.holds)).state
	case p.state != nil:
		p.state = s.predicate(name, p.state)
	}
	if holds := p.step; holds != nil {
		ask := asked(s, function[[2]*model.World, error]{
			ask: func(w [2]*model.World) error { return holds(w[0], w[1]) }, same: alike,
			keep: func(w [2]*model.World) [2]*model.World { return [2]*model.World{w[0].Again(), w[1].Again()} },
			name: name, says: verdictOf,
			of: func(w [2]*model.World) string {
				return fmt.Sprintf("of a step from %s to %s", inWords(w[0]), inWords(w[1]))
			},
		})
		p.step = func(before, after *model.World) error { return ask([2]*model.World{before, after}) }
	}
	p.given = maps.Clone(p.given)
	for atom, holds := range p.given {
		p.given[atom] = s.predicate(name, holds)
	}
}

// predicate returns a predicate of states that is checked.
func (s *questions) predicate(name string, holds func(*model.World) error) func(*model.World) error {
	return asked(s, function[*model.World, error]{
		ask: holds, same: alike, keep: (*model.World).Again, name: name, says: verdictOf,
		of: func(w *model.World) string { return "in the state " + inWords(w) },
	})
}

// inWords lists what the processes remember.
func inWords(w *model.World) string {
	var parts []string
	for p := range spec.UpTo(w.N()).All() {
		if w.Live().Has(p) {
			parts = append(parts, fmt.Sprintf("%v: %+v", p, cell.Try(w.State(p))))
		} else {
			parts = append(parts, fmt.Sprintf("%v: down", p))
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
