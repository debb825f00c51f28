package model

import (
	"fmt"

	"interleave/spec"
)

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
	Budgets // number of budgets
)

// budgetTable has the name of each budget, which is that of an axis, and of one of its faults.
var budgetTable = [Budgets]struct{ name, fault string }{
	Crashes: {"crashes", "crash"}, Recoveries: {"recoveries", "return"}, Losses: {"losses", "loss"}, Duplicates: {"duplicates", "copy"},
	Partitions: {"partitions", "partition"}, Suspicions: {"suspicions", "false report"},
}

func (b Budget) String() string { return budgetTable[b].name }

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
	if b == Unlimited {
		return 0
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
}

// count returns what counts faults.
func (e *Env) count(b Budget) *uint8 {
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
	for b := Crashes; b < Budgets; b++ {
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
	fault := budgetTable[b].fault
	if c.Limit(b) == 0 {
		return "the world allows no " + fault
	}
	return fmt.Sprintf("the world allows %s, and no more", plural(c.Limit(b), fault))
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
