package model

import (
	"encoding/binary"
	"fmt"
	"slices"

	"interleave/spec"
)

// A turn is one thing that a process may do in a lock-step round.
type turn struct {
	part    Part
	after   Local
	sends   []Sent // the messages that leave
	outputs []any
	panic   string
}

// maxRounds bounds what lockStep.each yields, and in how many orders an inbox may be read.
const maxRounds = 1 << 18

// lockStep is the lock-step rounds that may follow a state: one for each way in which the
// processes may read their inboxes and crash. Ways that make no difference to what a process
// becomes and sends, in whatever order, are one round, and a round in which nothing changes, is
// sent or output does not count.
type lockStep struct {
	*Reference
	state State
	live  spec.Set
	may   func(Part) bool // only rounds are meant of which it allows every part
}

func anyPart(Part) bool { return true }

func newLockStep(r *Reference, s State, may func(Part) bool) *lockStep {
	return &lockStep{r, s, s.live(), may}
}

// each yields the rounds.
func (r *lockStep) each(yield func(Step) bool) {
	turns, budget := make([][]turn, r.config.N), 0
	for _, cut := range r.rules.Cuts() {
		budget = r.left(r.state, cut.Spends)
	}
	for p := range r.all.All() {
		turns[p-1] = r.turns(p)
		if combinations(turns[:p], budget) > maxRounds+1 { // in one of them nothing may happen
			panic(&LimitError{fmt.Sprintf("more than %d different rounds may follow one state", maxRounds)})
		}
	}
	chosen := make([]*turn, r.config.N)
	var choose func(i, crashes int) (goOn bool)
	choose = func(i, crashes int) bool {
		if i == len(turns) {
			step := r.round(chosen, crashes > 0)
			idle := step.Panic == "" && len(step.Sends)+len(step.Outputs) == 0 && step.After.Equal(r.state)
			return idle || yield(step)
		}
		for k := range turns[i] {
			chosen[i] = &turns[i][k]
			if more := crashes + boolInt(chosen[i].part.Crash); more <= budget && !choose(i+1, more) {
				return false
			}
		}
		return true
	}
	choose(0, 0)
}

// combinations returns in how many ways each process can take one of its turns with at most the
// given number of crashes. If there are any, the number does not fall when a process is added.
func combinations(turns [][]turn, budget int) int {
	ways := make([]int, budget+1) // by the number of crashes
	ways[0] = 1
	all := 1
	for _, of := range turns {
		crashes := 0
		for _, t := range of {
			crashes += boolInt(t.part.Crash)
		}
		all = 0
		for k := budget; k >= 0; k-- {
			ways[k] *= len(of) - crashes
			if k > 0 {
				ways[k] += ways[k-1] * crashes
			}
			all += ways[k]
		}
	}
	return all
}

// turns returns what p may do in a round. Turns without a crash come first.
func (r *lockStep) turns(p spec.ID) []turn {
	whole, cut := distinct{may: r.may}, distinct{may: r.may}
	switch l := r.state.Local(p); {
	case l.Status == Down:
		whole.add(turn{part: Part{Process: p}, after: l})
	case r.traits.Halted(l.State):
		whole.add(turn{part: Part{Process: p}, after: l})
		cut.add(turn{part: Part{Process: p, Crash: true}})
	default:
		for _, order := range r.state.Inbox(p).orders() {
			t := r.turn(p, order)
			whole.add(t)
			for k := 0; k <= len(t.sends) && t.panic == ""; k++ {
				part := t.part
				part.Crash, part.Cut = true, k
				cut.add(turn{part: part, sends: t.sends[:k]})
			}
		}
	}
	return append(whole.turns, cut.turns...)
}

// distinct is turns of one process that differ in what it is afterwards, in what it sends or in
// its outputs. In which order it sends is no difference: all of it arrives in the next round.
type distinct struct {
	may     func(Part) bool
	turns   []turn
	known   map[outcome]bool
	numbers map[any]uint64 // of messages and outputs
}

// outcome is what a turn comes to.
type outcome struct {
	after   Local
	sends   string // the numbers of the messages, sorted
	outputs string // the numbers of the outputs, in order
}

// add adds a turn, if may allows it and it is not known.
func (d *distinct) add(t turn) {
	if !d.may(t.part) {
		return
	}
	if d.known == nil {
		d.known, d.numbers = map[outcome]bool{}, map[any]uint64{}
	}
	sends := make([]uint64, len(t.sends))
	for i, m := range t.sends {
		sends[i] = d.number(m)
	}
	slices.Sort(sends)
	outputs := make([]uint64, len(t.outputs))
	for i, v := range t.outputs {
		outputs[i] = d.number(v)
	}
	if o := (outcome{t.after, text(sends), text(outputs)}); !d.known[o] {
		d.known[o] = true
		d.turns = append(d.turns, t)
	}
}

