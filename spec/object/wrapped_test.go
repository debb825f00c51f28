package object_test

import (
	"context"
	"slices"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/lock"
	"interleave/spec/object"
	"interleave/spec/twophasecommit"
)

// held is an object that has the state of an algorithm inside.
type held[S any] struct{ state *S }

// wrapped is an algorithm as existing code.
func wrapped[S, M any](a *spec.Algorithm[S, M]) *object.Code[*held[S], S, S, M] {
	type (
		state = object.State[S, S]
		proc  = *spec.Proc[M]
	)
	stable := a.Stable
	if stable == nil {
		stable = func(S) (none S) { return none }
	}
	c := &object.Code[*held[S], S, S, M]{
		Open: func(id spec.ID, all spec.Set, disk S) *held[S] {
			return &held[S]{&disk}
		},
		Handle: func(o *held[S], e spec.Event, p proc) {
			switch e.Kind {
			case spec.Start:
				a.Start(o.state, p)
			case spec.Receive:
				a.Receive(o.state, p, e.From, e.Message.(M))
			case spec.Timeout:
				a.Timeout(o.state, p, e.Timer)
			case spec.Suspect:
				a.Suspect(o.state, p, e.Peer)
			case spec.Act:
				if a.Election != nil && a.Election.Notice != nil {
					if e.Action == 0 {
						a.Election.Notice(o.state, p)
						return
					}
					e.Action--
				}
				a.Actions[e.Action].Do(o.state, p)
			}
		},
		Disk: func(o *held[S]) S { return stable(*o.state) },
		View: func(o *held[S]) S { return *o.state },
	}
	b := &c.Algorithm
	b.Name, b.Kind, b.Kinds, b.World, b.Promises = a.Name, a.Kind, a.Kinds, a.World, a.Promises
	if a.Start != nil {
		c.Events = append(c.Events, spec.Start)
	}
	if a.Suspect != nil {
		c.Events = append(c.Events, spec.Suspect)
	}
	for _, act := range a.Actions {
		when := act.When
		copied := spec.Action[state, M]{Name: act.Name, Doc: act.Doc, Times: act.Times, Together: act.Together, Fair: act.Fair}
		if when != nil {
			copied.When = func(s state) bool { return when(s.View) }
		}
		b.Actions = append(b.Actions, copied)
	}
	if e := a.Election; e != nil {
		b.Election = &spec.Election[state, M]{Leader: func(s state) spec.ID { return e.Leader(s.View) }, Wins: e.Wins}
		if e.Notice != nil {
			b.Election.Notice = func(*state, proc) {}
		}
	}
	for _, r := range a.Rules {
		rule := spec.TimerRule[state, M]{Name: r.Name, Elects: r.Elects, Awaited: r.Awaited, AllDown: r.AllDown}
		if r.Silent != nil {
			rule.Silent = func(s state, p spec.ID, all spec.Set) spec.Set { return r.Silent(s.View, p, all) }
		}
		if r.Owing != nil {
			rule.Owing = func(s state, q spec.ID, all spec.Set) spec.Set { return r.Owing(s.View, q, all) }
		}
		b.Rules = append(b.Rules, rule)
	}
	if a.Idle != nil {
		b.Idle = func(s state) bool { return a.Idle(s.View) }
	}
	return c
}

// The states of code are those of the algorithm that is inside, whoever looks.
func TestWrapped(t *testing.T) {
	same(t, lock.Published, model.Config{N: 3, Crashes: 1})
	same(t, lock.Mended, model.Config{N: 3, Crashes: 1, Recoveries: 1})
	same(t, twophasecommit.Published, model.Config{N: 3, Crashes: 1})
	same(t, bully.Mended, model.Config{N: 3, Crashes: 1})
}

func same[S, M any](t *testing.T, a *spec.Algorithm[S, M], c model.Config) {
	t.Helper()
	if a.Suspect != nil {
		c.Detector = model.Perfect
	}
	want, err := properties.Verify(context.Background(), a, c, nil, properties.Options{Engine: properties.Explicit, Continue: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []properties.Options{{}, {Workers: 2}, {Engine: properties.Auto}, {Direct: true}} {
		o.Continue = true
		got, err := properties.Verify(context.Background(), wrapped(a), c, nil, o)
		if err != nil {
			t.Fatalf("%s: %v", a.Name, err)
		}
		if got.Stats.States != want.Stats.States || got.Stats.Transitions != want.Stats.Transitions || got.Verdict != want.Verdict {
			t.Errorf("%s: %d states, %d transitions, %v; as an algorithm %d, %d, %v", a.Name, got.Stats.States, got.Stats.Transitions, got.Verdict, want.Stats.States, want.Stats.Transitions, want.Verdict)
		}
		for i, f := range got.Findings {
			if w := want.Findings[i]; f.Verdict != w.Verdict || f.Depth != w.Depth {
				t.Errorf("%s: %s is %v in %d, as an algorithm %v in %d", a.Name, f.Name, f.Verdict, f.Depth, w.Verdict, w.Depth)
			}
		}
		rests := slices.ContainsFunc(got.Findings, func(f properties.Finding) bool {
			return f.Verdict == properties.Verified || f.Kind == properties.QuiescentKind || f.Trace != nil && f.Trace.Loop > 0
		})
		if rests != (got.Audits > 0) {
			t.Errorf("%s: other histories were tried %d times", a.Name, got.Audits)
		}
	}
}
