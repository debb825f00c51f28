package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"interleave/explore/ltl"
	"interleave/internal/rapidtest"
	"interleave/internal/testsize"
)

// chance makes events of some edges: "ab/ac" is one with two answers, which lead from a to b and to c.
func (d *fairDrawing) chance(events string) *fairDrawing {
	d.choices = map[Action]choice{}
	for n, event := range strings.Fields(events) {
		for i, edge := range strings.Split(event, "/") {
			arrows := d.arrows[edge[0]-'a']
			at := slices.IndexFunc(arrows, func(a arrow) bool {
				_, met := d.choices[a.action]
				return a.to == int(edge[1]-'a') && !met
			})
			d.choices[arrows[at].action] = choice{uint64(n + 1), uint64(i)}
		}
	}
	return d
}

func (d *fairDrawing) choiceOf(_ []uint64, a Action) (event, answers uint64) {
	return d.choices[a].event, d.choices[a].answers
}

// lasting looks for a fair run that luck does not end on which a formula over p and q is false.
func lasting(t rapid.TB, d *fairDrawing, r *Result, f *ltl.Formula) (Lasso, bool) {
	t.Helper()
	runs, err := r.Graph.FairRuns(context.Background(), RunOptions{Fair: d.fairness, Atoms: 3})
	if err != nil {
		t.Fatal(err)
	}
	l, found, err := runs.EndComponent(context.Background(), ltl.Not(f).Automaton([]string{"p", "q"}), []uint8{0, 1}, d.choiceOf)
	if err != nil {
		t.Fatal(err)
	}
	return l, found
}

// TestChanceDrawings looks in graphs small enough to see whether luck ends a run. No lasso: it ends all
// that violate the formula.
func TestChanceDrawings(t *testing.T) {
	for _, test := range []struct {
		name, edges, events string
		p, q                string // where they are true
		formula, lasso      string
	}{
		{"flip until heads", "aa1 ab1", "aa/ab", "b", "", "<>p", ""},
		{"the same without chance", "aa1 ab1", "", "b", "", "<>p", "(a)"},
		{"whatever the coin shows", "ab1 ac1 ba ca", "ab/ac", "d", "", "<>p", "(ab)"},
		{"another loop that is as bad", "aa1 ab1 bb", "aa/ab", "c", "", "<>p", "a(b)"},
		{"another end that is as bad", "aa1 ab1", "aa/ab", "c", "", "<>p", "a(b)"},
		{"another loop that luck ends as well", "aa1 ab1 bb2 bc2", "aa/ab bb/bc", "c", "", "<>p", ""},
		{"a coin that nobody has to flip", "aa1 ab2! ac2! cc", "ab/ac", "b", "", "<>p", "(a)"},
		{"a coin that is flipped in vain: the other way is open", "aa1 ab2 ac2 ba3", "ab/ac", "c", "", "<>p", ""},
		{"a coin leads from one loop to another, where it is flipped no more", "aa1 ab2 ac2 bb3 ba4", "ab/ac", "c", "", "<>p", ""},
		{"strong fairness obliges to flip", "ab1 ba2 aa3* ac3*", "aa/ac", "c", "", "<>p", ""},
		{"weak fairness does not", "ab1 ba2 aa3 ac3", "aa/ac", "c", "", "<>p", "(ab)"},
		{"nobody is obliged to flip", "ab1 ba2 aa3! ac3!", "aa/ac", "c", "", "<>p", "(ab)"},
		{"two coins: both must fall well at once", "ab1 ac1 be2 bf2 ce3 cf3 ea4", "ab/ac be/bf ce/cf", "f", "", "<>p", ""},
		{"what is barred bars what led there", "ab1 bc2 cd3 ca4 ba5 ce5", "ba/bc ca/ce", "e", "", "<>p", "abc(d)"},
		{"the shortest loop is one of luck", "aa1 ac1 ab1 ba1", "aa/ac", "c", "", "<>p", "(ab)"},
		{"a long way out", "aa1 ab1 ba2 bc2 ca3 cd3", "aa/ab ba/bc ca/cd", "d", "", "<>p", ""},
		{"the answers are known before the crash", "aa1 ab1 ac1", "aa/ab", "b", "", "<>p", "a(c)"},
		{"comes and goes for good by chance", "aa1 ab1 bb", "aa/ab", "a", "", "<>[]!p", ""},
		{"always again", "ab1 ac1 ba2 ca3", "ab/ac", "b", "", "[]<>p", ""},
		{"not always", "ab1 ac1 ba2 ca3", "ab/ac", "ab", "", "<>[]p", "(ac)"},
		// The automaton guesses what the coin will show. A guess is wrong sooner or later, and no state of
		// the product has both answers; still the formula is false of every run.
		{"a guess of the automaton is not closed under answers", "ab1 ac1 ba2 ca3", "ab/ac", "b", "c", "<>[](p -> !<>q)", "(abac)"},
		{"nothing is said of an order", "aa1 ab1 ba2", "aa/ab", "b", "", "[]<>p", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := drawFair("a", test.edges).chance(test.events).atom(0, test.p).atom(1, test.q)
			f, err := ltl.Parse(test.formula)
			if err != nil {
				t.Fatal(err)
			}
			r, lasso := mustSearch(t, d.drawing, Options{}), ""
			if l, found := lasting(t, d, r, f); found {
				lasso = spell(r, l)
			}
			if lasso != test.lasso {
				t.Errorf("luck does not end %q, want %q", lasso, test.lasso)
			}
		})
	}
}

