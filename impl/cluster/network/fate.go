package network

import (
	"time"

	"interleave/impl/wire"
	"interleave/spec"
)

// Settled is a line of the fate log: what became of one frame. A frame's fate
// is settled when it reaches the proxy; one that is on its way to the receiver
// when a partition begins still arrives.
type Settled struct {
	Time    time.Time `json:"time"` // when it reached the proxy
	From    spec.ID   `json:"from"`
	To      spec.ID   `json:"to"`
	Ordinal uint64    `json:"ordinal,omitempty"` // its place among all that reached the proxy on this Link, from 1
	Fate    string    `json:"fate"`              // one of the constants below

	DelayMS     float64  `json:"delay_ms,omitempty"`      // how long it is kept, in milliseconds
	CopyDelayMS *float64 `json:"copy_delay_ms,omitempty"` // if there is a copy: how long that is kept
	Held        bool     `json:"held,omitempty"`          // the next on its link overtakes it
	Frames      int      `json:"frames,omitempty"`        // of a broken connection: how many frames it took with it

	Kind        string `json:"kind,omitempty"` // of the frame, with its numbers, as nobody vouches for them
	Incarnation uint32 `json:"incarnation,omitempty"`
	Sequence    uint64 `json:"sequence,omitempty"`
	Link        uint64 `json:"link,omitempty"`
	Bytes       int    `json:"bytes,omitempty"`
	Unreadable  string `json:"unreadable,omitempty"` // why it is no frame of ours, in one word
}

// What may become of a frame.
const (
	Passed  = "passed"  // after its delay, once or twice
	Dropped = "lost"    // a datagram, by chance
	Stalled = "stalled" // in a stream, by chance: it and all behind it come late
	Stopped = "cut"     // a partition stands in its way
	Broken  = "broken"  // frames on their way when the connection was cut
)

// describe fills in what the frame contains.
func (s *Settled) describe(frame []byte) {
	f, _, err := wire.Inspect(frame)
	if err != nil {
		s.Unreadable = wire.Label(err)
		return
	}
	s.Kind, s.Incarnation, s.Sequence, s.Link = f.Kind.String(), f.Incarnation, f.Sequence, f.Link
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
