package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"interleave/explore/dd"
	"interleave/internal/long"
	"interleave/spec"
	"interleave/spec/catalog"
)

// ruledWorlds are worlds of two or three processes in which every condition is asked of somebody.
func ruledWorlds(m spec.Machine) (list []Config) {
	faults := []func(*Config){
		func(c *Config) { c.Crashes = 1 },
		func(c *Config) { c.Crashes, c.Recoveries, c.Losses = 1, 1, 1 },
		func(c *Config) { c.Partitions, c.Duplicates = 1, 1 },
		func(c *Config) { c.Start = LeaderDown },
	}
	for _, network := range []Network{FIFO, Bag, Set} {
		for _, timers := range []Timing{Flush, Just, Mixed, Timed} {
			for _, detector := range []Detector{NoDetector, Perfect, Flushed, Eventual} {
				for _, add := range faults {
					c := Config{N: 2, Network: network, Timers: timers, Detector: detector}
					if add(&c); detector == Eventual {
						c.Suspicions = 1
					}
					if timers == Timed {
						c.Delta, c.Durations = 1, lasting(m)
					}
					if m.Traits().Measure != nil {
						c.Bound = 1
					}
					if c.Check(m) == nil {
						list = append(list, c)
					}
					if c.N = 3; network == Set && timers == Flush && c.Check(m) == nil {
						list = append(list, c)
					}
				}
			}
		}
	}
	return list
}

// lasting has all timers last two ticks.
func lasting(m spec.Machine) Durations {
	var list []string
	if m.Traits().Handles.Has(spec.Notice) {
		list = append(list, "notice=2")
	}
	for _, rule := range m.Traits().Rules {
		list = append(list, rule.Name+"=2")
	}
	return Durations(strings.Join(list, ","))
}

// forms are the forms of the conditions of a world, except for that of the Reference.
type forms struct {
	*testing.T
	reference *Reference
	expander  *expander // nil: a world without tables
	symbolic  *Symbolic // nil: a world without a symbolic form
	events    map[string]*dd.Event
	counts    map[string]int
}

// TestConditions compares all forms of every condition in states of small worlds: what the Reference says of plain
// values, what an expander says of numbers, what the bits of a flat state say, which states enable an event of a
// decision diagram, and whether there is something to say of why not.
func TestConditions(t *testing.T) {
	long.Alone(t)
	counts := map[string]int{}
	for _, m := range catalog.Machines {
		for _, c := range ruledWorlds(m) {
			r, err := NewReference(m, c)
			if err != nil {
				t.Fatal(err)
			}
			states := someStates(r, long.Of(10, 25, 200))
			f := &forms{T: t, reference: r, events: map[string]*dd.Event{}, counts: counts}
			if c.HasTables() {
				f.learn(m, states)
			}
			for _, s := range states {
				f.compare(s)
			}
		}
	}
	t.Log(counts)
	for ask := AllUp; ask < asks; ask++ {
		for _, form := range []string{"numbers", "bits", "diagram"} {
			switch {
			case ask == ArmedFor || ask == DownFor || ask == NoneUrgent:
				form = "plain"
			case form == "bits" && ask != AllDown && ask != NoneAwaited && ask != NoneFrom:
				continue
			}
			for _, met := range []bool{false, true} {
				if what := fmt.Sprint(form, ask, met); counts[what] == 0 {
					t.Errorf("never compared: %s", what)
				}
			}
		}
	}
}

// someStates returns the first states that are found.
func someStates(r *Reference, most int) []State {
	states, known := r.Initial(), map[string]bool{}
	for i := 0; i < len(states) && len(states) < most; i++ {
		if key := states[i].Key(); known[key] {
			continue
		} else {
			known[key] = true
		}
		for step := range r.EachStep(states[i]) {
			if step.Panic == "" {
				states = append(states, step.After)
			}
		}
	}
	return states
}

func (f *forms) learn(m spec.Machine, states []State) {
	f.Helper()
	sys, err := NewSystem(m, f.reference.config, nil)
	if err != nil {
		f.Fatal(err)
	}
	if f.symbolic, err = NewSymbolic(context.Background(), sys, Form{Grouping: ByReceiver}, 0); err != nil && !errors.Is(err, ErrNotSymbolic) {
		f.Fatal(err)
	}
	for _, s := range states {
		for i, t := range sys.tables {
			sys.numberLocal(t, s.Locals[i])
			sys.numberInbox(t, s.Inboxes[i])
		}
		sys.envs.Number(s.Env)
	}
	if sys.dense = nil; sys.flat == nil || !sys.layout.holds(sys.counts()) {
		sys.flat = nil
		sys.layOut(sys.counts())
	}
	f.expander = sys.learner
}

