package properties

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// check is one search and its evaluation.
type check struct {
	machine spec.Machine
	config  model.Config
	props   []Property
	notes   map[string]string
	options Options

	sys       system
	preparing time.Duration // what it took to learn before the search
	reference *model.Reference
	result    *explore.Result
	temporal  []*temporal       // of the Liveness properties, by their place
	circling  map[uint8]Finding // of those, by mark, that a glance found to be violated
	glancing  time.Duration     // what those took
	atoms     uint64            // the marks of their atoms
	mayCircle func() bool       // tellCircles of the result, once
	runs      *explore.FairRuns // of the result; nil until somebody asks
	reducing  bool
	reduction string // reduced, or why not; empty: nobody asked

	kept    map[uint8]Finding // by mark, what was found by a search that another one followed, or before it went to disk
	near    bool              // states were listed as far as that is quick: what is near is kept
	seen    Stats             // of such a search
	tried   []Attempt         // by the symbolic engine
	doing   string            // now, in words
	because string            // why Auto took the engine that it took
}

// explicit explores state by state.
func (c *check) explicit(ctx context.Context) ([]Finding, Stats, error) {
	err := c.reduced(ctx)
	var disk *explore.DiskError
	if errors.As(err, &disk) && disk.Full() { // on the way there: what was explored is lost, but for what was kept
		return c.cutOff(explore.DiskLimit)
	}
	if err != nil {
		return nil, Stats{}, err
	}
	return c.explored(ctx)
}

// cutOff judges by nothing but what was kept of a search, as what followed came to nothing.
func (c *check) cutOff(why explore.Outcome) ([]Finding, Stats, error) {
	stats := c.seen
	stats.Outcome, stats.Judging, stats.Reduction = why.String(), c.glancing.Seconds(), c.reduction
	return c.recall(c.nothing(why.Why())), stats, nil
}

// nothing returns a finding on each property that says why it is not decided.
func (c *check) nothing(why string) []Finding {
	findings := []Finding{}
	for _, p := range c.props {
		f := c.finding(p)
		f.Why = why
		findings = append(findings, f)
	}
	return findings
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

// unheld takes back what is said of all runs, as some end in a panic, or may, and nobody
// knows what would have come.
func unheld(findings []Finding) []Finding {
	for i := range findings {
		f := &findings[i]
		if holds := f.Verdict == Verified || f.Verdict == Bounded; holds && (f.Kind == Liveness || f.Kind == Messages) {
			f.Verdict, f.Why, f.byEnds = Inconclusive, "a handler panics, and what would come after it is unknown", false
		}
	}
	return findings
}

// watches returns what to look out for: in the order of the properties, and then
// the atoms of those about runs.
func (c *check) watches() []model.Watch {
	watches := make([]model.Watch, len(c.props))
	c.temporal, c.atoms, c.circling = make([]*temporal, len(c.props)), 0, map[uint8]Finding{}
	for i, p := range c.props {
		if watches[i] = p.watch(); p.Kind != Liveness {
			continue
		}
		t := p.over(c.config.N).oppose()
		watches[i], c.temporal[i] = t.watch(), t
		if c.reducing { // what is left out changes what happens on the way, but not where runs end
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

// search explores; prepare, if any, has a system with tables made ready.
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

// searchUntil explores until a mark of stop is found, or at a glance a violation that
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

// endsWell returns those of some marks found that are of Liveness properties and
// mean nothing: where a run ends it may have been violated, but was not by the
// run that was found.
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

func (c *check) found(mark uint8) bool { return c.result.Marks>>mark&1 != 0 }

// judgeAll explores and judges, and leaves nothing on disk.
func (c *check) judgeAll(ctx context.Context) (findings []Finding, stats Stats, err error) {
	defer func() { // even if a property panics
		if forgotten := c.forget(); err == nil {
			err = forgotten
		}
	}()
	c.kept = map[uint8]Finding{}
	findings, stats, err = c.byEngine(ctx)
	return c.recall(findings), stats, err
}

// keepFound keeps what a search found that did not see everything, for the one that
// follows.
func (c *check) keepFound(ctx context.Context) error {
	for i, p := range append(slices.Clone(c.props), NoPanic) {
		mark := c.markOf(i)
		f, circles := c.circling[mark]
		var err error
		switch {
		case circles:
		case !c.found(mark):
			continue
		case mark == model.PanicMark:
			f, err = c.violation(p, mark)
		case p.Kind == Liveness:
			f, err = c.ending(c.finding(p), mark)
		default:
			f, err = c.judge(ctx, p, mark)
		}
		if err != nil {
			return err
		}
		if f.Verdict != Inconclusive {
			c.kept[mark] = f
		}
	}
	return nil
}

// keepDecided keeps what findings decide, for what follows.
func (c *check) keepDecided(findings []Finding) {
	for i, f := range findings {
		if f.Verdict != Inconclusive {
			c.kept[c.markOf(i)] = f
		}
	}
}

// markOf returns the mark of a finding: of a property, or behind them that of a panic.
func (c *check) markOf(i int) uint8 {
	if i == len(c.props) {
		return model.PanicMark
	}
	return uint8(i)
}

// recall puts what was kept in the place of findings that decide nothing, or that do not
// say how far away a goal is.
func (c *check) recall(findings []Finding) []Finding {
	if len(findings) < len(c.props) {
		return findings // after an error
	}
	for mark, kept := range c.kept {
		at := int(mark)
		if mark == model.PanicMark {
			at = len(c.props)
		}
		switch {
		case at == len(findings):
			findings = append(findings, kept)
		case at < len(findings) && (findings[at].Verdict == Inconclusive || findings[at].Verdict == kept.Verdict && findings[at].Depth < 0):
			findings[at] = kept
		case at < len(findings) && findings[at].Verdict != kept.Verdict:
			panic(explore.Contradiction(fmt.Sprintf("%s is %v for one engine and %v for another", kept.Name, kept.Verdict, findings[at].Verdict)))
		}
	}
	return findings
}

// forget drops what was explored, unless it is to be kept.
func (c *check) forget() error {
	if c.result == nil || c.options.Keep {
		return nil
	}
	graph := c.result.Graph
	c.result, c.runs = nil, nil
	return graph.Close()
}

// crew is how many workers there are: fewer than are wanted if what each of them keeps of
// the tables would take much of the memory. From the third on it is not part of what
// forStates sets aside.
func (o *Options) crew() int {
	const each = 8 << 20
	if o.Memory == 0 {
		return o.Workers
	}
	return min(o.Workers, 2+int(o.Memory/16/each))
}

// forStates returns what states and tables may take of the memory that there is:
// the program, the buffers and rows of the workers, and what Go has not given
// back yet take the rest. With 100 MiB and more the whole process stays below
// 1.1 times as much.
func forStates(memory int64) int64 {
	const program, least = 46 << 20, 54 << 20
	return memory - min(program, max(memory/4, memory-least)) - memory/10
}
