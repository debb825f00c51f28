package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"interleave/spec"
)

// The names of the values of each axis, indexed by value.
var (
	NetworkNames  = []string{"fifo", "bag", "set", "rounds"}
	DetectorNames = []string{"none", "perfect", "flushed", "eventual"}
	TimingNames   = []string{"flush", "mixed", "just", "any", "timed"}
	StartNames    = []string{"cold", "leader-down"}
)

func (n Network) String() string   { return name(NetworkNames, uint8(n)) }
func (d Detector) String() string  { return name(DetectorNames, uint8(d)) }
func (t Timing) String() string    { return name(TimingNames, uint8(t)) }
func (b Beginning) String() string { return name(StartNames, uint8(b)) }

func (n Network) MarshalText() ([]byte, error)   { return []byte(n.String()), nil }
func (d Detector) MarshalText() ([]byte, error)  { return []byte(d.String()), nil }
func (t Timing) MarshalText() ([]byte, error)    { return []byte(t.String()), nil }
func (b Beginning) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

func (n *Network) UnmarshalText(text []byte) error   { return parse(n, "network", NetworkNames, text) }
func (d *Detector) UnmarshalText(text []byte) error  { return parse(d, "detector", DetectorNames, text) }
func (t *Timing) UnmarshalText(text []byte) error    { return parse(t, "timers", TimingNames, text) }
func (b *Beginning) UnmarshalText(text []byte) error { return parse(b, "start", StartNames, text) }

func name(names []string, value uint8) string {
	if int(value) < len(names) {
		return names[value]
	}
	return fmt.Sprintf("number %d", value)
}

func parse[T ~uint8](value *T, axis string, names []string, text []byte) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return &ConfigError{axis, fmt.Sprintf("%q is not one of %s", text, strings.Join(names, ", "))}
	}
	*value = T(i)
	return nil
}

// Axes lists the axes of a Config by name, in the order in which they are shown.
var Axes = []string{
	"n", "ring", "initiators", "network", "losses", "duplicates", "partitions", "crashes", "split", "recoveries",
	"detector", "suspicions", "timers", "delta", "durations", "start", "times", "bound", "strong", "unfair",
}

// Values of the axis times besides numbers.
const timesDeclared, timesAny = "declared", "any"

// numbers returns the axes that are plain numbers.
func (c *Config) numbers() map[string]*int {
	of := map[string]*int{"n": &c.N, "delta": &c.Delta, "bound": &c.Bound}
	for b := Crashes; b < Budgets; b++ {
		of[b.String()] = c.limit(b)
	}
	return of
}

// Set sets an axis to a value in words. A ring is "ascending", "descending" or
// a list of all processes, and needs N to be set before.
func (c *Config) Set(axis, value string) (err error) {
	if number := c.numbers()[axis]; number != nil {
		if *number, err = strconv.Atoi(value); err != nil {
			return &ConfigError{axis, fmt.Sprintf("%q is not a value it can have", value)}
		}
		return nil
	}
	switch axis {
	case "ring":
		c.Ring, err = parseRing(value, c.N)
	case "initiators":
		c.Initiators, err = ParseInitiators(value)
	case "network":
		err = c.Network.UnmarshalText([]byte(value))
	case "split":
		if c.Split, err = strconv.ParseBool(value); err != nil {
			return &ConfigError{axis, fmt.Sprintf("%q is not a value it can have", value)}
		}
	case "detector":
		err = c.Detector.UnmarshalText([]byte(value))
	case "timers":
		err = c.Timers.UnmarshalText([]byte(value))
	case "durations":
		c.Durations = Durations(value)
	case "start":
		err = c.Start.UnmarshalText([]byte(value))
	case "times":
		c.Times, err = parseTimes(value)
	case "strong":
		c.Fairness.Strong = parseKinds(value)
	case "unfair":
		c.Fairness.Unfair = parseKinds(value)
	default:
		return &ConfigError{axis, "there is no such axis: there are " + strings.Join(Axes, ", ")}
	}
	return err
}

