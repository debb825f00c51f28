package logs

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"interleave/conformance"
	"interleave/impl/runlog"
	"interleave/spec"
)

// process is one process, up to the line of its log that was read last.
type process struct {
	id spec.ID
	cursor
	present

	// over all its incarnations
	memory  any  // the memory that it finds when it comes up again
	former  any  // likewise, if the last memory was not saved; nil: it was
	unknown bool // its memory is unknown: its first incarnations are not in the log
	again   bool // this is not its first incarnation
}

// cursor is how far the log of a process is read.
type cursor struct {
	file  string
	lines <-chan []entry
	ahead []entry        // those that have been read
	line  int            // the number of the line that was checked last
	next  *runlog.Record // the line that is checked next; nil: not read yet, or there is none
	done  bool           // there is none
	cut   bool           // the last line has no end
}

// present is the present incarnation of a process.
type present struct {
	incarnation uint32
	begin       *runlog.Begin // nil: no line of the log was checked yet
	ended       bool
	state       any // nil: not up yet
	text        []byte
	hash        string
	leader      spec.ID
	recovered   bool
	started     bool
	armed       uint8
	suspected   spec.Set // lock step: in the round that has begun
	round       int64    // number of the last round it took part in
	begun       int64    // lock step: the last round in which it was told who is down
	slept       int64    // lock step: in so many rounds since the last of its own it did not run, it says
	steps       uint64
	sequence    uint64 // sequence of the last message it sent
}

// sent returns the name of the last message it sent.
func (p *process) sent() runlog.Name {
	return runlog.Name{From: p.id, Incarnation: p.incarnation, Sequence: p.sequence}
}

// place returns the place of the line that was read last.
func (p *process) place() Place { return Place{p.file, p.line} }

func (p *process) unusable(err error) error {
	reason, line := err.Error(), p.line
	var wrong *runlog.LineError
	if errors.As(err, &wrong) {
		reason = "it is not a log: " + wrong.Err.Error()
	}
	return &conformance.UnusableError{File: p.file, Line: line, Reason: reason}
}

// spoilt refutes a line that cannot be read, or does not follow the one before.
func (p *process) spoilt(err error) error {
	var line *runlog.LineError
	if !errors.As(err, &line) {
		return fmt.Errorf("%s: %w", p.file, err)
	}
	return &Refutation{Place: Place{p.file, line.Line}, Process: p.id, Incarnation: p.incarnation, What: "the line itself", Reason: line.Err.Error()}
}

// beginsLike reports whether a cut line can be the beginning of one that this
// process would write next.
func (p *process) beginsLike(text []byte) bool {
	for _, line := range []string{runlog.LineBegin, runlog.LineStep, runlog.LineRefused, runlog.LineLost, runlog.LineBreach, runlog.LineEnd} {
		begins := fmt.Appendf(nil, `{"line":%q,"process":`, line)
		if p.begin != nil && line != runlog.LineBegin {
			begins = fmt.Appendf(begins, `%d,"incarnation":%d,"number":`, int(p.id), p.incarnation)
		}
		n := min(len(begins), len(text))
		if bytes.Equal(begins[:n], text[:n]) {
			return true
		}
	}
	return false
}

// refute records that nothing explains a line.
func (p *process) refute(r *runlog.Record, reason string, misses ...conformance.FieldDiff) error {
	f := &Refutation{Place: p.place(), Process: p.id, Incarnation: r.Incarnation, What: fmt.Sprintf("line %q", r.Line), Reason: reason, Misses: misses}
	if r.Input != nil {
		f.What, f.Step = r.Input.String(), r.Step
		if l := r.Input.Received; l != nil {
			f.What = fmt.Sprintf("%s %s %s from %v", r.Input.Event, l.Kind, l.Message, l.From)
		}
	}
	return f
}

// line checks a line.
func (c *check) line(p *process, r *runlog.Record) error {
	if p.ended && r.Line != runlog.LineBegin {
		return p.refute(r, "the process has ended, and there is no new beginning")
	}
	want := runlog.Record{Line: r.Line, Process: p.id, Incarnation: p.incarnation, Number: r.Number, Time: r.Time, Leader: c.following(r, p.leader), Chain: r.Chain}
	if r.Line != runlog.LineBegin && p.state != nil {
		p.former = nil // it went on, so it had saved its memory; a step says otherwise again
	}
	switch r.Line {
	case runlog.LineBegin:
		return c.begins(p, r, want)
	case runlog.LineStep:
		return c.step(p, r, want)
	case runlog.LineRefused:
		return c.refused(p, r, want)
	case runlog.LineLost:
		return c.lost(p, r, want)
	case runlog.LineBreach:
		return c.breach(p, r, want)
	case runlog.LineEnd:
		p.ended = true
		return p.compare(r, want, "it is not the line that ends an incarnation")
	}
	return p.refute(r, "there are no such lines")
}

// following returns what a line has to say of whom its process follows. Where nobody is elected it may
// say so, or nothing.
func (c *check) following(r *runlog.Record, leader spec.ID) *spec.ID {
	if !c.traits.Elects && r.Leader == nil {
		return nil
	}
	return &leader
}

// compare requires a line to equal the one expected.
func (p *process) compare(r *runlog.Record, want runlog.Record, reason string) error {
	if same(r, &want) {
		return nil
	}
	if misses := conformance.DiffRecords(want, *r); len(misses) > 0 {
		return p.refute(r, reason, misses...)
	}
	return nil
}

