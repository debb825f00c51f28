package plan

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"interleave/explore"
	"interleave/model"
)

// MessageCount says how many messages the runs of a world send.
type MessageCount struct {
	Least     int          `json:"least"` // over all runs that come to rest
	Most      int          `json:"most"`  // over all runs; 0 if Unbounded
	Unbounded bool         `json:"unbounded"`
	Ends      bool         `json:"ends"` // some run comes to rest
	LeastRun  *model.Trace `json:"least_run,omitempty"`
	MostRun   *model.Trace `json:"most_run,omitempty"` // if Unbounded, it cycles
}

func (m *MessageCount) String() string {
	least := "no run ends"
	if m.Ends {
		least = fmt.Sprintf("at least %d", m.Least)
	}
	if m.Unbounded {
		return least + ", and without limit"
	}
	return fmt.Sprintf("%s, at most %d", least, m.Most)
}

// Exceeds reports whether some run sends more than so many messages; negative: any finite number.
func (m *MessageCount) Exceeds(most int) bool { return m.Unbounded || most >= 0 && m.Most > most }

// Amid combines the numbers of one world with those of others.
func (m *MessageCount) Amid(others *MessageCount) *MessageCount {
	all := *others
	if m.Ends && (!all.Ends || m.Least < all.Least) {
		all.Ends, all.Least, all.LeastRun = true, m.Least, m.LeastRun
	}
	if !all.Unbounded && (m.Unbounded || m.Most > all.Most) {
		all.Unbounded, all.Most, all.MostRun = m.Unbounded, m.Most, m.MostRun
	}
	return &all
}

// Endless is why a run is one too many that sends messages forever, and Sent says how many one sends.
const Endless = "the run sends messages without end"

func Sent(run *model.Run) string {
	if n := run.MessagesSent(); n != 1 {
		return fmt.Sprintf("the run sends %d messages", n)
	}
	return "the run sends 1 message"
}

// SendsForever reports whether a run sends messages in the steps that it repeats, from number loop on.
func SendsForever(run *model.Run, loop int) bool {
	return slices.ContainsFunc(run.Steps[loop-1:], func(s model.Step) bool { return len(s.Sends) > 0 })
}

// messages implements evidence.
func (s *states) messages(ctx context.Context, p Property) (Finding, error) {
	if s.Outcome != explore.Exhausted {
		return s.unfinished(p), nil
	}
	e, err := s.Graph.Extremes(ctx, model.MessagesSent, s.spare())
	switch {
	case errors.Is(err, explore.ErrOnDisk):
		return Finding{Why: fmt.Sprintf("%v: the messages of runs are counted in memory only", err)}, nil
	case errors.Is(err, explore.ErrMemory):
		return Finding{Why: "the memory limit was reached while messages of runs were counted"}, nil
	case err != nil:
		return Finding{Why: "the look for the longest run did not finish"}, nil
	}
	m := &MessageCount{Least: e.Least, Most: e.Most, Unbounded: e.Unbounded, Ends: e.Ends}
	if m.MostRun, err = s.extreme(e.MostPath, e.Unbounded, p.Name); err != nil {
		return Finding{}, err
	}
	if e.Ends {
		if m.LeastRun, err = s.extreme(e.LeastPath, false, p.Name); err != nil {
			return Finding{}, err
		}
	}
	return s.counted(p, m), nil
}

// extreme records a run that sends the most or the fewest messages. One that cycles ends where it
// was before.
func (s *states) extreme(path explore.Path, cycles bool, name string) (*model.Trace, error) {
	trace, run, err := s.record(path, s.events(path))
	if err != nil {
		return nil, err
	}
	if trace.Property, trace.Reason = name, Sent(run); cycles {
		trace.Loop, trace.Reason = loopOf(path), Endless
	}
	return trace, nil
}

// loopOf returns the number of the first step of the loop of a path that ends where it was before.
func loopOf(path explore.Path) int {
	last := len(path.States) - 1
	return slices.Index(path.States[:last], path.States[last]) + 1
}
