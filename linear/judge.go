package linear

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"runtime/debug"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"

	"interleave/spec"
)

// Outcome is what is known of a history. The zero value: nothing.
type Outcome string

const (
	Undecided       Outcome = ""
	Linearizable    Outcome = "LINEARIZABLE"
	NotLinearizable Outcome = "NOT LINEARIZABLE"
)

func (o Outcome) String() string { return cmp.Or(string(o), "UNDECIDED") }

// MarshalText writes it in words.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Verdict is the judgement on a history. It is about this one run.
type Verdict struct {
	Object   string  `json:"object"`
	Doc      string  `json:"doc,omitempty"`
	Outcome  Outcome `json:"outcome"`
	Reason   string  `json:"reason,omitempty"` // unless it is Linearizable
	Requests int     `json:"requests"`
	Answers  int     `json:"answers"` // that were seen

	// Unexplained is of a history that is NotLinearizable: answers that no order of all requests explains, whatever
	// the other answers are. If there was time to find out, none of them can be left out.
	Unexplained []*Operation `json:"-"`
}

// TimeLimit is how long people wait for Judge, who have a run or a trace to be judged besides.
const TimeLimit = 10 * time.Second

// Judge judges a history. It is undecided if that takes longer than the limit.
func (h *History) Judge(limit time.Duration) Verdict {
	answered := h.answered()
	v := Verdict{Object: h.Object.Name, Doc: h.Object.Doc, Requests: len(h.Operations), Answers: len(answered)}
	switch {
	case h.wrong != nil:
		v.Reason = h.wrong.Error()
		return v
	case h.unclear != nil && len(answered) == 0:
		v.Reason = h.unclear.Error()
		return v
	case len(answered) == 0:
		v.Reason = "no request was answered, so there is nothing to judge"
		return v
	}
	s := &search{object: h.Object, deadline: time.Now().Add(limit), seed: maphash.MakeSeed()}
	v.Outcome = s.judge(h.Operations)
	var unsure error
	if sure := certain(answered); v.Outcome == NotLinearizable && len(sure) < len(answered) {
		answered = sure
		if v.Outcome = s.judge(h.with(sure, math.MaxInt64)); v.Outcome == Linearizable {
			v.Outcome, unsure = Undecided, errors.New("some order of the requests explains the answers only if an answer that a process logged last, before it was killed, did not leave")
		}
	}
	switch {
	case v.Outcome == NotLinearizable:
		v.Unexplained = s.unexplained(h, answered)
		v.Reason = "no order of the requests explains these answers: " + h.told(v.Unexplained)
	case h.unclear != nil:
		v.Outcome, v.Reason = Undecided, h.unclear.Error()
	case s.failed() != nil:
		v.Reason = s.failed().Error()
	case unsure != nil:
		v.Reason = unsure.Error()
	case v.Outcome == Undecided:
		v.Reason = fmt.Sprintf("within %v neither an order was found that explains the answers, nor that there is none", limit)
	case h.Endless != 0:
		v.Outcome, v.Reason = Undecided, fmt.Sprintf("some order explains the answers in the logs, but that of process %v has no end: the process was killed, or still runs, or lines are missing", h.Endless.Min())
	}
	return v
}

// certain returns the answers that left.
func certain(answered []*Operation) (sure []*Operation) {
	for _, op := range answered {
		if !op.Unsure {
			sure = append(sure, op)
		}
	}
	return sure
}

// unexplained returns answers of a history that is not linearizable that no order explains; as few as it finds
// within a second.
func (s *search) unexplained(h *History, answered []*Operation) []*Operation {
	if soon := time.Now().Add(time.Second); soon.Before(s.deadline) {
		s.deadline = soon
	}
	// Whatever begins with a history that is not linearizable is none. So is one in which more is answered.
	last := sort.Search(len(answered)-1, func(i int) bool {
		return s.judge(h.with(answered[:i+1], answered[i].Ended)) == NotLinearizable
	})
	core, until := answered[:last+1], answered[last].Ended
	for size := min((len(core)+1)/2, 8); size > 0; size /= 2 { // requests without an answer make searches long
		for from := 0; from+size <= len(core); {
			without := slices.Delete(slices.Clone(core), from, from+size)
			if len(without) > 0 && s.judge(h.with(without, until)) == NotLinearizable {
				core = without
			} else {
				from += size
			}
		}
	}
	return core
}

// search looks for orders of operations that the object explains.
type search struct {
	object   spec.Object
	deadline time.Time
	seed     maphash.Seed

	mu    sync.Mutex
	bytes int   // that were searched, roughly
	fault error // why the search gave up
}

// maxBytes bounds what is remembered of a search.
const maxBytes = 1 << 30

// judge returns whether there is an order.
func (s *search) judge(ops []*Operation) Outcome {
	left := time.Until(s.deadline)
	if left <= 0 || s.failed() != nil {
		return Undecided
	}
	s.grow(-s.grow(0))
	result := porcupine.CheckOperationsTimeout(s.model(len(ops)), listed(ops), left)
	switch {
	case s.failed() != nil: // then there are no outcomes
		return Undecided
	case result == porcupine.Illegal:
		return NotLinearizable
	case result == porcupine.Ok:
		return Linearizable
	}
	return Undecided
}

// model is the object for the library. It is asked about a number of operations.
func (s *search) model(operations int) porcupine.Model {
	m := porcupine.NondeterministicModel{
		Init: func() []any { return []any{s.object.First} },
		Step: func(value, op, _ any) []any { return s.outcomes(value, op.(*Operation), operations/8+100) },
		Hash: func(value any) uint64 { return maphash.Comparable(s.seed, value) },
	}
	return m.ToModel()
}

// listed lists operations for the library. It takes intervals for closed: steps at the same time are in no order.
func listed(ops []*Operation) (list []porcupine.Operation) {
	for _, op := range ops {
		ended := int64(math.MaxInt64)
		if op.Answered {
			ended = op.Ended
		}
		list = append(list, porcupine.Operation{ClientId: int(op.Process), Input: op, Call: op.Began, Return: ended})
	}
	return list
}

// outcomes returns the values that may come of an operation. One without an answer may have any, or never take
// effect. Once the search has given up there are none, so that it ends.
func (s *search) outcomes(value any, op *Operation, bytes int) (values []any) {
	if s.failed() != nil {
		return nil
	}
	defer func() {
		if said := recover(); said != nil {
			s.fail(fmt.Errorf("the object %s panics at %v: %s", s.object.Name, op, spec.TellPanic(said, debug.Stack())))
			values = nil
		}
	}()
	if !op.Answered {
		values = append(values, value)
	}
	s.object.Do(value, op.Call, func(after, answer any) {
		if !op.Answered || answer == op.Answer {
			maphash.Comparable(s.seed, after) // a value that cannot be compared panics here
			values = append(values, after)
		}
	})
	if len(values) > 0 && s.grow(bytes) > maxBytes {
		s.fail(fmt.Errorf("the search for an order was given up, as it would need more than %d MiB", maxBytes>>20))
		return nil
	}
	return values
}

// grow takes in that more is remembered.
func (s *search) grow(bytes int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes += bytes
	return s.bytes
}

// fail gives the search up.
func (s *search) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = cmp.Or(s.fault, err)
}

// failed returns why the search gave up, or nil.
func (s *search) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}
