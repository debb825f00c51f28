package compiled

import (
	"fmt"
	"testing"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/modeltest"
	"interleave/spec"
	"interleave/spec/catalog"
)

// forms are the compiled forms of the conditions of a world.
type forms struct {
	*testing.T
	reference *model.Reference
	expander  *expander
	counts    map[string]int
}

// TestConditions compares the compiled forms of every condition in states of small worlds with what the Reference says
// of plain values: what an expander says of numbers, and what the bits of a flat state say.
func TestConditions(t *testing.T) {
	testsize.Alone(t)
	counts := map[string]int{}
	for _, m := range catalog.Machines {
		for _, c := range modeltest.RuledWorlds(m) {
			if !c.HasTables() {
				continue
			}
			r, err := model.NewReference(m, c)
			if err != nil {
				t.Fatal(err)
			}
			states := modeltest.SomeStates(r, testsize.Of(10, 25, 200))
			f := &forms{T: t, reference: r, counts: counts}
			f.learn(m, states)
			for _, s := range states {
				f.compare(s)
			}
		}
	}
	t.Log(counts)
	for ask := model.AllUp; ask < model.Asks; ask++ {
		if ask == model.ArmedFor || ask == model.DownFor || ask == model.NoneUrgent { // of clocks, which have no tables
			continue
		}
		for _, form := range []string{"numbers", "bits"} {
			if form == "bits" && ask != model.AllDown && ask != model.NoneAwaited && ask != model.NoneFrom {
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

// learn makes an expander of a system that has numbers for some states.
func (f *forms) learn(m spec.Machine, states []model.State) {
	f.Helper()
	sys, err := New(m, f.reference.Config(), nil)
	if err != nil {
		f.Fatal(err)
	}
	if err := sys.Close(f.Context(), 0); err != nil {
		f.Log(err)
	}
	for _, s := range states {
		for i, t := range sys.tables {
			t.numberLocal(s.Locals[i])
			t.numberInbox(s.Inboxes[i])
		}
		sys.envs.Number(s.Env)
	}
	if sys.dense = nil; sys.flat == nil || !sys.layout.holds(sys.counts()) {
		sys.flat = nil
		sys.layOut(sys.counts())
	}
	f.expander = sys.learner
}

func (f *forms) compare(s model.State) {
	f.Helper()
	x := f.expander
	x.words = x.sys.pack(s)
	if !x.load() {
		f.Fatalf("%+v cannot be loaded", s)
	}
	for _, asked := range modeltest.AskedIn(f.reference, s) {
		f.tables(s, asked.Process, asked.Condition, f.reference.Met(s, asked.Condition))
	}
}

// tables compares a condition with its forms over numbers and bits.
func (f *forms) tables(s model.State, p spec.ID, c model.Condition, met bool) {
	f.Helper()
	x := f.expander
	sys := x.sys
	var t *Tables
	var box uint32
	if p != spec.None {
		t, box = sys.tables[p-1], x.at[p-1].box
	}
	rule := model.Rule{Asks: []model.Condition{c}}
	if c.Ask == model.NoneOwing || c.Ask == model.NoneAwaited { // the other belongs to it
		for _, ask := range []model.Ask{model.NoneOwing, model.NoneAwaited} {
			other := model.Condition{Ask: ask, Process: c.Process, Timer: c.Timer}
			if there := sys.traits.Rules[c.Timer]; ask == model.NoneOwing && there.Owing != nil || ask == model.NoneAwaited && there.Awaited != nil {
				met = met && f.reference.Met(s, other)
			}
		}
	}
	enabling := newEnabling(sys.reference, rule)
	if enabling.kind = 0; x.met(t, &enabling, box) != met {
		f.Errorf("%s %+v: by numbers %+v is met: %v, in %+v", sys.traits.Name, sys.config, c, !met, s)
	}
	f.counts[fmt.Sprint("numbers", c.Ask, met)]++
	if sys.flat == nil || p == spec.None {
		return
	}
	g := sys.flat.guard(int(p-1), []model.Rule{rule})
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
