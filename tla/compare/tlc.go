package compare

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"interleave/tla"
	"interleave/tla/syntax"
)

// TLC compares a module with what TLC finds of it, state by state and step by step:
// TLC explores it, by the jar of the TLA+ tools that is given and java on the path,
// and writes down its graph. In the Result, TLC takes the place of the Go code. What
// the configuration asks is left out, so that TLC sees everything. An error is
// anything but a search that TLC brought to its end and that was understood.
func TLC(ctx context.Context, jar, file string, m *tla.Model, o Options) (*Result, error) {
	if err := comparable(m); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "mc-tlc-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	distinct, err := runTLC(ctx, jar, file, m.Config.File, folder)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(folder, "states.dot"))
	if err != nil {
		return nil, fmt.Errorf("TLC wrote no graph: %w", err)
	}
	g, err := readDump(string(text), m)
	if err != nil {
		return nil, fmt.Errorf("the graph that TLC wrote: %w", err)
	}
	if len(g.states) != distinct {
		return nil, fmt.Errorf("TLC says that it found %d distinct states, and wrote down %d", distinct, len(g.states))
	}
	x := newComparison(m, o)
	x.begin = func() ([]outcome, error) { return g.outcomes(g.initial), nil }
	x.steps = func(from *pairState) ([]outcome, error) { return g.outcomes(g.edges[g.place(from.image)]), nil }
	if err := x.run(ctx); err != nil {
		return nil, err
	}
	if x.Complete && x.Difference == nil && o.Direction != TLARefines && x.States != len(g.states) {
		return nil, fmt.Errorf("TLC wrote down %d states, and only %d of them can be reached by its steps", len(g.states), x.States)
	}
	return &x.Result, nil
}

// comparable refuses what has no states, or cuts off some.
func comparable(m *tla.Model) error {
	if len(m.Variables()) == 0 {
		return fmt.Errorf("module %s has no variables, and so no states to compare", m.Module)
	}
	if len(m.Config.Constraints)+len(m.Config.ActionLimits) > 0 {
		return fmt.Errorf("%s: a module with constraints is not compared", m.Config.File)
	}
	return nil
}

var (
	tlcEnds   = "Model checking completed. No error has been found."
	tlcStates = regexp.MustCompile(`(?m)^\d+ states generated, (\d+) distinct states found, 0 states left on queue\.\s*$`)
)

// runTLC returns how many distinct states TLC says that it found.
func runTLC(ctx context.Context, jar, file, config, folder string) (distinct int, err error) {
	if jar, err = filepath.Abs(jar); err != nil {
		return 0, err
	}
	if _, err := os.Stat(jar); err != nil {
		return 0, fmt.Errorf("the TLA+ tools: %w", err)
	}
	text, err := os.ReadFile(config)
	if err != nil {
		return 0, err
	}
	asksNothing, err := withoutQuestions(config, string(text))
	if err != nil {
		return 0, err
	}
	states := filepath.Join(folder, "states.cfg")
	if err := os.WriteFile(states, []byte(asksNothing), 0o600); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, "java", "-XX:+UseSerialGC", "-Duser.home="+folder, "-Djava.io.tmpdir="+folder, "-cp", jar, "tlc2.TLC",
		"-workers", "1", "-deadlock", "-noGenerateSpecTE", "-metadir", filepath.Join(folder, "meta"),
		"-dump", "dot,actionlabels", filepath.Join(folder, "states.dot"), "-config", states, strings.TrimSuffix(filepath.Base(file), ".tla"))
	cmd.Dir = filepath.Dir(file)
	out, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return 0, fmt.Errorf("TLC takes java on the path: %w", err)
	}
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if err != nil {
		return 0, fmt.Errorf("TLC did not come to its end: %w\n%s", err, lastLines(out))
	}
	found := tlcStates.FindSubmatch(out)
	if found == nil || !bytes.Contains(out, []byte(tlcEnds)) {
		return 0, fmt.Errorf("TLC did not say that it found everything:\n%s", lastLines(out))
	}
	return strconv.Atoi(string(found[1]))
}

func lastLines(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-12):], "\n")
}

// questions are the sections of a configuration that say what is to be judged.
var questions = map[string]bool{
	"INVARIANT": true, "INVARIANTS": true, "PROPERTY": true, "PROPERTIES": true, "CHECK_DEADLOCK": true, "ALIAS": true, "POSTCONDITION": true,
}

// otherSections are the rest of those that occur in a Model.
var otherSections = map[string]bool{"SPECIFICATION": true, "INIT": true, "NEXT": true, "CONSTANT": true, "CONSTANTS": true}

// withoutQuestions is a configuration that asks nothing.
func withoutQuestions(file, text string) (string, error) {
	tokens, err := syntax.Tokens(file, text, 0)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	keep, from := false, 0
	for _, t := range tokens {
		if t.Kind != syntax.EOF && !questions[t.Text] && !otherSections[t.Text] {
			continue
		}
		if keep {
			b.WriteString(text[from:t.Offset] + "\n")
		}
		keep, from = otherSections[t.Text], t.Offset
	}
	return b.String(), nil
}
