package properties

import (
	"errors"

	"interleave/internal/printable"
	"interleave/model"
	"interleave/properties/internal/plan"
	"interleave/spec"
)

// ErrHolds says that a trace happens as recorded, but its property is not false at its end.
var ErrHolds = errors.New("the run happens as recorded, but the property is not false at its end")

// ErrFar says that it was not confirmed that the goal of a Recoverable cannot be reached: too many states can follow.
var ErrFar = errors.New("the run happens as recorded, but more states can follow it than were looked at: whether one satisfies the property is open")

// Replay repeats a trace through the handlers of m, without any search, and confirms that its
// property p is false at the end. If p is about infinite runs, it confirms that it is
// false on the run that repeats the loop of the trace, and that this run is fair. The reason is why it
// is false, and replaces that of the trace, which may be anything. If the error is a
// *model.ReplayError, the run holds what was confirmed.
func Replay(m spec.Machine, t *model.Trace, p Property) (r *model.Reference, run *model.Run, reason string, err error) {
	r, run, err = model.Replay(m, t)
	if err != nil {
		return r, run, "", err
	}
	if err := p.Speaks(t.Config.N); err != nil {
		return r, run, "", err
	}
	var why error
	switch {
	case p.Kind == LivenessKind:
		why = p.falseOnLasso(r, run, t.Loop)
	case t.Loop > 0 && p.Kind == MessagesKind && plan.SendsForever(run, t.Loop):
		why = errors.New(plan.Endless)
	case t.Loop == 0 && p.Kind == RecoverableKind:
		sure := false
		if why, sure = p.OutOfReach(r, run.End(), mostAhead); !sure {
			return r, run, "", ErrFar
		}
	case t.Loop == 0:
		why = p.falseAtEnd(r, run)
	}
	if why == nil {
		return r, run, "", ErrHolds
	}
	t.Reason = printable.Text(why.Error())
	return r, run, t.Reason, nil
}

// ReplaySteps repeats a trace as Replay does, but of a property that is not known, such as what a
// real process did: the reason is what the file says of it.
func ReplaySteps(m spec.Machine, t *model.Trace) (r *model.Reference, run *model.Run, reason string, err error) {
	r, run, err = model.Replay(m, t)
	t.Reason = "as the file says, " + printable.Text(t.Reason)
	return r, run, t.Reason, err
}
