package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/certificate"
	"interleave/tla/export"
)

// writable refuses a file of a flag that could not be written, or that the command reads,
// before the work.
func writable(flag, file string, read ...string) error {
	if file == "" {
		return nil
	}
	for _, name := range read {
		if sameFile(name, file) {
			return fmt.Errorf("%s: %s is what is read: name another file", flag, file)
		}
	}
	if dir, err := os.Stat(filepath.Dir(file)); err != nil || !dir.IsDir() {
		return hinted{fmt.Errorf("%s: there is no folder %s", flag, filepath.Dir(file)), "make the folder first"}
	}
	switch f, err := os.Lstat(file); {
	case err == nil && f.IsDir():
		return fmt.Errorf("%s: %s is a folder: name a file", flag, file)
	case err == nil && !f.Mode().IsRegular():
		return fmt.Errorf("%s: %s is not a regular file: name another", flag, file)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w: name another file", flag, errors.Unwrap(err))
	}
	return writableFolder(flag, filepath.Dir(file))
}

// replaceable refuses a file that is there, unless it is an earlier export of the same.
func replaceable(file, of string) error {
	old, err := os.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && old.Mode().IsRegular() {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		begin, err := io.ReadAll(io.LimitReader(f, 1024))
		if err != nil || strings.Contains(string(begin), export.Mark(of)) {
			return err
		}
	}
	return hinted{fmt.Errorf("%s is not replaced: it does not say that it is an earlier export of %s", file, of), "move it away, or name another folder with --out"}
}

// sameFile reports whether two names are of one file that there is.
func sameFile(name, other string) bool {
	a, errA := os.Stat(name)
	b, errB := os.Stat(other)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// sameName reports whether two names are of one file, which there need not be yet.
func sameName(name, other string) bool {
	return name != "" && other != "" && filepath.Base(name) == filepath.Base(other) && sameFile(filepath.Dir(name), filepath.Dir(other))
}

// writableFolder refuses a folder of a flag in which nothing can be written.
func writableFolder(flag, folder string) error {
	if folder == "" {
		return nil
	}
	switch dir, err := os.Stat(folder); {
	case err != nil:
		return hinted{fmt.Errorf("%s: there is no folder %s", flag, folder), "make the folder first"}
	case !dir.IsDir():
		return fmt.Errorf("%s: %s is not a folder: name one", flag, folder)
	}
	probe, err := os.CreateTemp(folder, ".mc-*")
	if err != nil {
		return fmt.Errorf("%s: nothing can be written in the folder %s: %w", flag, folder, errors.Unwrap(err))
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// writeFiles writes what was asked for of a report, and returns what is to be said
// of that.
func (o *verifyOptions) writeFiles(ctx context.Context, r *properties.Report, p *progress) (said []string, err error) {
	say := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	err = errors.Join(o.writeTrace(r, say), o.writeCertificate(ctx, r, p, say))
	return said, err
}

// writeTrace writes the shortest counterexample that counts, if there is one; of those to
// properties that were asked for, if there is one.
func (o *verifyOptions) writeTrace(r *properties.Report, say func(format string, args ...any)) error {
	if o.traceOut == "" {
		return nil
	}
	// No-panic is the last of the findings, and never asked for.
	asked := func(f *properties.Finding) bool { return o.props == nil || f.Name != properties.NoPanic.Name }
	var best *properties.Finding
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Verdict != properties.Violated || !f.Counts() || f.Trace == nil {
			continue
		}
		if best == nil || asked(f) && f.Depth < best.Depth {
			best = f
		}
	}
	if best == nil {
		say("nothing is violated by a run, so %s was not written", o.traceOut)
		return nil
	}
	if err := best.Trace.WriteFile(o.traceOut); err != nil {
		return fmt.Errorf("--trace-out: %w", err)
	}
	say("wrote the counterexample to %s to %s; repeat it with: mc replay %s", best.Name, o.traceOut, shellWord(o.traceOut))
	var others []string
	for _, same := range runs(r.Findings) {
		if f := same[0]; f.Verdict == properties.Violated && asked(&f) && !f.Trace.SameRun(best.Trace) {
			others = append(others, f.Name)
		}
	}
	if others != nil {
		say("of those to %s none was written: ask for one at a time with --property", strings.Join(others, ", "))
	}
	return nil
}

// writeCertificate writes a pass as a set of states.
func (o *verifyOptions) writeCertificate(ctx context.Context, r *properties.Report, p *progress, say func(format string, args ...any)) error {
	switch {
	case o.pass == "":
		return nil
	case r.Verdict != properties.Verified && r.Verdict != properties.Bounded:
		say("it is %v, and no pass, so %s was not written", r.Verdict, o.pass)
		return nil
	case !r.Stats.Complete: // what was to be reached was
		say("steps lead out of the states that were explored (%s), so %s was not written", r.Stats.Outcome, o.pass)
		return nil
	}
	options := certificate.WriteOptions{Progress: p.writing}
	if o.check.Memory > 0 {
		most := max(1, o.check.Memory/10*9) // what the collector gives back comes back in huge pages
		options.Memory = max(1, most-r.Stats.Bytes)
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(heap(most)))
	}
	began := time.Now()
	err := model.WriteFile(o.pass, func(w io.Writer) error {
		return certificate.Write(ctx, w, o.machine, certificate.Of(r), r.States(), options)
	})
	p.clear()
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return hinted{fmt.Errorf("--certificate: the time was over before all states were written, so %s was not written", o.pass), "give --timeout more"}
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("--certificate: interrupted, so %s was not written", o.pass)
	case errors.As(err, new(*certificate.MemoryError)):
		return hinted{fmt.Errorf("--certificate: %w, so %s was not written", err, o.pass), "give --mem more"}
	case err != nil:
		return fmt.Errorf("--certificate: %w", err)
	}
	say("wrote %s to %s in %s; confirm them with: mc certify %s", count(r.Stats.States, "state"), o.pass, seconds(time.Since(began).Seconds()), shellWord(o.pass))
	var not []string
	for _, f := range r.Findings {
		if f.Counts() && !f.Certifiable() {
			not = append(not, f.Name)
		}
	}
	if not != nil {
		say("that will not confirm %s: a set of states says neither how runs go on that may circle, nor how many messages they send", strings.Join(not, ", "))
	}
	return nil
}
