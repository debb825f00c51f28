package spec

import "context"

// Code is what a machine that runs existing code knows of it: see package spec/object. States of such a machine stand for
// objects, which are made again by the events that led to them.
type Code interface {
	// Assumes lists what is taken for granted of the code, by field.
	Assumes() []Assumption
	// Audit lets other histories of each state that was met take its steps. It returns how many it tried, and an error
	// if one came out differently: two states that are not the same were taken for one. If ctx ends, complete is false.
	Audit(ctx context.Context) (tests int, complete bool, _ error)
	// Strict returns the same code with nothing taken for granted.
	Strict() Machine
	// Fresh returns the same code, of which nothing is known yet.
	Fresh() Machine
	// Live returns the same code for a real process, which goes on from where it is and takes no step twice: it
	// keeps one object for each process, that of the latest state, and nothing else.
	Live() Machine
	// Bytes is approximately the memory that texts and histories take.
	Bytes() int64
	// Text returns the text of the object that a state stands for.
	Text(state any) (string, error)
	// Fields counts the values that each part of the objects had, those with the most first.
	Fields() []FieldValues
	// Unseen lists what matters perhaps and is in no text, as in "raft.tick is the func raft.(*raft).tickElection-fm:
	// what it captures is not seen".
	Unseen() []string
	// Follow lets objects take a run: of each process one, from boot to boot, which knows nothing but that run. It returns the
	// number of the first step in which one does something else than is known of that step, and what.
	Follow(run []Taken) (at int, _ error)
	// OnDisk returns a state with what is on the disk in another one.
	OnDisk(state, other any) any
	// Histories lists how each state that is known came about. Each comes after the one it begins with.
	Histories() []History
}

// CodeBytes is what Code.Bytes says; 0 if there is no code.
func (t *Traits) CodeBytes() int64 {
	if t.Code == nil {
		return 0
	}
	return t.Code.Bytes()
}

// Assumption says why a field of objects is ignored, or that no more of them counts than their Key.
type Assumption struct {
	Field  string `json:"field"` // "Key" if it is that
	Reason string `json:"reason"`
}

// FieldValues says how many values a part of the objects had in all states met.
type FieldValues struct {
	Path   string // with [] for all elements of a list or map
	Values int
	Last   string // one of them
}

// History says by which event of one process a state came about.
type History struct {
	Process ID
	Ring    []ID
	Memory  any // of a boot: what it found on its disk
	Before  int // else: the number of the history that it goes on with; -1 of a boot
	Event   Event
}

// Taken is a step of one process in a run. That of a boot is Init.
type Taken struct {
	Process ID
	Ring    []ID
	Before  any
	Event   Event
}

// CodeError says that existing code cannot be checked as it is, and what to do.
type CodeError struct{ Algorithm, Reason string }

func (e *CodeError) Error() string { return "algorithm " + e.Algorithm + ": " + e.Reason }
