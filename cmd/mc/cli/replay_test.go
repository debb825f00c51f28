package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/saved"
	"interleave/cmd/mc/internal/trace"
	"interleave/cmd/mc/internal/ui"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/spec"
	"interleave/spec/catalog"
)

const violation = "verify bully/published --timers any --property winner-is-top"

// read returns the trace in a file.
func read(t *testing.T, file string) *model.Trace {
	t.Helper()
	trace, err := saved.ReadTrace(file)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// TestReplayRefutes: the checksum is right, but what the trace says does not
// happen, or no longer.
func TestReplayRefutes(t *testing.T) {
	file := written(t, violation)
	for what, c := range map[string]struct {
		change  func(tr *model.Trace)
		refuted string
	}{
		"another timer": {
			func(tr *model.Trace) { tr.Steps[1].Timer = "T_no" },
			"step 2: ", // the event, in JSON
		},
		"another event": {
			func(tr *model.Trace) { tr.Steps[0].Event = "receive" },
			"process 1 can only notice there",
		},
		"another process": {
			func(tr *model.Trace) { tr.Steps[0].Process = 2 },
			"step 1: notice leads process 2 to another state than the trace says",
		},
		"a process that does not exist": {
			func(tr *model.Trace) { tr.Steps[1].Process = 9 },
			"step 2: ",
		},
		"another state": {
			func(tr *model.Trace) { tr.Steps[1].State = "0123456789abcdef" },
			"step 2: timeout T_ok leads process 1 to another state than the trace says",
		},
		"no state, as after a panic": {
			func(tr *model.Trace) { tr.Steps[1].State = "" },
			"step 2: ",
		},
		"a step left out": {
			func(tr *model.Trace) { tr.Steps = tr.Steps[1:] },
			"step 1: ",
		},
		"a step twice": {
			func(tr *model.Trace) { tr.Steps = append(tr.Steps, tr.Steps[1]) },
			"step 3: ",
		},
		"the last step left out": {
			func(tr *model.Trace) { tr.Steps = tr.Steps[:1] },
			"the property is not false at its end",
		},
		"no step": {
			func(tr *model.Trace) { tr.Steps = nil },
			"the property is not false at its end",
		},
		"another property": {
			func(tr *model.Trace) { tr.Property = "no-deadlock" },
			"the property is not false at its end",
		},
		"another world": {
			func(tr *model.Trace) { tr.Config.Timers = model.Flush },
			"step 2: ",
		},
		"other initiators": {
			func(tr *model.Trace) { tr.Initiators = spec.SetOf(1) },
			"no initial state has the initiators {1}",
		},
		"a loop that does not close": {
			func(tr *model.Trace) { tr.Property, tr.Loop = "termination", 1 },
			"the state is not the one before step 1",
		},
		"a loop past the end": {
			func(tr *model.Trace) { tr.Property, tr.Loop = "termination", 4 },
			"step 2: ",
		},
		"a rest where something must still happen": {
			func(tr *model.Trace) { tr.Property, tr.Loop = "termination", 3 },
			"the property is not false",
		},
	} {
		t.Run(what, func(t *testing.T) {
			trace := read(t, file)
			c.change(trace)
			changed := filepath.Join(t.TempDir(), "changed.json")
			if err := trace.WriteFile(changed); err != nil {
				t.Fatal(err)
			}
			o := mc(t.Context(), "replay "+changed)
			o.expect(t, ui.ExitContradicted, "REFUTED")
			o.expect(t, ui.ExitContradicted, c.refuted)
			if strings.Contains(o.out, "CONFIRMED") || o.err != "" {
				t.Errorf("%s%s", o.out, o.err)
			}
		})
	}
}

// TestRefutedIsNotWritten: what is refuted is handed on by no verb as if it were a counterexample.
func TestRefutedIsNotWritten(t *testing.T) {
	trace := read(t, written(t, violation))
	dir := t.TempDir()
	changed := filepath.Join(dir, "changed.json")
	for property, why := range map[string]string{"winner-is-top": "step 2: ", "no-deadlock": "the property is not false at its end"} {
		if trace.Property = property; property == "winner-is-top" {
			trace.Steps[1].Timer = "T_no"
		} else {
			trace.Steps[1].Timer = "T_ok"
		}
		if err := trace.WriteFile(changed); err != nil {
			t.Fatal(err)
		}
		for _, verb := range []string{"draw " + changed, "explain " + changed, "tla export " + changed + " --out " + dir, "explore " + changed + " --html " + dir + "/page.html"} {
			o := mc(t.Context(), verb)
			files, err := os.ReadDir(dir)
			if o.status != ui.ExitContradicted || o.out != "" || !strings.Contains(o.err, why) || !strings.Contains(o.err, "mc: hint: mc replay ") || len(files) != 1 {
				t.Errorf("%s: status %d, %d files, %v: %s%s", verb, o.status, len(files), err, o.out, o.err)
			}
		}
	}
}

// renamed is a machine under another name.
type renamed struct {
	spec.Machine
	name string
}

func (m renamed) Traits() spec.Traits {
	t := m.Machine.Traits()
	t.Name = m.name
	return t
}

// TestReplayMended: the algorithm was mended since, and the trace tells.
func TestReplayMended(t *testing.T) {
	all := names.New(catalog.Machines, catalog.Aliases)
	before, err := all.Find("bully/published")
	if err != nil {
		t.Fatal(err)
	}
	after, err := all.Find("bully/mended")
	if err != nil {
		t.Fatal(err)
	}
	file := written(t, "verify mine --timers any --property agreement --continue", renamed{before, "mine"})
	mc(t.Context(), "replay "+file, renamed{before, "mine"}).expect(t, ui.ExitHolds, "CONFIRMED")
	mc(t.Context(), "replay "+file, renamed{after, "mine"}).expect(t, ui.ExitContradicted, "REFUTED step ")
	mc(t.Context(), "replay "+file).expect(t, ui.ExitUsage, `there is no algorithm "mine"`)
}

// TestReplayBadWorld: a trace of a world that cannot be is no trace.
func TestReplayBadWorld(t *testing.T) {
	file := written(t, violation)
	for axis, change := range map[string]func(c *model.Config){
		"n":        func(c *model.Config) { c.N = 17 },
		"ring":     func(c *model.Config) { c.Ring = model.Ascending(3) },
		"split":    func(c *model.Config) { c.Split = true },
		"crashes":  func(c *model.Config) { c.Crashes = -1 },
		"detector": func(c *model.Config) { c.Detector = model.Perfect },
	} {
		trace := read(t, file)
		change(&trace.Config)
		changed := filepath.Join(t.TempDir(), "changed.json")
		if err := trace.WriteFile(changed); err != nil {
			t.Fatal(err)
		}
		mc(t.Context(), "replay "+changed).expect(t, ui.ExitUsage, "changed.json: ")
		mc(t.Context(), "replay "+changed).expect(t, ui.ExitUsage, axis+": ")
	}
}

// TestReplayCut cuts a trace at every byte.
func TestReplayCut(t *testing.T) {
	testsize.Alone(t)
	file := written(t, violation)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) - 1 { // the last byte is a newline
		overwrite(t, file, whole[:n])
		text := "it was cut short"
		if n == 0 {
			text = "the file is empty"
		}
		if mc(t.Context(), "replay "+file).expect(t, ui.ExitUsage, text); t.Failed() {
			t.Fatalf("cut after %d bytes:\n%s", n, whole[:n])
		}
	}
}

