package picture_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"interleave/model"
	"interleave/model/picture"
	"interleave/spec"
	"interleave/spec/catalog"
)

// wilds are worlds in which as much as possible goes wrong, as far as an algorithm
// takes part in it.
var wilds = []func(*model.Config){
	func(*model.Config) {},
	func(c *model.Config) { c.Crashes = 2 },
	func(c *model.Config) { c.Crashes, c.Split = 1, true },
	func(c *model.Config) { c.Crashes, c.Recoveries, c.Split = 2, 1, true },
	func(c *model.Config) { c.Losses, c.Duplicates, c.Network = 2, 2, model.FIFO },
	func(c *model.Config) { c.Losses, c.Duplicates, c.Crashes, c.Network = 1, 2, 1, model.Bag },
	func(c *model.Config) { c.Network, c.Crashes, c.Partitions = model.Set, 1, 1 },
	func(c *model.Config) { c.Partitions, c.Crashes, c.Recoveries = 1, 1, 1 },
	func(c *model.Config) { c.Detector, c.Suspicions, c.Crashes = model.Eventual, 2, 1 },
	func(c *model.Config) { c.Timers, c.Crashes, c.Split = model.Any, 1, true },
	func(c *model.Config) { c.Start, c.Crashes = model.LeaderDown, 1 },
	func(c *model.Config) { c.Timers, c.Delta, c.Crashes = model.Timed, 2, 1 },
}

// walks yields some random runs of every algorithm in every world that takes it.
func walks(t *testing.T, seeds uint64, each func(t *testing.T, r *model.Reference, run *model.Run)) {
	if testing.Short() {
		seeds = min(seeds, 4)
	}
	walked := 0
	for _, m := range catalog.Machines {
		for w, wild := range wilds {
			c, err := model.Home(m, 3)
			if err != nil {
				t.Fatal(err)
			}
			wild(&c)
			if c.Timers == model.Timed {
				c.Durations = durations(m)
			}
			r, err := model.NewReference(m, c)
			if err != nil {
				continue // means nothing to this algorithm
			}
			walked++
			t.Run(fmt.Sprintf("%s/%d", m.Traits().Name, w), func(t *testing.T) {
				for seed := range seeds {
					each(t, r, walk(r, rand.New(rand.NewPCG(seed, uint64(w)))))
				}
			})
		}
	}
	if walked < 50 {
		t.Errorf("only %d worlds", walked)
	}
}

// durations gives every timer, and what is noticed, the same number of ticks.
func durations(m spec.Machine) model.Durations {
	text := []string{"notice=3"}
	for _, rule := range m.Traits().Rules {
		text = append(text, rule.Name+"=3")
	}
	return model.Durations(strings.Join(text, ","))
}

func walk(r *model.Reference, luck *rand.Rand) *model.Run {
	initial := r.Initial()
	run := &model.Run{States: []model.State{initial[luck.IntN(len(initial))]}}
	for range 40 {
		steps := r.Steps(run.End())
		if len(steps) == 0 {
			break
		}
		step := steps[luck.IntN(len(steps))]
		run.Steps = append(run.Steps, step)
		if step.Panic != "" {
			break
		}
		run.States = append(run.States, step.After)
	}
	return run
}

// TestMessagesAreInboxes: after each step, what a picture says is on its way to a
// process is what is in its inbox; and each message is taken, lost or sent by the
// events that it says.
func TestMessagesAreInboxes(t *testing.T) {
	fates := map[picture.Fate]int{}
	walks(t, 6, func(t *testing.T, r *model.Reference, run *model.Run) {
		p := picture.Of(r, run, nil)
		for k, s := range run.States {
			for i, in := range s.Inboxes {
				var want []string
				for _, e := range in {
					want = append(want, fmt.Sprint(e.Message, " from ", e.From))
				}
				if have := onTheWay(p, k, spec.ID(i+1)); !slices.Equal(have, sorted(want)) {
					t.Fatalf("after %d steps to %d: %q, not %q\n%+v", k, i+1, have, want, p)
				}
			}
		}
		for i, m := range p.Messages {
			fates[m.Fate]++
			if !slices.Contains(p.Events[m.SentBy].Sends, i) {
				t.Errorf("message %d is not sent by event %d", i, m.SentBy)
			}
			if (m.Fate == picture.OnItsWay) != (m.EndsIn < 0) {
				t.Errorf("message %d is %v and ends in %d", i, m.Fate, m.EndsIn)
			}
			if m.EndsIn < 0 {
				continue
			}
			end := p.Events[m.EndsIn]
			if slices.Contains(end.Takes, i) != (m.Fate == picture.Delivered) || slices.Contains(end.Loses, i) == (m.Fate == picture.Delivered) {
				t.Errorf("message %d is %v, and event %d has %+v", i, m.Fate, m.EndsIn, end)
			}
			if m.Fate == picture.Delivered && end.Process != m.To {
				t.Errorf("message %d arrives at %v", i, end.Process)
			}
		}
	})
	for f := picture.OnItsWay; f <= picture.Unheard; f++ {
		if fates[f] == 0 {
			t.Errorf("no message is %v", f)
		}
	}
}

