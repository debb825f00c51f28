package compare

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"interleave/tla"
	"interleave/tla/eval"
	"interleave/tla/value"
)

// dump is a graph that TLC wrote with -dump dot,actionlabels.
type dump struct {
	states
	initial []edge
	edges   [][]edge // by state
}

// edge is a step: the state it leads to, and its action.
type edge struct {
	to   int
	deed string
}

const quotedText = `"((?:[^"\\]|\\.)*)"`

var (
	dumpState = regexp.MustCompile(`^(-?\d+) \[label=` + quotedText + `(?:,(style = filled)|,tooltip=` + quotedText + `)?\];?$`)
	dumpEdge  = regexp.MustCompile(`^(-?\d+) -> (-?\d+) \[label=` + quotedText + `,color="[a-z]*",fontcolor="[a-z]*"\];$`)
	dumpOther = regexp.MustCompile(`^(strict digraph DiskGraph \{|node \[[a-z=,]*\]|nodesep=[0-9.]*;|subgraph cluster_graph \{|color="white";|\{rank = same; [-0-9;]*\}|\}|)$`)
)

// readDump reads a graph, and refuses every line that it does not know.
func readDump(text string, m *tla.Model) (*dump, error) {
	g := &dump{}
	places := map[string]int{}
	var labels []string
	type link struct {
		from, to, deed string
		line           int
	}
	var links []link
	for i, line := range strings.Split(text, "\n") {
		if s := dumpState.FindStringSubmatch(line); s != nil {
			if at, ok := places[s[1]]; ok && labels[at] != s[2] {
				return nil, fmt.Errorf("line %d: state %s is told in two ways", i+1, s[1])
			} else if !ok {
				places[s[1]] = len(labels)
				labels = append(labels, s[2])
			}
			if s[3] != "" {
				g.initial = append(g.initial, edge{places[s[1]], ""})
			}
		} else if s := dumpEdge.FindStringSubmatch(line); s != nil {
			links = append(links, link{s[1], s[2], unquoted(s[3]), i + 1})
		} else if !dumpOther.MatchString(line) {
			return nil, fmt.Errorf("line %d is not understood: %s", i+1, line)
		}
	}
	g.edges = make([][]edge, len(labels))
	for _, l := range links {
		from, ok := places[l.from]
		to, ok2 := places[l.to]
		if !ok || !ok2 {
			return nil, fmt.Errorf("line %d: a step between states that are not told", l.line)
		}
		g.edges[from] = append(g.edges[from], edge{to, l.deed})
	}
	images, err := statesOf(labels, m)
	if err != nil {
		return nil, err
	}
	for i, s := range images {
		h := hash(s)
		if at, _ := g.place(h, outcome{image: s}); at >= 0 {
			return nil, fmt.Errorf("state %d is told twice", i+1)
		}
		g.add(h, pairState{image: s})
	}
	return g, nil
}

// unquoted undoes the escapes of a quoted text.
func unquoted(text string) string {
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n").Replace(text)
}

// statesOf evaluates the states, each written as /\ x = VALUE /\ y = VALUE.
func statesOf(labels []string, m *tla.Model) ([][]value.Value, error) {
	var module strings.Builder
	var given []value.Value
	for _, c := range m.Config.Constants {
		given = append(given, c.Value)
	}
	models := value.Models(given)
	module.WriteString("---- MODULE TLCStates ----\nEXTENDS Integers, Sequences, TLC\n")
	if len(models) > 0 {
		module.WriteString("CONSTANTS " + strings.Join(models, ", ") + "\n")
	}
	for i, label := range labels {
		vals, err := valuesOf(unquoted(label), m.Variables())
		if err != nil {
			return nil, fmt.Errorf("state %d: %w", i+1, err)
		}
		fmt.Fprintf(&module, "tlc_state_%d == <<\n  %s >>\n", i, strings.Join(vals, ",\n  "))
	}
	module.WriteString("====\n")
	spec, err := eval.Load("TLCStates", eval.Alone("TLCStates", "TLCStates", module.String()))
	if err != nil {
		return nil, err
	}
	for _, name := range models {
		if err := spec.Set(name, value.Model(name)); err != nil {
			return nil, err
		}
	}
	states := make([][]value.Value, len(labels))
	for i := range labels {
		v, err := spec.Constant(fmt.Sprintf("tlc_state_%d", i))
		if err != nil {
			return nil, err
		}
		states[i] = v.(*value.Tuple).Elems
	}
	return states, nil
}

// valuesOf returns the text of each variable's value.
func valuesOf(label string, variables []string) ([]string, error) {
	if len(variables) == 1 && !strings.HasPrefix(label, `/\ `) {
		label = `/\ ` + label
	}
	vals := make([]string, len(variables))
	rest, ok := strings.CutPrefix(label, `/\ `)
	if !ok {
		return nil, fmt.Errorf("it does not begin with /\\: %s", label)
	}
	parts := strings.Split(rest, "\n/\\ ")
	for _, part := range parts {
		name, text, ok := strings.Cut(part, " = ")
		at := slices.Index(variables, name)
		if !ok || at < 0 || vals[at] != "" {
			return nil, fmt.Errorf("the variable of %q is not one of the module's, or told twice", part)
		}
		vals[at] = strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ")
	}
	if len(parts) != len(variables) {
		return nil, fmt.Errorf("it tells of %d variables, and the module has %d", len(parts), len(variables))
	}
	return vals, nil
}

func (g *dump) begin() ([]outcome, error) { return g.outcomes(g.initial), nil }

func (g *dump) steps(from *pairState) ([]outcome, error) {
	at, _ := g.place(hash(from.image), outcome{image: from.image})
	return g.outcomes(g.edges[at]), nil
}

func (g *dump) outcomes(edges []edge) []outcome {
	var out []outcome
	for _, e := range edges {
		out = append(out, outcome{deed: e.deed, image: g.found[e.to].image})
	}
	return out
}
