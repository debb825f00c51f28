package cluster

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"interleave/cmd/mc/internal/yaml"
	"interleave/impl/cluster"
	"interleave/impl/cluster/network"
)

// readPlanFile reads a plan for n processes and a run of a length.
func readPlanFile(file string, n int, length time.Duration) (plan cluster.Plan, seeded bool, err error) {
	text, err := yaml.ReadFile(file)
	if err != nil {
		return plan, false, fmt.Errorf("--plan %s: %w", file, err)
	}
	plan, seeded, err = readPlan(text, n, length)
	return plan, seeded, yaml.Placed(file, err)
}

// readPlan reads a plan, and reports whether it has a seed.
func readPlan(text []byte, n int, length time.Duration) (plan cluster.Plan, seeded bool, err error) {
	root, err := yaml.Read(text)
	switch {
	case err != nil:
		return plan, false, yaml.OrEmpty(err, "version: 1 and events")
	case root.Kind != yaml.Mapping:
		return plan, false, yaml.At(root.Line, "the file is a %s: write version: 1 and events", root.Kind)
	}
	version := ""
	for _, f := range root.Fields {
		switch f.Key {
		case "version":
			version = f.Value.Text
			if version != cluster.PlanVersion {
				return plan, false, yaml.At(f.Line, "version %q is not one that this program reads: write version: %s", version, cluster.PlanVersion)
			}
		case "seed":
			seeded = true
			plan.Seed, err = readSeed(f)
		case "faults":
			plan.Faults, err = readFaults(f, n)
		case "events":
			plan.Events, err = readEvents(f, n, length)
		default:
			err = yaml.UnknownKey(f, "a plan", []string{"version", "seed", "faults", "events"})
		}
		if err != nil {
			return plan, false, err
		}
	}
	if version == "" {
		return plan, false, yaml.At(root.Line, "the version is missing: write version: %s", cluster.PlanVersion)
	}
	return plan, seeded, plan.Check(n, length)
}

func readSeed(f yaml.Field) (seed uint64, err error) {
	if f.Value.Kind != yaml.Scalar {
		return 0, yaml.At(f.Value.Line, "the seed is a %s: write a number", f.Value.Kind)
	}
	if _, err := fmt.Sscanf(f.Value.Text+"\n", "%d\n", &seed); err != nil {
		return 0, yaml.At(f.Value.Line, "the seed %q is not a number from 0 to 2^64-1", f.Value.Text)
	}
	return seed, nil
}

// faultVerbs are those that change the faults of the network.
var faultVerbs = []cluster.Verb{cluster.Loss, cluster.Duplicate, cluster.Reorder, cluster.Delay}

// readFaults reads the faults from the beginning.
func readFaults(f yaml.Field, n int) (faults network.Faults, err error) {
	if f.Value.Kind != yaml.Mapping {
		return faults, yaml.At(f.Value.Line, "faults is a %s: write a line for each, as in loss: 10%%", f.Value.Kind)
	}
	for _, field := range f.Value.Fields {
		verb := cluster.Verb(field.Key)
		if !slices.Contains(faultVerbs, verb) {
			return faults, yaml.UnknownKey(field, "faults", verbNames(faultVerbs))
		}
		action, err := readAction(field, verb, n)
		if err != nil {
			return faults, err
		}
		action.Set(&faults)
	}
	return faults, nil
}

func verbNames(verbs []cluster.Verb) []string {
	names := make([]string, len(verbs))
	for i, v := range verbs {
		names[i] = string(v)
	}
	return names
}

// readAction reads what a verb does.
func readAction(f yaml.Field, verb cluster.Verb, n int) (cluster.Action, error) {
	if f.Value.Kind != yaml.Scalar {
		return cluster.Action{}, yaml.At(f.Value.Line, "%s is a %s: write one value", f.Key, f.Value.Kind)
	}
	a, err := cluster.ParseAction(verb, f.Value.Text, n)
	if err != nil {
		return a, yaml.At(f.Value.Line, "%s: %w", f.Key, err)
	}
	return a, nil
}

func readEvents(f yaml.Field, n int, length time.Duration) ([]cluster.Event, error) {
	if f.Value.Kind != yaml.List {
		return nil, yaml.At(f.Value.Line, "events is a %s: write a list", f.Value.Kind)
	}
	var events []cluster.Event
	for _, item := range f.Value.Items {
		e, err := readEvent(item, n)
		if err != nil {
			return nil, err
		}
		if err := e.Check(length); err != nil {
			return nil, yaml.At(item.Line, "%w", err)
		}
		events = append(events, e)
	}
	return events, nil
}

