package lockstep

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"interleave/impl/runlog"
	"interleave/internal/rapidtest"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
)

// TestMain makes fewer checks than rapid does by default; -rapid.checks says
// otherwise.
func TestMain(m *testing.M) {
	if err := errors.Join(flag.Set("rapid.checks", "100"), flag.Set("rapid.nofailfile", "true")); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// machines are those of the catalogue that do not run in lock-step rounds.
func machines() []spec.Machine {
	return slices.DeleteFunc(slices.Clone(catalog.Machines), func(m spec.Machine) bool { return m.Traits().Handles.Has(spec.Round) })
}

// draw draws a plan: small numbers are mild.
func draw(t *rapid.T, machines []spec.Machine) Plan {
	p := Plan{Machine: rapid.SampledFrom(machines).Draw(t, "machine"), N: rapid.IntRange(1, 4).Draw(t, "n")}
	p.Ring = rapid.Permutation(model.Ascending(p.N)).Draw(t, "ring")
	p.Bystanders = spec.Set(rapid.IntRange(0, 1<<p.N-2).Draw(t, "bystanders"))
	p.Datagrams = rapid.Bool().Draw(t, "datagrams")
	unit := func(n int) time.Duration { return time.Duration(n) * Delta / 10 }
	worst := 20 // tenths of delta
	if rapid.Bool().Draw(t, "kept") {
		worst = 8
	}
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, worst), 0, 8).Draw(t, "delays") {
		p.Delays = append(p.Delays, unit(n))
	}
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, 8), 0, p.N).Draw(t, "boot") {
		p.Boot = append(p.Boot, unit(n))
	}
	p.Copied = rapid.SliceOfN(rapid.IntRange(1, 30), 0, 4).Draw(t, "copied")
	if worst > 8 {
		p.Lost = rapid.SliceOfN(rapid.IntRange(1, 30), 0, 4).Draw(t, "lost")
	}
	p.Faults = drawFaults(t, p, worst > 8)
	p.Requests = drawRequests(t, p)
	if handles := p.Machine.Traits().Handles.Has; !handles(spec.Start) && !handles(spec.Act) {
		p.Lasts = 20 * Delta // it goes on forever
	}
	return p
}

// drawFaults draws who crashes when and perhaps comes up again, and how the network
// divides and heals.
func drawFaults(t *rapid.T, p Plan, all bool) (faults []Fault) {
	at := time.Duration(0)
	later := func(label string) time.Duration {
		return time.Duration(rapid.IntRange(0, 30).Draw(t, label)) * Delta / 10
	}
	for range rapid.IntRange(0, 3).Draw(t, "faults") {
		at += later("after")
		process := spec.ID(rapid.IntRange(1, p.N).Draw(t, "process"))
		if all && rapid.Bool().Draw(t, "divides") {
			side := spec.Set(rapid.IntRange(1, 1<<p.N-1).Draw(t, "side"))
			faults = append(faults, Fault{At: at, Kind: Divide, Side: side}, Fault{At: at + later("heals") + 1, Kind: Heal})
			continue
		}
		if !Crashable(p.Machine) || p.N == 1 {
			continue
		}
		faults = append(faults, Fault{At: at, Kind: Crash, Process: process})
		if all && rapid.Bool().Draw(t, "comes back") {
			faults = append(faults, Fault{At: at + later("comes back") + 1, Kind: Recover, Process: process})
		}
	}
	return faults
}

// drawRequests draws who is asked when for what. What is fair is done anyway.
func drawRequests(t *rapid.T, p Plan) (requests []Request) {
	var all []Request
	for _, act := range p.Machine.Traits().Actions {
		if act.Leaderless || act.Fair {
			continue
		}
		for _, v := range act.Values {
			q := Request{Action: act.Name}
			if act.ReadValue != nil {
				text, err := runlog.PlainJSON(v)
				if err != nil {
					t.Fatal(err)
				}
				q.Value = string(text)
			}
			all = append(all, q)
		}
	}
	if all == nil {
		return nil
	}
	for range rapid.IntRange(0, 6).Draw(t, "requests") {
		q := rapid.SampledFrom(all).Draw(t, "request")
		q.At = time.Duration(rapid.IntRange(0, 30).Draw(t, "at")) * Delta / 10
		q.Process = spec.ID(rapid.IntRange(1, p.N).Draw(t, "asked"))
		requests = append(requests, q)
	}
	return requests
}