// TestChanceDead: an answer that leads nowhere, or out of what was explored, leads away.
func TestChanceDead(t *testing.T) {
	d := drawFair("a", "aa1 ab1").chance("aa/ab").atom(0, "c")
	f, _ := ltl.Parse("<>p")
	d.arrows['b'-'a'] = []arrow{{advance | 77<<8, 1}} // else it may rest there
	if l, found := lasting(t, d, mustSearch(t, d.drawing, Options{}), f); !found {
		t.Errorf("%v, though both answers are as bad", l)
	}
	if l, found := lasting(t, d, mustSearch(t, d.drawing, Options{MaxDepth: 0, MaxStates: 1}), f); found {
		t.Errorf("%v, of a part of the graph", l)
	}
	d.arrows[0][1].to = dead
	if l, found := lasting(t, d, mustSearch(t, d.drawing, Options{}), f); found {
		t.Errorf("%v, though an answer leads nowhere", l)
	}
}

// chanceDrawings are fairDrawings in which some steps are answers.
func chanceDrawings(t *rapid.T) *fairDrawing {
	d := fairDrawings(t)
	d.choices = map[Action]choice{}
	for _, arrows := range d.arrows {
		for i, a := range arrows {
			if event := rapid.IntRange(0, 2).Draw(t, "event"); event > 0 {
				d.choices[a.action] = choice{uint64(event), uint64(rapid.IntRange(0, i).Draw(t, "answer"))}
			}
		}
	}
	return d
}

// TestChanceGraphs compares with every set of nodes that some steps may keep a run in, and checks that
// the run that is found stays in one.
func TestChanceGraphs(t *testing.T) {
	testsize.Alone(t)
	lucky, lasts, held := 0, 0, 0
	missing := func() error {
		if lucky < 20 || lasts < 20 || held < 20 {
			return fmt.Errorf("%d times only luck keeps a violation going, %d times it does without, %d times there is none: not a test", lucky, lasts, held)
		}
		return nil
	}
	rapidtest.Until(t, missing, func(t *rapid.T) {
		d := chanceDrawings(t)
		for _, limits := range []Options{{}, {MaxStates: 1}, {MaxDepth: 2, MaxStates: 3}} {
			r := mustSearch(t, d.drawing, limits)
			for _, formula := range forms {
				f, err := ltl.Parse(formula)
				if err != nil {
					t.Fatal(err)
				}
				a := ltl.Not(f).Automaton([]string{"p", "q"})
				l, found := lasting(t, d, r, f)
				_, any := violation(t, d, r, formula)
				want, closed, known := bruteChance(d, r, a)
				switch {
				case known && found != want:
					t.Fatalf("of %s, a violation that lasts is found: %v, and there is one: %v", formula, found, want)
				case found && !any:
					t.Fatalf("%s is violated by a run that lasts, but by no run", formula)
				case !found && any:
					lucky++
				case !found:
					held++
				default:
					lasts++
					if err := errors.Join(checkLasso(d, r, l, f), checkClosed(d, r, l, closed, known)); err != nil {
						t.Fatalf("%s of %s: %v", spell(r, l), formula, err)
					}
				}
			}
		}
	})
}

// stateStep is a step out of a state.
type stateStep struct {
	state  int
	action Action
}

