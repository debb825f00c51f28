// Package cluster is mc cluster.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/process"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/world"
	"interleave/impl/cluster"
	"interleave/impl/cluster/network"
	"interleave/spec"
)

// defaultDelta is how long a message may take in a cluster on one machine.
const defaultDelta = 50 * time.Millisecond

// defaultTime is how long the faults last by default.
const defaultTime = 30 * time.Second

// settings is what the command line says, as it is written.
type settings struct {
	config          cluster.Config
	faults          planFlags
	plan            string
	seed            uint64
	ring, initiates string
	transport       string
	timers          map[string]string
	json            bool
}

// Command returns the verb cluster.
func Command(u *ui.UI, known names.Table) *cobra.Command {
	s := &settings{}
	cmd := &cobra.Command{
		Use:   "cluster ALGORITHM",
		Short: "Run real processes of an algorithm and inject faults",
		Long: `Run N real processes of an algorithm on this machine, each an mc node with the same
handlers that mc verify checks. A proxy between them loses, duplicates, delays and
reorders packets, and partitions the network. Processes are killed with kill -9 and
restarted. Faults follow a plan, given by flags or a file (--plan).

At the end all faults are healed, and the processes get time to come to rest. Where they
elect somebody, each is asked which leader it follows. The properties that the algorithm
brings along are judged in all states of the run. The run directory keeps the plan, a packet
capture, the fate of every packet, and the log of every process. See docs/cluster.md.

Exit status 0: the processes agree, and nothing was seen violated. 1: not so, or one of them
failed. 2: bad input.
3: interrupted. 4: a problem with this machine or with mc.`,
		Example: "  mc cluster bully --n 5 --kill-leader-every 3s --loss 10% --duration 60s\n" +
			"  mc cluster bully --transport tcp --delay 0..20ms --partition-every 10s\n  mc cluster bully --n 5 --loss 10% --elections 200\n  mc cluster ring --n 4 --plan storm.yaml",
		Args:              ui.OneArgument("an algorithm", "mc list shows the algorithms"),
		ValidArgsFunction: known.Complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.complete(known, args[0], cmd.Flags()); err != nil {
				return err
			}
			return run(cmd.Context(), u, s)
		},
	}
	s.flags(cmd.Flags())
	return cmd
}

func (s *settings) flags(f *pflag.FlagSet) {
	c, p := &s.config, &s.faults
	f.SortFlags = false
	ui.Group(f, "Processes", func(f *pflag.FlagSet) {
		f.IntVar(&c.N, "n", world.DefaultN, "number of processes")
		f.StringVar(&s.ring, "ring", "", "order on the ring, as in 3,1,2; by default ascending")
		f.StringVar(&s.initiates, "initiators", "", "processes that start on their own, as in 1,3; by default all")
		f.StringVar(&s.transport, "transport", "udp", "udp or tcp")
		f.BoolVar(&c.Datagrams, "datagrams", false, "over UDP: send each message once, without the layer that retransmits and keeps order")
		f.Uint16Var(&c.Port, "port", 0, "port of all processes, each on its own address; by default that of the protocol, or a free one")
		f.DurationVar(&c.Delta, "delta", defaultDelta, "upper bound on message delay that the processes assume: their timers are derived from it")
		f.StringToStringVar(&s.timers, "timer", nil, "durations of timers, as in T_ok=300ms,notice=1s; by default derived from --delta")
		f.BoolVar(&c.UnsafeTimers, "unsafe-timers", false, "run even if a timer is too short for --delta")
	})
	ui.Group(f, "Faults", func(f *pflag.FlagSet) {
		f.StringVar(&p.loss, "loss", "", "share of packets that are lost, as in 10%; over TCP they are late instead")
		f.StringVar(&p.duplicate, "duplicate", "", "share of packets that arrive twice; no effect over TCP")
		f.StringVar(&p.reorder, "reorder", "", "share of packets that the next one overtakes; no effect over TCP")
		f.StringVar(&p.delay, "delay", "", "delay of packets, as in 0..20ms")
		f.DurationVar(&p.killEvery, "kill-leader-every", 0, "interval at which to kill the leader, with kill -9")
		f.DurationVar(&p.restartAfter, "restart-after", 0, "restart it after this time; by default half the time between two kills")
		f.DurationVar(&p.partitionEvery, "partition-every", 0, "interval at which to partition the processes into two random parts")
		f.DurationVar(&p.partitionFor, "partition-for", 0, "heal a partition after this time; by default half the time between two")
		f.DurationVar(&p.requestEvery, "request-every", 0, "interval at which to ask a process for an action, all by chance: a client's request or an internal action that is not fair")
		f.StringVar(&s.plan, "plan", "", "read the faults from this YAML file instead: a list of events with times")
		f.Uint64Var(&s.seed, "seed", 0, "seed of the random choices; by default a new one, which is printed")
	})
	ui.Group(f, "How long", func(f *pflag.FlagSet) {
		f.DurationVar(&c.Duration, "duration", defaultTime, "how long faults are injected, before everything heals")
		f.IntVar(&c.Elections, "elections", 0, "instead of --duration: kill the leader this many times, and heal after each")
		f.DurationVar(&c.Calm, "calm", 0, "how long an agreement must last to count; by default the longest timer plus two deltas")
		f.DurationVar(&c.Settle, "settle", 0, "how long the processes may take to agree after healing; by default twice --calm plus 10s, plus 10 rounds in lock step")
	})
	ui.Group(f, ui.Output, func(f *pflag.FlagSet) {
		f.StringVar(&c.Dir, "dir", "", "run directory; by default a new one under runs")
		f.BoolVar(&c.Capture, "capture", true, "write a capture of all packets, for Wireshark")
		f.BoolVar(&s.json, "json", false, "print the verdict as JSON")
	})
	f.Lookup("timer").DefValue = ""
}

