package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"interleave/conformance"
	"interleave/impl/capture"
	"interleave/model"
	"interleave/spec"
)

// captureSettings is what the command line says of a capture, as it is written.
type captureSettings struct {
	n          int
	ring       []int
	run        string
	port       []uint
	frontier   int
	mem        string
	process    int
	minimal    string
	explain    string
	follow     bool
	live       bool
	property   []string
	gaps       bool
	cut        bool
	noReceives bool
}

func (s *captureSettings) flags(f *pflag.FlagSet) {
	f.IntVar(&s.n, "n", 0, "processes 1..n: of a capture in which nobody says hello; of --drive (3 unless told)")
	f.IntSliceVar(&s.ring, "ring", nil, "all processes in ring order, as 2,1,3; likewise")
	f.StringVar(&s.run, "run", "", "which run, if it has several")
	f.UintSliceVar(&s.port, "port", nil, "ports of the processes, if not the usual one")
	f.Lookup("port").DefValue = ""
	f.IntVar(&s.process, "process", 0, "judge this process only, and take what the others send as it comes")
	f.StringVar(&s.minimal, "minimal", "", "write few packets to this file that show the same, if it is refuted")
	f.StringVar(&s.explain, "explain", "", "write how it can have come about to this folder, as a log of each process")
	f.BoolVar(&s.follow, "follow", false, "judge it while it is written, until interrupted")
	f.BoolVar(&s.live, "live", false, "judge what goes over the loopback interface, until interrupted")
	f.StringSliceVar(&s.property, "property", nil, "exit with 1 if all explanations violate one of these, and with 3 if it depends")
	f.BoolVar(&s.gaps, "gaps", false, "packets may be missing, and are whatever the algorithm can have sent")
	f.BoolVar(&s.cut, "cut", false, "it may end in the middle of a packet, or without its end")
	f.BoolVar(&s.noReceives, "no-receives", false, "acknowledgements are no word of what was handled")
	f.IntVar(&s.frontier, "frontier", 0, "ways in which a process can stand that one search may look at; over it nothing is decided")
	f.StringVar(&s.mem, "mem", "8GiB", "stop before packets and ways take more memory: nothing is decided then")
}

// options reads the settings of a capture.
func (s *captureSettings) options(o *conformance.CaptureOptions) error {
	switch {
	case s.n < 0 || s.n > int(spec.MaxID):
		return fmt.Errorf("--n: %d is no number of processes: there are 1 to %d", s.n, spec.MaxID)
	case s.frontier < 0:
		return fmt.Errorf("--frontier: %d is no number of ways: give 1 or more", s.frontier)
	}
	o.N = s.n
	mem, err := parseMemory(s.mem)
	if err == nil && mem < leastMemory {
		err = hinted{fmt.Errorf("%s is too little to begin with", s.mem), "give " + humanize.IBytes(leastMemory) + " or more"}
	}
	if err != nil {
		return fmt.Errorf("--mem: %w", err)
	}
	o.Memory = heap(mem)
	debug.SetMemoryLimit(o.Memory)
	for _, id := range s.ring {
		o.Ring = append(o.Ring, spec.ID(id))
	}
	if len(s.ring) > 0 && (!spec.IsRing(o.Ring, len(o.Ring)) || s.n > 0 && s.n != len(s.ring)) {
		return fmt.Errorf("--ring: %v does not name each of the processes 1 to %d once", s.ring, max(s.n, len(s.ring)))
	}
	if s.run != "" {
		run, err := strconv.ParseUint(s.run, 10, 64)
		if err != nil {
			return fmt.Errorf("--run: %q is no number of a run", s.run)
		}
		o.Run = &run
	}
	if s.process < 0 || s.process > int(spec.MaxID) {
		return fmt.Errorf("--process: %d is no process", s.process)
	}
	if s.process > 0 && len(s.property) > 0 {
		return errors.New("--property is about all processes, and --process judges one: leave one of them out")
	}
	o.Only, o.Gaps, o.Cut, o.NoReceives, o.Limit = spec.ID(s.process), s.gaps, s.cut, s.noReceives, s.frontier
	return nil
}

// leastMemory is what a check needs for anything at all.
const leastMemory = 32 << 20

// untold refuses budgets of which a capture does not tell whether they were kept.
func (t *tool) untold(s *conformSettings) error {
	o, err := s.options(t.machines)
	switch {
	case err != nil:
		return err
	case o.Budget.Losses != conformance.Any:
		return hinted{errors.New("--losses: a capture does not tell which messages were lost behind the tap"), "leave it out, or judge the logs, which do"}
	case o.Budget.Duplicates > 0:
		return hinted{errors.New("--duplicates: a capture does not tell how often a message was handled"), `give 0 or "any", or judge the logs, which do`}
	}
	return nil
}

