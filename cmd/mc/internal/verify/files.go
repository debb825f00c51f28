package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"

	"interleave/cmd/mc/internal/coverage"
	"interleave/cmd/mc/internal/limits"
	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/ui"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/certificate"
)

// writeFiles writes what was asked for of a report, and returns what is to be said
// of that.
func (o *options) writeFiles(ctx context.Context, r *properties.Report, p *ui.Progress) (said []string, err error) {
	say := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	err = errors.Join(o.writeTrace(r, say), o.writeCertificate(ctx, r, p, say))
	lines, wrote := coverage.Write(context.WithoutCancel(ctx), o.cover, o.World.Machine)
	return append(said, lines...), errors.Join(err, wrote)
}

// writeTrace writes the shortest counterexample that counts, if there is one; of those to
// properties that were asked for, if there is one.
func (o *options) writeTrace(r *properties.Report, say func(format string, args ...any)) error {
	if o.traceOut == "" {
		return nil
	}
	// No-panic is the last of the findings, and never asked for.
	asked := func(f *properties.Finding) bool { return o.Props == nil || f.Name != properties.NoPanic.Name }
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
	say("wrote the counterexample to %s to %s; repeat it with: mc replay %s", best.Name, o.traceOut, ui.ShellWord(o.traceOut))
	var others []string
	for _, same := range report.Runs(r.Findings) {
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
func (o *options) writeCertificate(ctx context.Context, r *properties.Report, p *ui.Progress, say func(format string, args ...any)) error {
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
	options := certificate.WriteOptions{Progress: p.Writing}
	if o.Check.Memory > 0 {
		most := max(1, o.Check.Memory/10*9) // what the collector gives back comes back in huge pages
		options.Memory = max(1, most-r.Stats.Bytes)
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(limits.Heap(most)))
	}
	began := time.Now()
	err := model.WriteFile(o.pass, func(w io.Writer) error {
		return certificate.Write(ctx, w, o.World.Machine, certificate.Of(r), r.States(), options)
	})
	p.Clear()
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return ui.Hint(fmt.Errorf("--certificate: the time was over before all states were written, so %s was not written", o.pass), "give --timeout more")
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("--certificate: interrupted, so %s was not written", o.pass)
	case errors.As(err, new(*certificate.MemoryError)):
		return ui.Hint(fmt.Errorf("--certificate: %w, so %s was not written", err, o.pass), "give --mem more")
	case err != nil:
		return fmt.Errorf("--certificate: %w", err)
	}
	say("wrote %s to %s in %s; confirm them with: mc certify %s", ui.Count(r.Stats.States, "state"), o.pass, ui.Seconds(time.Since(began).Seconds()), ui.ShellWord(o.pass))
	var not []string
	for _, f := range r.Findings {
		if f.Counts() && !f.Certifiable() {
			not = append(not, f.Name)
		}
	}
	if not != nil {
		say("that will not confirm %s: a set of states says neither how runs go on that may cycle, nor how many messages they send", strings.Join(not, ", "))
	}
	return nil
}
