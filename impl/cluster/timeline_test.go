package cluster

import (
	"testing"
	"time"

	"interleave/spec"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func at(ms int) time.Time { return epoch.Add(time.Duration(ms) * time.Millisecond) }

func came(ms int, p spec.ID) Moment       { return Moment{at(ms), p, Came, 0} }
func died(ms int, p spec.ID) Moment       { return Moment{at(ms), p, Died, 0} }
func follows(ms int, p, l spec.ID) Moment { return Moment{at(ms), p, Follows, l} }

// elected is three processes that come to follow the third at 10.
func elected(more ...Moment) []Moment {
	return append([]Moment{came(0, 1), came(0, 2), came(0, 3), follows(5, 3, 3), follows(7, 2, 3), follows(10, 1, 3)}, more...)
}

func TestFollow(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	for _, c := range []struct {
		about   string
		moments []Moment
		want    Course
		took    []int
	}{
		{"nothing", nil, Course{}, nil},
		{"one election", elected(), Course{Agreements: 1}, nil},
		{"a kill and the next leader", elected(died(100, 3), follows(150, 2, 2), follows(170, 1, 2)),
			Course{Agreements: 2, Kills: 1, Split: Spells{Count: 1, Total: ms(20), Longest: ms(20)}}, []int{70}},
		{"the reports come in any order", elected(follows(170, 1, 2), died(100, 3), follows(150, 2, 2)),
			Course{Agreements: 2, Kills: 1, Split: Spells{Count: 1, Total: ms(20), Longest: ms(20)}}, []int{70}},
		{"a kill of one that nobody follows", elected(died(100, 1)), Course{Agreements: 1, Deaths: 1}, nil},
		{"a kill that nothing comes after", elected(died(100, 3), follows(150, 2, 2)),
			Course{Agreements: 1, Kills: 1, Unanswered: 1, Split: Spells{Count: 1, Total: ms(850), Longest: ms(850)}}, nil},
		{"they wait for the dead one to come back", elected(died(100, 3), came(200, 3), follows(220, 3, 3)),
			Course{Agreements: 2, Kills: 1}, []int{120}},
		{"two follow themselves", elected(follows(100, 2, 2), follows(130, 2, 3)),
			Course{Agreements: 2, Split: Spells{Count: 1, Total: ms(30), Longest: ms(30)}, Rivals: Spells{Count: 1, Total: ms(30), Longest: ms(30)}}, nil},
		{"a word of one that is dead counts for nothing", elected(died(100, 1), follows(101, 1, 1), came(200, 1), follows(210, 1, 3)),
			Course{Agreements: 2, Deaths: 1}, nil},
		{"a paused one has no say", elected(Moment{at(100), 3, Stood, 0}, follows(150, 2, 2), follows(170, 1, 2), Moment{at(300), 3, Went, 0}, follows(320, 3, 2)),
			Course{Agreements: 3, Split: Spells{Count: 2, Total: ms(40), Longest: ms(20)}, Rivals: Spells{Count: 1, Total: ms(20), Longest: ms(20)}}, nil},
	} {
		got := follow(3, c.moments, at(1000))
		var took []int
		for _, r := range got.After {
			took = append(took, int(r.Took.Milliseconds()))
		}
		if len(took) != len(c.took) || len(took) > 0 && took[0] != c.took[0] {
			t.Errorf("%s: recoveries of %v, not %v", c.about, took, c.took)
		}
		c.want.Deaths = max(c.want.Deaths, c.want.Kills)
		if got.Deaths != c.want.Deaths || got.Agreements != c.want.Agreements || got.Kills != c.want.Kills || got.Unanswered != c.want.Unanswered || got.Split != c.want.Split || got.Rivals != c.want.Rivals {
			t.Errorf("%s: %+v, not %+v", c.about, got, c.want)
		}
	}
}

func TestTimes(t *testing.T) {
	recoveries := func(all ...time.Duration) (c Course) {
		for _, d := range all {
			c.After = append(c.After, Recovery{Took: d})
		}
		return c
	}
	for _, c := range []struct {
		course        Course
		median, worst time.Duration
	}{
		{recoveries(), 0, 0}, {recoveries(3), 3, 3}, {recoveries(9, 1), 5, 9}, {recoveries(9, 1, 2), 2, 9},
	} {
		if median, worst := c.course.Times(); median != c.median || worst != c.worst {
			t.Errorf("%v: %v and %v", c.course.After, median, worst)
		}
	}
}

func TestForemost(t *testing.T) {
	v := newView(4)
	for _, m := range []Moment{came(0, 1), came(0, 2), came(0, 3), came(0, 4)} {
		v.take(m)
	}
	if v.foremost() != spec.None {
		t.Error("somebody is foremost where nobody follows anybody")
	}
	for _, m := range []Moment{follows(1, 1, 2), follows(1, 2, 2), follows(1, 3, 4), follows(1, 4, 4)} {
		v.take(m)
	}
	if got := v.foremost(); got != 4 {
		t.Errorf("%v is foremost", got)
	}
	v.take(follows(2, 3, 2))
	if got := v.foremost(); got != 2 {
		t.Errorf("%v is foremost", got)
	}
	v.take(died(3, 2))
	if got := v.foremost(); got != 4 {
		t.Errorf("%v is foremost", got)
	}
}

func TestProperties(t *testing.T) {
	all := []property{agreement, agreementOnTop, topWon, oneLeader}
	for _, c := range []struct {
		about   string
		up      spec.Set
		leaders map[spec.ID]spec.ID
		want    []string // of all
	}{
		{"all follow the largest", spec.UpTo(3), map[spec.ID]spec.ID{1: 3, 2: 3, 3: 3}, []string{"", "", "", ""}},
		{"all follow another", spec.UpTo(3), map[spec.ID]spec.ID{1: 2, 2: 2, 3: 2},
			[]string{"", "process 1 follows 2, and not 3", "process 3 follows 2, and not itself", ""}},
		{"one follows nobody", spec.UpTo(3), map[spec.ID]spec.ID{1: 3, 2: 0, 3: 3}, []string{"process 2 follows nobody", "process 2 follows none, and not 3", "", ""}},
		{"two camps", spec.UpTo(3), map[spec.ID]spec.ID{1: 3, 2: 2, 3: 3},
			[]string{"process 1 follows 3, and process 2 follows 2", "process 2 follows 2, and not 3", "", "{2 3} follow themselves"}},
		{"they follow one that is down", spec.SetOf(1, 2), map[spec.ID]spec.ID{1: 3, 2: 3},
			[]string{"process 1 follows 3, which is down", "process 1 follows 3, and not 2", "process 2 follows 3, and not itself", ""}},
		{"nobody is left", 0, nil, []string{"no process is up", "no process is up", "no process is up", "no process is up"}},
	} {
		f := final{n: 3, up: c.up, leaders: c.leaders, top: c.up.Max()}
		for i, p := range all {
			if got := text(p.judge(f)); got != c.want[i] {
				t.Errorf("%s: %s: %q, not %q", c.about, p.name, got, c.want[i])
			}
		}
	}
}