// judgeCapture judges a capture.
func (t *tool) judgeCapture(file string, s *conformSettings) error {
	if err := t.untold(s); err != nil {
		return err
	}
	report, err := t.exploreCapture(file, s)
	if err != nil {
		return err
	}
	return t.giveCapture(file, s, report)
}

// giveCapture tells what a capture was found to be.
func (t *tool) giveCapture(file string, s *conformSettings, r *conformance.CaptureReport) error {
	if !s.json {
		t.tellCapture(file, r)
	} else if err := t.printJSON(r); err != nil {
		return err
	}
	return t.captureStatus(&s.capture, r)
}

// known reports a property that is asked for and not judged.
func (s *captureSettings) known(all []conformance.SafetyProperty) error {
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	for _, name := range s.property {
		if !slices.Contains(names, name) {
			return hinted{fmt.Errorf("--property: %q is not judged along a capture of this algorithm", name), suggest(name, names, "it can be "+strings.Join(names, ", "))}
		}
	}
	return nil
}

// captureStatus is the exit status of a report. A property that decides it is named, as the
// verdict, which is printed last, is not about that.
func (t *tool) captureStatus(s *captureSettings, r *conformance.CaptureReport) error {
	worst := conformStatus(r.Verdict)
	if r.Verdict != conformance.Conforms {
		return worst
	}
	for _, p := range r.Safety {
		if !slices.Contains(s.property, p.Property) || p.Across == conformance.HoldsInAll {
			continue
		}
		fmt.Fprintf(t.err, "mc: --property %s: %v\n", p.Property, p.Across)
		if p.Across == conformance.ViolatedInAll {
			return exitStatus(exitViolated)
		}
		worst = exitStatus(exitInconclusive)
	}
	return worst
}

// packetsOf reads a capture, and returns how it is to be judged, and what is to be
// said of it.
func (t *tool) packetsOf(file string, s *conformSettings) (packets []capture.Packet, o conformance.CaptureOptions, note string, err error) {
	if o, err = s.captureOptions(t.machines); err != nil {
		return nil, o, "", err
	}
	packets, note, err = readCapture(file, &s.capture)
	return packets, o, note, err
}

// exploreCapture judges a capture, and writes the few packets that show why it is refuted
// if that is asked for.
func (t *tool) exploreCapture(file string, s *conformSettings) (*conformance.CaptureReport, error) {
	if err := errors.Join(writable("--minimal", s.capture.minimal, file), s.capture.explainable()); err != nil {
		return nil, err
	}
	packets, o, note, err := t.packetsOf(file, s)
	if err != nil {
		return nil, err
	}
	o.Safety = safetyOf(t.machines, packets)
	if err := s.capture.known(o.Safety); err != nil {
		return nil, err
	}
	report, err := conformance.Explore(packets, o)
	var unusable *conformance.UnusableError
	switch {
	case errors.As(err, &unusable) && unusable.Asked:
		return nil, fmt.Errorf("%s: %w", file, err)
	case errors.As(err, &unusable):
		return nil, hinted{fmt.Errorf("%s: %w", file, err), "mc cluster writes captures, and tcpdump -i lo; --port names other ports than those of mc cluster, and docs/formats.md says what a capture needs"}
	case err != nil:
		return nil, err
	}
	if note != "" {
		report.Notes = append(report.Notes, note)
	}
	switch {
	case s.capture.minimal == "":
	case report.Verdict == conformance.Refuted:
		err = t.writeMinimal(s, packets, o, report)
	default:
		fmt.Fprintf(t.err, "mc: nothing is refuted, so %s was not written\n", s.capture.minimal)
	}
	if s.capture.explain != "" && err == nil {
		err = t.writeExplanation(s, packets, o)
	}
	return report, err
}

// explainable refuses a folder that has logs, for they would be written over.
func (s *captureSettings) explainable() error {
	switch {
	case s.explain == "":
		return nil
	case s.process > 0:
		return errors.New("--explain tells of all processes, and --process judges one: leave one of them out")
	}
	logs, err := processLogs(s.explain)
	if err == nil && len(logs) > 0 {
		err = fmt.Errorf("--explain: %s has logs already, which would be written over: name another folder", s.explain)
	}
	return err
}

