package conformance_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
)

var errRivals = errors.New("two processes follow themselves")

// rivals is one-leader.
var rivals = captures.SafetyProperty{Name: "rivals", For: func(int) (func([]captures.Standing) error, error) { return noRivals, nil }}

func noRivals(now []captures.Standing) error {
	themselves := 0
	for i, p := range now {
		if p.Up && p.Leader == spec.ID(i+1) {
			themselves++
		}
	}
	if themselves > 1 {
		return errRivals
	}
	return nil
}

// TestSafetyOfTheWholeWorld compares what is said over all explanations with the
// worlds that there can be at each moment and that go on to explain the rest.
func TestSafetyOfTheWholeWorld(t *testing.T) {
	testsize.Alone(t)
	said := map[string]int{}
	own := captures.SafetyProperty{Name: "own", Own: true, For: func(int) (func([]captures.Standing) error, error) { return toldAfterAsking, nil }}
	for _, c := range []struct {
		spec.Machine
		property captures.SafetyProperty
	}{{bully.Mended, rivals}, {bully.Published, rivals}, {changroberts.Textbook, rivals}, {poll, own}} {
		m := c.Machine
		holds, err := c.property.For(2)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range testsize.Of[uint64](14, 14, 40) {
			codec, err := wire.NewCodec(m)
			if err != nil {
				t.Fatal(err)
			}
			u := &universe{machine: m, ring: model.Ascending(2), most: []uint64{2, 2}}
			packets := u.wander(rand.New(rand.NewPCG(seed, 9)), codec, 16)
			if !slices.ContainsFunc(packets, func(p capture.Packet) bool { return p.Frame.Kind == wire.Data }) {
				continue
			}
			u.most = []uint64{0, 0}
			for _, p := range packets {
				if p.Frame.Kind == wire.Data {
					u.most[p.Frame.From-1] = max(u.most[p.Frame.From-1], p.Frame.Sequence)
				}
			}
			never, always := u.breaks(holds, packets, codec)
			report, err := captures.Explore(packets, captures.Options{
				Ring: u.ring, Network: "fifo", Safety: []captures.SafetyProperty{c.property},
				Find: func(string) (spec.Machine, error) { return m, nil },
			})
			if err != nil || report.Verdict != conformance.Conforms {
				t.Fatal(seed, report, err)
			}
			across := report.Safety[0].Across
			said[c.property.Name+" "+across.String()]++
			if across == captures.HoldsInAll && !never || across == captures.ViolatedInAll && !always || across == captures.Undecided {
				t.Errorf("%s, seed %d: %v; never %v, always %v", m.Traits().Name, seed, across, never, always)
			}
			if never && across != captures.HoldsInAll {
				said["too careful"]++
			}
		}
	}
	t.Log(said)
	for _, name := range []string{"rivals HOLDS IN ALL", "rivals VIOLATED IN ALL", "rivals DEPENDS", "own VIOLATED IN ALL", "own DEPENDS"} {
		if said[name] == 0 {
			t.Error("never", name)
		}
	}
}

// TestHiddenSafety: what asks for what no packet shows is undecided.
func TestHiddenSafety(t *testing.T) {
	_, packets := plan{machine: bully.Mended, n: 2, seed: 1, length: time.Second}.record(t)
	asks := captures.SafetyProperty{Name: "asks", For: func(int) (func([]captures.Standing) error, error) {
		return func(now []captures.Standing) error {
			if now[0].Up && now[1].Up {
				return fmt.Errorf("messages: %w", captures.ErrHidden)
			}
			return nil
		}, nil
	}}
	report, err := captures.Explore(packets, captures.Options{Find: find, Safety: []captures.SafetyProperty{asks}})
	if err != nil {
		t.Fatal(err)
	}
	if r := report.Safety[0]; r.Across != captures.Undecided || r.Reason != captures.ErrHidden.Error() || r.Packet != 0 || r.Unfinished {
		t.Errorf("%+v", r)
	}
}

