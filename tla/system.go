package tla

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"interleave/explore"
	"interleave/tla/eval"
	"interleave/tla/value"
)

// The marks behind those of the invariants.
const (
	markDeadlock = 61
	markFailed   = 62 // an evaluation failed, or an assertion
)

// system is a model as a graph. A state is a row of numbers of values, two in a word;
// an action is the number of its part and, above the lowest byte, the index of the step
// among those from its state.
type system struct {
	*Model
	width  int
	values *value.Pool
	failed error // in finding initial states
	cut    atomic.Bool
	late   []atomic.Bool // whether a step of each part from lateParts on was found
	// excluded has, by question, an initial state outside of the constraints with the
	// wrong answer.
	excluded map[uint8][]value.Value

	mu sync.Mutex
	// rows has, by the number of its view, the first state found, if there is a VIEW.
	rows   map[uint32][]value.Value
	images images
	// failures has the errors of failed evaluations, by the key of the state.
	failures map[string]error
	gaveUp   *eval.OutOfBudget // the failure that is none of the module, if there was one
}

// lateParts is the number of the first part whose steps the search does not count apart.
const lateParts = 255

func newSystem(m *Model) *system {
	s := &system{Model: m, width: (len(m.spec.Variables) + 1) / 2, values: m.spec.Values, failures: map[string]error{}, excluded: map[uint8][]value.Value{}}
	s.late = make([]atomic.Bool, max(0, len(m.machine.Parts)-lateParts))
	if m.view != nil {
		s.width, s.rows = 1, map[uint32][]value.Value{}
	}
	return s
}

// Width implements explore.System.
func (s *system) Width() int { return s.width }

// Learn has nothing to do: values are numbered when they first occur.
func (s *system) Learn([][]uint64) (explore.Repack, error) { return nil, nil }

// Bytes estimates the memory of the values, and of the remembered values of
// expressions.
func (s *system) Bytes() int64 { return s.values.Bytes() + s.spec.Remembered() }

// fired records of which parts a step was found.
func (s *system) fired(found explore.Stats) []bool {
	fired := make([]bool, len(s.machine.Parts))
	for i := range fired {
		if i < lateParts {
			fired[i] = found.Fired[i] > 0
		} else {
			fired[i] = s.late[i-lateParts].Load()
		}
	}
	return fired
}

// noneInitial is the reason why nothing is known without an initial state: anything is
// true of no states.
func (s *system) noneInitial() string {
	if s.cut.Load() {
		return "no initial state: " + strings.Join(s.Config.Constraints, ", ") + " cut off all"
	}
	return "no initial state: " + s.Config.Specification + s.Config.Init + " admits none"
}

// encode writes a state; with SYMMETRY, its representative. If before is not nil, it is
// the state in dst, and only values that differ are written.
func (s *system) encode(dst []uint64, vals, before []value.Value) error {
	if s.symmetry != nil {
		vals, _ = s.least(vals)
	}
	if s.view != nil {
		return s.encodeView(dst, vals)
	}
	for i, v := range vals {
		if before != nil && v == before[i] {
			continue
		}
		shift := 32 * (i % 2)
		dst[i/2] = dst[i/2]&^(math.MaxUint32<<shift) | uint64(s.values.Number(v))<<shift
	}
	return nil
}

// encodeView writes the number of a state's view and, if the view is new, keeps the
// state as its representative.
func (s *system) encodeView(dst []uint64, vals []value.Value) error {
	v, err := s.view.Value(vals)
	if err != nil {
		return err
	}
	n := s.values.Number(v)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rows[n] == nil {
		s.rows[n] = slices.Clone(vals)
	}
	dst[0] = uint64(n)
	return nil
}

func (s *system) decode(words []uint64) []value.Value {
	if s.view != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.rows[uint32(words[0])]
	}
	vals := make([]value.Value, len(s.spec.Variables))
	for i := range vals {
		vals[i] = s.values.Value(uint32(words[i/2] >> (32 * (i % 2))))
	}
	return vals
}

// Initial yields the initial states that the constraints allow, and checks the
// questions on the others.
func (s *system) Initial(yield func([]uint64) bool) {
	ev, x := s.machine.Evaluator(), s.Expander().(*expander)
	words := make([]uint64, s.width)
	var inner error
	err := ev.Initial(func(vals []value.Value) bool {
		ok, err := s.within(x.other, vals)
		if err != nil {
			inner = err
			return false
		}
		if !ok {
			s.cut.Store(true)
			inner = x.ask(false, vals, nil, func(bit uint8) {
				if s.excluded[bit] == nil {
					s.excluded[bit] = slices.Clone(vals)
				}
			})
			return inner == nil
		}
		inner = s.encode(words, vals, nil)
		return inner == nil && yield(words)
	})
	s.failed = errors.Join(inner, err)
}