// writeExplanation writes how the packets can have come about, up to the one that
// nothing explains.
func (t *tool) writeExplanation(s *conformSettings, packets []capture.Packet, o conformance.CaptureOptions) error {
	dir := s.capture.explain
	logs, err := conformance.Explanation(packets, o)
	if err != nil {
		return fmt.Errorf("--explain: %w", err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("--explain: %w", err)
	}
	for i, log := range logs {
		name := filepath.Join(dir, fmt.Sprintf("process-%d.ndjson", i+1))
		err := model.WriteFile(name, func(w io.Writer) error {
			_, err := w.Write(log)
			return err
		})
		if err != nil {
			return fmt.Errorf("--explain: %w", err)
		}
	}
	fmt.Fprintf(t.err, "mc: wrote %s to %s; mc conform --logs %s%s judges them\n", count(len(logs), "log"), dir, shellWord(dir), s.again("algorithm", "network", "losses", "duplicates", "crashes", "recoveries"))
	return nil
}

// writeMinimal writes few packets that show what the whole capture shows.
func (t *tool) writeMinimal(s *conformSettings, packets []capture.Packet, o conformance.CaptureOptions, r *conformance.CaptureReport) error {
	name := s.capture.minimal
	o.Safety = nil
	few, err := conformance.Minimal(packets, o)
	if err != nil {
		return err
	}
	err = model.WriteFile(name, func(to io.Writer) error {
		w, err := capture.NewWriter(to, fmt.Sprintf("%d of %d packets, of which packet %d is not explained", len(few), len(packets), r.Unexplained.Number))
		if err != nil {
			return err
		}
		for _, p := range few {
			side := capture.Sent
			if p.Interface == capture.Delivered.String() {
				side = capture.Delivered
			}
			if err := w.UDP(side, p.Time, p.From, p.To, p.Bytes); err != nil {
				return err
			}
		}
		return w.Close()
	})
	if err != nil {
		return fmt.Errorf("--minimal: %w", err)
	}
	again := s.again("algorithm", "network", "crashes", "recoveries", "n", "ring", "port", "gaps", "no-receives", "frontier")
	if o.Duplicates {
		again += " --duplicates any"
	}
	fmt.Fprintf(t.err, "mc: wrote %s: %d of %d packets; mc conform %s --process %v%s judges them\n", name, len(few), len(packets), shellWord(name), r.Unexplained.Process, again)
	return nil
}

// captureOptions reads what the command line says of a capture.
func (s *conformSettings) captureOptions(ms machines) (o conformance.CaptureOptions, err error) {
	logs, err := s.options(ms)
	if err != nil {
		return o, err
	}
	o.Find, o.Network, o.Done = logs.Find, s.network, s.done
	o.Duplicates = logs.Budget.Duplicates != 0
	for _, most := range []int{logs.Budget.Crashes, logs.Budget.Recoveries} {
		if most != conformance.Any && (o.Restarts == nil || most < *o.Restarts) {
			o.Restarts = &most
		}
	}
	return o, s.capture.options(&o)
}

// readCapture reads all packets of a file.
func readCapture(file string, s *captureSettings) ([]capture.Packet, string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", file, errors.Unwrap(err))
	}
	defer f.Close()
	o := capture.Options{}
	for _, p := range s.port {
		o.Ports = append(o.Ports, uint16(p))
	}
	r, err := capture.NewReader(f, o)
	if err != nil {
		return nil, "", hinted{fmt.Errorf("%s: %w", file, err), "a capture is a pcapng or pcap file, as mc cluster and tcpdump -i lo -w FILE write them"}
	}
	packets, note, err := conformance.ReadCapture(r, s.cut)
	switch {
	case errors.Is(err, capture.ErrCut), errors.Is(err, capture.ErrUnfinished):
		return nil, "", hinted{fmt.Errorf("%s: %w", file, err), "--cut judges what is there"}
	case err != nil:
		return nil, "", fmt.Errorf("%s: %w", file, err)
	}
	return packets, note, nil
}

