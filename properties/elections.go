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
	LeaderIsTop = ours(lecture, Invariant("leader-is-top", "a live process knows no leader, or top",
		each(func(w *model.World, p spec.ID) error {
			return followsTop(w, p)
		})))

	LeaderIsTopOrCrashed = ours(lecture+", but for crashes that nobody can know of yet",
		Invariant("leader-is-top-or-crashed", "a live process knows no leader, or one that has crashed, or top",
			each(func(w *model.World, p spec.ID) error {
				if l := w.Leader(p); l >= 1 && int(l) <= w.N() && !w.Live().Has(l) {
					return nil
				}
				return followsTop(w, p)
			})))

	WinnerIsTop = ours("", Invariant("winner-is-top", "a live process that follows itself is top",
		each(func(w *model.World, p spec.ID) error {
			if w.Leader(p) == p && p != w.Top() {
				return fmt.Errorf("process %v follows itself, but %v is top", p, w.Top())
			}
			return nil
		})))

	TakeoverByTop = ours("", EveryStep("takeover-by-top", "a process that begins to follow itself is top",
		func(before, after *model.World) error {
			for p := range after.Live().All() {
				if after.Leader(p) == p && before.Leader(p) != p && p != after.Top() {
					return fmt.Errorf("process %v begins to follow itself, but %v is top", p, after.Top())
				}
			}
			return nil
		}))

	OneLeader = ours("", Invariant("one-leader", "at most one live process follows itself",
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

	LeaderTookPart = ours("", Invariant("leader-took-part", "the leader of a live process took part in the election", each(tookPart)))

	Agreement = ours("", Quiescent("agreement", "all live processes follow the same one", agree))

	AgreementOnTop = ours("", Quiescent("agreement-on-top", "all live processes follow top",
		each(func(w *model.World, p spec.ID) error {
			if err := knowsLeader(w, p); err != nil {
				return err
			}
			return followsTop(w, p)
		})))

	TopWon = ours("", Quiescent("top-won", "if any process began, top follows itself",
		func(w *model.World) error {
			if top := w.Top(); top != spec.None && w.Leader(top) != top {
				return fmt.Errorf("process %v ought to have won, but follows %v", top, w.Leader(top))
			}
			return nil
		}))

	NoDeadlock = ours("", Quiescent("no-deadlock", "no live process is left waiting, and no message undelivered", stuck))

	LeaderEventually = ours("the lecture's Liveness", Property{Name: "leader-eventually", Doc: "a process that knows no leader eventually knows one, or crashes", Kind: Liveness,
		runs: func(n int) *ltl.Formula { return forEach(n, "[]<>(!up(p) | knows(p))") }})

	StableLeader = Property{Name: "stable-leader", Doc: "from some point on every live process follows top", Kind: Liveness,
		runs: formula("<>[]agreement-on-top")}

	Termination = Property{Name: "termination", Doc: "every run comes to rest", Kind: Liveness, runs: formula("<>[]rest")}

	MessagesBounded = Property{Name: "messages-bounded", Doc: "the number of messages of a run is bounded", Kind: Messages, most: -1}

	CanElect = ours("", Cover("can-elect", "some process knows a leader",
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
var All = []Property{LeaderIsTop, LeaderIsTopOrCrashed, WinnerIsTop, TakeoverByTop, OneLeader, LeaderTookPart, Agreement, AgreementOnTop, TopWon, NoDeadlock, LeaderEventually, StableLeader, Termination, MessagesBounded, CanElect}

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
		return append(props, CanElect), notes
	}
	props = []Property{LeaderIsTop, LeaderIsTopOrCrashed, WinnerIsTop, TakeoverByTop, OneLeader, LeaderTookPart}
	if m.Traits().Unannounced {
		props = append(props, TopWon)
	} else {
		props = append(props, Agreement, AgreementOnTop, LeaderEventually)
	}
	props = append(props, NoDeadlock, Termination)
	props = append(append(props, Claims(m)...), CanElect)
	switch {
	case c.Recoveries > 0:
		for _, p := range []Property{LeaderIsTop, LeaderIsTopOrCrashed, WinnerIsTop} {
			notes[p.Name] = "does not count: the return of a larger process is enough to make it false; takeover-by-top forgives that"
		}
	case c.Crashes > 0 || c.Start == model.LeaderDown:
		notes[LeaderIsTop.Name] = "does not count: a crash of the leader is enough to make it false; leader-is-top-or-crashed forgives that"
	}
	if c.Recoveries == 0 { // where it would say the same as winner-is-top
		props = slices.DeleteFunc(props, func(p Property) bool { return p.Name == TakeoverByTop.Name })
	}
	return props, notes
}

// ofStates are those of which a formula can speak.
var ofStates = []Property{LeaderIsTop, LeaderIsTopOrCrashed, WinnerIsTop, OneLeader, LeaderTookPart, Agreement, AgreementOnTop, TopWon, NoDeadlock, CanElect}

// Named returns the property with a name: one of All, a claim of the machine, a property with a
// number in its name, as from AtMost, CompleteWithin and AgreementWithin, or a Formula.
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
	name = unaliased(name)
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
		if _, err := fmt.Sscanf(strings.ToLower(name), format, &n); err == nil && n > 0 && n <= of.most && strings.EqualFold(fmt.Sprintf(format, n), name) {
			return of.property(n), true
		}
	}
	return Property{}, false
}

// numbered are the properties with a number in their name, from 1 to most.
var numbered = map[string]struct {
	property func(n int) Property
	most     int
}{
	"messages-bounded(%d)": {AtMost, math.MaxInt},
	"complete-within(%d)":  {CompleteWithin, maxCalm},
	"agreement-within(%d)": {AgreementWithin, maxCalm},
}

// aliases are names by which files and commands may ask for a property, too. Those of numbered
// stand for all numbers.
var aliases = map[string]string{
	"S-lit": "leader-is-top", "S-lmax": "leader-is-top-or-crashed", "S-self": "winner-is-top",
	"S-win": "takeover-by-top", "S-uniq": "one-leader", "S-valid": "leader-took-part",
	"Q-agree": "agreement", "Q-max": "agreement-on-top", "Q-won": "top-won", "Q-idle": "no-deadlock",
	"L1": "leader-eventually", "L2": "stable-leader", "T": "termination", "M": "messages-bounded",
	"C-elected": "can-elect", "LE1": "complete-within", "LE2": "agreement-within",
}

// Alias returns the other name of a property, or "": "S-lit" for "leader-is-top", "LE1" for
// "complete-within".
func Alias(name string) string {
	for alias, of := range aliases {
		if of == name {
			return alias
		}
	}
	return ""
}

// Numbered reports whether a number in brackets belongs to a name, as in messages-bounded(9).
func Numbered(stem string) bool {
	_, ok := numbered[strings.ToLower(unaliased(stem))+"(%d)"]
	return ok
}

// unaliased returns the name that an alias stands for; any other name as it is.
func unaliased(name string) string {
	stem, _, _ := strings.Cut(name, "(")
	for alias, of := range aliases {
		if strings.EqualFold(alias, stem) {
			return of + name[len(stem):]
		}
	}
	return name
}

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
