package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

// The words that say how we compare.
const (
	agrees      = "agrees"      // the same states, the same verdict
	states      = "states"      // the same states; a property is not decided
	disagrees   = "disagrees"   // and the reason is known
	unsupported = "unsupported" // a feature is missing
	timedOut    = "timed out"
)

// row is a model and how we compare.
type row struct {
	name   string
	want   int // distinct states
	status string
	why    string

	user, tlc time.Duration
	tlcStates int
	memory    int64
}

// explained holds the reasons why we and TLC do not find the same, by model.
var explained = map[string]string{}

// judge compares what was found with what the manifest says.
func (r *row) judge(m model, a answer, dir string) {
	failure := m.Result != "success"
	switch {
	case a.Error != "":
		r.status, r.why = unsupported, plainly(a.Error, dir)
	case strings.Contains(a.Why, "not supported"):
		r.status, r.why = unsupported, plainly(a.Why, dir)
	case a.Verdict == "VIOLATED" && !failure:
		r.status, r.why = disagrees, "we find a violation"
	case a.Verdict == "INCONCLUSIVE" && a.States == m.States:
		r.status, r.why = states, plainly(a.Why, dir)
	case a.Verdict == "INCONCLUSIVE":
		r.status, r.why = unsupported, plainly(a.Why, dir)
	case a.States != m.States:
		r.status, r.why = disagrees, fmt.Sprintf("we find %d", a.States)
	case failure && a.Verdict != "VIOLATED":
		r.status, r.why = disagrees, "we find no "+m.Result
	default:
		r.status = agrees
	}
	if why := explained[r.name]; why != "" && r.status == disagrees {
		r.why += ": " + why
	}
}

var position = regexp.MustCompile(`[^ ]*/([^/ ]+\.(tla|cfg))(:\d+:\d+)?`)

// plainly is an error without folders and without where it led.
func plainly(text, dir string) string {
	return position.ReplaceAllString(firstLine(strings.ReplaceAll(text, dir, "")), "$1$3")
}

func (r row) String() string {
	line := fmt.Sprintf("%-11s %7d  %s", r.status, r.want, r.name)
	if r.why != "" {
		line += "  # " + r.why
	}
	return line
}

// table is all that was found.
type table struct {
	rows            []row
	parsed, modules int
}

// small is up to how many states a model is small.
const small = 10_000

func (t table) String() string {
	var b strings.Builder
	b.WriteString("# How mc tla check compares with the manifests of github.com/tlaplus/Examples:\n# the word, the distinct states that TLC finds, the model, and the reason.\n")
	for _, r := range t.rows {
		fmt.Fprintln(&b, r)
	}
	fmt.Fprintf(&b, "# modules parsed: %d of %d\n", t.parsed, t.modules)
	for _, most := range t.sizes() {
		b.WriteString(t.summary(most) + "\n")
	}
	return b.String()
}

// sizes are those up to which models are counted.
func (t table) sizes() []int {
	if slices.ContainsFunc(t.rows, func(r row) bool { return r.want > small }) {
		return []int{small, 1_000_000}
	}
	return []int{small}
}

// summary counts the words of models of up to so many states.
func (t table) summary(most int) string {
	n, counts := t.count(most)
	s := fmt.Sprintf("# of %d models of at most %d states:", n, most)
	for _, word := range words {
		s += fmt.Sprintf(" %d %s", counts[word], word)
	}
	return s
}

var words = []string{agrees, states, disagrees, unsupported, timedOut}

func (t table) count(most int) (n int, counts map[string]int) {
	counts = map[string]int{}
	for _, r := range t.rows {
		if r.want <= most {
			n++
			counts[r.status]++
		}
	}
	return n, counts
}

// compare fails if a line is not as is expected; lines of models that were not
// asked for do not count.
func (t table) compare(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	expected := strings.Split(string(text), "\n")
	var wrong []string
	for _, r := range t.rows {
		if !slices.Contains(expected, r.String()) {
			wrong = append(wrong, r.String())
		}
	}
	if wrong != nil {
		return fmt.Errorf("%d lines are not as in %s:\n%s", len(wrong), file, strings.Join(wrong, "\n"))
	}
	return nil
}

// tellTimes prints how long TLC took for what we agree on.
func (o options) tellTimes(rows []row, out io.Writer) {
	if o.jar == "" {
		return
	}
	fmt.Fprintf(out, "\n%8s %10s %10s %6s %9s  %s\n", "states", "ours", "TLC", "ratio", "B/state", "model")
	for _, r := range rows {
		if r.tlc == 0 {
			continue
		}
		if r.tlcStates != r.want { // it failed, or time ran out: its time means nothing
			fmt.Fprintf(out, "%8d %8.2f s %10s %6s %9d  %s: TLC finds %d states\n", r.want, r.user.Seconds(), "-", "-",
				r.memory/int64(max(r.want, 1)), r.name, r.tlcStates)
			continue
		}
		fmt.Fprintf(out, "%8d %8.2f s %8.2f s %5.1fx %9d  %s\n", r.want, r.user.Seconds(), r.tlc.Seconds(),
			r.tlc.Seconds()/max(r.user.Seconds(), 0.001), r.memory/int64(max(r.want, 1)), r.name)
	}
}
