package paxos

import (
	"fmt"

	"interleave/spec"
)

// Objects are what the processes are to those who propose. Volatile is not, where processes restart.
var Objects = []spec.Object{decision()}

// decision is one value. A process that crashes forgets its client.
func decision() spec.Object {
	o := spec.Linearizable("decision", "whoever proposes is told the value that was proposed first", []string{"propose"}, Value(""), func(decided Value, c spec.Call, then func(Value, Value)) {
		if decided == "" {
			decided = c.Value.(Value)
		}
		then(decided, decided)
	})
	o.Answers = func(c spec.Call, output any) bool {
		_, is := output.(Value)
		return is && !c.Crashed
	}
	return o
}

// Properties are what both variants are meant to have; Volatile lacks agreement where processes restart.
var Properties = []spec.Property{
	spec.Invariant("consistency", "no two processes learn different values", func(w spec.World) error {
		first, by := Value(""), spec.None
		for p := range spec.UpTo(w.N()).All() {
			s, _ := w.State(p).(State)
			switch {
			case s.Chosen == "":
			case by == spec.None:
				first, by = s.Chosen, p
			case s.Chosen != first:
				return fmt.Errorf("process %v learned %q, and process %v learned %q", by, first, p, s.Chosen)
			}
		}
		return nil
	}),
	spec.Invariant("one-value-a-ballot", "what is accepted in one ballot is one value", func(w spec.World) error {
		values := map[Ballot]Value{}
		for p := range spec.UpTo(w.N()).All() {
			s, _ := w.State(p).(State)
			v := s.Accepted
			if other, ok := values[v.Ballot]; ok && other != v.Value {
				return fmt.Errorf("both %q and %q are accepted in ballot %d", other, v.Value, v.Ballot)
			}
			values[v.Ballot] = v.Value
		}
		return nil
	}),
	spec.Cover("learned", "every process has learned a value", func(w spec.World) bool {
		n := 0
		for _, s := range spec.States[State](w) {
			if s.Chosen != "" {
				n++
			}
		}
		return n == w.N()
	}),
}
