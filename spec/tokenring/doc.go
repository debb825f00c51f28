// Package tokenring is the ring election of university lecture notes, in which
// a list of IDs goes round, and then a COORDINATOR.
//
// A process that finds no live leader sends an ELECTION with a list of its own
// ID alone to the next process that is up. Each process adds its ID and passes
// the list on. Once it came round, the largest ID in it is the leader, which a
// COORDINATOR tells in a second lap. To know who is up when a message is sent
// takes an oracle. There may be at most MaxN processes.
//
// The notes leave it open who recognizes the list that came round, if the one
// that began it has crashed. In PublishedA that is whoever is in the list, in
// PublishedB only the first of the list: then a list whose first has crashed
// goes round forever, and so does a COORDINATOR in both if the one that sent
// it out has crashed. A message to a process that crashes is lost, and whoever
// began waits forever. And the largest ID in the list may have crashed since it
// was added.
//
// Mended reads as A does. It elects the largest of the list that is still up,
// lets the COORDINATOR carry who has seen it, so that it stops anyhow, and has a
// timer that begins again when the list is lost.
package tokenring
