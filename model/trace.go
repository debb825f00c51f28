package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"interleave/internal/cell"
	"interleave/internal/printable"
	"interleave/internal/scratch"
	"interleave/spec"
)

// TraceFormat and TraceVersion head every trace file.
const (
	TraceFormat  = "interleave trace"
	TraceVersion = 2
)

// maxTraceBytes bounds what ReadTrace reads.
const maxTraceBytes = 64 << 20

// Trace is a run of an algorithm in a world that shows something about a property. It has enough
// to repeat the run, and to notice if that comes out differently.
type Trace struct {
	Format     string      `json:"format"`
	Version    int         `json:"version"`
	Algorithm  string      `json:"algorithm"`
	Config     Config      `json:"config"`
	Property   string      `json:"property"`
	Reason     string      `json:"reason"`         // why the property is false at the end
	Loop       int         `json:"loop,omitempty"` // if above 0, the run repeats its steps from this one on forever, or rests if there is no such step
	Initiators spec.Set    `json:"initiators"`     // of the initial state
	Steps      []TraceStep `json:"steps"`
	Sum        string      `json:"sum"` // SHA-256 of all the rest
}

// TraceStep is an event and the state after it.
type TraceStep struct {
	eventJSON
	State string `json:"state,omitempty"` // digest; empty if the handler panicked
}

// Run is a trace repeated: States[0] is initial, and Steps[i] leads from
// States[i] to its own After.
type Run struct {
	States []State
	Steps  []Step
}

// End is the last state before the panic, if there is one, and otherwise the
// last of all.
func (r *Run) End() State { return r.States[len(r.States)-1] }

// MessagesSent is how many messages the run sends, whether or not they arrive.
func (r *Run) MessagesSent() int {
	n := 0
	for _, step := range r.Steps {
		n += len(step.Sends)
	}
	return n
}

// Observer sees a run step by step.
type Observer interface {
	Take(step int64, s spec.Step) // a process handles something
	Crash(p spec.ID)              // a process goes down
}

// Observe shows the run to an observer. Steps are numbered from 1. Lock-step rounds and what happens to messages in flight
// are not seen.
func (r *Run) Observe(o Observer) {
	for i, step := range r.Steps {
		e := step.Event
		if e.Action.Handles() && step.Panic == "" {
			o.Take(int64(i+1), Seen(e.Process, e.Step, r.States[i].Local(e.Process), step.After.Local(e.Process), step.Outputs))
		}
		if e.Action.Down() {
			o.Crash(e.Process)
		}
	}
}

