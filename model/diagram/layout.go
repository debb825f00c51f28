package diagram

import (
	"interleave/internal/numbering"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/spec"
)

// layout says how states become vectors: the budgets used, the local states of the processes, and the messages in
// flight each have a place.
type layout struct {
	Form

	config model.Config
	traits *spec.Traits
	tables []*compiled.Tables // by process, number 1 first

	budgets  numbering.Of[budget]
	budgeted bool  // the budgets are place 0
	locals   []int // places, by process, number 1 first
	channels []*channel
	by       map[any]*channel // by receiver, content, or pair of processes
	places   int
}

// budget is how much of each budget is used.
type budget struct {
	model.Env
	down int // crashed processes, if nobody recovers, so that Env does not count them
}

// fitting chooses the grouping whose fullest place may hold fewer messages, as a place may have a
// value for every subset of them. But it is ByReceiver unless the other has a half at most: a step
// then looks at fewer places, that of what it takes and those of whom it sends to.
func (y *layout) fitting() Grouping {
	toOne, copies, most := 0, map[any]int{}, 0
	for _, t := range y.tables {
		toOne = max(toOne, len(t.Messages.Values))
		for _, e := range t.Messages.Values {
			copies[e.Message]++
			most = max(most, copies[e.Message])
		}
	}
	if y.network(y.config) != model.FIFO && toOne >= 2*most {
		return ByContent
	}
	return ByReceiver
}

// newLayout numbers the places. First come the budgets; then, process
// by process, its local state, and the messages to it, or those that it is the first to send.
func newLayout(s *compiled.LocalSteps, form Form) *layout {
	r := s.Reference()
	c := r.Config()
	y := &layout{
		Form: form, config: c, traits: r.Traits(), tables: s.Tables(), locals: make([]int, c.N), by: map[any]*channel{},
		budgeted: len(c.Counted()) > 0 || c.Crashes > 0,
	}
	y.budgets.Number(budget{})
	if form.Grouping == Fitting {
		y.Grouping = y.fitting()
	}
	if y.budgeted {
		y.places++
	}
	ring := y.config.Placement()
	if !y.traits.Ring {
		ring = model.Ascending(c.N)
	}
	contents := y.contents(s)
	for _, p := range y.Order.of(ring) {
		y.locals[p-1] = y.places
		y.places++
		for _, key := range y.keys(p, contents) {
			c := newChannel(y.places, y.network(y.config))
			y.by[key] = c
			y.channels = append(y.channels, c)
			y.places++
		}
	}
	for _, t := range y.tables {
		for message := range t.Messages.Values {
			p := t.Message(uint32(message))
			if c := y.channelOf(p); c != nil {
				c.may = append(c.may, p)
			}
		}
	}
	return y
}

// keys returns the keys of the channels whose places come after process p.
func (y *layout) keys(p spec.ID, contents map[spec.ID][]any) []any {
	switch y.Grouping {
	case ByContent:
		return contents[p]
	case ByPair:
		senders := spec.Set(0)
		for _, e := range y.tables[p-1].Messages.Values {
			senders |= spec.SetOf(e.From)
		}
		var pairs []any
		for q := range senders.All() {
			pairs = append(pairs, [2]spec.ID{q, p})
		}
		return pairs
	}
	return []any{p}
}

// contents returns the messages that each process may send, except those that were listed for
// another one before.
func (y *layout) contents(s *compiled.LocalSteps) map[spec.ID][]any {
	first := map[any]bool{}
	lists := map[spec.ID][]any{}
	for _, internal := range []bool{true, false} { // first what is sent without a message received, then replies
		for _, t := range y.tables {
			for _, m := range t.Moves {
				if received := s.Handled(m.Action) == spec.Receive; received == internal {
					continue
				}
				for _, send := range m.Sends {
					content := y.content(send)
					if !first[content] {
						first[content] = true
						lists[t.ID] = append(lists[t.ID], content)
					}
				}
			}
		}
	}
	return lists
}

func (y *layout) content(m compiled.Sending) any {
	if m.To == spec.NextLive {
		return y.tables[0].Messages.Values[m.IDs[0]].Message
	}
	return y.tables[m.To-1].Messages.Values[m.ID].Message
}

// channelOf returns the channel of a message; nil if there is none.
func (y *layout) channelOf(p compiled.Message) *channel {
	switch y.Grouping {
	case ByReceiver:
		return y.by[p.To]
	case ByPair:
		return y.by[[2]spec.ID{p.From, p.To}]
	}
	return y.by[y.tables[p.To-1].Messages.Values[p.ID].Message]
}

// State returns a vector as plain values.
func (y *layout) State(vector []uint32) model.State {
	s := model.State{Locals: make([]model.Local, len(y.locals)), Inboxes: make([]model.Inbox, len(y.locals))}
	for i, t := range y.tables {
		s.Locals[i] = t.Locals.Values[vector[y.locals[i]]]
	}
	network := y.config.Network
	if network == model.Set {
		network = model.Bag // a copy is listed, too
	}
	for _, c := range y.channels {
		for _, p := range c.values[vector[c.place]] {
			in := &s.Inboxes[p.To-1]
			*in = in.With(network, y.tables[p.To-1].Messages.Values[p.ID])
		}
	}
	if y.budgeted {
		s.Env = y.budgets.Values[vector[0]].Env
	}
	return s
}

// Vector returns a state as a vector, if all its parts have numbers already; if not, it returns
// false, and the state is in no set.
func (y *layout) Vector(s model.State) (vector []uint32, ok bool) {
	vector = make([]uint32, y.places)
	contents := make([][]compiled.Message, y.places)
	down := 0
	for i, t := range y.tables {
		local, known := t.Locals.Find(s.Locals[i])
		if !known {
			return nil, false
		}
		vector[y.locals[i]] = local
		if s.Locals[i].Status == model.Down {
			down++
		}
		for _, e := range s.Inboxes[i] {
			message, known := t.Messages.Find(e)
			if !known {
				return nil, false
			}
			p := compiled.Message{To: t.ID, From: e.From, ID: message}
			c := y.channelOf(p)
			if c == nil {
				return nil, false
			}
			contents[c.place] = append(contents[c.place], p)
		}
	}
	for _, c := range y.channels {
		if vector[c.place], ok = c.find(contents[c.place]); !ok {
			return nil, false
		}
	}
	if y.budgeted {
		vector[0], ok = y.budgets.Find(y.budgetOf(s, down))
		return vector, ok
	}
	return vector, true
}

// budgetOf returns what is used of the budgets if that many processes are down.
func (y *layout) budgetOf(s model.State, down int) budget {
	c := &y.config
	if c.Recoveries > 0 { // Env counts them
		return budget{Env: s.Env}
	}
	return budget{s.Env, c.Crashed(down)}
}
