// Package cluster runs N real processes of an algorithm on one machine, and injects faults
// between them by a plan.
//
// Each process is a process of the operating system: an mc node with the very handlers that
// a checker explores. They reach each other only through a proxy: each has an address of
// its own on the loopback network, and one of the proxy's for every other (see network.Addresses).
// The proxy loses, copies, delays and reorders frames, and cuts processes off from each
// other; processes are killed with kill -9, paused and started again.
//
//	v, err := cluster.Run(ctx, cluster.Config{
//		Machine: bully.Mended, N: 5, Duration: time.Minute, Delta: 50 * time.Millisecond,
//		Plan:    cluster.Plan{Seed: 7, Faults: network.Faults{Loss: 100_000}},
//		Program: []string{"mc", "node"}, Dir: "run",
//	})
//
// The fate of a frame is a pure function of the seed, the link and the frame's ordinal on
// the link (see network.Faults.Fate). Which frame has which ordinal depends on the processes and
// the scheduler of the machine: a seed repeats the fates, not the run.
//
// At the end all faults end, and the processes are asked whom they follow. The verdict is
// about that one run and what was seen of it. The logs of the processes, which all read one
// clock, tell what happened when.
//
// # What is left out
//
// Processes on several machines, corrupted frames, clocks that differ, and faults of the
// disk.
//
// # Where to read
//
// Begin with run.go, the course of a run; then act.go, what may happen in it, package network,
// the faults, and judge.go, the verdict.
package cluster
