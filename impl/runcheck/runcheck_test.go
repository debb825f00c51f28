package runcheck_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"interleave/impl/runcheck"
	"interleave/impl/runlog"
	"interleave/spec"
)

// count is the state of counter: what it has counted, and what of that is stable.
type count struct{ Now, Saved uint8 }

// counter counts what it is told, and tells process 1 of it. A 7 is refused.
func counter(properties ...spec.Property) *spec.Algorithm[count, uint8] {
	return &spec.Algorithm[count, uint8]{
		Name: "x/counter", Doc: "counts", Source: "this test",
		Stable:  func(s count) count { return count{s.Saved, s.Saved} },
		Recover: func(s *count, p *spec.Proc[uint8]) { p.Output(s.Now) },
		Idle:    func(s count) bool { return s.Now != 9 },
		Receive: func(s *count, p *spec.Proc[uint8], _ spec.ID, m uint8) {
			if m == 7 {
				p.Refuse()
			}
			s.Now += m
		},
		Actions: []spec.Action[count, uint8]{
			{Name: "add", Request: spec.OneOf([]uint8{1, 2, 7, 9}, func(s *count, p *spec.Proc[uint8], v uint8) {
				s.Now += v
				p.Output(s.Now)
				if p.ID != 1 {
					p.Send(1, v)
				}
			})},
			{Name: "save", Do: func(s *count, _ *spec.Proc[uint8]) { s.Saved = s.Now }},
		},
		Properties: properties,
	}
}

// logged is a run that is made up: steps of a machine, logged as real processes log theirs.
type logged struct {
	t       *testing.T
	machine spec.Machine
	now     time.Time
	texts   [4]bytes.Buffer
	writers [4]runlog.Writer
	states  [4]any
	born    [4]uint32
	sent    [4]uint64
	steps   [4]uint64
	sends   map[runlog.Name]any
}

// newLogged begins with three processes. Their lives are numbered from one after so many.
func newLogged(t *testing.T, m spec.Machine, lives uint32) *logged {
	l := &logged{t: t, machine: m, now: time.Unix(1000, 0), sends: map[runlog.Name]any{}, born: [4]uint32{1: lives, 2: lives, 3: lives}}
	for id := spec.ID(1); id <= 3; id++ {
		l.boot(id)
	}
	return l
}

// write writes a line of a process, a millisecond after the one before.
func (l *logged) write(id spec.ID, r *runlog.Record) {
	l.t.Helper()
	l.now = l.now.Add(time.Millisecond)
	l.writers[id].To = &l.texts[id]
	r.Process, r.Incarnation, r.Time = id, l.born[id], l.now
	if err := l.writers[id].Write(r); err != nil {
		l.t.Fatal(err)
	}
}

// boot starts a process, again if it has been there.
func (l *logged) boot(id spec.ID) {
	l.t.Helper()
	l.born[id]++
	l.writers[id], l.sent[id], l.steps[id] = runlog.Writer{}, 0, 0
	l.write(id, &runlog.Record{Line: runlog.LineBegin, Begin: &runlog.Begin{
		Version: runlog.Version, Algorithm: "x/counter", Ring: []spec.ID{1, 2, 3}, Delta: "10ms", Durations: map[string]string{"join": "1h"},
	}})
	memory, again := l.machine.Traits().Zero, l.states[id] != nil
	if again {
		memory = l.machine.Traits().Stable(l.states[id])
	}
	l.states[id] = memory
	text, err := runlog.PlainJSON(memory)
	if err != nil {
		l.t.Fatal(err)
	}
	l.step(id, spec.Event{Kind: spec.Init}, runlog.Input{Memory: text})
	if again {
		l.step(id, spec.Event{Kind: spec.Recover}, runlog.Input{})
	}
}

