package cli

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

	"interleave/cmd/mc/internal/ui"
	"interleave/explore"
	"interleave/model"
	"interleave/model/diagram"
	"interleave/properties"
	"interleave/properties/election"
)

// verifyOptions is what the command line of mc verify says.
type verifyOptions struct {
	question
	runForm
	json     bool
	stats    bool
	traceOut string
	pass     string // where a certificate is to be written
}

// verifyFlags holds the flags that need more than parsing.
type verifyFlags struct {
	engine  string
	diagram string
	axes    axisFlags
	prop    []string
	mem     string
	store   string
}

func newVerify(u *ui.UI, known machines) *cobra.Command {
	o := &verifyOptions{}
	o.check.Catalogue = election.Catalogue
	flags := &verifyFlags{}
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
		ValidArgsFunction: known.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := ui.NoneEmpty(cmd); err != nil {
				return err
			}
			if !cmd.Flags().Changed("mem") {
				flags.mem = usualMemory(flags.store)
			}
			if err := o.complete(known, args[0], *flags); err != nil {
				return err
			}
			return runVerify(cmd.Context(), u, o)
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
func (o *verifyOptions) flags(f *pflag.FlagSet, text *verifyFlags) {
	f.SortFlags = false
	text.axes.declare(f)
	f.StringSliceVar(&text.prop, "property", nil, "check only these properties (see mc list), or formulas about runs, as in \"[](can-elect -> <>[]agreement-on-top)\" (see mc help formulas)")
	f.StringSliceVar(&o.undecided, "undecided", nil, "let these properties stay undecided: if they do, the report says so, and they do not count")
	f.BoolVar(&o.check.Continue, "continue", false, "do not stop at the first violation")
	f.BoolVar(&o.fairness, "explain-fairness", false, "find a minimal set of fairness assumptions for each property about runs, strong ones if weak ones are not enough")
	f.StringVar(&o.detectors, "detectors", "", "all: find the weakest failure detector for each property")
	f.BoolVar(&o.exhaustive, "exhaustive", false, "exit with 3 if a pass is only BOUNDED")
	f.IntVar(&o.check.MaxDepth, "max-depth", 0, "explore only states up to this many steps away; a pass is BOUNDED; 0: no limit")
	f.IntVar(&o.check.MaxStates, "max-states", 0, "stop after this many states; 0: no limit")
	f.StringVar(&text.mem, "mem", stateMemory, "memory limit for states and tables, 0: no limit; from 100MiB up, the whole program stays below 1.1 times the limit")
	f.StringVar(&o.check.Spill, "spill", "", "explicit engine: beyond --mem, continue on disk in this folder")
	f.StringVar(&text.store, "store", explore.Exact.String(), "explicit engine: keep whole states (exact), a fingerprint of each (compact), or bits in an array of at most half of --mem, whose default is then "+bitsMemory+" (bits); without whole states a pass is INCONCLUSIVE, with the odds of a missed state")
	f.DurationVar(&o.timeout, "timeout", 0, "stop after this time, as in 90s; 0: no limit")
	f.IntVar(&o.check.Workers, "workers", runtime.GOMAXPROCS(0), "goroutines; the results do not depend on it")
	f.StringVar(&text.engine, "engine", properties.Auto.String(), "state by state (explicit), by decision diagrams (symbolic), or whichever is faster (auto)")
	f.BoolVar(&o.check.Reduce, "reduce", false, "explicit engine: skip orders that make no difference (partial-order reduction), where the world and the properties allow it")
	f.StringVar(&text.diagram, "diagram", "", "form of the decision diagrams, as in content,chain,reversed: messages by receiver, content, or pair of sender and receiver; chain or saturate; places along the ring, reversed or numbered; exact, or loose: a looser world where messages may arrive in any order, and more than once; its diagram may also be the larger one, and auto looks for it only a few seconds at first")
	f.BoolVar(&o.check.Direct, "direct", false, "call the handlers again at every step, without tables: slow, for comparison")
	f.BoolVar(&o.json, "json", false, "print the report as JSON")
	f.BoolVar(&o.stats, "stats", false, "print statistics of the search")
	f.BoolVar(&o.fullStates, "full-states", false, "print whole states in a trace, not only what changes")
	f.BoolVar(&o.mermaid, "mermaid", false, "draw a trace as a sequence diagram in a Markdown mermaid block")
	f.BoolVar(&o.sequence, "sequence", false, "draw a trace as a sequence diagram for a terminal; mc draw has more forms")
	f.StringVar(&o.traceOut, "trace-out", "", "write the counterexample to this file, for mc replay")
	f.StringVar(&o.pass, "certificate", "", "write a pass to this file as a list of all states, for mc certify; needs the explicit engine")
}

// complete fills in o from the flags, and refuses what means nothing.
func (o *verifyOptions) complete(known machines, name string, flags verifyFlags) (err error) {
	m, err := known.find(name)
	if err != nil {
		return err
	}
	if o.world, err = newWorld(m, flags.axes); err != nil {
		return err
	}
	o.check.AllRings, o.runForm.machine = o.allRings, m
	if o.props, err = known.findProperties(o.world.machine, flags.prop); err != nil {
		return err
	}
	if err := limit(&o.check, flags.mem, o.timeout); err != nil {
		return err
	}
	o.mem = flags.mem
	if err := o.diagram(flags.diagram); err != nil {
		return err
	}
	store := slices.Index(explore.StoreNames, flags.store)
	o.check.Store = explore.Store(max(store, 0))
	engine := slices.Index(properties.EngineNames, flags.engine)
	o.check.Engine = properties.Engine(max(engine, 0))
	switch {
	case store < 0:
		return fmt.Errorf("--store: %q is not one of %s", flags.store, strings.Join(explore.StoreNames, ", "))
	case engine < 0:
		return fmt.Errorf("--engine: %q is not one of %s", flags.engine, strings.Join(properties.EngineNames, ", "))
	case flags.diagram != "" && o.check.Engine == properties.Explicit:
		return errors.New("--diagram: the explicit engine has none: leave it out, or take --engine symbolic")
	case o.check.Reduce && o.check.Engine == properties.Symbolic:
		return errors.New("--reduce means nothing to --engine symbolic, which looks at all orders at once: leave one of them out")
	case o.check.Spill != "" && o.check.Engine == properties.Symbolic:
		return errors.New("--spill: decision diagrams stay in memory: leave it out, or take another engine")
	case o.mermaid && o.sequence:
		return errors.New("--mermaid and --sequence are two forms of the same: give one")
	case o.json && o.forPeople() != "":
		return fmt.Errorf("--%s means nothing with --json, which has all of it: leave it out", o.forPeople())
	}
	return errors.Join(o.certifiable(), o.comparable(flags))
}

// asked returns the properties to check, and which of them may stay undecided.
func (o *verifyOptions) asked() []properties.Property {
	if o.undecided == nil {
		return o.props
	}
	return append(slices.Clip(o.props), properties.Undecided(o.undecided...))
}

// forPeople returns a flag that was given and says what people are shown besides; empty: none.
func (o *verifyOptions) forPeople() string {
	switch {
	case o.fullStates:
		return "full-states"
	case o.mermaid:
		return "mermaid"
	case o.sequence:
		return "sequence"
	case o.stats:
		return "stats"
	}
	return ""
}

// certifiable refuses what a certificate does not go with.
func (o *verifyOptions) certifiable() error {
	o.check.Keep = o.pass != ""
	switch {
	case o.pass == "":
	case o.check.Engine == properties.Symbolic:
		return errors.New("--certificate: it lists states one by one, which the symbolic engine does not: leave --engine out")
	case o.check.AllRings:
		return ui.Hint(errors.New("--certificate: it is of one ring, and all of them were asked for"), "give a ring, as in --ring descending, or certify all of them with mc sweep --certify")
	case o.check.MaxDepth > 0:
		return errors.New("--certificate: steps lead out of the states that lie up to --max-depth away, so they prove nothing: leave one out")
	case o.check.Store != explore.Exact:
		return fmt.Errorf("--certificate: it lists whole states, which --store %v does not keep: leave one out", o.check.Store)
	case o.check.Spill != "":
		return errors.New("--certificate: it is written from memory, and --spill moves the states to disk: leave one out")
	case o.pass == o.traceOut:
		return errors.New("--certificate: it is the file of --trace-out, too: name another")
	}
	return nil
}

// diagram fills in the form of the decision diagrams.
func (o *verifyOptions) diagram(form string) (err error) {
	if o.form = form; form == "" {
		return nil
	}
	if o.check.Diagram, err = properties.ParseDiagram(form); err != nil {
		return fmt.Errorf("--diagram: %w", err)
	}
	d := o.check.Diagram
	if d.Grouping != nil && *d.Grouping == diagram.ByContent && o.config.Network == model.FIFO && (d.Loose == nil || !*d.Loose) {
		return errors.New("--diagram: the queues of a fifo network hold messages of any content: take receiver or pair, a loose world, or another network")
	}
	return nil
}

func runVerify(ctx context.Context, u *ui.UI, o *verifyOptions) error {
	if err := errors.Join(ui.Writable("--trace-out", o.traceOut), ui.Writable("--certificate", o.pass), ui.WritableFolder("--spill", o.check.Spill)); err != nil {
		return err
	}
	if o.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.timeout)
		defer cancel()
	}
	debug.SetMemoryLimit(heap(o.check.Memory))
	progress := ui.NewProgress(u)
	progress.Follow(&o.check)
	switch {
	case o.fairness:
		return explainFairness(ctx, u, o, progress)
	case o.detectors != "":
		return compareDetectors(ctx, u, o, progress)
	}
	r, err := properties.Verify(ctx, o.world.machine, o.config, o.asked(), o.check)
	progress.Clear()
	if err != nil {
		return asFlag(err)
	}
	said, wrote := o.writeFiles(ctx, r, progress) // before anything is printed, which may be cut short: mc verify ... | head
	if err := printReport(u, o, r); err != nil {
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
	return ui.VerdictStatus(r.Verdict, o.exhaustive)
}

func printReport(u *ui.UI, o *verifyOptions, r *properties.Report) error {
	if o.json {
		return u.PrintJSON(r)
	}
	tellReport(u, o, r)
	return nil
}