// bruteChance is bruteForce for runs that last. It returns the steps of all sets in which they stay.
func bruteChance(d *fairDrawing, r *Result, a *ltl.Automaton) (found bool, closed map[stateStep]bool, known bool) {
	all, size := statesOf(r)[:r.Stats.Expanded], len(a.States)
	steps, reached := pairSteps(d, r, a)
	if len(reached) > 8 {
		return false, nil, false
	}
	closed = map[stateStep]bool{}
	for set := 1; set < 1<<len(reached); set++ {
		inside := map[int]bool{}
		for i, n := range reached {
			if set>>i&1 != 0 {
				inside[n] = true
			}
		}
		left := closedSteps(d, all, size, steps, inside)
		if !fairSet(d, all, a, left, inside) {
			continue
		}
		found = true
		for n := range inside {
			for _, s := range left[n] {
				if inside[s.to] && s.action != 0 {
					closed[stateStep{all[n/size], s.action}] = true
				}
			}
		}
	}
	return found, closed, true
}

// closedSteps returns the steps without those of events of which some answer leads out of a set.
func closedSteps(d *fairDrawing, all []int, size int, steps [][]pairStep, set map[int]bool) [][]pairStep {
	type outcome struct {
		state int
		choice
	}
	stays := map[outcome]bool{}
	for n := range set {
		for _, s := range steps[n] {
			if set[s.to] {
				stays[outcome{all[n/size], d.choices[s.action]}] = true
			}
		}
	}
	left := make([][]pairStep, len(steps))
	for n := range set {
		state := all[n/size]
		for _, s := range steps[n] {
			event := d.choices[s.action].event
			leaves := slices.ContainsFunc(d.arrows[state], func(a arrow) bool {
				return event != 0 && d.choices[a.action].event == event && !stays[outcome{state, d.choices[a.action]}]
			})
			if !leaves {
				left[n] = append(left[n], s)
			}
		}
	}
	return left
}

// checkClosed checks that the loop of a lasso takes only such steps.
func checkClosed(d *fairDrawing, r *Result, l Lasso, closed map[stateStep]bool, known bool) error {
	all := statesOf(r)
	for i := l.Loop; known && i < len(l.Actions); i++ {
		if s := (stateStep{all[l.States[i]], l.Actions[i]}); !closed[s] {
			return fmt.Errorf("luck ends it: %v", s)
		}
	}
	return nil
}

// TestChanceSchedulers compares with all that may choose among the steps of a small graph: each is a Markov chain, in
// which a run ends up in a strongly connected part that it does not leave, and there takes each step again and again.
// Neither an automaton nor its product with the graph is looked at.
func TestChanceSchedulers(t *testing.T) {
	testsize.Alone(t)
	violates := map[string]func(s *scheduled) bool{ // by a run that begins somewhere and stays in s.part
		"<>p": func(s *scheduled) bool {
			return s.never(0, s.part...) && s.reach(func(i int) bool { return !s.is(i, 0) }, s.start)
		},
		"[]p":   func(s *scheduled) bool { return s.anywhere(s.start, func(i int) bool { return !s.is(i, 0) }) },
		"<>[]p": func(s *scheduled) bool { return !s.always(0, s.part...) && s.reach(nil, s.start) },
		"[]<>p": func(s *scheduled) bool { return s.never(0, s.part...) && s.reach(nil, s.start) },
		"p ~> q": func(s *scheduled) bool {
			return s.never(1, s.part...) && s.anywhere(s.start, func(i int) bool {
				return s.is(i, 0) && s.reach(func(k int) bool { return !s.is(k, 1) }, i)
			})
		},
	}
	counts := map[bool]map[string]int{false: {}, true: {}}
	missing := func() error {
		for formula := range violates {
			if counts[false][formula] < 3 || counts[true][formula] < 10 {
				return fmt.Errorf("%v: not a test", counts)
			}
		}
		return nil
	}
	rapidtest.Until(t, missing, func(t *rapid.T) {
		d := chanceDrawings(t)
		clear(d.cut)
		parts := scheduledParts(d)
		r := mustSearch(t, d.drawing, Options{})
		for formula, violated := range violates {
			f, err := ltl.Parse(formula)
			if err != nil {
				t.Fatal(err)
			}
			want := slices.ContainsFunc(parts, func(part []int) bool { return violated(&scheduled{d, part, 0}) })
			if _, found := lasting(t, d, r, f); found != want {
				t.Fatalf("%s: a violation that lasts is found: %v, and has some probability: %v", formula, found, want)
			}
			_, any := violation(t, d, r, formula)
			if any && !want {
				counts[false][formula]++
			} else if want {
				counts[true][formula]++
			}
		}
	})
}

