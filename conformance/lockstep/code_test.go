package lockstep

import (
	"math/rand/v2"
	"testing"
	"time"

	"interleave/spec"
	"interleave/spec/object/objecttest"
)

// TestCode: real processes of existing code, which keep one object each, do what the model does by histories; and
// other code is noticed.
func TestCode(t *testing.T) {
	counts, found := map[string]int{}, 0
	for seed := range uint64(6) {
		chance := rand.New(rand.NewPCG(seed, 1))
		p := Plan{Machine: objecttest.Store, N: 3, Datagrams: seed%2 == 1}
		for range 8 {
			p.Requests = append(p.Requests, Request{At: time.Duration(chance.IntN(3000)) * time.Millisecond, Process: spec.ID(1 + chance.IntN(3)), Action: "propose", Value: "7"})
		}
		p.Faults = []Fault{{At: time.Second, Kind: Crash, Process: spec.ID(1 + seed%2)}, {At: 2 * time.Second, Kind: Recover, Process: spec.ID(1 + seed%2)}}
		r, err := inVirtualTime(t, p)
		if err != nil || r.Reason != "" {
			t.Errorf("%v: %v, %+v", p, err, r)
			continue
		}
		for kind, n := range r.Counts {
			counts[kind] += n
		}
		p.Real = objecttest.Forgetful
		if r, err := inVirtualTime(t, p); err != nil || r.Reason != "" {
			found++
		}
	}
	for _, kind := range []string{"propose", "receive append", "receive commit", "recover", "crash"} {
		if counts[kind] == 0 {
			t.Errorf("no %s in %v", kind, counts)
		}
	}
	if found == 0 {
		t.Error("code that forgets what it has acknowledged passes")
	}
}
