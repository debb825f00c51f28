package lockstep

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"interleave/model/modeltest"
	"interleave/spec"
)

// requests is a plan in which clients ask at random.
func requests(seed uint64) Plan {
	chance := rand.New(rand.NewPCG(seed, 11))
	p := Plan{Machine: modeltest.Requests, N: 3, Datagrams: seed%2 == 1}
	for range 12 {
		q := Request{At: time.Duration(chance.IntN(3000)) * time.Millisecond, Process: spec.ID(1 + chance.IntN(3))}
		switch q.Action = []string{"open", "ask", "ask", "flip", "forget"}[chance.IntN(5)]; q.Action {
		case "ask":
			q.Value = []string{"1", "2", "9"}[chance.IntN(3)]
		}
		p.Requests = append(p.Requests, q)
	}
	if seed%3 > 0 {
		p.Faults = []Fault{{At: time.Second, Kind: Crash, Process: 2}, {At: 2 * time.Second, Kind: Recover, Process: 2}}
	}
	return p
}

// TestRequests: what clients ask for, and what processes choose, is a behaviour of the model.
func TestRequests(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(12) {
		p := requests(seed)
		r, err := inVirtualTime(t, p)
		if err != nil || r.Reason != "" {
			t.Errorf("%v: %v, %+v", p, err, r)
			continue
		}
		for kind, n := range r.Counts {
			counts[kind] += n
		}
	}
	for _, kind := range []string{"open", "ask", "flip", "forget", "receive message"} {
		if counts[kind] == 0 {
			t.Errorf("no %s in %v", kind, counts)
		}
	}
}

// biased answers otherwise than it chooses.
type biased struct{ spec.Machine }

func (b biased) Step(self spec.ID, ring []spec.ID, s any, e spec.Event) (any, spec.Effects) {
	if len(e.Choices) > 0 {
		e.Choices = append([]int{0}, e.Choices[1:]...)
	}
	return b.Machine.Step(self, ring, s, e)
}

func TestBiased(t *testing.T) {
	found := 0
	for seed := range uint64(4) {
		p := requests(seed)
		p.Real = biased{p.Machine}
		r, err := inVirtualTime(t, p)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(r.Reason, "its state is") || strings.Contains(r.Reason, "send") {
			found++
		}
	}
	if found == 0 {
		t.Error("what processes choose makes no difference")
	}
}
