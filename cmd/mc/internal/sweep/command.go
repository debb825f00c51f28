// Package sweep is mc sweep.
package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interleave/cmd/mc/internal/limits"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/yaml"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
)

// options is what the command line of mc sweep says.
type options struct {
	file     string
	only     []string
	check    properties.Options
	mem      string // as check has it
	timeout  time.Duration
	quick    bool
	json     bool
	markdown bool
	failFast bool
	certify  int // configurations of up to so many states

	junit, sarif string // files
	github       bool
	lock         string // file
	updateLock   bool
}

// Command returns the verb sweep.
func Command(u *ui.UI, known names.Table) *cobra.Command {
	o := options{}
	cmd := &cobra.Command{
		Use:   "sweep FILE",
		Short: "Check many configurations and compare with the verdicts expected in a file",
		Long: `Check every configuration listed in a YAML file, each as mc verify does, and compare
each verdict with the one that the file expects.

  version: 1
  rows:
    - algorithm: lock/mended        # or a list
      about: a crash is survived    # free text, if you like
      n: 3..5                       # any axis of mc verify: a value, a list or a range
      network: [fifo, set]
      crashes: 1
      slow: true                    # skipped by --quick
      max-depth: 20                 # also max-states, mem, timeout: they override the flags
      expect:                       # the properties to check
        exclusion: holds            # or bounded, violated, violated in 5, inconclusive
        used: reached               # or never

A row is checked for every combination of its values. Every counterexample is saved,
read back and replayed through the handlers. With --certify, each pass is also written
as certificates, one per ring, and checked as mc certify does.

For CI, --junit and --sarif write reports to files, in addition to what is printed.
--github prints annotations at the lines of the handlers, as many as GitHub shows, and
writes a step summary with a diagram of each counterexample. --lock FILE fails if any
configuration has more or fewer states or transitions than FILE records; --update-lock
accepts the new numbers.

Exit status: 0 all as expected; 1 something differs; 2 bad input (nothing was run), or
two rows that no lock can fit; 3 interrupted, or a function does not return; 4 mc
contradicts itself, a function ends its process, or a system error, such as a full disk.
The files of --junit and --sarif are written even then.`,
		Example: "  mc sweep elections.yaml\n  mc sweep --quick --only bully --fail-fast elections.yaml\n  mc sweep --markdown elections.yaml\n  mc sweep --junit junit.xml --sarif mc.sarif --lock elections.lock elections.yaml",
		Args:    ui.OneArgument("a file", "mc sweep --help shows what is in one"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.complete(args[0]); err != nil {
				return err
			}
			return run(cmd.Context(), u, known, o)
		},
	}
	o.flags(cmd.Flags())
	return cmd
}

// flags declares the flags.
func (o *options) flags(f *pflag.FlagSet) {
	f.SortFlags = false
	ui.Group(f, "Configurations", func(f *pflag.FlagSet) {
		f.BoolVar(&o.quick, "quick", false, "skip the rows with slow: true")
		f.StringSliceVar(&o.only, "only", nil, "check only these algorithms: a name, an alias, or a whole family")
		f.BoolVar(&o.failFast, "fail-fast", false, "stop at the first configuration that differs")
	})
	ui.Group(f, "What is checked besides", func(f *pflag.FlagSet) {
		f.IntVar(&o.certify, "certify", 0, "confirm each pass by certificates, in configurations of at most this many states")
		f.Lookup("certify").NoOptDefVal = strconv.Itoa(certifyStates)
		f.StringVar(&o.lock, "lock", "", "compare the numbers of states and transitions with this file")
		f.BoolVar(&o.updateLock, "update-lock", false, "write the file of --lock, accepting the current numbers")
	})
	ui.Group(f, ui.Limits, func(f *pflag.FlagSet) {
		f.StringVar(&o.mem, "mem", limits.StateMemory, "memory limit for states and tables, for each configuration")
		f.DurationVar(&o.timeout, "timeout", 0, "stop after this time, as in 90s, for each configuration")
		f.IntVar(&o.check.Workers, "workers", runtime.GOMAXPROCS(0), "goroutines; the results do not depend on it")
	})
	ui.Group(f, ui.Output, func(f *pflag.FlagSet) {
		f.BoolVar(&o.json, "json", false, "print JSON")
		f.BoolVar(&o.markdown, "markdown", false, "print a Markdown table for each family")
		f.StringVar(&o.junit, "junit", "", "write the verdicts to this file, as JUnit XML")
		f.StringVar(&o.sarif, "sarif", "", "write what differs to this file, as SARIF 2.1.0")
		f.BoolVar(&o.github, "github", false, "print annotations for GitHub, and write the step summary")
	})
}

