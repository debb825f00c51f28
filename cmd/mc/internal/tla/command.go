// Package tla is mc tla.
package tla

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interleave/cmd/mc/internal/limits"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/ui"
	"interleave/explore"
	"interleave/tla"
	"interleave/tla/eval"
)

// Command returns the verb tla.
func Command(u *ui.UI, known names.Table) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tla",
		Short: "Check TLA+ and PlusCal modules, without Java",
		Args:  ui.AVerb,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCheck(u), newTranslate(u), newCompare(u, known), newExport(u, known))
	return cmd
}

// checkOptions are what mc tla check is asked.
type checkOptions struct {
	moduleFiles
	check      tla.Options
	mem        string
	timeout    time.Duration
	exhaustive bool
	full       bool
	json       bool
	out        string // folder
	notes      []string
}

// moduleFiles are a module and its configuration.
type moduleFiles struct{ module, config string }

// take takes the module from the arguments, and the configuration beside it unless
// another was named.
func (m *moduleFiles) take(args []string) {
	m.module = args[0]
	if m.config == "" {
		m.config = m.beside()
	}
}

// beside is the file of the configuration unless another is named.
func (m *moduleFiles) beside() string { return strings.TrimSuffix(m.module, ".tla") + ".cfg" }

// withoutConfig adds what helps where there is no configuration.
func (m *moduleFiles) withoutConfig(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) && path.Path == m.config && errors.Is(err, fs.ErrNotExist) {
		return ui.Hint(err, "write one, as in INIT Init NEXT Next INVARIANT Inv, or name another with --config")
	}
	return err
}

