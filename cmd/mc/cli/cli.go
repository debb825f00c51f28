package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/capture"
	"interleave/cmd/mc/internal/certify"
	"interleave/cmd/mc/internal/cluster"
	"interleave/cmd/mc/internal/conform"
	"interleave/cmd/mc/internal/exit"
	"interleave/cmd/mc/internal/explore"
	"interleave/cmd/mc/internal/list"
	"interleave/cmd/mc/internal/mutants"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/node"
	"interleave/cmd/mc/internal/scaffold"
	"interleave/cmd/mc/internal/simulate"
	"interleave/cmd/mc/internal/sweep"
	"interleave/cmd/mc/internal/tla"
	"interleave/cmd/mc/internal/trace"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/verify"
	"interleave/cmd/mc/supervisor"
	"interleave/properties"
	"interleave/spec"
)

// Program is an mc of one's own.
type Program struct {
	Machines   []spec.Machine        // a family's bare name means its first. Mutants (see spec.Algorithm.Mutant) are kept apart, for mc mutants
	Aliases    map[string]string     // further names for machines
	Properties []properties.Property // known by name, besides those that come with Interleave: to check, to replay their traces, to expect in sweeps
}

// Main runs mc for the given machines and exits: a Program without properties of its own.
func Main(aliases map[string]string, list ...spec.Machine) {
	Program{Machines: list, Aliases: aliases}.Main()
}

// Main runs mc and exits. On Unix the verbs that call functions of the user do their work in a
// second process, which this one watches: see package supervisor. As functions of the user call
// what they like, nothing before Main may depend on being run once.
func (p Program) Main() {
	supervisor.Start(supervisor.Verbs)
	collectLater()
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, func() {
		time.Sleep(time.Second) // timeout and others send a signal twice, to the process and to its group
		stop()                  // from now on an interrupt ends the program at once
	})
	go watchdog(ctx)
	supervisor.Exit(p.Run(ctx, os.Args[1:], os.Stdout, os.Stderr)) // a signal that is late changes nothing
}

// Run is Main for a program that goes on: see Program.Run.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer, aliases map[string]string, list ...spec.Machine) int {
	return Program{Machines: list, Aliases: aliases}.Run(ctx, args, stdout, stderr)
}

// Run runs mc once and returns the exit status. If ctx ends, a verification
// under way reports what it has covered.
func (p Program) Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	u, known := ui.New(stdout, stderr), names.New(p.Machines, p.Aliases, p.Properties...)
	if err := errors.Join(known.Check(), ui.OneLineEach(args)); err != nil {
		return int(exit.Status(u, err))
	}
	root := root(u, known)
	root.SetArgs(args)
	root.SetOut(u.Out)
	root.SetErr(u.Err)
	return int(exit.Status(u, u.End(outlive(func() error { return root.ExecuteContext(ctx) }))))
}

// outlive does some work. It notices if something in it ends its goroutine.
func outlive(work func() error) error {
	err := error(ui.Trouble(ui.Hint(errors.New("a function that mc called ended its goroutine"), "runtime.Goexit does that, and so do FailNow and SkipNow of a test: a function may only return or panic")))
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = work()
	}()
	<-done
	return err
}

func root(u *ui.UI, known names.Table) *cobra.Command {
	root := &cobra.Command{
		Use:   "mc",
		Short: "Model check distributed algorithms written in Go",
		Long: `mc is a model checker for distributed algorithms written in Go. It explores every
interleaving of deliveries, timeouts and crashes in a small configuration, by calling
the same handlers that run in production. A violation comes with a trace that can be
replayed: a shortest one, unless it loops forever. A pass lists its assumptions.

mc also runs real processes, injects faults, and checks that logs and packet captures
conform to the algorithm.

Exit status: 0 all properties hold; 1 a property is violated; 2 bad input; 3 inconclusive,
or bounded with --exhaustive; 4 mc contradicts itself, or a system error.
For mc cluster: 0 the processes agree; 1 they do not, or one failed; 2 bad input;
3 interrupted; 4 a system error. The help of each command lists its own.`,
		Example:           "  mc list\n  mc verify bully --n 4 --crashes 1\n  mc verify bully/published --timers any --trace-out bad.json\n  mc replay bad.json\n  mc sweep elections.yaml\n  mc cluster bully --n 5 --kill-leader-every 3s --loss 10%",
		Args:              ui.AVerb,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Version:           version(),
		PersistentPreRunE: ui.NoneEmpty,
		SilenceErrors:     true,
		SilenceUsage:      true,
	}
	root.SetVersionTemplate("mc {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(list.Command(u, known), verify.Command(u, known), sweep.Command(u, known), mutants.Command(u, known), simulate.Command(u, known), trace.Replay(u, known), trace.Draw(u, known), trace.Explain(u, known), trace.Text(u, known), explore.Command(u, known), certify.Command(u, known), node.Command(u, known), cluster.Command(u, known), capture.Command(u), conform.Command(u, known), tla.Command(u, known), scaffold.Command(u), newMan(), list.Formulas(known))
	root.SetFlagErrorFunc(ui.FlagError)
	if len(known.Algorithms) > 0 && !known.Elect() {
		sayNothingOfElections(root, known)
	}
	ui.GroupedHelp(root)
	ui.NarrowHelp(u, root)
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Args = ui.ATopic
	return root
}
