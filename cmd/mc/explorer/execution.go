package explorer

import (
	"interleave/model/picture"
	"interleave/spec"
)

// An Execution is what really ran: packets of a capture, and steps that processes logged
// or that explain the packets. Whoever judges them fills it in.
type Execution struct {
	Name      string           `json:"name"`
	Algorithm string           `json:"algorithm"`
	N         int              `json:"n"`
	Verdict   string           `json:"verdict"`
	Notes     []string         `json:"notes"`
	Packets   []Packet         `json:"packets"`
	Steps     []Step           `json:"steps"`
	Source    string           `json:"source"`  // whence the steps are: logs, or an explanation
	Left      int              `json:"left"`    // steps and packets that are not shown: there are too many
	Picture   *picture.Picture `json:"picture"` // with an event for each of the Steps
}

// Packet is a packet of a capture.
type Packet struct {
	Number      int     `json:"number"`
	Time        string  `json:"time"` // since the first, in seconds
	From        spec.ID `json:"from"`
	To          spec.ID `json:"to"`
	Text        string  `json:"text"`
	Message     string  `json:"message,omitempty"`   // names the message, as Steps do; empty: it carries none
	Delivered   bool    `json:"delivered,omitempty"` // seen behind the network, and not before it
	Unexplained string  `json:"unexplained,omitempty"`
}

// Step is a step of a process.
type Step struct {
	Process     spec.ID   `json:"process"`
	Incarnation uint32    `json:"incarnation"`
	Step        uint64    `json:"step"`
	Time        string    `json:"time,omitempty"`
	Action      string    `json:"action"`
	State       string    `json:"state"`
	Leader      spec.ID   `json:"-"`               // the Picture has it
	Takes       []string  `json:"takes,omitempty"` // names of messages
	Sends       []Sending `json:"sends,omitempty"`
}

// Sending is a message that leaves in a Step.
type Sending struct {
	To      spec.ID `json:"to"`
	Text    string  `json:"text"`
	Message string  `json:"message"` // its name
}
