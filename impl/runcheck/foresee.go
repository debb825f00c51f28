package runcheck

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"interleave/impl/runlog"
	"interleave/spec"
)

// foresee reads the logs once, to know of each message whether it is handled, and of each process when it takes its
// last step before it dies. If nobody else knows, a process dies right after that: it does nothing more that could
// tell the difference. It fails if the logs are not those of one run, by one clock.
func (h *reading) foresee() error {
	ended := h.Told.Down()
	for _, from := range h.Logs {
		l, before := &log{lines: runlog.NewReader(from)}, (*runlog.Record)(nil)
		for {
			if err := l.advance(); err != nil {
				return err
			}
			if l.next != nil {
				if err := h.check(before, l.next); err != nil {
					return l.wrong(err)
				}
			}
			h.foreseeLine(before, l.next)
			if l.next == nil {
				break
			}
			copied := *l.next
			before = &copied
		}
		switch {
		case before == nil: // a process that did nothing
		case before.Line == runlog.LineEnd:
			ended = ended.With(before.Process)
		case !ended.Has(before.Process) && (h.end.IsZero() || before.Time.Before(h.end)):
			h.end, h.cut = before.Time, before.Process
		}
		if _, err := from.Seek(0, io.SeekStart); err != nil {
			return err
		}
		h.logs = append(h.logs, &log{lines: runlog.NewReader(from)})
	}
	if len(h.ring) > 0 && len(h.ring) != len(h.Logs) {
		return fmt.Errorf("the run has %d processes, and there are %d logs: give the log of each", len(h.ring), len(h.Logs))
	}
	h.endless, h.rest = spec.UpTo(len(h.Logs))&^ended, Rest(h.delta, h.durations)
	if h.Told != nil {
		told, err := h.Told.of(len(h.Logs))
		if err != nil {
			return err
		}
		h.began, h.healed, h.changes = h.Told.began, h.Told.healed, told
	}
	slices.SortStableFunc(h.changes, func(a, b change) int { return a.time.Compare(b.time) })
	return h.consistent()
}

// check returns why a line cannot come after the one before in the log of a process.
func (h *reading) check(before, now *runlog.Record) error {
	switch {
	case before != nil && now.Time.Before(before.Time):
		return fmt.Errorf("its time is %v before that of the line before: the clock was set back", before.Time.Sub(now.Time))
	case now.Time.Unix() < 0 || now.Time.After(time.Unix(0, math.MaxInt64)):
		return fmt.Errorf("its time %v is out of range: no clock says so", now.Time)
	case now.Process < 1 || now.Process > spec.MaxID:
		return fmt.Errorf("process %d is none of 1 to %d", int(now.Process), int(spec.MaxID))
	case before == nil && h.seen.Has(now.Process):
		return errors.New("there is another log of this process: give one of each")
	case before != nil && before.Process != now.Process:
		return fmt.Errorf("the lines before are of process %v: give one log of each", before.Process)
	case (now.Line == runlog.LineBegin) != (now.Begin != nil) || (now.Line == runlog.LineStep) != (now.Input != nil && now.Step > 0):
		return fmt.Errorf("it is no line %q of a log", now.Line)
	}
	h.seen = h.seen.With(now.Process)
	if b := now.Begin; b != nil {
		if h.ring == nil {
			h.ring = b.Ring
		}
		if !slices.Equal(h.ring, b.Ring) || !spec.IsRing(h.ring, len(h.ring)) || !slices.Contains(h.ring, now.Process) {
			return fmt.Errorf("its ring is %v, and that of the run is %v: give the logs of one run", b.Ring, h.ring)
		}
	}
	if now.Line == runlog.LineStep && !h.stepped.Has(now.Process) && !steps(now, spec.Init) {
		return errors.New("it is a step before the first, init")
	}
	return nil
}

// foreseeLine takes in a line, given the one before. Either may be nil: there is none.
func (h *reading) foreseeLine(before, now *runlog.Record) {
	if before != nil && before.Line != runlog.LineEnd && (now == nil || now.Line == runlog.LineBegin) {
		h.last[placeOf(before)] = true
	}
	if steps(before, spec.Init) && steps(now, spec.Recover) {
		h.joined[placeOf(before)] = true
	}
	switch {
	case now == nil:
	case now.Line == runlog.LineBegin:
		if h.began.IsZero() || now.Time.Before(h.began) {
			h.began = now.Time
		}
		d, _ := time.ParseDuration(now.Begin.Delta)
		h.lossy, h.delta = now.Begin.Datagrams, max(h.delta, d)
		for name, text := range now.Begin.Durations {
			d, _ := time.ParseDuration(text)
			h.durations[name] = max(h.durations[name], d)
		}
		if before != nil {
			h.changes = append(h.changes, change{time: before.Time.Add(1), process: now.Process, vague: true})
		}
		h.changes = append(h.changes, change{time: now.Time, process: now.Process, up: true})
	case now.Line == runlog.LineStep:
		h.stepped = h.stepped.With(now.Process)
		for letter := range now.Input.Letters() {
			if _, again := h.came[letter.Name]; !again {
				h.came[letter.Name] = now.Time
			}
		}
		for _, s := range now.Sends {
			h.sent[runlog.Name{From: now.Process, Incarnation: now.Incarnation, Sequence: s.Sequence}] = now.Time
		}
	}
}

// consistent returns why the logs are not a run: a prefix of one that has, with each step, all that led to it, and
// an order of time that respects that.
func (h *reading) consistent() error {
	for name, came := range h.came {
		switch sent, ok := h.sent[name]; {
		case !ok:
			return fmt.Errorf("a message from process %v is handled that no log says is sent: logs are missing, or are not whole", name.From)
		case came.Before(sent):
			return fmt.Errorf("a message from process %v arrives %v before it is sent: the logs were written by clocks that differ, and do not tell what came first",
				name.From, sent.Sub(came))
		}
	}
	return nil
}

// placeOf returns where a line is.
func placeOf(r *runlog.Record) place { return place{r.Process, r.Incarnation, r.Number} }

// steps reports whether a line tells a step of a kind.
func steps(r *runlog.Record, kind spec.EventKind) bool {
	return r != nil && r.Line == runlog.LineStep && r.Input.Event == kind.String()
}
