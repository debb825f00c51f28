package execution

import (
	"errors"
	"fmt"
	"slices"

	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/impl/capture"
)

// Capture is a capture that was read, and how it is to be judged.
type Capture struct {
	File    string
	Packets []capture.Packet
	Options captures.Options
	notes   []string
}

// ReadCapture reads a capture from a file.
func (j Judge) ReadCapture(file string) (c *Capture, err error) {
	if err := errors.Join(ui.Writable("--minimal", j.Minimal, file), j.checkExplain()); err != nil {
		return nil, err
	}
	c = &Capture{File: file}
	if c.Options, err = j.ofCapture(j.Known, j.Done); err != nil {
		return nil, err
	}
	c.Packets, c.notes, err = readPackets(file, j.Settings)
	return c, err
}

// Capture judges a capture that was read.
func (j Judge) Capture(c *Capture) (*captures.Report, error) {
	o := c.Options
	o.Safety = safetyOf(j.Known, c.Packets)
	if err := j.checkSafety(o.Safety); err != nil && len(c.Packets) > 0 { // else it is of no algorithm
		return nil, err
	}
	report, err := captures.Explore(c.Packets, o)
	var unusable *conformance.UnusableError
	switch {
	case errors.As(err, &unusable) && (unusable.Asked || unusable.Cause != nil):
		return nil, fmt.Errorf("%s: %w", c.File, err)
	case errors.As(err, &unusable):
		return nil, ui.Hint(fmt.Errorf("%s: %w", c.File, err), "mc cluster writes captures, and tcpdump -i lo; --port names other ports than those of mc cluster, and docs/formats.md says what a capture needs")
	case err != nil:
		return nil, err
	}
	report.Notes = slices.Concat(report.Notes, c.notes, notWhole(c.Packets))
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

// readPackets reads all packets of a file.
func readPackets(file string, s *Settings) ([]capture.Packet, []string, error) {
	f, err := ui.OpenFile(file)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	defer f.Close()
	r, err := capture.NewReader(f, s.ports())
	switch nothing := errors.Is(err, capture.ErrEmpty) || errors.Is(err, capture.ErrCut); {
	case nothing && s.Cut:
		return nil, []string{err.Error()}, nil
	case nothing:
		return nil, nil, ui.Hint(fmt.Errorf("%s: %w", file, err), "its writer was killed before it wrote anything, perhaps; --cut judges the rest of a run directory")
	case err != nil:
		return nil, nil, ui.Hint(fmt.Errorf("%s: %w", file, err), "a capture is a pcapng or pcap file, as mc cluster and tcpdump -i lo -w FILE write them")
	}
	packets, note, err := captures.Read(r, s.Cut)
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
