// Package verify is mc verify.
package verify

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interleave/cmd/mc/internal/coverage"
	"interleave/cmd/mc/internal/limits"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/world"
	"interleave/explore"
	"interleave/model"
	"interleave/model/diagram"
	"interleave/properties"
	"interleave/properties/election"
)

// options is what the command line of mc verify says.
type options struct {
	world.Question
	report.Form
	json     bool
	stats    bool
	traceOut string
	pass     string // where a certificate is to be written
	cover    string // where a profile of the handlers is to be written
}

// flags holds the flags that need more than parsing.
type flags struct {
	engine  string
	diagram string
	axes    world.Flags
	prop    []string
	again   []string // what is to be Recoverable
	mem     string
	store   string
}

// Command returns the verb verify.
func Command(u *ui.UI, known names.Table) *cobra.Command {
	o := &options{}
	o.Check.Catalogue = election.Catalogue
	flags := &flags{}
	cmd := &cobra.Command{
		Use:   "verify ALGORITHM",
		Short: "Explore every interleaving of one configuration",
		Long: `Explore every interleaving of one configuration and check its properties.

Axes of the world that are not set take the algorithm's default, or else the mildest
value: fifo links, no crash, timers that expire only when they must. A violation comes
with a trace, a shortest one unless it loops forever. The trace is replayed through
the handlers before it is shown.

mc list shows the properties, and mc help formulas how to write one about whole runs.`,
		Example:           "  mc verify bully --n 4 --crashes 1\n  mc verify chang-roberts --n 5 --ring all\n  mc verify bully/published --timers any --property winner-is-top",
		Args:              ui.OneArgument("an algorithm", "mc list shows the algorithms"),
		ValidArgsFunction: known.Complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("mem") {
				flags.mem = limits.UsualMemory(flags.store)
			}
			if err := o.complete(known, args[0], *flags); err != nil {
				return err
			}
			return run(cmd.Context(), u, o)
		},
	}
	o.flags(cmd.Flags(), flags)
	for flag, values := range map[string][]string{
		"network": model.NetworkNames, "detector": model.DetectorNames, "timers": model.TimingNames, "start": model.StartNames,
		"store": explore.StoreNames, "engine": properties.EngineNames,
	} {
		ui.OneOf(cmd, flag, values)
	}
	return cmd
}

// flags declares the flags: those that need more than parsing are kept as text.
func (o *options) flags(f *pflag.FlagSet, text *flags) {
	f.SortFlags = false
	text.axes.Declare(f)
	ui.Group(f, ui.Properties, func(f *pflag.FlagSet) {
		f.StringSliceVar(&text.prop, "property", nil, "check only these properties (see mc list), or formulas about runs, as in \"[]<>quiescent\" (see mc help formulas)")
		f.StringSliceVar(&text.again, "recoverable", nil, "check that these can always be reached again without a further fault: words of which formulas speak, as in agreement, leads(2); the same as --property 'recoverable(agreement)'")
		f.StringSliceVar(&o.Undecided, "undecided", nil, "let these properties stay undecided: if they do, the report says so, and they do not count")
		f.BoolVar(&o.Check.Continue, "continue", false, "do not stop at the first violation")
		f.BoolVar(&o.Fairness, "explain-fairness", false, "find a minimal set of fairness assumptions for each property about runs, strong ones if weak ones are not enough")
		f.StringVar(&o.Detectors, "detectors", "", "all: find the weakest failure detector for each property")
		f.BoolVar(&o.Exhaustive, "exhaustive", false, "exit with 3 if a pass is only BOUNDED")
	})
	ui.Group(f, ui.Limits, func(f *pflag.FlagSet) {
		f.IntVar(&o.Check.MaxDepth, "max-depth", 0, "explore only states up to this many steps away; a pass is BOUNDED; 0: no limit")
		f.IntVar(&o.Check.MaxStates, "max-states", 0, "stop after this many states; 0: no limit")
		f.StringVar(&text.mem, "mem", limits.StateMemory, "memory limit for states and tables, 0: no limit; from 100MiB up, the whole program stays below 1.1 times the limit")
		f.DurationVar(&o.Timeout, "timeout", 0, "stop after this time, as in 90s; 0: no limit")
		f.IntVar(&o.Check.Workers, "workers", runtime.GOMAXPROCS(0), "goroutines; the results do not depend on it")
	})
	ui.Group(f, "Engine", func(f *pflag.FlagSet) {
		f.StringVar(&text.engine, "engine", properties.Auto.String(), "state by state (explicit), by decision diagrams (symbolic), or whichever is faster (auto)")
		f.StringVar(&text.store, "store", explore.Exact.String(), "explicit engine: keep whole states (exact), a fingerprint of each (compact), or bits in an array of at most half of --mem, whose default is then "+limits.BitsMemory+" (bits); without whole states a pass is INCONCLUSIVE, with the odds of a missed state")
		f.StringVar(&o.Check.Spill, "spill", "", "explicit engine: beyond --mem, continue on disk in this folder")
		f.BoolVar(&o.Check.Reduce, "reduce", false, "explicit engine: skip orders that make no difference (partial-order reduction), where the world and the properties allow it")
		f.StringVar(&text.diagram, "diagram", "", "form of the decision diagrams, as in content,chain,reversed: messages by receiver, content, or pair of sender and receiver; chain or saturate; places along the ring, reversed or numbered; exact, or overapprox: an over-approximation where messages may arrive in any order, and more than once; its diagram may also be the larger one, and auto looks for it only a few seconds at first")
		f.BoolVar(&o.Check.AssumeNothing, "assume-nothing", false, "of existing code: look at the fields that it is told to ignore, too")
		f.BoolVar(&o.Check.Direct, "direct", false, "call the handlers again at every step, without tables: slow, for comparison")
	})
	ui.Group(f, ui.Output, func(f *pflag.FlagSet) {
		f.BoolVar(&o.json, "json", false, "print the report as JSON")
		f.BoolVar(&o.stats, "stats", false, "print statistics of the search")
		f.BoolVar(&o.FullStates, "full-states", false, "print whole states in a trace, not only what changes")
		f.BoolVar(&o.Mermaid, "mermaid", false, "draw a trace as a sequence diagram in a Markdown mermaid block")
		f.BoolVar(&o.Sequence, "sequence", false, "draw a trace as a sequence diagram for a terminal; mc draw has more forms")
		f.StringVar(&o.traceOut, "trace-out", "", "write the counterexample to this file, for mc replay")
		f.StringVar(&o.cover, "cover", "", "write to this file which lines of the handlers ran, as a profile for go tool cover; needs an mc that is built with -cover, and the explicit engine")
		f.StringVar(&o.pass, "certificate", "", "write a pass to this file as a list of all states, for mc certify; needs the explicit engine")
	})
}

