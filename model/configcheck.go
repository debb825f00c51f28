package model

import (
	"errors"
	"fmt"
	"slices"

	"interleave/spec"
)

// configCheck looks for what is wrong with a Config, axis by axis.
type configCheck struct {
	Config
	traits spec.Traits
}

func (c configCheck) all() error {
	return errors.Join(c.ring(), c.initiators(), c.network(), c.failures(), c.detector(), c.timers(), c.timed(), c.start(), c.times(), c.bound(), c.fairness(), c.watched())
}

// ConfigError is something wrong with one axis of a Config.
type ConfigError struct {
	Axis   string // as on the command line: "n", "ring", "timers"
	Reason string
}

func (e *ConfigError) Error() string { return e.Axis + ": " + e.Reason }

func (c configCheck) ring() error {
	if c.Ring == nil {
		return nil
	}
	if !c.traits.Ring {
		return &ConfigError{"ring", c.traits.Name + " does not use the ring, so a placement means nothing to it: leave it out"}
	}
	if !spec.IsRing(c.Ring, c.N) {
		return &ConfigError{"ring", fmt.Sprintf("%v does not name each of the processes 1 to %d once", c.Ring, c.N)}
	}
	return nil
}

func (c configCheck) initiators() error {
	switch {
	case c.Initiators == Initiators{}:
		return nil
	case !c.traits.Begins() && c.traits.Elects:
		return &ConfigError{"initiators", c.traits.Name + " has neither a Start nor an Election with a Notice, so nobody begins of their own accord: leave it out"}
	case !c.traits.Begins():
		return &ConfigError{"initiators", c.traits.Name + " has no Start, so nobody begins of their own accord: leave it out"}
	case c.Initiators.Any && c.Recoveries > 0:
		return &ConfigError{"initiators", "which subset it was is forgotten by those that crash: with recoveries give all or a list"}
	case c.Initiators.Any && c.Initiators.Only != 0:
		return &ConfigError{"initiators", "give either every subset or one set, not both"}
	case c.Initiators.Only&^spec.UpTo(c.N) != 0:
		return &ConfigError{"initiators", fmt.Sprintf("%v names processes that do not exist: there are 1 to %d", c.Initiators.Only, c.N)}
	}
	return nil
}

func (c configCheck) network() error {
	lockStep := c.traits.Handles.Has(spec.Round)
	switch {
	case c.Network > Rounds:
		return &ConfigError{"network", fmt.Sprintf("there is no network number %d", c.Network)}
	case lockStep && c.Network != Rounds:
		return &ConfigError{"network", c.traits.Name + " runs in lock-step rounds: use rounds, or leave it out"}
	case !lockStep && c.Network == Rounds:
		return &ConfigError{"network", c.traits.Name + " takes messages one by one, not in lock-step rounds: use fifo, bag or set"}
	}
	for _, b := range []struct {
		axis  string
		value int
	}{{"losses", c.Losses}, {"duplicates", c.Duplicates}, {"partitions", c.Partitions}} {
		switch {
		case b.value < 0 || b.value > maxBudget:
			return &ConfigError{b.axis, fmt.Sprintf("%d is out of range: give 0 to %d", b.value, maxBudget)}
		case b.value > 0 && lockStep:
			return &ConfigError{b.axis, "lock-step rounds lose and copy nothing: leave it out"}
		}
	}
	switch {
	case c.Duplicates > 0 && c.Network == Set:
		return &ConfigError{"duplicates", "a set absorbs every copy: use fifo or bag"}
	case c.Partitions > 0 && c.N < 2:
		return &ConfigError{"partitions", "one process alone cannot be divided: give at least 2"}
	}
	return nil
}

// maxBudget bounds what an Env counts.
const maxBudget = 100

func (c configCheck) failures() error {
	up := c.N
	if c.Start == LeaderDown {
		up--
	}
	switch {
	case c.Recoveries == 0 && (c.Crashes < 0 || c.Crashes > up):
		return &ConfigError{"crashes", fmt.Sprintf("%d crashes are out of range: 0 to %d processes can crash", c.Crashes, up)}
	case c.Crashes < 0 || c.Crashes > maxBudget:
		return &ConfigError{"crashes", fmt.Sprintf("%d crashes are out of range: give 0 to %d", c.Crashes, maxBudget)}
	case c.Split && c.Crashes == 0:
		return &ConfigError{"split", "it says where a crash may fall, and no process may crash: allow a crash"}
	case c.Recoveries < 0 || c.Recoveries > maxBudget:
		return &ConfigError{"recoveries", fmt.Sprintf("%d is out of range: give 0 to %d", c.Recoveries, maxBudget)}
	case c.Recoveries > 0 && c.Network == Rounds:
		return &ConfigError{"recoveries", "in lock-step rounds nobody comes back: leave it out"}
	case c.Recoveries > 0 && c.Crashes == 0 && c.Start == Cold:
		return &ConfigError{"recoveries", "nobody can crash, so nobody can recover: allow a crash"}
	case c.Network == Rounds && c.Split:
		return &ConfigError{"split", "in lock-step rounds a crash may fall between two sends anyway: leave it out"}
	}
	return nil
}

