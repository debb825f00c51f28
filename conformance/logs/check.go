package logs

import (
	"errors"
	"fmt"
	"slices"

	"interleave/conformance"
	"interleave/impl/runlog"
	"interleave/impl/wire"
	"interleave/spec"
)

// check is a check of the logs of a run, up to some lines of them.
type check struct {
	world
	readers   *readers
	options   Options
	run       runlog.Begin // the settings that all processes share
	ordered   bool         // links must keep order
	processes []*process   // the processes that have a log
	byID      []*process   // nil: it has none
	links     links
	kinds     counts
	wanted    wanted
	texts     map[any]rendering // the texts of states and messages, by value
	report    *Report
}

// turn is how many lines of a process are checked before the others get their turn.
const turn = 64

// Check says whether the logs of all processes of a run are a behaviour of
// their algorithm. Input that cannot be judged is an *conformance.UnusableError.
func Check(logs []Log, o Options) (*Report, error) {
	c := &check{readers: newReaders(), options: o, texts: map[any]rendering{}, report: &Report{Breaches: map[runlog.BreachKind]int{}}}
	defer c.readers.close()
	if err := c.open(logs); err != nil {
		return nil, err
	}
	err := c.explain()
	c.kinds.report(c.report)
	var refutation *Refutation
	switch {
	case errors.As(err, &refutation):
		c.report.Verdict, c.report.Refutation = conformance.Refuted, refutation
		return c.report, nil
	case errors.Is(err, conformance.ErrStopped):
		c.report.Reason = err.Error()
		return c.report, nil
	case err != nil:
		return nil, err
	case c.report.Steps == 0:
		return nil, &conformance.UnusableError{Reason: "there is no step in these logs, so there is nothing to judge"}
	}
	c.report.Verdict = conformance.Conforms
	return c.report, nil
}

// open reads the first line of every log, and finds out what the run is.
func (c *check) open(logs []Log) error {
	var read []*process
	var empty []string
	for _, l := range logs {
		p := &process{cursor: cursor{file: l.Name, lines: c.readers.read(l.Reader)}}
		switch err := p.read(); {
		case p.next != nil:
			read = append(read, p)
		case err == nil:
			empty = append(empty, l.Name)
		default:
			return p.unusable(err)
		}
	}
	if len(read) == 0 {
		return &conformance.UnusableError{Reason: fmt.Sprintf("there is no line in any of %d logs", len(logs))}
	}
	if err := c.readRun(read[0]); err != nil {
		return err
	}
	return c.assign(read, empty)
}

// readRun finds out from the first line of a log what the run is.
func (c *check) readRun(p *process) (err error) {
	b := p.next.Begin
	switch {
	case b == nil:
		return p.unusable(errors.New("it does not say what runs"))
	case b.Version != runlog.Version:
		return p.unusable(fmt.Errorf("it is a log of version %d, and this program reads version %d: record the run anew with it", b.Version, runlog.Version))
	case len(b.Ring) == 0 || len(b.Ring) > int(spec.MaxID):
		return p.unusable(fmt.Errorf("its ring has %d processes: there are 1 to %d", len(b.Ring), spec.MaxID))
	case !spec.IsRing(b.Ring, len(b.Ring)):
		return p.unusable(fmt.Errorf("its ring %v does not name each of the processes 1 to %d once", b.Ring, len(b.Ring)))
	}
	if c.machine, err = c.options.Find(b.Algorithm); err != nil {
		return &conformance.UnusableError{File: p.file, Line: p.line, Reason: err.Error(), Cause: err}
	}
	c.traits = c.machine.Traits()
	codec, err := wire.NewCodec(c.machine)
	if err != nil {
		return err
	}
	if b.Algorithm != c.traits.Name {
		c.report.Logged = b.Algorithm
	} else if codec.Shape() != b.Shape {
		return p.unusable(fmt.Errorf("the messages of its %s have the shape %d, and ours have %d: it is of another version", b.Algorithm, b.Shape, codec.Shape()))
	}
	c.run, c.ring, c.all = *b, b.Ring, spec.UpTo(len(b.Ring))
	network := c.traits.World["network"]
	c.ordered = !c.options.Unordered && !b.Datagrams && network != "bag" && network != "set"
	c.report.Algorithm, c.report.Processes = c.traits.Name, len(c.ring)
	c.kinds = newCounts(c.traits)
	if b.Datagrams && network != "bag" && network != "set" && !c.options.Unordered {
		c.note(p, fmt.Sprintf("the processes ran on bare datagrams, and %s was made for links that keep order: messages that overtake are counted, not refuted", c.traits.Name))
	}
	return nil
}

