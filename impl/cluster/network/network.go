package network

import (
	"slices"
	"sync"
	"time"

	"interleave/impl/wire"
	"interleave/spec"
)

// Link is the way from one process to another.
type Link struct{ From, To spec.ID }

// Network decides the fate of each frame, for datagrams and for streams.
type Network struct {
	seed  uint64
	fates func(Settled) // gets the fate of each frame

	mu       sync.Mutex
	faults   Faults
	cuts     []*cut
	ordinals map[Link]uint64
	traffic  Traffic
	sentBy   map[spec.ID]int
	onCut    func(blocked func(Link) bool) // called when less may pass than before
}

// cut keeps frames from some links. Partitions are cuts, too.
type cut struct {
	what  string // in the words of the plan
	links []Link
}

// Traffic counts frames by what became of them.
type Traffic struct {
	Frames     int `json:"frames"`     // that reached the proxy
	Messages   int `json:"messages"`   // of them, those that carry messages of the algorithm, sent again ones too
	Lost       int `json:"lost"`       // datagrams by chance
	Stalled    int `json:"stalled"`    // in streams by chance: they come late
	Cut        int `json:"cut"`        // by a partition, or with a connection
	Copied     int `json:"copied"`     // passed on twice
	Held       int `json:"held"`       // for the next to overtake
	Unreadable int `json:"unreadable"` // no frames of ours, passed on all the same
}

// New returns a network with faults in force. Fates gets what becomes of each frame.
func New(seed uint64, faults Faults, fates func(Settled)) *Network {
	return &Network{seed: seed, faults: faults, fates: fates, ordinals: map[Link]uint64{}, sentBy: map[spec.ID]int{}}
}

// arrive settles the fate of a frame that has reached the proxy, and logs it.
// In a stream nothing is copied or overtaken, and what is lost comes late.
func (n *Network) arrive(l Link, frame []byte, at time.Time, stream bool) (Fate, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ordinals[l]++
	fate := n.faults.Fate(n.seed, l.From, l.To, n.ordinals[l])
	if stream {
		fate.Copied, fate.Held = false, false
	}
	line := Settled{Time: at, From: l.From, To: l.To, Ordinal: n.ordinals[l], Bytes: len(frame), Fate: Passed}
	switch {
	case n.blocked(l):
		line.Fate = Stopped
	case fate.Lost && stream:
		line.Fate = Stalled
	case fate.Lost:
		line.Fate = Dropped
	}
	if line.Fate == Passed {
		line.DelayMS, line.Held = milliseconds(fate.Delay[0]), fate.Held
		if fate.Copied {
			line.CopyDelayMS = new(milliseconds(fate.Delay[1]))
		}
	}
	line.describe(frame)
	n.count(line)
	n.fates(line)
	return fate, line.Fate == Passed || line.Fate == Stalled
}

// broken logs frames that were lost with the connection that carried them.
func (n *Network) broken(l Link, frames int, at time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.traffic.Cut += frames
	if frames > 0 {
		n.fates(Settled{Time: at, From: l.From, To: l.To, Fate: Broken, Frames: frames})
	}
}

func (n *Network) count(line Settled) {
	t := &n.traffic
	t.Frames++
	n.sentBy[line.From]++
	if line.Kind == wire.Data.String() {
		t.Messages++
	}
	if line.Unreadable != "" {
		t.Unreadable++
	}
	if line.Held {
		t.Held++
	}
	if line.CopyDelayMS != nil {
		t.Copied++
	}
	switch line.Fate {
	case Dropped:
		t.Lost++
	case Stalled:
		t.Stalled++
	case Stopped:
		t.Cut++
	}
}

// blocked reports whether nothing passes on a link. The lock is held.
func (n *Network) blocked(l Link) bool {
	return slices.ContainsFunc(n.cuts, func(c *cut) bool { return slices.Contains(c.links, l) })
}

// isBlocked is blocked for callers without the lock.
func (n *Network) isBlocked(l Link) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.blocked(l)
}

// CutOff keeps frames from some links. It returns what ends that.
func (n *Network) CutOff(what string, links []Link) (mend func()) {
	c := &cut{what, links}
	n.mu.Lock()
	n.cuts = append(n.cuts, c)
	tell := n.onCut
	n.mu.Unlock()
	if tell != nil {
		tell(n.isBlocked)
	}
	return func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.cuts = slices.DeleteFunc(n.cuts, func(other *cut) bool { return other == c })
	}
}

// Heal ends all cuts.
func (n *Network) Heal() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cuts = nil
}

// Change changes the faults in force.
func (n *Network) Change(f func(*Faults)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	f(&n.faults)
}

// Now returns the faults in force, the cuts in words, the frames by process and
// what became of them.
func (n *Network) Now() (f Faults, cuts []string, sentBy map[spec.ID]int, t Traffic) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.cuts {
		cuts = append(cuts, c.what)
	}
	sentBy = map[spec.ID]int{}
	for id, count := range n.sentBy {
		sentBy[id] = count
	}
	return n.faults, cuts, sentBy, n.traffic
}

// Between returns the links from one set of processes to another.
func Between(from, to spec.Set) []Link {
	var links []Link
	for i := range from.All() {
		for j := range to.Without(i).All() {
			links = append(links, Link{i, j})
		}
	}
	return links
}
