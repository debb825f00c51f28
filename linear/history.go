package linear

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"interleave/internal/cell"
	"interleave/spec"
)

// History is the requests of a run that an object has to answer.
type History struct {
	Object     spec.Object
	Operations []*Operation
	Moment     func(at int64) string // a time in words; nil: "step 7"
	Endless    spec.Set              // of whom nobody knows whether these are all steps

	actions []spec.ActionTraits
	open    []*Operation // that may still be answered, also after a crash
	closed  []*Operation // that are answered, by processes that did not go down since
	unclear error        // why nobody knows which of the open requests was answered
	wrong   error        // why nothing can be said of it
}

// Operation is a request and its answer.
type Operation struct {
	spec.Call
	Began, Ended int64 // the times of the steps that took it, and that answered it
	Answered     bool
	Answer       any
	Unsure       bool // whether the answer left: the process may have been killed before
}

// String returns it in words, as in "write 1 at process 2".
func (op *Operation) String() string {
	words := op.Action
	if op.Value != nil {
		words += fmt.Sprintf(" %+v", op.Value)
	}
	return fmt.Sprintf("%s at process %v", words, op.Process)
}

// Histories returns an empty history for each object of an algorithm.
func Histories(t spec.Traits) (all []*History) {
	for _, o := range t.Objects {
		all = append(all, &History{Object: o, actions: t.Actions})
	}
	return all
}

// Take takes in a step. The steps of each process come in their order.
func (h *History) Take(at int64, s spec.Step) { h.take(at, s, false) }

// TakeLast takes in a step after which the process may have been killed before its outputs left.
func (h *History) TakeLast(at int64, s spec.Step) { h.take(at, s, true) }

func (h *History) take(at int64, s spec.Step, unsure bool) {
	h.ask(at, s.Process, s.Event)
	for _, v := range s.Outputs {
		h.answer(at, s.Process, v, unsure)
	}
}

// Crash takes in that a process goes down. Of the requests that it took nobody waits for an answer any more. It may answer
// them nevertheless when it is back, as it or others remember them; and once more, if it may have forgotten that it did.
func (h *History) Crash(p spec.ID) {
	h.closed = slices.DeleteFunc(h.closed, func(op *Operation) bool {
		if op.Process == p && op.Unsure {
			h.open = append(h.open, op)
		}
		return op.Process == p
	})
	for _, op := range h.open {
		op.Crashed = op.Crashed || op.Process == p
	}
}

// Doubt takes in why nothing can be said of the history; nil: nothing.
func (h *History) Doubt(err error) { h.wrong = cmp.Or(h.wrong, err) }

// ask takes in a request, if the event is one.
func (h *History) ask(at int64, p spec.ID, e spec.Event) {
	if e.Kind != spec.Act || !slices.Contains(h.Object.Requests, h.actions[e.Action].Name) {
		return
	}
	op := &Operation{Call: spec.Call{Process: p, Action: h.actions[e.Action].Name, Value: e.Value}, Began: at}
	h.Operations, h.open = append(h.Operations, op), append(h.open, op)
}

// answer takes in an output.
func (h *History) answer(at int64, p spec.ID, output any, unsure bool) {
	defer func() {
		if said := recover(); said != nil {
			h.Doubt(fmt.Errorf("the Answers of %s panic at %+v, an output of process %v: %s", h.Object.Name, output, p, spec.TellPanic(said, debug.Stack())))
		}
	}()
	answers := func(op *Operation) bool {
		c := op.Call
		c.Value = cell.Value(c.Value)
		return h.Object.Answers(c, cell.Value(output))
	}
	var of []*Operation
	waits := false
	for _, op := range h.open {
		if op.Process == p && answers(op) {
			of, waits = append(of, op), waits || !op.Crashed
		}
	}
	switch {
	case !waits:
		h.stray(at, p, output, answers)
		return
	case len(of) > 1: // they stay open, so whatever this answered may have taken effect or not
		h.unclear = cmp.Or(h.unclear, fmt.Errorf("process %v outputs %+v at %s, and nobody knows whether that answers %s or %s: let Answers tell",
			p, output, h.moment(at), h.asked(of[0]), h.asked(of[1])))
		return
	}
	op := of[0]
	op.Answered, op.Answer, op.Ended, op.Unsure = true, output, at, unsure
	h.open = slices.DeleteFunc(h.open, func(other *Operation) bool { return other == op })
	h.closed = append(h.closed, op)
}

// stray takes in an output that answers no request for which somebody waits.
func (h *History) stray(at int64, p spec.ID, output any, answers func(*Operation) bool) {
	if i := slices.IndexFunc(h.closed, func(op *Operation) bool { return op.Process == p && answers(op) }); i >= 0 {
		h.Doubt(fmt.Errorf("process %v outputs %+v at %s, and has answered %s before: let Answers tell if this is no answer",
			p, output, h.moment(at), h.asked(h.closed[i])))
	}
}

// asked returns a request in words, and when it was made.
func (h *History) asked(op *Operation) string {
	words := fmt.Sprintf("%v of %s", op, h.moment(op.Began))
	if op.Crashed {
		words += ", before it crashed,"
	}
	return words
}

// answered returns the operations that have an answer, in the order of these.
func (h *History) answered() (list []*Operation) {
	for _, op := range h.Operations {
		if op.Answered {
			list = append(list, op)
		}
	}
	slices.SortStableFunc(list, func(a, b *Operation) int { return cmp.Compare(a.Ended, b.Ended) })
	return list
}

// with returns the operations that began until a time, of which only some are answered.
func (h *History) with(answered []*Operation, at int64) (ops []*Operation) {
	known := map[*Operation]bool{}
	for _, op := range answered {
		known[op] = true
	}
	for _, op := range h.Operations {
		if op.Began > at {
			continue
		}
		if op.Answered && !known[op] {
			op = &Operation{Call: op.Call, Began: op.Began}
		}
		ops = append(ops, op)
	}
	return ops
}

func (h *History) moment(at int64) string {
	if h.Moment == nil {
		return fmt.Sprintf("step %d", at)
	}
	return h.Moment(at)
}

// told tells answers, the last ones if there are many.
func (h *History) told(answers []*Operation) string {
	const most = 8
	var words []string
	if more := len(answers) - most; more > 0 {
		words, answers = append(words, fmt.Sprintf("(%d more)", more)), answers[more:]
	}
	for _, op := range answers {
		at := h.moment(op.Began)
		if op.Ended != op.Began {
			at += " to " + h.moment(op.Ended)
		}
		words = append(words, fmt.Sprintf("%v, %s, answered %+v", op, at, op.Answer))
	}
	return strings.Join(words, "; ")
}
