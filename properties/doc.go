// Package properties says what elections owe us, and checks it with one call.
//
// Verify explores a machine in a world and judges properties: invariants, what
// holds in quiescent states (where nothing but a crash can happen any more),
// what holds on every step, what is true of every fair run, and covers, which
// some state must reach lest the others hold because nothing happens. Test is the same as a
// gate in anybody's go test:
//
//	func TestElection(t *testing.T) {
//		properties.Test(t, mine.Algorithm, model.Config{N: 3, Crashes: 1})
//	}
//
// A property of one's own is a function of a model.World:
//
//	sober := properties.Invariant("sober", "process 1 never leads", func(w *model.World) error {
//		if w.Leader(1) == 1 {
//			return errors.New("process 1 leads")
//		}
//		return nil
//	})
//
// The verdicts are Verified, Bounded, Violated and Inconclusive; the last is
// the zero value, and whatever is not certain ends there. A violation is
// repeated through the handlers, state by state, before it is reported. A pass
// can be written down and confirmed by package properties/certificate.
//
// What is true of runs is a formula of explore/ltl over predicates of states. A
// counterexample is a run for ever, which falseOnLasso reads again by the
// handlers and by the formula's own meaning: no automaton, and not the classes
// of steps that the search went by, have a part in that. A formula that no fair
// run puts to the test is Inconclusive, not Verified.
package properties
