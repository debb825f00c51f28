package properties

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"interleave/explore"
	"interleave/model"
)

// circle records a path that ends in a state where it was before.
func (c *check) circle(path explore.Path) (*model.Trace, error) {
	trace, _, err := c.record(path, c.events(path))
	if err != nil {
		return nil, err
	}
	last := len(path.States) - 1
	trace.Loop = slices.Index(path.States[:last], path.States[last]) + 1
	return trace, nil
}

// MessageCount says how many messages the runs of a world send.
type MessageCount struct {
	Least     int          `json:"least"` // over all runs that come to rest
	Most      int          `json:"most"`  // over all runs; 0 if Unbounded
	Unbounded bool         `json:"unbounded"`
	Ends      bool         `json:"ends"` // some run comes to rest
	LeastRun  *model.Trace `json:"least_run,omitempty"`
	MostRun   *model.Trace `json:"most_run,omitempty"` // if Unbounded, it circles
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

// messages decides how many messages a run may send.
func (c *check) messages(ctx context.Context, f Finding) (Finding, error) {
	e, err := c.result.Graph.Extremes(ctx, model.MessagesSent, c.spare())
	if errors.Is(err, explore.ErrOnDisk) {
		f.Why = fmt.Sprintf("%v: the messages of runs are counted in memory only", err)
		return f, nil
	}
	if errors.Is(err, explore.ErrMemory) {
		f.Why = "the memory limit was reached while messages of runs were counted"
		return f, nil
	}
	if err != nil {
		f.Why = "the look for the longest run did not finish"
		return f, nil
	}
	m := &MessageCount{Least: e.Least, Most: e.Most, Unbounded: e.Unbounded, Ends: e.Ends}
	if m.MostRun, err = c.extreme(e.MostPath, e.Unbounded, f.Name); err != nil {
		return f, err
	}
	if e.Ends {
		if m.LeastRun, err = c.extreme(e.LeastPath, false, f.Name); err != nil {
			return f, err
		}
	}
	return c.weighed(f, m), nil
}

// weighed returns the finding that follows from the numbers of messages.
func (c *check) weighed(f Finding, m *MessageCount) Finding {
	f.Verdict, f.Messages = Verified, m
	if c.config.Bound > 0 {
		f.Verdict = Bounded
	}
	f.weigh()
	return f
}

// weigh sets the verdict on a Messages property from the numbers of messages.
func (f *Finding) weigh() {
	m := f.Messages
	f.Why = m.String()
	if m.Unbounded || f.Property.exceeded(m.Most) {
		f.Verdict, f.Why, f.Trace, f.Depth = Violated, m.MostRun.Reason, m.MostRun, len(m.MostRun.Steps)
	}
}

// amid combines what was found of a Messages property on other rings with f, which is of one
// more.
func (f Finding) amid(others Finding) Finding {
	all, m := *others.Messages, f.Messages
	if m.Ends && (!all.Ends || m.Least < all.Least) {
		all.Ends, all.Least, all.LeastRun = true, m.Least, m.LeastRun
	}
	if !all.Unbounded && (m.Unbounded || m.Most > all.Most) {
		all.Unbounded, all.Most, all.MostRun = m.Unbounded, m.Most, m.MostRun
	}
	if explore.Worse(others.Verdict, f.Verdict) == others.Verdict {
		f = others
	}
	f.Messages = &all
	f.weigh()
	return f
}

// extreme records a run that sends the most or the fewest messages.
func (c *check) extreme(path explore.Path, circles bool, name string) (*model.Trace, error) {
	if circles {
		trace, err := c.circle(path)
		if err == nil {
			trace.Property, trace.Reason = name, endless
		}
		return trace, err
	}
	trace, run, err := c.record(path, c.events(path))
	if err == nil {
		trace.Property, trace.Reason = name, tellMessages(run)
	}
	return trace, err
}

const endless = "the run sends messages without end"

func tellMessages(run *model.Run) string {
	return "the run sends " + count(run.MessagesSent(), "message")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