// complete makes the configuration of the settings, but for what is new in
// every run.
func (s *settings) complete(known names.Table, name string, f *pflag.FlagSet) (err error) {
	c := &s.config
	if c.Machine, err = known.Find(name); err != nil {
		return err
	}
	switch {
	case c.N < 2 || c.N > network.MaxN:
		return fmt.Errorf("--n: %d is out of range: give 2 to %d", c.N, network.MaxN)
	case c.Machine.Traits().CheckN(c.N) != nil:
		return fmt.Errorf("--n: %w", c.Machine.Traits().CheckN(c.N))
	case s.transport != "udp" && s.transport != "tcp":
		return fmt.Errorf("--transport: %q is not one of udp, tcp", s.transport)
	case c.Delta < time.Millisecond:
		return fmt.Errorf("--delta: %v is too short: give 1ms or more", c.Delta)
	case f.Changed("elections") && f.Changed("duration"):
		return errors.New("--duration means nothing with --elections: leave one of them out")
	case f.Changed("elections") && c.Elections < 1:
		return fmt.Errorf("--elections: %d is not a number above 0: leave it out for a --duration", c.Elections)
	case s.transport == "tcp" && c.Datagrams:
		return errors.New("--datagrams means nothing with --transport tcp: leave one of them out")
	}
	for _, name := range []string{"duration", "calm", "settle", "kill-leader-every", "restart-after", "partition-every", "partition-for", "request-every"} {
		if d, err := f.GetDuration(name); err != nil || f.Changed(name) && d <= 0 {
			return fmt.Errorf("--%s: %v is not a time above 0: leave it out, or give one as in 30s", name, d)
		}
	}
	c.Stream = s.transport == "tcp"
	if c.Elections > 0 {
		c.Duration = 0
	}
	if c.Timers, err = process.ParseTimers(s.timers); err != nil {
		return err
	}
	if err := s.readProcesses(); err != nil {
		return err
	}
	return s.readPlan(f)
}

// readProcesses reads the ring and the initiators.
func (s *settings) readProcesses() (err error) {
	c := &s.config
	if s.ring != "" {
		if c.Ring, err = process.ParseIDs(s.ring); err != nil {
			return fmt.Errorf("--ring: %w", err)
		}
	}
	if s.initiates == "" || s.initiates == "all" {
		return nil
	}
	ids, err := process.ParseIDs(s.initiates)
	if err != nil {
		return fmt.Errorf("--initiators: %w", err)
	}
	if most := slices.Max(ids); int(most) > c.N {
		return fmt.Errorf("--initiators: there is no process %v among %d", most, c.N)
	}
	c.Initiators = spec.SetOf(ids...)
	return nil
}

