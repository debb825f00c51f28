package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"interleave/conformance"
	"interleave/impl/capture"
)

// growing is a file that is being written: its end is only one when ctx ends.
type growing struct {
	ctx  context.Context
	file *os.File
}

// pause is how long a reader waits for a file to grow.
const pause = 50 * time.Millisecond

func (g *growing) Read(b []byte) (int, error) {
	for {
		n, err := g.file.Read(b)
		if n > 0 || err != nil && err != io.EOF {
			return n, err
		}
		select {
		case <-g.ctx.Done(): // what was written until then counts
			return g.file.Read(b)
		case <-time.After(pause):
		}
	}
}

// followCapture judges packets as they come, from a file that grows or from the
// loopback interface, until it is interrupted or nothing explains one.
func (t *tool) followCapture(ctx context.Context, file string, s *conformSettings) error {
	if err := t.untold(s); err != nil {
		return err
	}
	if s.capture.minimal+s.capture.explain != "" {
		return errors.New("--minimal and --explain are of a whole capture: leave out --follow and --live")
	}
	o, err := s.captureOptions(t.machines)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	o.Done = nil // an interrupt ends the packets, and those are judged then
	r, done, err := t.openGrowing(ctx, file, s)
	if err != nil {
		return err
	}
	defer done()
	follower := conformance.NewFollower(o)
	report, err := t.takeAll(ctx, r, follower)
	packets, rest := follower.Packets(), r.Rest()
	if err == nil && report != nil && report.Verdict == conformance.Refuted && len(rest) > 0 { // it may be what explains it
		report, packets = nil, slices.Concat(packets, rest)
	}
	if err == nil && report == nil {
		o.Safety = safetyOf(t.machines, packets)
		if err := s.capture.known(o.Safety); err != nil {
			return err
		}
		report, err = conformance.Explore(packets, o)
	}
	var unusable *conformance.UnusableError
	switch {
	case errors.As(err, &unusable):
		return fmt.Errorf("%s: %w", file, err)
	case err != nil:
		return err
	}
	report.Notes = append(report.Notes, notWhole(packets)...)
	return t.giveCapture(file, s, report)
}

// openGrowing opens what is to be followed; done closes it.
func (t *tool) openGrowing(ctx context.Context, file string, s *conformSettings) (r *capture.Reader, done func(), err error) {
	o := capture.Options{}
	for _, p := range s.capture.port {
		o.Ports = append(o.Ports, uint16(p))
	}
	if s.capture.live {
		r, err := capture.Live(o)
		if err != nil {
			return nil, nil, hinted{err, "or follow what tcpdump -i lo -U -w FILE writes with mc conform FILE --follow"}
		}
		fmt.Fprintln(t.err, "listens; interrupt it to end")
		context.AfterFunc(ctx, r.Close)
		return r, r.Close, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, errors.Unwrap(err))
	}
	if r, err = capture.NewReader(&growing{ctx, f}, o); err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, func() { f.Close() }, nil
}

// takeAll hands on packets until there are no more, or one decides.
func (t *tool) takeAll(ctx context.Context, r *capture.Reader, f *conformance.Follower) (*conformance.CaptureReport, error) {
	told := time.Now()
	for {
		p, err := r.Next()
		switch {
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
			fmt.Fprintf(t.err, "mc: %s so far, all of them explained\n", count(len(f.Packets()), "packet"))
		}
	}
}
