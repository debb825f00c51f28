// Package list is mc list, and the help on formulas.
package list

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/world"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// Command returns the verb list.
func Command(u *ui.UI, known names.Table) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the algorithms and the properties",
		Args:  ui.NoArgument,
		RunE:  func(*cobra.Command, []string) error { return run(u, known, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// listing is what mc list prints.
type listing struct {
	Algorithms []listedAlgorithm `json:"algorithms"`
	Properties []listedProperty  `json:"properties"`
	Predicates []string          `json:"predicates"` // of which a formula can speak; p is a process

	elects bool // some algorithm has an election
}

type listedAlgorithm struct {
	Name    string            `json:"name"`
	Aliases []string          `json:"aliases,omitempty"`
	Doc     string            `json:"doc"`
	Source  string            `json:"source"`
	Axes    []string          `json:"axes"`            // of the world, that mean something to it
	World   map[string]string `json:"world,omitempty"` // defaults of its own

	Properties []listedProperty `json:"properties,omitempty"` // of its own
}

type listedProperty struct {
	Name   string          `json:"name"`
	Alias  string          `json:"alias,omitempty"`
	Kind   properties.Kind `json:"kind"`
	Doc    string          `json:"doc"`
	Source string          `json:"source,omitempty"`
}

func run(u *ui.UI, known names.Table, asJSON bool) error {
	l := listed(known)
	if asJSON {
		return u.PrintJSON(l)
	}
	algorithms := ui.NewTable("ALGORITHM", "ALIAS", "WHAT IT IS")
	for _, a := range l.Algorithms {
		algorithms.Row(a.Name, strings.Join(a.Aliases, " "), a.Doc)
	}
	props := ui.NewTable("PROPERTY", "KIND", "WHAT IT SAYS")
	for _, p := range l.Properties {
		props.Row(p.Name, p.Kind.String(), p.Doc)
	}
	fmt.Fprintf(u.Out, "%s\n\n%s\n\n", u.Lines(algorithms), u.Lines(props))
	if owned := own(l.Algorithms); len(owned) > 0 {
		table := ui.NewTable("PROPERTY", "OF", "KIND", "WHAT IT SAYS")
		for _, p := range owned {
			table.Row(p.Name, strings.Join(p.of, " "), p.Kind.String(), p.Doc)
		}
		fmt.Fprintf(u.Out, "%s\n\n", u.Lines(table))
	}
	notes := "A family's bare name means its first variant. "
	if l.elects {
		notes += "L(p) is the leader in the eyes of p; top is the\n" +
			"process that ought to win. A formula about runs speaks of up(p), knows(p), leads(p), rest and\n" +
			"what properties say of states, see mc help formulas. mc list --json also tells sources, worlds and\n" +
			"the short names of properties, as S-lit."
	} else {
		notes += "A formula about runs speaks of up(p), rest and what\n" +
			"properties say of states, see mc help formulas. mc list --json also tells sources and worlds."
	}
	if u.Columns >= ui.Fewest {
		notes = ui.Narrowed(notes, u.Columns)
	}
	for line := range strings.SplitSeq(notes, "\n") { // one by one, or each would be made as long as the longest
		fmt.Fprintln(u.Out, ui.Faint.Render(line))
	}
	return nil
}

// owned is a property that only some algorithms have, and which: a family where all its variants do.
type owned struct {
	listedProperty
	of []string
}

// own returns the properties that algorithms bring along. What several of a family say in the same words is one.
func own(all []listedAlgorithm) (list []owned) {
	family := func(a string) string { name, _, _ := strings.Cut(a, "/"); return name }
	variants := map[string]int{}
	for _, a := range all {
		variants[family(a.Name)]++
		for _, p := range a.Properties {
			at := slices.IndexFunc(list, func(o owned) bool { return o.listedProperty == p && family(o.of[0]) == family(a.Name) })
			if at < 0 {
				at, list = len(list), append(list, owned{listedProperty: p})
			}
			list[at].of = append(list[at].of, a.Name)
		}
	}
	for i, o := range list {
		if name := family(o.of[0]); len(o.of) == variants[name] {
			list[i].of = []string{name}
		}
	}
	return list
}

func listed(known names.Table) listing {
	l := listing{}
	for _, m := range known.Algorithms {
		traits := m.Traits()
		l.elects = l.elects || traits.Elects
		for _, name := range election.PredicatesOf(m) {
			if !slices.Contains(l.Predicates, name) {
				l.Predicates = append(l.Predicates, name)
			}
		}
		a := listedAlgorithm{
			Name: traits.Name, Aliases: known.AliasesOf(traits.Name), Doc: traits.Doc,
			Source: traits.Source, Axes: world.Axes(traits), World: traits.World,
		}
		for _, p := range properties.Own(m) {
			a.Properties = append(a.Properties, listedProperty{Name: p.Name, Kind: p.Kind, Doc: p.Doc, Source: p.Source})
		}
		l.Algorithms = append(l.Algorithms, a)
	}
	slices.Sort(l.Predicates)
	for _, p := range slices.Concat(known.Own, election.All) {
		if !slices.ContainsFunc(known.Algorithms, func(m spec.Machine) bool { return p.Suits(m) == nil }) {
			continue
		}
		l.Properties = append(l.Properties, listedProperty{p.Name, election.Alias(p.Name), p.Kind, p.Doc, p.Source})
	}
	return l
}
