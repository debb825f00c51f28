// Package lock is a lock server: process 1 grants a lock to one client at a time,
// the one with the smallest ID of those that wait.
//
// A client asks when it likes, once, and gives the lock back when it has it.
//
// Published takes no crash into account: if a client crashes that has the lock, or that the server
// is about to grant it to, all others wait forever. Mended hears of crashes from a failure detector,
// and takes the lock back. That must not be wrong: a client that is reported and yet up still has the lock.
// It must not come back either. If the server crashes, clients wait forever in both variants.
package lock
