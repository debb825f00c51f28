package impl

import (
	"bytes"
	"fmt"

	"interleave/impl/runlog"
	"interleave/spec"
)

// records reads the log of a process, which has to be whole.
func (g *group) records(id spec.ID) []runlog.Record {
	g.t.Helper()
	size := g.members[id].log.Len()
	if read := g.read[id]; read.size == size {
		return read.records
	}
	var all []runlog.Record
	err := runlog.Read(bytes.NewReader(g.members[id].log.Bytes()), func(r runlog.Record) error {
		all = append(all, r)
		return nil
	})
	if err != nil {
		g.t.Fatalf("process %v: %v", id, err)
	}
	g.read[id] = logRead{size, all}
	return all
}

// logRead is what was read of a log when it was so long.
type logRead struct {
	size    int
	records []runlog.Record
}

// recheck takes every step that was logged again, and wants the same to come
// of it: the log tells all that a step depends on, and nothing else than the
// machine made it. It wants every message that was received to have been sent, to
// this process, with these contents, and to be received once; and, on a link
// that keeps order, in the order of sending.
func (g *group) recheck() (steps int) {
	g.t.Helper()
	sent := map[runlog.Name]runlog.Sent{}
	for _, id := range g.ring {
		for _, r := range g.records(id) {
			for _, s := range r.Sends {
				sent[runlog.Name{From: id, Incarnation: r.Incarnation, Sequence: s.Sequence}] = s
			}
		}
	}
	for _, id := range g.ring {
		steps += g.recheckProcess(id)
		g.recheckReceived(id, sent)
	}
	return steps
}

func (g *group) recheckProcess(id spec.ID) (steps int) {
	g.t.Helper()
	traits := g.config.Machine.Traits()
	var state any
	for _, r := range g.records(id) {
		if r.Line != runlog.LineStep {
			continue
		}
		steps++
		if r.Input.Memory != nil {
			memory, err := traits.ReadState(r.Input.Memory)
			if err != nil {
				g.t.Fatal(err)
			}
			state = memory
		}
		e, err := r.Input.Replay(traits)
		if err != nil {
			g.t.Fatal(err)
		}
		after, fx := g.config.Machine.Step(id, g.ring, state, e)
		text, err := runlog.PlainJSON(after)
		if err != nil {
			g.t.Fatal(err)
		}
		before, _ := runlog.PlainJSON(state)
		if !bytes.Equal(text, r.State) || r.Before != runlog.HashState(before) || r.After != runlog.HashState(text) || !following(traits, r, after) {
			g.t.Fatalf("process %v, step %d, %s: the log says %s, the machine %s", id, r.Step, r.Input.String(), r.State, text)
		}
		if got, want := sendsOf(traits, fx), logged(r); got != want {
			g.t.Fatalf("process %v, step %d, %s: the log says %s, the machine %s", id, r.Step, r.Input.String(), want, got)
		}
		state = after
	}
	return steps
}

// following reports whether a record says whom its process follows, where somebody is elected, and
// nothing of that elsewhere.
func following(t spec.Traits, r runlog.Record, after any) bool {
	if !t.Elects || r.Leader == nil {
		return !t.Elects && r.Leader == nil
	}
	return *r.Leader == t.Leader(after)
}

// sendsOf says what a step does besides changing the state.
func sendsOf(t spec.Traits, fx spec.Effects) string {
	text := ""
	for _, s := range fx.Sends {
		m, _ := runlog.PlainJSON(s.Message)
		if s.To == spec.NextLive {
			text += fmt.Sprintf("%s to the next, ", m)
		} else {
			text += fmt.Sprintf("%s to %v, ", m, s.To)
		}
	}
	for _, v := range fx.Outputs {
		m, _ := runlog.PlainJSON(v)
		text += fmt.Sprintf("tells %s, ", m)
	}
	var armed, stopped []string
	for i, rule := range t.Rules {
		if fx.Armed>>i&1 != 0 {
			armed = append(armed, rule.Name)
		}
		if fx.Stopped>>i&1 != 0 {
			stopped = append(stopped, rule.Name)
		}
	}
	return text + fmt.Sprintf("arms %q, stops %q", armed, stopped)
}

func logged(r runlog.Record) string {
	text := ""
	for _, s := range r.Sends {
		if s.Next {
			text += fmt.Sprintf("%s to the next, ", s.Message)
		} else {
			text += fmt.Sprintf("%s to %v, ", s.Message, s.To)
		}
	}
	for _, v := range r.Outputs {
		text += fmt.Sprintf("tells %s, ", v)
	}
	return text + fmt.Sprintf("arms %q, stops %q", r.Armed, r.Stopped)
}

func (g *group) recheckReceived(id spec.ID, sent map[runlog.Name]runlog.Sent) {
	g.t.Helper()
	last := map[spec.ID]runlog.Name{}
	seen := map[runlog.Name]bool{}
	for _, r := range g.records(id) {
		if r.Line != runlog.LineStep {
			continue
		}
		letters := r.Input.Inbox
		if r.Input.Received != nil {
			letters = append(letters, *r.Input.Received)
		}
		for _, l := range letters {
			s, ok := sent[l.Name]
			if !ok || s.To != id || !bytes.Equal(s.Message, l.Message) || s.Kind != l.Kind {
				g.t.Fatalf("process %v receives %s, %+v, and it was not sent: %+v", id, l.Message, l.Name, s)
			}
			if seen[l.Name] {
				g.t.Fatalf("process %v receives %+v twice", id, l.Name)
			}
			seen[l.Name] = true
			before := last[l.From]
			if late := l.Incarnation < before.Incarnation || l.Incarnation == before.Incarnation && l.Sequence < before.Sequence; late && !g.config.Datagrams {
				g.t.Fatalf("process %v receives %+v after %+v", id, l.Name, before)
			}
			last[l.From] = l.Name
		}
	}
}

// breaches returns how many assumptions a process saw violated, by kind.
func (g *group) breaches(id spec.ID) map[runlog.BreachKind]int {
	out := map[runlog.BreachKind]int{}
	for _, r := range g.records(id) {
		if r.Line == runlog.LineBreach {
			out[r.Breach.Kind]++
		}
	}
	return out
}

// calm wants no assumption to be violated.
func (g *group) calm() {
	g.t.Helper()
	for _, id := range g.ring {
		if b := g.breaches(id); len(b) > 0 {
			g.t.Errorf("process %v sees assumptions violated: %v", id, b)
		}
	}
}
