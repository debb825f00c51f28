package gotest

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"unicode"

	"interleave/impl/runlog"
	"interleave/internal/cell"
	"interleave/model"
	"interleave/spec"
)

// Test says how a counterexample is written as a Go test.
type Test struct {
	Import  string // package of the algorithm; "": the one that declares its state
	Machine string // the algorithm in that package, as in "Published"; "": from the name of the variant, or "Algorithm" without one
}

// handling is one call of a handler, or what happens to a process without one.
type handling struct {
	What     string
	Process  spec.ID
	Boots    bool // it begins with Before, not with the state it has
	Before   any
	Event    spec.Event
	Calls    bool // a handler has a part in it
	After    string
	Effects  string
	Panics   bool
	Crashes  bool
	Messages []string // of the event, as JSON
	Value    string   // likewise; "": none
}

// Write returns a test file that repeats a run through the handlers alone, and
// fails if they take it to its end. The run is that of the trace.
func (g Test) Write(m spec.Machine, r *model.Reference, t *model.Trace, run *model.Run) ([]byte, error) {
	if err := g.complete(m.Traits()); err != nil {
		return nil, err
	}
	name, alias := g.names(m.Traits())
	w := writer{machine: m, traits: m.Traits(), ring: t.Config.Ring, detector: t.Config.Detector}
	for id := spec.ID(1); len(w.ring) < t.Config.N; id++ {
		w.ring = append(w.ring, id)
	}
	file := fileTemplate
	var trace strings.Builder
	if w.traits.Code != nil {
		file, run = codeTemplate, &model.Run{States: run.States[:1]}
		if err := t.Write(&trace); err != nil {
			return nil, err
		}
	}
	for i, step := range run.Steps {
		if err := w.step(r, run.States[i], step); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	var begin []string
	for _, l := range run.States[0].Locals {
		text, err := stateText(l.State)
		if err != nil {
			return nil, err
		}
		begin = append(begin, text)
	}
	var b strings.Builder
	err := file.Execute(&b, map[string]any{
		"Import": g.Import, "Package": name, "Alias": alias, "Machine": g.Machine, "Name": identifier(t.Algorithm) + identifier(t.Property),
		"Trace": t, "Assumptions": t.Config.Assumptions(m), "Ring": w.ring, "Begin": begin, "Handlings": w.handlings, "Text": trace.String(),
	})
	if err != nil {
		return nil, err
	}
	return format.Source([]byte(b.String()))
}

// complete finds out where the algorithm is declared, as far as nobody says.
func (g *Test) complete(t spec.Traits) error {
	if g.Import == "" && t.Code != nil {
		g.Import = t.Where(spec.Event{Kind: spec.Init}).Package() // the state is of a package of ours
	} else if g.Import == "" {
		g.Import = reflect.TypeOf(cell.Value(t.Zero)).PkgPath()
	}
	switch g.Import {
	case "":
		return errors.New("the state of the algorithm is of no package: say which package declares the algorithm")
	case "main":
		return errors.New("the algorithm is declared in a program: say by which path it is imported")
	}
	if strings.ContainsFunc(g.Import, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-._~/", r)
	}) {
		return fmt.Errorf("%q is not an import path", g.Import)
	}
	if g.Machine != "" {
		if !token.IsIdentifier(g.Machine) || !token.IsExported(g.Machine) {
			return fmt.Errorf("%q is not a name of Go that a package exports", g.Machine)
		}
		return nil
	}
	if _, mutant := spec.Original(t.Name); mutant != "" {
		return fmt.Errorf("%s is a mutant, which has no name in Go: say which one declares it", t.Name)
	}
	g.Machine = "Algorithm" // as mc init has it
	if _, variant, ok := strings.Cut(t.Name, "/"); ok {
		g.Machine = identifier(variant)
	}
	return nil
}

// version is the end of an import path that is no name of a package.
var version = regexp.MustCompile(`/v[0-9]+$`)

// names returns the name of the package, and the one by which the test has to import it
// if that is another, or if not everybody would expect this one there; "": neither.
func (g Test) names(t spec.Traits) (name, alias string) {
	name = path.Base(version.ReplaceAllString(g.Import, ""))
	if state := reflect.TypeOf(cell.Value(t.Zero)); state.PkgPath() == g.Import || state.PkgPath() == "main" {
		name, _, _ = strings.Cut(state.String(), ".")
	}
	switch {
	case slices.Contains([]string{"main", "json", "testing", "spec"}, name):
		alias = "algorithm"
	case name != path.Base(g.Import):
		alias = name
	}
	return name, alias
}

// identifier returns the letters and digits of a name in one word, as in
// "PublishedA" for published-a.
func identifier(name string) string {
	var b strings.Builder
	up := true
	for _, r := range name {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			if up {
				r = unicode.ToUpper(r)
			}
			b.WriteRune(r)
			up = false
		default:
			up = true
		}
	}
	return b.String()
}

// writer lists the calls of handlers of a run.
type writer struct {
	machine   spec.Machine
	traits    spec.Traits
	ring      []spec.ID
	detector  model.Detector
	handlings []handling
}

// step lists what the handlers do in one step of a world.
func (w *writer) step(r *model.Reference, s model.State, step model.Step) error {
	e := step.Event
	what := r.DescribeStep(e)
	live := spec.Set(0)
	for i, l := range s.Locals {
		if l.Status != model.Down {
			live = live.With(spec.ID(i + 1))
		}
	}
	switch {
	case e.Action == model.Round:
		return w.round(what, s, step, live)
	case e.Action == model.Handle && e.Step.Kind == spec.Recover:
		return w.recover(what, s.Locals[e.Process-1].State, e, live.With(e.Process))
	case e.Action == model.Handle, e.Action == model.CrashMidStep:
		if _, err := w.call(what, e.Process, s.Locals[e.Process-1].State, e.Step, live); err != nil {
			return err
		}
		w.handlings[len(w.handlings)-1].Crashes = e.Action == model.CrashMidStep
		return nil
	}
	w.handlings = append(w.handlings, handling{What: what, Process: e.Process, Crashes: e.Action == model.Crash})
	return nil
}