// scheduledParts returns the parts of a graph in which fair runs may stay with some probability: for each choice of the
// steps that are taken in each state, the closed parts of the Markov chain.
func scheduledParts(d *fairDrawing) (parts [][]int) {
	count := 0
	for _, arrows := range d.arrows {
		count += len(arrows)
	}
	for chosen := range 1 << count {
		next := make([][]arrow, len(d.arrows)) // those that are taken
		bit := 0
		for s, arrows := range d.arrows {
			for _, a := range arrows {
				if chosen>>bit&1 != 0 {
					next[s] = append(next[s], a)
				}
				bit++
			}
		}
		for s := range d.arrows {
			if part := closedPart(d, next, s); part != nil && part[0] == s {
				parts = append(parts, part)
			}
		}
	}
	return parts
}

// closedPart returns the states that a chain reaches from one, in order, if it never ends there, comes back from each,
// shows all answers of each event, and is fair; otherwise nil. Where nothing is taken, it rests.
func closedPart(d *fairDrawing, next [][]arrow, from int) []int {
	reached := func(from int) (met []int) {
		met = []int{from}
		for i := 0; i < len(met); i++ {
			for _, a := range next[met[i]] {
				if a.to != dead && !slices.Contains(met, a.to) {
					met = append(met, a.to)
				}
			}
		}
		slices.Sort(met)
		return met
	}
	part := reached(from)
	for _, s := range part {
		if !slices.Equal(reached(s), part) || !shows(d, next[s], d.arrows[s]) {
			return nil
		}
		for _, a := range d.arrows[s] {
			class, owed := d.fairness(nil, a.action)
			everywhere := func(yes func(s int) bool) bool {
				return !slices.ContainsFunc(part, func(s int) bool { return !yes(s) })
			}
			of := func(arrows []arrow) bool {
				return slices.ContainsFunc(arrows, func(a arrow) bool { return d.class[a.action] == class })
			}
			neverTaken := everywhere(func(s int) bool { return !of(next[s]) })
			possible := everywhere(func(s int) bool { return of(d.arrows[s]) })
			if neverTaken && (owed == Strong || owed == Weak && possible) {
				return nil
			}
		}
	}
	return part
}

// shows reports whether the steps that are taken of a state lead somewhere, and include each answer of their events.
func shows(d *fairDrawing, taken, all []arrow) bool {
	for _, a := range taken {
		if a.to == dead {
			return false
		}
		event := d.choices[a.action].event
		for _, other := range all {
			if event != 0 && d.choices[other.action].event == event && !slices.ContainsFunc(taken, func(b arrow) bool {
				return d.choices[b.action] == d.choices[other.action]
			}) {
				return false
			}
		}
	}
	return true
}

// scheduled is a part of a graph in which a run stays.
type scheduled struct {
	*fairDrawing
	part  []int
	start int
}

// is reports whether an atom is true in a state.
func (s *scheduled) is(state int, atom uint8) bool {
	return slices.ContainsFunc(s.marks[state], func(m Mark) bool { return m.Bit == atom && !m.OnStep })
}

func (s *scheduled) never(atom uint8, states ...int) bool {
	return !slices.ContainsFunc(states, func(i int) bool { return s.is(i, atom) })
}

func (s *scheduled) always(atom uint8, states ...int) bool {
	return !slices.ContainsFunc(states, func(i int) bool { return !s.is(i, atom) })
}

// reach reports whether some steps lead from a state to the part, through states that are good; nil: all are.
func (s *scheduled) reach(good func(state int) bool, from int) bool {
	for _, i := range s.reached(good, from) {
		if slices.Contains(s.part, i) {
			return true
		}
	}
	return false
}

// anywhere reports whether a run that stays in the part may go through a state, or stay there, for which yes is true.
func (s *scheduled) anywhere(from int, yes func(state int) bool) bool {
	for _, i := range s.reached(nil, from) {
		if yes(i) && s.reach(nil, i) {
			return true
		}
	}
	return false
}

// reached returns the states to which steps lead from one, itself included.
func (s *scheduled) reached(good func(state int) bool, from int) (met []int) {
	if good != nil && !good(from) {
		return nil
	}
	met = []int{from}
	for i := 0; i < len(met); i++ {
		for _, a := range s.arrows[met[i]] {
			if a.to != dead && !slices.Contains(met, a.to) && (good == nil || good(a.to)) {
				met = append(met, a.to)
			}
		}
	}
	return met
}