func (c configCheck) detector() error {
	switch {
	case c.Detector > Eventual:
		return &ConfigError{"detector", fmt.Sprintf("there is no detector number %d", c.Detector)}
	case c.Detector != NoDetector && !c.traits.Handles.Has(spec.Suspect):
		return &ConfigError{"detector", c.traits.Name + " has no Suspect handler, so a detector means nothing to it: leave it out"}
	case c.Network == Rounds && c.Detector > Perfect:
		return &ConfigError{"detector", "in lock-step rounds each crash is reported at the next round, or never: use perfect or none"}
	case c.Suspicions < 0 || c.Suspicions > maxBudget:
		return &ConfigError{"suspicions", fmt.Sprintf("%d is out of range: give 0 to %d", c.Suspicions, maxBudget)}
	case c.Suspicions > 0 && c.Detector != Eventual:
		return &ConfigError{"suspicions", "only the eventual detector makes false reports: use detector eventual"}
	}
	return nil
}

func (c configCheck) timers() error {
	if c.Timers > Timed {
		return &ConfigError{"timers", fmt.Sprintf("there is no timing number %d", c.Timers)}
	}
	if len(c.traits.Rules) == 0 && c.Timers != Flush {
		return &ConfigError{"timers", c.traits.Name + " sets no timers, so their timing means nothing to it: leave it out"}
	}
	if c.Timers == Mixed && !c.traits.Elects {
		return &ConfigError{"timers", fmt.Sprintf("mixed: %s elects nobody, and mixed tells timers that elect from others: use any", c.traits.Name)}
	}
	for _, r := range c.traits.Rules {
		justified := c.Timers.Justifies(r.Elects)
		if justified && r.Awaited == nil {
			return &ConfigError{"timers", fmt.Sprintf("%v: nothing says when timer %s of %s is justified, as Awaited in its rule would: use any", c.Timers, r.Name, c.traits.Name)}
		}
		if lossy := c.Losses+c.Partitions > 0; justified && r.AllDown && lossy {
			return &ConfigError{"timers", fmt.Sprintf("%v: timer %s of %s would wait for the word of whoever is up, which may be lost: use mixed, any or timed", c.Timers, r.Name, c.traits.Name)}
		}
	}
	return nil
}

func (c configCheck) timed() error {
	switch {
	case c.Timers != Timed && c.Delta != 0:
		return &ConfigError{"delta", "only timed timers know how long a message takes: use timers timed"}
	case c.Timers != Timed && c.Durations != "":
		return &ConfigError{"durations", "only timed timers have durations: use timers timed"}
	case c.Timers != Timed || len(c.traits.Rules) == 0:
		return nil
	case c.Delta == 0:
		return &ConfigError{"timers", fmt.Sprintf("timed: how many ticks may a message take? give delta, 1 to %d, and the durations of the timers", maxTicks)}
	case c.Delta < 1 || c.Delta > maxTicks:
		return &ConfigError{"delta", fmt.Sprintf("%d is out of range: give the ticks that a message may take, 1 to %d", c.Delta, maxTicks)}
	case c.Network == Set:
		return &ConfigError{"network", "messages of different age cannot be told apart in a set: use fifo or bag with timed timers"}
	case c.Recoveries > 0:
		return &ConfigError{"recoveries", "timed timers do not go with recoveries: leave it out"}
	}
	_, err := c.Durations.parse(c.traits)
	return err
}

func (c configCheck) bound() error {
	switch {
	case c.Bound < 0:
		return &ConfigError{"bound", fmt.Sprintf("%d is negative: leave it out for no bound", c.Bound)}
	case c.Bound > 0 && c.Network == Rounds:
		return &ConfigError{"bound", "lock-step rounds know no bound: leave it out"}
	case c.Bound > 0 && c.traits.Measure == nil:
		return &ConfigError{"bound", c.traits.Name + " has no Measure to bound: leave it out"}
	}
	return nil
}

func (c configCheck) watched() error {
	if c.Network == Rounds && len(c.Monitors) > 0 {
		return &ConfigError{"monitors", "in lock step all processes take one step together, and a monitor sees those of one process: leave them out"}
	}
	_, err := monitorsOf(c.Config, &c.traits)
	return err
}

func (c configCheck) times() error {
	switch {
	case c.Times == 0:
		return nil
	case c.Times < -1 || c.Times > maxTimes:
		return &ConfigError{"times", fmt.Sprintf("%d is out of range: give 1 to %d, declared, or any", c.Times, maxTimes)}
	case !slices.ContainsFunc(c.traits.Actions, spec.ActionTraits.Limited):
		return &ConfigError{"times", c.traits.Name + " limits no action by Times: leave it out"}
	}
	return nil
}

// maxTimes bounds how often an action is done that is counted.
const maxTimes = 255

func (c configCheck) fairness() error {
	k := newStepKinds(&c.traits, c.Config)
	_, err := k.strengthsOf(c.Config)
	return err
}

func (c configCheck) start() error {
	switch {
	case c.Start > LeaderDown:
		return &ConfigError{"start", fmt.Sprintf("there is no beginning number %d", c.Start)}
	case c.Start == LeaderDown && !c.traits.Elects:
		return &ConfigError{"start", c.traits.Name + " elects nobody, so there is nobody whom processes follow at first: use cold"}
	case c.Start == LeaderDown && c.traits.Follow == nil:
		return &ConfigError{"start", c.traits.Name + " has no Follow, so its processes cannot begin with a leader: use cold"}
	case c.Start == LeaderDown && c.N < 2:
		return &ConfigError{"start", "with the leader down nobody is left: give at least 2 processes"}
	}
	return nil
}
