package impl

import (
	"fmt"
	"time"

	"interleave/impl/runlog"
	"interleave/impl/storage"
	"interleave/spec"
)

// persistence is what a process keeps between boots: its incarnation, and what the algorithm
// wants to find after a crash.
type persistence struct {
	config      Config
	traits      spec.Traits
	incarnation uint32 // the present one
	found       any    // the memory that Init finds
	again       bool   // the process ran before
	saved       any    // the state that is in the storage now
}

// load loads the memory, and stores the new incarnation before anybody can hear of it.
// Without a storage the incarnation is the clock's time in seconds.
func (p *persistence) load(now time.Time) error {
	p.found = p.traits.Zero
	if p.config.Storage == nil {
		p.incarnation = uint32(max(now.Unix(), 1))
		return nil
	}
	m, err := p.config.Storage.Load()
	if err != nil {
		return err
	}
	if m.Incarnation > 0 && (m.Algorithm != p.traits.Name || m.Process != p.config.ID) {
		return fmt.Errorf("%w: it is of process %v of %s, and not of process %v of %s: give each process a folder of its own",
			storage.ErrMemory, m.Process, m.Algorithm, p.config.ID, p.traits.Name)
	}
	if m.State != nil {
		if p.traits.Stable == nil {
			return fmt.Errorf("%w: it has a state, and %s keeps none", storage.ErrMemory, p.traits.Name)
		}
		if p.found, err = p.traits.ReadState(m.State); err != nil {
			return fmt.Errorf("%w: its state: %w", storage.ErrMemory, err)
		}
		p.saved = p.found
	}
	p.incarnation, p.again = m.Incarnation+1, m.Incarnation > 0
	if !p.again && p.traits.Stable != nil {
		p.saved = p.traits.Stable(p.born())
	}
	return p.save(p.saved)
}

// born returns the state in which a first incarnation begins. What survives of it is stored
// before the first step, in case of an earlier crash: as in a model, where Init is no
// step.
func (p *persistence) born() any {
	state, _ := p.config.Machine.Step(p.config.ID, p.config.Ring, p.traits.Zero, spec.Event{Kind: spec.Init})
	return state
}

// save stores the incarnation and a stable state, nil for none.
func (p *persistence) save(stable any) error {
	m := storage.Memory{Algorithm: p.traits.Name, Process: p.config.ID, Incarnation: p.incarnation}
	if stable != nil {
		text, err := runlog.PlainJSON(stable)
		if err != nil {
			return fmt.Errorf("stable storage: %w", err)
		}
		m.State = text
	}
	p.saved = stable
	return p.config.Storage.Save(m)
}

// keep saves what the algorithm wants to find of a state after a crash, if that changed.
func (p *persistence) keep(state any) error {
	if p.config.Storage == nil || p.traits.Stable == nil {
		return nil
	}
	if stable := p.traits.Stable(state); stable != p.saved {
		return p.save(stable)
	}
	return nil
}
