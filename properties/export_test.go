package properties

import "time"

// SetQuickStates changes how far Auto goes explicitly, until the returned
// function is called.
func SetQuickStates(quick, slow int) (restore func()) {
	oldQuick, oldSlow := quickStates, slowStates
	quickStates, slowStates = quick, slow
	return func() { quickStates, slowStates = oldQuick, oldSlow }
}

// SetFirstTurn changes how long an attempt of the first round may take, until
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