func newCheck(u *ui.UI) *cobra.Command {
	o := &checkOptions{}
	cmd := &cobra.Command{
		Use:   "check FILE.tla",
		Short: "Explore the states of a module and check its invariants",
		Long: `Check a module against its configuration: FILE.cfg beside it, or the file of --config.
Modules that it uses are looked for in its folder; Naturals, Integers, Sequences,
FiniteSets, Bags and TLC are built in. A violation comes with a shortest trace, in which
each step shows what it changes. --out writes the trace for other tools, as
FILE_PROPERTY.itf.json and as a module with this one run.

What is not supported is reported as an error; see docs/tla.md.`,
		Example: "  mc tla check tla/ChangRoberts.tla\n  mc tla check Spec.tla --config Small.cfg --full-states",
		Args:    ui.OneArgument("the file of one module", "name it, as in mc tla check Spec.tla"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.take(args)
			if err := o.limit(); err != nil {
				return err
			}
			if err := ui.WritableFolder("--out", o.out); err != nil {
				return err
			}
			if o.json && o.out != "" {
				return errors.New("--json prints the traces, and nothing else: leave --out out")
			}
			if o.json && o.full {
				return errors.New("--full-states means nothing with --json, which has all of it: leave it out")
			}
			return runCheck(cmd.Context(), u, o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	ui.Group(f, ui.Properties, func(f *pflag.FlagSet) {
		f.StringVar(&o.config, "config", "", "the configuration, in the format of TLC (default FILE.cfg)")
		f.BoolVar(&o.check.Continue, "continue", false, "go on after the first violation")
		f.BoolVar(&o.exhaustive, "exhaustive", false, "exit with 3 if a pass is only BOUNDED")
	})
	ui.Group(f, ui.Limits, func(f *pflag.FlagSet) {
		f.IntVar(&o.check.MaxDepth, "max-depth", 0, "explore only states up to this many steps away; a pass is BOUNDED; 0: no limit")
		f.IntVar(&o.check.MaxStates, "max-states", 0, "stop after this many states; 0: no limit")
		f.StringVar(&o.mem, "mem", "8GiB", "memory limit for states and values")
		f.DurationVar(&o.timeout, "timeout", 0, "stop after this time, as in 90s; 0: no limit")
		f.IntVar(&o.check.Workers, "workers", 1, "goroutines that expand states")
	})
	ui.Group(f, ui.Output, func(f *pflag.FlagSet) {
		f.BoolVar(&o.full, "full-states", false, "show every variable in every state of a trace")
		f.BoolVar(&o.json, "json", false, "print the report as JSON")
		f.StringVar(&o.out, "out", "", "folder for the traces of violations, in the trace format of Apalache (ITF) and as modules")
	})
	return cmd
}

// limit fills in the memory and refuses limits that are none.
func (o *checkOptions) limit() (err error) {
	if o.check.Memory, err = limits.ParseMemory(o.mem); err != nil {
		return fmt.Errorf("--mem: %w", err)
	}
	return limits.Check(o.check.Workers, o.check.MaxStates, o.check.MaxDepth, o.timeout)
}

func runCheck(ctx context.Context, u *ui.UI, o *checkOptions) error {
	ctx, cancel := limits.Timed(ctx, o.timeout)
	defer cancel()
	ctx, end := withinMemory(ctx, o.check.Memory)
	defer end()
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // values are many and short-lived, and --mem bounds the heap
	p := ui.NewProgress(u)
	o.check.Progress, o.check.Judging = p.Report, p.Judging
	r, err := o.runUnheeded(ctx)
	p.Clear()
	if err != nil {
		return err
	}
	told := toldInTime(ctx, u, toHeedTelling, o, r)
	if told.err != nil {
		return told.err
	}
	if _, err := u.Out.Write(told.text); err != nil {
		return err
	}
	for _, f := range told.traces {
		if err := writeModule(u, o.out, f.module, f.itf); err != nil {
			return err
		}
	}
	verdict, _ := r.Verdict()
	return ui.VerdictStatus(verdict, o.exhaustive)
}

// told is a report as it is told, and its traces as they are written into a folder.
type told struct {
	text   []byte
	traces []traceFiles
	err    error
}

func tell(u *ui.UI, o *checkOptions, r *tla.Report) (all told) {
	var text bytes.Buffer
	to := *u
	to.Out = &text
	if o.json {
		all.err = to.PrintJSON(documentOf(o, r))
	} else {
		printReport(&to, o, r)
	}
	all.text = text.Bytes()
	module := strings.TrimSuffix(filepath.Base(o.module), ".tla")
	for _, f := range r.Findings {
		if f.Trace == nil || o.out == "" || all.err != nil {
			continue
		}
		var files traceFiles
		files, all.err = filesOfTrace(module+"!"+f.Name, f.Trace, fmt.Sprintf("%s of %s: %s", f.Name, module, f.Why))
		all.traces = append(all.traces, files)
	}
	return all
}

// toldInTime is told, without the traces if these are so long that time runs out.
func toldInTime(ctx context.Context, u *ui.UI, patience time.Duration, o *checkOptions, r *tla.Report) told {
	all, ok := heeded(ctx, patience, func() told { return tell(u, o, r) })
	if ok {
		return all
	}
	short := *r
	short.Findings, short.Notes = slices.Clone(r.Findings), slices.Clone(r.Notes)
	for i, f := range r.Findings {
		if f.Trace != nil {
			short.Findings[i].Trace = nil
			short.Notes = append(short.Notes, fmt.Sprintf("the trace of %s, %s, is left out: %v", f.Name, ui.Count(len(f.Trace.States), "state"), explore.EndOf(ctx)))
		}
	}
	return tell(u, o, &short)
}

// run checks the module, and returns what is noted of it. What was given up is
// INCONCLUSIVE.
func (o *checkOptions) run(ctx context.Context) (r *tla.Report, notes []string, err error) {
	m, err := tla.OpenWithin(ctx, o.module, o.config, o.check.Memory)
	if err == nil {
		notes = m.Notes
		if note := standingNote(o.module); note != "" {
			notes = append(notes, note)
		}
		r, err = m.Check(ctx, o.check)
	}
	if err == nil {
		err = o.checkAnew(ctx, r)
	}
	if gaveUp := (*eval.OutOfBudget)(nil); errors.As(err, &gaveUp) {
		return tla.GivenUp(gaveUp.Error(), explore.EndOf(ctx)), notes, nil
	}
	return r, notes, untranslated(o.module, o.withoutConfig(err))
}

func printReport(u *ui.UI, o *checkOptions, r *tla.Report) {
	var names []string
	for _, f := range r.Findings {
		names = append(names, f.Name)
	}
	width := report.ColumnOf(names)
	for _, f := range r.Findings {
		verdict := ui.StyleOf(f.Verdict).Render(f.Verdict.String())
		if f.Why != "" {
			why := strings.ReplaceAll(f.Why, "\n", "\n"+strings.Repeat(" ", width+17)) // below its first line
			verdict = ui.StyleOf(f.Verdict).Render(fmt.Sprintf("%-12s", f.Verdict)) + "  " + why
		}
		fmt.Fprintf(u.Out, "  %s %s\n", report.InColumn(f.Name, width), verdict)
	}
	shown := slices.DeleteFunc(slices.Clone(r.Findings), func(f tla.Finding) bool { return f.Trace == nil })
	for _, same := range report.Together(shown, func(f, g tla.Finding) bool { return f.Verdict == g.Verdict && f.Trace.SameRun(g.Trace) }) {
		printTrace(u, o, same)
	}
	for _, note := range slices.Concat(o.notes, r.Notes) {
		fmt.Fprintf(u.Out, "  note: %s\n", note)
	}
	s := r.Stats
	fmt.Fprintf(u.Out, "\n%s, %s initial, %s, depth %d\n", ui.Count(s.States, "distinct state"), ui.Comma(s.Initial), ui.Count(s.Transitions, "transition"), s.Depth)
	if r.Outcome != explore.Exhausted {
		fmt.Fprintln(u.Out, report.Left(r.Outcome.String(), s.Frontier, s.Depth))
	}
	for _, part := range neverPossible(r) {
		if part.which == "" {
			part.which = part.place
		}
		fmt.Fprintf(u.Out, "never possible: %v\n", part)
	}
	v, why := r.Verdict()
	verdict := ui.StyleOf(v).Render(v.String())
	if why != "" && v != explore.Violated {
		verdict += ": " + why
	}
	fmt.Fprintf(u.Out, "\n%s\n", verdict)
	fmt.Fprintln(u.Out, ui.Faint.Render("repeat with: "+o.command()))
}

// command returns the command that repeats the check.
func (o *checkOptions) command() string {
	s := "mc tla check " + ui.ShellWord(o.module)
	if o.config != o.beside() {
		s += " --config " + ui.ShellWord(o.config)
	}
	if o.check.MaxStates > 0 {
		s += fmt.Sprintf(" --max-states %d", o.check.MaxStates)
	}
	if o.check.MaxDepth > 0 {
		s += fmt.Sprintf(" --max-depth %d", o.check.MaxDepth)
	}
	if o.mem != "8GiB" {
		s += " --mem " + ui.ShellWord(o.mem)
	}
	if o.timeout > 0 {
		s += " --timeout " + o.timeout.String()
	}
	if o.exhaustive {
		s += " --exhaustive"
	}
	if o.check.Continue {
		s += " --continue"
	}
	return s
}

// printTrace tells the run that findings have in common.
func printTrace(u *ui.UI, o *checkOptions, same []tla.Finding) {
	f := same[0]
	names := f.Name
	for _, g := range same[1:] {
		names += ", " + g.Name
	}
	fmt.Fprintf(u.Out, "\n%s\n", ui.Title.Render(fmt.Sprintf("%s %s: %s", names, f.Verdict, kindOfRun(f))))
	for i := range f.Trace.States {
		fmt.Fprintf(u.Out, "%4d  %s\n", i, f.Trace.Label(i))
		for _, line := range f.Trace.Changes(i, o.full) {
			fmt.Fprintf(u.Out, "      %s\n", line)
		}
	}
	switch n := f.Trace.Loop; {
	case n == len(f.Trace.States):
		fmt.Fprintln(u.Out, "      and stays there forever")
	case n > 0:
		fmt.Fprintf(u.Out, "      and again from state %d, forever\n", n-1)
	}
}

func kindOfRun(f tla.Finding) string {
	switch {
	case f.Trace.Loop > 0:
		return "an infinite run"
	case f.GivenUp:
		return "the run to the state where it was given up"
	}
	return "a shortest run"
}
