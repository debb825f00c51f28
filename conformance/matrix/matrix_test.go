package matrix

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"interleave/internal/testsize"
	"interleave/spec"
	"interleave/spec/catalog"
)

var update = flag.Bool("update", false, "write testdata anew")

// TestMatrix pins which layer kills which mutant of the catalogue.
func TestMatrix(t *testing.T) {
	testsize.Alone(t)
	texts := make([]string, len(catalog.Machines))
	t.Run("of", func(t *testing.T) {
		for i, m := range catalog.Machines {
			t.Run(m.Traits().Name, func(t *testing.T) {
				t.Parallel()
				if texts[i] = pinnedOf(t, m); texts[i] == "" || *update || i%testsize.Of(1, 5, 1) == 0 {
					texts[i] = killers(t, m, texts[i])
				}
			})
		}
	})
	pinned(t, "testdata/killers.txt", strings.Join(texts, ""))
}

// pinnedOf returns the lines of the mutants of an algorithm as they are pinned.
func pinnedOf(t *testing.T, m spec.Machine) string {
	t.Helper()
	text, err := os.ReadFile("testdata/killers.txt")
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(line, ":")
		if original, _ := spec.Original(name); original == m.Traits().Name {
			lines.WriteString(line)
		}
	}
	return lines.String()
}

// pinned compares a text with that of a file.
func pinned(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s is not as it was; go test -update writes it anew:\n%s", file, got)
	}
}

// unseen reads why what a mutant does looks honest to a layer: lines "LAYER MUTANT: REASON".
func unseen(t *testing.T) map[string]string {
	text, err := os.ReadFile("testdata/unseen.txt")
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for line := range strings.Lines(string(text)) {
		what, reason, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || reasons[what] != "" {
			t.Fatalf("testdata/unseen.txt: %q is no LAYER MUTANT: REASON, or is there twice", line)
		}
		reasons[what] = reason
	}
	return reasons
}

// TestUnseen: whatever survives a layer is explained, and nothing else is.
func TestUnseen(t *testing.T) {
	text, err := os.ReadFile("testdata/killers.txt")
	if err != nil {
		t.Fatal(err)
	}
	reasons := unseen(t)
	for line := range strings.Lines(string(text)) {
		name, killers, _ := strings.Cut(strings.TrimSpace(line), ":")
		at := slices.IndexFunc(catalog.Mutants, func(m spec.Machine) bool { return m.Traits().Name == name })
		if at < 0 {
			t.Fatalf("testdata/killers.txt: there is no mutant %q", name)
		}
		for _, l := range Layers {
			what := l.Name + " " + name
			killed := slices.Contains(strings.Fields(killers), l.Name) && !strings.HasPrefix(killers, " none:")
			switch explained := reasons[what] != "" || catalog.Mutants[at].Traits().Survives != ""; {
			case !killed && !explained:
				t.Errorf("%s survives %s, and testdata/unseen.txt does not say why it looks honest there", name, l.Name)
			case killed && reasons[what] != "":
				t.Errorf("%s kills %s, and testdata/unseen.txt says why it cannot", l.Name, name)
			}
			delete(reasons, what)
		}
	}
	for what := range reasons {
		t.Errorf("testdata/unseen.txt: there is no %q", what)
	}
}

// sampled is a family of which every fourth mutant is tried, unless the pins are written, and the others are
// taken as pinned: to try them all takes most of a minute.
const sampled = "paxos/"

// killers tells who kills the mutants of an algorithm, a line for each, given the lines that are pinned.
func killers(t *testing.T, m spec.Machine, pins string) string {
	t.Helper()
	mutants := slices.DeleteFunc(slices.Clone(catalog.Mutants), func(mutant spec.Machine) bool {
		original, _ := spec.Original(mutant.Traits().Name)
		return original != m.Traits().Name
	})
	lines := strings.SplitAfter(pins, "\n")
	some := mutants
	if strings.HasPrefix(m.Traits().Name, sampled) && !*update && len(lines) == len(mutants)+1 {
		some = nil
		for i := 0; i < len(mutants); i += 4 {
			some = append(some, mutants[i])
		}
	} else {
		lines = make([]string, len(mutants))
	}
	rows, err := Fill(t.Context(), m, some, Layers)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		at := slices.IndexFunc(mutants, func(m spec.Machine) bool { return m.Traits().Name == r.Mutant })
		lines[at] = told(r)
	}
	return strings.Join(lines, "")
}

// told is the line of a row.
func told(r Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", r.Mutant)
	for _, l := range Layers {
		if r.Killed[l.Name] != "" {
			fmt.Fprintf(&b, " %s", l.Name)
		}
	}
	if len(r.Killed) == 0 {
		fmt.Fprintf(&b, " none: %s", r.Survives)
	}
	return b.String() + "\n"
}

// TestFalls: a bug with which nobody takes a step leaves nothing in logs, and is seen by who drives.
func TestFalls(t *testing.T) {
	m := func(falls bool) spec.Machine {
		return &spec.Algorithm[bool, bool]{
			Name: "odd/falls",
			Start: func(*bool, *spec.Proc[bool]) {
				if falls {
					panic("planted")
				}
			},
			Receive:  func(*bool, *spec.Proc[bool], spec.ID, bool) {},
			Election: &spec.Election[bool, bool]{Leader: func(bool) spec.ID { return spec.None }},
		}
	}
	rows, err := Fill(t.Context(), m(false), []spec.Machine{m(true)}, Layers)
	if err != nil || len(rows) != 1 || !strings.Contains(rows[0].Killed["drive"], "planted") || len(rows[0].Killed) != 1 {
		t.Errorf("%+v, %v", rows, err)
	}
}

// TestUndecided: a mutant that no layer kills is a hole only if no search ended at a limit.
func TestUndecided(t *testing.T) {
	last := 2
	m := func(name string) spec.Machine {
		return &spec.Algorithm[int, bool]{
			Name: name,
			Init: func(_ *int, p *spec.Proc[bool]) { p.SetTimer(0) },
			Timeout: func(s *int, p *spec.Proc[bool], _ spec.Timer) {
				if *s++; *s < last {
					p.SetTimer(0)
				}
			},
			Receive:  func(*int, *spec.Proc[bool], spec.ID, bool) {},
			Election: &spec.Election[int, bool]{Leader: func(int) spec.ID { return spec.None }},
			Rules:    []spec.TimerRule[int, bool]{{Name: "T_count"}},
			MaxN:     2,
			World:    map[string]string{"timers": "any"},
		}
	}
	limited := Layer{Name: "limited", Kill: func(context.Context, spec.Machine, spec.Machine) (string, error) {
		return "", &UndecidedError{"a limit"}
	}}
	for _, row := range []struct {
		last      int
		layers    []Layer
		undecided bool
	}{{2, Layers[:1], false}, {40, Layers[:1], true}, {2, append(Layers[:1:1], limited), true}} {
		last = row.last
		rows, err := Fill(t.Context(), m("odd"), []spec.Machine{m("odd~same")}, row.layers)
		if err != nil || rows[0].Undecided() != row.undecided || rows[0].Hole() == row.undecided {
			t.Errorf("%d: %+v, %v", row.last, rows, err)
		}
	}
}
