package cli

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/spec"
	"interleave/spec/catalog"
)

// outcome is what a run of mc did.
type outcome struct {
	status   ui.Status
	out, err string
}

// mc runs mc for the catalogue, or for the given machines.
func mc(ctx context.Context, commandLine string, list ...spec.Machine) outcome {
	if list == nil {
		list = append(catalog.Machines, catalog.Mutants...)
	}
	var out, err bytes.Buffer
	status := ui.Status(Run(ctx, strings.Fields(commandLine), &out, &err, catalog.Aliases, list...))
	return outcome{status, out.String(), err.String()}
}

// expect wants a status, and a text in what was printed: on standard output
// if a verdict was reached, and on standard error, alone, if the input was bad.
func (o outcome) expect(t *testing.T, status ui.Status, text string) {
	t.Helper()
	where := o.out
	if status == ui.ExitUsage {
		where = o.err
		if o.out != "" {
			t.Errorf("bad input, and yet on standard output:\n%s", o.out)
		}
	}
	if o.status != status || !strings.Contains(where, text) {
		t.Errorf("status %d, not %d with %q:\n%s%s", o.status, status, text, o.out, o.err)
	}
}

// written runs mc verify with --trace-out and returns the file.
func written(t *testing.T, commandLine string, list ...spec.Machine) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "trace.json")
	mc(t.Context(), commandLine+" --trace-out "+file, list...).expect(t, ui.ExitViolated, "VIOLATED")
	if _, err := os.Stat(file); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestFullOutput: what cannot be printed is no fault of the input.
func TestFullOutput(t *testing.T) {
	var said bytes.Buffer
	if status := ui.Status(Run(t.Context(), []string{"list"}, fullDisk{}, &said, nil, catalog.Machines...)); status != ui.ExitContradicted || !strings.Contains(said.String(), "standard output: no space") {
		t.Errorf("status %d: %s", status, said.String())
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	mc(ctx, "verify bully").expect(t, ui.ExitInconclusive, "INCONCLUSIVE: the search did not finish: interrupted")
}

// TestInterruptedBefore: who interrupts mc gets no answer, and is told nothing else. Of mutants all are undecided.
func TestInterruptedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, line := range []string{"conform --mutants bully", "conform --mutants bully --json", "conform --drive bully"} {
		if o := mc(ctx, line); o.status != ui.ExitInconclusive || o.out != "" || o.err != "mc: interrupted\n" {
			t.Errorf("%s: status %d, %q, %q", line, o.status, o.out, o.err)
		}
	}
	mc(ctx, "mutants bully").expect(t, ui.ExitInconclusive, "0 of 8 mutants killed, 8 undecided\n")
	mc(ctx, "mutants bully --json").expect(t, ui.ExitInconclusive, `"undecided": 8`)
}

// watched calls a function before each of its steps.
type watched struct {
	spec.Machine
	stepped func()
}

func (w watched) Step(self spec.ID, ring []spec.ID, s any, e spec.Event) (any, spec.Effects) {
	w.stepped()
	return w.Machine.Step(self, ring, s, e)
}

// TestInterruptedDrive: what was driven agrees, and nothing is said of the rest, whenever it is
// interrupted.
func TestInterruptedDrive(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	steps, last := atomic.Int64{}, int64(math.MaxInt64)
	bully, err := names.Table{Algorithms: catalog.Machines}.Find("bully/mended")
	if err != nil {
		t.Fatal(err)
	}
	m := watched{bully, func() {
		if steps.Add(1) == last {
			cancel()
		}
	}}
	mc(ctx, "conform --drive bully/mended --n 2", m).expect(t, ui.ExitHolds, "AGREES in every class of local steps")
	last = steps.Swap(0) - 5
	o := mc(ctx, "conform --drive bully/mended --n 2", m)
	o.expect(t, ui.ExitInconclusive, "INCONCLUSIVE: all that was driven agrees, but it was interrupted")
	if strings.Contains(o.out, "AGREES") {
		t.Errorf("it says more than it knows:\n%s", o.out)
	}
	for quota := last / 2; quota > 0; quota /= 2 {
		ctx, cancel = context.WithCancel(t.Context())
		steps.Store(0)
		last = quota
		if o := mc(ctx, "conform --drive bully/mended --n 2 --json", m); o.status != ui.ExitInconclusive || strings.Contains(o.out, `"agrees"`) {
			t.Errorf("interrupted at step %d: status %d\n%s", quota, o.status, o.out)
		}
		cancel()
	}
}

