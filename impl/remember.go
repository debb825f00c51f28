package impl

import (
	"fmt"
	"time"

	"interleave/impl/runlog"
	"interleave/impl/storage"
	"interleave/spec"
)

// stored is what a node knows of its stable storage.
type stored struct {
	found any  // the memory that Init finds
	again bool // the process ran before
	saved any  // the state that is there now
}

// remember loads the memory, and stores the new incarnation before anybody can hear of
// it. Without a storage the incarnation is the clock's time in seconds.
func (n *Node) remember(now time.Time) error {
	n.stored.found = n.traits.Zero
	if n.config.Storage == nil {
		n.incarnation = uint32(max(now.Unix(), 1))
		return nil
	}
	m, err := n.config.Storage.Load()
	if err != nil {
		return err
	}
	if m.Incarnation > 0 && (m.Algorithm != n.traits.Name || m.Process != n.config.ID) {
		return fmt.Errorf("%w: it is of process %v of %s, and not of process %v of %s: give each process a folder of its own",
			storage.ErrMemory, m.Process, m.Algorithm, n.config.ID, n.traits.Name)
	}
	if m.State != nil {
		if n.traits.Stable == nil {
			return fmt.Errorf("%w: it has a state, and %s keeps none", storage.ErrMemory, n.traits.Name)
		}
		if n.stored.found, err = n.traits.ReadState(m.State); err != nil {
			return fmt.Errorf("%w: its state: %w", storage.ErrMemory, err)
		}
		n.stored.saved = n.stored.found
	}
	n.incarnation, n.stored.again = m.Incarnation+1, m.Incarnation > 0
	if !n.stored.again && n.traits.Stable != nil {
		n.stored.saved = n.traits.Stable(n.born())
	}
	return n.save(n.stored.saved)
}

// born returns the state in which a first life begins. What survives of it is stored
// before the first step, in case of an earlier crash: as in a model, where Init is no
// step.
func (n *Node) born() any {
	state, _ := n.config.Machine.Step(n.config.ID, n.config.Ring, n.traits.Zero, spec.Event{Kind: spec.Init})
	return state
}

// save stores the incarnation and a stable state, nil for none.
func (n *Node) save(stable any) error {
	m := storage.Memory{Algorithm: n.traits.Name, Process: n.config.ID, Incarnation: n.incarnation}
	if stable != nil {
		text, err := runlog.PlainJSON(stable)
		if err != nil {
			return fmt.Errorf("stable storage: %w", err)
		}
		m.State = text
	}
	n.stored.saved = stable
	return n.config.Storage.Save(m)
}

// keep saves what the algorithm wants to find after a crash, if that changed.
func (n *Node) keep() {
	if n.config.Storage == nil || n.traits.Stable == nil {
		return
	}
	if stable := n.traits.Stable(n.local.state); stable != n.stored.saved {
		n.fail(n.save(stable))
	}
}
