// Package properties states what an algorithm must guarantee, and checks it.
//
// Verify explores a machine in a world and judges properties of six sorts: what holds
// in every state; what holds in every quiescent state, where nothing
// has to happen any more; what holds on every step; what is true of every fair run; what a monitor
// sees along a run; and covers, states that must be reachable, since the other properties also hold where
// nothing happens. Test does the same as a gate in any go test:
//
//	func TestLock(t *testing.T) {
//		properties.Test(t, lock.Algorithm, model.Config{N: 3, Crashes: 1}, exclusion, served)
//	}
//
// What elections must guarantee is in package election, which has properties by name, and those to
// check when none are named. It passes them in as a Catalogue, since this package knows nothing of leaders.
//
// Where a world is too large, Simulate, TestSimulate and Fuzz take runs at random, and verify nothing.
//
// TestBounded does so in a world that is bounded, for an algorithm that counts up without end. A
// gate passes only what was decided; Undecided names what may stay undecided.
//
// An algorithm brings its own properties along: spec.Property, which Of makes one to check. Here a
// property is a function of a model.World, which has a few more answers than a spec.World:
//
//	sober := properties.Invariant("sober", "process 1 never leads", func(w *model.World) error {
//		if w.Leader(1) == 1 {
//			return errors.New("process 1 leads")
//		}
//		return nil
//	})
//
// It must be a function: the same answer to the same question. Verify asks it, and every
// function of the algorithm that is no handler, now and then twice, and once more at the end, as
// it does with handlers; if an answer differs, it returns a model.NondeterminismError and no report.
//
// The verdicts are Verified, Bounded, Violated and Inconclusive. Inconclusive is the zero
// value, and what is not certain keeps it. A violation is replayed through the handlers,
// state by state, before it is reported. Package properties/certificate writes a pass
// down and confirms it.
//
// A property of runs is a formula of explore/ltl over predicates of states. Its
// counterexample is an infinite run, a lasso. falseOnLasso judges it again from the
// handlers and the meaning of the formula; it shares neither the automata nor the classes
// of steps with the search. A formula that no fair run puts to the test is Inconclusive,
// not Verified.
//
// # Where to read
//
// property.go has the properties, and formula.go those of runs. verify.go is the way from Options to a
// Report: it puts a question to the package internal/plan, which searches and judges. reason.go
// judges an infinite run by the handlers alone, and witness.go whether it is fair.
// watchdog.go notices handlers that do not return or are no functions, and determinism.go everything
// else that is no function.
package properties
