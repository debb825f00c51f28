package execution

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"interleave/cmd/mc/internal/limits"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance/captures"
	"interleave/conformance/logs"
	"interleave/impl/capture"
	"interleave/properties/election"
	"interleave/spec"
)

// Settings is what a command line says of an execution, as it is written.
type Settings struct {
	Minimal, Explain string // where a refutation and an explanation of a capture are to be written
	Follow, Live     bool
	Gaps, Cut        bool

	property   []string
	algorithm  string
	network    string
	budget     map[string]*string
	n          int
	ring       []int
	run        string
	port       []uint
	frontier   int
	mem        string
	process    int
	noReceives bool
	skew       string
	flags      *pflag.FlagSet
}

// OfCaptures are the flags that say how a capture is judged, and nothing else.
var OfCaptures = []string{"run", "port", "process", "property", "gaps", "cut", "no-receives", "skew", "frontier", "minimal", "explain", "mem"}

// ofProcesses are the flags that say of a capture which processes there are; of others logs
// say it.
var ofProcesses = []string{"n", "ring"}

// Declare declares the flags, all of which may be left out.
func (s *Settings) Declare(f *pflag.FlagSet) {
	s.flags, s.budget = f, map[string]*string{}
	ui.Group(f, "What to compare it with", func(f *pflag.FlagSet) {
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
		f.IntVar(&s.n, "n", 0, "number of processes: for a capture without hello packets, or for --drive (default 3)")
		f.IntSliceVar(&s.ring, "ring", nil, "all processes in ring order, as in 2,1,3; for the same cases")
	})
	ui.Group(f, "How to check a capture", func(f *pflag.FlagSet) {
		f.BoolVar(&s.Follow, "follow", false, "check it while it is being written, until interrupted")
		f.StringVar(&s.run, "run", "", "number of the run, if the capture has several")
		f.UintSliceVar(&s.port, "port", nil, "ports of the processes, if not the default")
		f.Lookup("port").DefValue = ""
		f.IntVar(&s.process, "process", 0, "check only this process, and accept whatever the others send")
		f.StringSliceVar(&s.property, "property", nil, "exit with 1 if all explanations violate one of these, and with 3 if only some do or it is undecided")
		f.BoolVar(&s.Gaps, "gaps", false, "packets may be missing: assume any that the algorithm could have sent")
		f.BoolVar(&s.Cut, "cut", false, "the capture may be cut off, even in the middle of a packet")
		f.BoolVar(&s.noReceives, "no-receives", false, "an acknowledgement does not prove that a message was handled")
		f.StringVar(&s.skew, "skew", "", "one tap took all packets in this order, and clocks of processes are at most this far ahead of its own, as 5ms")
		f.IntVar(&s.frontier, "frontier", 0, "how many candidate states of a process one search may explore; beyond it, nothing is decided")
		f.StringVar(&s.Minimal, "minimal", "", "if it is refuted, write a few packets that show the same to this file")
		f.StringVar(&s.Explain, "explain", "", "write one possible explanation to this folder, as a log of each process")
		f.StringVar(&s.mem, "mem", limits.StateMemory, "memory limit for packets and candidate states; beyond it, nothing is decided")
	})
}

// Again returns those of some flags that were given, as they are given again.
func (s *Settings) Again(flags ...string) (text string) {
	for _, name := range flags {
		switch f := s.flags.Lookup(name); {
		case !f.Changed || f.Value.String() == "false":
		case f.Value.Type() == "bool":
			text += " --" + name
		default:
			text += " --" + name + " " + ui.ShellWord(strings.Trim(f.Value.String(), "[]"))
		}
	}
	return text
}

// WithoutCapture refuses flags that are about a capture where there is none: whoever asks for
// a property of logs would take it for true.
func (s *Settings) WithoutCapture(flags ...string) error {
	for _, name := range flags {
		if s.flags.Changed(name) {
			return fmt.Errorf("--%s means nothing without a capture: name one, or a run directory that has one", name)
		}
	}
	return nil
}

