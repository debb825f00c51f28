package conformance_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/spec"
	"interleave/spec/ble"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/fastbully"
	"interleave/spec/syncring"
	"interleave/spec/tokenring"
)

// TestFrontiersAgree compares the frontiers of single processes with the subset
// construction of the whole world, on runs that happened and on altered ones.
func TestFrontiersAgree(t *testing.T) {
	testsize.Alone(t)
	for _, c := range []struct {
		machine spec.Machine
		n       int
		most    uint64 // sends of a process
		runs    uint64
	}{
		{bully.Mended, 2, 4, 20}, {bully.Mended, 3, 3, 6}, {bully.Published, 3, 3, 6}, {changroberts.Classic, 3, 4, 20}, {changroberts.Textbook, 3, 4, 20},
		{changroberts.Detecting, 2, 4, 20}, {ble.Mended, 2, 4, 8}, {tokenring.PublishedB, 2, 2, 20}, {fastbully.Mended, 2, 4, 20}, {syncring.Asynchronous, 3, 4, 20},
		{poll, 2, 4, 20},
	} {
		orders := []bool{false, true}
		if c.runs < 10 { // they take long
			c.runs, orders = testsize.Of(3, 3, c.runs), orders[:testsize.Of(1, 1, 2)]
		}
		for _, unordered := range orders {
			t.Run(fmt.Sprintf("%s/%d/%v", c.machine.Traits().Name, c.n, unordered), func(t *testing.T) {
				verdicts := map[string]int{}
				for seed := range c.runs {
					verdicts[agree(t, c.machine, c.n, c.most, unordered, seed)]++
				}
				t.Log(verdicts)
				if verdicts["explained"] == 0 || verdicts["refuted"] == 0 {
					t.Error("only one verdict was compared", verdicts)
				}
			})
		}
	}
}

// agree compares the verdicts on one capture.
func agree(t *testing.T, m spec.Machine, n int, most uint64, unordered bool, seed uint64) string {
	codec, err := wire.NewCodec(m)
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(seed, 3))
	u := &universe{machine: m, ring: model.Ascending(n), unordered: unordered, most: slices.Repeat([]uint64{most}, n)}
	packets := u.wander(chance, codec, 24)
	if !slices.ContainsFunc(packets, func(p capture.Packet) bool { return p.Frame.Kind == wire.Data }) {
		return "empty"
	}
	altered := seed%3 > 0
	if altered {
		packets = spoil(chance, packets, codec, n)
	}
	u.most = slices.Repeat([]uint64{most + 1}, n) // it may have sent some more that the tap did not see
	for _, p := range packets {
		if f := p.Frame; f.Kind == wire.Data {
			u.most[f.From-1] = max(u.most[f.From-1], f.Sequence)
		}
	}
	want, decided := u.explains(packets, codec, 3_000)
	if !decided {
		return "undecided"
	}
	report, err := captures.Check(packets, captures.Options{
		Find: func(string) (spec.Machine, error) { return m, nil }, Ring: u.ring, Network: map[bool]string{true: "bag", false: "fifo"}[unordered],
	})
	if err != nil {
		t.Fatal(seed, err)
	}
	if report.Verdict == conformance.Unknown {
		return "unknown"
	}
	if (report.Verdict == conformance.Conforms) != want || !altered && !want {
		t.Errorf("seed %d: %v, and the whole world says %v; altered %v", seed, report.Verdict, want, altered)
		for _, p := range packets {
			t.Logf("%d: %v %v→%v seq %d link %d %x", p.Number, p.Frame.Kind, p.Frame.From, p.Frame.To, p.Frame.Sequence, p.Frame.Link, p.Frame.Body)
		}
		t.Log(report.Unexplained)
	}
	return map[bool]string{true: "explained", false: "refuted"}[want]
}

// spoil alters one thing in a capture.
func spoil(chance *rand.Rand, packets []capture.Packet, codec *wire.Codec, n int) []capture.Packet {
	var data []int
	for i, p := range packets {
		if p.Frame.Kind == wire.Data {
			data = append(data, i)
		}
	}
	i := data[chance.IntN(len(data))]
	j := data[chance.IntN(len(data))]
	switch chance.IntN(6) {
	case 0: // another packet's message
		packets[i].Frame.Body = packets[j].Frame.Body
	case 1: // the two change places
		packets[i], packets[j] = packets[j], packets[i]
	case 2: // a byte of its message
		body := slices.Clone(packets[i].Frame.Body)
		body[chance.IntN(len(body))] ^= 1
		if _, err := codec.Decode(body); err == nil {
			packets[i].Frame.Body = body
		}
	case 3: // it comes last
		p := packets[i]
		copy(packets[i:], packets[i+1:])
		packets[len(packets)-1] = p
	case 4: // it goes to another
		f := &packets[i].Frame
		for f.To = f.To%spec.ID(n) + 1; f.To == f.From; f.To = f.To%spec.ID(n) + 1 {
		}
	case 5: // it says the same once more, as its next message
		p := packets[i]
		p.Number = len(packets) + 1
		for _, q := range packets {
			if f := q.Frame; f.Kind == wire.Data && f.From == p.Frame.From {
				p.Frame.Sequence = max(p.Frame.Sequence, f.Sequence+1)
				if f.To == p.Frame.To && f.Link > 0 {
					p.Frame.Link = max(p.Frame.Link, f.Link+1)
				}
			}
		}
		return append(packets, p)
	}
	return packets
}

// TestImaginedTooMuch: where messages are missing and may be more than is looked at, as lists that grow may be,
// nothing is refuted.
func TestImaginedTooMuch(t *testing.T) {
	testsize.Alone(t)
	m := tokenring.PublishedB
	codec, err := wire.NewCodec(m)
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(4, 3))
	u := &universe{machine: m, ring: model.Ascending(2), most: slices.Repeat([]uint64{2}, 2)}
	packets := spoil(chance, u.wander(chance, codec, 24), codec, 2)
	report, err := captures.Check(packets, captures.Options{Find: find, Ring: u.ring, Network: "fifo"})
	if err != nil || report.Verdict != conformance.Unknown || !strings.Contains(report.Reason, "what processes may have sent is more than is looked at") {
		t.Errorf("%+v, %v", report, err)
	}
}
