package sweep

import (
	"os"
	"slices"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/report"
	"interleave/model"
	"interleave/spec/catalog"
)

// overviewColumns say which configurations a column of the overview is about, of
// those that have nothing else to them.
var overviewColumns = map[string]func(c model.Config) bool{
	"nothing fails": func(c model.Config) bool { return c.Timers != model.Any && !fails(c) },
	"crash": func(c model.Config) bool {
		return c.Timers == model.Flush && fails(c) && !others(c) && c.Recoveries == 0 && c.Start == model.Cold
	},
	"loss*":                func(c model.Config) bool { return c.Losses == 1 && c.Duplicates+c.Partitions+c.Crashes == 0 },
	"copy":                 func(c model.Config) bool { return c.Duplicates == 1 && c.Losses+c.Partitions+c.Crashes == 0 },
	"return":               func(c model.Config) bool { return c.Recoveries == 1 && !others(c) },
	"division*":            func(c model.Config) bool { return c.Partitions == 1 && c.Losses+c.Duplicates+c.Crashes == 0 },
	"timers at any moment": func(c model.Config) bool { return c.Timers == model.Any && !others(c) && c.Recoveries == 0 },
}

func others(c model.Config) bool { return c.Losses+c.Duplicates+c.Partitions+c.Suspicions > 0 }

func fails(c model.Config) bool { return others(c) || c.Crashes > 0 || c.Start != model.Cold }

// elections returns the rows of elections.yaml, and goes to its folder.
func elections(t *testing.T) []row {
	t.Helper()
	t.Chdir("../../../..")
	yaml, err := os.ReadFile("elections.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := readFile("elections.yaml", yaml, names.New(append(catalog.Machines, catalog.Mutants...), catalog.Aliases))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestElectable: every row about an election says whether a leader can always be elected again.
func TestElectable(t *testing.T) {
	asked := 0
	for _, r := range elections(t) {
		electable := slices.ContainsFunc(r.expect, func(e expectation) bool { return e.property.Name == "electable" })
		if elects := r.machines[0].Traits().Elects; elects != electable {
			t.Errorf("elections.yaml:%d: an election: %v, asks electable: %v", r.line, elects, electable)
		}
		if electable {
			asked++
		}
	}
	if asked < 190 {
		t.Errorf("only %d rows", asked)
	}
}

// TestOverview: what the overview says happens in the end is what elections.yaml
// expects, in the network that it names.
func TestOverview(t *testing.T) {
	rows := elections(t)
	cases, err := multiply("elections.yaml", rows, options{})
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("docs/algorithms/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n| | nothing fails |")
	table, _, _ = strings.Cut("| | nothing fails |"+table, "\n\n")
	lines := strings.Split(table, "\n")
	titles := strings.Split(lines[0], "|")
	claims := 0
	for _, line := range lines[2:] {
		cells := strings.Split(line, "|")
		name := strings.NewReplacer("[", "", "]", " ", ",", " ").Replace(cells[1])
		algorithm := strings.Fields(name)[0]
		for i := 2; i < len(cells)-1; i++ {
			for claim := range strings.SplitSeq(strings.TrimSpace(cells[i]), "; ") {
				title := strings.TrimSpace(titles[i])
				for network, says := range claimed(claim) {
					if have := expectedInTheEnd(cases, algorithm, title, network, strings.Contains(claim, "between two sends")); have != says {
						t.Errorf("%s, %s, %q of network %q: elections.yaml says %q", algorithm, title, claim, network, have)
					}
					claims++
				}
			}
		}
	}
	if claims < 100 {
		t.Errorf("only %d claims", claims)
	}
}

// claimed returns what a claim says by network; the empty name is for the
// algorithm's own.
func claimed(claim string) map[string]string {
	networks, says, named := strings.Cut(claim, ": ")
	if !named {
		networks, says = "", claim
	}
	says = strings.TrimPrefix(says, "between two sends ")
	says, _, _ = strings.Cut(says, ",")
	by := map[string]string{}
	for _, network := range strings.Split(networks, ", ") {
		by[network] = says
	}
	return by
}

// expectedInTheEnd returns which of leader-eventually, stable-leader, termination are violated in the configurations
// that a cell is about: ✓ for none, and – if there is no such configuration.
func expectedInTheEnd(cases []configuration, algorithm, column, network string, split bool) string {
	found, all := map[string]bool{}, true
	var violated []string
	for _, initiators := range []bool{true, false} { // those with all initiators, if there are any
		for _, c := range cases {
			v := c
			is := v.Config
			alike := is.N == 3 && is.Fairness.Strong == nil && is.Fairness.Unfair == nil && is.Detector == v.Home.Detector &&
				is.Timers != model.Timed && (is.Initiators == v.Home.Initiators || is.Initiators == model.Initiators{}) == initiators
			net := network == "" && is.Network == v.Home.Network || network == is.Network.String()
			if c.algorithm() != algorithm || !alike || !net || split && !is.Split || !overviewColumns[column](is) {
				continue
			}
			if column == "crash" && !split && is.Split && strings.HasPrefix(algorithm, "bully/") {
				continue
			}
			for _, e := range c.row.expect {
				if !slices.Contains([]string{"leader-eventually", "stable-leader", "termination"}, e.property.Name) {
					continue
				}
				found[e.property.Name], all = true, false
				if e.Word == report.Violated && !slices.Contains(violated, e.property.Name) {
					violated = append(violated, e.property.Name)
				}
			}
		}
		if !all {
			break
		}
	}
	slices.Sort(violated)
	switch {
	case len(found) == 0:
		return "–"
	case violated == nil:
		return "✓"
	}
	return strings.Join(violated, " ")
}
