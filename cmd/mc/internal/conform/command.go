// Package conform is mc conform. What it prints is in report.go.
package conform

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interleave/cmd/mc/internal/execution"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/logs"
	"interleave/linear"
)

// options is what the command line of mc conform says, as it is written.
type options struct {
	execution.Settings
	logs    []string
	json    bool
	drive   driveOptions
	mutants string
}

// Command returns the verb conform.
func Command(u *ui.UI, known names.Table) *cobra.Command {
	o := &options{}
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
process-*.ndjson, or else all files *.ndjson and *.log. A log without its "end" line is
a crash. If they conform, the properties that the algorithm brings along are judged in each
state of this run; a formula about whole runs is not, as no log shows what would have come. If it
says what it is to its clients, the run is judged by that, too.

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

Exit status 0: it conforms, or agrees. 1: it is refuted, the run violates a property that
the algorithm brings along or is not linearizable, or real processes disagree with the
model. 2: it cannot be checked. 3: inconclusive: packets are missing, there are too many
ways to explain them, nobody knows whether the run is linearizable, part of the model was
not driven, a planted bug is undecided, or it was interrupted. 4: mc contradicts itself:
what explains a capture is refuted when it is judged as logs.`,
		Example: "  mc cluster bully --n 5 --kill-leader-every 3s --dir run && mc conform run\n" +
			"  mc conform run/capture.pcapng --minimal few.pcapng\n  mc conform --live --property one-leader\n" +
			"  mc conform --logs run --losses 8 --crashes 2 --recoveries 2\n  mc conform --logs one.log --logs two.log --algorithm bully/mended\n" +
			"  mc conform --drive bully --n 3 --crashes 1",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return fmt.Errorf("mc conform takes one capture, not %d", len(args))
			case len(args) == 1 && len(o.logs) > 0:
				return ui.Hint(errors.New("mc conform takes a capture or --logs, not both"), "mc conform RUN_DIR compares the two")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return run(u, known, cmd, args, o) },
	}
	o.flags(cmd.Flags())
	return cmd
}

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

func (o *options) flags(f *pflag.FlagSet) {
	f.SortFlags = false
	ui.Group(f, "What to check, if not a capture or a run directory", func(f *pflag.FlagSet) {
		f.StringArrayVar(&o.logs, "logs", nil, "folder with the logs of all processes, or one log; may be repeated")
		f.BoolVar(&o.Live, "live", false, "check the traffic on the loopback interface, until interrupted")
		f.StringVar(&o.drive.algorithm, "drive", "", "make real processes of this algorithm take every kind of local step of its model, in a world set by the flags of mc verify")
		f.StringVar(&o.mutants, "mutants", "", "show which check finds which planted bug of this algorithm; all: of every algorithm")
	})
	o.Settings.Declare(f)
	o.drive.flags(f)
	ui.Group(f, ui.Output, func(f *pflag.FlagSet) { f.BoolVar(&o.json, "json", false, "print the report as JSON") })
}

// run does what the command line asks for: judge the checks, drive real processes, or
// judge what ran.
func run(u *ui.UI, known names.Table, cmd *cobra.Command, args []string, o *options) error {
	ctx := cmd.Context()
	if cmd.Flags().Changed("mutants") {
		if err := alone(cmd, args, "mutants", notOfMutants(cmd.Flags())...); err != nil {
			return err
		}
		return runMatrix(ctx, u, known, o.mutants, o.json)
	}
	if len(args) == 0 && !o.Live {
		if err := o.WithoutCapture(execution.OfCaptures...); err != nil {
			return err
		}
	}
	drive, err := o.drive.asked(cmd, args)
	switch {
	case err != nil:
		return err
	case drive:
		return runDrive(ctx, u, known, &o.drive, o.json)
	}
	r, err := judge(ctx, execution.Judge{UI: u, Known: known, Settings: &o.Settings, Done: ctx.Done()}, args, o.logs)
	if err != nil {
		return err
	}
	if err := printExecution(u, o, r); err != nil {
		return err
	}
	if r.Capture != nil { // of which more takes long, so the verdict is told before
		if err := writeFiles(u, o, r); err != nil {
			return err
		}
	}
	return status(u, o, r)
}

// judge judges a capture, logs, or both.
func judge(ctx context.Context, j execution.Judge, args, logs []string) (*execution.Report, error) {
	dir := false
	if len(args) == 1 {
		info, err := os.Stat(args[0])
		dir = err == nil && info.IsDir()
	}
	switch {
	case j.Live && len(args) == 0:
		return execution.Follow(ctx, j, "loopback")
	case j.Live:
		return nil, errors.New("--live judges what goes over the loopback interface: leave out " + args[0])
	case j.Settings.Follow && dir:
		return nil, ui.Hint(fmt.Errorf("--follow needs a capture, and %s is a directory", args[0]), "name the capture in it: mc cluster writes "+filepath.Join(args[0], "capture.pcapng"))
	case j.Settings.Follow && len(args) == 1:
		return execution.Follow(ctx, j, args[0])
	case j.Settings.Follow:
		return nil, errors.New("--follow needs a capture")
	case len(args) == 0:
		return j.NamedLogs(logs)
	case dir:
		return j.Directory(args[0])
	}
	return j.Execution(nil, args[0])
}

// status is the exit status of a report. A property that decides it is named, as the verdict, which is
// printed last, is not about that.
func status(u *ui.UI, o *options, r *execution.Report) (worst error) {
	switch {
	case r.Verdict == conformance.Refuted:
		return ui.ExitViolated
	case r.Verdict != conformance.Conforms:
		return ui.ExitInconclusive
	case r.Logs != nil && slices.ContainsFunc(r.Logs.Properties, func(p logs.PropertyReport) bool { return !p.Holds }):
		return ui.ExitViolated
	case r.Logs != nil && slices.ContainsFunc(r.Logs.Objects, func(v linear.Verdict) bool { return v.Outcome == linear.NotLinearizable }):
		return ui.ExitViolated
	case r.Logs != nil && (r.Logs.Unjudged != "" || slices.ContainsFunc(r.Logs.Objects, func(v linear.Verdict) bool { return v.Outcome == linear.Undecided && v.Requests > 0 })):
		return ui.ExitInconclusive
	case r.Capture == nil && len(o.Properties()) > 0: // so nothing is known of the property
		return ui.ExitInconclusive
	case r.Capture == nil:
		return nil
	}
	for _, p := range r.Capture.Safety {
		asked := slices.Contains(o.Properties(), p.Property)
		if p.Across == captures.HoldsInAll || !asked && (!p.Own || p.Across != captures.ViolatedInAll && !p.Unfinished) {
			continue
		}
		switch {
		case asked:
			tellProperty(u, p, "--property")
		case p.Unfinished:
			tellProperty(u, p, "the property")
		}
		if p.Across == captures.ViolatedInAll {
			return ui.ExitViolated
		}
		worst = ui.ExitInconclusive
	}
	return worst
}
