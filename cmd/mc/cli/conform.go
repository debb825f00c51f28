package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/logs"
	"interleave/spec"
)

// conformSettings is what the command line says, as it is written.
type conformSettings struct {
	logs      []string
	algorithm string
	network   string
	budget    map[string]*string
	json      bool
	capture   captureSettings
	drive     driveSettings
	mutants   string
	done      <-chan struct{} // closed: it is interrupted
	given     *pflag.FlagSet
}

func newConform(u *ui.UI, known names.Table) *cobra.Command {
	s := &conformSettings{budget: map[string]*string{}}
	cmd := &cobra.Command{
		Use:   "conform CAPTURE | RUN_DIR | --logs DIR",
		Short: "Check whether a real execution is a behaviour of the algorithm",
		Long: `Compare a real execution with the algorithm's handlers: by a packet capture, by the logs
of its processes, or by both, as in a run directory of mc cluster.

A capture is a pcapng or pcap file, taken at one point that all packets pass. It conforms
if hidden steps of each process (messages handled, timeouts, suspicions) explain every
packet in the order of the capture. If not, the first packet without an explanation is
shown, with what the algorithm allows instead. Safety is checked over all explanations.

With --logs, each step must be the one that the algorithm takes from the state before.
Each message that is handled must have been sent before, by a step in the logs. A timer that
expires must be armed; since no clock is trusted, nothing else is asked of it. Suspicions and
restarts must be allowed by the model. The logs of all processes are needed: in a folder,
process-*.ndjson, or else all files *.ndjson and
*.log. A log without its "end" line is a crash.

In a run directory, logs and capture are each checked, and compared with each other.
docs/formats.md describes what logs and captures need.

With --drive, no past execution is checked. Instead, real processes on UDP sockets take
every kind of local step of the model, one at a time, and everything is compared after
each step. The report says what was covered, what was not, and why.

With --mutants, the checks themselves are tested: each planted bug of an algorithm is
looked for by properties (verify), by driving (drive), by logs (logs) and by captures
(capture). Then logs and captures of correct runs are forged, and compared with the
algorithm and with each other (beside). A bug that nothing finds is UNDECIDED if one of the
searches ended at a limit.

Exit status 0: it conforms, or agrees. 1: it is refuted, or real processes disagree
with the model. 2: it cannot be checked. 3: inconclusive: packets are missing, there are
too many ways to explain them, part of the model was not driven, a planted bug is undecided, or it was interrupted.
4: mc contradicts itself: what explains a capture is refuted when it is judged as logs.`,
		Example: "  mc cluster bully --n 5 --kill-leader-every 3s --dir run && mc conform run\n" +
			"  mc conform run/capture.pcapng --minimal few.pcapng\n  mc conform --live --property one-leader\n" +
			"  mc conform --logs run --losses 0 --crashes 2 --recoveries 2\n  mc conform --logs one.log --logs two.log --algorithm bully/mended\n" +
			"  mc conform --drive bully --n 3 --crashes 1",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return fmt.Errorf("mc conform takes one capture, not %d", len(args))
			case len(args) == 1 && len(s.logs) > 0:
				return ui.Hint(errors.New("mc conform takes a capture or --logs, not both"), "mc conform RUN_DIR compares the two")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runConform(u, known, cmd, args, s) },
	}
	s.flags(cmd.Flags())
	ui.Sectioned(cmd, conformSections)
	return cmd
}

// conformSections are how the help shows the flags of mc conform.
var conformSections = []ui.Section{
	{Title: "What to check, if not a capture or a run directory", Flags: "logs live drive mutants"},
	{Title: "What to compare it with", Flags: "algorithm network losses duplicates crashes recoveries n ring"},
	{Title: "How to check a capture", Flags: "follow " + strings.Join(ofCaptures, " ")},
	{Title: "The world of --drive, in addition to the flags above", Flags: strings.Join(onlyDrive, " ")},
	{Title: "Output", Flags: "json help"},
}

// ofCaptures are the flags that say how a capture is judged, and nothing else.
var ofCaptures = []string{"run", "port", "process", "property", "gaps", "cut", "no-receives", "skew", "frontier", "minimal", "explain", "mem"}

// ofProcesses are the flags that say of a capture which processes there are; of others logs
// say it.
var ofProcesses = []string{"n", "ring"}

// notOfMutants returns the flags that mean nothing with --mutants, which makes worlds and runs
// of its own: all but those of its output.
func notOfMutants(f *pflag.FlagSet) (names []string) {
	f.VisitAll(func(flag *pflag.Flag) {
		if !slices.Contains([]string{"mutants", "json", "help"}, flag.Name) {
			names = append(names, flag.Name)
		}
	})
	return names
}

// noneOfCaptures refuses flags that are about a capture where there is none: whoever asks for
// a property of logs would take it for true.
func (s *conformSettings) noneOfCaptures(flags ...string) error {
	for _, name := range flags {
		if s.given.Changed(name) {
			return fmt.Errorf("--%s means nothing without a capture: name one, or a run directory that has one", name)
		}
	}
	return nil
}

// again returns those of some flags that were given, as they are given again.
func (s *conformSettings) again(flags ...string) (text string) {
	for _, name := range flags {
		switch f := s.given.Lookup(name); {
		case !f.Changed || f.Value.String() == "false":
		case f.Value.Type() == "bool":
			text += " --" + name
		default:
			text += " --" + name + " " + ui.ShellWord(strings.Trim(f.Value.String(), "[]"))
		}
	}
	return text
}

