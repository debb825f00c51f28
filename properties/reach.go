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

// firstNodes is how many nodes an attempt of the first round may take.
var firstNodes = 500_000

const (
	moreNodes = 16 // times as many in each round
	lastNodes = math.MaxInt32
	moreTime  = 4 // times as much in each round
)

// firstTurn is how long an attempt of the first round may take, but for the most
// promising one: some make few nodes, but with a lot of work. Whose turn was long enough depends on the
// machine, and with it what the statistics say of the diagram; what is found of
// the properties does not, as all diagrams are of the same states.
var firstTurn = 5 * time.Second

// errTurn says that an attempt was not done when its turn was over.
var errTurn = errors.New("its turn was over")

// attempts returns the ways to try, the most promising first: each has some nodes to
// make, and some time, before the next one has its turn. On a ring few messages of one
// content are under way at once, and these are kept together; elsewhere those that are
// for one receiver, those with the highest numbers first: they have the last word. The
// last way, unless somebody forces another, is of a looser world, though a set is hardly
// looser then. What arrived may stay there, which suits chaining, on a ring, too.
func (c *check) attempts() ([]Attempt, error) {
	way := func(g model.Grouping, s dd.Strategy) Attempt {
		return Attempt{Form: model.Form{Grouping: g}, Strategy: s}
	}
	byReceiver := []Attempt{
		way(model.ByReceiver, dd.Saturate), way(model.ByPair, dd.Saturate),
		way(model.ByReceiver, dd.Chain), way(model.ByPair, dd.Chain),
	}
	byContent := []Attempt{way(model.ByContent, dd.Chain), way(model.ByContent, dd.Saturate)}
	exact, order := slices.Concat(byReceiver, byContent), model.Reversed
	if c.machine.Traits().Ring {
		exact, order = slices.Concat(byContent, byReceiver), model.RingOrder
	}
	loose := []Attempt{
		way(model.ByReceiver, dd.Chain), way(model.ByPair, dd.Chain), way(model.ByContent, dd.Chain),
		way(model.ByReceiver, dd.Saturate), way(model.ByPair, dd.Saturate), way(model.ByContent, dd.Saturate),
	}
	d := c.options.Diagram
	if d.Order != nil {
		order = *d.Order
	}
	fit := func(all []Attempt, loose bool) (some []Attempt) {
		for _, a := range all {
			a.Order, a.Loose = order, loose
			possible := loose || a.Grouping != model.ByContent || c.config.Network != model.FIFO
			if possible && (d.Grouping == nil || *d.Grouping == a.Grouping) && (d.Strategy == nil || *d.Strategy == a.Strategy) {
				some = append(some, a)
			}
		}
		return some
	}
	exact, loose = fit(exact, false), fit(loose, true)
	switch {
	case d.Loose != nil && *d.Loose:
		return loose, nil
	case exact == nil:
		return nil, errors.New("a fifo network has queues for each receiver, which hold messages of any content: group messages by receiver or pair")
	case d == Diagram{} && c.config.Network != model.Set:
		return append(exact, loose[0]), nil
	}
	return exact, nil
}

// diagrams is a reachable set that the symbolic engine found, and how.
type diagrams struct {
	*model.Symbolic
	all     dd.Set
	quiet   dd.Set
	graph   *dd.Graph // for questions about runs; nil until somebody asks, as what follows
	circles *bool     // whether some fair run never comes to rest
	runs    *dd.Runs  // that are fair
	seconds float64
	hurry   context.CancelCauseFunc // has the forest fail; nil where nobody waits
}