// ofLogs reads the settings of logs, which are of captures, too. Logs are judged until done is closed.
func (s *Settings) ofLogs(known names.Table, done <-chan struct{}) (o logs.Options, err error) {
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
	o.Find, o.Done = known.Find, done
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

// ofCapture reads the settings of a capture, which is judged until done is closed.
func (s *Settings) ofCapture(known names.Table, done <-chan struct{}) (o captures.Options, err error) {
	compared, err := s.ofLogs(known, done)
	if err != nil {
		return o, err
	}
	o.Find, o.Network, o.Done = compared.Find, s.network, done
	o.Duplicates = compared.Budget.Duplicates != 0
	for _, most := range []int{compared.Budget.Crashes, compared.Budget.Recoveries} {
		if most != logs.Any && (o.Restarts == nil || most < *o.Restarts) {
			o.Restarts = &most
		}
	}
	switch {
	case s.n < 0 || s.n > int(spec.MaxID):
		return o, fmt.Errorf("--n: %d is not a number of processes: there are 1 to %d", s.n, spec.MaxID)
	case s.frontier < 0:
		return o, fmt.Errorf("--frontier: %d is not a number of ways: give 1 or more", s.frontier)
	}
	mem, err := limits.ParseMemory(s.mem)
	if err == nil && mem < leastMemory {
		err = ui.Hint(fmt.Errorf("%s is too little to begin with", s.mem), "give "+humanize.IBytes(leastMemory)+" or more")
	}
	if err != nil {
		return o, fmt.Errorf("--mem: %w", err)
	}
	o.Memory = limits.Heap(mem)
	debug.SetMemoryLimit(o.Memory)
	for _, id := range s.ring {
		o.Ring = append(o.Ring, spec.ID(id))
	}
	if len(s.ring) > 0 && (!spec.IsRing(o.Ring, len(o.Ring)) || s.n > 0 && s.n != len(s.ring)) {
		return o, fmt.Errorf("--ring: %v does not name each of the processes 1 to %d once", s.ring, max(s.n, len(s.ring)))
	}
	if s.run != "" {
		run, err := strconv.ParseUint(s.run, 10, 64)
		if err != nil {
			return o, fmt.Errorf("--run: %q is not a number of a run", s.run)
		}
		o.Run = &run
	}
	switch {
	case s.process < 0 || s.process > int(spec.MaxID):
		return o, fmt.Errorf("--process: %d is not a process", s.process)
	case s.process > 0 && len(s.property) > 0:
		return o, errors.New("--property is about all processes, and --process judges one: leave one of them out")
	}
	if s.skew != "" {
		skew, err := time.ParseDuration(s.skew)
		if err != nil || skew < 0 {
			return o, ui.Hint(fmt.Errorf("--skew: %q is not a time", s.skew), "give 0s or more, as 5ms")
		}
		o.Skew = &skew
	}
	if err := s.checkProperties("a capture", judgedProperties(known)); err != nil {
		return o, err
	}
	o.N, o.Only, o.Gaps, o.Cut, o.NoReceives, o.Limit = s.n, spec.ID(s.process), s.Gaps, s.Cut, s.noReceives, s.frontier
	return o, nil
}

// leastMemory is what a check needs for anything at all.
const leastMemory = 32 << 20

// ports returns the ports whose packets are read.
func (s *Settings) ports() (o capture.Options) {
	for _, p := range s.port {
		o.Ports = append(o.Ports, uint16(p))
	}
	return o
}

// checkBudget refuses budgets of which a capture does not tell whether they were kept.
func (s *Settings) checkBudget(known names.Table) error {
	o, err := s.ofLogs(known, nil)
	switch {
	case err != nil:
		return err
	case o.Budget.Losses != logs.Any:
		return ui.Hint(errors.New("--losses: a capture does not tell which messages were lost behind the tap"), "leave it out, or judge the logs, which do")
	case o.Budget.Duplicates > 0:
		return ui.Hint(errors.New("--duplicates: a capture does not tell how often a message was handled"), `give 0 or "any", or judge the logs, which do`)
	}
	return nil
}

// checkExplain refuses a folder that already has logs, which would be overwritten.
func (s *Settings) checkExplain() error {
	switch {
	case s.Explain == "":
		return nil
	case s.process > 0:
		return errors.New("--explain tells of all processes, and --process judges one: leave one of them out")
	}
	logs, err := processLogs(s.Explain)
	if err == nil && len(logs) > 0 {
		err = fmt.Errorf("--explain: %s has logs already, which would be written over: name another folder", s.Explain)
	}
	return err
}

// Properties returns the full names of what --property names.
func (s *Settings) Properties() (names []string) {
	for _, name := range s.property {
		names = append(names, election.FullName(name))
	}
	return names
}

// checkProperties refuses a property that is asked for and not judged along something.
func (s *Settings) checkProperties(along string, judged []string) error {
	for _, name := range s.Properties() {
		if !slices.Contains(judged, name) {
			return ui.Hint(fmt.Errorf("--property: %q is not judged along %s", name, along), ui.Suggest(name, judged, "it can be "+strings.Join(judged, ", ")))
		}
	}
	return nil
}