// runConform does what the command line asks for: judge the checks, drive real processes, or
// judge what ran.
func runConform(u *ui.UI, known names.Table, cmd *cobra.Command, args []string, s *conformSettings) error {
	if err := ui.NoneEmpty(cmd); err != nil {
		return err
	}
	s.done, s.given = cmd.Context().Done(), cmd.Flags()
	if s.given.Changed("mutants") {
		if err := alone(cmd, args, "mutants", notOfMutants(s.given)...); err != nil {
			return err
		}
		return runMatrix(cmd.Context(), u, known, s.mutants, s.json)
	}
	if len(args) == 0 && !s.capture.live {
		if err := s.noneOfCaptures(ofCaptures...); err != nil {
			return err
		}
	}
	drive, err := s.drive.asked(cmd, args)
	switch {
	case err != nil:
		return err
	case drive:
		return runDrive(cmd.Context(), u, known, &s.drive, s.json)
	}
	return judgeWhatRan(cmd.Context(), u, known, s, args)
}

// judgeWhatRan judges a capture, logs, or both.
func judgeWhatRan(ctx context.Context, u *ui.UI, known names.Table, s *conformSettings, args []string) error {
	dir := false
	if len(args) == 1 {
		info, err := os.Stat(args[0])
		dir = err == nil && info.IsDir()
	}
	switch {
	case s.capture.live && len(args) == 0:
		return followCapture(ctx, u, known, "loopback", s)
	case s.capture.live:
		return errors.New("--live judges what goes over the loopback interface: leave out " + args[0])
	case s.capture.follow && dir:
		return ui.Hint(fmt.Errorf("--follow needs a capture, and %s is a directory", args[0]), "name the capture in it: mc cluster writes "+filepath.Join(args[0], "capture.pcapng"))
	case s.capture.follow && len(args) == 1:
		return followCapture(ctx, u, known, args[0], s)
	case s.capture.follow:
		return errors.New("--follow needs a capture")
	case len(args) == 0:
		return judgeLogs(u, known, s)
	case dir:
		return judgeRun(u, known, args[0], s)
	}
	return judgeCapture(u, known, args[0], s)
}

func (s *conformSettings) flags(f *pflag.FlagSet) {
	f.SortFlags = false
	f.StringArrayVar(&s.logs, "logs", nil, "folder with the logs of all processes, or one log; may be repeated")
	f.StringVar(&s.algorithm, "algorithm", "", "algorithm to compare with: the one that ran, or the original of the mutant that ran; by default what the logs say")
	f.StringVar(&s.network, "network", "", "fifo, bag or set: whether messages may overtake each other; by default what the algorithm was designed for")
	for _, fault := range []struct{ name, standard, doc string }{
		{"losses", "any", "maximum number of messages lost between live processes (a capture cannot show it)"},
		{"duplicates", "0", "maximum number of messages handled again (for a capture, 0 or any)"},
		{"crashes", "any", "maximum number of crashes (for a capture, of those followed by a restart)"},
		{"recoveries", "any", "maximum number of restarts"},
	} {
		s.budget[fault.name] = f.String(fault.name, fault.standard, fault.doc+`, or "any"`)
	}
	s.capture.flags(f)
	f.BoolVar(&s.json, "json", false, "print the report as JSON")
	s.drive.flags(f)
	f.StringVar(&s.mutants, "mutants", "", "show which check finds which planted bug of this algorithm; all: of every algorithm")
}

// options reads the settings.
func (s *conformSettings) options(known names.Table) (o logs.Options, err error) {
	for name, limit := range map[string]*int{
		"losses": &o.Budget.Losses, "duplicates": &o.Budget.Duplicates, "crashes": &o.Budget.Crashes, "recoveries": &o.Budget.Recoveries,
	} {
		text := *s.budget[name]
		if *limit, err = strconv.Atoi(text); text == "any" {
			*limit, err = logs.Any, nil
		}
		if err != nil || *limit < logs.Any || text == "-1" {
			return o, ui.Hint(fmt.Errorf("--%s: %q is not a number of faults", name, text), `give 0 or more, or "any"`)
		}
	}
	if s.network != "" && !slices.Contains([]string{"fifo", "bag", "set"}, s.network) {
		return o, ui.Hint(fmt.Errorf("--network: %q is not one of fifo, bag, set", s.network), ui.Suggest(s.network, []string{"fifo", "bag", "set"}, "bag and set let messages overtake"))
	}
	o.Unordered = s.network == "bag" || s.network == "set"
	o.Find, o.Done = known.Find, s.done
	if s.algorithm == "" {
		return o, nil
	}
	asked, err := known.Find(s.algorithm)
	if err != nil {
		return o, fmt.Errorf("--algorithm: %w", err)
	}
	o.Find = func(logged string) (spec.Machine, error) {
		name := asked.Traits().Name
		if original, _ := spec.Original(logged); logged != name && original != name {
			return nil, fmt.Errorf("it is a log of %s, and not of %s, which --algorithm asks for", logged, name)
		}
		return asked, nil
	}
	return o, nil
}

// conformStatus is the exit status of a verdict.
func conformStatus(v conformance.Verdict) error {
	switch v {
	case conformance.Conforms:
		return nil
	case conformance.Refuted:
		return ui.ExitViolated
	}
	return ui.ExitInconclusive
}
