package picture

import (
	"fmt"
	"slices"
	"strings"

	"interleave/spec"
)

// DOT returns the graph of causes and effects in the language of Graphviz: the events, with those
// of each process in a box of its own, and an edge for each message from the event that sends it
// to the one in which it ends.
func DOT(p *Picture) string {
	out := &dot{Picture: p}
	fmt.Fprintf(out, "digraph run {\n  label=%s;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n", dotQuote(p.title()))
	for q := range spec.UpTo(p.N).All() {
		fmt.Fprintf(out, "  subgraph cluster_%v {\n    label=\"process %v\";\n", q, q)
		idle := true
		for i := range p.Events {
			if p.Events[i].Process == q {
				out.event("    ", i)
				idle = false
			}
		}
		if idle { // Graphviz leaves out an empty box
			fmt.Fprintf(out, "    p%v [label=\"does nothing\", shape=plaintext];\n", q)
		}
		out.WriteString("  }\n")
	}
	for i := range p.Events {
		if p.Events[i].Process == spec.None {
			out.event("  ", i)
		}
	}
	out.order()
	for i, m := range p.Messages {
		out.message(i, m)
	}
	out.WriteString("}\n")
	return out.String()
}

// dot is the text so far.
type dot struct {
	*Picture
	strings.Builder
}

func (out *dot) event(indent string, i int) {
	e := &out.Events[i]
	words := append([]string{fmt.Sprintf("%d  %s", e.Step, e.Title)}, e.Changes...)
	style := ""
	switch {
	case e.Panic != "":
		words, style = append(words, "PANIC: "+e.Panic), ", peripheries=2"
	case e.Crash:
		words, style = append(words, e.crashed()), ", peripheries=2"
	case e.Process == spec.None:
		style = ", shape=plaintext"
	}
	if e.Faded {
		style += ", color=gray, fontcolor=gray"
	}
	fmt.Fprintf(out, "%se%d [label=%s%s];\n", indent, i, dotQuote(strings.Join(words, "\n")), style)
}

// order draws the order of each process, and causes of events that are not messages.
func (out *dot) order() {
	for i, e := range out.Events {
		for _, c := range e.Causes {
			switch {
			case out.passes(c, i):
			case out.Events[c].Process == e.Process:
				fmt.Fprintf(out, "  e%d -> e%d [style=bold, weight=8];\n", c, i)
			default:
				fmt.Fprintf(out, "  e%d -> e%d [style=dotted];\n", c, i)
			}
		}
	}
}

// passes reports whether a message leads from one event to another one, of another process.
func (out *dot) passes(from, to int) bool {
	return out.Events[from].Process != out.Events[to].Process &&
		slices.ContainsFunc(out.Messages, func(m Message) bool { return m.SentBy == from && m.EndsIn == to })
}

func (out *dot) message(i int, m Message) {
	label := dotQuote(m.Text)
	switch {
	case m.Fate == Absorbed:
	case m.EndsIn == none:
		fmt.Fprintf(out, "  m%d [label=%s, shape=plaintext];\n  e%d -> m%d [label=%s, style=dashed];\n", i, dotQuote(fmt.Sprintf("to %v, still on its way", m.To)), m.SentBy, i, label)
	case m.Fate == Delivered:
		fmt.Fprintf(out, "  e%d -> e%d [label=%s];\n", m.SentBy, m.EndsIn, label)
	case m.SentBy != m.EndsIn:
		fmt.Fprintf(out, "  e%d -> e%d [label=%s, style=dashed, arrowhead=tee];\n", m.SentBy, m.EndsIn, dotQuote(m.Text+"\n"+m.Lost()))
	default:
		fmt.Fprintf(out, "  m%d [label=%s, shape=plaintext];\n  e%d -> m%d [label=%s, style=dashed, arrowhead=tee];\n", i, dotQuote(m.Lost()), m.SentBy, i, label)
	}
}

// dotQuote returns a string of DOT that is shown as the text is.
func dotQuote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}
