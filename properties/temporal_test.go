package properties_test

import (
	"errors"
	"strings"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
)

// TestWhatThereIsNot: a formula that speaks of something that there is not is
// refused, as it would be true or false for no reason.
func TestWhatThereIsNot(t *testing.T) {
	for text, want := range map[string]string{
		"[]!leads(9)":                  `the formula "[]!leads(9)": column 4: there is no process 9: N is 3`,
		"<>up(3) | <>[]knows(04)":      `the formula "<>up(3) | <>[]knows(04)": column 15: there is no process 4: N is 3`,
		"é":                            `the formula "é": column 1: "é" is not a predicate of states`,
		"!knows(1) ~> knos(1)":         `the formula "!knows(1) ~> knos(1)": column 14: "knos(1)" is not a predicate of states`,
		"[]<>up(0)":                    `the formula "[]<>up(0)": column 5: there is no process 0: they are numbered from 1`,
		"<>leads(17)":                  `the formula "<>leads(17)": column 3: leads(17) speaks of no process: N is 16 at most`,
		"<>up":                         `the formula "<>up": column 3: up is said of one process: write up(1)`,
		"[]<>rest(1)":                  `the formula "[]<>rest(1)": column 5: "rest(1)" is not a predicate of states`,
		"<>(up(3) & up(1))":            "",
		"[](can-elect -> <>rest)":      "",
		"[](can-elect -> <>quiescent)": "",
	} {
		p, err := election.Formula(text)
		var atom *properties.AtomError
		if err == nil {
			_, err = properties.Verify(t.Context(), bully.Mended, model.Config{N: 3}, []properties.Property{p}, properties.Options{})
		}
		if err == nil && want == "" {
			continue
		}
		if err == nil || err.Error() != want || !errors.As(err, &atom) || atom.Column == 0 {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestOwnAtoms: what an atom of one's own means is not for us to say.
func TestOwnAtoms(t *testing.T) {
	own := map[string]func(*model.World) error{"up(9)": func(*model.World) error { return nil }}
	p, err := properties.Temporal("mine", "", "[]<>up(9)", own)
	if err != nil {
		t.Fatal(err)
	}
	if err := election.Check(bully.Mended, model.Config{N: 3}, []properties.Property{p}); err != nil {
		t.Error(err)
	}
	if _, err := properties.Temporal("mine", "", "[]<>up(9) & <>nobody", own); err == nil || !strings.Contains(err.Error(), "column 15") {
		t.Error(err)
	}
}

// TestReplayOfAStranger: a trace that says it violates a formula about a process
// that there is not shows nothing.
func TestReplayOfAStranger(t *testing.T) {
	c := model.Config{N: 2, Network: model.Set, Crashes: 1}
	f := finding(t, verify(t, changroberts.Naive, c, []properties.Property{election.LeaderEventually}, properties.Options{}), "leader-eventually")
	f.Trace.Property = "<>[]leads(9)"
	if _, _, reason, err := election.Replay(changroberts.Naive, f.Trace); err == nil || !strings.Contains(err.Error(), "there is no process 9: N is 2") {
		t.Error(reason, err)
	}
}

// TestWhy: what is said of a formula that is false is true of the run.
func TestWhy(t *testing.T) {
	for _, c := range []struct {
		formula, letters string // by position, a dot for none; from the | on they repeat
		want             string
	}{
		{"<>[]p", "p p | .", "it cycles, and there is no p"},
		{"<>[]p", ". | p p . p", "it cycles, and there is no p after step 3"},
		{"<>[](p & q)", "pq | pq p pq", "it cycles, and there is no q after step 2"},
		{"<>[](p & q)", "pq | q p", "it cycles, and there is no p after step 1"},
		{"<>[](p | q)", "p | .", "it cycles, and p | q is false"},
		{"<>[](q -> p)", "p | q", "it cycles, and there is no p"},
		{"<>[]!p", "| p", "it cycles, and p is true"},
		{"[]<>p", "p p | . .", "it cycles, and there is no p"},
		{"[]<>(p & q)", "pq | p p", "it cycles, and there is no q"},
		{"[]<>(p & q)", "pq | p q", "it cycles, and p & q is false in each state of its loop"},
		{"<>p", ". q | . .", "it cycles, and there is no p"},
		{"<>(p & q)", "p | q", "it cycles, and p & q is false in each of its states"},
		{"[]p", "p p . | .", "there is no p after step 2"},
		{"[]!(p & q)", "pq | .", "p & q is true at the beginning"},
		{"p & []<>q", "q | q", "there is no p at the beginning"},
		{"p ~> q", "p pq . p p | . p", "it cycles; p holds after step 3, and q in no state from there on"},
		{"[](p -> <>q)", "| p", "it cycles; p holds at the beginning, and q in no state from there on"},
		{"!p ~> !q", "p | q", "it cycles; !p holds after step 1, and !q in no state from there on"},
		{"[]<>p & (p ~> q)", "q q | p", "it cycles; p holds after step 2, and q in no state from there on"},
		{"[]<>p -> <>q", "| p .", "it cycles, and the formula is false of it"},
		{"p U q", ". | pq", "it cycles, and the formula is false of it"},
		{"[](p R q)", "| p", "it cycles, and the formula is false of it"},
		{"<>[]<>p", "| q", "it cycles, and the formula is false of it"},
		{"<>q & ([]p | []q)", "q | .", "it cycles, and []p | []q is false of it"},
		{"<>p", "p | .", ""},
	} {
		stem, loop, _ := strings.Cut(c.letters, "|")
		before := strings.Fields(stem)
		if have := properties.Why(c.formula, append(before, strings.Fields(loop)...), len(before)); have != c.want {
			t.Errorf("%s on %s: %s; want %s", c.formula, c.letters, have, c.want)
		}
	}
}
