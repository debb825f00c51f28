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

// TLC compares the states and steps of a module with those that TLC finds: TLC explores
// the module, by the given jar of the TLA+ tools and java on the path, and writes its
// graph. In the Result, TLC takes the place of the Go code. The properties of the
// configuration are left out, so that TLC explores everything. Anything but a complete
// search of TLC with output that was understood is an error.
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
	if len(g.found) != distinct {
		return nil, fmt.Errorf("TLC says that it found %d distinct states, and wrote down %d", distinct, len(g.found))
	}
	x := newComparison(m, o, g)
	if err := x.run(ctx); err != nil {
		return nil, err
	}
	if x.Complete && x.Difference == nil && o.Direction != TLARefines && x.States != len(g.found) {
		return nil, fmt.Errorf("TLC wrote down %d states, and only %d of them can be reached by its steps", len(g.found), x.States)
	}
	return &x.Result, nil
}

// comparable refuses a module without states, or one that cuts off some.
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

// runTLC returns the number of distinct states that TLC prints.
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

// questions are the sections of a configuration with properties to check.
var questions = map[string]bool{
	"INVARIANT": true, "INVARIANTS": true, "PROPERTY": true, "PROPERTIES": true, "CHECK_DEADLOCK": true, "ALIAS": true, "POSTCONDITION": true,
}

// otherSections are the other sections that a Model uses.
var otherSections = map[string]bool{"SPECIFICATION": true, "INIT": true, "NEXT": true, "CONSTANT": true, "CONSTANTS": true}

// withoutQuestions returns a configuration without properties.
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
