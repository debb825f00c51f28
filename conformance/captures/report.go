package captures

import (
	"fmt"
	"time"

	"interleave/conformance"
	"interleave/conformance/frontier"
	"interleave/spec"
)

// Options says what a capture is compared with. Zero values are taken from the
// frames: they name the algorithm, and the hellos of processes have their settings.
type Options struct {
	// Find returns the machine for the algorithm that the frames name: that one,
	// or one that they are to be compared with all the same.
	Find       func(algorithm string) (spec.Machine, error)
	Run        *uint64          // which run, if the capture has several
	N          int              // how many processes there are: 1 to N around the ring, if none says hello
	Ring       []spec.ID        // all processes in ring order
	Network    string           // "fifo", "bag" or "set"
	Duplicates bool             // a message may be handled any number of times; not on links that keep order
	Gaps       bool             // packets may be missing; they may be anything that the algorithm can have sent
	Cut        bool             // the capture may end in the middle of a packet, or without its end
	Restarts   *int             // the largest number of restarts that may be seen; nil: any
	NoReceives bool             // acknowledgements do not show what was handled
	Skew       *time.Duration   // one tap took all packets in their order, and no clock of a process is further ahead of its own; nil: not known
	anyOrder   bool             // packets may be in another order
	evident    bool             // only packets that the others tell of may be missing
	once       bool             // a message that went to several incarnations is handled by none but the last
	left       *int             // hidden steps, and packets, that may still be considered, in all passes; nil: no limit
	Safety     []SafetyProperty // judged over all explanations, unless Only is set
	Only       spec.ID          // what other processes send is accepted as it is; none: all are judged
	Limit      int              // ways of a process that one search may consider; 0: a quarter of a million
	Tries      int              // hidden steps and packets of all counterfactuals, and of Minimal; 0: a minute's work
	Memory     int64            // bytes of the heap of this program; above that nothing is decided. 0: no limit
	Done       <-chan struct{}  // closed: the check ends. nil: never
}

// Evidence is what a verdict on a capture rests on.
type Evidence string

const (
	EvidenceWire     Evidence = "wire"          // what processes sent
	EvidenceReceives Evidence = "wire+receives" // and by their acknowledgements what they handled
	EvidenceLogs     Evidence = "full log"      // and by their logs everything
)

// Report describes the run of a capture, up to the packet that nothing explains
// if there is one.
type Report struct {
	Verdict      conformance.Verdict     `json:"verdict"`
	Reason       string                  `json:"reason,omitempty"` // of UNKNOWN: the reason
	Undeclared   bool                    `json:"-"`                // of UNKNOWN: what is not explained may come of a value that is not declared
	Unexplained  *Unexplained            `json:"unexplained,omitempty"`
	Evidence     Evidence                `json:"evidence"`
	Algorithm    string                  `json:"algorithm"`          // the algorithm that it was compared with
	Captured     string                  `json:"captured,omitempty"` // the one that the frames name, if it is another
	Network      string                  `json:"network"`            // "fifo" or "bag"
	Ring         []spec.ID               `json:"ring"`
	Process      spec.ID                 `json:"process,omitempty"` // the only process that was judged; none: all were
	Run          uint64                  `json:"run,string"`
	Packets      Packets                 `json:"packets"`
	Messages     []conformance.KindCount `json:"messages"` // as they were sent, by kind
	Incarnations int                     `json:"incarnations"`
	Restarts     int                     `json:"restarts"`         // incarnations that came after another of their process
	Unseen       int                     `json:"unseen"`           // frames that were sent but did not pass the tap whole, by later numbers, their arrival or a part of them
	Peak         int                     `json:"peak"`             // ways in the largest frontier
	Looked       int                     `json:"looked"`           // ways considered in all
	First, Last  time.Time               `json:"-"`                // zero: its times do not tell how long it took
	Leaders      []spec.ID               `json:"leaders,omitzero"` // leaders that some process follows at some moment, whatever the hidden steps were; nil: nobody is elected
	Safety       []SafetyReport          `json:"safety,omitempty"`
	Notes        []string                `json:"notes,omitempty"`
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
	Unreadable int `json:"unreadable"` // on our port, but no frames
}

// Unexplained is the first packet that nothing explains.
type Unexplained struct {
	Number          int              `json:"number"` // in the file, from 1
	Time            time.Time        `json:"time"`
	Process         spec.ID          `json:"process"`
	Incarnation     uint32           `json:"incarnation"`
	What            string           `json:"what"` // the packet in words
	Reason          string           `json:"reason"`
	Allowed         []Alternative    `json:"allowed,omitempty"` // what the algorithm allows in its place, the nearest first
	Counterfactuals []Counterfactual `json:"counterfactuals,omitempty"`

	cause   cause
	at      int             // its index in the packets that were checked
	instead []frontier.Send // the sends of Allowed
}

// Alternative is what could have been sent in place of a packet.
type Alternative struct {
	What   string                  `json:"what"`
	When   string                  `json:"when"` // what the process does then
	State  string                  `json:"state"`
	Misses []conformance.FieldDiff `json:"misses"` // in which the packet differs
}

// Counterfactual is a change to the capture, and what comes of it.
type Counterfactual struct {
	Change string `json:"change"`
	Result string `json:"result"`
	Helps  bool   `json:"helps"` // the rest is explained then
}

func (u *Unexplained) Error() string {
	return fmt.Sprintf("packet %d, process %v, incarnation %d: %s: %s", u.Number, u.Process, u.Incarnation, u.What, u.Reason)
}
