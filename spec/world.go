package spec

import "iter"

// World is a global state as a property sees it: of a checked world, or of real processes. It is
// valid during one call.
type World interface {
	N() int                   // number of processes, those included that are down
	Live() Set                // who is not down
	Started(p ID) bool        // whether p has taken its Start, or needs none; it has if it is down
	State(p ID) any           // what p remembers, of the algorithm's own type; if it is down, what is stable of that, or nil
	Idle(p ID) bool           // whether p waits for nothing
	Quiescent() bool          // nothing has to happen any more
	InFlight() iter.Seq[Sent] // the messages in flight
}

// Sent is a message that a process sent.
type Sent struct {
	From, To ID
	Message  any
}

// States yields the processes that are not down, each with what it remembers. S is the type of the
// states of the algorithm.
func States[S any](w World) iter.Seq2[ID, S] {
	return func(yield func(ID, S) bool) {
		for p := range w.Live().All() {
			if s, ok := w.State(p).(S); ok && !yield(p, s) {
				return
			}
		}
	}
}
