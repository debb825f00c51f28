package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"interleave/conformance"
	"interleave/impl/capture"
	"interleave/model"
)

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

// writeMinimal writes a small capture that is refuted for the same packet as the whole one.
func (t *tool) writeMinimal(s *conformSettings, packets []capture.Packet, o conformance.CaptureOptions, r *conformance.CaptureReport) error {
	name := s.capture.minimal
	o.Safety = nil
	few, err := conformance.Minimal(packets, o)
	if err != nil {
		return err
	}
	comment := fmt.Sprintf("%d of %d packets, of which packet %d is not explained", len(few), len(packets), r.Unexplained.Number)
	err = model.WriteFile(name, func(to io.Writer) error { return writePackets(to, comment, few) })
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

// writePackets writes a capture file.
func writePackets(to io.Writer, comment string, packets []capture.Packet) error {
	w, err := capture.NewWriter(to, comment)
	if err != nil {
		return err
	}
	for _, p := range packets {
		side := capture.Sent
		if p.Interface == capture.Delivered.String() {
			side = capture.Delivered
		}
		if err := w.UDP(side, p.Time, p.From, p.To, p.Bytes); err != nil {
			return err
		}
	}
	return w.Close()
}
