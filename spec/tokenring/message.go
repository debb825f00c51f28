package tokenring

import (
	"fmt"
	"slices"
	"strings"

	"interleave/spec"
)

// MaxN is the largest number of processes: a List holds no more.
const MaxN = 16

// List is a list of processes in the order in which they were added. It is an
// array, so that == compares contents; it ends at the first spec.None.
type List [MaxN]spec.ID

// ListOf returns the list of the given processes.
func ListOf(ids ...spec.ID) List {
	var l List
	for _, id := range ids {
		l = l.with(id)
	}
	return l
}

// with returns l with id at its end.
func (l List) with(id spec.ID) List {
	end := slices.Index(l[:], spec.None)
	if end < 0 {
		panic(fmt.Sprintf("tokenring: the list %v is full: there may be at most %d processes", l, MaxN))
	}
	l[end] = id
	return l
}

func (l List) first() spec.ID { return l[0] }

func (l List) has(id spec.ID) bool { return l.set().Has(id) }

func (l List) set() spec.Set {
	var s spec.Set
	for _, id := range l {
		if id != spec.None {
			s = s.With(id)
		}
	}
	return s
}

// String returns the list as in "[2 3 1]".
func (l List) String() string {
	var ids []string
	for _, id := range l {
		if id != spec.None {
			ids = append(ids, id.String())
		}
	}
	return "[" + strings.Join(ids, " ") + "]"
}

// Kind is a kind of message.
type Kind uint8

const (
	Election    Kind = iota // collects who is there
	Coordinator             // tells who is the leader
)

func (k Kind) String() string { return [...]string{"ELECTION", "COORDINATOR"}[k] }

// Msg is what goes round.
type Msg struct {
	Kind   Kind
	List   List    // who was there; of a mended COORDINATOR: who has seen it
	Origin spec.ID // of a published COORDINATOR: who sent it out, and drops it
	Leader spec.ID // of a mended COORDINATOR; a published one means the largest of the List
}

func (m Msg) String() string {
	switch {
	case m.Origin != spec.None:
		return fmt.Sprintf("%v%v by %v", m.Kind, m.List, m.Origin)
	case m.Leader != spec.None:
		return fmt.Sprintf("%v(%v) seen by %v", m.Kind, m.Leader, m.List)
	}
	return m.Kind.String() + m.List.String()
}
