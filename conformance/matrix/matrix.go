// Package matrix shows which layer of checks finds which planted bug.
//
//	rows, err := matrix.Fill(ctx, bully.Mended, bully.Mutants, matrix.Layers)
//
// A mutant is an algorithm with one bug (spec.Algorithm.Mutant). A layer kills a mutant if it
// distinguishes it from its original. Drive runs the mutant in real processes and compares them
// with the model of the original. Logs and Capture compare what honest processes of the mutant
// leave behind with the original. A caller may add layers, such as one that verifies.
//
// A layer whose search ends at a limit has not decided. A mutant that no layer kills is a hole if
// all have decided, and undecided otherwise; unless its author says why nothing can kill it.
//
// Forge does the same for evidence: it forges the logs and captures of honest runs of a correct
// machine in many ways, and shows which layer detects which forgery.
package matrix

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"interleave/conformance/drive"
	"interleave/model"
	"interleave/spec"
)

// Layer is a way to distinguish a mutant from its original.
type Layer struct {
	Name string
	// Kill returns how the mutant is told from the original; "" if it is not. It is an
	// *UndecidedError if the search ended at a limit before.
	Kill func(ctx context.Context, original, mutant spec.Machine) (how string, err error)
	// Judge, if Kill is nil, does the same from a run of processes of the mutant.
	Judge func(original spec.Machine, c model.Config, r drive.Ran) (how string, err error)
}

// Row is a mutant, and which layers kill it.
type Row struct {
	Mutant   string            `json:"mutant"`
	Doc      string            `json:"doc"`
	Killed   map[string]string `json:"killed"`              // how, by the name of the layer
	Limits   map[string]string `json:"undecided,omitempty"` // at what layers ended that do not kill it, by their names
	Survives string            `json:"survives,omitempty"`  // why nothing can kill it, according to its author, who is believed
}

// Hole reports whether no layer kills a mutant, all have decided, and nobody says why.
func (r Row) Hole() bool { return len(r.Killed) == 0 && len(r.Limits) == 0 && r.Survives == "" }

// Undecided reports whether no layer kills a mutant, some have not decided, and nobody says why.
func (r Row) Undecided() bool { return len(r.Killed) == 0 && len(r.Limits) > 0 && r.Survives == "" }

// UndecidedError says that a layer has not told a mutant from its original, and ended at a limit.
type UndecidedError struct{ Limit string }

func (e *UndecidedError) Error() string { return "not decided: " + e.Limit }

// Layers are the layers of this package.
var Layers = []Layer{{Name: "drive", Kill: Drive}, {Name: "logs", Judge: Logs}, {Name: "capture", Judge: Capture}}

