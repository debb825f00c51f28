// Package spec is the words that a distributed algorithm is written in.
//
// An Algorithm is a struct of handlers over plain values: S is what a process
// remembers, M what processes tell each other. A handler changes its own copy
// of the state and acts through its Proc. The same handlers are explored by a
// checker (package model) and run on sockets (package impl): both drive a
// Machine, which is an Algorithm with its types erased.
//
// Here is a whole algorithm. A process that has no leader follows itself and tells the
// processes below it, and everybody follows the largest that spoke. In the end they agree; on
// the way the algorithm breaks winner-is-top, for a while:
//
//	var Boastful = &spec.Algorithm[spec.ID, bool]{
//		Name: "boastful/simple",
//		Receive: func(leader *spec.ID, _ *spec.Proc[bool], from spec.ID, _ bool) {
//			*leader = max(*leader, from)
//		},
//		Election: &spec.Election[spec.ID, bool]{
//			Leader: func(leader spec.ID) spec.ID { return leader },
//			Notice: func(leader *spec.ID, p *spec.Proc[bool]) {
//				*leader = p.ID
//				p.Broadcast(p.Below(), true)
//			},
//		},
//	}
//
// States and messages are bool, integers, strings, arrays and structs of those,
// all fields exported. So == means equal, a copy shares nothing, and nobody has to
// write Clone, Equal or Hash, or can forget a field in them. Lists are a Set or an
// array. Handlers use their arguments and nothing else: no clock, no randomness, no
// package variable, no map iteration, no goroutine. Time, chance and suspicion arrive as events.
// So do the other functions, such as Leader, Kind and the rules: they are asked several times, in
// any order, and have to answer the same. A Proc is good for one call, so nobody keeps it.
//
// A Notice that neither refuses nor changes anything may happen again and again:
// in a network that keeps every message, its sends pile up without end.
//
// The package leaves out how messages travel, how time passes and who crashes: that is
// up to the world (package model).
//
// Begin to read with algorithm.go and proc.go, then the example in spec/changroberts.
package spec
