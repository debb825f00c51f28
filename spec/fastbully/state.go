package fastbully

import (
	"fmt"

	"interleave/spec"
)

// Phase is what a process is doing.
type Phase uint8

const (
	Idle       Phase = iota
	Recovering       // asked for the views of the others; collects them for T2
	Electing         // asked everyone above; collects answers for T2
	Nominated        // nominated one that answered; gives it T3 to declare itself
)

func (p Phase) String() string {
	return [...]string{"idle", "recovering", "electing", "nominated"}[p]
}

// State is what a process remembers.
type State struct {
	Phase   Phase
	Leader  spec.ID
	Answers spec.Set // of the election that this process manages: who answered, and was not nominated in vain
	Nominee spec.ID
	Waits   bool     // answered an election: T4 runs until it is nominated or told of a coordinator
	View    spec.Set // who takes part, this process included
	Heard   Views
}

// Views is what a recovering process heard of the views of others. The zero
// value: nothing yet.
type Views struct {
	Union    spec.Set
	Repliers spec.Set
	Leader   spec.ID // the largest that anybody follows
}

// Kind is a kind of message.
type Kind uint8

const (
	IAmUp       Kind = iota // to all others: I am up again
	View                    // to the one that is up: who takes part, and whom I follow
	Election                // to all above: is anybody there?
	Answer                  // to the manager of an election: I am
	Nomination              // to the highest that answered: be the coordinator
	Coordinator             // to all below: I am the leader
	Known                   // mended, to a manager that nominated me: I know of a higher coordinator
)

var kinds = []string{"IAMUP", "VIEW", "ELECTION", "ANSWER", "NOMINATION", "COORDINATOR", "KNOWN"}

func (k Kind) String() string { return kinds[k] }

// Msg is a message. The fields that its kind has no use for are zero.
type Msg struct {
	Kind   Kind
	View   spec.Set // of a View
	Leader spec.ID  // of a View, or a Known
}

func (m Msg) String() string {
	switch m.Kind {
	case View:
		return fmt.Sprintf("%v(%v, %v)", m.Kind, m.View, m.Leader)
	case Known:
		return fmt.Sprintf("%v(%v)", m.Kind, m.Leader)
	}
	return m.Kind.String()
}
