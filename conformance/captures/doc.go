// Package captures compares packet captures of real runs with what was verified. The steps of
// the processes are hidden in a capture; package conformance/frontier looks for them.
//
//	packets, note, err := captures.Read(reader, false)
//	report, err := captures.Check(packets, captures.Options{Find: find})
//
// Explore also judges properties over all explanations, and tries changes to a refuted capture.
// Compare compares the logs and a capture of one run with each other. What explains a capture is
// written as logs and judged by package conformance/logs, which shares no code with the search.
//
// Begin to read with judge.go:
//
//	judge.go           how hard an explanation is looked for, and what doubts there are
//	context.go         what the run of a capture is
//	traffic.go         what packets say by themselves, whatever the algorithm does; overview.go, what is missing
//	check.go           whether hidden steps explain them
//	cause.go           what a refutation rests on
//	counterfactuals.go changes to a refuted capture, and the few packets that show it
//	explanation.go     a capture that is explained, told as logs
//	safety.go          properties over all explanations
//	follow.go          packets as they come
//	crosscheck.go      logs and a capture of one run
//
// The tests are those of package conformance.
package captures