func (o *options) complete(file string) error {
	o.file = file
	if o.json && o.markdown {
		return errors.New("--json and --markdown are two forms of the same: give one")
	}
	if o.certify < 0 {
		return fmt.Errorf("--certify: %d is negative: leave it out to certify nothing", o.certify)
	}
	if o.updateLock && o.lock == "" {
		return errors.New("--update-lock: name the file with --lock FILE")
	}
	if ui.SameName(o.junit, o.sarif) || ui.SameName(o.junit, o.lock) || ui.SameName(o.sarif, o.lock) {
		return errors.New("--junit, --sarif and --lock: two of them name the same file")
	}
	err := errors.Join(limits.Set(&o.check, o.mem, o.timeout), ui.Writable("--junit", o.junit, o.file, o.lock), ui.Writable("--sarif", o.sarif, o.file, o.lock), o.lockable())
	if err != nil || !o.github {
		return err
	}
	f, err := openSummary()
	if f != nil {
		f.Close()
	}
	return err
}

// lockable refuses a lock that could not be written.
func (o *options) lockable() error {
	if !o.updateLock {
		return nil
	}
	return ui.Writable("--lock", o.lock, o.file)
}

func run(ctx context.Context, u *ui.UI, known names.Table, o options) error {
	cases, err := readCases(known, o)
	if err != nil {
		return err
	}
	var l *lock
	if o.lock != "" {
		if l, err = o.readLock(); err != nil {
			return err
		}
	}
	s := &sweep{outcome: outcome{options: o, cases: cases, began: time.Now()}, tool: u, progress: ui.NewProgress(u)}
	s.failure = s.run(ctx, l)
	if l != nil && !o.updateLock {
		s.differences = l.compare(&s.outcome)
	}
	failed := []error{conclude(u, &s.outcome), tellOthers(u, &s.outcome)}
	if s.interrupted() {
		fmt.Fprintf(u.Err, "mc: interrupted: %s of %s not judged\n", ui.Comma(len(cases)-len(s.results)), ui.Plural(len(cases), "configuration was", "configurations were"))
	} else {
		failed = append(failed, s.failure)
	}
	if l != nil {
		failed = append(failed, l.report(u, &s.outcome))
	}
	switch err := errors.Join(failed...); {
	case err != nil:
		return err
	case s.interrupted():
		return ui.ExitInconclusive
	case !s.passes():
		return ui.ExitViolated
	}
	return nil
}

// readCases reads the file and returns the configurations to check.
func readCases(known names.Table, o options) ([]configuration, error) {
	text, err := yaml.ReadFile(o.file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.file, err)
	}
	rows, err := readFile(o.file, text, known)
	if err != nil {
		return nil, err
	}
	cases, err := multiply(o.file, rows, o)
	if err != nil {
		return nil, err
	}
	return filter(known, cases, o)
}

// sweep is a sweep under way.
type sweep struct {
	outcome
	tool     *ui.UI
	progress *ui.Progress

	foretelling time.Duration // the time that foretell took
}

