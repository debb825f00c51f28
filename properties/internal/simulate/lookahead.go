package simulate

import (
	"context"
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
	"slices"

	"interleave/explore"
	"interleave/model"
	"interleave/properties/internal/plan"
)

// Ahead says what was found out of what can follow suspicious states. These are where some runs of each generation end,
// first of those that come to rest without a goal or not at all, and two states on the way there.
type Ahead struct {
	States int         `json:"states"` // suspicious ones, all different
	Whole  int         `json:"whole"`  // those from which all states were looked at that can follow
	Open   map[int]int `json:"-"`      // by place of a Recoverable: those of which it is not known whether the goal can be reached
}

// ofGeneration is how many runs of a generation have suspicious states.
const ofGeneration = 16

// suspect is a state, and the run there.
type suspect struct {
	run int // its number, from 1
	way
	state model.State
}

// lookAhead searches from the suspicious states of a generation, up to the first from which there is a violation.
func (s *simulation) lookAhead(ctx context.Context, first int, results []result) error {
	suspects, err := s.suspects(ctx, first, results)
	if err != nil {
		return err
	}
	prospects := make([]prospect, len(suspects))
	n := s.parallel(ctx, len(suspects), func(worker, n int) (last bool) {
		prospects[n] = s.scouts[worker].ahead(ctx, suspects[n])
		return prospects[n].err != nil || prospects[n].found
	})
	for i, p := range prospects[:n] {
		switch {
		case p.err != nil:
			return p.err
		case ctx.Err() != nil && !p.found:
			continue
		}
		s.Ahead.States++
		if p.whole {
			s.Ahead.Whole++
		}
		for at := range s.Properties {
			if p.open>>at&1 != 0 {
				s.Ahead.Open[at]++
			}
		}
		if p.found {
			from := suspects[i]
			s.Found, err = s.shown(ctx, s.Reference.Initial()[from.start], append(from.events, p.events...), p.bit, p.region)
			if s.Found != nil {
				s.Found.Run, s.Found.Ahead = from.run, len(p.events)
			}
			return err
		}
	}
	return nil
}

// suspects returns the suspicious states of a generation that were not met before.
func (s *simulation) suspects(ctx context.Context, first int, results []result) (suspects []suspect, err error) {
	var runs [2][]int
	for i := range results {
		odd := 1
		if results[i].odd {
			odd = 0
		}
		runs[odd] = append(runs[odd], i)
	}
	chosen := evenly(runs[0], ofGeneration)
	chosen = append(chosen, evenly(runs[1], ofGeneration-len(chosen))...)
	taken := make([]recording, len(chosen))
	again := make([]result, len(chosen))
	s.parallel(ctx, len(chosen), func(worker, n int) bool {
		last := results[chosen[n]].steps
		taken[n].after = slices.Compact([]int{last / 3, 2 * last / 3, last})
		again[n] = s.walkers[worker].run(ctx, newSchedule(s.Question, first+chosen[n], &s.history), &taken[n])
		return again[n].err != nil
	})
	for n, t := range taken {
		if err := again[n].err; err != nil || ctx.Err() != nil {
			return nil, err
		}
		for i, at := range t.after {
			h := fnv.New64a()
			h.Write([]byte(t.states[i].Key()))
			if _, met := s.met[h.Sum64()]; met {
				continue
			}
			if len(s.met) >= mostSeen {
				clear(s.met)
			}
			s.met[h.Sum64()] = struct{}{}
			suspects = append(suspects, suspect{first + chosen[n] + 1, way{again[n].start, t.events[:at:at]}, t.states[i]})
		}
	}
	return suspects, nil
}

// evenly returns up to so many of the numbers, evenly spread.
func evenly(numbers []int, most int) (some []int) {
	n := min(most, len(numbers))
	for i := range n {
		some = append(some, numbers[i*len(numbers)/n])
	}
	return some
}

// prospect is what can follow a state.
type prospect struct {
	whole  bool
	open   uint64 // Recoverables, by place
	found  bool   // a violation, and then:
	bit    uint8  // its mark
	events []model.Event
	region int // if it is of a Recoverable: how many states can follow without a further fault
	err    error
}

// ahead searches from a state: first for each goal by the steps that help, and then through all that can follow.
func (w *walker) ahead(ctx context.Context, from suspect) (p prospect) {
	if p.err = w.renew(); p.err != nil {
		return p
	}
	for left := w.recoverables; left != 0 && p.err == nil; left &= left - 1 {
		w.lost(ctx, &p, from, uint8(bits.TrailingZeros64(left)))
		if p.found {
			return p
		}
	}
	if p.err == nil {
		w.all(ctx, &p, from)
	}
	return p
}

// search searches from a state by some kinds of step, or by all if helps is nil, up to a state with a mark of stop.
func (w *walker) search(ctx context.Context, from suspect, helps *[256]bool, stop uint64) (*explore.Result, error) {
	if err := w.retrace(from.way, from.state); err != nil {
		return nil, err
	}
	words, err := w.sys.Pack(from.state)
	if err != nil {
		return nil, err
	}
	part := &explore.Part{System: lent{w.sys, w.expander}, First: words, Takes: helps}
	return explore.Search(ctx, part, explore.Options{MaxStates: w.ThenVerify, Stop: stop, Ignore: ^stop})
}

