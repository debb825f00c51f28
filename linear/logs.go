package linear

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"interleave/impl/runlog"
	"interleave/spec"
)

// FromLogs returns the histories of a run of real processes, one for each object of the machine, by the logs of all
// processes. Those in down are known to have been killed, and not to have come back. It fails if the logs cannot be read or are not
// of all processes, if a process outputs something that the machine does not, and if clocks are seen to disagree.
func FromLogs(m spec.Machine, down spec.Set, logs ...io.Reader) ([]*History, error) {
	r := &reading{machine: m, traits: m.Traits(), sent: map[runlog.Name]time.Time{}, came: map[runlog.Name]time.Time{}}
	r.histories = Histories(r.traits)
	if len(r.histories) == 0 {
		return nil, nil
	}
	for _, log := range logs {
		if err := r.read(log); err != nil {
			return nil, err
		}
	}
	if len(logs) != len(r.ring) {
		return nil, fmt.Errorf("the run has %d processes, and there are %d logs: give the log of each", len(r.ring), len(logs))
	}
	if err := r.consistent(); err != nil {
		return nil, err
	}
	for _, h := range r.histories {
		h.endless = slices.Collect((spec.UpTo(len(r.ring)) &^ r.ended &^ down).All())
		h.Moment = func(at int64) string { return fmt.Sprintf("%.6f s", time.Unix(0, at).Sub(r.began).Seconds()) }
	}
	return r.histories, nil
}

// consistent returns why the logs are not a run: a prefix of one that has, with each step, all that led to it, and
// an order of time that respects that.
func (r *reading) consistent() error {
	for name, came := range r.came {
		switch sent, ok := r.sent[name]; {
		case !ok:
			return fmt.Errorf("a message from process %v is handled that no log says is sent: logs are missing, or are not whole", name.From)
		case came.Before(sent):
			return fmt.Errorf("a message from process %v arrives %v before it is sent: the logs were written by clocks that differ, and do not tell what came first",
				name.From, sent.Sub(came))
		}
	}
	return nil
}

// reading is the logs as far as they are read.
type reading struct {
	machine   spec.Machine
	traits    spec.Traits
	histories []*History
	ring      []spec.ID
	began     time.Time                 // of the first line of all
	sent      map[runlog.Name]time.Time // when messages were
	came      map[runlog.Name]time.Time // and when they were handled
	seen      spec.Set                  // of whom there is a log
	ended     spec.Set                  // whose log has an end

	// of the log that is read
	process spec.ID
	state   json.RawMessage // after the last step
	last    time.Time       // the time of the last line
	outputs []any           // of the last line: only another line of the incarnation shows that they left
}

// read reads a log. A last line that a kill cut short is none.
func (r *reading) read(log io.Reader) error {
	r.process, r.state, r.last, r.outputs = spec.None, nil, time.Time{}, nil
	for lines := runlog.NewReader(log); ; {
		record, err := lines.Next()
		var cut *runlog.LineError
		switch {
		case err == io.EOF || errors.As(err, &cut) && cut.Cut:
			r.killed()
			return nil
		case err != nil:
			return err
		}
		if err := r.take(record); err != nil {
			return fmt.Errorf("line %d of the log of process %v: %w", lines.Line(), record.Process, err)
		}
	}
}

// take takes in a line.
func (r *reading) take(line *runlog.Record) error {
	switch {
	case line.Time.Before(r.last):
		return fmt.Errorf("its time is %v before that of the line before: the clock was set back", r.last.Sub(line.Time))
	case line.Time.Unix() < 0 || line.Time.After(time.Unix(0, math.MaxInt64)):
		return fmt.Errorf("its time %v is out of range: no clock says so", line.Time)
	case line.Process < 1 || line.Process > spec.MaxID:
		return fmt.Errorf("process %d is none of 1 to %d", int(line.Process), int(spec.MaxID))
	case r.process == spec.None && r.seen.Has(line.Process):
		return errors.New("there is another log of this process: give one of each")
	case r.process != spec.None && r.process != line.Process:
		return fmt.Errorf("the lines before are of process %v: give one log of each", r.process)
	case (line.Line == runlog.LineBegin) != (line.Begin != nil) || (line.Line == runlog.LineStep) != (line.Input != nil && line.Step > 0):
		return fmt.Errorf("it is no line %q of a log", line.Line)
	}
	r.process, r.seen, r.ended = line.Process, r.seen.With(line.Process), r.ended.Without(line.Process)
	if r.began.IsZero() || line.Time.Before(r.began) {
		r.began = line.Time
	}
	if line.Line == runlog.LineBegin {
		r.killed()
		if r.ring == nil {
			r.ring = line.Begin.Ring
		}
		if !slices.Equal(r.ring, line.Begin.Ring) || !spec.IsRing(r.ring, len(r.ring)) || !slices.Contains(r.ring, line.Process) {
			return fmt.Errorf("its ring is %v, and that of the run is %v: give the logs of one run", line.Begin.Ring, r.ring)
		}
	}
	r.answer(false)
	r.last = line.Time
	switch line.Line {
	case runlog.LineEnd:
		r.ended = r.ended.With(line.Process)
	case runlog.LineStep:
		return r.step(line)
	}
	return nil
}

// answer takes in the outputs of the last line as answers.
func (r *reading) answer(unsure bool) {
	for _, h := range r.histories {
		for _, v := range r.outputs {
			if op := h.answer(r.last.UnixNano(), r.process, v); op != nil {
				op.Unsure = unsure
			}
		}
	}
	r.outputs = nil
}

// killed takes in that the last line is that of an incarnation.
func (r *reading) killed() {
	r.answer(true)
	for _, h := range r.histories {
		h.Crash(r.process)
	}
}

// step takes in a step.
func (r *reading) step(line *runlog.Record) error {
	for letter := range line.Input.Letters() {
		if _, again := r.came[letter.Name]; !again {
			r.came[letter.Name] = line.Time
		}
	}
	for _, s := range line.Sends {
		r.sent[runlog.Name{From: line.Process, Incarnation: line.Incarnation, Sequence: s.Sequence}] = line.Time
	}
	before := r.state
	if line.Input.Event == spec.Init.String() {
		before = line.Input.Memory
		zero, err := runlog.PlainJSON(r.traits.Zero)
		if err != nil {
			return err
		}
		if r.state == nil && !bytes.Equal(before, zero) {
			return fmt.Errorf("it begins with the memory %s: its earlier incarnations are not in the log", before)
		}
	}
	r.state = line.State
	_, asks := r.traits.ActionNamed(line.Input.Event)
	if !asks && len(line.Outputs) == 0 {
		return nil
	}
	e, err := line.Input.Replay(r.traits)
	if err != nil {
		return err
	}
	for _, h := range r.histories {
		h.ask(line.Time.UnixNano(), line.Process, e)
	}
	r.outputs, err = r.replay(line, before, e)
	return err
}

// replay returns what a step outputs, as values. A log has only their JSON, so the machine takes the step again.
func (r *reading) replay(line *runlog.Record, before json.RawMessage, e spec.Event) ([]any, error) {
	if len(line.Outputs) == 0 {
		return nil, nil
	}
	state, err := r.traits.ReadState(before)
	if err != nil {
		return nil, err
	}
	_, fx := r.machine.Step(line.Process, r.ring, state, e)
	var texts []json.RawMessage
	for _, v := range fx.Outputs {
		text, err := runlog.PlainJSON(v)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	if !slices.EqualFunc(texts, line.Outputs, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
		return nil, fmt.Errorf("it outputs %s, and the algorithm outputs %s", line.Outputs, texts)
	}
	return fx.Outputs, nil
}
