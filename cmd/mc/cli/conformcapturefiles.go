package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/impl/capture"
	"interleave/model"
)

// writeShown writes the few packets that show why a capture is refuted, and how it can have come
// about, if that is asked for. Both take long, so the verdict is told before.
func writeShown(u *ui.UI, known names.Table, file string, s *conformSettings, r *captures.Report) error {
	refuted := r.Verdict == conformance.Refuted
	if s.capture.minimal != "" && !refuted {
		fmt.Fprintf(u.Err, "mc: nothing is refuted, so %s was not written\n", s.capture.minimal)
	}
	if s.capture.explain == "" && (s.capture.minimal == "" || !refuted) {
		return nil
	}
	packets, o, _, err := packetsOf(known, file, s)
	if err == nil && s.capture.minimal != "" && refuted {
		err = writeMinimal(u, s, packets, o, r)
	}
	if err == nil && s.capture.explain != "" {
		err = writeExplanation(u, s, packets, o)
	}
	return err
}

// explainable refuses a folder that already has logs, which would be overwritten.
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

// writeExplanation writes logs that explain the packets, up to the first one that nothing
// explains.
func writeExplanation(u *ui.UI, s *conformSettings, packets []capture.Packet, o captures.Options) error {
	dir := s.capture.explain
	logs, err := captures.Explanation(packets, o)
	if err != nil {
		return fmt.Errorf("--explain: %w", err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("--explain: %w", err)
	}
	for i, log := range logs {
		name := filepath.Join(dir, fmt.Sprintf("process-%d.ndjson", i+1))
		if err := ui.WriteText(name, string(log)); err != nil {
			return fmt.Errorf("--explain: %w", err)
		}
	}
	fmt.Fprintf(u.Err, "mc: wrote %s to %s; mc conform --logs %s%s judges them\n", ui.Count(len(logs), "log"), dir, ui.ShellWord(dir), s.again("algorithm", "network", "losses", "duplicates", "crashes", "recoveries"))
	return nil
}

// writeMinimal writes a small capture that is refuted for the same packet as the whole one.
func writeMinimal(u *ui.UI, s *conformSettings, packets []capture.Packet, o captures.Options, r *captures.Report) error {
	name := s.capture.minimal
	few, done, err := captures.Minimal(packets, o)
	switch {
	case err != nil:
		return err
	case few == nil:
		fmt.Fprintf(u.Err, "mc: it was interrupted before packets were left out, so %s was not written\n", name)
		return nil
	}
	comment := fmt.Sprintf("%d of %d packets, of which packet %d is not explained", len(few), len(packets), r.Unexplained.Number)
	err = model.WriteFile(name, func(to io.Writer) error { return writePackets(to, comment, few) })
	if err != nil {
		return fmt.Errorf("--minimal: %w", err)
	}
	again := s.again("algorithm", "network", "crashes", "recoveries", "n", "ring", "port", "gaps", "no-receives", "skew", "frontier")
	if o.Duplicates {
		again += " --duplicates any"
	}
	perhaps := ""
	if !done {
		perhaps = ", and fewer may do: not all were tried to be left out"
	}
	fmt.Fprintf(u.Err, "mc: wrote %s: %d of %d packets%s; mc conform %s --process %v%s judges them\n", name, len(few), len(packets), perhaps, ui.ShellWord(name), r.Unexplained.Process, again)
	return nil
}

// writePackets writes a capture file.
func writePackets(to io.Writer, comment string, packets []capture.Packet) error {
	w, err := capture.NewWriter(to, comment)
	if err != nil {
		return err
	}
	for _, p := range packets {
		side := capture.Sent
		if p.Delivered() {
			side = capture.Delivered
		}
		if err := w.UDP(side, p.Time, p.From, p.To, p.Bytes); err != nil {
			return err
		}
	}
	return w.Close()
}
