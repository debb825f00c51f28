// Package ble elects a leader by gossip: every process asks all others for their
// ballots, round after round, and trusts the largest ballot among enough
// answers. Nobody announces anything, and there may be several leaders for a
// while; in the end, all follow the same live one. The source is the gossip
// Ballot Leader Election of university lecture notes.
//
// A ballot is a number and the process that owns it. A process remembers in
// Bmax the largest ballot that it ever heard of. When the answers of a round are
// all smaller, their owners do not include the leader of old: the process bumps
// its own ballot above Bmax and stands for election.
//
// As printed, it has two defects, each a switch:
//
//   - a quorum is half of the processes, rounded up, which is no majority if
//     their number is even;
//   - the indentation announces the leader to the user again in every round,
//     changed or not.
//
// A third shows when processes restart: a process tells of ballots that it told
// of before, or of smaller ones. Published has all three, Mended none, Majority and Quiet each lack one
// of the first two.
//
// How long a round takes is not told here: a timer expires at any moment, or in
// lock step. Rounds are counted without end, so a world has to bound them.
package ble
