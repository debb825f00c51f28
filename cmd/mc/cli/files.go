package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/certificate"
)

// writable refuses a file of a flag that could not be written, before the work.
func writable(flag, file string) error {
	if file == "" {
		return nil
	}
	if dir, err := os.Stat(filepath.Dir(file)); err != nil || !dir.IsDir() {
		return hinted{fmt.Errorf("%s: there is no folder %s", flag, filepath.Dir(file)), "make the folder first"}
	}
	switch f, err := os.Lstat(file); {
	case err == nil && f.IsDir():
		return fmt.Errorf("%s: %s is a folder: name a file", flag, file)
	case err == nil && !f.Mode().IsRegular():
		return fmt.Errorf("%s: %s is no regular file: name another", flag, file)
	}
	return writableFolder(flag, filepath.Dir(file))
}

// writableFolder refuses a folder of a flag in which nothing can be written.
func writableFolder(flag, folder string) error {
	if folder == "" {
		return nil
	}
	if dir, err := os.Stat(folder); err != nil || !dir.IsDir() {
		return hinted{fmt.Errorf("%s: there is no folder %s", flag, folder), "make the folder first"}
	}
	probe, err := os.CreateTemp(folder, ".mc-*")
	if err != nil {
		return fmt.Errorf("%s: nothing can be written in the folder %s: %w", flag, folder, errors.Unwrap(err))
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// writeTrace writes the shortest counterexample that counts, if there is one.
func (t *tool) writeTrace(o *verifyOptions, r *properties.Report) error {
	if o.traceOut == "" {
		return nil
	}
	var best *properties.Finding
	for i, f := range r.Findings {
		if f.Verdict == properties.Violated && f.Counts() && f.Trace != nil && (best == nil || f.Depth < best.Depth) {
			best = &r.Findings[i]
		}
	}
	if best == nil {
		fmt.Fprintf(t.err, "mc: nothing is violated by a run, so %s was not written\n", o.traceOut)
		return nil
	}
	if err := best.Trace.WriteFile(o.traceOut); err != nil {
		return fmt.Errorf("--trace-out: %w", err)
	}
	fmt.Fprintf(t.err, "mc: wrote the counterexample to %s to %s; repeat it with: mc replay %s\n", best.Name, o.traceOut, o.traceOut)
	var others []string
	for _, same := range runs(r.Findings) {
		if f := same[0]; f.Verdict == properties.Violated && !f.Trace.SameRun(best.Trace) {
			others = append(others, f.Name)
		}
	}
	if others != nil {
		fmt.Fprintf(t.err, "mc: of those to %s none was written: ask for one at a time with --property\n", strings.Join(others, ", "))
	}
	return nil
}

// writeCertificate writes a pass as a set of states.
func (t *tool) writeCertificate(o *verifyOptions, r *properties.Report) error {
	switch {
	case o.pass == "":
		return nil
	case r.Verdict != properties.Verified && r.Verdict != properties.Bounded:
		fmt.Fprintf(t.err, "mc: it does not pass, so %s was not written\n", o.pass)
		return nil
	}
	err := model.WriteFile(o.pass, func(w io.Writer) error { return certificate.Write(w, certificate.Of(r), r.States()) })
	if err != nil {
		return fmt.Errorf("--certificate: %w", err)
	}
	fmt.Fprintf(t.err, "mc: wrote %s to %s; confirm them with: mc certify %s\n", count(r.Stats.States, "state"), o.pass, o.pass)
	var not []string
	for _, f := range r.Findings {
		if f.Counts() && !f.Certifiable() {
			not = append(not, f.Name)
		}
	}
	if not != nil {
		fmt.Fprintf(t.err, "mc: that will not confirm %s: a set of states says neither how runs go on that may circle, nor how many messages they send\n", strings.Join(not, ", "))
	}
	return nil
}
