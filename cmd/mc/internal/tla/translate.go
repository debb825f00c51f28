package tla

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/ui"
	"interleave/explore"
	"interleave/tla"
	"interleave/tla/eval"
	"interleave/tla/pluscal"
	"interleave/tla/syntax"
)

// maxModule is how long a module may be, in bytes.
const maxModule = 4 << 20

func newTranslate(u *ui.UI) *cobra.Command {
	check := false
	cmd := &cobra.Command{
		Use:   "translate MODULE.tla",
		Short: "Write the translation of a PlusCal algorithm into its module",
		Long: `Translate the PlusCal algorithm of a module to TLA+, and write the translation into
the file, between the lines

  \* BEGIN TRANSLATION
  \* END TRANSLATION

An old translation is replaced. If the lines are missing, they are inserted after the
comment that contains the algorithm. Nothing else in the file changes.

Exit status 0: the translation is in the file. 1: with --check, the translation is out of
date. 2: the algorithm has an error, or its translation would not be read by mc tla check;
the file is unchanged.`,
		Example: "  mc tla translate tla/ChangRoberts.tla\n  mc tla translate --check tla/ChangRoberts.tla",
		Args:    ui.OneArgument("a module", "name a file, as in mc tla translate tla/ChangRoberts.tla"),
		RunE:    func(_ *cobra.Command, args []string) error { return runTranslate(u, args[0], check) },
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing, and report whether the file is up to date")
	return cmd
}

func runTranslate(u *ui.UI, name string, check bool) error {
	text, err := readModule(name)
	if err != nil {
		return err
	}
	updated, err := pluscal.Update(name, text)
	if err != nil {
		return withRemedy(err)
	}
	if err := unreadable(name, updated); err != nil {
		return err
	}
	switch {
	case updated == text:
		fmt.Fprintf(u.Out, "%s: the translation is up to date\n", name)
		return nil
	case check:
		fmt.Fprintf(u.Out, "%s: the translation is not that of the algorithm; renew it with: mc tla translate %s\n", name, ui.ShellWord(name))
		return ui.ExitViolated
	}
	if err := ui.WriteText(name, updated); err != nil {
		return err
	}
	fmt.Fprintf(u.Out, "%s: wrote the translation\n", name)
	return nil
}

// standingNote says where what is checked of a module may not be its algorithm.
func standingNote(name string) string {
	text, err := readModule(name)
	if err != nil {
		return ""
	}
	switch remedy := "mc tla translate " + ui.ShellWord(name); pluscal.StandingOf(name, text) {
	case pluscal.Missing:
		return "the PlusCal algorithm of the module has no translation, and is not looked at; write it with: " + remedy
	case pluscal.Unclear:
		_, err := pluscal.Translate(name, text)
		return fmt.Sprintf("whether the translation is that of the PlusCal algorithm is not known: %v", err)
	case pluscal.Differs:
		return "the translation is not what the PlusCal algorithm is translated to here; unless another translator wrote it, renew it with: " + remedy
	}
	return ""
}

// checkAnew checks what holds of a translation in a file also of the algorithm, where that is
// translated to something else here: a translation that is out of date says nothing of it.
func (o *checkOptions) checkAnew(ctx context.Context, r *tla.Report) error {
	text, err := readModule(o.module)
	if err != nil || pluscal.StandingOf(o.module, text) != pluscal.Differs {
		return err
	}
	if v, _ := r.Verdict(); v != explore.Verified && v != explore.Bounded {
		return nil
	}
	anew, err := o.translatedAnew(ctx, text)
	if gaveUp := (*eval.OutOfBudget)(nil); errors.As(err, &gaveUp) {
		return err
	}
	if anew != nil && r.Untested == "" {
		r.Untested = anew.Untested
	}
	for i, f := range r.Findings {
		g := tla.Undecided(f.Name, "it holds of the translation in the file, but cannot be checked of the algorithm")
		switch at := -1; {
		case err != nil:
			g.Why += ": " + err.Error()
		default:
			if at = slices.IndexFunc(anew.Findings, func(g tla.Finding) bool { return g.Name == f.Name }); at >= 0 {
				g = anew.Findings[at]
			}
		}
		if g.Verdict == explore.Violated || g.Verdict == explore.Inconclusive {
			g.Why = strings.TrimSuffix("of the algorithm, translated anew: "+g.Why, ": ")
			r.Findings[i] = g
		}
	}
	return nil
}

// translatedAnew checks the module as mc tla translate would write it.
func (o *checkOptions) translatedAnew(ctx context.Context, text string) (*tla.Report, error) {
	updated, err := pluscal.Update(o.module, text)
	if err != nil {
		return nil, err
	}
	m, err := tla.OpenAs(ctx, o.module, updated, o.config, o.check.Memory)
	if err != nil {
		return nil, err
	}
	return m.Check(ctx, o.check)
}

// untranslated adds what helps where a module lacks what the translation of its
// algorithm would define.
func untranslated(name string, err error) error {
	text, unread := readModule(name)
	if err == nil || unread != nil || errors.As(err, &ui.Hinted{}) || pluscal.StandingOf(name, text) != pluscal.Missing {
		return err
	}
	return ui.Hint(err, "the PlusCal algorithm has no translation; write it with: mc tla translate "+ui.ShellWord(name))
}

// readModule reads the text of a module.
func readModule(name string) (string, error) {
	file, err := ui.OpenFile(name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxModule+1))
	switch {
	case err != nil:
		return "", ui.Hint(fmt.Errorf("%s: %w", name, errors.Unwrap(err)), "name the file of a module, as in tla/ChangRoberts.tla")
	case len(text) > maxModule:
		return "", ui.Hint(fmt.Errorf("%s: it is longer than %d MiB", name, maxModule>>20), "name the file of a module, as in tla/ChangRoberts.tla")
	}
	return string(text), nil
}

// unreadable returns what mc tla check would say of the translation in a module.
func unreadable(name, updated string) error {
	err := tla.Reads(name, updated)
	line := 0
	if at := (*eval.Error)(nil); errors.As(err, &at) {
		line = at.Pos.Line
	} else if at := (*syntax.Error)(nil); errors.As(err, &at) {
		line = at.Pos.Line
	}
	if !pluscal.Holds(updated, line) {
		return nil
	}
	text := strings.TrimSpace(strings.Split(updated, "\n")[line-1])
	return ui.Hint(err, "this is the place in the translation that would be written; change the algorithm, which becomes: "+text)
}

// withRemedy turns the remedy of an algorithm's error into a hint.
func withRemedy(err error) error {
	if e := (*pluscal.Error)(nil); errors.As(err, &e) && e.Remedy != "" {
		return ui.Hint(err, e.Remedy)
	}
	return err
}
