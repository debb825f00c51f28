package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// AVerb refuses what is no verb.
func AVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var verbs []string
	for _, c := range cmd.Commands() {
		if c.Runnable() {
			verbs = append(verbs, c.Name())
		}
	}
	return Hint(fmt.Errorf("unknown command %q", args[0]), Suggest(args[0], verbs, cmd.CommandPath()+" --help lists the commands"))
}

// ATopic refuses what there is no help about.
func ATopic(cmd *cobra.Command, args []string) error {
	about, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) == 0 {
		return err
	}
	return AVerb(about, rest)
}

// NoArgument refuses any.
func NoArgument(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return Hint(fmt.Errorf("%s takes no arguments, and %q is one", cmd.CommandPath(), args[0]), cmd.CommandPath()+" --help shows what it takes")
}

// OneArgument wants exactly one.
func OneArgument(what, remedy string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		err := fmt.Errorf("%s takes %s and nothing else, not %s", cmd.CommandPath(), what, Count(len(args), "argument"))
		if f := mayStandAlone(cmd); f != "" && len(args) > 1 {
			remedy = fmt.Sprintf("a value of --%s is given as in --%s=%s", f, f, args[len(args)-1])
		}
		return Hint(err, remedy)
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

// OneLineEach refuses arguments with line breaks. A file of such a name would start a line of a report
// with what it likes.
func OneLineEach(args []string) error {
	for _, a := range args {
		if strings.Contains(a, "\n") {
			return fmt.Errorf("the argument %q has a line break: write it on one line", a)
		}
	}
	return nil
}

// NoneEmpty refuses an empty argument, and a flag that is given without a value, as by a shell
// variable that is not set. Only a word that a shell asks to complete may be empty.
func NoneEmpty(cmd *cobra.Command, args []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if value := f.Value.String(); value == "" || value == "[]" {
			err = fmt.Errorf("--%s: its value is empty: leave the flag out, or give it one", f.Name)
		}
	})
	if i := slices.Index(args, ""); i >= 0 && err == nil && cmd.Name() != cobra.ShellCompRequestCmd {
		err = fmt.Errorf("argument %d is empty: leave it out, or say what it is", i+1)
	}
	return err
}

// FlagError tells an error of the flag parser in our words.
func FlagError(cmd *cobra.Command, err error) error {
	remedy := cmd.CommandPath() + " --help shows the flags and what they take"
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		name := unknown.GetSpecifiedName()
		if len(name) == 1 && cmd.Flags().Lookup(name) == nil {
			return Hint(err, remedy) // one letter is near every other
		}
		var flags []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, "--"+f.Name) })
		return Hint(err, Suggest("--"+name, flags, remedy))
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		if invalid.GetFlag().Value.Type() == "duration" {
			remedy = "give a number and a unit, as in 90s or 1h30m"
		}
		return Hint(fmt.Errorf("--%s: %q is not a value it can have", invalid.GetFlag().Name, invalid.GetValue()), remedy)
	}
	return Hint(err, remedy)
}

// Suggest returns a question for the nearest of the names, or else the given
// sentence.
func Suggest(name string, names []string, otherwise string) string {
	best, distance := "", 1+max(1, len(name)/3)
	if len(name) < 3 {
		return otherwise // too short to be near anything
	}
	for _, n := range names {
		if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(n)); d < distance {
			best, distance = n, d
		}
	}
	if best == "" {
		return otherwise
	}
	return fmt.Sprintf("did you mean %s?", best)
}

// OneOf tells a shell what the value of a flag may be.
func OneOf(cmd *cobra.Command, flag string, values []string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // there is no such flag
	}
}
