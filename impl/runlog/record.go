package runlog

import (
	"cmp"
	"encoding/json"
	"time"

	"interleave/spec"
)

// What a line of a log is about.
const (
	LineBegin   = "begin"   // a process starts: the first line of each incarnation
	LineStep    = "step"    // a step of the machine
	LineRefused = "refused" // the machine refuses an event; a message is tried again later
	LineLost    = "lost"    // messages of this process that it gives up sending
	LineBreach  = "breach"  // an assumption was seen violated
	LineEnd     = "end"     // the process was asked to stop: the last line of an incarnation that does not crash
)

// Record is one line of the log of a process, as JSON. A step is written before
// anything that it sends leaves. Fields that do not apply are left out.
type Record struct {
	Line        string    `json:"line"`
	Process     spec.ID   `json:"process"`
	Incarnation uint32    `json:"incarnation"`
	Number      uint64    `json:"number"` // number of this line in its incarnation, from 1
	Time        time.Time `json:"time"`

	Begin *Begin `json:"begin,omitempty"`

	Step    uint64            `json:"step,omitempty"` // number of the step, from 1
	Input   *Input            `json:"input,omitempty"`
	Sends   []Sent            `json:"sends,omitempty"` // in program order
	Outputs []json.RawMessage `json:"told,omitempty"`
	Armed   []string          `json:"armed,omitempty"`   // timers that the step armed
	Stopped []string          `json:"stopped,omitempty"` // and those it stopped, armed or not
	Leader  *spec.ID          `json:"leader,omitempty"`  // whom this process follows, after the step if there is one; left out where nobody is elected
	State   json.RawMessage   `json:"state,omitempty"`   // after the step
	Before  string            `json:"before,omitempty"`  // HashState of the state before the step
	After   string            `json:"after,omitempty"`   // and after it
	Lost    []Name            `json:"lost,omitempty"`
	Breach  *Breach           `json:"breach,omitempty"`
	Reason  string            `json:"reason,omitempty"` // why messages were lost
	Chain   string            `json:"chain,omitempty"`  // hash of the Chain of the line before and of all of this line before the chain
}

// Begin says what a process runs, and on what assumptions.
type Begin struct {
	Version   int               `json:"version"` // of this format
	Algorithm string            `json:"algorithm"`
	Shape     uint64            `json:"shape,string"` // of its messages, as in the frames
	Run       uint64            `json:"run,string"`
	Ring      []spec.ID         `json:"ring"`
	Delta     string            `json:"delta"`
	Durations map[string]string `json:"durations"`
	Initiator bool              `json:"initiator"`
	Datagrams bool              `json:"datagrams"`
}

// Name names a message: no two have the same one in a run.
type Name struct {
	From        spec.ID `json:"from"`
	Incarnation uint32  `json:"incarnation"` // of the sender
	Sequence    uint64  `json:"sequence"`    // counts all messages of the sender in this incarnation, from 1
}

// Compare orders the messages of one process as it sent them.
func (n Name) Compare(other Name) int {
	return cmp.Or(cmp.Compare(n.Incarnation, other.Incarnation), cmp.Compare(n.Sequence, other.Sequence))
}

// Input is the event of a step.
type Input struct {
	Event     string          `json:"event"`               // a spec.EventKind, or the name of a spec.Action
	Memory    json.RawMessage `json:"memory,omitempty"`    // init: the state it starts from
	Initiator bool            `json:"initiator,omitempty"` // start
	Value     json.RawMessage `json:"value,omitempty"`     // of an action, if it takes one
	Choices   []int           `json:"choices,omitempty"`   // what the handler chose, in turn
	Timer     string          `json:"timer,omitempty"`     // timeout
	Peer      spec.ID         `json:"peer,omitempty"`      // suspect, restore
	Live      *spec.Set       `json:"live,omitempty"`      // if the algorithm asks an oracle
	Received  *Letter         `json:"received,omitempty"`  // receive
	Round     int64           `json:"round,omitempty"`     // round: its number, from 1
	Inbox     []Letter        `json:"inbox,omitempty"`     // round
	Delay     string          `json:"delay,omitempty"`     // receive: from the first sending to now, by two clocks
}

// Letter is a message that was received.
type Letter struct {
	Name
	Kind    string          `json:"kind"`
	Message json.RawMessage `json:"message"`
}

// Sent is a message that a step sends.
type Sent struct {
	To       spec.ID         `json:"to"`
	Next     bool            `json:"next,omitempty"` // it was for the next live process on the ring, which is To
	Sequence uint64          `json:"sequence"`
	Kind     string          `json:"kind"`
	Message  json.RawMessage `json:"message"`
}

// BreachKind is an assumption that can be seen to fail.
type BreachKind string

const (
	BreachDelay     BreachKind = "delay"     // a message took longer than delta
	BreachRound     BreachKind = "round"     // a message came after its round, and is dropped; or rounds went by while the process did not run
	BreachSuspended BreachKind = "suspended" // the process did not run for longer than delta
	BreachClock     BreachKind = "clock"     // the wall clock jumped by more than delta, or a message is from the future
	BreachSuspicion BreachKind = "suspicion" // a process that was suspected is up, and never went down
)

// BreachKinds lists all of them.
var BreachKinds = []BreachKind{BreachDelay, BreachRound, BreachSuspended, BreachClock, BreachSuspicion}

// Breach is an assumption that failed: what an algorithm does wrong after it may not be
// the algorithm's fault.
type Breach struct {
	Kind    BreachKind `json:"kind"`
	Peer    spec.ID    `json:"peer,omitempty"`
	Message *Name      `json:"message,omitempty"`
	Took    string     `json:"took,omitempty"`   // how long, or how far
	Rounds  int64      `json:"rounds,omitempty"` // how many went by in which the process did not run
	Delta   string     `json:"delta"`
	Text    string     `json:"text"` // "assumption violated: …"
}

// Following returns what records say of whom a process of a machine follows.
func Following(t spec.Traits, leader spec.ID) *spec.ID {
	if !t.Elects {
		return nil
	}
	return &leader
}

// SetEffects fills in what a step of a machine armed, stopped, sent and put out. A message to
// the next live process goes to next. The first message has the number after sequence. In case
// of an error the rest is filled in.
func (r *Record) SetEffects(t spec.Traits, fx spec.Effects, next func() spec.ID, sequence uint64) (failed error) {
	plain := func(v any) json.RawMessage {
		text, err := PlainJSON(v)
		if failed == nil {
			failed = err
		}
		return text
	}
	r.Armed, r.Stopped = t.TimerNames(fx.Armed), t.TimerNames(fx.Stopped)
	for _, v := range fx.Outputs {
		r.Outputs = append(r.Outputs, plain(v))
	}
	for i, s := range fx.Sends {
		sent := Sent{To: s.To, Next: s.To == spec.NextLive, Sequence: sequence + uint64(i) + 1, Kind: t.Kind(s.Message), Message: plain(s.Message)}
		if sent.Next {
			sent.To = next()
		}
		r.Sends = append(r.Sends, sent)
	}
	return failed
}
