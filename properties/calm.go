package properties

import (
	"fmt"
	"sync"

	"interleave/model"
	"interleave/spec"
)

const ballotElection = "gossip ballot leader election: eventual completeness and eventual agreement"

// maxCalm is how many calm rounds there may be in a property.
const maxCalm = 1_000_000

// CompleteWithin states that, once nothing fails any more and the processes go on in lock step, each live
// process follows a live one after k rounds, if a majority is live; and that k more rounds do not
// change that. It panics unless k is 1 to 1,000,000.
func CompleteWithin(k int) Property {
	return looksAhead(Invariant(fmt.Sprintf("complete-within(%d)", k),
		fmt.Sprintf("in calm, with a majority live, after %s all follow live processes", calmRounds(k)),
		inCalm(k, func(w *model.World) error {
			if 2*w.Live().Len() <= w.N() {
				return nil
			}
			return each(func(w *model.World, p spec.ID) error {
				if !w.Live().Has(w.Leader(p)) {
					return fmt.Errorf("process %v follows %v, which is not up", p, w.Leader(p))
				}
				return nil
			})(w)
		})))
}

// AgreementWithin states that, in the same circumstances, no two live processes follow different ones.
func AgreementWithin(k int) Property {
	return looksAhead(Invariant(fmt.Sprintf("agreement-within(%d)", k),
		fmt.Sprintf("in calm, after %s no two live processes follow different ones", calmRounds(k)),
		inCalm(k, func(w *model.World) error {
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
		})))
}

func looksAhead(p Property) Property {
	p.calm = true
	return ours(ballotElection, p)
}

func calmRounds(k int) string {
	if k == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", k)
}

// inCalm states something about the worlds that lie k to 2k calm rounds ahead. Many worlds settle
// to the same one, so results are remembered.
func inCalm(k int, holds func(w *model.World) error) func(*model.World) error {
	if k < 1 || k > maxCalm {
		panic(fmt.Sprintf("properties: %d calm rounds are out of range: there are 1 to %d", k, maxCalm))
	}
	found := memory{}
	return func(w *model.World) error {
		settled := w.Settle()
		locals, alone := settled.Locals()
		key := place{w.Reference(), locals}
		if err, ok := found.recall(key); ok && alone {
			return err
		}
		err := calm(settled, k, holds)
		if alone {
			found.keep(key, err)
		}
		return err
	}
}

func calm(w *model.World, k int, holds func(w *model.World) error) error {
	for round, later := range w.Calm(2 * k) {
		if round < k {
			continue
		}
		if err := holds(later); err != nil {
			return fmt.Errorf("%d calm rounds later %w", round, err)
		}
	}
	return nil
}

// memory has results by world. Several goroutines may share it.
type memory struct {
	mutex sync.Mutex
	found map[place]error
}

// place is a world with nothing in flight, together with its Reference, since one property may be
// asked of several algorithms.
type place struct {
	reference *model.Reference
	locals    [model.MaxN]model.Local
}

const memorySize = 20_000

func (m *memory) recall(key place) (error, bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	err, ok := m.found[key]
	return err, ok
}

func (m *memory) keep(key place, err error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.found == nil || len(m.found) == memorySize {
		m.found = map[place]error{}
	}
	m.found[key] = err
}
