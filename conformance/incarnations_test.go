package conformance_test

import (
	"bytes"
	"context"
	"io"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/forge"
	"interleave/conformance/logs"
	"interleave/impl"
	"interleave/impl/capture"
	"interleave/impl/runlog"
	"interleave/impl/storage"
	"interleave/impl/transport"
	"interleave/impl/wire"
	"interleave/spec"
)

type inits struct{ Count int }

// counter counts how often it was begun, and says so.
var counter = &spec.Algorithm[inits, inits]{
	Name: "counter", Doc: "counts its beginnings", Source: "this test",
	Init:     func(s *inits, _ *spec.Proc[inits]) { s.Count++ },
	Start:    func(s *inits, p *spec.Proc[inits]) { p.Broadcast(p.Others(), *s) },
	Receive:  func(*inits, *spec.Proc[inits], spec.ID, inits) {},
	Stable:   func(s inits) inits { return s },
	Election: &spec.Election[inits, inits]{Leader: func(inits) spec.ID { return spec.None }},
}

func findCounter(string) (spec.Machine, error) { return counter, nil }

// kept is a Storage that is as durable as the test.
type kept struct{ memory storage.Memory }

func (k *kept) Load() (storage.Memory, error) { return k.memory, nil }
func (k *kept) Save(m storage.Memory) error   { k.memory = m; return nil }
func (k *kept) Close() error                  { return nil }

