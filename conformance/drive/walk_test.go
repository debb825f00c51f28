package drive

import (
	"math/rand/v2"
	"testing"

	"interleave/model"
)

// walk draws a run of a scheduler, of so many groups at most, and does not crash all at once.
func walk(d *scheduler, b beginning, draw *rand.Rand, most int) (groups []group) {
	for pt := b.point; len(groups) < most; pt = groups[len(groups)-1].after {
		all, _, _ := d.groups(pt)
		if len(all) == 0 {
			break
		}
		next := all[draw.IntN(len(all))]
		if next.steps[0].Event.Action == model.Crash {
			next = all[draw.IntN(len(all))]
		}
		groups = append(groups, next)
	}
	return groups
}

// TestWalks drives algorithms that were drawn along runs that were: longer ones than lead to a
// class, with more lives.
func TestWalks(t *testing.T) {
	for luck := range uint64(50) {
		m, draw := chance(luck), rand.New(rand.NewPCG(luck, 4))
		c := chanceWorld(m, draw)
		if c.Recoveries > 0 {
			c.Crashes, c.Recoveries = 3, 3
		}
		if c.Check(m) != nil {
			continue
		}
		d, err := newScheduler(m, c)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newTestbed(m, c, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		v := &cover{scheduler: d, coverageMap: newCoverageMap(d, 0), testbed: s, report: &Report{}, performed: map[int]bool{}, refused: map[class]bool{}, kinds: map[string]int{}}
		begin := d.first(d.reference.Initial()[0])
		for range 3 {
			b := beginning{cold: begin, point: begin}
			if agrees, err := v.run(t.Context(), b, walk(d, b, draw, 40)); err != nil || !agrees {
				t.Errorf("%d in %+v: %v %v", luck, c, err, v.report.Disagreement)
			}
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
	}
}
