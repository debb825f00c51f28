package conformance_test

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"interleave/conformance"
	"interleave/conformance/forge"
	"interleave/impl"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
)

type inits struct{ Count int }

// counter counts how often it was begun, and says so.
var counter = &spec.Algorithm[inits, inits]{
	Name: "counter", Doc: "counts its beginnings", Source: "this test",
	Init:    func(s *inits, _ *spec.Proc[inits]) { s.Count++ },
	Start:   func(s *inits, p *spec.Proc[inits]) { p.Broadcast(p.Others(), *s) },
	Receive: func(*inits, *spec.Proc[inits], spec.ID, inits) {},
	Stable:  func(s inits) inits { return s },
	Leader:  func(inits) spec.ID { return spec.None },
}

func findCounter(string) (spec.Machine, error) { return counter, nil }

// kept is a Storage that is as durable as the test.
type kept struct{ memory impl.Memory }

func (k *kept) Load() (impl.Memory, error) { return k.memory, nil }
func (k *kept) Save(m impl.Memory) error   { k.memory = m; return nil }
func (k *kept) Close() error               { return nil }

// beCounted runs a process of counter for a while.
func beCounted(t *testing.T, id spec.ID, net *impl.Switch, storage impl.Storage, log io.Writer, life time.Duration) {
	node, err := impl.New(impl.Config{
		Machine: counter, ID: id, Ring: []spec.ID{1, 2}, Delta: 100 * time.Millisecond, Run: 1,
		Transport: net.Plug(id), Storage: storage, Log: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), life)
	defer stop()
	if err := node.Run(ctx); err != nil {
		t.Error(err)
	}
}

// TestBornAndGone: a first life that took no step leaves what Init makes, and nothing else.
func TestBornAndGone(t *testing.T) {
	var log bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		storage, net := &kept{}, impl.NewMemory(nil)
		for _, life := range []time.Duration{100 * time.Millisecond, time.Second, 100 * time.Millisecond, time.Second} { // the first step is after 200 ms
			beCounted(t, 1, net, storage, &log, life)
		}
	})
	var all, inits []*impl.Record
	err := impl.ReadLog(bytes.NewReader(log.Bytes()), func(r impl.Record) error {
		if all = append(all, &r); r.Input != nil && r.Input.Memory != nil {
			inits = append(inits, &r)
		}
		return nil
	})
	if err != nil || len(inits) != 2 {
		t.Fatalf("%d steps, %v", len(inits), err)
	}
	for _, c := range []struct {
		life     int
		memory   string
		conforms bool
	}{{0, `{"Count":1}`, true}, {1, `{"Count":2}`, true}, {0, `{"Count":0}`, false}, {0, `{"Count":1}`, true}, {1, `{"Count":1}`, false}} {
		inits[c.life].Input.Memory = []byte(c.memory)
		text, err := forge.Seal(all, true)
		if err != nil {
			t.Fatal(err)
		}
		report, err := conformance.CheckLogs([]conformance.Log{{Name: "1", Reader: bytes.NewReader(text)}, {Name: "2", Reader: strings.NewReader("")}},
			conformance.LogOptions{Find: findCounter, Budget: conformance.AnyFaults})
		if err != nil {
			t.Fatal(err)
		}
		if r := report.Refutation; (r == nil) != c.conforms || r != nil && !strings.Contains(r.Error(), "another memory than what survives") {
			t.Errorf("it comes up with %s: %v", c.memory, r)
		}
	}
}

// TestBornInCaptures: a later life of a process finds what Init makes, if the first took no
// step, whether or not that is in the capture; and not what was never stored.
func TestBornInCaptures(t *testing.T) {
	for _, c := range []struct {
		before  impl.Memory // of the first life; incarnation 0: it is lived
		tapped  bool
		verdict conformance.Verdict
	}{
		{impl.Memory{}, false, conformance.Conforms},
		{impl.Memory{}, true, conformance.Conforms},
		{impl.Memory{Algorithm: "counter", Process: 1, Incarnation: 1}, false, conformance.Refuted},
	} {
		var packets []capture.Packet
		synctest.Test(t, func(t *testing.T) {
			storage, tap, tapping := &kept{c.before}, sync.Mutex{}, c.tapped
			net := impl.NewMemory(func(_, _ spec.ID, frame []byte) []time.Duration {
				tap.Lock()
				defer tap.Unlock()
				f, err := wire.Parse(slices.Clone(frame), nil)
				if err != nil {
					t.Error(err)
				}
				if tapping {
					packets = append(packets, tapped(len(packets)+1, f))
				}
				return []time.Duration{time.Millisecond}
			})
			var both sync.WaitGroup
			if c.before.Incarnation == 0 {
				both.Go(func() { beCounted(t, 2, net, &kept{}, io.Discard, 100*time.Millisecond) })
				beCounted(t, 1, net, storage, io.Discard, 100*time.Millisecond)
				both.Wait()
			}
			tap.Lock()
			tapping = true
			tap.Unlock()
			both.Go(func() { beCounted(t, 1, net, storage, io.Discard, time.Second) })
			both.Go(func() { beCounted(t, 2, net, &kept{}, io.Discard, time.Second) })
			both.Wait()
		})
		report, err := conformance.CheckCapture(packets, conformance.CaptureOptions{Find: findCounter})
		if err != nil || report.Verdict != c.verdict || report.Packets.Data == 0 {
			t.Errorf("%+v: %+v, %v", c, report, err)
		}
	}
}