// inVirtualTime runs a plan in a bubble.
func inVirtualTime(t *testing.T, p Plan) (r *Report, err error) {
	t.Helper()
	synctest.Test(t, func(*testing.T) { r, err = p.Run() })
	return r, err
}

// lockstep runs a drawn plan. One that fails leaves its run behind as a trace; the
// last one is the shortest that was found.
func lockstep(t *testing.T, rt *rapid.T, p Plan, counts map[string]int) {
	r, err := inVirtualTime(t, p)
	if err != nil {
		rt.Fatalf("%v: %v", p, err)
	}
	for kind, n := range r.Counts {
		counts[kind] += n
	}
	if r.Reason == "" {
		return
	}
	where := "no trace"
	if r.Trace != nil {
		where = filepath.Join(os.TempDir(), "lockstep-"+filepath.Base(p.Machine.Traits().Name)+".json")
		if err := r.Trace.WriteFile(where); err != nil {
			where = err.Error()
		}
	}
	rt.Fatalf("%v\n%s\nthe run up to there, for mc replay: %s", p, r.Reason, where)
}

// TestLockstep runs drawn plans, and wants every kind of thing that can happen to
// have happened.
func TestLockstep(t *testing.T) {
	counts := map[string]int{}
	kinds := []string{
		"start", "notice", "receive", "timeout", "suspect", "recover", "crash", "lose", "drop",
		"frame lost", "frame copied", "frame lost to the other side", "frame sent again", "copy dropped", "breach delay",
	}
	var some []spec.Machine
	for i, m := range machines() {
		if i%testsize.Of(3, 3, 1) > 0 {
			continue
		}
		some = append(some, m)
		for _, act := range m.Traits().Actions {
			kinds = append(kinds, act.Name)
		}
	}
	missing := func() error {
		for _, kind := range kinds {
			if counts[kind] == 0 {
				return fmt.Errorf("nothing of the kind %q ever happened: %v", kind, counts)
			}
		}
		return nil
	}
	rapidtest.Rounds(t, missing, func() {
		for _, m := range some {
			t.Run(m.Traits().Name, func(t *testing.T) {
				rapid.Check(t, func(rt *rapid.T) { lockstep(t, rt, draw(rt, []spec.Machine{m}), counts) })
			})
		}
	})
	t.Log(counts)
}

// TestFormerLife: a datagram goes to the life of a process that is over, and to the
// present one. The frame to the present one is lost, and so is the message.
func TestFormerLife(t *testing.T) {
	const ms = time.Millisecond
	r, err := inVirtualTime(t, Plan{
		Machine: bully.Unguarded, N: 4, Datagrams: true, Boot: []time.Duration{0, 40 * ms}, Delays: []time.Duration{160 * ms}, Lost: []int{13},
		Faults: []Fault{{At: 300 * ms, Kind: Crash, Process: 4}, {At: 500 * ms, Kind: Recover, Process: 4}},
	})
	if err != nil || r.Reason != "" || r.Counts["lose"] == 0 {
		t.Errorf("%q, %d messages lost, error %v", r.Reason, r.Counts["lose"], err)
	}
}

// FuzzLockstep is TestLockstep for go test -fuzz.
func FuzzLockstep(f *testing.F) {
	for luck := range byte(3) {
		seed := make([]byte, 1<<14) // what is too short to draw a run from is skipped
		_, _ = rand.NewChaCha8([32]byte{luck}).Read(seed)
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		rapid.MakeFuzz(func(rt *rapid.T) { lockstep(t, rt, draw(rt, machines()), map[string]int{}) })(t, input)
	})
}
