package model

import (
	"fmt"

	"interleave/spec"
)

// ActionKind is what kind of thing happens in one step of a world.
type ActionKind uint8

const (
	Handle       ActionKind = iota // a process handles something
	Crash                          // a process crashes
	CrashMidStep                   // a process handles something, and crashes before all is sent
	Drop                           // a message to a crashed process vanishes
	Lose                           // a message is lost
	Copy                           // a message is copied
	Divide                         // the network falls into two parts
	Heal                           // the network is whole again
	Tick                           // time advances
	Round                          // all live processes take part in one lock-step round
	actionKinds                    // their number
)

// actionTable is what is known of each kind of action.
var actionTable = [actionKinds]struct {
	name   string
	counts string // the name of its steps in Stats.Fired, if that is another
	spends Budget
	cut    string // what cuts a step short, in words; empty: it is a step of its own
	about  about
	down   bool // its process goes down
}{
	Handle:       {name: "handle", about: aboutStep},
	Crash:        {name: "crash", spends: Crashes, down: true},
	CrashMidStep: {name: "break", counts: "crash between sends", spends: Crashes, cut: "crash", about: aboutStep, down: true},
	Drop:         {name: "drop", about: aboutMessage},
	Lose:         {name: "lose", spends: Losses, about: aboutMessage},
	Copy:         {name: "copy", spends: Duplicates, about: aboutMessage},
	Divide:       {name: "divide", spends: Partitions, about: aboutSide},
	Heal:         {name: "heal"},
	Tick:         {name: "tick"},
	Round:        {name: "round"},
}

// about says what an event is about, besides its process.
type about uint8

const (
	aboutNothing about = iota
	aboutStep          // what its process handles
	aboutMessage       // a message in flight to its process
	aboutSide          // how the network divides
)

func (d ActionKind) String() string { return actionTable[d].name }

// Handles reports whether a process handles something.
func (d ActionKind) Handles() bool { return actionTable[d].about == aboutStep }

// HasStep reports whether an event has a Step: what its process handles, or a message in flight to it.
func (d ActionKind) HasStep() bool { return d.Handles() || actionTable[d].about == aboutMessage }

// HasSide reports whether an event has a Side.
func (d ActionKind) HasSide() bool { return actionTable[d].about == aboutSide }

// Cuts reports whether a process handles something, and not all that it sends leaves.
func (d ActionKind) Cuts() bool { return actionTable[d].cut != "" }

// Down reports whether the process of an event goes down.
func (d ActionKind) Down() bool { return actionTable[d].down }

// Budget is a kind of fault of which the world allows a number.
type Budget uint8

const (
	Unlimited Budget = iota // no fault
	Crashes
	Recoveries
	Losses
	Duplicates
	Partitions
	Suspicions
	Budgets // number of budgets of faults

	AllBudgets = Budgets + spec.MaxActions + 1 // with those of actions that all processes do together so often
)

// spentBy is the budget of an action that all processes do together so often.
func spentBy(action int) Budget { return Budgets + Budget(action) }

// budgetTable has the name of each budget, which is that of an axis, and of one of its faults.
var budgetTable = [Budgets]struct{ name, fault string }{
	Crashes: {"crashes", "crash"}, Recoveries: {"recoveries", "return"}, Losses: {"losses", "loss"}, Duplicates: {"duplicates", "copy"},
	Partitions: {"partitions", "partition"}, Suspicions: {"suspicions", "false report"},
}

// Act returns which action a budget is of, if it is of one that all processes do together.
func (b Budget) Act() (number uint8, ok bool) { return uint8(b - Budgets), b >= Budgets }

func (b Budget) String() string {
	if b >= Budgets {
		return fmt.Sprintf("action %d", b-Budgets)
	}
	return budgetTable[b].name
}

// limits reports whether the world limits how often an action is done.
func (c *Config) limits(act spec.ActionTraits) bool { return act.Limited() && c.Times >= 0 }

// TimesOf is how often an action may be done; 0: as often as processes like.
func (c *Config) TimesOf(act spec.ActionTraits) int {
	switch {
	case !c.limits(act):
		return 0
	case c.Times > 0:
		return c.Times
	}
	return act.Times
}

// fair reports whether fairness may be assumed of what spends a budget.
func (b Budget) fair() bool { return b == Unlimited }

// helps reports whether what spends a budget is no mischief: see StepKinds.Helps.
func (b Budget) helps() bool { return b == Unlimited || b == Recoveries }

// Fault reports whether a rule is one of faults, as a crash or a lost message: they spend a budget. Fairness is never
// assumed of them.
func (r Rule) Fault() bool { return !r.Spends.fair() && r.Spends < Budgets }

// Obliged reports whether fairness may be assumed of what a rule lets happen.
func (r Rule) Obliged() bool { return !r.Optional && !r.Fault() }

// limit is where a Config has how many faults it allows.
func (c *Config) limit(b Budget) *int {
	switch b {
	case Crashes:
		return &c.Crashes
	case Recoveries:
		return &c.Recoveries
	case Losses:
		return &c.Losses
	case Duplicates:
		return &c.Duplicates
	case Partitions:
		return &c.Partitions
	case Suspicions:
		return &c.Suspicions
	}
	panic("model: there is no such budget")
}

