// Package lockstep runs the runtime by a plan and takes the same steps in the
// model.
//
//	plan := lockstep.Plan{Machine: bully.Mended, N: 3, Faults: []lockstep.Fault{{At: time.Second, Kind: lockstep.Crash, Process: 3}}}
//	report, err := plan.Run()
//
// The nodes are those of package impl, whole, on a switch in memory. A plan says
// how long each frame takes, which are lost or copied, and who crashes and comes up
// again when; the clock does the rest, so that timers, deadlines, links and the
// detector decide when what happens. In a bubble of testing/synctest that takes no
// time, and the same plan always runs the same.
//
// Every step that a process logs is then taken by model.Reference, in the order
// in which they were written: the step has to be possible there, and its
// sends, its state, the leader and the armed timers have to be those of the model. What is
// lost on the way has to be so by the plan. At the end the processes are asked
// themselves, and nothing may still be on its way that nobody hinders.
//
// # The world
//
// A plan in which no message takes longer than delta keeps the assumption that the
// timers are made for. Then the model lets electing timers expire only where
// that is justified (model.Mixed), and if the runtime's expire otherwise, they are
// too short: so it is tested that its durations keep what is promised for them.
// Other plans take model.Any.
//
// # What is left out
//
// Suspicions that are wrong: frames that say that a process is up are neither
// lost nor late. Crashes of algorithms that see who is live, as the runtime sees it later
// than the model; crashes between the sends of a step. Package drive has those.
// Lock-step rounds have no order among processes; package drive has them too.
package lockstep
