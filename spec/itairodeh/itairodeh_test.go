package itairodeh

import (
	"testing"

	"interleave/spec"
)

// TestReceive looks at what an active process 2 of three, with identity 2, makes of a message.
func TestReceive(t *testing.T) {
	for _, c := range []struct {
		message       Msg
		after, effect string
	}{
		{Msg{Identity{0, 1}, 1, false}, "active 2", "does nothing"},
		{Msg{Identity{0, 2}, 1, false}, "active 2", "sends 2(2 hops, shared) to 3"},
		{Msg{Identity{0, 3}, 1, false}, "passive 0", "sends 3(2 hops) to 3"},
		{Msg{Identity{0, 2}, 3, false}, "won 2", "outputs won"},
		{Msg{Identity{0, 2}, 3, true}, "active 2", "chooses one of 3"},
	} {
		before := State{Identity: Identity{Number: 2}}
		s, fx := Finite.Step(2, []spec.ID{1, 2, 3}, before, spec.Event{Kind: spec.Receive, From: 1, Message: c.message})
		if after := s.(State); after.Standing.String()+" "+after.Identity.String() != c.after || fx.String() != c.effect {
			t.Errorf("%v: %+v, %v; want %s, %s", c.message, after, fx, c.after, c.effect)
		}
	}
}
