package logs

import (
	"fmt"
	"io"

	"interleave/conformance"
	"interleave/impl/runlog"
	"interleave/linear"
	"interleave/spec"
)

// Log is the log of one process, over all its incarnations.
type Log struct {
	Name string // as in messages: that of the file
	io.Reader
}

// Options says what logs are compared with.
type Options struct {
	// Find returns the machine for the algorithm that the logs name: that
	// one, or one that they are to be compared with all the same.
	Find func(algorithm string) (spec.Machine, error)
	// Unordered: messages may overtake each other, even if the algorithm was
	// made for links that keep order.
	Unordered bool
	Budget    Budget          // the zero value: no fault at all
	Done      <-chan struct{} // closed: the check ends. nil: never
}

// Budget is how many faults of a kind a run may have; Any: any number.
type Budget struct {
	Losses, Duplicates, Crashes, Recoveries int
}

// Any is no limit.
const Any = -1

// AnyFaults is the budget if nothing is known of the faults of the run. The runtime
// never handles a message twice, however often it comes.
var AnyFaults = Budget{Losses: Any, Crashes: Any, Recoveries: Any}

// Report describes the logs of a run, up to the refutation if there is one.
type Report struct {
	Verdict      conformance.Verdict       `json:"verdict"`
	Reason       string                    `json:"reason,omitempty"` // of UNKNOWN: the reason
	Refutation   *Refutation               `json:"refutation,omitempty"`
	Algorithm    string                    `json:"algorithm"`        // the algorithm that they were compared with
	Logged       string                    `json:"logged,omitempty"` // the one that they name, if it is another
	Processes    int                       `json:"processes"`
	Incarnations int                       `json:"incarnations"`
	Lines        int                       `json:"lines"`
	Steps        int                       `json:"steps"`
	Kinds        []conformance.KindCount   `json:"kinds"` // every kind of step that the algorithm can take
	Messages     Messages                  `json:"messages"`
	Refusals     int                       `json:"refusals"` // messages that had to wait
	Crashes      int                       `json:"crashes"`  // incarnations without an end, or with another incarnation after them
	Recoveries   int                       `json:"recoveries"`
	LateRounds   int                       `json:"late_rounds"` // messages read in a later round than the one after they were sent
	Breaches     map[runlog.BreachKind]int `json:"breaches"`
	FirstBreach  *Place                    `json:"first_breach,omitempty"` // in the order of explanation
	Notes        []Note                    `json:"notes,omitempty"`
	Properties   []PropertyReport          `json:"properties,omitempty"`   // of the algorithm, as this run kept them, if it is CONFORMS
	JudgedUntil  string                    `json:"judged_until,omitempty"` // when they were judged for the last time and why, if that was before the logs end
	Unjudged     string                    `json:"unjudged,omitempty"`     // why there are none
	Objects      []linear.Verdict          `json:"objects,omitempty"`      // of the algorithm, as this run showed them, if it is CONFORMS
}

// PropertyReport says whether a run kept a property that its algorithm brings along. It is about this run, and
// proves nothing about others.
type PropertyReport struct {
	Property string `json:"property"`
	Doc      string `json:"doc,omitempty"`
	Holds    bool   `json:"holds"`
	Reason   string `json:"reason,omitempty"` // why not
	Judged   int    `json:"judged"`           // states or steps in which it was; 0: it never was
	Cover    bool   `json:"cover,omitempty"`  // it says that some state is reached: Judged are those, and 0 breaks nothing
}

// Messages counts what became of the messages. One that is sent is handled, lost,
// dropped or left.
type Messages struct {
	Sent     int `json:"sent"`
	Handled  int `json:"handled"` // at least once
	Lost     int `json:"lost"`    // never handled: on a link that keeps order, a later one was; or the sender gave it up
	Dropped  int `json:"dropped"` // the same, and its receiver had gone down in the meantime
	Left     int `json:"left"`    // not handled when the logs end: in flight, or lost
	Copied   int `json:"copied"`  // handled once more
	Overtook int `json:"overtook"`
	GivenUp  int `json:"given_up"` // by their senders, who cannot know whether they arrived
}

// Place is a line of a file.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Note is something that a reader of the report should know.
type Note struct {
	Place
	Text string `json:"text"`
}

// Refutation is the first line that nothing explains.
type Refutation struct {
	Place
	Process     spec.ID                 `json:"process"`
	Incarnation uint32                  `json:"incarnation"`
	Step        uint64                  `json:"step,omitempty"`
	What        string                  `json:"what"`   // the line in words: "receive OK from 3"
	Reason      string                  `json:"reason"` // why nothing explains it
	Misses      []conformance.FieldDiff `json:"misses,omitempty"`
}

func (r *Refutation) Error() string {
	text := fmt.Sprintf("%v: process %v, incarnation %d, %s: %s", r.Place, r.Process, r.Incarnation, r.What, r.Reason)
	for _, m := range r.Misses {
		text += "; " + m.String()
	}
	return text
}
