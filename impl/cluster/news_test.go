package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/impl/runlog"
	"interleave/spec"
)

func newNews(n int) *news { return &news{brief: 50 * time.Millisecond, view: newView(n)} }

// inWords writes occasions as in "10 agreed 3".
func inWords(all []Occasion) string {
	var words []string
	for _, o := range all {
		words = append(words, fmt.Sprintf("%d %s %v", o.Time.Sub(epoch).Milliseconds(), o.What, o.Process))
	}
	return strings.Join(words, "; ")
}

func TestNews(t *testing.T) {
	for _, c := range []struct {
		about   string
		moments []Moment
		want    string
	}{
		{"one election", elected(), "10 agreed 3"},
		{"the leader goes and another follows", elected(died(100, 3), follows(150, 2, 2), follows(170, 1, 2)), "10 agreed 3; 150 disagreed none; 170 agreed 2"},
		{"the same leader comes back", elected(died(100, 3), came(200, 3), follows(220, 3, 3)), "10 agreed 3; 150 disagreed none; 220 agreed 3"},
		{"a brief doubt is an agreement more, and no loss", elected(follows(100, 2, 2), follows(130, 2, 3)), "10 agreed 3; 130 agreed 3"},
		{"the logs are read in another order", elected(follows(170, 1, 2), died(100, 3), follows(150, 2, 2)), "10 agreed 3; 150 disagreed none; 170 agreed 2"},
		{"it ends without an agreement", elected(died(100, 3)), "10 agreed 3; 150 disagreed none"},
	} {
		s := newNews(3)
		for _, m := range c.moments {
			s.add(m)
		}
		if got := inWords(s.until(at(1000))); got != c.want {
			t.Errorf("%s: %s, not %s", c.about, got, c.want)
		}
	}
}

// TestNewsInTurn: what happened is told in the order of its times, whichever
// was heard of first, and what is heard of too late counts as of then.
func TestNewsInTurn(t *testing.T) {
	s := newNews(3)
	s.put(Occasion{Time: at(8), What: "kill"})
	s.put(Occasion{Time: at(4), What: "begin"})
	for _, m := range elected() {
		s.add(m)
	}
	if got := inWords(s.until(at(7))); got != "4 begin none" {
		t.Error(got)
	}
	if got := inWords(s.until(at(20))); got != "8 kill none; 10 agreed 3" {
		t.Error(got)
	}
	s.add(follows(15, 2, 2))
	s.add(follows(30, 2, 3))
	if got := inWords(s.until(at(40))); got != "30 agreed 3" || s.moments[len(s.moments)-2].Time != at(20) {
		t.Errorf("%s %v", got, s.moments)
	}
}

// TestNewsOfEveryAgreement: there are as many lines as the verdict counts,
// however the logs are read.
func TestNewsOfEveryAgreement(t *testing.T) {
	for seed := range uint64(200) {
		draw := rand.New(rand.NewPCG(seed, 0))
		s, agreed := newNews(3), 0
		hear := func(all []Occasion) {
			for _, o := range all {
				if o.What == "agreed" {
					agreed++
				}
			}
		}
		for i := range 60 {
			ms, p := 10*i-draw.IntN(40), spec.ID(1+draw.IntN(3))
			s.add([]Moment{came(ms, p), died(ms, p), follows(ms, p, spec.ID(draw.IntN(4))), follows(ms, p, 3), {at(ms), p, Stood, 0}, {at(ms), p, Went, 0}}[draw.IntN(6)])
			if draw.IntN(3) == 0 {
				hear(s.until(at(10*i - 20)))
			}
		}
		hear(s.until(at(10_000)))
		if want := follow(3, s.moments, at(10_000)).Agreements; agreed != want {
			t.Errorf("seed %d: %d lines of agreement, and %d are counted", seed, agreed, want)
		}
		if !slices.IsSortedFunc(s.moments, func(a, b Moment) int { return a.Time.Compare(b.Time) }) {
			t.Errorf("seed %d: the moments are out of order", seed)
		}
	}
}

// TestFormerLife: what a process did before it was killed counts, even if its
// log is read after it was started again.
func TestFormerLife(t *testing.T) {
	r := &run{observed: observed{view: newView(3), news: newNews(3), reports: map[spec.ID]*reports{1: {came: at(100), breaches: map[runlog.BreachKind]int{}}}}}
	for i, ms := range []int{90, 110} {
		leader := spec.ID(2 + i)
		r.hear(report{Line: runlog.LineStep, Time: at(ms), Process: 1, Leader: &leader})
		r.hear(report{Line: runlog.LineBreach, Time: at(ms), Process: 1, Leader: &leader, Breach: &breach{runlog.BreachDelay}})
	}
	if at := r.reports[1]; at.steps != 2 || total(at.breaches) != 2 || len(r.news.moments) != 1 || r.news.moments[0].Leader != 3 {
		t.Errorf("%d steps, %d breaches, %v", at.steps, total(at.breaches), r.news.moments)
	}
}