// TestRoundsAreReadInOrder: in a lock-step round a process takes its inbox in the
// order that the round says.
func TestRoundsAreReadInOrder(t *testing.T) {
	reordered := 0
	walks(t, 20, func(t *testing.T, r *model.Reference, run *model.Run) {
		p := picture.Of(r, run, nil)
		for _, e := range p.Events {
			for _, part := range run.Steps[e.Step-1].Event.Parts {
				if part.Process != e.Process || part.Order == nil {
					continue
				}
				reordered++
				for i, place := range part.Order {
					want := run.States[e.Step-1].Inboxes[e.Process-1][place]
					if m := p.Messages[e.Takes[i]]; m.Text != fmt.Sprint(want.Message) || m.From != want.From {
						t.Fatalf("step %d, %v: %+v is number %d, and not %+v", e.Step, e.Process, m, i, want)
					}
				}
			}
		}
	})
	if reordered == 0 {
		t.Error("no inbox is read in another order")
	}
}

// onTheWay returns what is sent by step k, and ends later or never.
func onTheWay(p *picture.Picture, k int, to spec.ID) []string {
	var out []string
	for _, m := range p.Messages {
		if m.To == to && p.Events[m.SentBy].Step <= k && (m.EndsIn < 0 || p.Events[m.EndsIn].Step > k) {
			out = append(out, fmt.Sprint(m.Text, " from ", m.From))
		}
	}
	return sorted(out)
}

func sorted(texts []string) []string {
	slices.Sort(texts)
	return texts
}

// TestClocks compares the vector clocks with what they mean: how many events of
// each process one can come to along the causes.
func TestClocks(t *testing.T) {
	walks(t, 6, func(t *testing.T, r *model.Reference, run *model.Run) {
		p := picture.Of(r, run, nil)
		for i, e := range p.Events {
			past := map[int]bool{}
			var visit func(i int)
			visit = func(i int) {
				if past[i] {
					return
				}
				past[i] = true
				for _, c := range p.Events[i].Causes {
					if c >= i {
						t.Fatalf("event %d is caused by %d", i, c)
					}
					visit(c)
				}
			}
			visit(i)
			want := make([]int, p.N)
			for j := range past {
				if q := p.Events[j].Process; q != spec.None {
					want[q-1]++
				}
			}
			if !slices.Equal(e.Clock, want) {
				t.Fatalf("event %d has the clock %v, not %v", i, e.Clock, want)
			}
		}
	})
}

// TestViews: a picture says of each state who follows whom, and who is up.
func TestViews(t *testing.T) {
	walks(t, 6, func(t *testing.T, r *model.Reference, run *model.Run) {
		p := picture.Of(r, run, nil)
		if len(p.Views) != len(run.States) {
			t.Fatalf("%d views of %d states", len(p.Views), len(run.States))
		}
		for k, v := range p.Views {
			w := r.World(run.States[k])
			for i := range v.Leader {
				q := spec.ID(i + 1)
				if v.Leader[i] != w.Leader(q) || (v.Status[i] == "down") == w.Live().Has(q) {
					t.Fatalf("after %d steps %d: %+v", k, q, v)
				}
			}
		}
	})
}

// TestReports: a crash is a cause of every report of it, and of the notice of whoever
// followed the one that crashed.
func TestReports(t *testing.T) {
	reports := map[string]int{}
	walks(t, 6, func(t *testing.T, r *model.Reference, run *model.Run) {
		p := picture.Of(r, run, nil)
		crashed := map[spec.ID]int{}
		for i, e := range p.Events {
			before := p.Views[e.Step-1]
			about := spec.None
			switch e.Kind {
			case "notice":
				about = before.Leader[e.Process-1]
			case "suspect":
				about = run.Steps[e.Step-1].Event.Step.Peer
			}
			if crash, ok := crashed[about]; ok && before.Status[about-1] == "down" {
				reports[e.Kind]++
				if !slices.Contains(e.Causes, crash) {
					t.Errorf("%s of %v, event %d, has the causes %v, and not %d", e.Kind, e.Process, i, e.Causes, crash)
				}
			}
			if e.Crash {
				crashed[e.Process] = i
			}
		}
	})
	if reports["notice"] == 0 || reports["suspect"] == 0 {
		t.Errorf("reports: %v", reports)
	}
}
