// Package impl is where an election runs for real: the same spec.Machine that
// model explores, one goroutine a process, on sockets and a clock. It imports
// spec and never model. Nothing of it is built yet.
package impl
