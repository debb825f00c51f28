package properties

import (
	"errors"
	"strings"
	"testing"
	"time"

	"interleave/model"
	"interleave/properties/internal/plan"
)

// SetQuickStates changes how far Auto goes explicitly, until the returned
// function is called.
func SetQuickStates(quick, slow int) (restore func()) {
	old := schedule
	schedule.QuickStates, schedule.SlowStates = quick, slow
	return func() { schedule.QuickStates, schedule.SlowStates = old.QuickStates, old.SlowStates }
}

// NowAndThen is what go test -v is told by.
var NowAndThen = nowAndThen

// FormatRun tells the run of a finding, in a Go test.
var FormatRun = formatRun

// SetPreviewTime changes how long a preview of Auto looks for a diagram, and judges by it, until the
// returned function is called.
func SetPreviewTime(look, judge time.Duration) (restore func()) {
	old := schedule
	schedule.Preview, schedule.Judging = look, judge
	return func() { schedule.Preview, schedule.Judging = old.Preview, old.Judging }
}

// SetFirstNodes changes how many nodes an attempt of the first round may take, until the
// returned function is called.
func SetFirstNodes(n int) (restore func()) {
	old := schedule.FirstNodes
	schedule.FirstNodes = n
	return func() { schedule.FirstNodes = old }
}

// SetFirstSlice changes how long an attempt of the first round may take until the returned function is
// called.
func SetFirstSlice(d time.Duration) (restore func()) {
	old := schedule.FirstSlice
	schedule.FirstSlice = d
	return func() { schedule.FirstSlice = old }
}

// SetAround changes in how many states a loop is looked for, and returns what
// undoes that.
func SetAround(most ...int) (undo func()) {
	old := schedule.Around
	schedule.Around = most
	return func() { schedule.Around = old }
}

// SetPatience changes how long is waited for a handler, until the returned function is called:
// how often one looks, after how long it is slow, how long it may go on after the end.
func SetPatience(every, slow, after time.Duration) (restore func()) {
	oldEvery, oldSlow, oldAfter := lookEvery, slowAfter, patience
	lookEvery, slowAfter, patience = every, slow, after
	return func() { lookEvery, slowAfter, patience = oldEvery, oldSlow, oldAfter }
}

// Why returns why a formula is false on a run, given the one-letter atoms that are
// true after each of its steps, from 0 on; from one of the positions on it repeats.
func Why(text string, letters []string, loop int) string {
	t := &plan.Runs{Formula: mustParse(text)}
	w := &word{Runs: t, worlds: make([]*model.World, len(letters)), letters: make([]uint64, len(letters)), loop: loop, how: "it cycles"}
	for i, name := range t.Formula.Atoms() {
		t.Names = append(t.Names, name)
		t.Atoms = append(t.Atoms, func(*model.World) error { return errors.New("there is no " + name) })
		for at, letter := range letters {
			if strings.Contains(letter, name) {
				w.letters[at] |= 1 << i
			}
		}
	}
	return w.reason()
}

var FileName = fileName

// LimitMutants lowers the usual limit of a search of a mutant until the test ends.
func LimitMutants(t *testing.T, states int) {
	old := mutantStates
	mutantStates = states
	t.Cleanup(func() { mutantStates = old })
}

// Forgetting are the options of a simulation that makes new tables for each run.
func (o SimulateOptions) Forgetting() SimulateOptions {
	o.tables = 1
	return o
}

// LimitAhead lowers how many states are looked at after the end of a run until the test ends.
func LimitAhead(t *testing.T, states int) {
	old := mostAhead
	mostAhead = states
	t.Cleanup(func() { mostAhead = old })
}
