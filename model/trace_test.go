package model_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"interleave/internal/printable"
	"interleave/model"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
)

// aTrace returns the text of a short trace.
func aTrace(t testing.TB) string {
	t.Helper()
	r, err := model.NewReference(bully.Published, model.Config{N: 3, Timers: model.Any})
	if err != nil {
		t.Fatal(err)
	}
	var events []model.Event
	s := r.Initial()[0]
	for range 4 {
		step := r.Steps(s)[0]
		events, s = append(events, step.Event), step.After
	}
	trace, _, err := model.Record(r, r.Initial()[0], events)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := trace.Write(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestTraceRoundTrip(t *testing.T) {
	text := aTrace(t)
	trace, err := model.ReadTrace(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if _, run, err := model.Replay(bully.Published, trace); err != nil || len(run.Steps) != 4 {
		t.Fatalf("%v after %d steps", err, len(run.Steps))
	}
	var again bytes.Buffer
	if err := trace.Write(&again); err != nil || again.String() != text {
		t.Errorf("%v\n%s\nwas\n%s", err, again.String(), text)
	}
}

// TestTracePrints: a trace has no character that does not print, and is repeated whether its file
// escapes them, as it is written, or not.
func TestTracePrints(t *testing.T) {
	const nasty = "\u202e \u009b2J \ufffd \u2028 <\\u202e>"
	m := &spec.Algorithm[bool, string]{
		Name:     "nasty",
		Start:    func(_ *bool, p *spec.Proc[string]) { p.Send(p.ID, nasty) },
		Receive:  func(s *bool, _ *spec.Proc[string], _ spec.ID, m string) { *s = m == nasty },
		Election: &spec.Election[bool, string]{Leader: func(bool) spec.ID { return spec.None }},
	}
	r, err := model.NewReference(m, model.Config{N: 1})
	if err != nil {
		t.Fatal(err)
	}
	first := r.Steps(r.Initial()[0])[0]
	trace, _, err := model.Record(r, r.Initial()[0], []model.Event{first.Event, r.Steps(first.After)[0].Event})
	if err != nil {
		t.Fatal(err)
	}
	trace.Property, trace.Reason = "\u202e", nasty
	raw, err := json.Marshal(trace)
	if err != nil {
		t.Fatal(err)
	}
	trace.Sum = fmt.Sprintf("%x", sha256.Sum256(raw))
	if raw, err = json.Marshal(trace); err != nil || printable.Text(string(raw)) == string(raw) {
		t.Fatalf("%v: there is nothing to escape in %s", err, raw)
	}
	var text, again bytes.Buffer
	if err := trace.Write(&text); err != nil || printable.Text(text.String()) != text.String() {
		t.Fatalf("%v: %s", err, &text)
	}
	for _, file := range []string{text.String(), string(raw)} {
		read, err := model.ReadTrace(strings.NewReader(file))
		if err != nil {
			t.Fatalf("%v: %s", err, file)
		}
		if _, run, err := model.Replay(m, read); err != nil || run.Steps[1].After.Locals[0].State != true {
			t.Errorf("%v: %s", err, file)
		}
		again.Reset()
		if err := read.Write(&again); err != nil || again.String() != text.String() {
			t.Errorf("%v\n%s\nwas\n%s", err, &again, &text)
		}
	}
}

// TestDamagedTraces cuts a trace at every place and flips every byte of it:
// each is noticed.
func TestDamagedTraces(t *testing.T) {
	text := strings.TrimSpace(aTrace(t))
	for i := range len(text) {
		if _, err := model.ReadTrace(strings.NewReader(text[:i])); err == nil {
			t.Fatalf("cut after %d bytes, and not noticed", i)
		}
		damaged := []byte(text)
		damaged[i] ^= 0x01
		if _, err := model.ReadTrace(bytes.NewReader(damaged)); err == nil && !blank(text[i]) {
			t.Fatalf("byte %d of %q changed, and not noticed", i, text[max(0, i-20):i+1])
		}
	}
}

// blank: what stands between the words of JSON, and may do so in other ways.
func blank(c byte) bool { return c == ' ' || c == '\n' }

func TestReadTraceErrors(t *testing.T) {
	text := aTrace(t)
	for name, row := range map[string]struct{ text, want string }{
		"empty":                            {"", "the file is empty"},
		"foreign":                          {`{"a": 1}`, `its format is ""`},
		"prose":                            {"Dear all,", "line 1: invalid character 'D'"},
		"version":                          {strings.Replace(text, `"version": 2`, `"version": 7`, 1), "version 7, and this program reads versions 1 to 2"},
		"was a property of real processes": {strings.NewReplacer(`"version": 2`, `"version": 1`, `"property": ""`, `"property": "agreement"`).Replace(text), "of a real process that disagrees with the model"},
		"unknown":                          {strings.Replace(text, `"property"`, `"colour": 1, "property"`, 1), `unknown field "colour"`},
		"bad value":                        {strings.Replace(text, `"any"`, `"never"`, 1), `timers: "never" is not one of flush, mixed, just, any`},
		"bad type":                         {strings.Replace(text, `"n": 3`, `"n": "three"`, 1), "line 6: config.n cannot be a string"},
		"truncated":                        {text[:len(text)/2], "it was cut short"},
		"trailing":                         {text + "{}", "line 47: invalid character '{' after top-level value"},
		"twice":                            {strings.Replace(text, `"property"`, `"reason": "all is well", "property"`, 1), "edited"},
		"shouted":                          {strings.Replace(text, `"reason"`, `"REASON"`, 1), "edited"},
		"edited":                           {strings.Replace(text, `"n": 3`, `"n": 4`, 1), "edited"},
	} {
		_, err := model.ReadTrace(strings.NewReader(row.text))
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v; want %q", name, err, row.want)
		}
	}
}

// TestRefutedTraces alters steps and seals the trace anew: the replay stops at
// the place.
func TestRefutedTraces(t *testing.T) {
	text := aTrace(t)
	for name, alter := range map[string]func(*model.Trace){
		"step 2: ":                     func(t *model.Trace) { t.Steps[1].Process = 3 },
		"process 9 can do nothing":     func(t *model.Trace) { t.Steps[2].Process = 9 },
		"another state than the trace": func(t *model.Trace) { t.Steps[3].State = "0000" },
		"no initial state":             func(t *model.Trace) { t.Initiators = 1 },
		"no loop":                      func(t *model.Trace) { t.Loop = 2 },
		"there is no loop":             func(t *model.Trace) { t.Loop = -1 },
	} {
		trace, err := model.ReadTrace(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		alter(trace)
		_, _, err = model.Replay(bully.Published, trace)
		var refuted *model.ReplayError
		if !errors.As(err, &refuted) || !strings.Contains(err.Error(), name) {
			t.Errorf("%v; want %q", err, name)
		}
	}
}

// TestNothingAfterAPanic: a trace that goes on after a panic, round in a loop or at rest, is
// refuted.
func TestNothingAfterAPanic(t *testing.T) {
	m := &spec.Algorithm[int, int]{
		Name: "x/fragile",
		Election: &spec.Election[int, int]{
			Leader: func(int) spec.ID { return spec.None },
			Notice: func(*int, *spec.Proc[int]) { panic("no") },
		},
		Receive: func(*int, *spec.Proc[int], spec.ID, int) {},
	}
	r, err := model.NewReference(m, model.Config{N: 1})
	if err != nil {
		t.Fatal(err)
	}
	start := r.Initial()[0]
	trace, _, err := model.Record(r, start, []model.Event{r.Steps(start)[0].Event})
	if err != nil {
		t.Fatal(err)
	}
	for _, trace.Loop = range []int{0, 1, 2} {
		_, _, err := model.Replay(m, trace)
		if refuted := err != nil && strings.Contains(err.Error(), "the handler panics, yet the trace goes on"); refuted != (trace.Loop > 0) {
			t.Errorf("loop %d: %v", trace.Loop, err)
		}
	}
}

// FuzzReadTrace wants no panic and no endless work from any file, nor from the
// replay of what can be read.
func FuzzReadTrace(f *testing.F) {
	text := aTrace(f)
	f.Add(text)
	f.Add(strings.Replace(text, `"n": 3`, `"n": 16`, 1))
	f.Add(strings.Replace(text, `"initiators": [`, `"initiators": [99,`, 1))
	f.Add(`{"format":"interleave trace","version":1}`)
	f.Fuzz(func(t *testing.T, text string) {
		trace, err := model.ReadTrace(strings.NewReader(text))
		if trace == nil || err != nil && !errors.Is(err, model.ErrEdited) {
			return
		}
		for _, m := range catalog.Machines {
			if m.Traits().Name == trace.Algorithm && trace.Config.N <= 8 {
				_, _, _ = model.Replay(m, trace)
			}
		}
	})
}

// TestTraceOfVersion1: what the first version wrote is read.
func TestTraceOfVersion1(t *testing.T) {
	trace, err := model.ReadTrace(strings.NewReader(aTrace(t)))
	if err != nil {
		t.Fatal(err)
	}
	var first bytes.Buffer
	trace.Version, trace.Property = 1, "S-self"
	if err := trace.Write(&first); err != nil {
		t.Fatal(err)
	}
	if again, err := model.ReadTrace(&first); err != nil || again.Version != 1 || again.Property != "S-self" {
		t.Errorf("%+v, %v", again, err)
	}
}
