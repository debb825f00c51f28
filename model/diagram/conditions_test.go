package diagram

import (
	"errors"
	"fmt"
	"testing"

	"interleave/explore/dd"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/model/modeltest"
	"interleave/spec"
	"interleave/spec/catalog"
)

// forms are the conditions of a world as events of decision diagrams.
type forms struct {
	*testing.T
	reference *model.Reference
	diagram   *System
	events    map[string]*dd.Event
	counts    map[string]int
}

// TestConditions compares, for every condition in states of small worlds, what the Reference says of plain values with
// which states enable an event that asks it.
func TestConditions(t *testing.T) {
	testsize.Alone(t)
	counts := map[string]int{}
	for _, m := range catalog.Machines {
		for _, c := range modeltest.RuledWorlds(m) {
			if !c.HasTables() {
				continue
			}
			sys, err := compiled.New(m, c, nil)
			if err != nil {
				t.Fatal(err)
			}
			y, err := New(t.Context(), sys.LocalSteps, Form{Grouping: ByReceiver}, 0)
			if errors.Is(err, ErrNotSymbolic) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			f := &forms{T: t, reference: sys.Reference(), diagram: y, events: map[string]*dd.Event{}, counts: counts}
			for _, s := range modeltest.SomeStates(f.reference, testsize.Of(10, 25, 200)) {
				for _, asked := range modeltest.AskedIn(f.reference, s) {
					f.compare(s, asked.Process, asked.Condition)
				}
			}
		}
	}
	t.Log(counts)
	for ask := model.AllUp; ask < model.Asks; ask++ {
		if ask == model.ArmedFor || ask == model.DownFor || ask == model.NoneUrgent { // of clocks, which have no diagrams
			continue
		}
		for _, met := range []bool{false, true} {
			if counts[fmt.Sprint(ask, met)] == 0 {
				t.Errorf("never compared: %v, met: %v", ask, met)
			}
		}
	}
}

// vector is the vector of a state, which need not have been met.
func (f *forms) vector(s model.State) []uint32 {
	f.Helper()
	y := f.diagram
	values := make([]uint32, y.Forest.Levels())
	for _, t := range y.tables {
		for _, e := range s.Inbox(t.ID) {
			message, _ := t.Messages.Find(e)
			p := compiled.Message{To: t.ID, From: e.From, ID: message}
			if c := y.channelOf(p); c != nil {
				values[c.place] = c.put(values[c.place], p)
			}
		}
	}
	y.budgets.Number(y.budgetOf(s, (spec.UpTo(y.config.N) &^ f.live(s)).Len()))
	vector, known := y.Vector(s)
	if !known {
		f.Fatalf("%+v has no vector", s)
	}
	return vector
}

func (f *forms) live(s model.State) spec.Set { return f.reference.World(s).Live() }

// compare compares a condition with the states that enable an event that asks it.
func (f *forms) compare(s model.State, p spec.ID, c model.Condition) {
	f.Helper()
	y, met := f.diagram, f.reference.Met(s, c)
	vector := f.vector(s)
	all := spec.UpTo(y.config.N)
	down := all &^ f.live(s)
	key := fmt.Sprint(c, p, down)
	if f.events[key] == nil {
		d := newDraft(&builder{System: y})
		for q := range all.All() {
			d.status(q, down.Has(q))
		}
		d.ask(c, p, down)
		f.events[key] = d.event(y.Forest)
	}
	enabled := y.Forest.Enabled(f.events[key], y.Forest.Single(vector)) != dd.Empty
	g := &compiled.StepGroup{Tables: y.tables[0], Rule: model.Rule{Asks: []model.Condition{c}}, Live: f.live(s)}
	enabled = enabled && g.Possible(compiled.DownCase{Matter: all, Down: down})
	if enabled != met {
		f.Errorf("%s %+v: by diagrams %+v is met: %v, in %+v", y.traits.Name, y.config, c, enabled, s)
	}
	f.counts[fmt.Sprint(c.Ask, met)]++
}