func (f *forms) compare(s State) {
	f.Helper()
	if x := f.expander; x != nil {
		x.words = x.sys.pack(s)
		if !x.load() {
			f.Fatalf("%+v cannot be loaded", s)
		}
		x.env = s.Env
	}
	f.rules(s, spec.None, f.reference.rules.Network())
	f.rules(s, spec.None, f.reference.rules.Clock())
	for p := range f.reference.all.All() {
		f.rules(s, p, f.reference.rules.Of(p, s.Local(p)))
		f.rules(s, p, f.reference.rules.Messages(p))
	}
}

func (f *forms) rules(s State, p spec.ID, rules []Rule) {
	f.Helper()
	for _, rule := range rules {
		for _, c := range rule.Asks {
			by, blocked := f.reference.blocks(s, c)
			saysWhy := c.Ask != AllUp && c.Ask != Whole && c.Ask != Divided && c.Ask != NoneUrgent
			if blocked && saysWhy != (c.whyNot(by) != "") {
				f.Errorf("%+v is not met, as %q", c, c.whyNot(by))
			}
			f.counts[fmt.Sprint("plain", c.Ask, !blocked)]++
			if f.expander != nil {
				f.tables(s, p, c, !blocked)
			}
			if f.symbolic != nil {
				f.diagram(s, p, c, !blocked)
			}
		}
	}
}

// tables compares a condition with its forms over numbers and bits.
func (f *forms) tables(s State, p spec.ID, c Condition, met bool) {
	f.Helper()
	x := f.expander
	sys := x.sys
	var t *Tables
	var box uint32
	if p != spec.None {
		t, box = sys.tables[p-1], x.at[p-1].box
	}
	rule := Rule{Asks: []Condition{c}}
	if c.Ask == NoneOwing || c.Ask == NoneAwaited { // the other belongs to it
		for _, ask := range []Ask{NoneOwing, NoneAwaited} {
			other := Condition{Ask: ask, Process: c.Process, Timer: c.Timer}
			if there := sys.traits.Rules[c.Timer]; ask == NoneOwing && there.Owing != nil || ask == NoneAwaited && there.Awaited != nil {
				met = met && f.reference.Met(s, other)
			}
		}
	}
	enabling := sys.enablingOf(p, rule)
	if enabling.kind = 0; x.met(t, &enabling, box) != met {
		f.Errorf("%s %+v: by numbers %+v is met: %v, in %+v", sys.traits.Name, sys.config, c, !met, s)
	}
	f.counts[fmt.Sprint("numbers", c.Ask, met)]++
	if sys.flat == nil || p == spec.None {
		return
	}
	g := sys.guard(int(p-1), []Rule{rule})
	if g.asks {
		return
	}
	words := wordPair{x.words[0], x.words[len(x.words)-1]}
	absent := g.absent
	for q := range (g.silent &^ x.live).All() {
		absent = absent.or(sys.flat.from[q-1])
	}
	if len(x.words) == 1 {
		words[1] = 0
	}
	if bits := g.down&x.live == 0 && words.and(absent) == (wordPair{}); bits != f.reference.Met(s, c) {
		f.Errorf("%s %+v: by bits %+v is met: %v, in %+v", sys.traits.Name, sys.config, c, bits, s)
	}
	f.counts[fmt.Sprint("bits", c.Ask, met)]++
}

// vector is the vector of a state, which need not have been met.
func (f *forms) vector(s State) []uint32 {
	f.Helper()
	y := f.symbolic
	var values = make([]uint32, y.Forest.Levels())
	for _, t := range y.sys.tables {
		for _, e := range s.Inbox(t.ID) {
			letter, _ := t.Letters.Find(e)
			p := Message{To: t.ID, From: e.From, Letter: letter}
			if c := y.channelOf(p); c != nil {
				values[c.place] = c.put(values[c.place], p)
			}
		}
	}
	y.budgets.Number(y.budgetOf(s, (f.reference.all &^ s.live()).Len()))
	vector, known := y.Vector(s)
	if !known {
		f.Fatalf("%+v has no vector", s)
	}
	return vector
}

// diagram compares a condition with the states that enable an event that asks it.
func (f *forms) diagram(s State, p spec.ID, c Condition, met bool) {
	f.Helper()
	vector := f.vector(s)
	down := f.reference.all &^ s.live()
	key := fmt.Sprint(c, p, down)
	if f.events[key] == nil {
		d := f.symbolic.draft()
		for q := range f.reference.all.All() {
			d.status(q, down.Has(q))
		}
		d.ask(c, p, down)
		f.events[key] = d.event()
	}
	enabled := f.symbolic.Forest.Enabled(f.events[key], f.symbolic.Forest.Single(vector)) != dd.Empty
	g := &Group{Tables: f.symbolic.sys.tables[0], Rule: Rule{Asks: []Condition{c}}, Live: s.live()}
	enabled = enabled && f.symbolic.sys.Possible(g, DownCase{f.reference.all, down})
	if enabled != met {
		f.Errorf("%s %+v: by diagrams %+v is met: %v, in %+v", f.reference.traits.Name, f.reference.config, c, enabled, s)
	}
	f.counts[fmt.Sprint("diagram", c.Ask, met)]++
}
