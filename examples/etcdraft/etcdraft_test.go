package etcdraft

import (
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/dustin/go-humanize"
	"go.etcd.io/raft/v3/raftpb"

	"interleave/linear"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// TestWorlds checks small worlds to their bounds: what is done by clients and operators, and what fails.
func TestWorlds(t *testing.T) {
	page, err := os.ReadFile("../../docs/etcd-raft.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		states  int
		options Options
		world   model.Config
	}{
		{"election", 5596, Options{}, model.Config{N: 3, Bound: 1, Network: model.Set, Timers: model.Any}},
		{"prevote", 13229, Options{PreVote: true, Beats: true}, model.Config{N: 3, Bound: 1, Partitions: 1}},
		{"check-quorum", 78880, Options{PreVote: true, CheckQuorum: true, Ticks: true}, model.Config{N: 3, Bound: 1, Partitions: 1}},
		{"restart", 24002, Options{Writes: 1}, model.Config{N: 2, Bound: 2, Network: model.Set, Timers: model.Any, Crashes: 1, Recoveries: 1}},
		{"read", 38614, Options{Reads: 1, Readers: spec.SetOf(2), Turns: []spec.ID{1, 2}}, model.Config{N: 3, Bound: 2, Timers: model.Any}},
		{"transfer", 2008, Options{Transfers: 1, Turns: []spec.ID{1}}, model.Config{N: 3, Bound: 2}},
		{"promotion", 4374, Options{Learners: spec.SetOf(2), Beats: true, Change: raftpb.ConfChange{Type: raftpb.ConfChangeAddNode, NodeID: 2}},
			model.Config{N: 2, Bound: 2, Network: model.Set, Crashes: 1, Recoveries: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := New(c.options)
			again := func(p properties.Property) bool { return p.Name == "electable" || p.Name == "available" }
			all := properties.Own(m)
			if c.options.Turns == nil && (c.options.Beats || c.options.Ticks) {
				all = append(all, properties.Undecided("electable", "available")) // a bound ends some runs before they decide
			} else {
				all = slices.DeleteFunc(all, again) // nobody may campaign, or repeat what was lost
			}
			if r := properties.TestBounded(t, m, c.world, all...); r.Stats.States != c.states {
				t.Errorf("%d states, and there were %d", r.Stats.States, c.states)
			}
			if !regexp.MustCompile(`(?m)^\| ` + c.name + ` \|.*\| ` + humanize.Comma(int64(c.states)) + ` \|$`).Match(page) {
				t.Errorf("the page does not say that %s has %d states", c.name, c.states)
			}
		})
	}
}

// TestMutants: each is found, by a property that it breaks.
func TestMutants(t *testing.T) {
	for i, c := range []struct {
		property string
		steps    int
		options  Options
		world    model.Config
	}{
		{"election-safety", 8, Options{}, model.Config{N: 3, Bound: 1, Crashes: 1, Recoveries: 1, Network: model.Set}},
		{"fresh-reads", 6, Options{Reads: 1}, model.Config{N: 2, Bound: 1}},
		{"election-safety", 7, Options{}, model.Config{N: 3, Bound: 1, Crashes: 1, Recoveries: 1, Split: true, Network: model.Set}},
	} {
		m := Mutants(c.options)[i]
		t.Run(m.Name, func(t *testing.T) {
			c.world.Timers = model.Any
			p, err := properties.Catalogue{}.Find(m, c.property)
			if err != nil {
				t.Fatal(err)
			}
			r, err := properties.Verify(t.Context(), m, c.world, []properties.Property{p}, properties.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if f := r.Findings[0]; f.Verdict != properties.Violated || f.Depth != c.steps {
				t.Errorf("%v after %d steps: %s", f.Verdict, f.Depth, f.Why)
			}
		})
	}
}

// TestRegister: random runs are linearizable, and some of those are not in which reads are answered at once.
func TestRegister(t *testing.T) {
	o := Options{Writes: 2, Reads: 8, Beats: true}
	for _, m := range []*code{New(o), Mutants(o)[1]} {
		r, err := model.NewReference(m, model.Config{N: 3, Bound: 2, Timers: model.Any})
		if err != nil {
			t.Fatal(err)
		}
		random, answers, bad := rand.New(rand.NewPCG(1, 2)), 0, 0
		for range 100 {
			run := &model.Run{States: []model.State{r.Initial()[0]}}
			for range 100 {
				steps := r.Steps(run.End())
				if len(steps) == 0 {
					break
				}
				step := steps[random.IntN(len(steps))]
				run.Steps, run.States = append(run.Steps, step), append(run.States, step.After)
			}
			h := linear.Histories(m.Traits())[0]
			run.Observe(h)
			v := h.Judge(time.Minute)
			answers += v.Answers
			if v.Outcome == linear.NotLinearizable {
				bad++
			}
		}
		if eager := m.Name != "etcd/raft"; answers < 20 || (bad > 0) != eager {
			t.Errorf("%s: %d answers, and %d runs are not linearizable", m.Name, answers, bad)
		}
	}
}