// lent is a system with an expander that is used by one search after the other.
type lent struct {
	system
	expander explore.Expander
}

func (l lent) Expander() explore.Expander { return l.expander }

// walks are how many random runs look for a goal before a search does: a goal may be far, but on many ways.
const walks = 4

// walksTo reports whether a random run from a state comes to a goal by the steps that help.
func (w *walker) walksTo(from suspect, goal uint8) (bool, error) {
	if err := w.retrace(from.way, from.state); err != nil {
		return false, err
	}
	w.starts = nil // they may be packed in another way
	random := rand.New(rand.NewPCG(w.Seed, 0))
	for range walks {
		var err error
		if w.words, err = w.sys.Pack(from.state); err != nil {
			return false, err
		}
		w.depart(way{from.start, slices.Clone(from.events)})
		for range w.Steps {
			if err := w.expand(); err != nil {
				return false, err
			}
			if w.marks()>>goal&1 != 0 {
				return true, nil
			}
			var helping []int
			for k, a := range w.out.Actions {
				if w.helps[a.Kind()] {
					helping = append(helping, k)
				}
			}
			if helping == nil {
				break
			}
			w.take(helping[random.IntN(len(helping))])
		}
	}
	return false, nil
}

// lost looks whether a goal can be reached from a state by the steps that help.
func (w *walker) lost(ctx context.Context, p *prospect, from suspect, goal uint8) {
	if reached, err := w.walksTo(from, goal); reached || err != nil {
		p.err = err
		return
	}
	r, err := w.search(ctx, from, &w.helps, 1<<goal)
	if err != nil || r.Marks>>goal&1 != 0 {
		p.err = err
		return
	}
	recovery, err := r.Graph.Recovery(ctx, explore.RecoveryOptions{Goal: goal, Helps: w.helps})
	switch {
	case err != nil && ctx.Err() != nil, err == nil && recovery.First != 0:
		p.open |= 1 << goal
	case err != nil:
		p.err = err
	default:
		p.found, p.bit, p.region = true, goal, r.Stats.States
	}
}

// all looks for violations in all that can follow a state.
func (w *walker) all(ctx context.Context, p *prospect, from suspect) {
	r, err := w.search(ctx, from, nil, w.judged)
	if err != nil {
		p.err = err
		return
	}
	p.whole = r.Outcome == explore.Exhausted
	if marks := r.Marks & w.judged; marks != 0 {
		p.found, p.bit = true, uint8(bits.TrailingZeros64(marks))
		found := r.Found(p.bit)
		p.events = w.along(r.Graph, r.Graph.Path(found.State))
		if found.OnStep {
			p.events = append(p.events, w.sys.Event(r.Graph.State(found.State), found.Action))
		}
		return
	}
	ways := map[uint8]suspect{} // by goal: told before any table is thrown away
	for left := w.recoverables; left != 0; left &= left - 1 {
		goal := uint8(bits.TrailingZeros64(left))
		recovery, err := r.Graph.Recovery(ctx, explore.RecoveryOptions{Goal: goal, Helps: w.helps})
		if err != nil && ctx.Err() == nil {
			p.err = err
			return
		}
		if err != nil || recovery.First < 0 {
			continue
		}
		there := suspect{way: way{from.start, w.along(r.Graph, r.Graph.Path(recovery.First))}, state: w.sys.State(r.Graph.State(recovery.First))}
		ways[goal] = there
	}
	for left := w.recoverables; left != 0 && !p.found && p.err == nil; left &= left - 1 {
		goal := uint8(bits.TrailingZeros64(left))
		if there, is := ways[goal]; is {
			p.events = there.events
			there.events = slices.Concat(from.events, there.events)
			w.lost(ctx, p, there, goal)
		}
	}
}

// along returns the events of a path.
func (w *walker) along(g *explore.Graph, p explore.Path) (events []model.Event) {
	for i, a := range p.Actions {
		events = append(events, w.sys.Event(g.State(p.States[i]), a))
	}
	return events
}

// lostIn is a Recoverable as a run is judged by that ends in a state from which no more than so many can follow. If more can,
// the run does not count, and there is doubt.
func lostIn(p plan.Property, most int, doubt *bool) plan.Property {
	p.False = func(run *model.Run, _ int) error {
		why, sure := p.Lost(run.End(), most)
		if !sure {
			*doubt = true
			return nil
		}
		return why
	}
	return p
}

// nearest makes a run smaller at whose end a Recoverable is violated, from where so many states can follow. Smaller runs may
// end where more can: it looks at more of them only if that may make a difference. It also returns the property as the run
// is judged by it.
func (q *Question) nearest(ctx context.Context, initial model.State, events []model.Event, p plan.Property, states int) (fewer []model.Event, whole bool, judged plan.Property, err error) {
	doubt, most := false, 2*states+100
	judged = lostIn(p, most, &doubt)
	fewer, whole, err = Minimise(ctx, q.Reference, initial, events, judged)
	if doubt && err == nil && q.ThenVerify > most {
		doubt, judged = false, lostIn(p, q.ThenVerify, &doubt)
		fewer, whole, err = Minimise(ctx, q.Reference, initial, fewer, judged)
	}
	return fewer, whole && !doubt, judged, err
}