// tellCapture tells people what a capture says.
func (t *tool) tellCapture(file string, r *conformance.CaptureReport) {
	p := r.Packets
	fmt.Fprintf(t.out, "%s: the packets of %s of %d processes: %s, %s on links of %s, run %d, %v\n\n", styleTitle.Render(r.Algorithm), count(r.Incarnations, "incarnation"),
		len(r.Ring), count(p.Total, "packet"), count(p.Data, "message"), r.Network, r.Run, r.Last.Sub(r.First).Round(time.Millisecond))
	if r.Captured != "" {
		fmt.Fprintf(t.out, "  note       the capture is of %s, and is compared with %s\n\n", escaped(r.Captured), r.Algorithm)
	}
	for _, k := range r.Messages {
		t.tellKind(k.Kind, k.Count, never(k.Count))
	}
	fmt.Fprintf(t.out, "\n  packets    %s again, %s, %s, %s, %s\n", comma(p.Again), count(p.Acks, "ack"), count(p.Heartbeats, "heartbeat"), count(p.Hellos, "hello"), count(p.Refusals, "refusal"))
	for _, odd := range []struct {
		count int
		text  string
	}{
		{p.Delivered, "delivered by the network"}, {p.OtherRuns, "of other runs"}, {p.Unreadable, "no frames of ours, or not whole"},
		{r.Unseen, "messages that did not pass the tap, as later numbers say"},
	} {
		if odd.count > 0 {
			fmt.Fprintf(t.out, "             %s %s\n", comma(odd.count), odd.text)
		}
	}
	if r.Restarts > 0 {
		fmt.Fprintf(t.out, "             %s\n", count(r.Restarts, "restart"))
	}
	fmt.Fprintf(t.out, "  evidence   %s\n", r.Evidence)
	for _, p := range r.Safety {
		fmt.Fprintf(t.out, "  %-10s %v", p.Property, p.Across)
		switch {
		case p.Packet > 0:
			fmt.Fprintf(t.out, ": packet %d: %s", p.Packet, escaped(p.Reason))
		case p.Reason != "":
			fmt.Fprintf(t.out, ": %s", escaped(p.Reason))
		}
		fmt.Fprintln(t.out)
	}
	violated := slices.ContainsFunc(r.Safety, func(p conformance.SafetyReport) bool { return p.Across == conformance.ViolatedInAll })
	if violated && r.Restarts > 0 {
		fmt.Fprintf(t.out, "  note       processes came up again: mc verify %s --crashes 1 --recoveries 1 --continue tells what that alone may violate\n", r.Algorithm)
	}
	if len(r.Leaders) > 0 {
		fmt.Fprintf(t.out, "  leaders    %v were certainly followed\n", r.Leaders)
	} else if r.Verdict == conformance.Conforms {
		fmt.Fprintf(t.out, "  leaders    none was certainly followed\n")
	}
	fmt.Fprintf(t.out, "  frontier   %s at most, %s looked at\n", count(r.Peak, "way"), comma(r.Looked))
	for _, n := range r.Notes {
		fmt.Fprintf(t.out, "  note       %s\n", n)
	}
	t.tellExplained(file, r)
}

func (t *tool) tellExplained(file string, r *conformance.CaptureReport) {
	switch r.Verdict {
	case conformance.Conforms:
		fmt.Fprintf(t.out, "\n%s: %s explains every packet%s\n", styleGood.Render("CONFORMS"), r.Algorithm, ofProcess(r.Process))
	case conformance.Refuted:
		t.tellUnexplained(file, r)
	default:
		fmt.Fprintf(t.out, "\n%s: %s\n", styleDoubt.Render("INCONCLUSIVE"), r.Reason)
	}
}

// ofProcess says that the packets of one process were judged, and no others.
func ofProcess(id spec.ID) string {
	if id == spec.None {
		return ""
	}
	return fmt.Sprintf(" of process %v; those of the others were not judged", id)
}

// tellUnexplained tells of the first packet that nothing explains.
func (t *tool) tellUnexplained(file string, r *conformance.CaptureReport) {
	u := r.Unexplained
	fmt.Fprintf(t.out, "\n%s %s, packet %d at %s: nothing explains it\n\n", styleBad.Render("REFUTED"), file, u.Number, u.Time.UTC().Format(time.RFC3339Nano))
	fmt.Fprintf(t.out, "  process %v, incarnation %d: %s\n  %s\n", u.Process, u.Incarnation, escaped(u.What), escaped(u.Reason))
	for i, a := range u.Allowed {
		if i == 5 {
			fmt.Fprintf(t.out, "    and %d more\n", len(u.Allowed)-i)
			break
		}
		fmt.Fprintf(t.out, "    allowed  %s, on %s, in state %s\n", escaped(a.What), escaped(a.When), escaped(a.State))
		for _, m := range a.Misses {
			fmt.Fprintf(t.out, "      %s: expected %s, found %s\n", escaped(m.Field), orNone(m.Expected), orNone(m.Found))
		}
	}
	for _, trial := range u.Trials {
		fmt.Fprintf(t.out, "    %s: %s\n", escaped(trial.Change), escaped(trial.Result))
	}
}