// begins checks the first line of an incarnation.
func (c *check) begins(p *process, r *runlog.Record, want runlog.Record) error {
	c.report.Incarnations++
	if p.begin != nil {
		if err := c.comesBack(p, r); err != nil {
			return err
		}
	}
	p.unknown = p.unknown && p.steps == 0 || p.begin == nil && r.Incarnation > 1
	p.again = p.begin != nil || r.Incarnation > 1
	if p.begin == nil && r.Incarnation > 1 {
		c.note(p, fmt.Sprintf("the log of process %v begins with incarnation %d: what came before is not known", p.id, r.Incarnation))
	} else if p.begin != nil && r.Incarnation > p.incarnation+1 {
		c.note(p, fmt.Sprintf("incarnation %d of process %v follows incarnation %d: those between left no line, or the clock counts them", r.Incarnation, p.id, p.incarnation))
	}
	begin := c.run
	if b := r.Begin; b != nil {
		begin.Delta, begin.Durations, begin.Initiator = b.Delta, b.Durations, b.Initiator
	}
	p.present = present{incarnation: r.Incarnation, begin: r.Begin}
	want.Begin, want.Incarnation, want.Leader = &begin, r.Incarnation, c.following(r, spec.None)
	if err := p.compare(r, want, "an incarnation of the same run begins otherwise"); err != nil {
		return err
	}
	return c.times(p, r)
}

// times requires the durations to be valid.
func (c *check) times(p *process, r *runlog.Record) error {
	if d, err := time.ParseDuration(r.Begin.Delta); err != nil || d <= 0 {
		return p.refute(r, fmt.Sprintf("its delta %q is not a time above 0", r.Begin.Delta))
	}
	for name, text := range r.Begin.Durations {
		if d, err := time.ParseDuration(text); err != nil || d <= 0 {
			return p.refute(r, fmt.Sprintf("its timer %s lasts %q, which is not a time above 0", name, text))
		}
	}
	for _, rule := range c.traits.Rules {
		if _, ok := r.Begin.Durations[rule.Name]; !ok {
			return p.refute(r, fmt.Sprintf("it does not say how long its timer %s lasts", rule.Name))
		}
	}
	return nil
}

// comesBack counts a crash, and the recovery from it. What survives of a first incarnation
// that took no step is what Init makes. In lock step only a process that goes down
// before the first round comes back.
func (c *check) comesBack(p *process, r *runlog.Record) error {
	if last := max(p.round, p.begun); last > 0 {
		return p.refute(r, fmt.Sprintf("the process has taken part in round %d, and in lock step nobody comes back", last))
	}
	if p.state == nil && !p.again && c.traits.Stable != nil {
		p.memory = conformance.Born(c.machine, p.id, c.ring)
	}
	c.report.Crashes++
	c.report.Recoveries++
	b := c.options.Budget
	switch {
	case b.Crashes != Any && c.report.Crashes > b.Crashes:
		return p.refute(r, fmt.Sprintf("it is crash number %d of the run, and the declared budget is %d", c.report.Crashes, b.Crashes))
	case b.Recoveries != Any && c.report.Recoveries > b.Recoveries:
		return p.refute(r, fmt.Sprintf("it is recovery number %d of the run, and the declared budget is %d", c.report.Recoveries, b.Recoveries))
	}
	return nil
}

// endOf checks the end of a log: without a line that says so, it is a crash.
func (c *check) endOf(p *process, at Place) error {
	if p.cut {
		c.note(p, "the last line has no end: it was cut short, as by kill -9")
	}
	if p.ended {
		return nil
	}
	c.report.Crashes++
	if !p.cut {
		c.note(p, fmt.Sprintf("incarnation %d of process %v has no line that ends it: it was killed, or lines are missing", p.incarnation, p.id))
	}
	if b := c.options.Budget.Crashes; b != Any && c.report.Crashes > b {
		return &Refutation{Place: at, Process: p.id, Incarnation: p.incarnation, What: "the end of the log",
			Reason: fmt.Sprintf("it is crash number %d of the run, and the declared budget is %d", c.report.Crashes, b)}
	}
	return nil
}

// lost checks the messages that a process says it gave up sending.
func (c *check) lost(p *process, r *runlog.Record, want runlog.Record) error {
	for _, name := range r.Lost {
		if name.From != p.id || name.Incarnation != p.incarnation || name.Sequence < 1 || name.Sequence > p.sequence {
			return p.refute(r, fmt.Sprintf("it gives up message %d of incarnation %d of process %v, which it has not sent", name.Sequence, name.Incarnation, name.From))
		}
	}
	if len(r.Lost) == 0 {
		return p.refute(r, "it gives up nothing")
	}
	c.report.Messages.GivenUp += len(r.Lost)
	want.Lost, want.Reason = r.Lost, r.Reason
	return p.compare(r, want, "messages are given up otherwise")
}

// breach counts an assumption that a process saw violated.
func (c *check) breach(p *process, r *runlog.Record, want runlog.Record) error {
	switch b := r.Breach; {
	case b == nil || !slices.Contains(runlog.BreachKinds, b.Kind):
		return p.refute(r, "there is no such breach")
	case b.Delta != p.begin.Delta:
		return p.refute(r, "its delta is not that of the process", conformance.FieldDiff{Field: "breach.delta", Expected: p.begin.Delta, Found: b.Delta})
	}
	if b := r.Breach; b.Kind == runlog.BreachRound && b.Message == nil {
		if b.Rounds < 1 {
			return p.refute(r, "it does not say how many rounds went by")
		}
		p.slept += b.Rounds
	}
	c.report.Breaches[r.Breach.Kind]++
	if c.report.FirstBreach == nil {
		at := p.place()
		c.report.FirstBreach = &at
	}
	want.Breach = r.Breach
	return p.compare(r, want, "a breach is written down otherwise")
}
