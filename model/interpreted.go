package model

import (
	"encoding/binary"
	"slices"

	"interleave/explore"
	"interleave/internal/numbering"
	"interleave/spec"
)

// Interpreted is the same graph as a compiled.System, but without its tables: each step is computed by the
// Reference on plain values, and a packed state is the number of a plain one. It is slow and
// large, and used to check the System.
type Interpreted struct {
	reference *Reference
	watches   []Watch

	states  []State
	numbers map[string]uint64
	locals  numbering.Of[Local]
	letters numbering.Of[Envelope]
	steps   map[uint64][]interpretedStep // of the states learned
	bounded map[uint64]bool              // the states where the bound forbids a step that would be obliged to happen
	left    map[uint64]bool              // likewise, any step
	envs    numbering.Of[Env]
	classes numbering.Of[FairClass]
	learned int64 // steps
}

type interpretedStep struct {
	event  Event
	action explore.Action
	to     uint64
	unfair bool
	class  uint32
	owed   explore.Strength
	panic  bool
	broken uint64 // claims, by watch
}

// placeShift is where an action has the place of a step among those out of its state.
const placeShift = 8

// NewInterpreted returns the graph of machine m in the world c.
func NewInterpreted(m spec.Machine, c Config, watches []Watch) (*Interpreted, error) {
	r, err := NewReference(m, c)
	if err != nil {
		return nil, err
	}
	return &Interpreted{
		reference: r, watches: watches,
		numbers: map[string]uint64{}, steps: map[uint64][]interpretedStep{}, bounded: map[uint64]bool{}, left: map[uint64]bool{},
	}, nil
}

// Width is 1: the number of the state.
func (d *Interpreted) Width() int { return 1 }

// Initial yields the initial states.
func (d *Interpreted) Initial(yield func([]uint64) bool) {
	for _, s := range d.reference.Initial() {
		if !yield([]uint64{d.number(s)}) {
			return
		}
	}
}

// Pack returns the packed form of a state. Equal states have equal ones.
func (d *Interpreted) Pack(s State) ([]uint64, error) { return []uint64{d.number(s)}, nil }

func (d *Interpreted) number(s State) uint64 {
	env, _ := d.envs.Number(s.Env)
	key := binary.AppendUvarint(nil, uint64(env))
	for i, l := range s.Locals {
		n, _ := d.locals.Number(l)
		key = binary.AppendUvarint(key, uint64(n))
		key = binary.AppendUvarint(key, uint64(len(s.Inboxes[i])))
		for _, e := range s.Inboxes[i] {
			n, _ := d.letters.Number(e)
			key = binary.AppendUvarint(key, uint64(n))
		}
	}
	n, ok := d.numbers[string(key)]
	if !ok {
		n = uint64(len(d.states))
		d.numbers[string(key)] = n
		d.states = append(d.states, s)
	}
	return n
}

// Learn computes the steps out of states.
func (d *Interpreted) Learn(states [][]uint64) (explore.Repack, error) {
	for _, words := range states {
		before := d.states[words[0]]
		steps := []interpretedStep{}
		all, bounded := d.reference.Enabled(before)
		for i, step := range all {
			to := interpretedStep{
				event: step.Event, unfair: step.Unfair, panic: step.Panic != "",
				action: explore.Action(d.reference.kinds.ofEvent(step.Event, before.live())) |
					explore.Action(i)<<placeShift | SentBits(len(step.Sends)),
			}
			class, owed := d.reference.FairnessOf(before, step)
			to.class, _ = d.classes.Number(class)
			to.owed = owed
			if !to.panic {
				to.to = d.number(step.After)
				if p := step.Event.Process; step.Event.Action == Handle {
					to.broken = d.reference.BreaksBy(d.watches, p, before.Local(p).State, step.After.Local(p).State, step.Outputs)
				}
				for k, w := range d.watches {
					if w.Monitor != "" && d.reference.Unmonitored(w.Monitor, before, step) != nil {
						to.broken |= 1 << k
					}
				}
			}
			steps = append(steps, to)
		}
		d.steps[words[0]] = steps
		d.learned += int64(len(steps))
		if bounded {
			d.bounded[words[0]] = true
		}
		if d.reference.leavesOut(before) {
			d.left[words[0]] = true
		}
	}
	return nil, nil
}

// Bytes is a rough count of the memory held.
func (d *Interpreted) Bytes() int64 {
	return int64(len(d.states))*1000 + d.learned*350 + d.reference.Traits().CodeBytes()
}

// Expander returns a new expander.
func (d *Interpreted) Expander() explore.Expander { return interpretedExpander{d} }

type interpretedExpander struct{ *Interpreted }

