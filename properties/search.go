package properties

import (
	"context"
	"errors"
	"sync"
	"time"

	"interleave/explore"
	"interleave/model"
)

// stateSearch is the search state by state, and what was found of runs in it.
type stateSearch struct {
	result    *explore.Result
	preparing time.Duration     // time for learning before the search
	mayCircle func() bool       // tellCircles of the result, computed once
	runs      *explore.FairRuns // of the result; nil until needed
	circling  map[uint8]Finding // by mark: Liveness properties that a glance found violated
	glancing  time.Duration     // time for the glances
	reducing  bool
	reduction string // Reduced, or why not; empty if not asked for
}

// explicit explores state by state.
func (c *check) explicit(ctx context.Context) ([]Finding, Stats, error) {
	switch err := c.reduced(ctx); {
	case isFull(err):
		return c.cutOff(explore.DiskLimit)
	case err != nil:
		return nil, Stats{}, err
	}
	return c.explored(ctx)
}

// isFull reports whether a search failed because the disk was full as it moved there. What was
// explored is lost then, except for what was kept.
func isFull(err error) bool {
	var disk *explore.DiskError
	return errors.As(err, &disk) && disk.Full()
}

// cutOff judges only by what was kept of an earlier search, since the one after it came to
// nothing.
func (c *check) cutOff(why explore.Outcome) ([]Finding, Stats, error) {
	stats := c.seen
	stats.Outcome, stats.Judging, stats.Reduction = why.String(), c.glancing.Seconds(), c.reduction
	return c.recall(c.nothing(why.Why())), stats, nil
}

// explored judges what was explored state by state.
func (c *check) explored(ctx context.Context) ([]Finding, Stats, error) {
	began := time.Now()
	findings := []Finding{}
	for i, p := range c.props {
		f, err := c.judge(ctx, p, uint8(i))
		if err != nil {
			return nil, Stats{}, err
		}
		findings = append(findings, f)
	}
	if c.found(model.PanicMark) {
		f, err := c.violation(NoPanic, model.PanicMark)
		if err != nil {
			return nil, Stats{}, err
		}
		findings = append(unheld(findings), f)
	}
	stats := newStats(c.result, c.sys.Kinds(), c.sys.TableStats())
	stats.Seconds += c.preparing.Seconds()
	stats.Odds = newOdds(c.options.Store, c.result)
	stats.Judging = (c.glancing + time.Since(began)).Seconds()
	stats.Reduction = c.reduction
	return findings, stats, nil
}

// watches returns what a search looks for: the properties in their order, and then the predicates
// in the formulas about runs.
func (c *check) watches() []model.Watch {
	watches := make([]model.Watch, len(c.props))
	c.temporal, c.atoms, c.circling = make([]*temporal, len(c.props)), 0, map[uint8]Finding{}
	for i, p := range c.props {
		if watches[i] = p.watch(); p.Kind != Liveness {
			continue
		}
		t := p.over(c.config.N).oppose()
		watches[i], c.temporal[i] = t.watch(), t
		if c.reducing { // a reduction keeps the ends of runs, but not what happens on the way
			continue
		}
		for _, holds := range t.atoms {
			t.marks = append(t.marks, uint8(len(watches)))
			c.atoms |= 1 << len(watches)
			watches = append(watches, model.Watch{State: func(w *model.World) bool { return holds(w) == nil }})
		}
	}
	return watches
}

// search explores until everything is seen, or a violation is found that counts. Unless prepare
// is nil, it is called before with a system that has tables.
func (c *check) search(ctx context.Context, prepare func(*model.System) error) (err error) {
	watches := c.watches()
	stop := uint64(1) << model.PanicMark
	for i, p := range c.props {
		if p.Kind != Reachable && c.notes[p.Name] == "" {
			stop |= 1 << i
		}
	}
	if c.options.Continue {
		stop = 0
	}
	if c.reference, err = model.NewReference(c.machine, c.config); err != nil {
		return err
	}
	began := time.Now()
	if c.options.Direct || !c.config.HasTables() {
		c.sys, err = model.NewDirect(c.machine, c.config, watches)
	} else {
		var sys *model.System
		sys, err = model.NewSystemWithin(ctx, c.machine, c.config, watches)
		if err == nil && prepare != nil {
			err = prepare(sys)
		}
		c.sys = sys
	}
	if err != nil {
		return err
	}
	c.preparing = time.Since(began)
	wanted := stop
	for {
		if err := c.searchUntil(ctx, stop, wanted); err != nil || c.result.Outcome != explore.Stopped || c.result.Marks&stop == 0 { // or a glance was enough
			return err
		}
		well, err := c.endsWell(stop)
		if err != nil || c.result.Marks&stop != well {
			return err
		}
		stop &^= well
	}
}

// searchUntil explores until it finds a mark of stop, or a glance finds a violation that
// is wanted.
func (c *check) searchUntil(ctx context.Context, stop, wanted uint64) (err error) {
	if err := c.forget(); err != nil {
		return err
	}
	o := c.options
	c.mayCircle = sync.OnceValue(c.tellCircles)
	search := explore.Options{
		Workers: o.crew(), MaxStates: o.MaxStates, MaxDepth: o.MaxDepth, Memory: forStates(o.Memory), Spill: o.Spill, Store: o.Store, Stop: stop, Ignore: c.atoms, Progress: o.Progress,
	}
	search.Glance = func(soFar *explore.Result) (bool, error) { return c.glance(ctx, soFar, wanted) }
	c.result, err = explore.Search(ctx, c.sys, search)
	return err
}

// endsWell returns those of some marks that turn out to mean nothing. The mark of a Liveness
// property is on a state where a run that ends there may violate it; the run that was found need
// not.
func (c *check) endsWell(marks uint64) (well uint64, err error) {
	for i, t := range c.temporal {
		if t == nil || marks>>i&1 == 0 || !c.found(uint8(i)) {
			continue
		}
		f, err := c.ending(Finding{Property: c.props[i]}, uint8(i))
		if err != nil {
			return 0, err
		}
		if f.Verdict != Violated {
			well |= 1 << i
		}
	}
	return well, nil
}

// found reports whether some state or step bears a mark.
func (s *stateSearch) found(mark uint8) bool { return s.result.Marks>>mark&1 != 0 }

// crew is the number of workers: fewer than asked for if their copies of the tables would take
// much of the memory. forStates sets memory aside only for the first two.
func (o *Options) crew() int {
	const each = 8 << 20
	if o.Memory == 0 {
		return o.Workers
	}
	return min(o.Workers, 2+int(o.Memory/16/each))
}

// forStates returns how much of the memory states and tables may take. The rest is for the
// program, the buffers of the workers, and what Go has not given back yet. From 100 MiB on
// the whole process stays below 1.1 times the limit.
func forStates(memory int64) int64 {
	const program, least = 46 << 20, 54 << 20
	return memory - min(program, max(memory/4, memory-least)) - memory/10
}
