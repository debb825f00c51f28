package cluster

import (
	"fmt"
	"slices"
	"time"

	"interleave/spec"
)

// news sorts what happened by time before it is told, since logs are read a little later than
// they are written. It uses follow to tell what the moments amount to, so there is a line for
// each agreement that is counted.
type news struct {
	brief   time.Duration // a loss of agreement that lasts no longer is not told of
	moments []Moment      // all, in order
	taken   int           // so many of them are told
	waiting []Occasion    // in order
	horizon time.Time     // all until then is told

	view   *view
	agreed spec.ID   // whom all live processes follow
	last   spec.ID   // whom they followed last
	lost   time.Time // since when they do not agree any more; zero: they do, or it is told, or they never did
}

// add takes in a moment. One that comes after the news of its time were told
// counts as of then.
func (s *news) add(m Moment) {
	if m.Time.Before(s.horizon) {
		m.Time = s.horizon
	}
	i := len(s.moments)
	for i > s.taken && m.Time.Before(s.moments[i-1].Time) {
		i--
	}
	s.moments = slices.Insert(s.moments, i, m)
}

// put lets an occasion wait for its turn.
func (s *news) put(o Occasion) {
	i := len(s.waiting)
	for i > 0 && o.Time.Before(s.waiting[i-1].Time) {
		i--
	}
	s.waiting = slices.Insert(s.waiting, i, o)
}

// until returns what is to be told of the time until then, in order.
func (s *news) until(horizon time.Time) (told []Occasion) {
	for s.taken < len(s.moments) && !s.moments[s.taken].Time.After(horizon) {
		m := s.moments[s.taken]
		s.taken++
		s.doubt(m.Time)
		s.view.take(m)
		s.compare(m.Time)
	}
	s.doubt(horizon)
	s.horizon = horizon
	n := 0
	for n < len(s.waiting) && !s.waiting[n].Time.After(horizon) {
		n++
	}
	told, s.waiting = slices.Clone(s.waiting[:n]), slices.Delete(s.waiting, 0, n)
	return told
}

// compare looks whether the processes have come to agree, or do no longer.
func (s *news) compare(now time.Time) {
	agreed := s.view.agreed()
	switch {
	case agreed != spec.None && agreed != s.agreed:
		again := ""
		if agreed == s.last {
			again = " again"
		}
		who, verb := "the one live process", "follows"
		if n := s.view.live().Len(); n > 1 {
			who, verb = fmt.Sprintf("all %d live processes", n), "follow"
		}
		s.put(Occasion{Time: now, What: "agreed", Process: agreed, Text: fmt.Sprintf("%s %s %v%s", who, verb, agreed, again)})
		s.last, s.lost = agreed, time.Time{}
	case agreed == spec.None && s.agreed != spec.None:
		s.lost = now
	}
	s.agreed = agreed
}

// doubt tells that there is no agreement any more, once that has lasted.
func (s *news) doubt(now time.Time) {
	due := s.lost.Add(s.brief)
	if s.lost.IsZero() || now.Before(due) {
		return
	}
	s.put(Occasion{Time: due, What: "disagreed", Text: fmt.Sprintf("the live processes have not agreed for %v", s.brief)})
	s.lost = time.Time{}
}
