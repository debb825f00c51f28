package runcheck

import (
	"testing"
	"time"

	"interleave/impl/runlog"
	"interleave/spec"
)

// TestRests: a state is quiescent only where nothing has to happen, however long nothing did: a message
// that a process would handle is on its way, and so is one that comes later in the run.
func TestRests(t *testing.T) {
	type state struct{ Busy, Todo bool }
	machine := &spec.Algorithm[state, uint8]{ // refuses odd messages while it is busy
		Name: "x/busy", Doc: "may be busy", Source: "this test",
		Receive: func(s *state, p *spec.Proc[uint8], _ spec.ID, m uint8) {
			if s.Busy && m%2 == 1 {
				p.Refuse()
			}
		},
		Actions: []spec.Action[state, uint8]{
			{Name: "work", Fair: true, When: func(s state) bool { return s.Todo }, Do: func(s *state, _ *spec.Proc[uint8]) { s.Todo = false }},
			{Name: "ask", Do: func(s *state, _ *spec.Proc[uint8]) { s.Todo = true }},
		},
		Rules: []spec.TimerRule[state, uint8]{{Name: "T"}},
		Timeout: func(s *state, p *spec.Proc[uint8], _ spec.Timer) {
			if s.Busy {
				p.Refuse()
			}
		},
	}
	name := func(from spec.ID, sequence uint64) runlog.Name {
		return runlog.Name{From: from, Incarnation: 1, Sequence: sequence}
	}
	to1 := func(from spec.ID, m uint8) spec.Sent { return spec.Sent{From: from, To: 1, Message: m} }
	for _, c := range []struct {
		what     string
		busy     bool
		todo     bool
		flying   map[runlog.Name]spec.Sent
		later    []runlog.Name // handled
		armed    bool
		starting spec.Set
		dead     spec.Set
		lossy    bool
		rests    bool
		left     int // messages in flight, if it rests
	}{
		{what: "nothing is left to do", rests: true},
		{what: "a slow message", flying: map[runlog.Name]spec.Sent{name(2, 1): to1(2, 4)}},
		{what: "a refused message", busy: true, flying: map[runlog.Name]spec.Sent{name(2, 1): to1(2, 3)}, rests: true, left: 1},
		{what: "one behind a refused message", busy: true, flying: map[runlog.Name]spec.Sent{name(2, 1): to1(2, 3), name(2, 2): to1(2, 4)}, rests: true, left: 2},
		{what: "one before a refused message", busy: true, flying: map[runlog.Name]spec.Sent{name(2, 1): to1(2, 4), name(2, 2): to1(2, 3)}},
		{what: "a refused message on another link", busy: true, flying: map[runlog.Name]spec.Sent{name(2, 1): to1(2, 3), name(3, 1): to1(3, 4)}},
		{what: "a lost datagram", lossy: true, flying: map[runlog.Name]spec.Sent{name(2, 1): to1(2, 4)}, rests: true},
		{what: "a slow datagram", lossy: true, flying: map[runlog.Name]spec.Sent{name(2, 1): to1(2, 4)}, later: []runlog.Name{name(2, 1)}},
		{what: "a slow datagram behind a refused one", busy: true, lossy: true, flying: map[runlog.Name]spec.Sent{name(2, 1): to1(2, 3), name(2, 2): to1(2, 4)}, later: []runlog.Name{name(2, 1), name(2, 2)}},
		{what: "a message of a dead process", dead: spec.Set(0).With(2), flying: map[runlog.Name]spec.Sent{name(2, 1): to1(2, 4)}, rests: true},
		{what: "a slow message of a dead process", dead: spec.Set(0).With(2), flying: map[runlog.Name]spec.Sent{name(2, 1): to1(2, 4)}, later: []runlog.Name{name(2, 1)}},
		{what: "a message to a dead process", dead: spec.Set(0).With(1), flying: map[runlog.Name]spec.Sent{name(2, 1): to1(2, 4)}, rests: true},
		{what: "a message of a former incarnation", flying: map[runlog.Name]spec.Sent{{From: 2, Sequence: 7}: to1(2, 4)}, rests: true},
		{what: "an armed timer", armed: true},
		{what: "an armed timer that is refused", busy: true, armed: true, rests: true},
		{what: "something to do", todo: true},
		{what: "a process that starts", starting: spec.Set(0).With(3)},
		{what: "nobody lives", dead: spec.UpTo(3)},
	} {
		w := world{
			machine: machine, traits: machine.Traits(), ring: []spec.ID{1, 2, 3}, live: spec.UpTo(3) &^ c.dead, starting: c.starting, doubtful: true, lossy: c.lossy,
			states: map[spec.ID]any{1: state{c.busy, c.todo}, 2: state{}, 3: state{}}, incarnations: map[spec.ID]uint32{1: 1, 2: 1, 3: 1},
			armed: map[spec.ID]map[string]bool{1: {"T": c.armed}}, flying: c.flying, handled: map[runlog.Name]time.Time{},
		}
		for _, name := range c.later {
			w.handled[name] = time.Now()
		}
		if got := w.rests(); got != c.rests || w.quiescent != c.rests || got && (len(w.flying) != c.left || w.doubtful) {
			t.Errorf("%s: it rests: %v, and quiescent: %v, with %v in flight", c.what, got, w.quiescent, w.flying)
		}
	}
}

// TestRestsWithoutNews: nobody is at rest before its failure detector has told it who is down, and who is not.
func TestRestsWithoutNews(t *testing.T) {
	machine := &spec.Algorithm[bool, uint8]{
		Name: "x/told", Doc: "is told", Source: "this test", Receive: func(*bool, *spec.Proc[uint8], spec.ID, uint8) {},
		Suspect: func(*bool, *spec.Proc[uint8], spec.ID) {}, Restore: func(*bool, *spec.Proc[uint8], spec.ID) {},
	}
	for _, c := range []struct {
		live      spec.Set
		suspected map[spec.ID]spec.Set
		vague     spec.Set
		rests     bool
	}{
		{spec.SetOf(1, 2, 3), nil, 0, true},
		{spec.SetOf(1, 3), map[spec.ID]spec.Set{1: spec.SetOf(2), 3: spec.SetOf(2)}, 0, true},
		{spec.SetOf(1, 3), map[spec.ID]spec.Set{1: spec.SetOf(2), 3: spec.SetOf(2)}, spec.SetOf(2), false},
		{spec.SetOf(1, 3), map[spec.ID]spec.Set{1: spec.SetOf(2)}, 0, false},
		{spec.SetOf(1, 2, 3), map[spec.ID]spec.Set{1: spec.SetOf(2)}, 0, false},
	} {
		w := world{
			machine: machine, traits: machine.Traits(), ring: []spec.ID{1, 2, 3}, live: c.live, suspected: c.suspected, vague: c.vague,
			states: map[spec.ID]any{1: false, 2: false, 3: false},
		}
		if w.rests() != c.rests {
			t.Errorf("%v live, %v suspected: it rests: %v", c.live, c.suspected, !c.rests)
		}
	}
}
