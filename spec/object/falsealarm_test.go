package object_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/object"
)

// moody is a core whose mood decides what comes of a timer, and is ignored.
type moody struct {
	mood int
	view mood
}

var errBad = errors.New("bad")

type mood struct {
	Sent     string
	Received bool
	Bad      bool
}

// A run that is put together of histories which only look alike is no counterexample.
func TestFalseAlarm(t *testing.T) {
	type state = object.State[int, mood]
	code := &object.Code[*moody, int, mood, string]{
		Algorithm: spec.Algorithm[state, string]{
			Name: "moody", Promises: []string{}, World: map[string]string{"timers": "any"},
			Actions: []spec.Action[state, string]{{Name: "cheer", Times: 1, Together: true}, {Name: "scold", Times: 1, Together: true}},
			Rules:   []spec.TimerRule[state, string]{{Name: "later"}},
			Properties: []spec.Property{spec.Invariant("well", "who is scolded is not bad", func(w spec.World) error {
				one, other := w.State(1).(state).View, w.State(2).(state).View
				if one.Bad && other.Sent == "scold" {
					return errBad
				}
				return nil
			})},
		},
		Open: func(spec.ID, spec.Set, int) *moody { return &moody{} },
		Handle: func(o *moody, e spec.Event, p *spec.Proc[string]) {
			switch {
			case e.Kind == spec.Act && (p.ID == 1 || o.view.Sent != ""):
				p.Refuse()
			case e.Kind == spec.Act:
				o.view.Sent = []string{"cheer", "scold"}[e.Action]
				p.Send(1, o.view.Sent)
			case e.Kind == spec.Receive:
				o.view.Received = true
				if e.Message == "cheer" {
					o.mood = 1
				}
			case o.mood == 1:
				o.view.Bad = true
			}
		},
		View: func(o *moody) mood { return o.view },
		Timers: func(o *moody) []spec.Timer {
			if o.view.Received && !o.view.Bad {
				return []spec.Timer{0}
			}
			return nil
		},
		Ignore: map[string]string{"moody.mood": "who cares"},
	}
	found := false
	_, err := properties.Verify(context.Background(), code, model.Config{N: 2, Timers: model.Any}, nil, properties.Options{})
	if err == nil || !strings.Contains(err.Error(), "They differ in what is ignored: mood is ") {
		t.Errorf("%v", err)
	}
	for seed := range uint64(20) {
		s, err := properties.Simulate(context.Background(), code.Traits().Code.Fresh(), model.Config{N: 2, Timers: model.Any}, nil, properties.SimulateOptions{Seed: seed, Runs: 200})
		if err == nil && s.Verdict == properties.Violated {
			t.Fatalf("a simulation finds %s", s.Findings[0].Why)
		}
		found = found || err != nil && strings.Contains(err.Error(), "mood is ")
	}
	if !found {
		t.Error("no simulation comes upon what is ignored")
	}
	code = code.Traits().Code.Strict().(*object.Code[*moody, int, mood, string])
	r, err := properties.Verify(context.Background(), code, model.Config{N: 2, Timers: model.Any}, nil, properties.Options{})
	if err != nil || r.Findings[0].Verdict == properties.Violated {
		t.Errorf("%v", err)
	}
}

// voter says yes once, and that it has done so is ignored.
type voter struct {
	given bool
	view  struct{ Yes int }
}

// Nor is a run one in which an object forgets what it has just done, as that is ignored.
func TestForgetfulRun(t *testing.T) {
	type (
		view  = struct{ Yes int }
		state = object.State[int, view]
	)
	code := &object.Code[*voter, int, view, string]{
		Algorithm: spec.Algorithm[state, string]{
			Name: "voter", Promises: []string{},
			Actions: []spec.Action[state, string]{{Name: "ask", Times: 2, Together: true}},
			Properties: []spec.Property{spec.Invariant("once", "there is one yes", func(w spec.World) error {
				if w.State(1).(state).View.Yes > 1 {
					return errBad
				}
				return nil
			})},
		},
		Open: func(spec.ID, spec.Set, int) *voter { return &voter{} },
		Handle: func(o *voter, e spec.Event, p *spec.Proc[string]) {
			switch {
			case e.Kind == spec.Act && p.ID == 2:
				p.Refuse()
			case e.Kind == spec.Act:
				p.Send(2, "ask")
			case e.Message == "ask" && !o.given:
				o.given = true
				p.Send(1, "yes")
			case e.Message == "yes":
				o.view.Yes++
			}
		},
		View:   func(o *voter) view { return o.view },
		Ignore: map[string]string{"voter.given": "who cares"},
	}
	for _, check := range []func(m spec.Machine) error{
		func(m spec.Machine) error {
			_, err := properties.Verify(context.Background(), m, model.Config{N: 2}, nil, properties.Options{})
			return err
		},
		func(m spec.Machine) error {
			_, err := properties.Simulate(context.Background(), m, model.Config{N: 2}, nil, properties.SimulateOptions{})
			return err
		},
	} {
		if err := check(code.Traits().Code.Fresh()); err == nil || !strings.Contains(err.Error(), "They differ in what is ignored: given is ") {
			t.Errorf("%v", err)
		}
		if err := check(code.Traits().Code.Strict()); err != nil {
			t.Error(err)
		}
	}
}

