package gpbft

import (
	"fmt"
	"maps"

	"interleave/spec"
	"interleave/spec/object"
)

// Options are what happens in a world. The zero value: processes 1 and 2 want one chain, the others another one, and nobody
// says anything again.
type Options struct {
	Name    string
	Inputs  []string // the chains that the processes want, a letter for each tip set, the first the same in all
	Repeats bool     // a process that waits for long says all again, as often as it likes
	Slow    spec.Set // whose clocks are so slow that the first phase does not end by them
}

func (o *Options) input(p spec.ID) string {
	switch {
	case int(p) <= len(o.Inputs):
		return o.Inputs[p-1]
	case p <= 2:
		return "GA"
	}
	return "GB"
}

const (
	phases spec.Timer = iota
	repeats
)

type (
	state = object.State[struct{}, View]
	code  = object.Code[*Node, struct{}, View, Msg]
)

// Ignored is what two nodes may differ in, and be the same all the same.
var Ignored = map[string]string{
	"Participant.messageCache":        "remembers what was validated, and the same comes out without it",
	"cachingValidator.cache":          "the same",
	"atomicProgression.progression":   "what is there has Node.view and instance.current, too",
	"ECChain.key":                     "a hash of the chain, once it is asked for",
	"ECChain.keyLazyLoader":           "the same",
	"Node.now":                        "times are compared with each other only, and how that comes out is in Node.rings",
	"Node.at":                         "the same",
	"instance.phaseTimeout":           "the same",
	"instance.rebroadcastTimeout":     "the same",
	"instance.rebroadcastAttempts":    "makes the next wait longer, and how long it is nobody knows here",
	"quorumState.attributes":          "for metrics, which go nowhere",
	"convergeState.attributes":        "the same",
	"convergeState.sendersTotalPower": "the same",
}

// New returns the algorithm.
func New(o Options) *code {
	c := &code{Open: o.open, Handle: o.handle, View: func(n *Node) View { return n.view }, Timers: o.timers, Ignore: maps.Clone(Ignored)}
	c.Events = []spec.EventKind{spec.Start}
	a := &c.Algorithm
	a.Name, a.Doc, a.Source = "filecoin/gpbft", "GossiPBFT of Filecoin, unchanged", "github.com/filecoin-project/go-f3"
	if o.Name != "" {
		a.Name += "/" + o.Name
	}
	a.Rules = []spec.TimerRule[state, Msg]{phases: {Name: "T_phase"}, repeats: {Name: "T_repeat"}}
	a.Kinds = []string{"QUALITY", "CONVERGE", "PREPARE", "COMMIT", "DECIDE"}
	a.Kind = func(m Msg) string { return m.open().Vote.Phase.String() }
	a.Measure = func(s state) int { return int(s.View.Round) + 1 } // rounds
	a.World = map[string]string{"timers": "any"}
	a.Promises = []string{}
	a.Properties = Properties
	return c
}

// Properties are those of consensus, and that the core finds no fault with itself.
var Properties = []spec.Property{
	spec.Monitored("agreement", "no two processes decide differently", "", func(first string, s spec.Step) (string, error) {
		decided := s.After.(state).View.Decided
		if first != "" && decided != "" && decided != first {
			return "", fmt.Errorf("process %v decides %s, and %s was decided", s.Process, decided, first)
		}
		return max(first, decided), nil
	}),
	spec.Invariant("no-fault", "the core reports no error of its own", func(w spec.World) error {
		for p, s := range spec.States[state](w) {
			if s.View.Fault != "" {
				return fmt.Errorf("process %v: %s", p, s.View.Fault)
			}
		}
		return nil
	}),
	spec.Cover("decides", "all processes decide", func(w spec.World) bool {
		for _, s := range spec.States[state](w) {
			if s.View.Decided == "" {
				return false
			}
		}
		return w.Live().Len() == w.N()
	}),
}
