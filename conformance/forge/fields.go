package forge

import (
	"encoding/json"
	"slices"

	"interleave/impl/runlog"
	"interleave/spec"
)

// alterations alter one field of a line each, which is no longer true then, and seal the log.
func alterations() (all []Log) {
	for _, f := range fields {
		all = append(all, Log{Name: "alter a field, sealed", Field: f.name, Sealed: true, cut: func(s site) ([]*runlog.Record, string) {
			if !f.alter(s.lines[s.i]) {
				return nil, ""
			}
			if may := mayBe[f.name]; may != nil {
				return s.lines, may(s)
			}
			return s.lines, ""
		}})
	}
	return all
}

// mayBe says why an altered field may be true, of those that may be.
var mayBe = map[string]func(site) string{
	"sends: to": func(s site) string {
		if r := s.lines[s.i]; r.Sends[0].Next && r.Input.Live == nil {
			return "who the next live process is the log alone says"
		}
		return ""
	},
	"incarnation": func(s site) string {
		if s.lines[s.i].Line == runlog.LineBegin && s.i == len(s.lines)-1 {
			return "the clock may count incarnations"
		}
		return ""
	},
}

// field is a field of a line. Alter is false if the line has none.
type field struct {
	name  string
	alter func(r *runlog.Record) bool
}

func text(s *string, to string) bool {
	if *s == "" || *s == to {
		return false
	}
	*s = to
	return true
}

func number[T int64 | uint64 | uint32 | spec.ID](n *T) bool { *n++; return true }

func first[T any](list []T, alter func(*T) bool) bool { return len(list) > 0 && alter(&list[0]) }

func letter(alter func(*runlog.Letter) bool) func(*runlog.Record) bool {
	return func(r *runlog.Record) bool {
		switch {
		case r.Input == nil:
			return false
		case r.Input.Received != nil:
			return alter(r.Input.Received)
		}
		return first(r.Input.Inbox, alter)
	}
}

func send(alter func(*runlog.Sent) bool) func(*runlog.Record) bool {
	return func(r *runlog.Record) bool { return first(r.Sends, alter) }
}

func lost(alter func(*runlog.Name) bool) func(*runlog.Record) bool {
	return func(r *runlog.Record) bool { return first(r.Lost, alter) }
}

func begins(alter func(*runlog.Begin) bool) func(*runlog.Record) bool {
	return func(r *runlog.Record) bool { return r.Begin != nil && alter(r.Begin) }
}

func input(alter func(*runlog.Input) bool) func(*runlog.Record) bool {
	return func(r *runlog.Record) bool { return r.Input != nil && r.Line == runlog.LineStep && alter(r.Input) }
}

func step(alter func(*runlog.Record) bool) func(*runlog.Record) bool {
	return func(r *runlog.Record) bool { return r.Line == runlog.LineStep && alter(r) }
}

