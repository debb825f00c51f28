package picture

import (
	"interleave/spec"
)

// A Picture is a run as lanes, events and messages. A step of a world is one Event; but a
// lock-step round has one for each process that takes part.
type Picture struct {
	Algorithm string    `json:"algorithm"`
	Property  string    `json:"property,omitempty"` // the property that the run is about
	Reason    string    `json:"reason,omitempty"`   // why it is false in the end
	N         int       `json:"n"`                  // processes 1 to N, each with a lane
	Steps     int       `json:"steps"`
	Loop      int       `json:"loop,omitempty"` // if above 0, the run repeats its steps from this one on, or rests if it is beyond Steps
	Turn      int       `json:"turn,omitempty"` // the step after which what goes wrong cannot be averted any more; 0: not known, or never could be
	Events    []Event   `json:"events"`         // in the order of the run
	Messages  []Message `json:"messages"`       // in the order in which they are sent
	Views     []View    `json:"views"`          // Views[k] is after k steps; a step that panics has none
}

// An Event is something that happens at one process, or to the network.
type Event struct {
	Step    int      `json:"step"`              // from 1
	Process spec.ID  `json:"process,omitempty"` // 0: it is about the network or time
	Kind    string   `json:"kind"`              // what is handled, as in receive or timeout, the name of a spec.Action, or a model.ActionKind
	Title   string   `json:"title"`             // in words, as in "receive OK from 2"
	Crash   bool     `json:"crash,omitempty"`   // the process crashes, after Cut sends if it handles something
	Cut     int      `json:"cut,omitempty"`
	Disk    int      `json:"disk,omitempty"`    // likewise: see model.Event
	Panic   string   `json:"panic,omitempty"`   // the handler panics, which ends the run
	Changes []string `json:"changes,omitempty"` // in the process, as in "Mode idle → electing"
	Takes   []int    `json:"takes,omitempty"`   // messages that arrive with it, as indices in Messages
	Sends   []int    `json:"sends,omitempty"`
	Loses   []int    `json:"loses,omitempty"`  // messages that end with it and do not arrive, likewise
	Causes  []int    `json:"causes,omitempty"` // indices in Events: the one before at this process, and those that sent what it takes
	Faded   bool     `json:"faded,omitempty"`  // it does not matter to what the run shows
	Clock   []int    `json:"clock,omitempty"`  // by process, number 1 first: how many of its events are this one or before it

	keeps string // one of the Changes of a crash: what stable storage has
}

// A Message is a message, or a copy of one.
type Message struct {
	From   spec.ID `json:"from"`
	To     spec.ID `json:"to"`
	Text   string  `json:"text"`
	SentBy int     `json:"sent_by"`          // place in Events
	EndsIn int     `json:"ends_in"`          // index in Events; -1: it is still in flight at the end
	Fate   Fate    `json:"fate"`             //
	Copied bool    `json:"copied,omitempty"` // SentBy is the event in which the network copies another
}

// Fate is what becomes of a message.
type Fate uint8

const (
	OnItsWay  Fate = iota // still in flight at the end
	Delivered             // handled by its receiver
	Lost                  // lost by the network
	ToDown                // its receiver crashed before or while it was in flight
	CutOff                // sent to the other side of a divided network
	Absorbed              // equal to a message that was in flight, in a network of sets
	Unheard               // its receiver takes part in no further round
)

var fateNames = []string{"on its way", "delivered", "lost", "receiver down", "cut off", "absorbed", "unheard"}

func (f Fate) String() string { return fateNames[f] }

// MarshalText writes the fate in words.
func (f Fate) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// A View says which leader each process follows, and who is up. Both lists are by process, number
// 1 first.
type View struct {
	Leader []spec.ID `json:"leader,omitempty"` // 0: nobody, or the process is down; nil: nobody is elected
	Status []string  `json:"status"`           // up, down, booting
}

// leader is whom a process follows; 0: nobody.
func (v View) leader(p spec.ID) spec.ID {
	if v.Leader == nil {
		return spec.None
	}
	return v.Leader[p-1]
}

// last is the view at the end.
func (p *Picture) last() View { return p.Views[len(p.Views)-1] }

// title says what the picture shows.
func (p *Picture) title() string {
	text := p.Algorithm
	if p.Property != "" {
		text += ": " + p.Property
	}
	if p.Reason != "" {
		text += " is false: " + p.Reason
	}
	if text == "" {
		return "a run"
	}
	return text
}