// complete fills in o from the flags, and refuses what means nothing.
func (o *options) complete(known names.Table, name string, flags flags) (err error) {
	m, err := known.Find(name)
	if err != nil {
		return err
	}
	if o.World, err = world.New(m, flags.axes); err != nil {
		return err
	}
	o.Check.AllRings, o.Form.Machine = o.AllRings, m
	for _, atom := range flags.again {
		flags.prop = append(flags.prop, properties.OfAtom(strings.TrimSpace(atom)))
	}
	if o.Props, err = known.FindProperties(o.World.Machine, flags.prop); err != nil {
		return err
	}
	for i, name := range o.Undecided {
		o.Undecided[i] = election.FullName(name)
	}
	if err := limits.Set(&o.Check, flags.mem, o.Timeout); err != nil {
		return err
	}
	o.Mem = flags.mem
	if err := o.diagram(flags.diagram); err != nil {
		return err
	}
	store := slices.Index(explore.StoreNames, flags.store)
	o.Check.Store = explore.Store(max(store, 0))
	engine := slices.Index(properties.EngineNames, flags.engine)
	o.Check.Engine = properties.Engine(max(engine, 0))
	switch {
	case store < 0:
		return fmt.Errorf("--store: %q is not one of %s", flags.store, strings.Join(explore.StoreNames, ", "))
	case engine < 0:
		return fmt.Errorf("--engine: %q is not one of %s", flags.engine, strings.Join(properties.EngineNames, ", "))
	case flags.diagram != "" && o.Check.Engine == properties.Explicit:
		return errors.New("--diagram: the explicit engine has none: leave it out, or take --engine symbolic")
	case o.Check.Reduce && o.Check.Engine == properties.Symbolic:
		return errors.New("--reduce means nothing to --engine symbolic, which looks at all orders at once: leave one of them out")
	case o.Check.Spill != "" && o.Check.Engine == properties.Symbolic:
		return errors.New("--spill: decision diagrams stay in memory: leave it out, or take another engine")
	case o.Mermaid && o.Sequence:
		return errors.New("--mermaid and --sequence are two forms of the same: give one")
	case o.json && o.forPeople() != "":
		return fmt.Errorf("--%s means nothing with --json, which has all of it: leave it out", o.forPeople())
	}
	return errors.Join(o.coverable(), o.certifiable(), o.comparable(flags))
}