// Record repeats a run from its initial state by the handlers and returns it as a trace, with no
// property yet. It fails if an event is not possible, and with a *RoundTripError if a trace cannot
// hold a message.
func Record(r *Reference, initial State, events []Event) (*Trace, *Run, error) {
	t := &Trace{
		Format: TraceFormat, Version: TraceVersion, Algorithm: r.traits.Name, Config: r.config,
		Initiators: newWorld(r, initial).initiators, Steps: []TraceStep{},
	}
	run := &Run{States: []State{initial}}
	for i, e := range events {
		step, err := r.Do(run.End(), e)
		if err != nil {
			return nil, nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		if m := step.Event.Step.Message; m != nil {
			if err := checkRoundTrip(r.traits, m); err != nil {
				return nil, nil, err
			}
		}
		encoded, err := step.Event.encode(r.traits)
		if err != nil {
			return nil, nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		t.Steps = append(t.Steps, TraceStep{encoded, run.take(step)})
	}
	return t, run, nil
}

// take appends a step and returns the digest of the state after it.
func (r *Run) take(step Step) string {
	r.Steps = append(r.Steps, step)
	if step.Panic != "" {
		return ""
	}
	r.States = append(r.States, step.After)
	return step.After.digest()
}

// digest returns a short hash of the whole state.
func (s State) digest() string {
	s = s.clone()
	for i := range s.Locals {
		s.Locals[i].State = cell.Seen(s.Locals[i].State)
	}
	sum := sha256.Sum256(s.json())
	return hex.EncodeToString(sum[:8])
}

// A ReplayError says which step of a trace does not happen as recorded.
type ReplayError struct {
	Step   int // from 1; 0 for the beginning
	Reason string
}

func (e *ReplayError) Error() string {
	if e.Step == 0 {
		return "the beginning: " + e.Reason
	}
	return fmt.Sprintf("step %d: %s", e.Step, e.Reason)
}

// Replay repeats a trace through the handlers of m, without any search. An
// error is a *ReplayError where a step is refuted; the run then holds what was
// confirmed before it.
func Replay(m spec.Machine, t *Trace) (*Reference, *Run, error) {
	if name := m.Traits().Name; name != t.Algorithm {
		return nil, nil, fmt.Errorf("the trace is of %s, not of %s", t.Algorithm, name)
	}
	r, err := NewReference(m, t.Config)
	if err != nil {
		return nil, nil, err
	}
	run := &Run{}
	for _, s := range r.Initial() {
		if newWorld(r, s).initiators == t.Initiators {
			run.States = []State{s}
		}
	}
	if run.States == nil {
		return r, run, &ReplayError{0, fmt.Sprintf("no initial state has the initiators %v", t.Initiators)}
	}
	for i, want := range t.Steps {
		step, err := find(r, run.End(), want.eventJSON)
		if err != nil {
			return r, run, &ReplayError{i + 1, err.Error()}
		}
		if digest := run.take(step); digest != want.State {
			return r, run, &ReplayError{i + 1, fmt.Sprintf("%s leads process %v to another state than the trace says (%s, not %s)", r.Describe(step.Event), want.Process, digest, want.State)}
		}
		if step.Panic != "" && (i+1 < len(t.Steps) || t.Loop > 0) {
			return r, run, &ReplayError{i + 1, "the handler panics, yet the trace goes on"}
		}
	}
	if t.Loop < 0 || t.Loop > len(t.Steps)+1 || t.Loop > 0 && !run.End().Equal(run.States[t.Loop-1]) {
		return r, run, &ReplayError{len(t.Steps), fmt.Sprintf("the state is not the one before step %d, so there is no loop", t.Loop)}
	}
	return r, run, follow(r, run)
}

// follow has objects of existing code take a run, which know nothing but that run. The states of the run may stand for other ones.
func follow(r *Reference, run *Run) error {
	code := r.traits.Code
	if code == nil {
		return nil
	}
	var (
		taken []spec.Taken
		of    []int // the numbers of the steps
	)
	add := func(step int, p spec.ID, before any, e spec.Event) {
		if e.Kind == spec.Init && before == nil {
			before = r.traits.Zero
		}
		taken, of = append(taken, spec.Taken{Process: p, Ring: r.ring, Before: before, Event: e}), append(of, step)
	}
	for p := range run.States[0].live().All() {
		add(0, p, nil, spec.Event{Kind: spec.Init})
	}
	for i, step := range run.Steps {
		e, p := step.Event.Step, step.Event.Process
		if !step.Event.Action.Handles() {
			continue
		}
		if e.Kind == spec.Recover {
			e = spec.Event{Kind: spec.Init}
		} else if r.traits.Oracle {
			e.Live = run.States[i].live()
		}
		add(i+1, p, run.States[i].Local(p).State, e)
	}
	if at, err := code.Follow(taken); err != nil {
		return &ReplayError{of[at], err.Error()}
	}
	return nil
}

// find returns the step out of s that want describes.
func find(r *Reference, s State, want eventJSON) (Step, error) {
	var possible []string
	for _, step := range r.Steps(s) {
		have, err := step.Event.encode(r.traits)
		if err != nil {
			return Step{}, err
		}
		if have.same(want) {
			return step, nil
		}
		if step.Event.Process == want.Process && len(possible) < 20 {
			possible = append(possible, r.Describe(step.Event))
		}
	}
	if want.Process == spec.None {
		return Step{}, fmt.Errorf("%v is not possible there", want)
	}
	if possible == nil {
		return Step{}, fmt.Errorf("%v is not possible: process %v can do nothing there", want, want.Process)
	}
	return Step{}, fmt.Errorf("%v is not possible: process %v can only %s there", want, want.Process, strings.Join(possible, "; or "))
}

func (e eventJSON) same(f eventJSON) bool {
	return e.Process == f.Process && e.Event == f.Event && e.From == f.From && e.Age == f.Age && e.Timer == f.Timer &&
		e.Peer == f.Peer && reflect.DeepEqual(e.CrashAfter, f.CrashAfter) && reflect.DeepEqual(e.Persisted, f.Persisted) && reflect.DeepEqual(e.LosesAfter, f.LosesAfter) && e.Side == f.Side && bytes.Equal(compact(e.Message), compact(f.Message)) &&
		bytes.Equal(compact(e.Value), compact(f.Value)) && slices.Equal(e.Choices, f.Choices) &&
		slices.EqualFunc(e.Parts, f.Parts, Part.same)
}

func compact(text json.RawMessage) []byte {
	var out bytes.Buffer
	if json.Compact(&out, text) != nil {
		return text
	}
	return shown(out.Bytes())
}

// shown is the form in which JSON is written: it means the same, but what does not print is escaped.
func shown(text []byte) []byte { return []byte(printable.Text(string(text))) }

func (e eventJSON) String() string {
	text, _ := json.Marshal(e)
	return string(text)
}

// SameRun reports whether two traces are of the same run, whatever they show.
func (t *Trace) SameRun(u *Trace) bool {
	return t.Initiators == u.Initiators && t.Loop == u.Loop && slices.Equal(t.Config.Ring, u.Config.Ring) &&
		slices.EqualFunc(t.Steps, u.Steps, func(a, b TraceStep) bool { return a.State == b.State && a.same(b.eventJSON) })
}

// sum returns the checksum that the trace ought to have.
func (t *Trace) sum() (string, error) {
	rest := *t
	rest.Sum = ""
	text, err := json.Marshal(rest)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Write writes the trace as JSON, sealed with its checksum. It has no character that does not print.
func (t *Trace) Write(w io.Writer) error {
	for i := range t.Steps {
		t.Steps[i].Message, t.Steps[i].Value = shown(t.Steps[i].Message), shown(t.Steps[i].Value) // of which the checksum has the very text
	}
	sum, err := t.sum()
	if err != nil {
		return fmt.Errorf("trace of %s: %w", t.Algorithm, err)
	}
	t.Sum = sum
	text, err := json.MarshalIndent(t, "", "  ")
	if err == nil {
		_, err = w.Write(append(shown(text), '\n'))
	}
	return err
}

// ErrOldConformance is of a trace of version 1 of a real process that disagrees with the model: the name of its
// property is that of another one now.
var ErrOldConformance = errors.New("it is a trace of version 1 of a real process that disagrees with the model")

// ErrEdited says that a trace file was changed after it was written.
var ErrEdited = errors.New("the checksum does not match the content: the trace was edited after it was written")

// ReadTrace reads what Write wrote. It returns ErrEdited, wrapped, along with
// the trace if that is well formed but not as it was written.
func ReadTrace(r io.Reader) (*Trace, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxTraceBytes+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxTraceBytes:
		return nil, fmt.Errorf("larger than %d MiB: no trace is", maxTraceBytes>>20)
	case len(bytes.TrimSpace(data)) == 0:
		return nil, errors.New("the file is empty")
	}
	if err := checkHeader(data); err != nil {
		return nil, err
	}
	t := &Trace{}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(t); err != nil {
		return nil, jsonError(data, err)
	}
	if sum, err := t.sum(); err != nil || sum != t.Sum {
		return t, ErrEdited
	}
	if again, err := json.Marshal(t); err != nil || !bytes.Equal(shown(again), compact(bytes.TrimSpace(data))) {
		return t, ErrEdited // it has a key twice, or with other letters
	}
	return t, nil
}

// checkHeader distinguishes a file of another format or version from a damaged trace.
func checkHeader(data []byte) error {
	var head struct {
		Format, Property string
		Version          int
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return jsonError(data, err)
	}
	if head.Format != TraceFormat {
		return fmt.Errorf("it is not a trace: its format is %q, not %q", head.Format, TraceFormat)
	}
	switch {
	case head.Version < 1 || head.Version > TraceVersion:
		return fmt.Errorf("it is a trace of version %d, and this program reads versions 1 to %d", head.Version, TraceVersion)
	case head.Version == 1 && head.Property == "agreement": // which now is a property of elections
		return ErrOldConformance
	}
	return nil
}

// jsonError adds the line to an error of encoding/json.
func jsonError(data []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && syntax.Offset >= int64(len(data)):
		return fmt.Errorf("line %d: the file ends in the middle of the trace: it was cut short", lineOf(data, int64(len(data))))
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: %w", lineOf(data, syntax.Offset), err)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("it is not a trace: it holds a JSON %s, not an object", kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("line %d: %s cannot be a %s", lineOf(data, kind.Offset), kind.Field, kind.Value)
	}
	return err
}

func lineOf(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
}

// WriteFile writes the trace to a file, as the function WriteFile does.
func (t *Trace) WriteFile(name string) error { return WriteFile(name, t.Write) }

// WriteFile creates a file from what write writes, whole or not at all. It removes what a process
// left over that ended while it wrote the same file. A file that exists must be a regular file,
// and keeps its mode. An error of the file system is an *fs.PathError of that
// name.
func WriteFile(name string, write func(io.Writer) error) error {
	mode := fs.FileMode(0o644)
	if old, err := os.Lstat(name); err == nil {
		if mode = old.Mode(); !mode.IsRegular() {
			return fmt.Errorf("%s is not a regular file", name)
		}
	}
	f, err := scratch.File(name)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once renamed
	if err := errors.Join(write(f), f.Chmod(mode.Perm()), f.Close()); err != nil {
		if path := (*fs.PathError)(nil); errors.As(err, &path) {
			return &fs.PathError{Op: path.Op, Path: name, Err: path.Err} // not the temporary name
		}
		return err
	}
	return os.Rename(f.Name(), name)
}