// Value returns the value of an axis in words, as Set takes it.
func (c Config) Value(axis string) string {
	if number := c.numbers()[axis]; number != nil {
		return strconv.Itoa(*number)
	}
	switch axis {
	case "ring":
		if slices.Equal(c.Placement(), Ascending(c.N)) {
			return "ascending"
		}
		return joinIDs(c.Ring)
	case "initiators":
		return c.Initiators.String()
	case "network":
		return c.Network.String()
	case "split":
		return strconv.FormatBool(c.Split)
	case "detector":
		return c.Detector.String()
	case "timers":
		return c.Timers.String()
	case "durations":
		return string(c.Durations)
	case "start":
		return c.Start.String()
	case "times":
		return tellTimes(c.Times)
	case "strong":
		return tellKinds(c.Fairness.Strong)
	case "unfair":
		return tellKinds(c.Fairness.Unfair)
	}
	panic("model: no axis " + axis)
}

func parseTimes(text string) (int, error) {
	switch text {
	case timesDeclared:
		return 0, nil
	case timesAny:
		return -1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxTimes {
		return 0, &ConfigError{"times", fmt.Sprintf("%q is not a value it can have: give 1 to %d, declared, or any", text, maxTimes)}
	}
	return n, nil
}

func tellTimes(n int) string {
	switch n {
	case 0:
		return timesDeclared
	case -1:
		return timesAny
	}
	return strconv.Itoa(n)
}

// parseKinds reads a list of kinds of step, as in "receive OK,notice".
func parseKinds(text string) []string {
	if text == "none" || text == "" {
		return nil
	}
	kinds := strings.Split(text, ",")
	for i, kind := range kinds {
		kinds[i] = strings.TrimSpace(kind)
	}
	return kinds
}

func tellKinds(kinds []string) string {
	if kinds == nil {
		return "none"
	}
	return strings.Join(kinds, ",")
}

func parseRing(text string, n int) ([]spec.ID, error) {
	switch text {
	case "ascending":
		return nil, nil
	case "descending":
		if n < 1 || n > MaxN {
			return nil, &ConfigError{"n", fmt.Sprintf("%d processes are out of range: give 1 to %d", n, MaxN)}
		}
		ring := Ascending(n)
		slices.Reverse(ring)
		return ring, nil
	}
	ids, err := ParseIDs(text)
	if err != nil {
		return nil, &ConfigError{"ring", err.Error() + ": give ascending, descending or a list as in 3,1,2"}
	}
	return ids, nil
}

// Home returns the world that the source of m describes, with n processes: the mildest one,
// except for what the algorithm declares itself.
func Home(m spec.Machine, n int) (Config, error) {
	t := m.Traits()
	c := Config{N: n}
	if t.Handles.Has(spec.Round) {
		c.Network = Rounds // any other is refused
	}
	for axis, value := range t.World {
		if err := c.Set(axis, value); err != nil {
			return c, fmt.Errorf("the world of %s: %w", t.Name, err)
		}
	}
	return c, nil
}

// String returns "all", "any" or the IDs, as in "1,3".
func (i Initiators) String() string {
	switch {
	case i.Any:
		return "any"
	case i.Only == 0:
		return "all"
	}
	return joinIDs(slices.Collect(i.Only.All()))
}

// ParseInitiators reads what String writes.
func ParseInitiators(text string) (Initiators, error) {
	switch text {
	case "all":
		return Initiators{}, nil
	case "any":
		return Initiators{Any: true}, nil
	}
	ids, err := ParseIDs(text)
	if err != nil {
		return Initiators{}, &ConfigError{"initiators", err.Error() + ": give all, any (every subset) or a list as in 1,3"}
	}
	return Initiators{Only: spec.SetOf(ids...)}, nil
}

// ParseIDs reads a list of process IDs as in "3,1,2".
func ParseIDs(text string) ([]spec.ID, error) {
	var ids []spec.ID
	for field := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 || n > MaxN {
			return nil, fmt.Errorf("%q is not a process from 1 to %d", field, MaxN)
		}
		if slices.Contains(ids, spec.ID(n)) {
			return nil, fmt.Errorf("%d is named twice", n)
		}
		ids = append(ids, spec.ID(n))
	}
	return ids, nil
}

func joinIDs(ids []spec.ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return strings.Join(texts, ",")
}