// asked returns the properties to check, and which of them may stay undecided.
func (o *options) asked() []properties.Property {
	if o.Undecided == nil {
		return o.Props
	}
	return append(slices.Clip(o.Props), properties.Undecided(o.Undecided...))
}

// forPeople returns a flag that was given and says what people are shown besides; empty: none.
func (o *options) forPeople() string {
	switch {
	case o.FullStates:
		return "full-states"
	case o.Mermaid:
		return "mermaid"
	case o.Sequence:
		return "sequence"
	case o.stats:
		return "stats"
	}
	return ""
}

// coverable refuses what a profile of the handlers does not go with.
func (o *options) coverable() error {
	switch {
	case o.cover == "":
		return nil
	case o.Check.Engine == properties.Symbolic:
		return errors.New("--cover: the symbolic engine calls handlers in states that no run reaches: leave --engine out")
	case o.Check.Reduce:
		return errors.New("--cover: --reduce calls handlers in states that no run reaches: leave it out")
	case o.Fairness, o.Detectors != "":
		return errors.New("--cover: it is of one check, and several were asked for: leave --explain-fairness and --detectors out")
	}
	o.Check.Engine, o.Check.OnlyReached = properties.Explicit, true
	return coverage.Ready(o.World.Machine)
}

// certifiable refuses what a certificate does not go with.
func (o *options) certifiable() error {
	o.Check.Keep = o.pass != ""
	switch {
	case o.pass == "":
	case o.Check.Engine == properties.Symbolic:
		return errors.New("--certificate: it lists states one by one, which the symbolic engine does not: leave --engine out")
	case o.Check.AllRings:
		return ui.Hint(errors.New("--certificate: it is of one ring, and all of them were asked for"), "give a ring, as in --ring descending, or certify all of them with mc sweep --certify")
	case o.Check.MaxDepth > 0:
		return errors.New("--certificate: steps lead out of the states that lie up to --max-depth away, so they prove nothing: leave one out")
	case o.Check.Store != explore.Exact:
		return fmt.Errorf("--certificate: it lists whole states, which --store %v does not keep: leave one out", o.Check.Store)
	case o.Check.Spill != "":
		return errors.New("--certificate: it is written from memory, and --spill moves the states to disk: leave one out")
	case o.Check.AssumeNothing:
		return errors.New("--certificate: it is confirmed of the code with all that this ignores, and --assume-nothing ignores nothing: leave one out")
	case o.pass == o.traceOut:
		return errors.New("--certificate: it is the file of --trace-out, too: name another")
	}
	return nil
}

// diagram fills in the form of the decision diagrams.
func (o *options) diagram(form string) (err error) {
	if o.Diagram = form; form == "" {
		return nil
	}
	if o.Check.Diagram, err = properties.ParseDiagram(form); err != nil {
		return fmt.Errorf("--diagram: %w", err)
	}
	d := o.Check.Diagram
	if d.Grouping != nil && *d.Grouping == diagram.ByContent && o.Config.Network == model.FIFO && (d.Overapprox == nil || !*d.Overapprox) {
		return errors.New("--diagram: the queues of a fifo network hold messages of any content: take receiver or pair, an over-approximation, or another network")
	}
	return nil
}

func run(ctx context.Context, u *ui.UI, o *options) error {
	if err := errors.Join(ui.Writable("--trace-out", o.traceOut), ui.Writable("--certificate", o.pass), ui.Writable("--cover", o.cover), ui.WritableFolder("--spill", o.Check.Spill)); err != nil {
		return err
	}
	ctx, cancel := limits.Timed(ctx, o.Timeout)
	defer cancel()
	debug.SetMemoryLimit(limits.Heap(o.Check.Memory))
	progress := ui.NewProgress(u)
	progress.Follow(&o.Check)
	switch {
	case o.Fairness:
		return explainFairness(ctx, u, o, progress)
	case o.Detectors != "":
		return compareDetectors(ctx, u, o, progress)
	}
	r, err := properties.Verify(ctx, o.World.Machine, o.Config, o.asked(), o.Check)
	progress.Clear()
	if err != nil {
		return world.AsFlag(err)
	}
	said, wrote := o.writeFiles(ctx, r, progress) // before anything is printed, which may be cut short: mc verify ... | head
	if !o.json {
		tellReport(u, o, r)
	} else if err := u.PrintJSON(r); err != nil {
		return err
	}
	for _, line := range said {
		fmt.Fprintf(u.Err, "mc: %s\n", line)
	}
	switch {
	case errors.As(wrote, new(syscall.Errno)): // such as a full disk
		return ui.Trouble(wrote)
	case wrote != nil:
		return wrote
	}
	return ui.VerdictStatus(r.Verdict, o.Exhaustive)
}
