package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// aVerb refuses what is no verb.
func aVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var verbs []string
	for _, c := range cmd.Commands() {
		if c.Runnable() {
			verbs = append(verbs, c.Name())
		}
	}
	return hint(fmt.Errorf("unknown command %q", args[0]), suggest(args[0], verbs, cmd.CommandPath()+" --help lists the commands"))
}

// aTopic refuses what there is no help about.
func aTopic(cmd *cobra.Command, args []string) error {
	about, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) == 0 {
		return err
	}
	return aVerb(about, rest)
}

// noArgument refuses any.
func noArgument(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return hint(fmt.Errorf("%s takes no arguments, and %q is one", cmd.CommandPath(), args[0]), cmd.CommandPath()+" --help shows what it takes")
}

// oneArgument wants exactly one.
func oneArgument(what, remedy string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		err := fmt.Errorf("%s takes %s and nothing else, not %s", cmd.CommandPath(), what, count(len(args), "argument"))
		if f := mayStandAlone(cmd); f != "" && len(args) > 1 {
			remedy = fmt.Sprintf("a value of --%s is given as in --%s=%s", f, f, args[len(args)-1])
		}
		return hint(err, remedy)
	}
}

// mayStandAlone returns a flag that was given and may have a value or none, so that what stands
// behind it is none.
func mayStandAlone(cmd *cobra.Command) (name string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.NoOptDefVal != "" && f.Value.Type() != "bool" {
			name = f.Name
		}
	})
	return name
}

// oneLineEach refuses arguments with line breaks. A file of such a name would start a line of a report
// with what it likes.
func oneLineEach(args []string) error {
	for _, a := range args {
		if strings.Contains(a, "\n") {
			return fmt.Errorf("the argument %q has a line break: write it on one line", a)
		}
	}
	return nil
}

// noneEmpty refuses a flag that is given without a value, as by a shell
// variable that is not set.
func noneEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if value := f.Value.String(); value == "" || value == "[]" {
			err = fmt.Errorf("--%s: its value is empty: leave the flag out, or give it one", f.Name)
		}
	})
	return err
}

// flagError tells an error of the flag parser in our words.
func flagError(cmd *cobra.Command, err error) error {
	remedy := cmd.CommandPath() + " --help shows the flags and what they take"
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		name := unknown.GetSpecifiedName()
		if len(name) == 1 && cmd.Flags().Lookup(name) == nil {
			return hint(err, remedy) // one letter is near every other
		}
		var flags []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, "--"+f.Name) })
		return hint(err, suggest("--"+name, flags, remedy))
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		if invalid.GetFlag().Value.Type() == "duration" {
			remedy = "give a number and a unit, as in 90s or 1h30m"
		}
		return hint(fmt.Errorf("--%s: %q is not a value it can have", invalid.GetFlag().Name, invalid.GetValue()), remedy)
	}
	return hint(err, remedy)
}

// narrowHelp makes help fit the terminal that it is written to.
func (u *tool) narrowHelp(root *cobra.Command) {
	if u.columns < fewest {
		return
	}
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		var text strings.Builder
		cmd.SetOut(&text)
		help(cmd, args)
		fmt.Fprint(u.out, narrowed(text.String(), u.columns))
	})
}

// section is a part of the flags in the help of a command that has many.
type section struct {
	title string
	flags string // their names, in order
}

// sectioned makes the help of a command show its flags in sections. Those that are in none
// come last.
func sectioned(cmd *cobra.Command, sections []section) {
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		out := cmd.OutOrStderr()
		fmt.Fprintf(out, "Usage:\n  %s\n\nExamples:\n%s\n", cmd.UseLine(), cmd.Example)
		shown := map[string]bool{}
		show := func(title string, flags *pflag.FlagSet) {
			if flags.HasAvailableFlags() {
				fmt.Fprintf(out, "\n%s:\n%s", title, flags.FlagUsages())
			}
		}
		for _, s := range sections {
			part := pflag.NewFlagSet(s.title, pflag.ContinueOnError)
			part.SortFlags = false
			for name := range strings.FieldsSeq(s.flags) {
				part.AddFlag(cmd.Flags().Lookup(name))
				shown[name] = true
			}
			show(s.title, part)
		}
		rest := pflag.NewFlagSet("rest", pflag.ContinueOnError)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !shown[f.Name] {
				rest.AddFlag(f)
			}
		})
		show("Flags", rest)
		return nil
	})
}
