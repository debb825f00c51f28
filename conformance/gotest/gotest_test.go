package gotest

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/modeltest"
	"interleave/spec"
)

// TestActions: a run with actions that have values, and with choices, is repeated by its test.
func TestActions(t *testing.T) {
	testsize.Alone(t)
	r, err := model.NewReference(modeltest.Requests, model.Config{N: 2, Crashes: 1, Recoveries: 1})
	if err != nil {
		t.Fatal(err)
	}
	chance, state := rand.New(rand.NewPCG(1, 2)), r.Initial()[0]
	var events []model.Event
	values, choices, recovered := 0, 0, false
	for values < 2 || choices < 4 || !recovered {
		steps := r.Steps(state)
		if len(steps) == 0 || len(events) > 40 {
			events, state, values, choices, recovered = nil, r.Initial()[0], 0, 0, false
			continue
		}
		step := steps[chance.IntN(len(steps))]
		if step.Event.Step.Value != nil {
			values++
		}
		choices += len(step.Event.Step.Choices)
		recovered = recovered || step.Event.Step.Kind == spec.Recover
		events, state = append(events, step.Event), step.After
	}
	trace, run, err := model.Record(r, r.Initial()[0], events)
	if err != nil {
		t.Fatal(err)
	}
	trace.Property, trace.Reason = "calm", "a test says so"
	text, err := Test{Machine: "Requests"}.Write(modeltest.Requests, r, trace, run)
	if err != nil {
		t.Fatal(err)
	}
	last := run.States[len(run.States)-1].Locals
	changed := strings.Replace(string(text), "Choices: []int{1", "Choices: []int{0", 1)
	out := ran(t, map[string]string{"same": string(text), "another": changed})
	if !strings.Contains(out, "calm is violated: a test says so") || !strings.Contains(out, "process 1: ") && last[0].Status != model.Down {
		t.Errorf("%s\n%s", out, text)
	}
	if strings.Count(out, "calm is violated") != 1 || !strings.Contains(out, "\tcounterexample/another") {
		t.Errorf("another choice makes no difference:\n%s", out)
	}
}

// ran runs test files, each in a folder of one module.
func ran(t *testing.T, texts map[string]string) string {
	t.Helper()
	ours, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	module := t.TempDir()
	requires, err := os.ReadFile(filepath.Join(ours, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(ours, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	mine := "module counterexample\n\nrequire interleave v0.0.0\n\nreplace interleave => " + ours + "\n"
	files := map[string]string{"go.mod": strings.Replace(string(requires), "module interleave\n", mine, 1), "go.sum": string(sums)}
	for folder, text := range texts {
		files[filepath.Join(folder, "run_test.go")] = text
	}
	for name, content := range files {
		if err := os.MkdirAll(filepath.Join(module, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(module, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-vet=off", "-count=1", "./...")
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOPROXY=off", "GOWORK=off")
	out, _ := cmd.CombinedOutput()
	return string(out)
}
