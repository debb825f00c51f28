package properties

import (
	"errors"
	"strings"
	"testing"
	"time"

	"interleave/model"
)

// SetQuickStates changes how far Auto goes explicitly, until the returned
// function is called.
func SetQuickStates(quick, slow int) (restore func()) {
	oldQuick, oldSlow := quickStates, slowStates
	quickStates, slowStates = quick, slow
	return func() { quickStates, slowStates = oldQuick, oldSlow }
}

// NowAndThen is what go test -v is told by.
var NowAndThen = nowAndThen

// TellRun tells the run of a finding, in a Go test.
var TellRun = tellRun

// SetPreviewTime changes how long a preview of Auto is, until the returned function is called.
func SetPreviewTime(d time.Duration) (restore func()) {
	old := previewTime
	previewTime = d
	return func() { previewTime = old }
}

// SetFirstNodes changes how many nodes an attempt of the first round may take, until the
// returned function is called.
func SetFirstNodes(n int) (restore func()) {
	old := firstNodes
	firstNodes = n
	return func() { firstNodes = old }
}

// SetFirstTurn changes how long an attempt of the first round may take, see firstTurn, until
// the returned function is called.
func SetFirstTurn(d time.Duration) (restore func()) {
	old := firstTurn
	firstTurn = d
	return func() { firstTurn = old }
}

// SetFragments changes in how many states a loop is looked for, and returns what
// undoes that.
func SetFragments(most ...int) (undo func()) {
	old := fragments
	fragments = most
	return func() { fragments = old }
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
	t := &temporal{formula: mustParse(text)}
	w := &word{temporal: t, worlds: make([]*model.World, len(letters)), letters: make([]uint64, len(letters)), loop: loop, how: "it circles"}
	for i, name := range t.formula.Atoms() {
		t.names = append(t.names, name)
		t.atoms = append(t.atoms, func(*model.World) error { return errors.New("there is no " + name) })
		for at, letter := range letters {
			if strings.Contains(letter, name) {
				w.letters[at] |= 1 << i
			}
		}
	}
	return w.reason()
}

var FileName = fileName

// Crew is how many workers there are.
func (o *Options) Crew() int { return o.crew() }

// LimitMutants lowers the usual limit of a search of a mutant until the test ends.
func LimitMutants(t *testing.T, states int) {
	old := mutantStates
	mutantStates = states
	t.Cleanup(func() { mutantStates = old })
}
