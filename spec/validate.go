package spec

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Validate reports why a cannot be checked or run, or nil. States and messages
// must be plain values, so that == means equal and a copy shares nothing:
// bool, integers, string, arrays and structs of those, all fields exported and with names of
// their own, and kept by JSON. A string has to be UTF-8, which each step sees to. How long it
// gets cannot be told: a real process that is to send a message of more than 1060 bytes ends with an
// error (docs/wire.md).
func (a *Algorithm[S, M]) Validate() error {
	f := &faults{algorithm: a.Name}
	if err := plain(reflect.TypeFor[S](), "state"); err != nil {
		f.add("%w", err)
	}
	if err := plain(reflect.TypeFor[M](), "message"); err != nil {
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

// plain returns an error that names the first part of t that is not plain.
func plain(t reflect.Type, path string) error {
	if speaks(t) {
		return fmt.Errorf("%s, a %v, has a JSON of its own, and nothing says that it comes back from that as it was: leave out its methods Marshal and Unmarshal", path, t)
	}
	switch t.Kind() {
	case reflect.Bool, reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return nil
	case reflect.Array:
		return plain(t.Elem(), path+"[]")
	case reflect.Struct:
		names := map[string]string{}
		for f := range t.Fields() {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			name = cmp.Or(name, f.Name)
			switch {
			case f.Anonymous:
				return fmt.Errorf("%s.%s is embedded, so what has the name of one of its fields would hide that in traces: give it a name", path, f.Name)
			case !f.IsExported():
				return fmt.Errorf("%s.%s is not exported, so it would be lost on the wire", path, f.Name)
			case f.Tag.Get("json") == "-":
				return fmt.Errorf("%s.%s has the tag json:\"-\", so it would be lost in traces", path, f.Name)
			case has(options, "omitzero") && reflect.PointerTo(f.Type).Implements(reflect.TypeFor[interface{ IsZero() bool }]()):
				return fmt.Errorf("%s.%s has the option omitzero in JSON, so what its method IsZero calls zero would be lost in traces: leave the option out", path, f.Name)
			case has(options, "string") && f.Type == reflect.TypeFor[Set]():
				return fmt.Errorf("%s.%s, a Set, has the option string in JSON, with which it could not be read back: leave the option out", path, f.Name)
			case strings.ContainsFunc(name, ignoredInName):
				return fmt.Errorf("%s.%s has the name %q in JSON, which encoding/json ignores for one of its characters: use letters, digits and _", path, f.Name, name)
			case names[name] != "":
				return fmt.Errorf("%s.%s has the name of %s in JSON, %s, so both would be lost in traces", path, f.Name, names[name], name)
			}
			names[name] = f.Name
			if err := plain(f.Type, path+"."+f.Name); err != nil {
				return err
			}
		}
		return nil
	default:
		return fmt.Errorf("%s is a %v: only bool, integers, string, arrays and structs of those are plain values", path, t)
	}
}

// has reports whether one of the options in a tag is the given one.
func has(options, option string) bool { return slices.Contains(strings.Split(options, ","), option) }

// ignoredInName reports whether encoding/json ignores a name in a tag that has the character.
func ignoredInName(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c)
}

// speaks reports whether a type says itself how it is written as JSON, or read; a Set keeps what
// it writes.
func speaks(t reflect.Type) bool {
	if t == reflect.TypeFor[Set]() {
		return false
	}
	for _, way := range []reflect.Type{
		reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler](),
		reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
	} {
		if reflect.PointerTo(t).Implements(way) {
			return true
		}
	}
	return false
}