func (d *distinct) number(v any) uint64 {
	if _, known := d.numbers[v]; !known {
		d.numbers[v] = uint64(len(d.numbers))
	}
	return d.numbers[v]
}

// text returns numbers as a key.
func text(numbers []uint64) string {
	var key []byte
	for _, n := range numbers {
		key = binary.AppendUvarint(key, n)
	}
	return string(key)
}

// turn is what p does in a round if it reads its inbox in the given order. First it is told who
// is down, in every round again. So the last messages of a process arrive together with the first
// report of its crash, and are read after it.
func (r *lockStep) turn(p spec.ID, order []int) turn {
	l := r.state.Local(p)
	t := turn{part: Part{Process: p}}
	if !slices.IsSorted(order) {
		t.part.Order = order
	}
	in := make([]spec.Received[any], len(order))
	for i, place := range order {
		e := r.state.Inbox(p)[place]
		in[i] = spec.Received[any]{From: e.From, Message: e.Message}
	}
	var events []spec.Event
	if r.config.Detector == Perfect {
		for q := range (r.all &^ r.live).All() {
			events = append(events, spec.Event{Kind: spec.Suspect, Peer: q})
		}
	}
	for _, e := range append(events, spec.Event{Kind: spec.Round, Inbox: in}) {
		after, fx := r.Handle(l, p, r.live, e)
		if fx.Panic != "" {
			t.panic = fx.Panic
			return t
		}
		l = after
		t.sends, t.outputs = append(t.sends, r.resolve(r.live, p, fx.Sends)...), append(t.outputs, fx.Outputs...)
	}
	l.Suspected = 0 // the next round reports it again
	t.after = l
	return t
}

// orders returns the places of the inbox in every order that makes a difference to what is read,
// the canonical order first.
func (in Inbox) orders() [][]int {
	if in.countOrders() > maxRounds {
		panic(&LimitError{fmt.Sprintf("an inbox of %d messages may be read in more than %d orders", len(in), maxRounds)})
	}
	var all [][]int
	used := make([]bool, len(in))
	var extend func(order []int)
	extend = func(order []int) {
		if len(order) == len(in) {
			all = append(all, slices.Clone(order))
			return
		}
		for i := range in {
			twin := i > 0 && !used[i-1] && in[i] == in[i-1]
			if used[i] || twin {
				continue
			}
			used[i] = true
			extend(append(order, i))
			used[i] = false
		}
	}
	extend(nil)
	return all
}

// countOrders returns how many orders there are, or a number above maxRounds if there are more.
func (in Inbox) countOrders() int {
	count, twins := 1, 1
	for i := range in { // as many as there were, with the new one at each place between them
		if twins++; i == 0 || in[i] != in[i-1] {
			twins = 1
		}
		if count = count * (i + 1) / twins; count > maxRounds { // it only grows
			return count
		}
	}
	return count
}

// round returns the step in which each process takes its chosen turn.
func (r *lockStep) round(chosen []*turn, crashes bool) Step {
	step := Step{Event: Event{Action: Round}, Unfair: crashes}
	sends, outputs := 0, 0
	for _, t := range chosen {
		sends, outputs = sends+len(t.sends), outputs+len(t.outputs)
	}
	step.Sends, step.Outputs = make([]Sent, 0, sends), make([]any, 0, outputs)
	after := State{Locals: make([]Local, len(chosen)), Inboxes: make([]Inbox, len(chosen)), Env: r.state.Env}
	for i, t := range chosen {
		after.Locals[i] = t.after
		if t.part.Order != nil || t.part.Crash {
			step.Event.Parts = append(step.Event.Parts, t.part)
		}
		if t.panic != "" && step.Panic == "" {
			step.Panic = t.panic
		}
		step.Sends, step.Outputs = append(step.Sends, t.sends...), append(step.Outputs, t.outputs...)
	}
	if step.Panic != "" {
		return Step{Event: step.Event, Unfair: crashes, Panic: step.Panic}
	}
	for _, m := range step.Sends {
		if to := after.Local(m.To); to.Status != Down && !r.traits.Halted(to.State) {
			after.Inboxes[m.To-1] = after.Inbox(m.To).With(Bag, Envelope{From: m.From, Message: m.Message})
		}
	}
	step.After = after
	return step
}
