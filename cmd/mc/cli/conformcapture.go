package cli

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
	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/logs"
	"interleave/impl/capture"
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
	skew       string
}

func (s *captureSettings) flags(f *pflag.FlagSet) {
	f.IntVar(&s.n, "n", 0, "number of processes: for a capture without hello packets, or for --drive (default 3)")
	f.IntSliceVar(&s.ring, "ring", nil, "all processes in ring order, as in 2,1,3; for the same cases")
	f.StringVar(&s.run, "run", "", "number of the run, if the capture has several")
	f.UintSliceVar(&s.port, "port", nil, "ports of the processes, if not the default")
	f.Lookup("port").DefValue = ""
	f.IntVar(&s.process, "process", 0, "check only this process, and accept whatever the others send")
	f.StringVar(&s.minimal, "minimal", "", "if it is refuted, write a few packets that show the same to this file")
	f.StringVar(&s.explain, "explain", "", "write one possible explanation to this folder, as a log of each process")
	f.BoolVar(&s.follow, "follow", false, "check it while it is being written, until interrupted")
	f.BoolVar(&s.live, "live", false, "check the traffic on the loopback interface, until interrupted")
	f.StringSliceVar(&s.property, "property", nil, "exit with 1 if all explanations violate one of these, and with 3 if only some do or it is undecided")
	f.BoolVar(&s.gaps, "gaps", false, "packets may be missing: assume any that the algorithm could have sent")
	f.BoolVar(&s.cut, "cut", false, "the capture may be cut off, even in the middle of a packet")
	f.BoolVar(&s.noReceives, "no-receives", false, "an acknowledgement does not prove that a message was handled")
	f.StringVar(&s.skew, "skew", "", "one tap took all packets in this order, and clocks of processes are at most this far ahead of its own, as 5ms")
	f.IntVar(&s.frontier, "frontier", 0, "how many candidate states of a process one search may explore; beyond it, nothing is decided")
	f.StringVar(&s.mem, "mem", "8GiB", "memory limit for packets and candidate states; beyond it, nothing is decided")
}

// options reads the settings of a capture.
func (s *captureSettings) options(o *captures.Options) error {
	switch {
	case s.n < 0 || s.n > int(spec.MaxID):
		return fmt.Errorf("--n: %d is not a number of processes: there are 1 to %d", s.n, spec.MaxID)
	case s.frontier < 0:
		return fmt.Errorf("--frontier: %d is not a number of ways: give 1 or more", s.frontier)
	}
	o.N = s.n
	mem, err := limits.ParseMemory(s.mem)
	if err == nil && mem < leastMemory {
		err = ui.Hint(fmt.Errorf("%s is too little to begin with", s.mem), "give "+humanize.IBytes(leastMemory)+" or more")
	}
	if err != nil {
		return fmt.Errorf("--mem: %w", err)
	}
	o.Memory = limits.Heap(mem)
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
			return fmt.Errorf("--run: %q is not a number of a run", s.run)
		}
		o.Run = &run
	}
	if s.process < 0 || s.process > int(spec.MaxID) {
		return fmt.Errorf("--process: %d is not a process", s.process)
	}
	if s.process > 0 && len(s.property) > 0 {
		return errors.New("--property is about all processes, and --process judges one: leave one of them out")
	}
	if s.skew != "" {
		skew, err := time.ParseDuration(s.skew)
		if err != nil || skew < 0 {
			return ui.Hint(fmt.Errorf("--skew: %q is not a time", s.skew), "give 0s or more, as 5ms")
		}
		o.Skew = &skew
	}
	o.Only, o.Gaps, o.Cut, o.NoReceives, o.Limit = spec.ID(s.process), s.gaps, s.cut, s.noReceives, s.frontier
	return nil
}

// looksFor returns the ports whose packets are read.
func (s *captureSettings) looksFor() (o capture.Options) {
	for _, p := range s.port {
		o.Ports = append(o.Ports, uint16(p))
	}
	return o
}

// captureOptions reads what the command line says of a capture.
func (s *conformSettings) captureOptions(known names.Table) (o captures.Options, err error) {
	compared, err := s.options(known)
	if err != nil {
		return o, err
	}
	o.Find, o.Network, o.Done = compared.Find, s.network, s.done
	o.Duplicates = compared.Budget.Duplicates != 0
	for _, most := range []int{compared.Budget.Crashes, compared.Budget.Recoveries} {
		if most != logs.Any && (o.Restarts == nil || most < *o.Restarts) {
			o.Restarts = &most
		}
	}
	return o, s.capture.options(&o)
}

// leastMemory is what a check needs for anything at all.
const leastMemory = 32 << 20