// assign gives each process its log. An empty log is of a process that never wrote a
// line.
func (c *check) assign(read []*process, empty []string) error {
	c.byID = make([]*process, len(c.ring)+1)
	for _, p := range read {
		id, b := p.next.Process, p.next.Begin
		switch {
		case id < 1 || int(id) > len(c.ring):
			return p.unusable(fmt.Errorf("it is of process %d, and the run has the processes 1 to %d", int(id), len(c.ring)))
		case c.byID[id] != nil:
			return p.unusable(fmt.Errorf("it is of process %v, and so is %s: give one log of each process", id, c.byID[id].file))
		case b == nil || !sameRun(*b, c.run):
			return p.unusable(fmt.Errorf("it is not of the same run as %s: version, algorithm, shape, run, ring and datagrams have to agree", read[0].file))
		}
		p.id, p.memory = id, c.traits.Zero
		c.byID[id] = p
	}
	for _, p := range c.byID[1:] {
		if p != nil {
			c.processes = append(c.processes, p)
		}
	}
	if n := len(c.ring) - len(read); n > len(empty) {
		return &conformance.UnusableError{Reason: fmt.Sprintf("the log of process %d is missing: the run has %d processes, and is judged by the logs of all", 1+slices.Index(c.byID[1:], nil), len(c.ring))}
	} else if n < len(empty) {
		return &conformance.UnusableError{File: empty[0], Reason: "it is empty, and there are logs of all processes: leave it out"}
	}
	c.links = newLinks(len(c.ring))
	for _, name := range empty {
		c.report.Notes = append(c.report.Notes, Note{Place{name, 0}, "it is empty: a process that did nothing"})
	}
	return nil
}

// sameRun reports whether two beginnings can be of processes of one run.
func sameRun(a, b runlog.Begin) bool {
	return a.Version == b.Version && a.Algorithm == b.Algorithm && a.Shape == b.Shape && a.Run == b.Run &&
		slices.Equal(a.Ring, b.Ring) && a.Datagrams == b.Datagrams
}

// explain checks all lines, each once the lines that it depends on are explained.
func (c *check) explain() error {
	for {
		moved := false
		select {
		case <-c.options.Done:
			return conformance.ErrInterrupted
		default:
		}
		for _, p := range c.processes {
			for range turn {
				ok, err := c.advance(p)
				if err != nil {
					return err
				}
				if !ok {
					break
				}
				moved = true
			}
		}
		if !moved {
			break
		}
	}
	if i := slices.IndexFunc(c.processes, func(p *process) bool { return p.next != nil }); i >= 0 {
		return c.stuck(c.processes[i])
	}
	return c.finish()
}

// advance checks the next line of a process; false if there is none, or it has to wait
// for those of others.
func (c *check) advance(p *process) (bool, error) {
	if p.next == nil && !p.done {
		if err := p.read(); err != nil {
			return false, p.spoilt(err)
		}
	}
	if p.next == nil || c.waits(p) != spec.None {
		return false, nil
	}
	if err := c.line(p, p.next); err != nil {
		return false, err
	}
	p.next = nil
	c.report.Lines++
	return true, nil
}

// waits returns a process whose lines have to be checked before the next of p.
func (c *check) waits(p *process) spec.ID {
	if p.next.Input == nil {
		return spec.None
	}
	for l := range p.next.Input.Letters() {
		if l.From < 1 || int(l.From) > len(c.ring) {
			continue // nobody can explain it
		}
		if q := c.byID[l.From]; q != nil && !q.done && l.Name.Compare(q.sent()) > 0 {
			return l.From
		}
	}
	return spec.None
}

// stuck refutes logs in which the processes wait for each other in a cycle.
func (c *check) stuck(p *process) error {
	for range c.processes { // go round the cycle, which there must be
		p = c.byID[c.waits(p)]
	}
	q := c.byID[c.waits(p)]
	return p.refute(p.next, fmt.Sprintf("process %v sent it after %v at the earliest, and that line waits in turn: in no order of the lines is each message sent before it is handled", q.id, q.place()))
}

// note adds a note about the line that is next, or the last one.
func (c *check) note(p *process, text string) {
	c.report.Notes = append(c.report.Notes, Note{p.place(), text})
}

// finish counts what is left when all lines are explained.
func (c *check) finish() error {
	for _, p := range c.processes {
		if err := c.endOf(p, p.place()); err != nil {
			return err
		}
	}
	m := &c.report.Messages
	for _, l := range c.links.all {
		m.Left += len(l.pending)
	}
	return nil
}
