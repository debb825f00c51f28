package compiled

import (
	"errors"
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

type (
	oddProc      = spec.Proc[int]
	oddAlgorithm = spec.Algorithm[int, int]
)

// odd returns an algorithm that does nothing and follows nobody, with changes.
func odd(name string, change func(a *oddAlgorithm)) *oddAlgorithm {
	a := &oddAlgorithm{
		Name: "x/" + name, Election: &spec.Election[int, int]{Leader: func(int) spec.ID { return spec.None }},
		Receive: func(_ *int, p *oddProc, _ spec.ID, _ int) { p.Refuse() },
	}
	change(a)
	return a
}

// becomes has each process come to follow process 1 by a step of some kind.
func becomes(name string, change func(a *oddAlgorithm, follow func(s *int))) *oddAlgorithm {
	return odd(name, func(a *oddAlgorithm) {
		a.Election.Leader = func(s int) spec.ID { return spec.ID(s) }
		change(a, func(s *int) { *s = 1 })
	})
}

// hears has process 1 come to follow the one that it hears first, once it has thought about it:
// it hears the others by what they send it.
func hears(name string, send func(p *oddProc)) *oddAlgorithm {
	return odd(name, func(a *oddAlgorithm) {
		a.Ring = true
		a.Start = func(_ *int, p *oddProc) {
			if p.ID > 1 {
				send(p)
			}
		}
		a.Receive = func(s *int, p *oddProc, from spec.ID, _ int) {
			switch {
			case p.ID > 1:
			case from == 1:
				*s = 10 + *s%10
			case *s == 0:
				*s = int(from)
				p.Send(1, 0)
			}
		}
		a.Election.Leader = func(s int) spec.ID { return spec.ID(s / 10 * (s % 10)) }
	})
}

// TestReducedSees: process 2, or the last one, may be first in what all do, though process 1
// would be taken for ample if one of its steps were not seen, or a sender forgotten. Either a
// reduced search finds that, or it says that something is hidden.
func TestReducedSees(t *testing.T) {
	second := func(w *model.World) bool { return w.Leader(1) == 0 && w.Leader(2) == 1 }
	last := func(w *model.World) bool { return int(w.Leader(1)) == w.N() }
	begin := odd("begins", func(a *oddAlgorithm) { a.Start = func(s *int, _ *oddProc) { *s = 1 } })
	for _, row := range []struct {
		machine spec.Machine
		config  model.Config
		seen    func(w *model.World) bool
		hidden  bool
	}{
		{machine: becomes("starts", func(a *oddAlgorithm, follow func(*int)) {
			a.Start = func(s *int, _ *oddProc) { follow(s) }
		}), config: model.Config{N: 2}, seen: second},
		{machine: becomes("notices", func(a *oddAlgorithm, follow func(*int)) {
			a.Election.Notice = func(s *int, _ *oddProc) { follow(s) }
		}), config: model.Config{N: 2}, seen: second},
		{machine: becomes("expires", func(a *oddAlgorithm, follow func(*int)) {
			a.Init = func(_ *int, p *oddProc) { p.SetTimer(0) }
			a.Timeout = func(s *int, _ *oddProc, _ spec.Timer) { follow(s) }
			a.Rules = []spec.TimerRule[int, int]{{Name: "T"}}
		}), config: model.Config{N: 2, Timers: model.Any}, seen: second},
		{machine: becomes("suspects", func(a *oddAlgorithm, follow func(*int)) {
			a.Suspect = func(s *int, _ *oddProc, _ spec.ID) { follow(s) }
		}), config: model.Config{N: 3, Crashes: 1, Detector: model.Perfect}, seen: second},
		{machine: becomes("receives", func(a *oddAlgorithm, follow func(*int)) {
			a.Start = func(_ *int, p *oddProc) { p.Send(p.ID, 0) }
			a.Receive = func(s *int, _ *oddProc, _ spec.ID, _ int) { follow(s) }
		}), config: model.Config{N: 2}, seen: second},
		{machine: hears("hears", func(p *oddProc) { p.Send(1, 0) }), config: model.Config{N: 3}, seen: last},
		{machine: hears("hears-next", func(p *oddProc) {
			if p.ID < 3 {
				p.Send(1, 0)
			} else {
				p.SendNext(0)
			}
		}), config: model.Config{N: 3}, seen: last},
		{machine: begin, config: model.Config{N: 2}, hidden: true, seen: func(w *model.World) bool { return !w.Started(1) && w.Started(2) }},
		{machine: begin, config: model.Config{N: 2}, hidden: true, seen: func(w *model.World) bool { return w.State(1) == 0 && w.State(2) == 1 }},
	} {
		name := row.machine.Traits().Name
		full, found := reducedSearch(t, row.machine, row.config, row.seen, false)
		if !found {
			t.Errorf("%s: it does not happen", name)
		}
		less, found := reducedSearch(t, row.machine, row.config, row.seen, true)
		hidden := false
		if less.reduction == nil || full.reduction != nil {
			t.Fatalf("%s: the wrong one is reduced", name)
		}
		if !found {
			hidden = less.Hidden(0) != 0
		}
		if found == row.hidden || hidden != row.hidden {
			t.Errorf("%s: found: %v, hidden: %v", name, found, hidden)
		}
	}
}

// reducedSearch reports whether a search finds what is to be seen.
func reducedSearch(t *testing.T, m spec.Machine, c model.Config, seen func(w *model.World) bool, reduce bool) (_ *System, found bool) {
	t.Helper()
	s, err := New(m, c, []model.Watch{{State: seen}})
	if err != nil {
		t.Fatal(err)
	}
	if reduce {
		if err := s.Reduce(0); err != nil {
			t.Fatal(err)
		}
	}
	r, err := explore.Search(t.Context(), s, explore.Options{Workers: 1})
	if err != nil || r.Outcome != explore.Exhausted {
		t.Fatal(r, err)
	}
	return s, r.Marks&1 != 0
}

// TestUnseen: a move is unseen only if nothing changes that a watch may look at. No move changes
// who begins of its own accord, but a recovery may; should one do so where there is a reduction,
// it is seen.
func TestUnseen(t *testing.T) {
	up := model.Local{Status: model.Up, State: 0}
	local := []LocalInfo{
		{Local: up}, {Local: model.Local{Status: model.Up, State: 1}}, {Local: up, Leader: 1},
		{Local: model.Local{Status: model.Up, State: 0, Initiator: true}}, {Local: model.Local{Status: model.Booting, State: 0}},
	}
	for _, row := range []struct {
		name    string
		move    Move
		visible model.ReadSet
		want    bool
	}{
		{"another state", Move{To: 1}, model.ReadStatus, true},
		{"another state that somebody looks at", Move{To: 1}, model.ReadLocals, false},
		{"another leader", Move{To: 2}, 0, false},
		{"an initiator", Move{To: 3}, 0, false},
		{"another status that nobody looks at", Move{To: 4}, 0, true},
		{"another status", Move{To: 4}, model.ReadStatus, false},
		{"a panic, or beyond the bound", Move{deadEnd: true}, 0, false},
		{"refused", Move{To: 2, Refused: true}, model.ReadStatus, true},
	} {
		t1, sys := &Tables{ID: 1, Info: local}, &System{LocalSteps: &LocalSteps{}}
		red := &reduction{visible: row.visible, looks: [][]uint32{sys.looksOf(t1, row.visible)}}
		if got := red.isUnseen(t1, 0, &row.move); got != row.want {
			t.Errorf("%s: unseen: %v", row.name, got)
		}
	}
}

// TestNotReducible: what a reduction would hide, or what it takes for granted and is not so,
// keeps it from being made.
func TestNotReducible(t *testing.T) {
	algorithm := func(change func(a *oddAlgorithm)) spec.Machine {
		return odd("whole", func(a *oddAlgorithm) {
			a.Start = func(_ *int, p *oddProc) { p.Broadcast(p.Others(), 0) }
			a.Claims = []spec.Claim[int]{{Name: "small", Holds: func(spec.ID, spec.Set, int, int, []any) error { return errors.New("no") }}}
			change(a)
		})
	}
	simple := algorithm(func(*oddAlgorithm) {})
	timing := algorithm(func(a *oddAlgorithm) {
		a.Timeout = func(*int, *oddProc, spec.Timer) {}
		a.Rules = []spec.TimerRule[int, int]{{
			Name: "T", Awaited: func(_, _, _ spec.ID, _ int) bool { return true },
			Silent: func(int, spec.ID, spec.Set) spec.Set { return 0 },
		}}
	})
	suspecting := algorithm(func(a *oddAlgorithm) { a.Suspect = func(*int, *oddProc, spec.ID) {} })
	asking := algorithm(func(a *oddAlgorithm) { a.Oracle = true })
	some := model.Watch{State: func(*model.World) bool { return false }}
	for _, row := range []struct {
		machine spec.Machine
		config  model.Config
		watch   model.Watch
		want    bool
	}{
		{simple, model.Config{}, some, true},
		{simple, model.Config{Crashes: 1, Split: true}, some, true},
		{simple, model.Config{}, model.Watch{Step: func(_, _ *model.World) bool { return false }}, false},
		{simple, model.Config{}, model.Watch{State: some.State, Step: func(_, _ *model.World) bool { return false }}, false},
		{simple, model.Config{}, model.Watch{Claim: "small"}, false},
		{simple, model.Config{Network: model.Bag}, some, false},
		{simple, model.Config{Network: model.Set}, some, false},
		{simple, model.Config{Losses: 1}, some, false},
		{simple, model.Config{Duplicates: 1}, some, false},
		{simple, model.Config{Partitions: 1}, some, false},
		{simple, model.Config{Crashes: 1, Recoveries: 1}, some, false},
		{suspecting, model.Config{Crashes: 1, Detector: model.Perfect}, some, true},
		{suspecting, model.Config{Detector: model.Eventual, Suspicions: 1}, some, false},
		{timing, model.Config{Timers: model.Any}, some, true},
		{timing, model.Config{Timers: model.Just}, some, false},
		{timing, model.Config{}, some, false},
		{asking, model.Config{}, some, false},
	} {
		row.config.N = 2
		s, err := New(row.machine, row.config, []model.Watch{some, row.watch})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Reduce(0); (err == nil) != row.want || err != nil && !errors.Is(err, ErrNotReducible) {
			t.Errorf("%s %+v, steps: %v, claim %q: %v", row.machine.Traits().Name, row.config, row.watch.Step != nil, row.watch.Claim, err)
		}
	}
}
