package properties_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
)

// Verify is the whole checker as one call.
func ExampleVerify() {
	report, err := properties.Verify(context.Background(), bully.Published, model.Config{N: 3, Crashes: 1, Split: true},
		[]properties.Property{election.LeaderIsTopOrCrashed, election.Agreement}, properties.Options{Continue: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings {
		fmt.Printf("%s %v: %s\n", f.Name, f.Verdict, f.Doc)
	}
	for _, line := range properties.Format(bully.Published, report.Findings[1].Trace, election.Agreement) {
		fmt.Println(line)
	}
	// Output:
	// leader-is-top-or-crashed VERIFIED: a live process knows no leader, or one that has crashed, or top
	// agreement VIOLATED: all live processes follow the same one
	//   1  process 1: notice: Mode idle → electing, arms T_ok, sends ELECTION to 2, 3
	//   2  process 2: receive ELECTION from 1: Mode idle → electing, arms T_ok, sends OK to 1, ELECTION to 3
	//   3  process 1: receive OK from 2: Mode electing → waiting, disarms T_ok
	//   4  process 3: receive ELECTION from 2, crash after 1 of its sends: down, sends OK to 2, 1 message to it lost
	//   5  process 2: receive OK from 3: Mode electing → waiting, disarms T_ok
	//      process 1 knows no leader
}

// A property of one's own is a function that says what is wrong with a world.
func ExampleInvariant() {
	calm := properties.Invariant("calm", "nobody leads while messages are on their way", func(w *model.World) error {
		for m := range w.InFlight() {
			if w.Leader(m.To) == m.To {
				return fmt.Errorf("process %v leads, and a message from %v is on its way to it", m.To, m.From)
			}
		}
		return nil
	})
	report, err := properties.Verify(context.Background(), bully.Mended, model.Config{N: 2}, []properties.Property{calm}, properties.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict, report.Findings[0].Why)
	// Output:
	// VIOLATED process 2 leads, and a message from 1 is on its way to it
}

// What is true of whole runs is said of their states: where they end up, what comes again
// and again, and what follows upon what.
func ExampleLeadsTo() {
	lost := func(w *model.World) error {
		if w.Live().Has(3) {
			return errors.New("process 3 is up")
		}
		return nil
	}
	led := func(w *model.World) error {
		for p := range w.Live().All() {
			if w.Leader(p) == p {
				return nil
			}
		}
		return errors.New("no live process leads")
	}
	report, err := properties.Verify(context.Background(), bully.Mended, model.Config{N: 3, Crashes: 1}, []properties.Property{
		properties.LeadsTo("replaced", "once process 3 is down, some live process comes to lead", lost, led),
		properties.EventuallyAlways("led", "from some point on a live process leads", led),
		properties.AlwaysEventually("lost", "again and again process 3 is down", lost),
	}, properties.Options{Continue: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings {
		fmt.Printf("%v: %s\n", f.Verdict, f.Doc)
	}
	fmt.Println(report.Findings[2].Why)
	// Output:
	// VERIFIED: once process 3 is down, some live process comes to lead
	// VERIFIED: from some point on a live process leads
	// VIOLATED: again and again process 3 is down
	// the run ends, and process 3 is up
}

// A formula is about whole runs, and may use one's own words.
func ExampleTemporal() {
	elected := func(w *model.World) error {
		if w.Leader(w.Top()) != w.Top() {
			return errors.New("the one that ought to win does not follow itself")
		}
		return nil
	}
	wins, err := properties.Temporal("wins", "in the end the right one leads, forever", "<>[] elected", map[string]func(*model.World) error{"elected": elected})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := properties.Verify(context.Background(), changroberts.Classic, model.Config{N: 3}, []properties.Property{wins}, properties.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict)
	// Output:
	// VERIFIED
}

// Replay repeats a counterexample through the handlers, and judges it again.
func ExampleReplay() {
	lonely := properties.Quiescent("lonely", "when nothing has to happen any more, nobody leads", func(w *model.World) error {
		for p := range w.Live().All() {
			if w.Leader(p) == p {
				return fmt.Errorf("process %v leads", p)
			}
		}
		return nil
	})
	report, err := properties.Verify(context.Background(), bully.Mended, model.Config{N: 2}, []properties.Property{lonely}, properties.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, run, reason, err := election.Replay(bully.Mended, report.Findings[0].Trace, lonely)
	fmt.Println(len(run.Steps), "steps:", reason, err)
	// Output:
	// 2 steps: process 2 leads <nil>
}

// Test is the gate within go test. It fails the test if something is violated or not
// decided, and keeps the counterexample for mc replay.
func ExampleTest() {
	_ = func(t *testing.T) { // TestElection
		election.Test(t, bully.Mended, model.Config{N: 3, Crashes: 1})
	}
}