// beCounted runs a process of counter for a while.
func beCounted(t *testing.T, id spec.ID, net *transport.Switch, storage storage.Stable, log io.Writer, life time.Duration) {
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

// TestNoStepTaken: a first life that took no step leaves what Init makes, and nothing else.
func TestNoStepTaken(t *testing.T) {
	var log bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		storage, net := &kept{}, transport.NewSwitch(nil)
		for _, life := range []time.Duration{100 * time.Millisecond, time.Second, 100 * time.Millisecond, time.Second} { // the first step is after 200 ms
			beCounted(t, 1, net, storage, &log, life)
		}
	})
	var all, inits []*runlog.Record
	err := runlog.Read(bytes.NewReader(log.Bytes()), func(r runlog.Record) error {
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
		report, err := logs.Check([]logs.Log{{Name: "1", Reader: bytes.NewReader(text)}, {Name: "2", Reader: strings.NewReader("")}},
			logs.Options{Find: findCounter, Budget: logs.AnyFaults})
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
		before  storage.Memory // of the first life; incarnation 0: it is lived
		tapped  bool
		verdict conformance.Verdict
	}{
		{storage.Memory{}, false, conformance.Conforms},
		{storage.Memory{}, true, conformance.Conforms},
		{storage.Memory{Algorithm: "counter", Process: 1, Incarnation: 1}, false, conformance.Refuted},
	} {
		var packets []capture.Packet
		synctest.Test(t, func(t *testing.T) {
			storage, tap, tapping := &kept{c.before}, sync.Mutex{}, c.tapped
			net := transport.NewSwitch(func(_, _ spec.ID, frame []byte) []time.Duration {
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
			other := &kept{} // no life of it has a number of another
			if c.before.Incarnation == 0 {
				both.Go(func() { beCounted(t, 2, net, other, io.Discard, 100*time.Millisecond) })
				beCounted(t, 1, net, storage, io.Discard, 100*time.Millisecond)
				both.Wait()
			}
			tap.Lock()
			tapping = true
			tap.Unlock()
			both.Go(func() { beCounted(t, 1, net, storage, io.Discard, time.Second) })
			both.Go(func() { beCounted(t, 2, net, other, io.Discard, time.Second) })
			both.Wait()
		})
		report, err := captures.Check(packets, captures.Options{Find: findCounter})
		if err != nil || report.Verdict != c.verdict || report.Packets.Data == 0 {
			t.Errorf("%+v: %+v, %v", c, report, err)
		}
	}
}

// TestLateLife: a life finds what the life before it left, though packets of that, or of itself, are seen
// only behind those of a later one.
func TestLateLife(t *testing.T) {
	codec, err := wire.NewCodec(counter)
	if err != nil {
		t.Fatal(err)
	}
	says := func(life uint32, count int) capture.Packet {
		p := told(wire.Data, 1, 1, 1)
		p.TCP, p.Frame.Incarnation, p.Frame.Algorithm, p.Frame.Shape = true, life, counter.Name, codec.Shape()
		if p.Frame.Body, err = codec.Append(nil, inits{count}); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		packets []capture.Packet
		verdict conformance.Verdict
	}{
		{[]capture.Packet{says(1, 1), says(2, 2), says(3, 3)}, conforms},
		{[]capture.Packet{says(1, 1), says(3, 3), says(2, 2)}, conforms},
		{[]capture.Packet{says(3, 3), says(1, 1), says(2, 2)}, conforms},
		{[]capture.Packet{says(1, 1), says(3, 3), says(2, 1)}, refuted},
		{[]capture.Packet{says(1, 1), says(3, 2), says(2, 2)}, refuted},
		{[]capture.Packet{says(1, 1), says(3, 2)}, conforms}, // the second took no step
	} {
		report, err := captures.Check(c.packets, captures.Options{Find: findCounter, Ring: ascending(2)})
		if err != nil || report.Verdict != c.verdict {
			t.Errorf("%v, %v: %+v, %v", c.packets[1].Frame.Incarnation, c.packets[1].Frame.Body, report, err)
		}
	}
}

// TestSpeaksWhenGone: what a life of a process sends is seen before its next life speaks between the same
// sockets, or never. A copy may come whenever it likes.
func TestSpeaksWhenGone(t *testing.T) {
	frame := func(kind wire.Kind, life uint32, to spec.ID, sequence uint64) capture.Packet {
		p := told(kind, 1, sequence, 0)
		p.Frame.Incarnation, p.Frame.To, p.To = life, to, home(to)
		return p
	}
	says := func(life uint32, to spec.ID) capture.Packet { return frame(wire.Data, life, to, uint64(to)-1) } // 1 notices, and tells 2, then 3
	beats := func(life uint32, to spec.ID) capture.Packet { return frame(wire.Heartbeat, life, to, 0) }
	change := func(p capture.Packet, by func(*capture.Packet)) capture.Packet { by(&p); return p }
	answer := change(told(wire.Data, 1, 1, 0), func(p *capture.Packet) { p.Frame.From, p.Frame.To, p.From, p.To = 2, 1, p.To, p.From })
	for _, c := range []struct {
		name    string
		packets []capture.Packet
		gaps    bool
		late    bool
	}{
		{"in order", []capture.Packet{says(1, 2), says(1, 3), beats(2, 2), says(2, 2), says(2, 3)}, false, false},
		{"after a heartbeat", []capture.Packet{says(1, 3), beats(2, 2), says(1, 2), answer}, false, true},
		{"after a message", []capture.Packet{says(1, 2), says(2, 2), says(2, 3), says(1, 3)}, false, true},
		{"after two lives", []capture.Packet{says(1, 2), says(2, 2), says(2, 3), says(3, 2), says(1, 3)}, false, true},
		{"after one to another", []capture.Packet{says(1, 2), beats(2, 2), says(1, 3)}, false, false},
		{"a copy", []capture.Packet{says(1, 2), says(1, 3), beats(2, 2), says(1, 2)}, false, false},
		{"the same to another life", []capture.Packet{says(1, 2), says(1, 3), beats(2, 2), change(says(1, 2), func(p *capture.Packet) { p.Frame.Acked = 2 })}, false, true},
		{"from elsewhere", []capture.Packet{says(1, 3), beats(2, 2), change(says(1, 2), func(p *capture.Packet) { p.From = netip.AddrPortFrom(p.From.Addr(), 7) })}, false, false},
		{"in another connection", []capture.Packet{says(1, 3), beats(2, 2), change(says(1, 2), func(p *capture.Packet) { p.TCP = true })}, false, false},
		{"with gaps", []capture.Packet{says(1, 3), beats(2, 2), says(1, 2)}, true, false},
	} {
		o := captures.Options{Find: findChatter, Ring: ascending(3), Gaps: c.gaps}
		report, err := captures.Explore(c.packets, o)
		if err != nil {
			t.Fatal(c.name, err)
		}
		want := map[bool]conformance.Verdict{false: conformance.Conforms, true: conformance.Refuted}[c.late]
		if u := report.Unexplained; report.Verdict != want || c.late && (!strings.Contains(u.Reason, "has spoken before, from the same address") || len(u.Counterfactuals) != 2 || u.Counterfactuals[1].Change != "if packets are missing, as with --gaps") {
			t.Errorf("%s: %v %s %+v", c.name, report.Verdict, report.Reason, u)
		}
		want = map[bool]conformance.Verdict{false: conformance.Conforms, true: conformance.Unknown}[c.late]
		part := capture.Packet{Err: capture.ErrMissing} // it may have been the first copy
		if report, err := captures.Check(append(slices.Clone(c.packets), part), o); err != nil || report.Verdict != want {
			t.Errorf("%s, and a part of a packet: %+v, %v", c.name, report, err)
		}
		o.Only = 2
		if report, err := captures.Check(append(c.packets, answer), o); err != nil || report.Verdict != conformance.Conforms {
			t.Errorf("%s, and process 2 is judged: %+v, %v", c.name, report, err)
		}
	}
}
