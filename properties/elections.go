package properties

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"interleave/explore/ltl"
	"interleave/model"
	"interleave/spec"
)

const lecture = "the lecture's Safety"

// What elections must guarantee. L(p) is the leader in the eyes of p; top is the
// process that ought to win: the largest live one, or the smallest initiator.
var (
	SLit = ours(lecture, Invariant("S-lit", "a live process knows no leader, or top",
		each(func(w *model.World, p spec.ID) error {
			return followsTop(w, p)
		})))

	SLmax = ours(lecture+", but for crashes that nobody can know of yet",
		Invariant("S-lmax", "a live process knows no leader, or one that has crashed, or top",
			each(func(w *model.World, p spec.ID) error {
				if l := w.Leader(p); l >= 1 && int(l) <= w.N() && !w.Live().Has(l) {
					return nil
				}
				return followsTop(w, p)
			})))

	SSelf = ours("", Invariant("S-self", "a live process that follows itself is top",
		each(func(w *model.World, p spec.ID) error {
			if w.Leader(p) == p && p != w.Top() {
				return fmt.Errorf("process %v follows itself, but %v is top", p, w.Top())
			}
			return nil
		})))

	SWin = ours("", EveryStep("S-win", "a process that begins to follow itself is top",
		func(before, after *model.World) error {
			for p := range after.Live().All() {
				if after.Leader(p) == p && before.Leader(p) != p && p != after.Top() {
					return fmt.Errorf("process %v begins to follow itself, but %v is top", p, after.Top())
				}
			}
			return nil
		}))

	SUniq = ours("", Invariant("S-uniq", "at most one live process follows itself",
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

	SValid = ours("", Invariant("S-valid", "the leader of a live process took part in the election", each(tookPart)))

	QAgree = ours("", Quiescent("Q-agree", "all live processes follow the same one", agree))

	QMax = ours("", Quiescent("Q-max", "all live processes follow top",
		each(func(w *model.World, p spec.ID) error {
			if err := knowsLeader(w, p); err != nil {
				return err
			}
			return followsTop(w, p)
		})))

	QWon = ours("", Quiescent("Q-won", "if any process began, top follows itself",
		func(w *model.World) error {
			if top := w.Top(); top != spec.None && w.Leader(top) != top {
				return fmt.Errorf("process %v ought to have won, but follows %v", top, w.Leader(top))
			}
			return nil
		}))

	QIdle = ours("", Quiescent("Q-idle", "no deadlock: no live process is left waiting, and no message undelivered", stuck))

	L1 = ours("the lecture's Liveness", Property{Name: "L1", Doc: "a process that knows no leader eventually knows one, or crashes", Kind: Liveness,
		runs: func(n int) *ltl.Formula { return forEach(n, "[]<>(!up(p) | knows(p))") }})

	L2 = Property{Name: "L2", Doc: "from some point on every live process follows top", Kind: Liveness,
		runs: formula("<>[]Q-max")}

	T = Property{Name: "T", Doc: "every run comes to rest", Kind: Liveness, runs: formula("<>[]rest")}

	M = Property{Name: "M", Doc: "the number of messages of a run is bounded", Kind: Messages, most: -1}

	CElected = ours("", Cover("C-elected", "some process knows a leader",
		func(w *model.World) bool {
			for p := range w.Live().All() {
				if w.Leader(p) != spec.None {
					return true
				}
			}
			return false
		}))
)

// All lists the properties that come with Interleave.
var All = []Property{SLit, SLmax, SSelf, SWin, SUniq, SValid, QAgree, QMax, QWon, QIdle, L1, L2, T, M, CElected}

// NoPanic is checked always, and reported when false.
var NoPanic = Property{Name: "no-panic", Doc: "no handler panics", Kind: StepWise}

// Standard returns the properties to check when none are named, each with a note if it does not
// count towards the verdict. A promise that is no property is left out; Check refuses it.
func Standard(m spec.Machine, c model.Config) (props []Property, notes map[string]string) {
	notes = map[string]string{}
	if promises := m.Traits().Promises; promises != nil {
		for _, name := range promises {
			if p, ok := Named(m, name); ok {
				props = append(props, p)
			}
		}
		return append(props, CElected), notes
	}
	props = []Property{SLit, SLmax, SSelf, SWin, SUniq, SValid}
	if m.Traits().Unannounced {
		props = append(props, QWon)
	} else {
		props = append(props, QAgree, QMax, L1)
	}
	props = append(props, QIdle, T)
	props = append(append(props, Claims(m)...), CElected)
	switch {
	case c.Recoveries > 0:
		for _, p := range []Property{SLit, SLmax, SSelf} {
			notes[p.Name] = "does not count: the return of a larger process is enough to make it false; S-win forgives that"
		}
	case c.Crashes > 0 || c.Start == model.LeaderDown:
		notes[SLit.Name] = "does not count: a crash of the leader is enough to make it false; S-lmax forgives that"
	}
	if c.Recoveries == 0 { // where it would say the same as S-self
		props = slices.DeleteFunc(props, func(p Property) bool { return p.Name == SWin.Name })
	}
	return props, notes
}

// ofStates are those of which a formula can speak.
var ofStates = []Property{SLit, SLmax, SSelf, SUniq, SValid, QAgree, QMax, QWon, QIdle, CElected}

// Named returns the property with a name: one of All, a claim of the machine, a property with a
// number in its name, as from AtMost, Served and Settled, or a Formula.
func Named(m spec.Machine, name string) (Property, bool) {
	for _, p := range Claims(m) {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	return common(name)
}

// Reserved reports whether a name means the same for every machine, so that no claim, and no
// property of a program, may have it.
func Reserved(name string) bool {
	_, known := common(name)
	return known || strings.EqualFold(name, NoPanic.Name)
}

// common returns the property with a name that does not depend on the machine.
func common(name string) (Property, bool) {
	for _, p := range All {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	if p, err := Formula(name); err == nil {
		return p, true
	}
	var n int
	for format, of := range numbered {
		if _, err := fmt.Sscanf(strings.ToUpper(name), format, &n); err == nil && n > 0 && n <= of.most && strings.EqualFold(fmt.Sprintf(format, n), name) {
			return of.property(n), true
		}
	}
	return Property{}, false
}

// numbered are the properties with a number in their name, from 1 to most.
var numbered = map[string]struct {
	property func(n int) Property
	most     int
}{"M(%d)": {AtMost, math.MaxInt}, "LE1(%d)": {Served, maxCalm}, "LE2(%d)": {Settled, maxCalm}}

// ours returns a property that comes with Interleave.
func ours(source string, p Property) Property {
	p.Source, p.ours = source, true
	return p
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

func stuck(w *model.World) error {
	for p := range w.Live().All() {
		if !w.Idle(p) {
			return fmt.Errorf("process %v waits forever (%+v)", p, w.State(p))
		}
	}
	for p, e := range w.InFlight() {
		return fmt.Errorf("process %v refuses %v from %v forever", p, e.Message, e.From)
	}
	return nil
}
