package cluster

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"interleave/impl/cluster/network"
	"interleave/spec"
)

// Plan is what goes wrong in a run, and when. The zero value: nothing does.
type Plan struct {
	Seed   uint64
	Faults network.Faults // of the network, from the beginning
	Events []Event
}

// Event is something that a plan does at one time, or again and again.
type Event struct {
	At    time.Duration // after the beginning
	Every time.Duration // and then again after so long, until the end; 0: once
	For   time.Duration // undone after so long; 0: never
	Action
}

// Action is what an event does.
type Action struct {
	Verb    Verb
	Request string       // act: the name of an action, and its value in JSON if it takes one; without, one by chance. Random: any
	Sides   []Some       // act, kill, restart, pause, resume: one; partition: two or more; cut: from, to
	Rate    network.Rate // loss, duplicate, reorder
	Delay   network.Span // delay
}

// Verb is a kind of action.
type Verb string

const (
	Act       Verb = "act"       // asks processes for an action, as a client does
	Kill      Verb = "kill"      // kill -9; undone by a restart
	Restart   Verb = "restart"   // of killed ones
	Pause     Verb = "pause"     // SIGSTOP; undone by SIGCONT
	Resume    Verb = "resume"    // SIGCONT
	Partition Verb = "partition" // nothing passes between the sides
	Cut       Verb = "cut"       // nothing passes from the first side to the second; the way back is open
	Heal      Verb = "heal"      // ends every partition and cut
	Loss      Verb = "loss"      // from now on; undone: what the plan begins with
	Duplicate Verb = "duplicate" // likewise
	Reorder   Verb = "reorder"   // likewise
	Delay     Verb = "delay"     // likewise
)

// Verbs lists them.
var Verbs = []Verb{Act, Kill, Restart, Pause, Resume, Partition, Cut, Heal, Loss, Duplicate, Reorder, Delay}

// words are those that may stand for processes in the action of a verb.
var words = map[Verb][]string{
	Act:       {Leader, Random, Several, All},
	Kill:      {Leader, Random, Several, All},
	Restart:   {Killed},
	Pause:     {Leader, Random, Several, All},
	Resume:    {Paused},
	Partition: {Leader, Random, Several, Others},
	Cut:       {Leader, Random, Several, Others},
}

// Some is some processes: those of a set, or if a word is given, those for
// which it stands when the event happens.
type Some struct {
	Set  spec.Set
	Word string
}

// The words for processes.
const (
	Leader  = "leader" // the live one that most live ones follow, the largest such
	Random  = "random" // a live one by chance
	Several = "some"   // by chance, neither none nor all
	Others  = "others" // all that the other sides do not name
	All     = "all"
	Killed  = "killed"
	Paused  = "paused"
)

// maxHappenings bounds what the events of a plan come to.
const maxHappenings = 10_000

// Undoable reports whether what the verb does can be undone after a time.
func (v Verb) Undoable() bool { return v != Act && v != Restart && v != Resume && v != Heal }

// ParseAction reads what an event of n processes does: the value that a plan
// gives to a verb, as in "1,2 | 3" for a partition.
func ParseAction(verb Verb, value string, n int) (a Action, err error) {
	if a.Verb = verb; !slices.Contains(Verbs, verb) {
		return a, fmt.Errorf("there is no verb %q", verb)
	}
	switch verb {
	case Act:
		a.Request, a.Sides = value, []Some{{Word: Random}}
	case Loss, Duplicate, Reorder:
		a.Rate, err = network.ParseRate(value)
	case Delay:
		a.Delay, err = network.ParseSpan(value)
	case Heal:
		if value != All {
			err = fmt.Errorf("%q cannot be healed: write all", value)
		}
	case Partition:
		err = a.parseSides(strings.Split(value, "|"), n)
	case Cut:
		from, to, ok := strings.Cut(value, "->")
		if !ok {
			return a, fmt.Errorf("%q names no direction: write FROM -> TO, as in 1,2 -> 3", value)
		}
		err = a.parseSides([]string{from, to}, n)
	default:
		err = a.parseSides([]string{value}, n)
	}
	if err == nil {
		err = a.checkSides(n)
	}
	return a, err
}

// Ask makes an Act ask certain processes, as a plan names them; by default it asks one by chance.
func (a *Action) Ask(processes string, n int) error {
	a.Sides = nil
	return a.parseSides([]string{processes}, n)
}

func (a *Action) parseSides(sides []string, n int) error {
	for _, text := range sides {
		some, err := a.Verb.parseSome(strings.TrimSpace(text), n)
		if err != nil {
			return err
		}
		a.Sides = append(a.Sides, some)
	}
	return nil
}

func (v Verb) parseSome(text string, n int) (some Some, err error) {
	if slices.Contains(words[v], text) {
		return Some{Word: text}, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		id, err := parseID(part, n)
		switch {
		case err != nil:
			return some, fmt.Errorf("%q is none of the processes 1 to %d, nor of %s", part, n, strings.Join(words[v], ", "))
		case some.Set.Has(id):
			return some, fmt.Errorf("%v is named twice: leave one out", id)
		}
		some.Set = some.Set.With(id)
	}
	return some, nil
}

