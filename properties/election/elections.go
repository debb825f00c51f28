package election

import (
	"fmt"
	"slices"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

const lecture = "the lecture's Safety"

// What elections must guarantee. L(p) is the leader in the eyes of p; top is the
// process that ought to win: the largest live one, or the smallest initiator.
var (
	LeaderIsTop = ofElections(lecture, properties.Invariant("leader-is-top", "a live process knows no leader, or top",
		each(func(w *model.World, p spec.ID) error {
			return followsTop(w, p)
		})))

	LeaderIsTopOrCrashed = ofElections(lecture+", but for crashes that nobody can know of yet",
		properties.Invariant("leader-is-top-or-crashed", "a live process knows no leader, or one that has crashed, or top",
			each(func(w *model.World, p spec.ID) error {
				if l := w.Leader(p); l >= 1 && int(l) <= w.N() && !w.Live().Has(l) {
					return nil
				}
				return followsTop(w, p)
			})))

	WinnerIsTop = ofElections("", properties.Invariant("winner-is-top", "a live process that follows itself is top",
		each(func(w *model.World, p spec.ID) error {
			if w.Leader(p) == p && p != w.Top() {
				return fmt.Errorf("process %v follows itself, but %v is top", p, w.Top())
			}
			return nil
		})))

	TakeoverByTop = ofElections("", properties.EveryStep("takeover-by-top", "a process that begins to follow itself is top",
		func(before, after *model.World) error {
			for p := range after.Live().All() {
				if after.Leader(p) == p && before.Leader(p) != p && p != after.Top() {
					return fmt.Errorf("process %v begins to follow itself, but %v is top", p, after.Top())
				}
			}
			return nil
		}))

	OneLeader = ofElections("", properties.Invariant("one-leader", "at most one live process follows itself",
		func(w *model.World) error {
			first := spec.None
			for p := range w.Live().All() {
				if w.Leader(p) != p {
					continue
				}
				if first != spec.None {
					return fmt.Errorf("processes %v and %v both follow themselves", first, p)
				}
				first = p
			}
			return nil
		}))

	LeaderTookPart = ofElections("", properties.Invariant("leader-took-part", "the leader of a live process took part in the election", each(tookPart)))

	Agreement = ofElections("", properties.Quiescent("agreement", "all live processes follow the same one", agree))

	AgreementOnTop = ofElections("", properties.Quiescent("agreement-on-top", "all live processes follow top",
		each(func(w *model.World, p spec.ID) error {
			if err := knowsLeader(w, p); err != nil {
				return err
			}
			return followsTop(w, p)
		})))

	TopWon = ofElections("", properties.Quiescent("top-won", "if any process began, top follows itself",
		func(w *model.World) error {
			if top := w.Top(); top != spec.None && w.Leader(top) != top {
				return fmt.Errorf("process %v ought to have won, but follows %v", top, w.Leader(top))
			}
			return nil
		}))

	LeaderEventually = ofElections("the lecture's Liveness", Predicates.ForEach("leader-eventually", "a process that knows no leader eventually knows one, or crashes",
		"[]<>(!up(p) | knows(p))"))

	StableLeader = ofElections("", temporal("stable-leader", "from some point on every live process follows top", "<>[]agreement-on-top"))

	CanElect = ofElections("", properties.Cover("can-elect", "some process knows a leader",
		func(w *model.World) bool {
			for p := range w.Live().All() {
				if w.Leader(p) != spec.None {
					return true
				}
			}
			return false
		}))
)

// Electable is about one process that is live and follows itself, whom all others that are live follow; or know nothing of,
// if only the winner learns who won. Where nobody is live, or may win, there is nothing to elect.
var Electable = ofElections("", properties.Recoverable("electable", "a leader can always be elected again, if nothing fails any more", elected))

func elected(w *model.World) bool {
	live := w.Live()
	for p := range live.All() {
		if w.Leader(p) != p {
			continue
		}
		for q := range live.All() {
			if l := w.Leader(q); l != p && !(l == spec.None && w.Unannounced()) {
				return false
			}
		}
		return true
	}
	return live.Len() == 0 || w.InitiatorsWin() && w.Initiators().Len() == 0
}

// ofElections returns p as a property that only elections have, and its source.
func ofElections(source string, p properties.Property) properties.Property {
	return properties.Library(source, p).For(func(t spec.Traits) error {
		switch {
		case !t.Elects:
			return fmt.Errorf("%s is a property of elections, and %s elects nobody: leave it out", p.Name, t.Name)
		case t.Wins == spec.Anyone && ofTop(p.Name):
			return fmt.Errorf("%s is about the process that ought to win, and %s may elect any: leave it out", p.Name, t.Name)
		}
		return nil
	})
}

// ofTop reports whether a property is about the process that ought to win.
func ofTop(name string) bool {
	return slices.Contains([]string{"leader-is-top", "leader-is-top-or-crashed", "winner-is-top", "takeover-by-top", "agreement-on-top", "top-won", "stable-leader"}, name)
}

// each states something about every live process.
func each(holds func(w *model.World, p spec.ID) error) func(*model.World) error {
	return func(w *model.World) error {
		for p := range w.Live().All() {
			if err := holds(w, p); err != nil {
				return err
			}
		}
		return nil
	}
}

func knowsLeader(w *model.World, p spec.ID) error {
	if w.Leader(p) == spec.None {
		return fmt.Errorf("process %v knows no leader", p)
	}
	return nil
}

func followsTop(w *model.World, p spec.ID) error {
	if l := w.Leader(p); l != spec.None && l != w.Top() {
		return fmt.Errorf("process %v follows %v, but %v is top", p, l, w.Top())
	}
	return nil
}

func tookPart(w *model.World, p spec.ID) error {
	l := w.Leader(p)
	switch {
	case l == spec.None:
		return nil
	case l < 1 || int(l) > w.N():
		return fmt.Errorf("process %v follows %d, which does not exist", p, int(l))
	case !w.Started(l):
		return fmt.Errorf("process %v follows %v, which has not started", p, l)
	case w.InitiatorsWin() && w.Live().Has(l) && !w.Initiators().Has(l):
		return fmt.Errorf("process %v follows %v, which is not an initiator", p, l)
	}
	return nil
}

func agree(w *model.World) error {
	first := w.Live().Min()
	for p := range w.Live().All() {
		if err := knowsLeader(w, p); err != nil {
			return err
		}
		if w.Leader(p) != w.Leader(first) {
			return fmt.Errorf("process %v follows %v, but %v follows %v", first, w.Leader(first), p, w.Leader(p))
		}
	}
	return nil
}
