package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"iter"
	"reflect"
	"slices"

	"interleave/internal/cell"
	"interleave/spec"
)

// State is a global state as plain values. Both lists are indexed by process,
// number 1 first.
type State struct {
	Locals  []Local
	Inboxes []Inbox
	Env     Env `json:",omitzero"`
}

// Local is everything that belongs to one process. It is a comparable value.
type Local struct {
	Status    Status
	State     any                        // of the algorithm; while Down only its stable part, or nil
	Timers    uint8                      // bit set of the armed timers
	Suspected spec.Set                   // reported by the failure detector
	Initiator bool                       // begins of its own accord
	Acted     [spec.MaxActions + 1]uint8 `json:",omitzero"` // how often it did each action whose Times are limited
	Ages      Ages                       `json:",omitzero"` // in a timed world
}

// Ages counts ticks in the local state of a process.
type Ages struct {
	Timers [spec.MaxTimers]uint8 // since each armed timer was set
	Down   uint8                 // since the crash, up to when it is noticed
}

// Status is whether a process runs.
type Status uint8

const (
	Down    Status = iota
	Booting        // before its Start, and handles nothing else
	Up
)

func (s Status) String() string { return [...]string{"down", "booting", "up"}[s] }

// Envelope is a message on its way to the process in whose inbox it is.
type Envelope struct {
	From    spec.ID
	Message any
	Age     uint8 `json:",omitempty"` // ticks since it was sent, in a timed world
}

// CompareEnvelopes is the order of an inbox that is no queue.
func CompareEnvelopes(a, b Envelope) int {
	return cmp.Or(cmp.Compare(a.From, b.From), compare(a.Message, b.Message), cmp.Compare(a.Age, b.Age))
}

// Inbox is the messages in flight to one process, in canonical order: by sender; then in a
// fifo network in the order of sending, and in other networks in the order of the messages'
// values. So equal inboxes are equal lists.
type Inbox []Envelope

// With returns the inbox after e was sent to it.
func (in Inbox) With(n Network, e Envelope) Inbox {
	at := 0
	if n == FIFO {
		for at < len(in) && in[at].From <= e.From {
			at++
		}
	} else {
		var found bool
		at, found = slices.BinarySearchFunc(in, e, CompareEnvelopes)
		if found && n == Set {
			return in
		}
	}
	return slices.Insert(slices.Clone(in), at, e)
}

// Deliverable yields the places in the inbox of the messages that may arrive
// next: the heads of the queues, or each distinct message once.
func (in Inbox) Deliverable(n Network) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, e := range in {
			repeats := i > 0 && in[i-1].From == e.From && (n == FIFO || in[i-1] == e)
			if !repeats && !yield(i) {
				return
			}
		}
	}
}

// first returns the place of the first message from a process.
func (in Inbox) first(from spec.ID) int {
	return slices.IndexFunc(in, func(e Envelope) bool { return e.From == from })
}

// Without returns the inbox without the message at a place.
func (in Inbox) Without(place int) Inbox { return slices.Delete(slices.Clone(in), place, place+1) }

// Longest returns the largest number of messages in the inbox from one process.
func (in Inbox) Longest() (n int) {
	var from [spec.MaxID + 1]int
	for _, e := range in {
		from[e.From]++
		n = max(n, from[e.From])
	}
	return n
}

// Key returns a text that is equal for two states of one world if and only if they are equal.
func (s State) Key() string {
	s = s.clone()
	for i, in := range s.Inboxes {
		if len(in) == 0 {
			s.Inboxes[i] = nil // an empty inbox is nil, whether or not it ever held anything
		}
	}
	return string(s.json())
}

// json is the state as hashed in traces, where an inbox that was emptied differs from one that
// never held anything.
func (s State) json() []byte {
	text, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("model: a plain value has no JSON: %v", err))
	}
	return text
}

func (s State) clone() State {
	return State{Locals: slices.Clone(s.Locals), Inboxes: slices.Clone(s.Inboxes), Env: s.Env}
}

// Equal reports whether two states of one world are the same.
func (s State) Equal(t State) bool {
	return s.Env == t.Env && slices.Equal(s.Locals, t.Locals) &&
		slices.EqualFunc(s.Inboxes, t.Inboxes, func(a, b Inbox) bool { return slices.Equal(a, b) })
}

// hash returns the same number for equal states.
func (s State) hash(seed maphash.Seed) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for i, l := range s.Locals {
		maphash.WriteComparable(&h, l)
		for _, e := range s.Inboxes[i] {
			maphash.WriteComparable(&h, e)
		}
	}
	maphash.WriteComparable(&h, s.Env)
	return h.Sum64()
}

// live returns the processes that are not down.
func (s State) live() spec.Set {
	var live spec.Set
	for i, l := range s.Locals {
		if l.Status != Down {
			live = live.With(spec.ID(i + 1))
		}
	}
	return live
}

// Local is the local state of a process.
func (s State) Local(p spec.ID) Local { return s.Locals[p-1] }

// Value is what a process remembers, as a property sees it.
func (s State) Value(p spec.ID) any { return cell.Value(s.Local(p).State) }

// Inbox is the messages in flight to a process.
func (s State) Inbox(p spec.ID) Inbox { return s.Inboxes[p-1] }

// Plain is s: a State is a Source.
func (s State) Plain() State { return s }

// ReadLocal reads the JSON of a Local, whose State has a type of the algorithm that has the traits.
func ReadLocal(t *spec.Traits, text []byte) (Local, error) {
	var l Local
	raw := struct {
		*Local
		State json.RawMessage // replaces the State inside, whose type JSON does not know
	}{Local: &l}
	if err := json.Unmarshal(text, &raw); err != nil {
		return l, err
	}
	if raw.State == nil || string(raw.State) == "null" {
		return l, nil
	}
	var err error
	if l.State, err = t.ReadState(raw.State); err != nil {
		err = fmt.Errorf("a state of %s: %w", t.Name, err)
	}
	return l, err
}

// ReadInbox reads the JSON of an Inbox, whose messages have a type of the algorithm that has the traits.
func ReadInbox(t *spec.Traits, text []byte) (Inbox, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, err
	}
	in := make(Inbox, len(raw))
	for i := range raw {
		if err := readEnvelope(t, raw[i], &in[i]); err != nil {
			return nil, err
		}
	}
	return in, nil
}

func readEnvelope(t *spec.Traits, text []byte, e *Envelope) (err error) {
	raw := struct {
		*Envelope
		Message json.RawMessage
	}{Envelope: e}
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	if e.Message, err = t.ReadMessage(raw.Message); err != nil {
		err = fmt.Errorf("a message of %s: %w", t.Name, err)
	}
	return err
}

// compare orders closed values of one type.
func compare(a, b any) int {
	if c, ok := a.(cell.Cell); ok {
		return c.Compare(b.(cell.Cell))
	}
	return compareValues(reflect.ValueOf(a), reflect.ValueOf(b))
}

func compareValues(a, b reflect.Value) int {
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	}
	switch a.Kind() {
	case reflect.String:
		return cmp.Compare(a.String(), b.String())
	case reflect.Bool:
		return cmp.Compare(boolInt(a.Bool()), boolInt(b.Bool()))
	case reflect.Array:
		for i := range a.Len() {
			if c := compareValues(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if c := compareValues(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	default:
		panic(fmt.Sprintf("model: a %v is not a plain value", a.Type()))
	}
	return 0
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
