package spec

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"interleave/internal/cell"
)

// Validate reports why a cannot be checked or run, or nil. States and messages
// must be plain values: bool, numbers, string, and arrays, slices, maps, pointers and structs of those, with fields that
// have names of their own in JSON, and are exported if the struct is of another module. The state is none that may be nil
// itself. A string has to be UTF-8, which each step sees to. How long it
// gets cannot be told: a real process that is to send a message longer than a datagram holds ends with an
// error, unless it sends over TCP (docs/wire.md).
func (a *Algorithm[S, M]) Validate() error {
	f := &faults{algorithm: a.Name}
	if err := cell.Plain(reflect.TypeFor[S](), "state", a.types()...); err != nil {
		f.add("%w", err)
	}
	switch kind := reflect.TypeFor[S]().Kind(); kind {
	case reflect.Slice, reflect.Map, reflect.Pointer:
		f.add("the state is a %v, and nil of that would be written like the state of a process that has none: make it a field of a struct", kind)
	}
	if err := cell.Plain(reflect.TypeFor[M](), "message", a.types()...); err != nil {
		f.add("%w", err)
	}
	if a.Name == "" || a.Name[0] == '-' || strings.ContainsAny(a.Name, " \t\n") {
		f.add("the name %q is empty, begins with a dash or has a space in it", a.Name)
	}
	if a.MaxN < 0 || a.MaxN > int(MaxID) {
		f.add("MaxN is %d: give 1 to %d, or 0 for as many as there can be", a.MaxN, int(MaxID))
	}
	a.checkHandlers(f)
	actions[S, M](a.Actions).check(f)
	checkObjects(a.Objects, a.Actions, f)
	a.checkNames(f)
	return errors.Join(f.errs...)
}

// types are those of the author.
func (a *Algorithm[S, M]) types() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[S](), reflect.TypeFor[M]()}
}

// faults are what is wrong with an algorithm.
type faults struct {
	algorithm string
	errs      []error
}

func (f *faults) add(format string, args ...any) {
	f.errs = append(f.errs, fmt.Errorf("algorithm %s: "+format, append([]any{f.algorithm}, args...)...))
}

// checkHandlers finds handlers that are missing, or do not go together.
func (a *Algorithm[S, M]) checkHandlers(f *faults) {
	if a.Election != nil && a.Election.Leader == nil {
		f.add("the Election has no Leader: nobody could tell who is elected. Leave it out if nobody is")
	}
	if (a.Receive == nil) == (a.Round == nil) {
		f.add("exactly one of Receive and Round must be set")
	}
	if a.Round != nil && a.Timeout != nil {
		f.add("Round replaces Timeout: set one of them")
	}
	if a.Round != nil && (a.Start != nil || len(a.actions()) > 0 || a.Recover != nil || a.Stable != nil) {
		f.add("Round goes with none of Start, Notice, Actions, Recover and Stable: everybody begins at once, and nobody comes back")
	}
	if a.Round == nil && a.Halted != nil {
		f.add("Halted goes with Round: elsewhere a handler refuses")
	}
	if a.Round != nil && a.Claims != nil {
		f.add("Claims are made of the steps of one process, and in a Round all take one together: leave them out")
	}
	if (a.Timeout != nil) != (len(a.Rules) > 0) {
		f.add("Timeout and Rules go together: %d rules", len(a.Rules))
	}
	if len(a.Rules) > MaxTimers {
		f.add("%d timers, at most %d are possible", len(a.Rules), MaxTimers)
	}
	for _, r := range a.Rules {
		if r.Lasts < 0 || r.Lasts > 1_000_000 {
			f.add("the timer %s lasts %d deltas: give 1 to 1000000, or 0 for the usual", r.Name, r.Lasts)
		}
	}
}

// checkNames finds names, of timers, kinds of message, claims and the like, that do not tell apart
// what they stand for.
func (a *Algorithm[S, M]) checkNames(f *faults) {
	var claims []string
	for _, c := range a.Claims {
		if claims = append(claims, strings.ToLower(c.Name)); c.Holds == nil {
			f.add("the claim %q has no Holds: nothing could tell whether it is kept", c.Name)
		}
	}
	for _, p := range a.Properties {
		if claims = append(claims, strings.ToLower(p.Name)); p.complete() != "" {
			f.add("the property %q %s", p.Name, p.complete())
		}
	}
	for _, o := range a.Objects {
		claims = append(claims, strings.ToLower(o.Name))
	}
	var rules []string
	for _, r := range a.Rules {
		rules = append(rules, r.Name)
	}
	var actions []string
	for _, act := range a.Actions {
		actions = append(actions, act.Name)
	}
	for _, name := range slices.Concat([]string{a.Name}, rules, a.Kinds, claims, actions) {
		if !utf8.ValidString(name) {
			f.add("the name %q is no UTF-8, and would come back from a log as another", name)
		} else if strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) }) {
			f.add("the name %q has a character that does not print: leave it out, or no report could show the name on its line", name)
		}
	}
	if name, ok := ambiguous(rules); ok {
		f.add("the name %q of a timer is empty or given twice", name)
	}
	for _, name := range rules {
		if slices.Contains(clocks, name) {
			f.add("the name %q of a timer is that of one that processes have anyway: rename it", name)
		}
	}
	if name, ok := ambiguous(actions); ok {
		f.add("the name %q of an action is empty or given twice", name)
	}
	for _, name := range actions {
		if strings.ContainsAny(name, " ,") || slices.Contains(happenings, name) {
			f.add("the name %q of an action has a space or a comma in it, or is that of something else that happens: rename it", name)
		}
	}
	if len(a.Kinds) > MaxKinds {
		f.add("%d kinds of message, at most %d can be told apart", len(a.Kinds), MaxKinds)
	}
	if name, ok := ambiguous(a.Kinds); ok {
		f.add("the kind %q of a message is empty or given twice", name)
	}
	if name, ok := ambiguous(claims); ok {
		f.add("the name %q of a claim, a property or an object is empty or given twice", name)
	}
	switch {
	case a.Kind == nil && len(a.Kinds) > 1:
		f.add("Kinds lists %d kinds of message, and there is no Kind to tell them apart", len(a.Kinds))
	case a.Kind != nil && len(a.Kinds) < 2:
		f.add("Kind tells kinds of message apart, and Kinds lists %d: list all there are, or leave Kind out if they are of one", len(a.Kinds))
	}
}

// ambiguous returns a name that means nothing, or more than one thing.
func ambiguous(names []string) (string, bool) {
	for i, name := range names {
		if name == "" || slices.Contains(names[:i], name) {
			return name, true
		}
	}
	return "", false
}
