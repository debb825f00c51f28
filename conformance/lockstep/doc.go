// Package lockstep runs the runtime by a plan, and takes the same steps in the model.
//
//	plan := lockstep.Plan{Machine: bully.Mended, N: 3, Faults: []lockstep.Fault{{At: time.Second, Kind: lockstep.Crash, Process: 3}}}
//	report, err := plan.Run()
//
// The nodes are complete nodes of package impl, on a switch in memory. A plan says how long
// each frame takes, which are lost or copied, and when processes crash and come up again.
// Everything else is decided by timers, deadlines, links and the detector, as the clock
// goes on. In a bubble of testing/synctest that takes no time, and the same plan always runs
// the same.
//
// Every step that a process logs is then taken by model.Reference, in the order in which
// they were logged. The step has to be possible there, with the same sends, state, leader
// and armed timers. Messages may be lost only where the plan loses them. At the end the
// processes themselves are asked, and no message may still be in flight that nothing holds
// up.
//
// # The world
//
// A plan in which no message takes longer than delta keeps the assumption on which timers
// are chosen. For such a plan the model lets election timers expire only where that is
// justified (model.Mixed). If one of the runtime expires elsewhere, it is too short: so
// this tests that the durations keep what is promised for them. Other plans, and algorithms
// that elect nobody, use model.Any.
//
// # What is left out
//
// Wrong suspicions: the frames by which the detector knows that a process is up are neither
// lost nor late. Crashes of algorithms that see who is live, as the runtime sees it later
// than the model. Crashes between the sends of a step. Lock-step rounds, in which the
// processes have no order. Package drive has all of these.
package lockstep