// reach finds what can be reached in one of some ways, with up to so many nodes in one
// attempt, until that is enough. If a looser world is not, no way leads to what is there;
// in the first round it is the last to be tried, and then the first.
func (c *check) reach(ctx context.Context, attempts []Attempt, last int, enough func(*diagrams) (bool, error)) (*diagrams, error) {
	began := time.Now()
	most, turn := firstNodes, firstTurn
	if len(attempts) == 1 {
		most = last
	}
	if len(attempts) == 0 {
		return nil, dd.ErrNodes
	}
	var err error
	vain, favourite := false, attempts[0]
	for ; most <= last && len(attempts) > 0; most, turn = most*moreNodes, turn*moreTime {
		if len(attempts) == 1 || most > lastNodes/moreNodes {
			turn = 0 // nobody waits for it
		}
		var again []Attempt
		for _, a := range attempts {
			if a.Loose && vain {
				continue
			}
			limit := turn
			if a == favourite || a.Loose {
				limit *= time.Duration(len(attempts) - 1) // as long as all the others together
			}
			d, failed := c.inTurn(ctx, a, most, limit)
			if failed == nil {
				d.seconds = time.Since(began).Seconds()
				var done bool
				if done, failed = c.asked(d, limit, enough); done || failed != nil && failed != errTurn {
					return d, failed
				}
			}
			switch {
			case failed == nil:
				vain = true
				continue
			case ctx.Err() != nil || errors.Is(failed, model.ErrNotSymbolic) && !a.Loose:
				return nil, failed
			case errors.Is(failed, dd.ErrNodes) || errors.Is(failed, errTurn):
				at := len(again)
				if a.Loose {
					at = 0
				}
				again = slices.Insert(again, at, a)
			}
			if err == nil || !a.Loose { // no diagram of all states is the better reason
				err = failed
			}
		}
		attempts = again
	}
	if vain && favourite.Loose { // nothing else was asked for
		return nil, nil
	}
	return nil, err
}

// inTurn is attempt for some time; 0: as long as it takes.
func (c *check) inTurn(ctx context.Context, a Attempt, most int, turn time.Duration) (*diagrams, error) {
	if turn == 0 {
		return c.attempt(ctx, a, most)
	}
	hurry, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(turn, func() { cancel(errTurn) })
	d, err := c.attempt(hurry, a, most)
	inTime := timer.Stop()
	if err == nil && inTime {
		d.hurry = cancel
		return d, nil
	}
	defer cancel(nil)
	if err == nil || context.Cause(hurry) == errTurn && ctx.Err() == nil { // over just now, the diagrams are of no use any more
		c.tried[len(c.tried)-1].Outcome = errTurn.Error()
		return nil, errTurn
	}
	return nil, err
}

// asked asks whether diagrams are enough. Those of a looser world are judged for that,
// which has a turn of its own; 0: as long as it takes.
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

// attempt finds what can be reached in one way, and notes what came of that.
func (c *check) attempt(ctx context.Context, a Attempt, most int) (_ *diagrams, err error) {
	began := time.Now()
	defer func() {
		if a.Seconds, a.Outcome = time.Since(began).Seconds(), "done"; err != nil {
			a.Outcome = gaveUp(err)
		}
		c.tried = append(c.tried, a)
	}()
	c.doing = a.String()
	c.reducing = false // an explicit search may have been before
	if c.sys, err = model.NewSystemWithin(ctx, c.machine, c.config, c.watches()); err != nil {
		return nil, err
	}
	y, err := c.sys.(*model.System).NewSymbolic(ctx, a.Form, c.options.Memory)
	if err != nil {
		return nil, err
	}
	f := y.Forest
	defer func() { a.Nodes, a.Peak = f.Created, f.Peak }()
	if c.options.Growth != nil {
		f.Progress = func() { c.options.Growth(Growth{c.doing, f.Nodes(), f.Bytes(), time.Since(began)}) }
	}
	f.Most = most
	d := &diagrams{Symbolic: y}
	if d.all = f.Keep(y.Reach(a.Strategy)); f.Err() == nil {
		f.Most = 0
		d.quiet = f.Keep(y.Quiet(d.all))
	}
	return d, f.Err()
}
