package properties

import (
	"fmt"
	"sync"
	"weak"

	"interleave/model"
)

// MaxRounds is how many rounds after stabilization a property may speak of.
const MaxRounds = 1_000_000

// Stabilized states that, once nothing fails any more and the processes go on in lock step, holds
// returns nil after k rounds, and that k more rounds do not change that. It panics unless k is 1 to
// MaxRounds.
func Stabilized(name, doc string, k int, holds func(w *model.World) error) Property {
	p := Invariant(name, doc, afterStabilization(k, holds))
	p.stabilized = &stabilized{k, holds}
	return p
}

// stabilized is what a property of stabilized states is made of.
type stabilized struct {
	rounds int
	holds  func(w *model.World) error
}

// afterStabilization states something about the worlds that lie k to 2k rounds after stabilization. Many worlds settle
// to the same one, so results are remembered.
func afterStabilization(k int, holds func(w *model.World) error) func(*model.World) error {
	if k < 1 || k > MaxRounds {
		panic(fmt.Sprintf("properties: %d rounds are out of range: there are 1 to %d", k, MaxRounds))
	}
	found := memory{}
	return func(w *model.World) error {
		settled := w.Stabilize()
		locals, alone := settled.Locals()
		key := place{weak.Make(w.Reference()), locals}
		if err, ok := found.recall(key); ok && alone {
			return err
		}
		err := holdsAfter(settled, k, holds)
		if alone {
			found.keep(key, err)
		}
		return err
	}
}

func holdsAfter(w *model.World, k int, holds func(w *model.World) error) error {
	for round, later := range w.StableRounds(2 * k) {
		if round < k {
			continue
		}
		if err := holds(later); err != nil {
			if round == 1 {
				return fmt.Errorf("1 round after stabilization %w", err)
			}
			return fmt.Errorf("%d rounds after stabilization %w", round, err)
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
// asked of several algorithms. It does not keep the Reference, which a simulation makes anew whenever its tables grow
// too large.
type place struct {
	reference weak.Pointer[model.Reference]
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
