package cluster

import (
	"cmp"
	"slices"
	"time"

	"interleave/spec"
)

// Moment is something that happened to one process, or that it reported.
type Moment struct {
	Time    time.Time
	Process spec.ID
	What    What
	Leader  spec.ID // Follows: whom it follows from now on
}

// What is a kind of moment.
type What uint8

const (
	Came    What = iota // it was started, and follows nobody
	Died                // it was killed, or ended
	Stood               // it was paused
	Went                // it was resumed
	Follows             // it reports a leader
)

// view is who is up and who follows whom.
type view struct {
	n       int
	up      spec.Set // those that run, paused ones too
	paused  spec.Set
	leaders map[spec.ID]spec.ID
}

func newView(n int) *view { return &view{n: n, leaders: map[spec.ID]spec.ID{}} }

func (v *view) take(m Moment) {
	switch m.What {
	case Came:
		v.up, v.paused = v.up.With(m.Process), v.paused.Without(m.Process)
		v.leaders[m.Process] = spec.None
	case Died:
		v.up, v.paused = v.up.Without(m.Process), v.paused.Without(m.Process)
		v.leaders[m.Process] = spec.None
	case Stood:
		v.paused = v.paused.With(m.Process)
	case Went:
		v.paused = v.paused.Without(m.Process)
	case Follows:
		v.leaders[m.Process] = m.Leader
	}
}

// live returns the processes that are up and not paused.
func (v *view) live() spec.Set { return v.up &^ v.paused }

// agreed returns the live process that all live processes follow, none if
// there is none.
func (v *view) agreed() spec.ID {
	leader := spec.None
	for p := range v.live().All() {
		if leader == spec.None {
			leader = v.leaders[p]
		}
		if l := v.leaders[p]; l != leader || !v.live().Has(l) {
			return spec.None
		}
	}
	return leader
}

// split reports whether two live processes follow different ones.
func (v *view) split() bool {
	seen := spec.Set(0)
	for p := range v.live().All() {
		if l := v.leaders[p]; l != spec.None {
			seen = seen.With(l)
		}
	}
	return seen.Len() > 1
}

// rivals reports whether two live processes both follow themselves.
func (v *view) rivals() bool {
	selves := spec.Set(0)
	for p := range v.live().All() {
		if v.leaders[p] == p {
			selves = selves.With(p)
		}
	}
	return selves.Len() > 1
}

// foremost returns the live process that most live ones follow, the largest
// such, none if nobody follows a live one.
func (v *view) foremost() spec.ID {
	votes := map[spec.ID]int{}
	for p := range v.live().All() {
		if l := v.leaders[p]; v.live().Has(l) {
			votes[l]++
		}
	}
	best := spec.None
	for l := range spec.UpTo(v.n).All() {
		if votes[l] > 0 && votes[l] >= votes[best] {
			best = l
		}
	}
	return best
}

// Course is the result of a run, by its moments.
type Course struct {
	Agreements int        // how often all live processes came to follow the same live one
	Deaths     int        // of processes, killed or failed
	Kills      int        // of them, those of a process that was agreed on
	After      []Recovery // of those, in order: when the next was agreed on
	Unanswered int        // how many of those kills no agreement came after, until the next of them or the end
	Split      Spells     // two live processes followed different ones
	Rivals     Spells     // two live processes both followed themselves
}

// Recovery is how long it took from the death of an agreed leader until all
// live processes agreed on a live one.
type Recovery struct {
	Killed spec.ID
	Leader spec.ID // the next
	Took   time.Duration
}

// Spells are the times during which something was so.
type Spells struct {
	Count   int
	Total   time.Duration
	Longest time.Duration
	since   time.Time // start of the current one
}

func (s *Spells) take(is bool, at time.Time) {
	switch {
	case is && s.since.IsZero():
		s.Count++
		s.since = at
	case !is && !s.since.IsZero():
		took := at.Sub(s.since)
		s.Total += took
		s.Longest = max(s.Longest, took)
		s.since = time.Time{}
	}
}

// follow returns what the moments of a run of n processes come to, up to its
// end. Their order is that of their times; those of the same time are taken as
// they come.
func follow(n int, moments []Moment, end time.Time) Course {
	moments = slices.Clone(moments)
	slices.SortStableFunc(moments, func(a, b Moment) int { return cmp.Compare(a.Time.UnixNano(), b.Time.UnixNano()) })
	var c Course
	v := newView(n)
	agreed := spec.None
	var killed struct {
		leader spec.ID
		at     time.Time
	}
	for _, m := range moments {
		if m.What == Died {
			c.Deaths++
		}
		if m.What == Died && m.Process == agreed {
			if c.Kills++; killed.leader != spec.None {
				c.Unanswered++
			}
			killed.leader, killed.at = m.Process, m.Time
		}
		v.take(m)
		now := v.agreed()
		if now != spec.None && now != agreed {
			c.Agreements++
		}
		if now != spec.None && killed.leader != spec.None {
			c.After = append(c.After, Recovery{killed.leader, now, m.Time.Sub(killed.at)})
			killed.leader = spec.None
		}
		agreed = now
		c.Split.take(v.split(), m.Time)
		c.Rivals.take(v.rivals(), m.Time)
	}
	if killed.leader != spec.None {
		c.Unanswered++
	}
	c.Split.take(false, end)
	c.Rivals.take(false, end)
	return c
}

// Times returns the median and the longest of the recoveries, 0 for none.
func (c Course) Times() (median, worst time.Duration) {
	if len(c.After) == 0 {
		return 0, 0
	}
	all := make([]time.Duration, len(c.After))
	for i, r := range c.After {
		all[i] = r.Took
	}
	slices.Sort(all)
	mid := len(all) / 2
	if len(all)%2 == 0 {
		return (all[mid-1] + all[mid]) / 2, all[len(all)-1]
	}
	return all[mid], all[len(all)-1]
}