// hidden is a number and a flag that is ignored.
type hidden struct {
	n    int
	flag bool
}

// hiding is code of one process that does what it is asked to, with a flag that is ignored. It refuses what leaves it as it is.
func hiding(fair bool, do func(o *hidden, action uint8), p spec.Property) *object.Code[*hidden, int, int, string] {
	type state = object.State[int, int]
	return &object.Code[*hidden, int, int, string]{
		Algorithm: spec.Algorithm[state, string]{
			Name: "hiding/any", Doc: "hides something", Source: "this test", Promises: []string{},
			Actions:    []spec.Action[state, string]{{Name: "a", Fair: fair}, {Name: "b", Fair: fair}, {Name: "c", Fair: fair}},
			Properties: []spec.Property{p},
		},
		Open: func(spec.ID, spec.Set, int) *hidden { return &hidden{} },
		Handle: func(o *hidden, e spec.Event, p *spec.Proc[string]) {
			before := *o
			if do(o, e.Action); before == *o {
				p.Refuse()
			}
		},
		View:   func(o *hidden) int { return o.n },
		Ignore: map[string]string{"hidden.flag": "who cares"},
	}
}

// What a state cannot do rests on which states are taken for one, as what holds does: that it is quiescent, that it may stay as
// it is forever, and that a goal is out of reach.
func TestCannot(t *testing.T) {
	read := func(w spec.World) int { return w.State(1).(object.State[int, int]).View }
	rests := func(o *hidden, action uint8) {
		switch {
		case o.n == 0 && action < 2:
			o.n, o.flag = 1, action == 1
		case o.n == 1 && o.flag && action == 2:
			o.n = 3
		}
	}
	moves := func(o *hidden, action uint8) {
		switch {
		case o.n == 0 && action == 0:
			o.n, o.flag = 1, false
		case o.n == 0 && action == 1:
			o.n, o.flag = 2, true
		case o.n == 1 && !o.flag && action == 2:
			o.n = 2
		case o.n == 2 && !o.flag && action == 0:
			o.n = 9
		case o.n == 2 && o.flag && action == 2:
			o.n = 1
		case o.n == 1 && o.flag && action == 0:
			o.n = 9
		}
	}
	for _, row := range []struct {
		name string
		code *object.Code[*hidden, int, int, string]
	}{
		{"quiescent", hiding(true, rests, spec.Quiescent("done", "it ends elsewhere", func(w spec.World) error {
			if read(w) == 1 {
				return errBad
			}
			return nil
		}))},
		{"liveness", hiding(true, rests, spec.Temporal("done", "it ends elsewhere", "<>moved", map[string]func(spec.World) error{"moved": func(w spec.World) error {
			if read(w) <= 1 {
				return errBad
			}
			return nil
		}}))},
		{"recoverable", hiding(false, moves, spec.Recoverable("back", "9 can be reached", func(w spec.World) bool { return read(w) == 9 }))},
	} {
		c, found := model.Config{N: 1}, 0
		if _, err := properties.Verify(t.Context(), row.code, c, nil, properties.Options{}); err == nil || !strings.Contains(err.Error(), "have one text and are not alike") {
			t.Errorf("%s: a search says %v", row.name, err)
		}
		for seed := range uint64(20) {
			s, err := properties.Simulate(t.Context(), row.code.Traits().Code.Fresh(), c, nil, properties.SimulateOptions{Seed: seed, Runs: 50, Steps: 30, ThenVerify: 2000})
			if err == nil && s.Verdict == properties.Violated {
				t.Errorf("%s: a simulation with seed %d finds %s", row.name, seed, s.Findings[0].Why)
			}
			if err != nil && strings.Contains(err.Error(), "have one text and are not alike") {
				found++
			}
		}
		if found == 0 && row.name != "liveness" {
			t.Errorf("%s: no simulation comes upon what is ignored", row.name)
		}
	}
}
