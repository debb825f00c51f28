// Package storage keeps what a process finds when it comes up again: its stable storage.
package storage

import (
	"encoding/json"
	"errors"
	"fmt"

	"interleave/spec"
)

// Memory is what a process finds when it comes up again.
type Memory struct {
	Algorithm   string          `json:"algorithm"`
	Process     spec.ID         `json:"process"`
	Incarnation uint32          `json:"incarnation"`     // incarnation of the last start; 0: there was none
	State       json.RawMessage `json:"state,omitempty"` // what the algorithm keeps; nil: nothing
}

// Stable keeps the Memory of one process over its crashes.
type Stable interface {
	// Load returns what was saved last, the zero Memory if nothing ever was. If
	// a Save was cut short, it is what that or the one before it saved.
	Load() (Memory, error)
	// Save returns when m would survive a crash of the machine.
	Save(m Memory) error
	Close() error
}

// ErrMemory is wrapped by every error about a memory that exists and cannot be used.
var ErrMemory = errors.New("the stored memory cannot be used")

// ErrTorn is an ErrMemory whose bytes are not what was written.
var ErrTorn = fmt.Errorf("%w: its bytes are not what was written", ErrMemory)
