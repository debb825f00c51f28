package conform

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"interleave/cmd/mc/internal/execution"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/impl/capture"
	"interleave/model"
)

// writeShown writes the few packets that show why a capture is refuted, and how it can have come
// about, if that is asked for.
func writeFiles(u *ui.UI, o *options, r *execution.Report) error {
	switch refuted := r.Capture.Verdict == conformance.Refuted; {
	case o.Minimal != "" && refuted:
		if err := writeMinimal(u, o, r); err != nil {
			return err
		}
	case o.Minimal != "":
		fmt.Fprintf(u.Err, "mc: nothing is refuted, so %s was not written\n", o.Minimal)
	}
	if o.Explain == "" {
		return nil
	}
	return writeExplanation(u, o, r.Read)
}

// writeExplanation writes logs that explain the packets, up to the first one that nothing
// explains.
func writeExplanation(u *ui.UI, o *options, c *execution.Capture) error {
	dir := o.Explain
	logs, err := captures.Explanation(c.Packets, c.Options)
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
	fmt.Fprintf(u.Err, "mc: wrote %s to %s; mc conform --logs %s%s judges them\n", ui.Count(len(logs), "log"), dir, ui.ShellWord(dir), o.Again("algorithm", "network", "losses", "duplicates", "crashes", "recoveries"))
	return nil
}

// writeMinimal writes a small capture that is refuted for the same packet as the whole one.
func writeMinimal(u *ui.UI, o *options, r *execution.Report) error {
	name, packets, bad := o.Minimal, r.Read.Packets, r.Capture.Unexplained
	few, done, err := captures.Minimal(packets, r.Read.Options)
	switch {
	case err != nil:
		return err
	case few == nil:
		fmt.Fprintf(u.Err, "mc: it was interrupted before packets were left out, so %s was not written\n", name)
		return nil
	}
	comment := fmt.Sprintf("%d of %d packets, of which packet %d is not explained", len(few), len(packets), bad.Number)
	err = model.WriteFile(name, func(to io.Writer) error { return writePackets(to, comment, few) })
	if err != nil {
		return fmt.Errorf("--minimal: %w", err)
	}
	again := o.Again("algorithm", "network", "crashes", "recoveries", "n", "ring", "port", "gaps", "no-receives", "skew", "frontier")
	if r.Read.Options.Duplicates {
		again += " --duplicates any"
	}
	perhaps := ""
	if !done {
		perhaps = ", and fewer may do: not all were tried to be left out"
	}
	fmt.Fprintf(u.Err, "mc: wrote %s: %d of %d packets%s; mc conform %s --process %v%s judges them\n", name, len(few), len(packets), perhaps, ui.ShellWord(name), bad.Process, again)
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
