package ui

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Headings of flags that several commands have.
const (
	Properties = "Properties"
	Limits     = "Limits of the search"
	Output     = "Output"
)

// heading annotates a flag with the heading under which help shows it.
const heading = "heading"

// Group declares flags under a heading of the help. Groups stand in the order in which they are
// declared, if f does not sort its flags. A group in a group is part of the outer one.
func Group(f *pflag.FlagSet, title string, declare func(f *pflag.FlagSet)) {
	part := pflag.NewFlagSet(title, pflag.ContinueOnError)
	part.SortFlags = false
	declare(part)
	part.VisitAll(func(flag *pflag.Flag) {
		flag.Annotations = map[string][]string{heading: {title}}
		f.AddFlag(flag)
	})
}

// GroupedHelp makes the help of a command show its flags under their headings, if they have any.
func GroupedHelp(root *cobra.Command) {
	plain := root.UsageFunc()
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		var titles []string
		grouped, parts := false, map[string]*pflag.FlagSet{}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			title := Heading(f)
			grouped = grouped || f.Annotations[heading] != nil
			if parts[title] == nil {
				titles, parts[title] = append(titles, title), pflag.NewFlagSet(title, pflag.ContinueOnError)
				parts[title].SortFlags = false
			}
			parts[title].AddFlag(f)
		})
		if !grouped {
			return plain(cmd)
		}
		out := cmd.OutOrStderr()
		fmt.Fprintf(out, "Usage:\n  %s\n\nExamples:\n%s\n", cmd.UseLine(), cmd.Example)
		for _, title := range titles {
			fmt.Fprintf(out, "\n%s:\n%s", cmp.Or(title, "Flags"), parts[title].FlagUsages())
		}
		return nil
	})
}

// Heading returns under which heading the help shows a flag; that of Output for --help; "": none.
func Heading(f *pflag.Flag) string {
	if f.Name == "help" {
		return Output
	}
	return strings.Join(f.Annotations[heading], "")
}

// NarrowHelp makes help fit the terminal that it is written to.
func NarrowHelp(u *UI, root *cobra.Command) {
	if u.Columns < Fewest {
		return
	}
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		var text strings.Builder
		cmd.SetOut(&text)
		help(cmd, args)
		fmt.Fprint(u.Out, Narrowed(text.String(), u.Columns))
	})
}
