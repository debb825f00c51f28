package runcheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"interleave/spec"
)

// Occasion is something that happened in a run of mc cluster: a line of occasions.ndjson.
type Occasion struct {
	Time    time.Time `json:"time"`
	Elapsed float64   `json:"elapsed"` // seconds since the beginning
	What    string    `json:"what"`    // one of these, a verb of the plan, or warning, agreed, disagreed, stuck
	Process spec.ID   `json:"process,omitempty"`
	Text    string    `json:"text"`
}

// What an Occasion can be that matters to the judgement of a run.
const (
	Begin   = "begin"   // all processes are started after it
	Kill    = "kill"    // one is dead, if the line names one
	Failed  = "failed"  // one ended by itself, or did not come back
	Restart = "restart" // one is started after it, if the line names one
	Healed  = "healed"  // all faults are over
	Over    = "over"    // the plan is over, and had no faults but crashes
)

// Occasions is what mc cluster tells of a run besides the logs.
type Occasions struct {
	began   time.Time
	healed  time.Time // when the last fault ended; zero: there were none but crashes
	changes []change  // who died and who was started again
}

// Remedy says what to do about an occasions.ndjson that is no good.
const Remedy = "remove it, and the logs alone are judged"

// never is after each time of a run.
var never = time.Unix(1<<40, 0)

// ReadOccasions reads an occasions.ndjson. It is nil if mc cluster was killed before it told anything; then a last line may
// be cut short.
func ReadOccasions(name string) (*Occasions, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	o, n := &Occasions{healed: never}, 0
	for line := range bytes.Lines(text) {
		if n++; !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		if err := o.take(line); err != nil {
			return nil, fmt.Errorf("%s:%d: it is no line of mc cluster: %w", name, n, err)
		}
	}
	if o.began.IsZero() {
		return nil, nil
	}
	return o, nil
}

func (o *Occasions) take(line []byte) error {
	var l Occasion
	if err := json.Unmarshal(line, &l); err != nil {
		return err
	}
	switch {
	case l.Time.IsZero():
		return errors.New("it has no time")
	case l.Process < 0 || l.Process > spec.MaxID:
		return fmt.Errorf("there is no process %d", int(l.Process))
	case (l.What == Begin) != o.began.IsZero():
		return errors.New(`the first line, and no other, is "begin"`)
	case l.What == Begin:
		o.began = l.Time
	case l.What == Healed:
		o.healed = l.Time
	case l.What == Over:
		o.healed = time.Time{}
	case l.Process != spec.None && slices.Contains([]string{Kill, Failed, Restart}, l.What):
		o.changes = append(o.changes, change{time: l.Time, process: l.Process, up: l.What == Restart})
	}
	return nil
}

// Down returns the processes that were down in the end. None is if nothing is told.
func (o *Occasions) Down() (down spec.Set) {
	if o == nil {
		return 0
	}
	for _, c := range o.changes {
		if down = down.With(c.process); c.up {
			down = down.Without(c.process)
		}
	}
	return down
}

// of returns the changes of all n processes of a run.
func (o *Occasions) of(n int) (all []change, err error) {
	for p := range spec.UpTo(n).All() {
		all = append(all, change{time: o.began, process: p, up: true})
	}
	for _, c := range o.changes {
		if int(c.process) > n {
			return nil, fmt.Errorf("occasions.ndjson tells of process %v, and there are %d logs: %s", c.process, n, Remedy)
		}
	}
	return append(all, o.changes...), nil
}