func (l *logged) step(id spec.ID, e spec.Event, in runlog.Input) {
	l.t.Helper()
	traits := l.machine.Traits()
	after, fx := l.machine.Step(id, []spec.ID{1, 2, 3}, l.states[id], e)
	if fx.Refused {
		l.t.Fatalf("process %v refuses %s", id, traits.EventName(e))
	}
	in.Event = traits.EventName(e)
	l.steps[id]++
	r := &runlog.Record{Line: runlog.LineStep, Step: l.steps[id], Input: &in}
	var err error
	if r.State, err = runlog.PlainJSON(after); err == nil {
		err = r.SetEffects(traits, fx, nil, l.sent[id])
	}
	if err != nil {
		l.t.Fatal(err)
	}
	for i, s := range r.Sends {
		l.sends[runlog.Name{From: id, Incarnation: l.born[id], Sequence: s.Sequence}] = fx.Sends[i].Message
		l.sent[id] = s.Sequence
	}
	l.states[id] = after
	l.write(id, r)
}

// add and save are the requests.
func (l *logged) add(id spec.ID, v uint8) {
	l.t.Helper()
	l.step(id, spec.Event{Kind: spec.Act, Action: 0, Value: v}, runlog.Input{Value: fmt.Append(nil, v)})
}
func (l *logged) save(id spec.ID) {
	l.t.Helper()
	l.step(id, spec.Event{Kind: spec.Act, Action: 1}, runlog.Input{})
}

// receive has process 1 handle what another one sent.
func (l *logged) receive(from spec.ID, sequence uint64) {
	l.t.Helper()
	name := runlog.Name{From: from, Incarnation: l.born[from], Sequence: sequence}
	m := l.sends[name]
	l.step(1, spec.Event{Kind: spec.Receive, From: from, Message: m}, runlog.Input{Received: &runlog.Letter{Name: name, Message: fmt.Append(nil, m)}})
}

func (l *logged) wait() { l.now = l.now.Add(time.Second) }

// end ends all processes.
func (l *logged) end() {
	l.t.Helper()
	for id := spec.ID(1); id <= 3; id++ {
		l.write(id, &runlog.Record{Line: runlog.LineEnd})
	}
}

func (l *logged) logs() (all []io.ReadSeeker) {
	for id := 1; id <= 3; id++ {
		all = append(all, bytes.NewReader(l.texts[id].Bytes()))
	}
	return all
}

// judge returns why the run breaks each property; "" if nothing does, and "never judged".
func (l *logged) judge() map[string]string {
	l.t.Helper()
	r, err := runcheck.Run{Machine: l.machine, Logs: l.logs()}.Judge()
	if err != nil {
		l.t.Fatal(err)
	}
	all := map[string]string{}
	if cut := !bytes.Contains(l.texts[1].Bytes(), []byte(`"line":"end"`)); cut != strings.HasSuffix(r.Until, " has no end") {
		l.t.Errorf("judged until %q", r.Until)
	}
	for _, v := range r.Verdicts {
		if all[v.Property.Name] = v.Reason; v.Judged == 0 {
			all[v.Property.Name] = "never judged"
		}
	}
	return all
}