// Fill tries each layer on each mutant, as many at once as there are cores.
func Fill(ctx context.Context, original spec.Machine, mutants []spec.Machine, layers []Layer) ([]Row, error) {
	rows, errs := make([]Row, len(mutants)), make([]error, len(mutants))
	cores := make(chan bool, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, m := range mutants {
		all.Go(func() {
			cores <- true
			defer func() { <-cores }()
			rows[i], errs[i] = fill(ctx, original, m, layers)
		})
	}
	all.Wait()
	return rows, errors.Join(errs...)
}

// fill tries each layer on a mutant.
func fill(ctx context.Context, original, m spec.Machine, layers []Layer) (row Row, err error) {
	t := m.Traits()
	row = Row{Mutant: t.Name, Doc: t.Doc, Killed: map[string]string{}, Limits: map[string]string{}, Survives: t.Survives}
	var judges []Layer
	for _, l := range layers {
		if l.Kill == nil {
			judges = append(judges, l)
			continue
		}
		how, err := l.Kill(ctx, original, m)
		var undecided *UndecidedError
		switch {
		case errors.As(err, &undecided):
			row.Limits[l.Name] = undecided.Limit
		case err != nil:
			return row, fmt.Errorf("%s, %s: %w", t.Name, l.Name, err)
		case how != "":
			row.Killed[l.Name] = how
		}
	}
	if err := row.judge(ctx, original, m, judges); err != nil {
		return row, fmt.Errorf("%s: %w", t.Name, err)
	}
	return row, nil
}

// judge lets processes of the mutant run until every judge has killed it, or
// there is nothing left to run.
func (r *Row) judge(ctx context.Context, original, mutant spec.Machine, judges []Layer) error {
	var left leftover
	for _, c := range Worlds(mutant) {
		report, err := drive.Cover(ctx, mutant, c, drive.Options{MaxStates: maxStates, Ran: func(ran drive.Ran) error {
			left := 0
			for _, l := range judges {
				if r.Killed[l.Name] != "" {
					continue
				}
				how, err := l.Judge(original, c, ran)
				switch {
				case err != nil:
					return fmt.Errorf("%s: %w", l.Name, err)
				case how != "":
					r.Killed[l.Name] = how
				default:
					left++
				}
			}
			if left == 0 {
				return errFound
			}
			return nil
		}})
		switch {
		case errors.Is(err, errFound):
			return nil
		case errors.As(err, new(*drive.ImpossibleError)):
		case err != nil:
			return err
		default:
			left.add(c, report)
		}
	}
	limit := left.limit()
	for _, l := range judges {
		if limit != "" && r.Killed[l.Name] == "" {
			r.Limits[l.Name] = limit
		}
	}
	return ctx.Err()
}

// leftover is what drives of processes that do not disagree have left to look at.
type leftover struct {
	driven bool
	first  string
}

func (l *leftover) add(c model.Config, r *drive.Report) {
	l.driven = true
	if r.Verdict != drive.Agrees {
		l.first = cmp.Or(l.first, fmt.Sprintf("with %d processes: %s", c.N, limitOf(r)))
	}
}

// limit returns the first limit, or "" if nothing is left.
func (l *leftover) limit() string {
	if !l.driven {
		return "in no world can processes be driven"
	}
	return l.first
}

// limitOf says why a drive without a disagreement did not see everything.
func limitOf(r *drive.Report) string {
	switch {
	case r.Interrupted:
		return "interrupted"
	case r.Disagreement != nil:
		return "a run ended in silence"
	case r.Bounded:
		return fmt.Sprintf("limit of %d states", maxStates)
	}
	return "no run could be driven"
}

// errFound ends a search.
var errFound = errors.New("found")

// maxStates bounds what is looked at of one world: a mutant shows itself near the
// beginning or not at all. With 600 some killers are missed, with 3000 no other is found.
const maxStates = 1000

// Worlds returns the worlds in which layers try a mutant, small ones first.
func Worlds(m spec.Machine) (worlds []model.Config) {
	for _, change := range []func(c *model.Config){
		func(c *model.Config) {},
		func(c *model.Config) { c.N = 3 },
		func(c *model.Config) { c.N, c.Crashes = 3, 1 },
		func(c *model.Config) { c.N, c.Crashes, c.Timers = 3, 1, model.Any },
		func(c *model.Config) { c.N, c.Start, c.Timers = 3, model.LeaderDown, model.Any },
		func(c *model.Config) { c.Crashes, c.Recoveries = 1, 1 },
	} {
		c, err := model.Home(m, 2)
		if change(&c); err == nil && c.Check(m) == nil {
			worlds = append(worlds, c)
		}
	}
	return worlds
}

// Drive runs the mutant in real processes against the model of the original.
func Drive(ctx context.Context, original, mutant spec.Machine) (how string, err error) {
	var left leftover
	for _, c := range Worlds(original) {
		r, err := drive.Cover(ctx, original, c, drive.Options{Real: mutant, MaxStates: maxStates})
		switch {
		case errors.As(err, new(*drive.ImpossibleError)):
			continue
		case err != nil:
			return "", err
		case r.Disagreement != nil && !r.Disagreement.Silent:
			return r.Disagreement.Error(), nil
		default:
			left.add(c, r)
		}
	}
	if limit := left.limit(); limit != "" && ctx.Err() == nil {
		return "", &UndecidedError{limit}
	}
	return "", ctx.Err()
}