// tellable refuses budgets of which a capture does not tell whether they were kept.
func tellable(known names.Table, s *conformSettings) error {
	o, err := s.options(known)
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

// judgeCapture judges a capture.
func judgeCapture(u *ui.UI, known names.Table, file string, s *conformSettings) error {
	if err := tellable(known, s); err != nil {
		return err
	}
	report, err := exploreCapture(known, file, s)
	if err != nil {
		return err
	}
	return giveCapture(u, known, file, s, report)
}

// giveCapture tells what a capture was found to be, and then writes what is asked for.
func giveCapture(u *ui.UI, known names.Table, file string, s *conformSettings, r *captures.Report) error {
	if !s.json {
		tellCapture(u, file, r)
	} else if err := u.PrintJSON(r); err != nil {
		return err
	}
	if err := writeShown(u, known, file, s, r); err != nil {
		return err
	}
	return captureStatus(u, &s.capture, r)
}

// judgeable refuses a property that is asked for and not judged.
func (s *captureSettings) judgeable(all []captures.SafetyProperty) error {
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	for _, name := range s.property {
		if !slices.Contains(names, name) {
			return ui.Hint(fmt.Errorf("--property: %q is not judged along a capture of this algorithm", name), ui.Suggest(name, names, "it can be "+strings.Join(names, ", ")))
		}
	}
	return nil
}

// captureStatus is the exit status of a report. A property that decides it is named, as the
// verdict, which is printed last, is not about that.
func captureStatus(u *ui.UI, s *captureSettings, r *captures.Report) error {
	worst := conformStatus(r.Verdict)
	if r.Verdict != conformance.Conforms {
		return worst
	}
	for _, p := range r.Safety {
		if !slices.Contains(s.property, p.Property) || p.Across == captures.HoldsInAll {
			continue
		}
		fmt.Fprintf(u.Err, "mc: --property %s: %v\n", p.Property, p.Across)
		if p.Across == captures.ViolatedInAll {
			return ui.ExitViolated
		}
		worst = ui.ExitInconclusive
	}
	return worst
}

// packetsOf reads a capture, and returns how it is to be judged, and what is to be
// said of it.
func packetsOf(known names.Table, file string, s *conformSettings) (packets []capture.Packet, o captures.Options, notes []string, err error) {
	if o, err = s.captureOptions(known); err != nil {
		return nil, o, nil, err
	}
	packets, notes, err = readCapture(file, &s.capture)
	return packets, o, notes, err
}

// exploreCapture judges a capture.
func exploreCapture(known names.Table, file string, s *conformSettings) (*captures.Report, error) {
	if err := errors.Join(ui.Writable("--minimal", s.capture.minimal, file), s.capture.explainable()); err != nil {
		return nil, err
	}
	packets, o, notes, err := packetsOf(known, file, s)
	if err != nil {
		return nil, err
	}
	o.Safety = safetyOf(known, packets)
	if err := s.capture.judgeable(o.Safety); err != nil && len(packets) > 0 { // else it is of no algorithm
		return nil, err
	}
	report, err := captures.Explore(packets, o)
	var unusable *conformance.UnusableError
	switch {
	case errors.As(err, &unusable) && (unusable.Asked || unusable.Cause != nil):
		return nil, fmt.Errorf("%s: %w", file, err)
	case errors.As(err, &unusable):
		return nil, ui.Hint(fmt.Errorf("%s: %w", file, err), "mc cluster writes captures, and tcpdump -i lo; --port names other ports than those of mc cluster, and docs/formats.md says what a capture needs")
	case err != nil:
		return nil, err
	}
	report.Notes = slices.Concat(report.Notes, notes, notWhole(packets))
	return report, nil
}

// notWhole says how many packets lack a part, and why the first does.
func notWhole(packets []capture.Packet) []string {
	var first *capture.Packet
	n := 0
	for i, p := range packets {
		if !errors.Is(p.Err, capture.ErrMissing) {
			continue
		}
		if n++; first == nil {
			first = &packets[i]
		}
	}
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("not captured whole: %s, the first of them packet %d: %v", ui.Count(n, "packet"), first.Number, first.Err)}
}

// readCapture reads all packets of a file.
func readCapture(file string, s *captureSettings) ([]capture.Packet, []string, error) {
	f, err := ui.OpenFile(file)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	defer f.Close()
	r, err := capture.NewReader(f, s.looksFor())
	switch nothing := errors.Is(err, capture.ErrEmpty) || errors.Is(err, capture.ErrCut); {
	case nothing && s.cut:
		return nil, []string{err.Error()}, nil
	case nothing:
		return nil, nil, ui.Hint(fmt.Errorf("%s: %w", file, err), "its writer was killed before it wrote anything, perhaps; --cut judges the rest of a run directory")
	case err != nil:
		return nil, nil, ui.Hint(fmt.Errorf("%s: %w", file, err), "a capture is a pcapng or pcap file, as mc cluster and tcpdump -i lo -w FILE write them")
	}
	packets, note, err := captures.Read(r, s.cut)
	switch {
	case errors.Is(err, capture.ErrCut), errors.Is(err, capture.ErrUnfinished):
		return nil, nil, ui.Hint(fmt.Errorf("%s: %w", file, err), "--cut judges what is there; editcap copies all of a capture but this count, and mergecap drops the claim to have one")
	case err != nil:
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	notes := passedOver(r)
	if note != "" {
		notes = append(notes, note)
	}
	return packets, notes, nil
}

// passedOver says how many packets were not looked at, as nothing here can read them.
func passedOver(r *capture.Reader) []string {
	if r.Foreign() == 0 {
		return nil
	}
	return []string{fmt.Sprintf("passed over: %s of interfaces whose link type cannot be read; if processes spoke there, what is missing needs --gaps", ui.Count(r.Foreign(), "packet"))}
}