// TestJudge: each form of property is judged along a run as it is in a model.
func TestJudge(t *testing.T) {
	now := func(w spec.World, p spec.ID) uint8 {
		s, _ := w.State(p).(count)
		return s.Now
	}
	properties := []spec.Property{
		spec.Invariant("below 5", "", func(w spec.World) error {
			if n := now(w, 2); n >= 5 {
				return fmt.Errorf("process 2 counted %d", n)
			}
			return nil
		}),
		spec.Invariant("all are there", "", func(w spec.World) error {
			for p := spec.ID(1); p <= 3; p++ {
				if _, ok := w.State(p).(count); !ok { // a process that is down has what is stable
					panic("one is not there")
				}
			}
			return nil
		}),
		spec.Quiescent("told", "", func(w spec.World) error {
			if w.Live().Has(1) && now(w, 1) < now(w, 2) {
				return errors.New("process 1 was not told")
			}
			return nil
		}),
		spec.EveryStep("grows", "", func(before, after spec.World) error {
			for p := range after.Live().All() {
				if before.Live().Has(p) && now(after, p) < now(before, p) {
					return fmt.Errorf("process %v counts down", p)
				}
			}
			return nil
		}),
		spec.EveryStep("comes back as it was", "", func(before, after spec.World) error {
			if !before.Live().Has(2) && after.Live().Has(2) && now(after, 2) == 0 {
				return errors.New("process 2 forgot")
			}
			return nil
		}),
		spec.EveryStep("never dies", "", func(before, after spec.World) error {
			if before.Live().Has(3) && !after.Live().Has(3) {
				return errors.New("process 3 died")
			}
			return nil
		}),
		spec.EveryStep("no mail of the dead", "", func(_, after spec.World) error {
			for m := range after.InFlight() {
				if !after.Live().Has(m.From) {
					return fmt.Errorf("%v of process %v is on its way", m.Message, m.From)
				}
			}
			return nil
		}),
		spec.Cover("4 is counted", "", func(w spec.World) bool { return now(w, 2) == 4 }),
		spec.Temporal("for ever", "", "[]nothing", map[string]func(spec.World) error{"nothing": func(spec.World) error { return errors.New("never") }}),
		spec.Monitored("no output twice", "", [4]uint8{99, 99, 99, 99}, func(v [4]uint8, s spec.Step) ([4]uint8, error) {
			for _, o := range s.Outputs {
				if v[s.Process] == o.(uint8) {
					return v, fmt.Errorf("process %v puts out %d again", s.Process, o)
				}
				v[s.Process] = o.(uint8)
			}
			return v, nil
		}),
		spec.Monitored("comes back once", "", spec.Set(0), func(v spec.Set, s spec.Step) (spec.Set, error) {
			if s.Event.Kind == spec.Recover && v.Has(s.Process) {
				return v, fmt.Errorf("process %v comes back again", s.Process)
			} else if s.Event.Kind == spec.Recover {
				v = v.With(s.Process)
			}
			return v, nil
		}),
		spec.Monitored("boots from what is stable", "", 0, func(v int, s spec.Step) (int, error) {
			if s.Event.Kind == spec.Recover && s.Before != (count{2, 2}) {
				return v, fmt.Errorf("process %v boots from %+v", s.Process, s.Before)
			}
			return v, nil
		}),
	}
	none := func(but ...string) map[string]string {
		all := map[string]string{"no-deadlock": ""}
		for _, p := range properties {
			if p.Form != spec.Runs {
				all[p.Name] = ""
			}
		}
		all["4 is counted"] = "never judged"
		for i := 0; i < len(but); i += 2 {
			all[but[i]] = but[i+1]
		}
		return all
	}
	for _, c := range []struct {
		what string
		run  func(l *logged)
		want map[string]string
	}{
		{"a message comes", func(l *logged) { l.add(2, 2); l.receive(2, 1); l.wait(); l.end() }, none()},
		{"a message is slow", func(l *logged) { l.add(2, 2); l.wait(); l.receive(2, 1); l.end() },
			none("told", "never judged", "no-deadlock", "never judged")},
		{"a message never comes", func(l *logged) { l.add(2, 2); l.wait(); l.end() },
			none("told", "never judged", "no-deadlock", "never judged")},
		{"a message is refused", func(l *logged) { l.add(3, 7); l.wait(); l.end() },
			none("no-deadlock", "process 1 refuses 7 from 3 forever")},
		{"one waits", func(l *logged) { l.add(1, 9); l.wait(); l.end() },
			none("no-deadlock", "process 1 waits forever ({Now:9 Saved:0})")},
		{"too much is counted", func(l *logged) { l.add(2, 9); l.receive(2, 1); l.end() },
			none("below 5", "process 2 counted 9", "told", "never judged", "no-deadlock", "never judged")},
		{"4 is counted", func(l *logged) {
			l.add(2, 2)
			l.receive(2, 1)
			l.add(2, 2)
			l.receive(2, 2)
			l.wait()
			l.end()
		}, none("4 is counted", "")},
		{"one comes back, and what it had put out may be known to nobody", func(l *logged) {
			l.add(2, 2)
			l.receive(2, 1)
			l.save(2)
			l.boot(2)
			l.wait()
			l.end()
		}, none("no output twice", "process 2 puts out 2 again")},
		{"one dies as it puts out", func(l *logged) {
			l.add(2, 2)
			l.receive(2, 1)
			l.save(2)
			l.add(2, 1)
			l.boot(2)
			l.add(2, 1)
			l.wait()
			l.end()
		},
			none("told", "never judged", "no-deadlock", "never judged")},
		{"one dies with what it put out first", func(l *logged) {
			l.save(2)
			l.add(2, 2)
			l.boot(2)
			l.add(2, 2)
			l.wait()
			l.end()
		},
			none("told", "never judged", "no-deadlock", "never judged", "comes back as it was", "process 2 forgot", "boots from what is stable", "process 2 boots from {Now:0 Saved:0}")},
		{"one may have put out the same", func(l *logged) {
			l.add(2, 2)
			l.receive(2, 1)
			l.add(2, 0)
			l.boot(2)
			l.wait()
			l.end()
		},
			none("comes back as it was", "process 2 forgot", "boots from what is stable", "process 2 boots from {Now:0 Saved:0}")},
		{"one dies with mail on its way", func(l *logged) { l.save(3); l.add(3, 2); l.boot(3); l.wait(); l.end() },
			none("never dies", "process 3 died", "boots from what is stable", "process 3 boots from {Now:0 Saved:0}")},
		{"one forgets", func(l *logged) { l.boot(2); l.wait(); l.end() },
			none("no mail of the dead", "never judged", "comes back as it was", "process 2 forgot", "boots from what is stable", "process 2 boots from {Now:0 Saved:0}")},
		{"one dies for good", func(l *logged) { l.boot(3); l.wait(); l.end() },
			none("no mail of the dead", "never judged", "never dies", "process 3 died", "boots from what is stable", "process 3 boots from {Now:0 Saved:0}")},
		{"a log that breaks off", func(l *logged) { l.wait(); l.add(1, 9); l.wait(); l.wait() },
			none("below 5", "never judged", "all are there", "never judged", "told", "never judged", "no-deadlock", "never judged",
				"no output twice", "never judged", "boots from what is stable", "never judged", "comes back once", "never judged",
				"no mail of the dead", "never judged", "grows", "never judged", "comes back as it was", "never judged", "never dies", "never judged")},
	} {
		l := newLogged(t, counter(properties...), 0)
		c.run(l)
		got := l.judge()
		for name, want := range c.want {
			if reason := got[name]; reason != want && (want == "" || !strings.HasSuffix(reason, " s: "+want)) {
				t.Errorf("%s: %s: %q, not %q", c.what, name, reason, want)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// TestFirstLife: processes without storage number their lives by the clock, and come back no more often for that.
func TestFirstLife(t *testing.T) {
	back := spec.Monitored("nobody comes back", "", 0, func(v int, s spec.Step) (int, error) {
		if s.Event.Kind == spec.Recover {
			return v, fmt.Errorf("process %v comes back", s.Process)
		}
		return v, nil
	})
	for _, again := range []bool{false, true} {
		l := newLogged(t, counter(back), 1_700_000_000)
		l.add(1, 1)
		want := ""
		if again {
			l.boot(2)
			want = "at 0.01 s: process 2 comes back"
		}
		l.end()
		if got := l.judge()["nobody comes back"]; got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// TestEmptyLog: a process that did nothing, as nobody knows more of it, leaves the others to be read.
func TestEmptyLog(t *testing.T) {
	l := newLogged(t, counter(), 0)
	l.add(1, 9)
	l.wait()
	l.end()
	l.texts[3].Reset()
	if got := l.judge(); len(got) != 1 || got["no-deadlock"] != "never judged" {
		t.Error(got)
	}
}
