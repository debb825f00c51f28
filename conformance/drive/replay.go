package drive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"interleave/model"
	"interleave/spec"
)

// Performed is one step of a run that real processes took.
type Performed struct {
	Text    string    // such as "receive OK from 2"
	Process spec.ID   // none if the step belongs to no process
	Leaders []spec.ID // after it, by the processes themselves; number 1 first. nil: the next step came by itself
	Live    spec.Set  // the processes that were up then
}

// Replay makes real processes of a machine take the run of a trace, which model.Replay
// has repeated before. It returns the beginning and the steps after which everything
// agreed with the model. A loop is taken once. At the end the processes are given what they
// refuse there. The error is an *ImpossibleError if real processes cannot take a step of the
// run, and a *Disagreement if they take another one.
func Replay(ctx context.Context, m, real spec.Machine, t *model.Trace, run *model.Run) (done []Performed, err error) {
	if err := drivable(t.Config); err != nil {
		return nil, err
	}
	d, err := newScheduler(m, t.Config)
	if err != nil {
		return nil, err
	}
	b, err := beginningOf(ctx, d, run.States[0], maxPrologue)
	if err != nil {
		return nil, err
	}
	steps := run.Steps
	if t.Loop > 0 {
		steps = append(steps[:len(steps):len(steps)], steps[t.Loop-1:]...)
	}
	groups, err := plan(d, b.point, steps)
	if err != nil {
		return nil, err
	}
	for range attempts {
		var quiet *silence
		if done, err = show(ctx, d, real, b, groups); !errors.As(err, &quiet) {
			return done, err
		}
	}
	return done, &Disagreement{Verdict: Missing, What: fmt.Sprintf("%v, %d times", err, attempts)}
}

// plan returns the groups that make the steps of a run, or why there are none.
func plan(d *scheduler, pt point, steps []model.Step) (groups []group, err error) {
	for at := 0; at < len(steps); {
		impossible := func(reason string) error {
			e := steps[at].Event
			return &ImpossibleError{Step: at + 1, What: strings.TrimSpace(fmt.Sprintf("%s %s", who(e), d.reference.Describe(e))), Reason: reason}
		}
		possible, barred, all := d.groups(pt)
		found, i := -1, 0
		for k, step := range all {
			if sameEvent(step, steps[at]) {
				if barred[k] != "" {
					return nil, impossible(barred[k])
				}
				found = i
			}
			if barred[k] == "" {
				i++
			}
		}
		if found < 0 {
			return nil, impossible("it does not happen there")
		}
		m := possible[found]
		for k, step := range m.steps {
			if at+k >= len(steps) {
				break // the runtime does more than the run, which is not reported
			}
			if k > 0 && !sameEvent(step, steps[at+k]) {
				at += k
				return nil, impossible(fmt.Sprintf("before it the runtime of process %v would %s", step.Event.Process, d.reference.Describe(step.Event)))
			}
		}
		groups = append(groups, m)
		at += len(m.steps)
		pt = m.after
	}
	return groups, nil
}

// sameEvent reports whether two steps from one state are the same.
func sameEvent(a, b model.Step) bool {
	return fmt.Sprintf("%#v", a.Event) == fmt.Sprintf("%#v", b.Event)
}

func who(e model.Event) string {
	if e.Process == spec.None {
		return ""
	}
	return fmt.Sprintf("process %v", e.Process)
}

// show performs the groups, and asks for what the processes refuse at their end.
func show(ctx context.Context, d *scheduler, real spec.Machine, b beginning, groups []group) (done []Performed, err error) {
	folder, err := os.MkdirTemp("", "mc-drive-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	s, err := newTestbed(real, d.config, folder)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.begin(b); err != nil {
		return nil, err
	}
	done = []Performed{{Text: "all are there", Leaders: s.leaders(), Live: s.live()}}
	pt := b.point
	for i := range groups {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		if err := s.perform(pt, &groups[i]); err != nil {
			return done, err
		}
		for _, step := range groups[i].steps {
			done = append(done, Performed{Text: d.reference.Describe(step.Event), Process: step.Event.Process})
		}
		last := &done[len(done)-1]
		last.Leaders, last.Live = s.leaders(), s.live()
		pt = groups[i].after
	}
	return done, askAll(s, d, pt, groups, map[class]bool{})
}
