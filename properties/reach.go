package properties

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"interleave/explore/dd"
	"interleave/model"
)

// firstNodes is how many nodes an attempt may make in the first round.
var firstNodes = 500_000

// firstTurn is how long an attempt may take in the first round. The time limit is there
// because some attempts make few nodes and still take long. It makes the choice of attempt
// depend on the speed of the machine, and so Stats too; verdicts do not depend on it, as all
// diagrams hold the same states.
var firstTurn = 5 * time.Second

const (
	moreNodes = 16 // times as many in each further round
	moreTime  = 4  // times as long in each further round
	lastNodes = math.MaxInt32
)

// errTurn says that an attempt was not done when its turn was over.
var errTurn = errors.New("its turn was over")

// diagramSearch is how the symbolic engine looks for diagrams.
type diagramSearch struct {
	tried []Attempt
	doing string // what it is doing now, in words
}

// diagrams is the reachable set found by the symbolic engine. The last fields are computed when
// first needed.
type diagrams struct {
	*model.Symbolic
	all     dd.Set
	quiet   dd.Set
	seconds float64                 // since the first attempt began
	hurry   context.CancelCauseFunc // makes the forest fail; nil if the attempt had no time limit

	graph   *dd.Graph // the steps between the states, for questions about runs
	circles *bool     // whether some fair run never comes to rest
	runs    *dd.Runs  // the fair ones
}

// reach finds the reachable set by one of several attempts, the first whose diagrams are
// enough. It goes in rounds: an attempt that reaches its limit of nodes or time comes again
// in the next round, with a higher one; none gets more than last nodes.
//
// If the attempts are all of a looser world, and that is not enough, reach returns nil.
func (c *check) reach(ctx context.Context, attempts []Attempt, last int, enough func(*diagrams) (bool, error)) (*diagrams, error) {
	if len(attempts) == 0 {
		return nil, dd.ErrNodes
	}
	r := &reaching{check: c, enough: enough, favourite: attempts[0], began: time.Now()}
	most, turn := firstNodes, firstTurn
	if len(attempts) == 1 {
		most = last
	}
	for ; most <= last && len(attempts) > 0; most, turn = most*moreNodes, turn*moreTime {
		if len(attempts) == 1 || most > lastNodes/moreNodes {
			turn = 0 // no other attempt is waiting, or this is the last round
		}
		d, again, err := r.round(ctx, attempts, most, turn)
		if d != nil || err != nil {
			return d, err
		}
		attempts = again
	}
	if r.tooLoose && r.favourite.Loose {
		return nil, nil
	}
	return nil, r.failed
}

// reaching is the state of reach between attempts.
type reaching struct {
	*check
	enough    func(*diagrams) (bool, error)
	favourite Attempt // the most promising one
	began     time.Time
	learned   *model.System // of all attempts, with the local steps; nil: there was none yet
	tooLoose  bool          // the looser world has been explored, and is not enough
	failed    error         // why there are no diagrams; preferably of the world itself
}

// round makes each attempt once. It returns diagrams that are enough, or the attempts for
// the next round. A looser world is tried last in the first round, and first in the others.
// A turn of 0 has no end.
func (r *reaching) round(ctx context.Context, attempts []Attempt, most int, turn time.Duration) (_ *diagrams, again []Attempt, _ error) {
	for _, a := range attempts {
		if a.Loose && r.tooLoose {
			continue
		}
		limit := turn
		if a == r.favourite || a.Loose {
			limit *= time.Duration(len(attempts) - 1) // as long as all the others together
		}
		d, err := r.inTurn(ctx, a, most, limit)
		if err == nil {
			d.seconds = time.Since(r.began).Seconds()
			var done bool
			done, err = r.asked(d, limit, r.enough)
			switch {
			case done || err != nil && err != errTurn:
				return d, nil, err
			case err == nil:
				r.tooLoose = true
				continue
			}
		}
		switch {
		case ctx.Err() != nil || errors.Is(err, model.ErrNotSymbolic) && !a.Loose:
			return nil, nil, err
		case (errors.Is(err, dd.ErrNodes) || errors.Is(err, errTurn)) && a.Loose:
			again = slices.Insert(again, 0, a)
		case errors.Is(err, dd.ErrNodes) || errors.Is(err, errTurn):
			again = append(again, a)
		}
		if r.failed == nil || !a.Loose {
			r.failed = err
		}
	}
	return nil, again, nil
}

// inTurn is attempt with a time limit; 0: no limit.
func (r *reaching) inTurn(ctx context.Context, a Attempt, most int, turn time.Duration) (*diagrams, error) {
	if turn == 0 {
		return r.attempt(ctx, a, most)
	}
	hurry, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(turn, func() { cancel(errTurn) })
	d, err := r.attempt(hurry, a, most)
	inTime := timer.Stop()
	if err == nil && inTime {
		d.hurry = cancel
		return d, nil
	}
	defer cancel(nil)
	if err == nil || context.Cause(hurry) == errTurn && ctx.Err() == nil { // too late: the forest has failed
		r.tried[len(r.tried)-1].Outcome = errTurn.Error()
		return nil, errTurn
	}
	return nil, err
}

// asked reports whether diagrams are enough. For a looser world that means to judge by them, with
// a time limit of its own; 0: no limit.
func (c *check) asked(d *diagrams, turn time.Duration, enough func(*diagrams) (bool, error)) (done bool, err error) {
	if !d.Loose || turn == 0 {
		return enough(d)
	}
	timer := time.AfterFunc(turn, func() { d.hurry(errTurn) })
	defer timer.Stop()
	if done, err = enough(d); err == nil && !done && d.Forest.Err() == errTurn {
		c.tried[len(c.tried)-1].Outcome = "done, but its turn was over before all was judged"
		err = errTurn
	}
	return done, err
}

// attempt computes the reachable set in one way, and adds the outcome to tried.
func (r *reaching) attempt(ctx context.Context, a Attempt, most int) (_ *diagrams, err error) {
	began := time.Now()
	defer func() {
		if a.Seconds, a.Outcome = time.Since(began).Seconds(), "done"; err != nil {
			a.Outcome = gaveUp(err)
		}
		r.tried = append(r.tried, a)
	}()
	r.doing = a.String()
	r.reducing = false // it may be left from an explicit search
	if r.learned == nil {
		if r.learned, err = model.NewSystemWithin(ctx, r.machine, r.config, r.watches()); err != nil {
			return nil, err
		}
	}
	r.sys = r.learned
	y, err := r.learned.NewSymbolic(ctx, a.Form, r.options.Memory)
	if err != nil {
		return nil, err
	}
	a.Form = y.Form
	r.doing = a.String()
	f := y.Forest
	defer func() { a.Nodes, a.Peak = f.Created, f.Peak }()
	if r.options.Growth != nil {
		f.Progress = func() { r.options.Growth(Growth{r.doing, f.Nodes(), f.Bytes(), time.Since(began)}) }
	}
	f.Most = most
	d := &diagrams{Symbolic: y}
	if d.all = f.Keep(y.Reach(a.Strategy)); f.Err() == nil {
		f.Most = 0
		d.quiet = f.Keep(y.Quiet(d.all))
	}
	return d, f.Err()
}
