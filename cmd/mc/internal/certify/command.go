// Package certify is mc certify.
package certify

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/limits"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/saved"
	"interleave/cmd/mc/internal/ui"
	"interleave/model"
	"interleave/model/picture"
	"interleave/properties"
	"interleave/properties/certificate"
	"interleave/spec"
)

// options is what the command line of mc certify says.
type options struct {
	file   string
	memory int64
}

// Command returns the verb certify.
func Command(u *ui.UI, known names.Table) *cobra.Command {
	o, mem := &options{}, ""
	cmd := &cobra.Command{
		Use:   "certify CERTIFICATE",
		Short: "Check the certificate of a pass, without the engines",
		Long: `Check the certificate of a pass, without the engines that wrote it. A certificate is a
set of states. mc certify checks that every initial state is in the set, that every step
from a state in the set leads to a state in the set, and that each property holds in
all of them. The handlers are called again at every step. For a property that asks for
a reachable state, a run to it is replayed. If every run must terminate, there must be
no cycle.

Exit status 0: confirmed. 2: the file is not a certificate written by mc. 3: confirmed,
except for what a set of states cannot prove; or interrupted, or more memory needed than
--mem. 4: refuted: the algorithm or mc has changed since the certificate was written, or
mc was wrong.`,
		Example: "  mc verify bully --n 3 --crashes 1 --certificate pass.cert\n  mc certify pass.cert",
		Args:    ui.OneArgument("a certificate", "mc verify ALGORITHM --certificate FILE writes one"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			o.file = args[0]
			if o.memory, err = limits.ParseMemory(mem); err != nil {
				return fmt.Errorf("--mem: %w", err)
			}
			return run(cmd.Context(), u, known, o)
		},
	}
	cmd.Flags().StringVar(&mem, "mem", limits.StateMemory, "memory limit for states and steps, 0: no limit; from 100MiB up, the whole program stays below 1.1 times the limit")
	return cmd
}