// run checks one case after the other, until ctx ends or, if the options say
// so, one fails. It fails itself where a case cannot be run or contradicts us.
func (s *sweep) run(ctx context.Context, l *lock) error {
	columns := columnsOf(s.cases)
	s.progress.Part = l.part(&s.outcome)
	for i, c := range s.cases {
		s.progress.Prefix = fmt.Sprintf("%d/%d %s %s: ", i+1, len(s.cases), c.algorithm(), c.Words())
		if err := s.foretell(c); err != nil {
			return err
		}
		r, err := c.run(ctx, s.progress)
		if err == nil && s.options.certify > 0 {
			r.proof, err = r.certify(ctx, s.options.certify)
		}
		s.progress.Clear()
		if ctx.Err() != nil {
			return errInterrupted // this case may have been cut short
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %s %s: %w", s.options.file, c.row.line, c.algorithm(), c.Words(), err)
		}
		if l != nil && !s.options.updateLock {
			r.lock = l.difference(r)
		}
		s.results = append(s.results, r)
		if !s.options.json && !s.options.markdown {
			tellResult(s.tool, r, columns)
		}
		if s.options.failFast && !r.passes() {
			return nil
		}
	}
	return nil
}

func (c configuration) run(ctx context.Context, p *ui.Progress) (result, error) {
	v := c.Question
	ctx, cancel := limits.Timed(ctx, v.Timeout)
	defer cancel()
	debug.SetMemoryLimit(limits.Heap(v.Check.Memory))
	p.Follow(&v.Check)
	r, err := properties.Verify(ctx, v.Machine, v.Config, v.Props, v.Check)
	if err != nil {
		return result{}, err
	}
	for _, f := range r.Findings {
		if err := c.again(f); err != nil {
			return result{}, err
		}
	}
	return result{configuration: c, judged: c.judge(r), stats: r.Stats, assumes: r.Assumes}, nil
}

// again writes a counterexample, reads it and replays it.
func (c configuration) again(f properties.Finding) error {
	if f.Trace == nil {
		if f.Verdict == properties.Violated && f.Kind != properties.CoverKind {
			return &properties.ContradictionError{Reason: f.Name + " is violated and has no counterexample"}
		}
		return nil
	}
	var file bytes.Buffer
	err := f.Trace.Write(&file)
	var trace *model.Trace
	if err == nil {
		trace, err = model.ReadTrace(&file)
	}
	var reason string
	if err == nil {
		_, _, reason, err = election.Replay(c.Machine, trace, f.Property)
	}
	if err == nil && reason != f.Why {
		err = fmt.Errorf("it is false for another reason: %s", reason)
	}
	if err != nil {
		return &properties.ContradictionError{Reason: fmt.Sprintf("the counterexample to %s, written and read, does not replay: %v", f.Name, err)}
	}
	return nil
}

// judge compares the findings with what the row expects. A property that was
// not asked for, as that no handler panics, is expected to hold.
func (c configuration) judge(r *properties.Report) []judged {
	var out []judged
	for _, f := range r.Findings {
		j := judged{name: f.Name, want: report.Answer{Word: report.Holds, Steps: report.AnySteps}, found: report.AnswerOf(f), finding: f}
		for _, e := range c.row.expect {
			if e.property.Name == f.Name {
				j.want = e.Answer
			}
		}
		out = append(out, j)
	}
	return out
}

// filter returns the cases of the algorithms that only names, all if it names
// none, and without the slow rows if they are to be quick.
func filter(known names.Table, cases []configuration, o options) ([]configuration, error) {
	var names []string
	for _, name := range o.only {
		if known.IsFamily(name) {
			names = append(names, known.Variants(name)...)
			continue
		}
		m, err := known.Find(name)
		if err != nil {
			return nil, fmt.Errorf("--only: %w", err)
		}
		names = append(names, m.Traits().Name)
	}
	left := slices.DeleteFunc(cases, func(c configuration) bool {
		return o.quick && c.row.slow || names != nil && !slices.Contains(names, c.algorithm())
	})
	switch {
	case len(left) > 0:
		return left, nil
	case names == nil:
		return nil, fmt.Errorf("--quick leaves nothing of %s: all of its rows are slow", o.file)
	}
	remedy := "name an algorithm that stands in the file"
	if o.quick {
		remedy += ", in a row that is not slow"
	}
	return nil, ui.Hint(fmt.Errorf("--only %s leaves nothing of %s", strings.Join(o.only, ","), o.file), remedy)
}