// readPlan makes the plan, from a file or from flags.
func (s *settings) readPlan(f *pflag.FlagSet) (err error) {
	c, seeded := &s.config, false
	if s.plan == "" {
		c.Plan, err = s.faults.plan()
	} else {
		for _, name := range planFlagNames {
			if f.Changed(name) {
				return fmt.Errorf("--%s means nothing with --plan, which says all of it: leave one of them out", name)
			}
		}
		length := c.Duration
		if c.Elections > 0 {
			length = time.Hour // what is wrong with events then is no matter of their times
		}
		c.Plan, seeded, err = readPlanFile(s.plan, c.N, length)
	}
	if err != nil {
		return err
	}
	if f.Changed("seed") {
		c.Plan.Seed = s.seed
	} else if !seeded {
		c.Plan.Seed = rand.Uint64N(1_000_000)
	}
	return nil
}

// run runs a cluster and tells its verdict.
func run(ctx context.Context, u *ui.UI, s *settings) error {
	c := s.config
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("this program does not know where it is: %w", err)
	}
	c.Program = []string{self, "node"}
	if c.Dir == "" {
		if c.Dir, err = newRunDir("runs", c.Machine.Traits().Name, time.Now()); err != nil {
			return clusterError(err)
		}
		defer os.Remove(c.Dir) // which does nothing unless it is empty, as where the cluster was refused
	}
	c.Command = s.command(c)
	view := newScreen(u, c)
	c.Tell, c.Watch = view.tell, view.watch
	verdict, err := cluster.Run(ctx, c)
	view.end()
	switch {
	case verdict == nil:
	case s.json:
		err = errors.Join(err, u.PrintJSON(verdict))
	default:
		tellVerdict(u, c, verdict)
	}
	if err != nil { // such as that a file of the run could not be written
		return clusterError(err)
	}
	switch verdict.Outcome {
	case cluster.Agreed, cluster.Held:
		return nil
	case cluster.Disagreed, cluster.Violated:
		return ui.ExitViolated
	case cluster.Interrupted:
		return ui.ExitInconclusive
	}
	return ui.ExitContradicted
}

// newRunDir makes a folder for a run that nobody else has got, though others may
// begin at the same moment.
func newRunDir(within, algorithm string, at time.Time) (string, error) {
	if err := os.MkdirAll(within, 0o777); err != nil {
		return "", fmt.Errorf("the folder %s cannot be made: %w: work elsewhere, or name another with --dir", within, err)
	}
	name := filepath.Join(within, strings.ReplaceAll(algorithm, "/", "-")+at.Format("-20060102-150405.000"))
	dir := name
	for again := 2; ; again++ {
		err := os.Mkdir(dir, 0o777)
		if !errors.Is(err, fs.ErrExist) {
			return dir, err
		}
		dir = fmt.Sprintf("%s-%d", name, again)
	}
}

// clusterError adds the remedy to an error of a cluster, and tells bad input
// from trouble.
func clusterError(err error) error {
	var address *network.AddressError
	var refused *cluster.RefusedError
	var input *cluster.InputError
	switch {
	case errors.As(err, &address):
		return ui.Trouble(ui.Hint(err, address.Remedy))
	case errors.As(err, &input):
		return process.Remedy(input.Err)
	case errors.As(err, &refused):
		return err
	}
	return ui.Trouble(err)
}

// command returns the command that repeats the run.
func (s *settings) command(c cluster.Config) []string {
	words := []string{"mc", "cluster", c.Machine.Traits().Name, "--n", fmt.Sprint(c.N), "--plan", filepath.Join(c.Dir, "plan.yaml")}
	if c.Elections > 0 {
		words = append(words, "--elections", fmt.Sprint(c.Elections))
	} else {
		words = append(words, "--duration", c.Duration.String())
	}
	words = append(words, "--transport", s.transport, "--delta", c.Delta.String())
	for _, flag := range []struct {
		name, value string
	}{{"ring", s.ring}, {"initiators", s.initiates}, {"calm", orNothing(c.Calm)}, {"settle", orNothing(c.Settle)}, {"timer", timerList(s.timers)}} {
		if flag.value != "" {
			words = append(words, "--"+flag.name, flag.value)
		}
	}
	for _, flag := range []struct {
		name string
		set  bool
	}{{"datagrams", c.Datagrams}, {"unsafe-timers", c.UnsafeTimers}} {
		if flag.set {
			words = append(words, "--"+flag.name)
		}
	}
	return words
}

func orNothing(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

func timerList(timers map[string]string) string {
	var parts []string
	for name, d := range timers {
		parts = append(parts, name+"="+d)
	}
	slices.Sort(parts)
	return strings.Join(parts, ",")
}
