// Package changroberts elects a leader on a ring, after E. Chang and
// R. Roberts, "An improved algorithm for decentralized extrema-finding in
// circular configurations of processes", CACM 22(5), 1979.
//
// A process that wants an election sends its ID to the next process. Each
// process forwards what beats its own ID and swallows the rest, so that only
// the winner's ID comes all the way round.
//
// The algorithm is told in three ways:
//
//   - Textbook: the election in prose, with a second lap that announces the
//     leader. Naive is the same on a ring that skips crashed processes.
//   - Classic: the well-known PlusCal specification. The smallest ID wins and
//     only the winner learns it; a process starts by a step of its own.
//   - Detecting: the textbook made to survive crashes by a perfect failure
//     detector.
//
// Read textbook.go first.
package changroberts