func parseID(text string, n int) (spec.ID, error) {
	for id := range spec.UpTo(n).All() {
		if id.String() == text {
			return id, nil
		}
	}
	return spec.None, errors.New("no such process")
}

// checkSides refuses a division that is none.
func (a Action) checkSides(n int) error {
	if a.Verb != Partition && a.Verb != Cut {
		return nil
	}
	if len(a.Sides) < 2 {
		return errors.New("a partition has two sides at least: write them as in 1,2 | 3, or some | others")
	}
	var named spec.Set
	seen := map[string]bool{}
	for _, s := range a.Sides {
		switch {
		case named&s.Set != 0:
			return fmt.Errorf("%v stands on two sides: leave it out of one", (named & s.Set).Min())
		case s.Word != "" && seen[s.Word]:
			return fmt.Errorf("%q stands on two sides: leave one out", s.Word)
		}
		named |= s.Set
		seen[s.Word] = s.Word != ""
	}
	switch missing := spec.UpTo(n) &^ named; {
	case len(seen) == 2 && seen[Others] && missing == 0:
		return errors.New("there are no others: leave them out")
	case (seen[Leader] || seen[Random] || seen[Several]) && (named != 0 || !seen[Others] || len(a.Sides) != 2):
		return errors.New("a side that is found out later leaves no say about the other: write others there, as in leader | others")
	case a.Verb == Partition && !seen[Others] && missing != 0:
		return fmt.Errorf("%v stands on no side: name all processes, or write others for the rest", missing.Min())
	}
	return nil
}

// check refuses what means nothing for the algorithm of a machine.
func (p Plan) check(t spec.Traits) error {
	for _, e := range p.Events {
		if e.Verb == Act {
			if err := checkRequest(t, e.Request); err != nil {
				return fmt.Errorf("%v: %w", e.Action, err)
			}
		}
		if !t.Elects && slices.ContainsFunc(e.Sides, func(s Some) bool { return s.Word == Leader }) {
			return fmt.Errorf("%v: %s elects nobody: name processes, or take %s", e.Action, t.Name, Random)
		}
	}
	return nil
}

// harmless reports whether nothing goes wrong but crashes.
func (p Plan) harmless() bool {
	return p.Faults == (network.Faults{}) && !slices.ContainsFunc(p.Events, func(e Event) bool { return e.Verb != Act && e.Verb != Kill && e.Verb != Restart })
}

// restarts reports whether the plan brings killed processes back.
func (p Plan) restarts() bool {
	return slices.ContainsFunc(p.Events, func(e Event) bool { return e.Verb == Restart || e.Verb == Kill && e.For > 0 })
}

// Check refuses what cannot be done in a run of n processes and of a length.
func (p Plan) Check(n int, length time.Duration) error {
	if err := p.Faults.Check(); err != nil {
		return err
	}
	happenings := time.Duration(0)
	for _, e := range p.Events {
		if err := e.Check(length); err != nil {
			return err
		}
		happenings++
		if e.Every > 0 {
			happenings += (length - e.At) / e.Every
		}
		if happenings > maxHappenings {
			return fmt.Errorf("the events come to more than %d: let %s happen less often", maxHappenings, e.Action)
		}
	}
	return nil
}

func (e Event) Check(length time.Duration) error {
	switch {
	case e.At < 0 || e.Every < 0 || e.For < 0:
		return fmt.Errorf("%s: a time is negative: leave it out", e.Action)
	case e.At >= length:
		return fmt.Errorf("%s happens at %v, when the run of %v is over: let it happen earlier, or the run last longer", e.Action, e.At, length)
	case e.For > 0 && !e.Verb.Undoable():
		return fmt.Errorf("%s cannot be undone: leave for out", e.Action)
	case e.Every > 0 && e.For >= e.Every:
		return fmt.Errorf("%s happens again after %v, before it is undone after %v: undo it earlier", e.Action, e.Every, e.For)
	}
	return nil
}

// Set puts the rate or delay of an action in force.
func (a Action) Set(f *network.Faults) {
	a.reset(f, network.Faults{Loss: a.Rate, Duplicate: a.Rate, Reorder: a.Rate, Delay: a.Delay})
}

// reset puts that of others in force.
func (a Action) reset(f *network.Faults, to network.Faults) {
	switch a.Verb {
	case Loss:
		f.Loss = to.Loss
	case Duplicate:
		f.Duplicate = to.Duplicate
	case Reorder:
		f.Reorder = to.Reorder
	case Delay:
		f.Delay = to.Delay
	}
}

// kills reports whether processes are killed.
func (p Plan) kills(elections int) bool {
	return elections > 0 || slices.ContainsFunc(p.Events, func(e Event) bool { return e.Verb == Kill })
}

// worst returns the longest delay that is ever in force, and which rates are
// above 0 at some time.
func (p Plan) worst() (delay time.Duration, rates map[Verb]bool) {
	rates = map[Verb]bool{}
	take := func(f network.Faults) {
		delay = max(delay, f.Delay.Max)
		for verb, rate := range map[Verb]network.Rate{Loss: f.Loss, Duplicate: f.Duplicate, Reorder: f.Reorder} {
			rates[verb] = rates[verb] || rate > 0
		}
	}
	take(p.Faults)
	for _, e := range p.Events {
		var f network.Faults
		e.Set(&f)
		take(f)
	}
	return delay, rates
}
