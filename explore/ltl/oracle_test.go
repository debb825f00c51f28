package ltl

import (
	"bufio"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestOracles compares our automata with those of other translators, where one
// is installed: SPIN (apt install spin) and lbt (apt install lbt).
func TestOracles(t *testing.T) {
	for tool, translate := range map[string]func(*testing.T, *Formula) machine{"spin": spin, "lbt": lbt} {
		t.Run(tool, func(t *testing.T) {
			if _, err := exec.LookPath(tool); err != nil {
				t.Skipf("%s is not installed", tool)
			}
			rapid.Check(t, func(r *rapid.T) {
				f := drawFormula(r, 2)
				theirs, ours := translate(t, f), machineOf(f.Automaton(names))
				for _, w := range append(shortWords, drawWord(r), drawWord(r), drawWord(r)) {
					if theirs.accepts(w) != ours.accepts(w) {
						r.Fatalf("%s on %s: ours says %v", f, w, ours.accepts(w))
					}
				}
			})
		})
	}
}

func run(t *testing.T, input string, command ...string) string {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
	return string(out)
}

// plain says a formula with few operators.
func plain(f *Formula) *Formula {
	args := make([]*Formula, len(f.args))
	for i, g := range f.args {
		args[i] = plain(g)
	}
	switch f.op {
	case weakUntil:
		return Release(args[1], Or(args...))
	case leadsTo:
		return Always(Implies(args[0], Eventually(args[1])))
	case and, or:
		if len(args) > 2 {
			return apply(f.op, args[0], apply(f.op, args[1:]...))
		}
	case atom:
		return f
	}
	return apply(f.op, args...)
}

// infix writes a formula as SPIN reads it, where all operators of two operands
// bind the same.
func infix(f *Formula) string {
	spelling := map[op]string{and: "&&", or: "||", release: "V"}[f.op]
	if spelling == "" {
		spelling = string(f.op)
	}
	switch len(f.args) {
	case 0:
		return f.String()
	case 1:
		return spelling + infix(f.args[0])
	}
	return "(" + infix(f.args[0]) + " " + spelling + " " + infix(f.args[1]) + ")"
}

var (
	claimLabel = regexp.MustCompile(`^(\w+):$`)
	claimStep  = regexp.MustCompile(`:: (?:atomic \{ )?(.*) -> (?:goto (\w+)|assert)`)
)

// spin reads the never claim that SPIN makes of a formula. Where the claim ends,
// or its assertion fails, it accepts whatever comes.
func spin(t *testing.T, f *Formula) machine {
	m := machine{sets: 1, accept: []uint64{1}, edges: [][]edge{{{func(uint64) bool { return true }, 0}}}}
	states := map[string]int{"": 0, "accept_all": 0}
	var steps [][]string // state, guard, label
	labelled := false
	for line := range strings.Lines(run(t, "", "spin", "-f", infix(plain(f)))) {
		label := claimLabel.FindStringSubmatch(strings.TrimSpace(line))
		if label != nil && label[1] != "accept_all" {
			if !labelled {
				m.accept, m.edges = append(m.accept, 0), append(m.edges, nil)
			}
			states[label[1]] = len(m.edges) - 1
			if strings.HasPrefix(label[1], "accept") {
				m.accept[len(m.edges)-1] = 1
			}
		}
		labelled = label != nil
		if step := claimStep.FindStringSubmatch(line); step != nil {
			steps = append(steps, []string{strconv.Itoa(len(m.edges) - 1), step[1], step[2]})
		}
	}
	for _, step := range steps {
		guard := parse(t, strings.ReplaceAll(step[1], "(1)", "(true)"))
		reads := func(letter uint64) bool { return word{[]uint64{letter}, 0}.satisfies(guard) }
		from := number(t, step[0])
		m.edges[from] = append(m.edges[from], edge{reads, states[step[2]]})
	}
	m.initial = []int{1} // a claim starts at its first label
	if len(m.edges) == 1 {
		m.initial = []int{0}
	}
	return m
}

// polish writes a formula as lbt reads it.
func polish(f *Formula) string {
	if f.op == atom {
		return fmt.Sprintf("p%d", slices.Index(names, f.name))
	}
	text := map[op]string{
		truth: "t", falsity: "f", not: "!", always: "G", eventually: "F", and: "&", or: "|",
		implies: "i", iff: "e", until: "U", release: "V",
	}[f.op]
	for _, g := range f.args {
		text += " " + polish(g)
	}
	return text
}

// lbt reads the automaton that lbt makes of a formula: the number of states and
// of acceptance sets; for each state its number, 1 if it is initial, its
// acceptance sets, -1; then its transitions, and -1.
func lbt(t *testing.T, f *Formula) machine {
	lines := bufio.NewScanner(strings.NewReader(run(t, polish(plain(f)), "lbt")))
	lines.Scan()
	size := strings.Fields(lines.Text())
	states, sets := number(t, size[0]), number(t, size[1])
	m := machine{edges: make([][]edge, states), accept: make([]uint64, states), sets: sets}
	for lines.Scan() && lines.Text() != "" {
		head := strings.Fields(lines.Text())
		s := number(t, head[0])
		if head[1] == "1" {
			m.initial = append(m.initial, s)
		}
		for _, set := range head[2 : len(head)-1] {
			m.accept[s] |= 1 << number(t, set)
		}
		for lines.Scan() && lines.Text() != "-1" {
			to, guard, _ := strings.Cut(lines.Text(), " ")
			m.edges[s] = append(m.edges[s], edge{func(letter uint64) bool {
				symbols := strings.Fields(guard)
				return evaluate(&symbols, letter)
			}, number(t, to)})
		}
	}
	return m
}

func number(t *testing.T, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// evaluate returns the value of a formula of lbt on a letter.
func evaluate(symbols *[]string, letter uint64) bool {
	first := (*symbols)[0]
	*symbols = (*symbols)[1:]
	switch first {
	case "t", "f":
		return first == "t"
	case "!":
		return !evaluate(symbols, letter)
	case "&", "|":
		a, b := evaluate(symbols, letter), evaluate(symbols, letter)
		return a && b || first == "|" && (a || b)
	}
	return letter>>(first[1]-'0')&1 == 1
}
