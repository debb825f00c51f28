package cluster

import (
	"bufio"
	"encoding/json"
	"os"
	"sync"
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
	Ordinal uint64    `json:"ordinal,omitempty"` // its place among all that reached the proxy on this link, from 1
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

// lineLog writes JSON lines to a file, and remembers the first error.
type lineLog struct {
	mu   sync.Mutex
	file *os.File
	buf  *bufio.Writer
	enc  *json.Encoder
	err  error
}

func newLineLog(file string) (*lineLog, error) {
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	buf := bufio.NewWriterSize(f, 1<<16)
	return &lineLog{file: f, buf: buf, enc: json.NewEncoder(buf)}, nil
}

func (l *lineLog) write(line any) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.enc.Encode(line); err != nil && l.err == nil {
		l.err = err
	}
}

// flush makes what was written readable for others.
func (l *lineLog) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.buf.Flush(); err != nil && l.err == nil {
		l.err = err
	}
}

func (l *lineLog) close() error {
	if l == nil {
		return nil
	}
	l.flush()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.file.Close(); err != nil && l.err == nil {
		l.err = err
	}
	return l.err
}
