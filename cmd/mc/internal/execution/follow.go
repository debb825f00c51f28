package execution

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/impl/capture"
)

// growing is a file that is being written: its end is only one when ctx ends. It is an error,
// a lostError, if something may be missed: packets that are not seen are not judged.
type growing struct {
	ctx  context.Context
	name string
	file *os.File
	at   int64  // how much was read
	last []byte // the end of that
}

// lostError says why a file cannot be followed any longer.
type lostError struct{ text, hint string }

func (l lostError) Error() string { return l.text }

const (
	oneFile = "have the capture written to one file that stays in its place: without -C, -G and -W of tcpdump, and without log rotation"
	// pause is how long a reader waits for a file to grow.
	pause = 50 * time.Millisecond
)

func (g *growing) Read(b []byte) (int, error) {
	for {
		over := g.ctx.Err() != nil // what was written until then counts
		if err := g.overwritten(); err != nil {
			return 0, err
		}
		gone := g.gone() // so what is read next is all that can be known of it
		n, err := g.file.Read(b)
		g.at += int64(n)
		g.last = append(g.last, b[:n]...)
		g.last = g.last[max(0, len(g.last)-64):]
		switch {
		case n > 0 || err != nil && err != io.EOF:
			return n, err
		case over:
			return 0, io.EOF
		case gone != nil:
			return 0, gone
		}
		select {
		case <-g.ctx.Done():
		case <-time.After(pause):
		}
	}
}

// overwritten reports whether what was read is no longer there.
func (g *growing) overwritten() error {
	was := make([]byte, len(g.last))
	n, err := g.file.ReadAt(was, g.at-int64(len(was)))
	if err != nil && err != io.EOF {
		return err
	}
	if !bytes.Equal(was[:n], g.last) {
		return lostError{"it was truncated or overwritten while it was followed: what was written meanwhile may be lost", oneFile}
	}
	return nil
}

// gone reports whether the file has lost its name.
func (g *growing) gone() error {
	named, err := os.Stat(g.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return lostError{"it was removed or renamed while it was followed: what is still written to it cannot be told from what never will be", oneFile}
	case err != nil:
		return err
	}
	if own, err := g.file.Stat(); err != nil || os.SameFile(own, named) {
		return err
	}
	return lostError{"another file has taken its place while it was followed: what was written between the two may be lost", oneFile + "; or judge the new one by itself, from its beginning"}
}

// Follow judges packets as they come, from a file that grows or from the loopback interface, until
// ctx ends or nothing explains one.
func Follow(ctx context.Context, j Judge, file string) (*Report, error) {
	if err := j.checkBudget(j.Known); err != nil {
		return nil, err
	}
	if j.Minimal+j.Explain != "" {
		return nil, errors.New("--minimal and --explain are of a whole capture: leave out --follow and --live")
	}
	o, err := j.ofCapture(j.Known, nil) // an interrupt ends the packets, and those are judged then
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r, done, err := openGrowing(ctx, j, file)
	if err != nil {
		return nil, err
	}
	defer done()
	follower := captures.NewFollower(o)
	report, err := takeAll(ctx, j.UI, r, follower)
	packets, rest := follower.Packets(), r.Rest()
	if err == nil && report != nil && report.Verdict == conformance.Refuted && len(rest) > 0 { // it may be what explains it
		report, packets = nil, slices.Concat(packets, rest)
	}
	if err == nil && report == nil {
		o.Safety = safetyOf(j.Known, packets)
		if err := j.checkSafety(o.Safety); err != nil {
			return nil, err
		}
		report, err = captures.Explore(packets, o)
	}
	if err != nil {
		return nil, inFile(file, err)
	}
	report.Notes = slices.Concat(report.Notes, passedOver(r), notWhole(packets))
	return &Report{Verdict: report.Verdict, Capture: report, Read: &Capture{File: file, Packets: packets, Options: o}}, nil
}

// openGrowing opens what is to be followed; done closes it.
func openGrowing(ctx context.Context, j Judge, file string) (r *capture.Reader, done func(), err error) {
	if j.Live {
		r, err := capture.Live(j.ports())
		if err != nil {
			return nil, nil, ui.Hint(err, "or follow what tcpdump -i lo -U -w FILE writes with mc conform FILE --follow")
		}
		fmt.Fprintln(j.UI.Err, "listens; interrupt it to end")
		context.AfterFunc(ctx, r.Close)
		return r, r.Close, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, errors.Unwrap(err))
	}
	from := io.Reader(&growing{ctx: ctx, name: file, file: f})
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() { // a pipe, which tells when it ends
		context.AfterFunc(ctx, func() { f.SetReadDeadline(time.Now()) })
		from = f
	}
	if r, err = capture.NewReader(from, j.ports()); err != nil {
		f.Close()
		return nil, nil, inFile(file, err)
	}
	return r, func() { f.Close() }, nil
}

// inFile names the file of an error, and what to do about it.
func inFile(file string, err error) error {
	if lost := (lostError{}); errors.As(err, &lost) {
		return ui.Hint(fmt.Errorf("%s: %w", file, lost), lost.hint)
	}
	return fmt.Errorf("%s: %w", file, err)
}

// takeAll hands on packets until there are no more, or one decides.
func takeAll(ctx context.Context, u *ui.UI, r *capture.Reader, f *captures.Follower) (*captures.Report, error) {
	told := time.Now()
	for {
		p, err := r.Next()
		switch lost := (lostError{}); {
		case errors.As(err, &lost):
			tellSoFar(u, f)
			return nil, err
		case err != nil && ctx.Err() != nil, err == io.EOF, errors.Is(err, capture.ErrUnfinished), errors.Is(err, capture.ErrCut):
			return nil, nil
		case err != nil:
			return nil, err
		}
		report, err := f.Take(p)
		if report != nil || err != nil {
			return report, err
		}
		if time.Since(told) > 10*time.Second {
			told = time.Now()
			tellSoFar(u, f)
		}
	}
}

// tellSoFar tells how many packets came, and how many were judged, of which none is refuted.
func tellSoFar(u *ui.UI, f *captures.Follower) {
	fmt.Fprintf(u.Err, "mc: %s so far; %d are judged, and explained\n", ui.Count(len(f.Packets()), "packet"), f.Explained())
}
