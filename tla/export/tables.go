package export

import (
	"fmt"
	"slices"

	"interleave/model"
	"interleave/model/compiled"
	"interleave/spec"
	"interleave/tla/value"
)

// tables are those of all processes, as values of TLA+.
type tables struct {
	Config   model.Config
	Locals   [][]value.Value   // by process and number, less 1 each
	Own      [][][]value.Value // likewise: rows of what a process does without a message
	Take     [][][]value.Value // and of what it does with one
	Begins   []value.Value     // by process: how it begins
	Awaited  []value.Value     // which messages a timer waits for
	Hops     bool              // something is sent to the next live process
	Panics   bool              // some handler does
	Refusing bool              // some handler refuses a message for which something might have to wait
	Choosing bool              // some handler chooses
	Optional bool              // something of Own need not happen

	asked     map[model.Ask]bool // by some rule of Own
	machine   spec.Machine
	reference *model.Reference
	traits    spec.Traits
	all       spec.Set
}

func newTables(m spec.Machine, r *model.Reference, learned []compiled.LocalTable) (*tables, error) {
	c := r.Config()
	t := &tables{machine: m, reference: r, traits: m.Traits(), Config: c, all: spec.UpTo(c.N), asked: map[model.Ask]bool{}}
	for _, cut := range r.Rules().Cuts() {
		if !cut.Action.Down() {
			return nil, fmt.Errorf("a step of %s may be cut short by %v, which cannot be written", t.traits.Name, cut.Spends)
		}
	}
	seen := map[string]any{}
	for i := range learned {
		l := &learned[i]
		for _, e := range l.Messages {
			text := value.Format(plain(e.Message))
			if other, ok := seen[text]; ok && other != e.Message {
				return nil, fmt.Errorf("the messages %#v and %#v of %s are both %s in TLA+", other, e.Message, t.traits.Name, text)
			}
			seen[text] = e.Message
		}
		for _, s := range l.Steps {
			t.Panics = t.Panics || s.Panic != ""
			t.Choosing = t.Choosing || s.Event.Choices != nil
			t.Optional = t.Optional || !s.Rule.Obliged()
			t.Refusing = t.Refusing || s.Refused && s.Event.Kind == spec.Receive && r.Rules().Awaits()
			for _, c := range s.Rule.Asks {
				t.asked[c.Ask] = true
			}
			t.Hops = t.Hops || slices.ContainsFunc(s.Sends, func(s spec.Send) bool { return s.To == spec.NextLive })
		}
	}
	for i := range learned {
		if err := t.process(&learned[i]); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// process adds the tables of one process.
func (t *tables) process(l *compiled.LocalTable) error {
	locals := make([]value.Value, len(l.Locals))
	for i, local := range l.Locals {
		if local.Status != model.Down {
			if leader := t.traits.Leader(local.State); leader < 0 || int(leader) > t.Config.N {
				return fmt.Errorf("process %v of %s follows %d, which does not exist: that cannot be written", l.Process, t.traits.Name, int(leader))
			}
		}
		locals[i] = t.local(l.Process, local, l.Crashed[i]+1)
	}
	own, take := make([][]value.Value, len(l.Locals)), make([][]value.Value, len(l.Locals))
	for _, s := range l.Steps {
		to := own
		if s.Event.Kind == spec.Receive {
			to = take
		}
		to[s.Before] = append(to[s.Before], t.rows(l, s)...)
	}
	t.Locals, t.Own, t.Take = append(t.Locals, locals), append(t.Own, own), append(t.Take, take)
	first, last := l.Begins[0], l.Begins[len(l.Begins)-1]
	t.Begins = append(t.Begins, record{"other": value.Int(first + 1), "initiator": value.Int(last + 1)}.value())
	t.await(l)
	return nil
}

// local is what the world and the properties want to know of a local state, and
// what the process remembers there.
func (t *tables) local(p spec.ID, l model.Local, crashed int) value.Value {
	up := l.Status != model.Down
	memory, leader, idle := t.traits.Zero, spec.None, true
	if l.State != nil {
		memory = l.State
	}
	if up {
		leader, idle = t.traits.Leader(l.State), t.traits.Idle(l.State)
	}
	var armed, owing []value.Value
	for i, r := range t.traits.Rules {
		if l.Timers>>i&1 != 0 {
			armed = append(armed, value.String(r.Name))
		}
		var o spec.Set
		if r.Owing != nil && up {
			o = r.Owing(l.State, p, t.all)
		}
		owing = append(owing, processes(o))
	}
	r := record{
		"status": value.String(l.Status.String()), "idle": value.Bool(idle), "begins": value.Bool(l.Initiator),
		"crashed": value.Int(crashed), "armed": value.NewSet(armed), "suspected": processes(l.Suspected), "memory": plain(memory),
	}
	if t.traits.Elects {
		r["leader"] = value.Int(leader)
	}
	if t.Owes() {
		r["owing"] = value.NewTuple(owing...)
	}
	return r.value()
}

// Owes reports whether some timer may not expire while somebody may still send what is awaited.
func (t *tables) Owes() bool { return t.asked[model.NoneOwing] }

// Awaits reports whether some timer may not expire while something that is awaited is under way.
func (t *tables) Awaits() bool { return t.asked[model.NoneAwaited] }

// rows are those of a local step: one for each process that may be the next live
// one, if something is sent to that; and as many again for each crash that may cut
// it short.
func (t *tables) rows(l *compiled.LocalTable, s compiled.LocalStep) (rows []value.Value) {
	nexts := []spec.ID{spec.None}
	if slices.ContainsFunc(s.Sends, func(s spec.Send) bool { return s.To == spec.NextLive }) {
		nexts = model.Ascending(t.Config.N)
	}
	for _, next := range nexts {
		sends := slices.Clone(s.Sends)
		for i := range sends {
			if sends[i].To == spec.NextLive {
				sends[i].To = next
			}
		}
		rows = append(rows, t.row(s, next, sends, s.After+1, false))
		if s.After < 0 {
			continue
		}
		for _, cut := range t.reference.Rules().Cuts() {
			for k, end := cut.Sends(len(sends), s.Saves); k < end; k++ {
				rows = append(rows, t.row(s, next, sends[:k], l.Crashed[s.After]+1, true))
			}
		}
	}
	return rows
}

func (t *tables) row(s compiled.LocalStep, next spec.ID, sends []spec.Send, after int, crash bool) value.Value {
	r := record{"after": value.Int(after), "how": value.String(how(s)), "sends": t.sends(sends)}
	if s.Event.Kind == spec.Receive {
		r["from"], r["message"] = value.Int(s.Event.From), plain(s.Event.Message)
	} else {
		r["event"], r["peer"], r["timer"] = value.String(t.traits.EventName(s.Event)), value.Int(s.Event.Peer), value.Int(0)
		if s.Event.Kind == spec.Timeout {
			r["timer"] = value.Int(s.Event.Timer) + 1
		}
		if len(t.asked) > 0 {
			r["asks"] = t.asks(s.Rule)
		}
		if t.spends() {
			r["spends"] = value.String(nameOfBudget(s.Rule.Spends))
		}
		if t.Optional {
			r["obliged"] = value.Bool(s.Rule.Obliged())
		}
		if asking(&t.traits) {
			r["value"] = value.String("")
			if s.Event.Value != nil {
				r["value"] = value.String(value.Format(plain(s.Event.Value)))
			}
		}
	}
	if t.Choosing {
		var choices []value.Value
		for _, answer := range s.Event.Choices {
			choices = append(choices, value.Int(answer))
		}
		r["choices"] = value.NewTuple(choices...)
	}
	if t.traits.Oracle {
		r["live"] = processes(s.Live)
	}
	if t.Hops {
		r["next"] = value.Int(next)
	}
	if t.Config.Split {
		r["crash"] = value.Bool(crash)
	}
	return r.value()
}

// spends reports whether some row of Own spends a budget.
func (t *tables) spends() bool { return len(world{tables: t}.Spent()) > 0 }

// asking reports whether some action is asked for with a value.
func asking(t *spec.Traits) bool {
	return slices.ContainsFunc(t.Actions, func(act spec.ActionTraits) bool { return act.ReadValue != nil })
}

// asks is what a rule asks.
func (t *tables) asks(r model.Rule) value.Value {
	var all []value.Value
	for _, c := range r.Asks {
		to, timer := t.all, 0
		switch c.Ask {
		case model.NoneOwing, model.NoneAwaited:
			timer = int(c.Timer) + 1
		case model.NoneFrom:
			if c.Process != spec.None {
				to = spec.SetOf(c.Process)
			}
		}
		all = append(all, record{"ask": value.String(c.Ask.String()), "of": processes(c.Of), "to": processes(to), "timer": value.Int(timer)}.value())
	}
	return value.NewSet(all)
}

func how(s compiled.LocalStep) string {
	switch {
	case s.Refused:
		return "refused"
	case s.Panic != "":
		return "panics"
	case s.Beyond:
		return "beyond the bound"
	}
	return "done"
}

// sends is, by receiver, what is sent to it: a sequence, a set, or how many copies
// of which message.
func (t *tables) sends(sends []spec.Send) value.Value {
	to := make([]value.Value, t.Config.N)
	for i := range to {
		var messages []value.Value
		for _, s := range sends {
			if s.To == spec.ID(i+1) {
				messages = append(messages, plain(s.Message))
			}
		}
		switch t.Config.Network {
		case model.FIFO:
			to[i] = value.NewTuple(messages...)
		case model.Bag:
			to[i] = copies(messages)
		default:
			to[i] = value.NewSet(messages)
		}
	}
	return value.NewTuple(to...)
}

func copies(messages []value.Value) value.Value {
	var all []value.Value
	for _, m := range value.NewSet(slices.Clone(messages)).Elems {
		n := 0
		for _, other := range messages {
			if value.Compare(m, other) == 0 {
				n++
			}
		}
		all = append(all, record{"message": m, "copies": value.Int(n)}.value())
	}
	return value.NewSet(all)
}

// await adds which messages to one process each timer of each process waits for.
func (t *tables) await(l *compiled.LocalTable) {
	for i, r := range t.traits.Rules {
		if !t.Awaits() || r.Awaited == nil {
			continue
		}
		for p := range t.all.All() {
			for _, e := range l.Messages {
				if r.Awaited(p, e.From, l.Process, e.Message) {
					t.Awaited = append(t.Awaited, record{
						"timer": value.Int(i + 1), "waits": value.Int(p), "from": value.Int(e.From), "to": value.Int(l.Process), "message": plain(e.Message),
					}.value())
				}
			}
		}
	}
}
