package ltl

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// judged is what compare reports to.
type judged interface {
	Fatalf(format string, args ...any)
}

// compare wants the automaton of a formula to accept a word if the formula holds on it.
func compare(t judged, f *Formula, words ...word) {
	m := machineOf(f.Automaton(names))
	for _, w := range words {
		if m.accepts(w) != w.satisfies(f) {
			t.Fatalf("%s on %s: the automaton says %v", f, w, !w.satisfies(f))
		}
	}
}

func TestAutomatonAcceptsWhatHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 5 {
			compare(t, drawFormula(t, 3), append(shortWords, drawWord(t), drawWord(t), drawWord(t))...)
		}
	})
}

// TestRewriting has formulas that a rule for terms applies to, and for each some
// that a careless rule would apply to.
func TestRewriting(t *testing.T) {
	for _, text := range []string{
		"p U (p U q)", "p U (q U r)", "q U (p U r)", "(p & q) U (p U r)", "(p | q) U (p U r)",
		"<>(p U q)", "<>(p R q)", "<>(p | q U r)", "p U (q | <>r)", "r U (p | q U r)",
		"p U []<>q", "p U <>[]q", "p U []q", "p U [](q U r)", "p U [](q R r)", "[](p U <>q)",
		"p U ([]<>q & r)", "p U (<>[]q | r)", "p U ([]<>q & <>[]r)", "[](p | []<>q)", "p U (<>(q R r) & []<>p)",
		"[]p & []q", "[]p & (q R r)", "(p R q) & (r R q)", "[]<>p & []<>q", "[](p & []q)",
		"p U q & r U q", "p U q & p U r", "p U (q & r) & p U q", "(p & r) U q & p U q", "p R q & q", "p R q | q", "p U q | q",
		"p & !p", "p & (q | !p)", "p & (p | q)", "(p -> q) & (q -> p)", "(p U q) <-> (q R p)", "p U q & !(p U q)",
	} {
		compare(t, parse(t, text), everyWord...)
		compare(t, Not(parse(t, text)), everyWord...)
	}
}

// shortWords are all words of up to three letters of p and q; everyWord those of
// p, q and r.
var shortWords, everyWord = allWords(2), allWords(3)

func allWords(atoms int) []word {
	var words []word
	for length := 1; length <= 3; length++ {
		for n := range 1 << (atoms * length) {
			letters := make([]uint64, length)
			for i := range letters {
				letters[i] = uint64(n >> (atoms * i) & (1<<atoms - 1))
			}
			for loop := range length {
				words = append(words, word{letters, loop})
			}
		}
	}
	return words
}

// TestSizes pins the automata of common forms. The number of states is the least
// with labels on states, where no comment says otherwise.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		formula                  string
		states, edges, accepting int
	}{
		{"true", 1, 1, 0},
		{"false", 0, 0, 0},
		{"p", 2, 2, 0},
		{"[]!p", 1, 1, 0},
		{"<>p", 3, 4, 1}, // wait, p, anything
		{"[]<>!p", 2, 4, 1},
		{"<>[]p", 2, 3, 1},
		{"<>(p & []!q)", 3, 4, 1}, // wait, p & !q, !q
		{"!(p ~> q)", 3, 4, 1},
		{"p ~> q", 3, 8, 1},
		{"[](p -> []q)", 2, 3, 0},
		{"p U q", 3, 4, 1},
		{"p W q", 3, 4, 0},
		{"p R q", 3, 4, 0},
		{"[]<>p & []<>q", 4, 16, 2}, // three would do: p and q need not be seen at once
		{"!([]<>p -> []<>q)", 3, 6, 1},
		{"<>[]p & <>[]q", 2, 3, 1},
		{"<>p | <>q", 4, 6, 1},
		{"[]p & []q", 1, 1, 0},
		{"[]([]p & q)", 1, 1, 0},
		{"<>(p | <>p)", 3, 4, 1},
		{"[]<>[]<>p", 2, 4, 1},
		{"p & <>(p | !p) & (q | !q)", 2, 2, 0},
		{"[]p & <>!p", 0, 0, 0},
		{"<>(p & q) & []!q", 0, 0, 0},
	} {
		f := parse(t, c.formula)
		a := f.Automaton(names)
		if got := [3]int{len(a.States), a.size() - len(a.States), a.Accepting}; got != [3]int{c.states, c.edges, c.accepting} {
			t.Errorf("%s: %d states, %d edges, %d acceptance sets", f, got[0], got[1], got[2])
		}
	}
}

func TestTooLarge(t *testing.T) {
	var parts []*Formula
	for i := range 40 {
		parts = append(parts, Always(Eventually(Atom(fmt.Sprintf("p(%d)", i)))))
	}
	for _, f := range []*Formula{And(parts[:20]...), And(parts...)} {
		if a := f.Automaton(f.Atoms()); a != nil {
			t.Errorf("%d states for %d conjuncts", len(a.States), len(f.args))
		}
	}
}

// machine is an automaton with labels on transitions, as others print them; ours
// becomes one with each state's label on all its transitions.
type machine struct {
	initial []int
	edges   [][]edge
	accept  []uint64
	sets    int
}

type edge struct {
	reads func(letter uint64) bool
	to    int
}

func machineOf(a *Automaton) machine {
	m := machine{initial: a.Initial, sets: a.Accepting}
	for _, s := range a.States {
		var edges []edge
		for _, to := range s.Next {
			edges = append(edges, edge{s.Reads, to})
		}
		m.edges = append(m.edges, edges)
		m.accept = append(m.accept, s.Accept)
	}
	return m
}

// place is where a run of a machine on a word may be.
type place struct{ position, state int }

// accepts reports whether a machine accepts a word: some run goes on forever, and
// from each of its places on to each acceptance set.
func (m machine) accepts(w word) bool {
	live := map[place]bool{}
	for i := range w.letters {
		for s := range m.edges {
			live[place{i, s}] = true
		}
	}
	for before := -1; len(live) != before; {
		before = len(live)
		live = m.lead(w, live, func(p place) bool { return true })
		for set := range m.sets {
			live = m.lead(w, live, func(p place) bool { return m.accept[p.state]>>set&1 == 1 })
		}
	}
	return slices.ContainsFunc(m.initial, func(s int) bool { return live[place{0, s}] })
}

// lead returns the places from which a step or more among these lead to a good one.
func (m machine) lead(w word, places map[place]bool, good func(place) bool) map[place]bool {
	leads := map[place]bool{}
	for before := -1; len(leads) != before; {
		before = len(leads)
		for p := range places {
			i := p.position + 1
			if i == len(w.letters) {
				i = w.loop
			}
			if slices.ContainsFunc(m.edges[p.state], func(e edge) bool {
				next := place{i, e.to}
				return e.reads(w.letters[p.position]) && places[next] && (leads[next] || good(next))
			}) {
				leads[p] = true
			}
		}
	}
	return leads
}