// fields are all of a record but those that are the word of the
// process alone: times and delays, why messages were given up, what a breach says.
var fields = []field{
	{"line", func(r *runlog.Record) bool { return text(&r.Line, "stop") }},
	{"line: refused", step(func(r *runlog.Record) bool { r.Line = runlog.LineRefused; return true })},
	{"process", func(r *runlog.Record) bool { return number(&r.Process) }},
	{"incarnation", func(r *runlog.Record) bool { return number(&r.Incarnation) }},
	{"number", func(r *runlog.Record) bool { return number(&r.Number) }},
	{"step", func(r *runlog.Record) bool { return number(&r.Step) }},
	{"leader", func(r *runlog.Record) bool { return r.Leader != nil && number(r.Leader) }},
	{"no leader", func(r *runlog.Record) bool { gone := r.Leader != nil; r.Leader = nil; return gone }},
	{"state", func(r *runlog.Record) bool { return digit(&r.State) }},
	{"no state", step(func(r *runlog.Record) bool { r.State = nil; return true })},
	{"before", func(r *runlog.Record) bool { return text(&r.Before, "0123456789abcdef") }},
	{"after", func(r *runlog.Record) bool { return text(&r.After, "0123456789abcdef") }},
	{"armed", step(func(r *runlog.Record) bool { r.Armed = append(r.Armed, "T_ok"); return true })},
	{"not armed", func(r *runlog.Record) bool { gone := len(r.Armed) > 0; r.Armed = nil; return gone }},
	{"stopped", step(func(r *runlog.Record) bool { r.Stopped = append(r.Stopped, "T_ok"); return true })},
	{"not stopped", func(r *runlog.Record) bool { gone := len(r.Stopped) > 0; r.Stopped = nil; return gone }},
	{"told", step(func(r *runlog.Record) bool { r.Outputs = append(r.Outputs, json.RawMessage("1")); return true })},
	{"not told", func(r *runlog.Record) bool { gone := len(r.Outputs) > 0; r.Outputs = nil; return gone }},
	{"sends: one less", func(r *runlog.Record) bool {
		if len(r.Sends) == 0 {
			return false
		}
		r.Sends = r.Sends[1:]
		return true
	}},
	{"sends: one more", func(r *runlog.Record) bool {
		if len(r.Sends) == 0 {
			return false
		}
		r.Sends = append(slices.Clone(r.Sends), r.Sends[0])
		return true
	}},
	{"sends: to", send(func(s *runlog.Sent) bool { s.To = 1 + s.To%2; return true })},
	{"sends: next", send(func(s *runlog.Sent) bool { s.Next = !s.Next; return true })},
	{"sends: sequence", send(func(s *runlog.Sent) bool { return number(&s.Sequence) })},
	{"sends: kind", send(func(s *runlog.Sent) bool { return text(&s.Kind, "NONE") })},
	{"sends: message", send(func(s *runlog.Sent) bool { return digit(&s.Message) })},
	{"input", step(func(r *runlog.Record) bool { r.Input = nil; return true })},
	{"input: event", input(func(in *runlog.Input) bool { return text(&in.Event, "sleep") })},
	{"input: another event", input(func(in *runlog.Input) bool { return text(&in.Event, "init") })},
	{"input: memory", input(func(in *runlog.Input) bool { return digit(&in.Memory) })},
	{"input: initiator", input(func(in *runlog.Input) bool { in.Initiator = !in.Initiator; return true })},
	{"input: a value", input(func(in *runlog.Input) bool { none := in.Value == nil; in.Value = json.RawMessage("1"); return none })},
	{"input: no value", input(func(in *runlog.Input) bool { gone := in.Value != nil; in.Value = nil; return gone })},
	{"input: one choice more", input(func(in *runlog.Input) bool { in.Choices = append(slices.Clone(in.Choices), 0); return true })},
	{"input: no choices", input(func(in *runlog.Input) bool { gone := in.Choices != nil; in.Choices = nil; return gone })},
	{"input: timer", input(func(in *runlog.Input) bool { return text(&in.Timer, "T_none") })},
	{"input: peer", input(func(in *runlog.Input) bool { return in.Peer != 0 && number(&in.Peer) })},
	{"input: a peer", input(func(in *runlog.Input) bool { in.Peer++; return in.Peer == 1 })},
	{"input: live", input(func(in *runlog.Input) bool {
		if in.Live == nil {
			in.Live = new(spec.Set)
		}
		*in.Live = 0
		return true
	})},
	{"input: round", input(func(in *runlog.Input) bool { in.Round = -in.Round - 1; return true })},
	{"input: a round that is over", input(func(in *runlog.Input) bool { in.Round = -in.Round; return in.Round < 0 })},
	{"input: no message", input(func(in *runlog.Input) bool { gone := in.Received != nil; in.Received = nil; return gone })},
	{"input: message twice", input(func(in *runlog.Input) bool {
		if len(in.Inbox) == 0 {
			return false
		}
		in.Inbox = append(in.Inbox, in.Inbox[0])
		return true
	})},
	{"input: from", letter(func(l *runlog.Letter) bool { return number(&l.From) })},
	{"input: from nobody", letter(func(l *runlog.Letter) bool { l.From = -1; return true })},
	{"input: its incarnation", letter(func(l *runlog.Letter) bool { return number(&l.Incarnation) })},
	{"input: its sequence", letter(func(l *runlog.Letter) bool { l.Sequence += 1000; return true })},
	{"input: its kind", letter(func(l *runlog.Letter) bool { return text(&l.Kind, "NONE") })},
	{"input: its message", letter(func(l *runlog.Letter) bool { return digit(&l.Message) })},
	{"begin", func(r *runlog.Record) bool { gone := r.Begin != nil; r.Begin = nil; return gone }},
	{"begin: version", begins(func(b *runlog.Begin) bool { b.Version++; return true })},
	{"begin: algorithm", begins(func(b *runlog.Begin) bool { return text(&b.Algorithm, "ble/quiet") })},
	{"begin: shape", begins(func(b *runlog.Begin) bool { return number(&b.Shape) })},
	{"begin: run", begins(func(b *runlog.Begin) bool { return number(&b.Run) })},
	{"begin: ring", begins(func(b *runlog.Begin) bool { b.Ring = append(b.Ring, 9); return true })},
	{"begin: order of the ring", begins(func(b *runlog.Begin) bool { slices.Reverse(b.Ring); return true })},
	{"begin: delta", begins(func(b *runlog.Begin) bool { return text(&b.Delta, "soon") })},
	{"begin: durations", begins(func(b *runlog.Begin) bool { b.Durations["heartbeat"] = "-1s"; return true })},
	{"begin: datagrams", begins(func(b *runlog.Begin) bool { b.Datagrams = !b.Datagrams; return true })},
	{"lost: none", func(r *runlog.Record) bool { gone := r.Lost != nil; r.Lost = nil; return gone }},
	{"lost: of another", lost(func(n *runlog.Name) bool { return number(&n.From) })},
	{"lost: never sent", lost(func(n *runlog.Name) bool { n.Sequence += 1000; return true })},
}