// recover lists how a process comes up again.
func (w *writer) recover(what string, memory any, e model.Event, live spec.Set) error {
	if memory == nil {
		memory = w.traits.Zero
	}
	booted, err := w.call(what, e.Process, memory, spec.Event{Kind: spec.Init}, 0)
	if err != nil {
		return err
	}
	w.handlings[len(w.handlings)-1].Boots = true
	if !w.traits.Handles.Has(spec.Recover) {
		return nil
	}
	_, err = w.call(what, e.Process, booted, e.Step, live)
	return err
}

// round lists the part of each process in a lock-step round.
func (w *writer) round(what string, s model.State, step model.Step, live spec.Set) error {
	for p := range live.All() {
		state := s.Locals[p-1].State
		var part model.Part
		for _, other := range step.Event.Parts {
			if other.Process == p {
				part = other
			}
		}
		if !w.traits.Halted(state) {
			if err := w.turn(fmt.Sprintf("process %v: %s", p, what), p, s, part, live); err != nil {
				return err
			}
		}
		if part.Crash {
			w.handlings = append(w.handlings, handling{What: fmt.Sprintf("process %v crashes in it", p), Process: p, Crashes: true})
		}
	}
	return nil
}

// turn lists what one process does in a round: it hears who is down, if anybody
// tells it, then takes its step.
func (w *writer) turn(what string, p spec.ID, s model.State, part model.Part, live spec.Set) (err error) {
	state := s.Locals[p-1].State
	var events []spec.Event
	if w.detector == model.Perfect {
		for q := range (spec.UpTo(len(w.ring)) &^ live).All() {
			events = append(events, spec.Event{Kind: spec.Suspect, Peer: q})
		}
	}
	read := spec.Event{Kind: spec.Round}
	inbox := s.Inboxes[p-1]
	for i := range inbox {
		at := i
		if part.Order != nil {
			at = part.Order[i]
		}
		read.Inbox = append(read.Inbox, spec.Received[any]{From: inbox[at].From, Message: inbox[at].Message})
	}
	for _, e := range append(events, read) {
		if state, err = w.call(what, p, state, e, live); err != nil {
			return err
		}
	}
	return nil
}

// call lists one call of a handler, and returns what comes of it now.
func (w *writer) call(what string, p spec.ID, before any, e spec.Event, live spec.Set) (after any, err error) {
	e.Live = 0
	if w.traits.Oracle && e.Kind != spec.Init {
		e.Live = live
	}
	h := handling{What: what, Process: p, Before: before, Calls: true}
	after, fx := w.machine.Step(p, w.ring, before, e)
	if fx.Panic != "" {
		h.Panics, fx.Panic = true, ""
	}
	messages := []any{e.Message}
	if e.Kind != spec.Receive {
		messages = nil
	}
	for i, received := range e.Inbox {
		messages = append(messages, received.Message)
		e.Inbox[i].Message = nil
	}
	for _, m := range messages {
		text, err := runlog.PlainJSON(m)
		if err != nil {
			return nil, err
		}
		h.Messages = append(h.Messages, string(text))
	}
	if e.Value != nil {
		text, err := runlog.PlainJSON(e.Value)
		if err != nil {
			return nil, err
		}
		h.Value = string(text)
	}
	e.Message, e.Value = nil, nil
	effects, err := json.Marshal(fx)
	if err != nil {
		return nil, err
	}
	if h.After, err = stateText(after); err != nil {
		return nil, err
	}
	h.Event, h.Effects = e, string(effects)
	w.handlings = append(w.handlings, h)
	return after, nil
}

// stateText returns a state as JSON, "" for none.
func stateText(s any) (string, error) {
	if s == nil {
		return "", nil
	}
	text, err := runlog.PlainJSON(s)
	return string(text), err
}

var fileTemplate, codeTemplate = parsed(fileText), parsed(codeText)

func parsed(text string) *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"go": func(s string) string {
			if strings.ContainsAny(s, "`\r") {
				return fmt.Sprintf("%q", s)
			}
			return "`" + s + "`"
		},
		"quote":   func(s string) string { return fmt.Sprintf("%q", s) },
		"comment": func(s string) string { return strings.Join(strings.Fields(s), " ") },
		"event":   eventText,
		"text":    stateText,
	}).Parse(text))
}

// eventText returns an event without its messages and its value as Go text.
func eventText(e spec.Event) string {
	kind := [...]string{"Start", "Act", "Receive", "Timeout", "Suspect", "Restore", "Round", "Init", "Recover"}[e.Kind]
	text := "spec.Event{Kind: spec." + kind
	for _, field := range []struct {
		name  string
		value uint64
	}{{"From", uint64(e.From)}, {"Timer", uint64(e.Timer)}, {"Action", uint64(e.Action)}, {"Peer", uint64(e.Peer)}, {"Live", uint64(e.Live)}} {
		if field.value != 0 {
			text += fmt.Sprintf(", %s: %d", field.name, field.value)
		}
	}
	if e.Initiator {
		text += ", Initiator: true"
	}
	if len(e.Inbox) > 0 {
		text += ", Inbox: []spec.Received[any]{"
		for _, r := range e.Inbox {
			text += fmt.Sprintf("{From: %d}, ", int(r.From))
		}
		text += "}"
	}
	if e.Choices != nil {
		text += fmt.Sprintf(", Choices: %#v", e.Choices)
	}
	return text + "}"
}
