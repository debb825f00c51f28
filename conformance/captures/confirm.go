package captures

import (
	"bytes"
	"errors"
	"fmt"

	"interleave/conformance"
	"interleave/conformance/logs"
	"interleave/impl/capture"
	"interleave/spec"
)

// ContradictionError says that the checks contradict each other: one explains a capture by a run that
// the others refute. It has a bug, or a handler is not a function of what it is given.
type ContradictionError struct{ Reason string }

func (e *ContradictionError) Error() string {
	return fmt.Sprintf("interleave contradicts itself: the packets are explained by a run that is none: %s. A handler that goes by more than it is given (chance, time, variables of its own) can do that; if there is none, please report this", e.Reason)
}

// confirmed judges a capture, as open does. What explains it is judged as well.
func confirmed(packets []capture.Packet, o Options) (*check, error) {
	c, err := open(packets, o)
	if err != nil {
		return nil, err
	}
	err = confirm(c)
	var wrong *ContradictionError
	if !errors.As(err, &wrong) || o.Duplicates || !c.whole.shared() {
		return c, err
	}
	// No incarnation knows what another handled, so two of them may handle one message. Look for a run in which
	// only the last may.
	c.options.once = true
	once, err := judge(c.context, c.packets, c.options, efforts, nil)
	if err != nil || once.report.Verdict != conformance.Conforms {
		c.unknown("nothing was found that explains it but a run which is none: %s", wrong.Reason)
		return c, err
	}
	return once, confirm(once)
}

// shared reports whether a message went to two incarnations of its receiver.
func (t *traffic) shared() bool {
	for d, fl := range t.flows {
		for number := range fl.came {
			if t.goesOn(d, number) {
				return true
			}
		}
	}
	return false
}

// goesOn reports whether a message in a direction went to a later incarnation of its receiver, too.
func (t *traffic) goesOn(d direction, number uint64) bool {
	for later := range t.senders {
		if later.id != d.to.id || later.number <= d.to.number {
			continue
		}
		if fl := t.flows[direction{d.from, later}]; fl != nil && fl.came[number] > 0 {
			return true
		}
	}
	return false
}

// confirm writes the explanation of a capture that conforms as logs, and judges these by themselves and
// beside the capture, which shares no code with the search for them. Where packets may be missing, or one
// process is judged, there are no such logs.
func confirm(c *check) error {
	if c.report.Verdict != conformance.Conforms || c.options.Gaps || c.options.Only != spec.None {
		return nil
	}
	texts, err := explanation(c)
	if err != nil {
		return err
	}
	budget := logs.AnyFaults
	if c.options.Duplicates {
		budget.Duplicates = logs.Any
	}
	find := func(string) (spec.Machine, error) { return c.machine, nil }
	found, err := logs.Check(logsOf(texts), logs.Options{Find: find, Unordered: c.unordered, Budget: budget, Done: c.options.Done})
	switch {
	case err != nil:
		return &ContradictionError{err.Error()}
	case found.Verdict == conformance.Refuted && !forgets(c):
		return &ContradictionError{found.Refutation.Error()}
	case found.Verdict == conformance.Unknown:
		c.unknown("the explanation was not judged: %s", found.Reason)
		return nil
	}
	both, err := compareWith(c.whole, logsOf(texts))
	switch {
	case err != nil || both.Verdict != conformance.Refuted:
	case !both.certain && c.traits.Handles.Has(spec.Round): // the search knows no places on links in lock step
		c.unknown("packets are missing: what explains the others needs one: %s", both.Discrepancies[0])
	default:
		err = &ContradictionError{"beside the capture, " + both.Discrepancies[0]}
	}
	return err
}

// forgets reports whether a process that counts its incarnations by the clock came up again, without knowing that it
// was up before. To the logs that is a lost storage.
func forgets(c *check) bool {
	for name := range c.incarnations {
		if name.number >= clockCounts && c.before(name).number > 0 && c.traits.Handles.Has(spec.Recover) {
			return true
		}
	}
	return false
}

// logsOf names the logs of an explanation, which has one of each process. That of a process which did nothing is empty.
func logsOf(texts [][]byte) (all []logs.Log) {
	for i, text := range texts {
		all = append(all, logs.Log{Name: fmt.Sprintf("process-%d", i+1), Reader: bytes.NewReader(text)})
	}
	return all
}