// TestPanic: a handler that panics is a finding with a trace.
func TestPanic(t *testing.T) {
	fragile := &spec.Algorithm[struct{ Rung bool }, uint8]{
		Name: "fragile", Doc: "falls over the second bell", Source: "this test",
		Receive: func(s *struct{ Rung bool }, p *spec.Proc[uint8], from spec.ID, m uint8) {
			if s.Rung {
				panic("rung twice")
			}
			s.Rung = true
		},
		Election: &spec.Election[struct{ Rung bool }, uint8]{
			Notice: func(s *struct{ Rung bool }, p *spec.Proc[uint8]) { p.Broadcast(p.Others(), 0) },
			Leader: func(struct{ Rung bool }) spec.ID { return spec.None },
		},
	}
	file := written(t, "verify fragile --property leader-is-top", fragile)
	mc(t.Context(), "replay "+file, fragile).expect(t, ui.ExitHolds, "CONFIRMED every step, and that no-panic is false at the end")
	mc(t.Context(), "replay "+file+" --full-states", fragile).expect(t, ui.ExitHolds, "rung twice")
	mc(t.Context(), "conform --drive fragile --max-states 100", fragile).expect(t, ui.ExitInconclusive, " of these steps, in the model and in the real process\n\nINCONCLUSIVE: all that was driven agrees, but the model has more states")
	mc(t.Context(), "conform --drive fragile --n 2 --network set", fragile).expect(t, ui.ExitHolds, " of these steps, in the model and in the real process\n\nAGREES in every class")
}

// TestNothingToDrive: that nothing could be driven does not pass for agreement.
func TestNothingToDrive(t *testing.T) {
	idle := &spec.Algorithm[uint8, uint8]{
		Name: "idle", Doc: "waits to be called", Source: "this test",
		Receive:  func(*uint8, *spec.Proc[uint8], spec.ID, uint8) {},
		Election: &spec.Election[uint8, uint8]{Leader: func(uint8) spec.ID { return spec.None }},
	}
	mc(t.Context(), "conform --drive idle", idle).expect(t, ui.ExitInconclusive, "INCONCLUSIVE: there is nothing that real processes can be made to do")
}

// TestPanicBeside: the counterexample that is written is one to a property that was asked
// for, where a handler panics as well.
func TestPanicBeside(t *testing.T) {
	bell := &spec.Algorithm[uint8, uint8]{
		Name: "bell", Doc: "falls over the first bell, or rings twice",
		Receive: func(s *uint8, p *spec.Proc[uint8], _ spec.ID, _ uint8) {},
		Election: &spec.Election[uint8, uint8]{
			Notice: func(s *uint8, p *spec.Proc[uint8]) {
				if p.ID == 2 {
					panic("rung")
				}
				*s = min(*s+1, 3)
			},
			Leader: func(s uint8) spec.ID { return spec.ID(s / 2) },
		},
	}
	file := written(t, "verify bell --n 2 --property leader-is-top --continue", bell)
	mc(t.Context(), "replay "+file, bell).expect(t, ui.ExitHolds, "CONFIRMED every step, and that leader-is-top is false at the end")
}

// fickle is a machine whose timeouts do nothing but for the first few: no
// function of its arguments, as a handler must be.
type fickle struct {
	spec.Machine
	left *int
}

func (m fickle) Step(self spec.ID, ring []spec.ID, s any, e spec.Event) (any, spec.Effects) {
	if e.Kind == spec.Timeout {
		if *m.left == 0 {
			return s, spec.Effects{}
		}
		*m.left--
	}
	return m.Machine.Step(self, ring, s, e)
}

// TestContradiction: a counterexample that does not replay is not reported as one; the handler that
// is to blame is.
func TestContradiction(t *testing.T) {
	left := 2 // a step is taken twice, and is the same both times
	bully, err := names.Table{Algorithms: catalog.Machines}.Find("bully/published")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "trace.json")
	o := mc(t.Context(), "verify bully/published --timers any --workers 1 --property winner-is-top --trace-out "+file, fickle{bully, &left})
	if o.status != ui.ExitUsage || o.out != "" || !strings.HasPrefix(o.err, "mc: error: the handler of process 1 for timeout T_ok is no function: ") {
		t.Errorf("status %d\n%s%s", o.status, o.out, o.err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a trace was written")
	}
}