// readEvent reads one event: when, and one verb.
func readEvent(n yaml.Node, processes int) (e cluster.Event, err error) {
	if n.Kind != yaml.Mapping {
		return e, yaml.At(n.Line, "an event is a mapping, as in {at: 5s, kill: leader}, not a %s", n.Kind)
	}
	timed, asked := false, (*yaml.Field)(nil)
	for _, f := range n.Fields {
		verb := cluster.Verb(f.Key)
		switch {
		case f.Key == "at":
			timed = true
			e.At, err = readMoment(f)
		case f.Key == "every":
			e.Every, err = readSpan(f)
		case f.Key == "for":
			e.For, err = readSpan(f)
		case f.Key == "process":
			asked = &f
		case !slices.Contains(cluster.Verbs, verb):
			err = yaml.UnknownKey(f, "an event", append([]string{"at", "every", "for", "process"}, verbNames(cluster.Verbs)...))
		case e.Verb != "":
			err = yaml.At(f.Line, "an event does one thing, and this one does %s and %s: write an event for each", e.Verb, verb)
		default:
			e.Action, err = readAction(f, verb, processes)
		}
		if err != nil {
			return e, err
		}
	}
	switch {
	case e.Verb == "":
		return e, yaml.At(n.Line, "the event does nothing: give it one of %s", strings.Join(verbNames(cluster.Verbs), ", "))
	case asked != nil && e.Verb != cluster.Act:
		return e, yaml.At(asked.Line, "process: only an act has one, and this event does %s", e.Verb)
	case asked != nil:
		if err := e.Ask(asked.Value.Text, processes); err != nil {
			return e, yaml.At(asked.Line, "process: %w", err)
		}
	}
	switch {
	case !timed:
		return e, yaml.At(n.Line, "the event has no time: write at, as in at: 5s")
	}
	return e, nil
}

// readMoment reads a time after the beginning.
func readMoment(f yaml.Field) (time.Duration, error) {
	d, err := time.ParseDuration(f.Value.Text)
	if err != nil || d < 0 || f.Value.Kind != yaml.Scalar {
		return 0, yaml.At(f.Value.Line, "%s: %q is not a time after the beginning: write one as in 1.5s", f.Key, f.Value.Text)
	}
	return d, nil
}

// readSpan reads a time above 0.
func readSpan(f yaml.Field) (time.Duration, error) {
	if f.Value.Kind != yaml.Scalar {
		return 0, yaml.At(f.Value.Line, "%s is a %s: write one time, as in 3s", f.Key, f.Value.Kind)
	}
	return f.Duration()
}

// planFlags are the flags that make a plan without a file.
type planFlags struct {
	loss, duplicate, reorder, delay string
	killEvery, restartAfter         time.Duration
	partitionEvery, partitionFor    time.Duration
	requestEvery                    time.Duration
}

var planFlagNames = []string{"loss", "duplicate", "reorder", "delay", "kill-leader-every", "restart-after", "partition-every", "partition-for", "request-every"}

// plan makes the plan that the flags mean.
func (p planFlags) plan() (plan cluster.Plan, err error) {
	for verb, value := range map[cluster.Verb]string{cluster.Loss: p.loss, cluster.Duplicate: p.duplicate, cluster.Reorder: p.reorder, cluster.Delay: p.delay} {
		if value == "" {
			continue
		}
		action, err := cluster.ParseAction(verb, value, network.MaxN)
		if err != nil {
			return plan, fmt.Errorf("--%s: %w", verb, err)
		}
		action.Set(&plan.Faults)
	}
	if p.requestEvery > 0 {
		any := cluster.Action{Verb: cluster.Act, Request: cluster.Random, Sides: []cluster.Some{{Word: cluster.Random}}}
		plan.Events = append(plan.Events, cluster.Event{At: p.requestEvery, Every: p.requestEvery, Action: any})
	}
	kill := cluster.Action{Verb: cluster.Kill, Sides: []cluster.Some{{Word: cluster.Leader}}}
	divide := cluster.Action{Verb: cluster.Partition, Sides: []cluster.Some{{Word: cluster.Several}, {Word: cluster.Others}}}
	return plan, errors.Join(
		repeated(&plan, "kill-leader-every", p.killEvery, "restart-after", p.restartAfter, kill),
		repeated(&plan, "partition-every", p.partitionEvery, "partition-for", p.partitionFor, divide))
}

// repeated adds an event that happens again and again, and is undone after a
// time: half of that between two, if none is given.
func repeated(plan *cluster.Plan, everyFlag string, every time.Duration, lastsFlag string, lasts time.Duration, a cluster.Action) error {
	switch {
	case every == 0 && lasts > 0:
		return fmt.Errorf("--%s means nothing without --%s: give both", lastsFlag, everyFlag)
	case every == 0:
		return nil
	case lasts == 0:
		lasts = every / 2
	}
	if lasts >= every {
		return fmt.Errorf("--%s %v: it must be less than --%s %v", lastsFlag, lasts, everyFlag, every)
	}
	plan.Events = append(plan.Events, cluster.Event{At: every, Every: every, For: lasts, Action: a})
	return nil
}