func run(ctx context.Context, u *ui.UI, known names.Table, o *options) error {
	name := o.file
	file, err := ui.OpenFile(name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer file.Close()
	c, err := certificate.Open(file)
	if trace, _ := saved.ReadTrace(name); err != nil && trace != nil {
		return ui.Hint(fmt.Errorf("%s: it is a trace, not a certificate", name), "repeat it with mc replay "+ui.ShellWord(name))
	}
	if err != nil {
		return notACertificate(name, err)
	}
	machine, err := known.Find(c.Header.Algorithm)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	ctx, end := limits.Within(ctx, o.memory, errMemory, func() bool { return limits.Measured("/gc/heap/live:bytes") > limits.Heap(o.memory) })
	defer end()
	progress := ui.NewProgress(u)
	result, err := properties.Supervise(ctx, machine, progress.Slow, func(m spec.Machine) (*certificate.Result, error) {
		return c.Check(ctx, m, certificate.Options{Progress: progress.States, Properties: properties.Checked(m, known.Own), Memory: o.memory})
	})
	progress.Clear()
	var refuted *certificate.RefutedError
	if found := (*model.NondeterminismError)(nil); errors.As(err, &found) { // which was noticed at the end
		err = &certificate.RefutedError{Reason: found.Error()}
	}
	switch {
	case err == nil:
		tellCertificate(u, machine, c.Header)
		return tellConfirmed(u, c.Header, result)
	case errors.As(err, &refuted):
		tellCertificate(u, machine, c.Header)
		tellRefuted(u, machine, c.Header.Config, refuted)
		return ui.ExitContradicted
	case ctx.Err() == nil:
		return notACertificate(name, err)
	}
	return uncertified(u, context.Cause(ctx), err)
}

// errMemory is why a check ends that takes more than --mem.
var errMemory = errors.New("memory limit reached")

// uncertified tells that a check has ended early: why, and what it came to if it did not heed
// that.
func uncertified(u *ui.UI, why, err error) error {
	if why == errMemory {
		fmt.Fprintf(u.Err, "mc: %v: nothing is confirmed\nmc: hint: give --mem more\n", why)
	} else {
		fmt.Fprintf(u.Err, "mc: interrupted: nothing is confirmed\n")
	}
	if !errors.Is(err, context.Canceled) {
		fmt.Fprintf(u.Err, "mc: %v\n", err)
	}
	return ui.ExitInconclusive
}

func tellCertificate(u *ui.UI, m spec.Machine, h certificate.Header) {
	fmt.Fprintf(u.Out, "%s: a certificate of %s\n\n", ui.Title.Render(h.Algorithm), ui.Count(h.States, "state"))
	u.Assume(h.Config.Assumptions(m))
	fmt.Fprintln(u.Out)
}

func tellRefuted(u *ui.UI, m spec.Machine, c model.Config, e *certificate.RefutedError) {
	fmt.Fprintf(u.Out, "%s %s\n", ui.Bad.Render("REFUTED"), picture.OneLine(e.Reason))
	if e.State != nil && len(e.State.Locals) > 0 {
		fmt.Fprintf(u.Out, "\n  the state\n")
		report.PrintState(u, *e.State)
	}
	if e.Step == nil {
		return
	}
	action := e.Step.Event.Action.String()
	if r, err := model.NewReference(m, c); err == nil {
		action = picture.OneLine(r.DescribeStep(e.Step.Event))
	}
	fmt.Fprintf(u.Out, "  the step\n        %s\n", action)
	if e.Step.Panic == "" {
		fmt.Fprintf(u.Out, "  leads to\n")
		report.PrintState(u, e.Step.After)
	}
}

func tellConfirmed(u *ui.UI, h certificate.Header, r *certificate.Result) error {
	for _, unseen := range r.Unseen {
		u.Assume([]string{properties.OfCode + unseen})
	}
	if r.Unseen != nil {
		fmt.Fprintln(u.Out)
	}
	word, doubts := "CONFIRMED", 0
	if h.Config.Bound > 0 {
		word = properties.Bounded.String()
	}
	var names []string
	for _, f := range r.Findings {
		names = append(names, picture.OneLine(f.Property.Name)) // it is the file that says so
	}
	for i, f := range r.Findings {
		verdict, text := ui.Good.Render(fmt.Sprintf("%-13s", word)), f.Property.Doc
		if f.Doubt != "" {
			verdict, text = ui.Doubt.Render("NOT CERTIFIED"), f.Doubt
			doubts++
		}
		u.Hanging(fmt.Sprintf("  %s %s  ", report.InColumn(names[i], report.ColumnOf(names)), verdict), text)
	}
	fmt.Fprintln(u.Out)
	u.Hanging("", fmt.Sprintf("%s, %s, %s, %s quiescent; every step was taken by the handlers, and none leaves the set\n",
		ui.Count(r.States, "state"), ui.Count(r.Initial, "initial state"), ui.Count(r.Steps, "step"), ui.Comma(r.Quiescent)))
	assuming := report.Assuming(r.Assumes, r.Audits)
	switch {
	case doubts == len(r.Findings):
		fmt.Fprintf(u.Out, "%s: no property here can be proved by a set of states\n", ui.Doubt.Render("NOT CERTIFIED"))
	case doubts > 0:
		fmt.Fprintf(u.Out, "%s%s, except for what is not certified\n", ui.Doubt.Render(word), assuming)
	case h.Config.Bound > 0:
		fmt.Fprintf(u.Out, "%s%s: confirmed within the bound of this world\n", ui.Good.Render(word), assuming)
	default:
		fmt.Fprintf(u.Out, "%s%s\n", ui.Good.Render(word), assuming)
	}
	if doubts > 0 || len(r.Findings) == 0 {
		return ui.ExitInconclusive
	}
	return nil
}

func notACertificate(name string, err error) error {
	return ui.Hint(fmt.Errorf("%s: %w", name, err), "write one with mc verify ALGORITHM --certificate FILE")
}