// within reports whether the constraints allow a state.
func (s *system) within(ev *eval.Evaluator, vals []value.Value) (bool, error) {
	for _, q := range s.limits {
		if ok, err := ev.Holds(q, vals, nil); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// step finds a step from a state again.
func (s *system) step(ev *eval.Evaluator, vals []value.Value, a explore.Action) (step Step, after []value.Value, err error) {
	at := 0
	err = ev.Next(vals, func(part int, next []value.Value) bool {
		if at == int(a>>8) {
			step = Step{part, s.machine.Parts[part].Name, ev.Args()}
			after = append([]value.Value(nil), next...)
			return false
		}
		at++
		return true
	})
	return step, after, err
}

type expander struct {
	*system
	ev    *eval.Evaluator
	other *eval.Evaluator // for questions that are evaluated while ev is busy

	// The current state.
	words  []uint64
	vals   []value.Value
	out    *explore.Steps
	steps  int            // found so far, allowed or not
	action explore.Action // of the latest
	failed error

	yield           func(part int, next []value.Value) bool // x.step
	onState, onStep func(bit uint8)                         // x.markState, x.markStep
}

// Expander implements explore.System.
func (s *system) Expander() explore.Expander {
	x := &expander{system: s, ev: s.machine.Evaluator(), other: s.machine.Evaluator()}
	x.yield, x.onState, x.onStep = x.step, x.markState, x.markStep
	return x
}

// Held implements explore.Expander.
func (x *expander) Held() int64 { return 0 }

// Expand adds the steps from a state, and the marks of what is wrong with it.
func (x *expander) Expand(words []uint64, out *explore.Steps) bool {
	x.words, x.vals, x.out, x.steps, x.failed = words, x.decode(words), out, 0, nil
	begin := len(out.Actions)
	if err := x.ask(false, x.vals, nil, x.onState); err != nil {
		x.fail(words, err, out)
		return true
	}
	err := x.ev.Next(x.vals, x.yield)
	if err = cmp.Or(x.failed, err); err != nil {
		x.fail(words, err, out)
	}
	if x.steps == 0 && err == nil {
		out.Marks = append(out.Marks, explore.Mark{Bit: markDeadlock})
	}
	out.Quiet = len(out.Actions) == begin
	return true
}

// step adds a step to next, and reports whether more are wanted.
func (x *expander) step(part int, next []value.Value) bool {
	x.action = explore.Action(min(part, lateParts)) | explore.Action(x.steps)<<8
	if part >= lateParts && !x.late[part-lateParts].Load() {
		x.late[part-lateParts].Store(true)
	}
	x.steps++
	if x.failed = x.ask(true, x.vals, next, x.onStep); x.failed != nil {
		return false
	}
	ok, err := x.allowed(x.other, x.vals, next)
	switch {
	case err != nil:
		x.failed = err
	case ok:
		x.failed = x.encode(x.out.Add(x.action, x.words), next, x.vals)
	default:
		x.out.Cut = true
		x.cut.Store(true)
		x.failed = x.ask(false, next, nil, x.onStep)
	}
	return x.failed == nil
}

func (x *expander) markState(bit uint8) {
	x.out.Marks = append(x.out.Marks, explore.Mark{Bit: bit})
}

func (x *expander) markStep(bit uint8) {
	x.out.Marks = append(x.out.Marks, explore.Mark{Bit: bit, OnStep: true, Action: x.action})
}

// allowed reports whether the constraints allow a step and where it leads.
func (s *system) allowed(ev *eval.Evaluator, vals, next []value.Value) (bool, error) {
	for _, q := range s.steps {
		if ok, err := ev.Holds(q, vals, next); !ok || err != nil {
			return false, err
		}
	}
	return s.within(ev, next)
}

// ask tells the questions about states, or about steps, with the wrong answer.
func (x *expander) ask(step bool, vals, next []value.Value, tell func(bit uint8)) error {
	for i, q := range x.asked {
		if q.step != step {
			continue
		}
		ok, err := x.other.Holds(q.pred, vals, next)
		if err != nil {
			return err
		}
		if !ok {
			tell(uint8(i))
		}
	}
	return nil
}

// fail records that nothing is known of a state, as an evaluation failed there.
func (x *expander) fail(words []uint64, err error, out *explore.Steps) {
	out.Marks = append(out.Marks, explore.Mark{Bit: markFailed})
	x.mu.Lock()
	defer x.mu.Unlock()
	x.failures[key(words)] = err
	errors.As(err, &x.gaveUp)
}

// key is a state as the key of a map.
func key(words []uint64) string {
	b := make([]byte, 0, 8*len(words))
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(b)
}