// TestReplayFlipped flips a bit in every byte of a trace: each is noticed.
func TestReplayFlipped(t *testing.T) {
	testsize.Alone(t)
	file := written(t, violation)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		text := bytes.Clone(whole)
		text[n] ^= 1
		overwrite(t, file, text)
		if mc(t.Context(), "replay "+file).expect(t, ui.ExitUsage, "trace.json: "); t.Failed() {
			t.Fatalf("byte %d is %q, not %q", n, text[n], whole[n])
		}
	}
}

func overwrite(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// FuzzReplay wants no file to be taken for a good trace, or to upset mc.
func FuzzReplay(f *testing.F) {
	var good bytes.Buffer
	trace := &model.Trace{
		Format: model.TraceFormat, Version: model.TraceVersion, Algorithm: "bully/published",
		Config: model.Config{N: 2, Timers: model.Any}, Property: "winner-is-top",
	}
	if err := trace.Write(&good); err != nil {
		f.Fatal(err)
	}
	f.Add(good.Bytes())
	f.Add([]byte("{}"))
	f.Add([]byte("[]"))
	f.Add([]byte(`{"format": "interleave trace", "version": 1, "config": {"n": -1}}`))
	file := filepath.Join(f.TempDir(), "trace.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		overwrite(t, file, text)
		if o := mc(t.Context(), "replay "+file); o.status != ui.ExitUsage && o.status != ui.ExitContradicted {
			t.Errorf("status %d\n%s%s", o.status, o.out, o.err)
		}
	})
}

// TestReasonIsRecomputed: what a trace says of why its property is false is not believed, though
// its checksum is right.
func TestReasonIsRecomputed(t *testing.T) {
	testsize.Alone(t)
	file := written(t, violation)
	forged := read(t, file)
	forged.Reason = "FORGED"
	if err := forged.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	lines := []string{"replay " + file + " --go-test --go-out " + dir + "/bad_test.go", "explain " + file,
		"explore " + file + " --html " + dir + "/page.html", "tla export " + file + " --out " + dir}
	for _, form := range trace.Forms() {
		lines = append(lines, "draw "+file+" --as "+form+" --out "+dir+"/picture."+form, "draw "+file+" --as "+form)
	}
	for _, line := range lines {
		o := mc(t.Context(), line)
		o.expect(t, ui.ExitHolds, "")
		if strings.Contains(o.out+o.err, "FORGED") {
			t.Errorf("mc %s believes the file", line)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	told := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "FORGED") {
			t.Errorf("%s believes the file", name)
		}
		if strings.Contains(string(text), "follows itself, but 3 is top") {
			told++
		}
	}
	if told < 3 {
		t.Errorf("%d files say why", told)
	}
}

// TestDrawnFiles: a file has what is printed where there is no terminal, so no colours.
func TestDrawnFiles(t *testing.T) {
	file := written(t, violation)
	for _, form := range trace.Forms() {
		out := filepath.Join(t.TempDir(), "picture")
		mc(t.Context(), "draw "+file+" --as "+form+" --out "+out).expect(t, ui.ExitHolds, "")
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if printed := mc(t.Context(), "draw "+file+" --as "+form).out; string(text) != printed {
			t.Errorf("%s: the file has\n%q\nand printed is\n%q", form, text, printed)
		}
	}
}
