package conformance

import (
	"fmt"
	"time"

	"interleave/conformance/frontier"
	"interleave/spec"
)

// CaptureOptions says what a capture is compared with. What is zero is taken from the
// frames: they name the algorithm, and processes that greet each other say how they are
// set.
type CaptureOptions struct {
	// Find returns the machine for the algorithm that the frames name: that one,
	// or one that they are to be compared with all the same.
	Find       func(algorithm string) (spec.Machine, error)
	Run        *uint64          // which run, if the capture has several
	N          int              // how many processes there are: 1 to N around the ring, if none says hello
	Ring       []spec.ID        // all processes in ring order
	Network    string           // "fifo", "bag" or "set"
	Duplicates bool             // a message may be handled any number of times; not on links that keep order
	Gaps       bool             // packets may be missing, and are anything that the algorithm can have sent
	Cut        bool             // the capture may end in the middle of a packet, or without its end
	Restarts   *int             // at most so many restarts are seen; nil: any
	NoReceives bool             // acknowledgements say nothing of what was handled
	evident    bool             // only those packets may be missing of which the others tell
	left       *int             // hidden steps, and packets, that may still be looked at, in all passes; nil: no limit
	Safety     []SafetyProperty // judged over all explanations, unless Only is set
	Only       spec.ID          // what other processes send is taken as it comes; none: all are judged
	Limit      int              // ways in which a process can stand that one search may look at; 0: a quarter of a million
	Memory     int64            // bytes of the heap of this program; over it nothing is decided. 0: no limit
	Done       <-chan struct{}  // closed: nothing more is looked at. nil: never
}

// Evidence is what a verdict on a capture rests on.
type Evidence string

const (
	EvidenceWire     Evidence = "wire"          // what processes sent
	EvidenceReceives Evidence = "wire+receives" // and by their acknowledgements what they handled
	EvidenceLogs     Evidence = "full log"      // and by their logs everything
)

// CaptureReport is what a capture says of a run, up to the packet that nothing
// explains if there is one.
type CaptureReport struct {
	Verdict      Verdict        `json:"verdict"`
	Reason       string         `json:"reason,omitempty"` // of UNKNOWN: why nobody knows
	Unexplained  *Unexplained   `json:"unexplained,omitempty"`
	Evidence     Evidence       `json:"evidence"`
	Algorithm    string         `json:"algorithm"`          // that it was compared with
	Captured     string         `json:"captured,omitempty"` // that the frames name, if it is another one
	Network      string         `json:"network"`            // "fifo" or "bag"
	Ring         []spec.ID      `json:"ring"`
	Process      spec.ID        `json:"process,omitempty"` // that alone was judged; none: all were
	Run          uint64         `json:"run,string"`
	Packets      Packets        `json:"packets"`
	Messages     []KindCount    `json:"messages"` // as they were sent, by kind
	Incarnations int            `json:"incarnations"`
	Restarts     int            `json:"restarts"` // incarnations that came after another of their process
	Unseen       int            `json:"unseen"`   // frames that were sent, as later numbers say, their arrival or a part of them, and did not pass the tap whole
	Peak         int            `json:"peak"`     // ways in the largest frontier
	Looked       int            `json:"looked"`   // ways looked at in all
	First, Last  time.Time      `json:"-"`
	Leaders      []spec.ID      `json:"leaders"` // whom some process certainly followed at some time
	Safety       []SafetyReport `json:"safety,omitempty"`
	Notes        []string       `json:"notes,omitempty"`
}

// Packets counts the packets of a capture by what they are.
type Packets struct {
	Total      int `json:"total"`
	Data       int `json:"data"`  // messages, each when it was first seen
	Again      int `json:"again"` // the same, seen again
	Acks       int `json:"acks"`
	Heartbeats int `json:"heartbeats"`
	Hellos     int `json:"hellos"`
	Refusals   int `json:"refusals"`
	Delivered  int `json:"delivered"` // of all kinds, behind the network
	OtherRuns  int `json:"other_runs"`
	Unreadable int `json:"unreadable"` // came by our port, and are no frames
}

// Unexplained is the first packet that nothing explains.
type Unexplained struct {
	Number      int           `json:"number"` // in the file, from 1
	Time        time.Time     `json:"time"`
	Process     spec.ID       `json:"process"`
	Incarnation uint32        `json:"incarnation"`
	What        string        `json:"what"` // the packet in words
	Reason      string        `json:"reason"`
	Allowed     []Alternative `json:"allowed,omitempty"` // what the algorithm allows in its place, the nearest first
	Trials      []Trial       `json:"trials,omitempty"`

	spent   bool            // it is one restart too many
	late    bool            // its process was down when it was seen
	hidden  bool            // no hidden steps of its process send it
	at      int             // its place in what was looked at
	instead []frontier.Send // of Allowed
}

// Alternative is what could have been sent in place of a packet.
type Alternative struct {
	What   string `json:"what"`
	When   string `json:"when"` // what the process does then
	State  string `json:"state"`
	Misses []Miss `json:"misses"` // in which the packet differs
}

// Trial is a change to the capture, and what comes of it.
type Trial struct {
	Change string `json:"change"`
	Result string `json:"result"`
	Helps  bool   `json:"helps"` // the rest is explained then
}

func (u *Unexplained) Error() string {
	return fmt.Sprintf("packet %d, process %v, incarnation %d: %s: %s", u.Number, u.Process, u.Incarnation, u.What, u.Reason)
}