// Held is nothing: what is remembered is the system's.
func (interpretedExpander) Held() int64 { return 0 }

// Expand adds the steps computed by Learn. The Action of a step is its place
// among them, above its kind.
func (d interpretedExpander) Expand(words []uint64, out *explore.Steps) bool {
	steps, ok := d.steps[words[0]]
	if !ok {
		return false
	}
	before := newWorld(d.reference, d.states[words[0]])
	before.quiescent = !d.bounded[words[0]] && !slices.ContainsFunc(steps, func(s interpretedStep) bool { return !s.unfair })
	out.Quiet, out.Cut, out.Left = before.quiescent, d.bounded[words[0]], d.left[words[0]]
	for _, step := range steps {
		a := step.action
		if step.panic {
			out.Marks = append(out.Marks, explore.Mark{Bit: PanicMark, OnStep: true, Action: a})
			out.Dead = append(out.Dead, a)
			continue
		}
		out.Add(a, words)[0] = step.to
		MarkBroken(out, step.broken, a)
		d.watchStep(before, a, step.to, out)
	}
	for i, w := range d.watches {
		if w.State != nil && out.Known>>i&1 == 0 && (before.quiescent || !w.Quiescent) && w.State(before) {
			out.Marks = append(out.Marks, explore.Mark{Bit: uint8(i)})
		}
	}
	return true
}

func (d interpretedExpander) watchStep(before *World, a explore.Action, to uint64, out *explore.Steps) {
	if OnSteps(d.watches) == 0 {
		return
	}
	after := newWorld(d.reference, d.states[to])
	after.unsure = true
	for i, w := range d.watches {
		if w.Step != nil && out.Known>>i&1 == 0 && w.Step(before, after) {
			out.Marks = append(out.Marks, explore.Mark{Bit: uint8(i), OnStep: true, Action: a})
		}
	}
}

// Event decodes the action of a step out of a state.
func (d *Interpreted) Event(words []uint64, a explore.Action) Event {
	return d.steps[words[0]][a&^SentBits(maxSends)>>placeShift].event
}

// State returns a packed state as plain values.
func (d *Interpreted) State(words []uint64) State { return d.states[words[0]] }

// Locals appends the number of each process's local state in a packed state, by which Local has it.
func (d *Interpreted) Locals(words []uint64, numbers []uint32) []uint32 {
	for _, l := range d.states[words[0]].Locals {
		n, _ := d.locals.Number(l)
		numbers = append(numbers, n)
	}
	return numbers
}

// Local is the local state of process p with a number.
func (d *Interpreted) Local(_ spec.ID, number uint32) Local { return d.locals.Values[number] }

// Kinds returns the names of the kinds of step.
func (d *Interpreted) Kinds() []string { return d.reference.kinds.names }

// TableStats counts what has been interned; there are no tables.
func (d *Interpreted) TableStats() TableStats {
	st := TableStats{HandlerCalls: d.reference.HandlerCalls, Locals: len(d.locals.Values)}
	for _, s := range d.states {
		for _, in := range s.Inboxes {
			st.Longest = max(st.Longest, in.Longest())
		}
	}
	return st
}

// Fairness says which fairness is assumed of the steps of the system.
func (d *Interpreted) Fairness() explore.Fairness {
	return func(words []uint64, a explore.Action) (explore.Class, explore.Strength) {
		step := d.steps[words[0]][a>>placeShift&0xffffff]
		return explore.Class(step.class), step.owed
	}
}

// Chance says which steps are outcomes of an event in which the handler chooses. If it is cut short, that is
// another step of the event with the same answers.
func (d *Interpreted) Chance() explore.Chance {
	return func(words []uint64, a explore.Action) (event, answers uint64) {
		steps := d.steps[words[0]]
		e := steps[a>>placeShift&0xffffff].event
		if e.Step.Choices == nil {
			return 0, 0
		}
		first := func(answers bool) uint64 { // such a step, from 1
			return 1 + uint64(slices.IndexFunc(steps, func(s interpretedStep) bool {
				f := s.event
				if f.Action, f.Cut, f.Disk = e.Action, e.Cut, e.Disk; !answers && f.Step.Choices != nil {
					f.Step.Choices = e.Step.Choices
				}
				return e.same(f)
			}))
		}
		return first(false), first(true)
	}
}

// TableStats says how much was learned.
type TableStats struct {
	HandlerCalls int `json:"handler_calls"` // how often the algorithm was asked for a step; its code may run twice each time
	Locals       int `json:"local_states"`  // over all processes
	Inboxes      int `json:"inboxes"`       // that have a number
	Longest      int `json:"longest_queue"` // from one process to another, in messages
	Moves        int `json:"local_steps"`
}
