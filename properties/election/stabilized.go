package election

import (
	"fmt"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

const ballotElection = "gossip ballot leader election: eventual completeness and eventual agreement"

// CompleteWithin states that, once nothing fails any more and the processes go on in lock step, each live
// process follows a live one after k rounds, if a majority is live; and that k more rounds do not
// change that. It panics unless k is 1 to 1,000,000.
func CompleteWithin(k int) properties.Property {
	return ofElections(ballotElection, properties.Stabilized(fmt.Sprintf("complete-within(%d)", k),
		fmt.Sprintf("after stabilization and %s, with a majority live, all follow live processes", rounds(k)), k,
		func(w *model.World) error {
			if 2*w.Live().Len() <= w.N() {
				return nil
			}
			return each(func(w *model.World, p spec.ID) error {
				if !w.Live().Has(w.Leader(p)) {
					return fmt.Errorf("process %v follows %v, which is not up", p, w.Leader(p))
				}
				return nil
			})(w)
		}))
}

// AgreementWithin states that, in the same circumstances, no two live processes follow different ones.
func AgreementWithin(k int) properties.Property {
	return ofElections(ballotElection, properties.Stabilized(fmt.Sprintf("agreement-within(%d)", k),
		fmt.Sprintf("after stabilization and %s no two live processes follow different ones", rounds(k)), k,
		func(w *model.World) error {
			first := spec.None
			for p := range w.Live().All() {
				switch {
				case w.Leader(p) == spec.None:
				case first == spec.None:
					first = p
				case w.Leader(p) != w.Leader(first):
					return fmt.Errorf("process %v follows %v, but %v follows %v", first, w.Leader(first), p, w.Leader(p))
				}
			}
			return nil
		}))
}

func rounds(k int) string {
	if k == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", k)
}
