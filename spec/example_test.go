package spec_test

import (
	"fmt"

	"interleave/spec"
)

// token is what a process of the example remembers.
type token struct{ Leader spec.ID }

// largest sends the largest ID it has seen round a ring: an algorithm is a
// struct of handlers over plain values.
var largest = &spec.Algorithm[token, spec.ID]{
	Name: "largest", Doc: "the largest ID goes round a ring", Source: "this example", Ring: true,
	Start: func(s *token, p *spec.Proc[spec.ID]) {
		if p.Initiator() {
			p.Send(p.Next(), p.ID)
		}
	},
	Receive: func(s *token, p *spec.Proc[spec.ID], _ spec.ID, seen spec.ID) {
		if s.Leader != max(seen, s.Leader) {
			s.Leader = seen
			p.Send(p.Next(), max(seen, p.ID))
		}
	},
	Election: &spec.Election[token, spec.ID]{Leader: func(s token) spec.ID { return s.Leader }},
}

// A handler is run by Step: nothing else moves an algorithm, in a check and in
// a real process alike.
func ExampleAlgorithm() {
	fmt.Println(largest.Validate())
	ring := []spec.ID{1, 2, 3}
	state, effects := largest.Step(2, ring, largest.Traits().Zero, spec.Event{Kind: spec.Receive, From: 1, Message: spec.ID(1)})
	fmt.Printf("%+v, sends %v to %v\n", state, effects.Sends[0].Message, effects.Sends[0].To)
	// Output:
	// <nil>
	// {Leader:1}, sends 2 to 3
}

func ExampleSet() {
	asked := spec.SetOf(4, 2).With(1)
	fmt.Println(asked, asked.Max(), asked.Has(3), spec.UpTo(4)&^asked)
	// Output: {1 2 4} 4 false {3}
}