// TestSafetyOfAll: what an algorithm brings along may count on all processes from the beginning.
func TestSafetyOfAll(t *testing.T) {
	_, packets := plan{machine: bully.Mended, n: 3, seed: 1, length: time.Second}.record(t)
	all := captures.SafetyProperty{Name: "all", Own: true, For: func(int) (func([]captures.Standing) error, error) {
		return func(now []captures.Standing) error {
			if slices.ContainsFunc(now, func(p captures.Standing) bool { return !p.Up }) {
				return errors.New("one is not there")
			}
			return nil
		}, nil
	}}
	for _, own := range []bool{true, false} {
		all.Own = own
		report, err := captures.Explore(packets, captures.Options{Find: find, Safety: []captures.SafetyProperty{all}})
		if err != nil {
			t.Fatal(err)
		}
		if r := report.Safety[0]; (r.Across == captures.ViolatedInAll) == own || r.Moments == 0 || r.Own != own {
			t.Errorf("%+v", r)
		}
	}
}

// TestUnjudgedSafety: what cannot be judged is undecided, and violated by nobody.
func TestUnjudgedSafety(t *testing.T) {
	_, packets := plan{machine: bully.Mended, n: 2, seed: 1, length: time.Second}.record(t)
	unjudged := captures.SafetyProperty{Name: "unjudged", For: func(n int) (func([]captures.Standing) error, error) {
		return nil, fmt.Errorf("%d processes are too many", n)
	}}
	report, err := captures.Explore(packets, captures.Options{Find: find, Safety: []captures.SafetyProperty{unjudged, rivals}})
	if err != nil {
		t.Fatal(err)
	}
	if r := report.Safety[0]; r.Across != captures.Undecided || r.Reason != "2 processes are too many" || r.Packet != 0 {
		t.Errorf("%+v", r)
	}
	if r := report.Safety[1]; r.Across == captures.Undecided {
		t.Errorf("%+v", r)
	}
}

// TestUndecidedAtNoMoment: what depends at one moment, and is not looked at to the end, is undecided,
// and at no moment.
func TestUndecidedAtNoMoment(t *testing.T) {
	_, packets := plan{machine: bully.Published, n: 3, seed: 1, crashes: 1, length: time.Second}.record(t)
	company := captures.SafetyProperty{Name: "company", For: func(int) (func([]captures.Standing) error, error) {
		return func(now []captures.Standing) error {
			up := slices.DeleteFunc(slices.Clone(now), func(p captures.Standing) bool { return !p.Up })
			if len(up) == 1 {
				return errors.New("one process is up alone")
			}
			return nil
		}, nil
	}}
	undecided := 0
	for limit := range 48 {
		report, err := captures.Explore(packets, captures.Options{Find: find, Limit: limit + 1, Safety: []captures.SafetyProperty{company}})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range report.Safety {
			if r.Across == captures.Undecided {
				undecided++
				if r.Packet != 0 || !r.Unfinished {
					t.Errorf("with %d ways: %+v", limit, r)
				}
			}
		}
	}
	if undecided == 0 {
		t.Error("whatever was looked at is decided")
	}
}

// toldAfterAsking says that who asks is told before it asks again. All follow nobody, so only their states tell them apart.
func toldAfterAsking(now []captures.Standing) error {
	for i, p := range now {
		if p.Up && p.State.(polled) == (polled{Asked: 2}) {
			return fmt.Errorf("process %d asks again", i+1)
		}
	}
	return nil
}

// breaks reports whether at no moment a property can be false, and whether at some moment
// it must be.
func (u *universe) breaks(holds func([]captures.Standing) error, packets []capture.Packet, codec *wire.Codec) (never, always bool) {
	never = true
	from := []*global{u.first()}
	for i := range len(packets) + 1 {
		all, _ := u.closure(from, 1<<20)
		bad, good := 0, 0
		for _, g := range all {
			if explained, _ := u.explainsFrom([]*global{g}, packets[i:], codec, 1<<20); !explained {
				continue
			}
			var now []captures.Standing
			for _, p := range g.procs {
				now = append(now, captures.Standing{Up: p.up == 2, Leader: u.machine.Traits().Leader(p.state), State: p.state})
			}
			if holds(now) != nil {
				bad++
			} else {
				good++
			}
		}
		never, always = never && bad == 0, always || bad > 0 && good == 0
		if i < len(packets) {
			from, _ = u.after(all, packets[i], codec)
		}
	}
	return never, always
}