// Limit is how many faults the world allows; 0 of Unlimited, which are none.
func (c *Config) Limit(b Budget) int {
	switch {
	case b == Unlimited:
		return 0
	case b >= Budgets:
		return int(c.together[b-Budgets])
	}
	return *c.limit(b)
}

// Env is what belongs to no process: how much of each budget is used, and how the network is
// divided.
type Env struct {
	Crashes    uint8    `json:",omitempty"` // counted only if processes may recover; otherwise it shows in who is down
	Recoveries uint8    `json:",omitempty"`
	Losses     uint8    `json:",omitempty"`
	Duplicates uint8    `json:",omitempty"`
	Suspicions uint8    `json:",omitempty"`
	Partitions uint8    `json:",omitempty"`
	Side       spec.Set `json:",omitzero"` // separated from the rest; empty: the network is whole

	Monitors string `json:",omitempty"` // their values, a JSON list in the order of Config.Monitors

	Acted [spec.MaxActions + 1]uint8 `json:",omitzero"` // how often each action was done whose Times are those of all processes together
}

// count returns what counts faults, or actions.
func (e *Env) count(b Budget) *uint8 {
	if b >= Budgets {
		return &e.Acted[b-Budgets]
	}
	switch b {
	case Crashes:
		return &e.Crashes
	case Recoveries:
		return &e.Recoveries
	case Losses:
		return &e.Losses
	case Duplicates:
		return &e.Duplicates
	case Partitions:
		return &e.Partitions
	case Suspicions:
		return &e.Suspicions
	}
	panic("model: there is no such budget")
}

// Counted lists the budgets of which an Env counts what is spent.
func (c *Config) Counted() (list []Budget) {
	for b := Crashes; b < AllBudgets; b++ {
		if c.Limit(b) > 0 && c.counts(b) {
			list = append(list, b)
		}
	}
	return list
}

// counts reports whether an Env counts what is spent. Where nobody recovers, crashes show in who is down.
func (c *Config) counts(b Budget) bool { return b != Unlimited && (b != Crashes || c.Recoveries > 0) }

// spentAll says that nothing is left of a budget.
func (c *Config) spentAll(b Budget) string {
	if b >= Budgets {
		return doneEnough(c.Limit(b))
	}
	fault := budgetTable[b].fault
	if c.Limit(b) == 0 {
		return "the world allows no " + fault
	}
	return fmt.Sprintf("the world allows %s, and no more", plural(c.Limit(b), fault))
}

// doneEnough says that an action was done so often.
func doneEnough(n int) string {
	return fmt.Sprintf("it was done %s, and is not done more often", times(n))
}

// times says how often in words.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// Crashed is how many processes have crashed, if so many are down: the old leader has not.
func (c *Config) Crashed(down int) int {
	if c.Start == LeaderDown {
		down--
	}
	return down
}

// MostDown is how many processes may be down at once.
func (c *Config) MostDown() int {
	if c.Start == LeaderDown {
		return c.Crashes + 1
	}
	return c.Crashes
}

// Spent returns how much of a budget is spent where that many processes have crashed.
func (c *Config) Spent(b Budget, e *Env, crashed int) int {
	if !c.counts(b) {
		return crashed
	}
	return int(*e.count(b))
}

// Pay returns e after one fault of a budget.
func (c *Config) Pay(b Budget, e Env) Env {
	if c.counts(b) {
		*e.count(b)++
	}
	return e
}

// Divides reports whether what one of the processes sends to the other is lost.
func (e Env) Divides(p, q spec.ID) bool { return e.Side != 0 && e.Side.Has(p) != e.Side.Has(q) }

// A Cut is a fault that rides on a step in which a process handles something: only the first of what it sends leaves.
// It is possible wherever the step is and its budget lasts, after what the step itself spends.
type Cut struct {
	Action ActionKind // which says whether the process goes down, instead of going on
	Spends Budget     // one of it
	Most   int        // how many sends leave at most
}

// Sends returns how many of all sends of a step may leave: from least up to end, without it. Saves is whether a crash
// after the step leaves something else than one before it. If not, a crash before all sends is like a crash before the
// step.
func (c Cut) Sends(all int, saves bool) (least, end int) {
	if c.Action.Down() && !saves {
		least = 1
	}
	return least, min(c.Most+1, all)
}

// Disks returns what may be on the disk after some of all sends of a step: values of Event.Disk, from least up to end,
// without it. Persists says when existing code persists; nil: before it sends anything.
func (c Cut) Disks(sends, all int, saves bool, persists []spec.Persisted) (least, end int) {
	if !c.Action.Down() || persists == nil {
		if first, last := c.Sends(all, saves); sends < first || sends >= last {
			return 0, 0
		}
		return 0, 1
	}
	least, end = 1, 2
	for _, p := range persists {
		least, end = least+boolInt(p.Sends < sends), end+boolInt(p.Sends <= sends)
	}
	if first := persists[0]; sends == 0 && (first.Sends > 0 || first.Outputs == 0) {
		least++ // what was there before: like a crash before the step
	}
	if sends == all {
		end-- // what is there when the step ends: like a crash after it
	}
	return least, end
}

// Cuts lists what may cut short a step in which a process handles something. In lock step, these are parts of a round.
func (w *Rules) Cuts() []Cut {
	if w.config.Crashes > 0 && (w.config.Split || w.config.Network == Rounds) {
		return []Cut{{Action: CrashMidStep, Spends: actionTable[CrashMidStep].spends, Most: maxSends}}
	}
	return nil
}
