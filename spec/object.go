package spec

import (
	"slices"

	"interleave/internal/cell"
)

// Object is what the processes of an algorithm are to their clients together: one sequential object, such as a
// register. A run is linearizable (Herlihy and Wing 1990) if each request can be given one moment, between the step
// that takes it and the step that outputs its answer, such that the object answers the same when it is asked at
// these moments, one request after the other. A request without an answer took effect at some moment after its
// step, or never; so did one whose process crashed before it answered.
//
// It travels with the algorithm, and runs are judged by it: see package linear. Linearizable makes one.
type Object struct {
	Name, Doc string

	Requests []string // the names of the Actions by which clients ask
	First    any      // the value before all requests

	// Do calls then with each value and answer that may come of a request. It does not if the request
	// has to wait.
	Do func(value any, c Call, then func(value, answer any))

	// Answers reports whether a process, by an output, may answer a request that it took. Linearizable lets
	// each output of the type of the answers answer any request. If a process takes requests before it has answered
	// the ones before, or gives some up, this has to tell which of them an output answers: else a run is undecided.
	// A crash need not end a request; if it does in this algorithm, let Answers say no to each Call that has Crashed.
	Answers func(c Call, output any) bool
}

// Call is a request that a client makes.
type Call struct {
	Process ID
	Action  string
	Value   any // nil: it takes none

	Crashed bool // for Answers: the process crashed since, and nobody waits for an answer any more
}

// Linearizable states that an algorithm is an object with values V and answers A to its clients. What do
// calls then with is what may come of a request: nothing if that has to wait, more than one thing if the object chooses. The
// values are compared with ==, and so are the answers with outputs.
//
//	spec.Linearizable("register", "a read is answered with what was written last", []string{"read", "write"}, 0,
//		func(v int, c spec.Call, then func(int, Reply)) {
//			if c.Action == "read" {
//				then(v, Reply{Value: v})
//				return
//			}
//			then(c.Value.(int), Reply{})
//		})
func Linearizable[V, A any](name, doc string, requests []string, first V, do func(v V, c Call, then func(V, A))) Object {
	return Object{
		Name: name, Doc: doc, Requests: requests, First: cell.Try(first),
		Do: func(v any, c Call, then func(v, answer any)) {
			c.Value = cell.Value(c.Value)
			do(cell.Open[V](v), c, func(v V, answer A) { then(cell.Try(v), cell.Try(answer)) })
		},
		Answers: func(_ Call, output any) bool {
			_, ok := output.(A)
			return ok
		},
	}
}

// checkObjects finds objects that cannot be judged.
func checkObjects[S, M any](objects []Object, actions []Action[S, M], f *faults) {
	for _, o := range objects {
		if o.Do == nil || o.Answers == nil || len(o.Requests) == 0 {
			f.add("the object %q lacks Do, Answers or Requests: make it with Linearizable", o.Name)
		}
		for _, name := range o.Requests {
			if !slices.ContainsFunc(actions, func(act Action[S, M]) bool { return act.Name == name }) {
				f.add("the object %q is asked by the action %q, which there is not: its Requests are names of Actions", o.Name, name)
			}
		}
	}
}
