// Package spec is the words that a distributed algorithm is written in.
//
// An Algorithm is a struct of handlers over plain values: S is what a process
// remembers, M what processes tell each other. A handler changes its own copy
// of the state and acts through its Proc. The same handlers are explored by a
// checker (package model) and run on sockets (package impl): both drive a
// Machine, which is an Algorithm with its types erased.
//
// Here is a whole algorithm. A process asks all others, when a client wants it to, and counts who says yes:
//
//	var Poll = &spec.Algorithm[spec.Set, string]{
//		Name: "poll", Doc: "asks all others", Source: "package spec",
//		Actions: []spec.Action[spec.Set, string]{{
//			Name: "ask", Doc: "a client asks", Times: 1,
//			Request: spec.OneOf([]string{"now?"}, func(_ *spec.Set, p *spec.Proc[string], question string) {
//				p.Broadcast(p.Others(), question)
//			}),
//		}},
//		Receive: func(agree *spec.Set, p *spec.Proc[string], from spec.ID, m string) {
//			switch {
//			case m == "yes":
//				*agree = agree.With(from)
//			case p.Choose(2) == 1:
//				p.Send(from, "yes")
//			}
//			if *agree == p.Others() {
//				p.Output("all agree")
//			}
//		},
//		Properties: []spec.Property{
//			spec.Cover("agreed", "all others agree with process 1", func(w spec.World) bool {
//				agree, _ := w.State(1).(spec.Set)
//				return w.N() > 1 && agree == spec.UpTo(w.N()).Without(1)
//			}),
//		},
//	}
//
// An Action is what a process does of its own accord, or because a client asks: then it is a request, with a
// value. A handler makes a choice by Proc.Choose: a checker follows each answer, and a real process draws one. A Property
// travels with the algorithm: a function of a World, which is a global state; a formula about runs; or a Monitor, a
// value that each step turns into another, for what no state shows. An algorithm that elects a leader has an
// Election, which says who that is. Without one, nothing that is said of the algorithm mentions a leader.
//
// States and messages are plain values: bool, numbers, strings, and arrays, slices, maps, pointers and structs of
// those. Each handler gets its own, which shares nothing with others, and nobody has to
// write Clone, Equal or Hash, or can forget a field in them. Sets of processes are a Set. Handlers use their arguments and nothing else: no clock, no randomness, no
// package variable, no map iteration, no goroutine. Time, requests and suspicion arrive as events, and chance as
// answers to a choice. The other functions, such as Kind and the rules, are asked several times, in
// any order, and have to answer the same. A Proc is good for one call, so nobody keeps it.
//
// An action that neither refuses nor changes anything may happen again and again, unless Times says how
// often: in a network that keeps every message, its sends pile up without end.
//
// The package leaves out how messages travel, how time passes and who crashes: that is
// up to the world (package model).
//
// Begin to read with algorithm.go, action.go and proc.go, then property.go. The algorithms in spec/lock and
// spec/changroberts are short.
package spec
