package plan

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"interleave/explore/dd"
	"interleave/model/compiled"
	"interleave/model/diagram"
)

const (
	moreNodes = 16 // times as many in each further round
	moreTime  = 4  // times as long in each further round
	lastNodes = math.MaxInt32
)

// errSlice says that an attempt was not done when its time slice was over.
var errSlice = errors.New("its turn was over")

// portfolio looks for diagrams of the reachable states by several attempts, in turn.
type portfolio struct {
	*Question
	enough         func(*diagrams) (bool, error)
	favourite      Attempt // the most promising one
	began          time.Time
	marks          marks
	learned        *compiled.System // of all attempts, with the local steps; nil: there was none yet
	tried          []Attempt
	overapproxDone bool  // the over-approximation has been explored, and is not enough
	failed         error // why there are no diagrams; preferably of the world itself
}

// reach finds the reachable set by one of several attempts, the first whose diagrams are
// enough. It goes in rounds: an attempt that reaches its limit of nodes or time comes again
// in the next round, with a higher one; none gets more than last nodes. It adds the attempts to
// those that were tried before.
//
// If the attempts are all of an over-approximation, and that is not enough, reach returns no diagrams.
func reach(ctx context.Context, q *Question, tried, attempts []Attempt, last int, enough func(*diagrams) (bool, error)) (*diagrams, []Attempt, error) {
	if len(attempts) == 0 {
		return nil, tried, dd.ErrNodes
	}
	f := &portfolio{Question: q, enough: enough, favourite: attempts[0], began: time.Now(), marks: q.marks(false), tried: tried}
	d, err := f.rounds(ctx, attempts, last)
	return d, f.tried, err
}

// rounds makes the attempts until one is enough.
func (f *portfolio) rounds(ctx context.Context, attempts []Attempt, last int) (*diagrams, error) {
	most, slice := f.Schedule.FirstNodes, f.Schedule.FirstSlice
	if len(attempts) == 1 {
		most = last
	}
	for ; most <= last && len(attempts) > 0; most, slice = most*moreNodes, slice*moreTime {
		if len(attempts) == 1 || most > lastNodes/moreNodes {
			slice = 0 // no other attempt is waiting, or this is the last round
		}
		d, again, err := f.round(ctx, attempts, most, slice)
		if d != nil || err != nil {
			return d, err
		}
		attempts = again
	}
	if f.overapproxDone && f.favourite.Overapprox {
		return nil, nil
	}
	return nil, f.failed
}

// round makes each attempt once. It returns diagrams that are enough, or the attempts for
// the next round. An over-approximation is tried last in the first round, and first in the others.
// A slice of 0 has no end.
func (f *portfolio) round(ctx context.Context, attempts []Attempt, most int, slice time.Duration) (_ *diagrams, again []Attempt, _ error) {
	for _, a := range attempts {
		if a.Overapprox && f.overapproxDone {
			continue
		}
		limit := slice
		if a == f.favourite || a.Overapprox {
			limit *= time.Duration(len(attempts) - 1) // as long as all the others together
		}
		d, err := f.timeSlice(ctx, a, most, limit)
		if err == nil {
			d.seconds = time.Since(f.began).Seconds()
			var done bool
			done, err = f.asked(d, limit)
			switch {
			case done || err != nil && err != errSlice:
				return d, nil, err
			case err == nil:
				f.overapproxDone = true
				continue
			}
		}
		switch {
		case ctx.Err() != nil || errors.Is(err, diagram.ErrNotSymbolic) && !a.Overapprox:
			return nil, nil, err
		case (errors.Is(err, dd.ErrNodes) || errors.Is(err, errSlice)) && a.Overapprox:
			again = slices.Insert(again, 0, a)
		case errors.Is(err, dd.ErrNodes) || errors.Is(err, errSlice):
			again = append(again, a)
		}
		if f.failed == nil || !a.Overapprox {
			f.failed = err
		}
	}
	return nil, again, nil
}

// timeSlice is attempt with a time limit; 0: no limit.
func (f *portfolio) timeSlice(ctx context.Context, a Attempt, most int, slice time.Duration) (*diagrams, error) {
	if slice == 0 {
		return f.attempt(ctx, a, most)
	}
	hurry, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(slice, func() { cancel(errSlice) })
	d, err := f.attempt(hurry, a, most)
	inTime := timer.Stop()
	if err == nil && inTime {
		d.hurry = cancel
		return d, nil
	}
	defer cancel(nil)
	if err == nil || context.Cause(hurry) == errSlice && ctx.Err() == nil { // too late: the forest has failed
		f.tried[len(f.tried)-1].Outcome = errSlice.Error()
		return nil, errSlice
	}
	return nil, err
}

// asked reports whether diagrams are enough. For an over-approximation that means to judge by them,
// with a time limit of its own; 0: no limit.
func (f *portfolio) asked(d *diagrams, slice time.Duration) (done bool, err error) {
	d.tried = f.tried
	if !d.Overapprox || slice == 0 {
		return f.enough(d)
	}
	timer := time.AfterFunc(slice, func() { d.hurry(errSlice) })
	defer timer.Stop()
	if done, err = f.enough(d); err == nil && !done && d.Forest.Err() == errSlice {
		f.tried[len(f.tried)-1].Outcome = "done, but its turn was over before all was judged"
		err = errSlice
	}
	return done, err
}

// attempt computes the reachable set in one way, and adds the outcome to tried.
func (f *portfolio) attempt(ctx context.Context, a Attempt, most int) (_ *diagrams, err error) {
	began := time.Now()
	defer func() {
		if a.Seconds, a.Outcome = time.Since(began).Seconds(), "done"; err != nil {
			a.Outcome = gaveUp(err)
		}
		f.tried = append(f.tried, a)
	}()
	if f.learned == nil {
		if f.learned, err = compiled.NewWithin(ctx, f.Machine, f.Config, f.marks.watches); err != nil {
			return nil, err
		}
	}
	y, err := diagram.New(ctx, f.learned.LocalSteps, a.Form, f.Memory)
	if err != nil {
		return nil, err
	}
	a.Form = y.Form
	d := &diagrams{System: y, question: f.Question, sys: f.learned, marks: f.marks, strategy: a.Strategy, how: a.String()}
	d.doing = d.how
	forest := y.Forest
	defer func() { a.Nodes, a.Peak = forest.Created, forest.Peak }()
	if f.Growth != nil {
		forest.Progress = func() { f.Growth(Growth{d.doing, forest.Nodes(), forest.Bytes(), time.Since(began)}) }
	}
	forest.Most = most
	if d.all = forest.Keep(y.Reach(a.Strategy)); forest.Err() == nil {
		forest.Most = 0
		d.quiet = forest.Keep(y.Quiet(d.all))
	}
	return d, forest.Err()
}
