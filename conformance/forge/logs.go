package forge

import (
	"bytes"
	"encoding/json"
	"slices"

	"interleave/impl/runlog"
)

// Log is a way to forge the log of one process of a run.
type Log struct {
	Name   string
	Field  string // that it alters, if it alters one
	Sealed bool   // the chain is computed anew
	// Renumbered: so are the numbers of lines and steps.
	Renumbered bool

	cut func(at site) (lines []*runlog.Record, honest string)
}

// Place is where a log is forged, counted from 0.
type Place struct {
	Log, Line int
	Other     int // the line of the next process that is looked at
}

// site is a place and what is there.
type site struct {
	lines  []*runlog.Record // the forger's own
	i      int
	others []*runlog.Record // of another process: to be read only
	j      int
}

// Forge returns the log of a process, forged; false if there is nothing to forge at
// a place. Honest says why it may be true all the same, "" if it cannot be.
func (l Log) Forge(r *Run, at Place) (log []byte, honest string, ok bool) {
	next := r.records[(at.Log+1)%len(r.records)]
	own, err := r.own(at.Log, at.Line)
	if err != nil || len(next) == 0 {
		return nil, "", false
	}
	lines, honest := l.cut(site{own, at.Line, next, at.Other % len(next)})
	if lines == nil {
		return nil, "", false
	}
	if l.Sealed {
		log, err = Seal(lines, l.Renumbered)
	} else {
		log, err = write(lines)
	}
	return log, honest, err == nil
}

// Logs are all ways to forge a log. Those who alter a field alter each.
var Logs = slices.Concat([]Log{
	{Name: "delete a line", cut: func(s site) ([]*runlog.Record, string) {
		honest := ""
		if s.i == len(s.lines)-1 || s.lines[s.i+1].Line == runlog.LineBegin {
			honest = "a crash may have come before it"
		}
		return slices.Delete(s.lines, s.i, s.i+1), honest
	}},
	{Name: "copy a line", cut: func(s site) ([]*runlog.Record, string) {
		return slices.Insert(s.lines, s.i, s.lines[s.i]), ""
	}},
	{Name: "swap two lines", cut: func(s site) ([]*runlog.Record, string) {
		if s.i == len(s.lines)-1 {
			return nil, ""
		}
		s.lines[s.i], s.lines[s.i+1] = s.lines[s.i+1], s.lines[s.i]
		return s.lines, ""
	}},
	{Name: "move a line to another process", cut: func(s site) ([]*runlog.Record, string) {
		return slices.Insert(s.lines, s.i, s.others[s.j]), ""
	}},
	sealed("delete a line", func(s site) ([]*runlog.Record, string) {
		honest := ""
		switch r, next := s.lines[s.i], s.following(); {
		case r.Line == runlog.LineBegin && s.i < len(s.lines)-1: // the first steps come where another incarnation ends
		case r.Line == runlog.LineBegin || r.Line == runlog.LineEnd:
			honest = "a crash may have come before it"
		case r.Line != runlog.LineStep:
			honest = "what a process says of messages that wait, are given up or are late is its own word"
		case next == nil:
			honest = "a crash may have come before it"
		case r.Before == r.After:
			honest = "a step that leaves the state alone need not have been"
		}
		return slices.Delete(s.lines, s.i, s.i+1), honest
	}),
	sealed("copy a line", func(s site) ([]*runlog.Record, string) {
		honest := ""
		switch r := s.lines[s.i]; {
		case r.Line == runlog.LineBreach || r.Line == runlog.LineRefused || r.Line == runlog.LineLost:
			honest = "what a process says of messages that wait, are given up or are late it may say twice"
		case r.Line == runlog.LineStep && r.Before == r.After && len(r.Sends) == 0 && r.Input.Received == nil:
			honest = "what leaves the state alone may come twice"
		}
		return slices.Insert(s.lines, s.i, s.lines[s.i]), honest
	}),
	sealed("swap two lines", func(s site) ([]*runlog.Record, string) {
		if s.i == len(s.lines)-1 {
			return nil, ""
		}
		honest := ""
		switch a, b := s.lines[s.i], s.lines[s.i+1]; {
		case a.Line == runlog.LineBegin || b.Line == runlog.LineBegin: // a line in another incarnation
		case a.Line != runlog.LineStep && a.Line != runlog.LineEnd || b.Line != runlog.LineStep && b.Line != runlog.LineEnd:
			honest = "what a process says of messages that wait, are given up or are late may come sooner or later"
		case a.Before == a.After || b.Before == b.After || a.Before == b.After:
			honest = "two steps of which one leaves the state alone, or undoes the other, may come in any order"
		}
		s.lines[s.i], s.lines[s.i+1] = s.lines[s.i+1], s.lines[s.i]
		return s.lines, honest
	}),
	sealed("make up a step", func(s site) ([]*runlog.Record, string) {
		forged := *s.others[s.j]
		if s.i == 0 || forged.Line != runlog.LineStep {
			return nil, ""
		}
		honest := ""
		s.i-- // it comes behind the line before
		switch {
		case forged.Before == forged.After:
			honest = "what leaves the state alone may come once more"
		case s.following() == nil:
			honest = "the last step of a process may be like one of another"
		}
		forged.Process, forged.Incarnation = s.lines[s.i].Process, s.lines[s.i].Incarnation
		return slices.Insert(s.lines, s.i+1, &forged), honest
	}),
	sealed("make up a state and its hashes", func(s site) ([]*runlog.Record, string) {
		r := s.lines[s.i]
		if r.Line != runlog.LineStep || !digit(&r.State) {
			return nil, ""
		}
		r.After = runlog.HashState(r.State)
		if next := s.following(); next != nil {
			next.Before = r.After
		}
		return s.lines, ""
	}),
	sealed("leave out a former life", func(s site) ([]*runlog.Record, string) {
		if s.i == 0 || s.lines[s.i].Line != runlog.LineBegin {
			return nil, ""
		}
		heard := func(r *runlog.Record) bool {
			in := r.Input
			return r.Line == runlog.LineStep && in.Received != nil && in.Received.From == s.lines[0].Process && in.Received.Incarnation < s.lines[s.i].Incarnation
		}
		honest := ""
		if !slices.ContainsFunc(s.others, heard) {
			honest = "of a life that nobody heard of nobody knows whether it was"
		}
		return s.lines[s.i:], honest
	}),
}, alterations())

// sealed forges a log together with its chain and its numbers.
func sealed(name string, cut func(site) ([]*runlog.Record, string)) Log {
	return Log{Name: name + ", sealed", Sealed: true, Renumbered: true, cut: cut}
}

// following returns the next step of the same incarnation, nil if there is none.
func (s site) following() *runlog.Record {
	for _, r := range s.lines[s.i+1:] {
		switch r.Line {
		case runlog.LineBegin:
			return nil
		case runlog.LineStep:
			return r
		}
	}
	return nil
}

// digit raises the last digit in a JSON text by one.
func digit(raw *json.RawMessage) bool {
	i := bytes.LastIndexAny(*raw, "012345678")
	if i < 0 {
		return false
	}
	*raw = slices.Clone(*raw)
	(*raw)[i]++
	return true
}
