package network

import (
	"slices"
	"sync"
	"testing"
	"time"

	"interleave/impl/wire"
	"interleave/spec"
)

// frameOf returns a frame of a process to another, with a sequence number.
func frameOf(t *testing.T, l Link, sequence uint64) []byte {
	t.Helper()
	f := wire.Frame{Header: wire.Header{Kind: wire.Data, Algorithm: "test", From: l.From, To: l.To, Incarnation: 2, Sequence: sequence, Link: sequence + 100}}
	b, err := f.Append(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func loggedNetwork(t *testing.T, seed uint64, f Faults) (n *Network, settled func() []Settled) {
	t.Helper()
	var mu sync.Mutex
	var all []Settled
	n = New(seed, f, func(s Settled) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, s)
	})
	return n, func() []Settled {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

var oneTwo, twoOne = Link{1, 2}, Link{2, 1}

func TestNetworkLogsWhatItDoes(t *testing.T) {
	n, settled := loggedNetwork(t, 7, storm)
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	var want []Fate
	for i := range 300 {
		fate, passes := n.arrive(oneTwo, frameOf(t, oneTwo, uint64(i+1)), at, false)
		if passes == fate.Lost {
			t.Fatal("a lost frame passes, or another does not")
		}
		want = append(want, fate)
	}
	var lost, copied, held int
	for i, line := range settled() {
		fate := want[i]
		if fate != storm.Fate(7, 1, 2, uint64(i+1)) {
			t.Fatalf("frame %d: %+v", i+1, fate)
		}
		if line.Ordinal != uint64(i+1) || line.Sequence != uint64(i+1) || line.Link != uint64(i+101) || line.Incarnation != 2 ||
			line.Kind != "data" || line.From != 1 || line.To != 2 || !line.Time.Equal(at) || line.Bytes == 0 || line.Unreadable != "" {
			t.Fatalf("line %d: %+v", i+1, line)
		}
		if (line.Fate == Dropped) != fate.Lost || line.Held != fate.Held || (line.CopyDelayMS != nil) != fate.Copied ||
			line.DelayMS != milliseconds(fate.Delay[0]) || fate.Copied && *line.CopyDelayMS != milliseconds(fate.Delay[1]) {
			t.Fatalf("line %d: %+v for %+v", i+1, line, fate)
		}
		for what, count := range map[*int]bool{&lost: fate.Lost, &copied: fate.Copied, &held: fate.Held} {
			if count {
				*what++
			}
		}
	}
	_, _, sentBy, traffic := n.Now()
	if traffic != (Traffic{Frames: 300, Messages: 300, Lost: lost, Copied: copied, Held: held}) || sentBy[1] != 300 {
		t.Errorf("%+v %v", traffic, sentBy)
	}
	if lost == 0 || copied == 0 || held == 0 {
		t.Error("some fault was never seen")
	}
}

func TestNetworkCuts(t *testing.T) {
	n, settled := loggedNetwork(t, 1, Faults{})
	passes := func(l Link) bool {
		_, passes := n.arrive(l, []byte("no frame"), time.Now(), false)
		return passes
	}
	var told int
	n.onCut = func(blocked func(Link) bool) {
		told++
		if !blocked(oneTwo) {
			t.Error("the cut is told of before it is there")
		}
	}
	cutOneWay := func() func() { return n.CutOff("cut 1 -> 2", Between(spec.SetOf(1), spec.SetOf(2))) }
	mendOneWay := cutOneWay()
	if passes(oneTwo) || !passes(twoOne) {
		t.Error("a one-way cut does not cut one way")
	}
	mendTwoWay := n.CutOff("partition 1 | 2", append(Between(1, 2), Between(2, 1)...))
	mendOneWay()
	if passes(oneTwo) || passes(twoOne) || !passes(Link{1, 3}) {
		t.Error("a partition is not what is cut")
	}
	cutOneWay()
	n.Heal()
	mendTwoWay()
	if !passes(oneTwo) || !passes(twoOne) || told != 3 {
		t.Error("the healing heals not")
	}
	all := settled()
	if all[0].Fate != Stopped || all[0].Unreadable != "foreign" || all[1].Fate != Passed {
		t.Errorf("%+v", all)
	}
	if _, _, _, traffic := n.Now(); traffic.Cut != 3 || traffic.Unreadable != len(all) {
		t.Errorf("%+v", traffic)
	}
}

// TestNetworkStreams: in a stream the lost is late, and nothing else happens.
func TestNetworkStreams(t *testing.T) {
	n, settled := loggedNetwork(t, 1, Faults{Loss: certain / 2, Duplicate: certain, Reorder: certain})
	for range 100 {
		if fate, passes := n.arrive(oneTwo, []byte("x"), time.Now(), true); !passes || fate.Copied || fate.Held {
			t.Fatal("a stream is copied, reordered or not passed on")
		}
	}
	n.broken(oneTwo, 5, time.Now())
	n.broken(oneTwo, 0, time.Now())
	all := settled()
	if last := all[100]; len(all) != 101 || last.Fate != Broken || last.Frames != 5 {
		t.Errorf("%+v", all[100:])
	}
	if _, _, _, traffic := n.Now(); traffic.Stalled < 30 || traffic.Lost != 0 || traffic.Cut != 5 {
		t.Errorf("%+v", traffic)
	}
}

// TestFaultsChange: fates depend on the rates in force, and ordinals go on.
func TestFaultsChange(t *testing.T) {
	n, _ := loggedNetwork(t, 1, Faults{})
	n.arrive(oneTwo, nil, time.Now(), false)
	n.Change(func(f *Faults) { f.Loss = certain })
	if _, passes := n.arrive(oneTwo, nil, time.Now(), false); passes || n.ordinals[oneTwo] != 2 {
		t.Error("the change changes nothing")
	}
}
