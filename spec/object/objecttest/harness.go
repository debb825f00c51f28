package objecttest

import (
	"errors"
	"fmt"

	"interleave/spec"
	"interleave/spec/object"
)

// Replica is a replica, Message what replicas say, Disk what is on their disks, and View what there is to see of them.
type (
	Replica = replica
	Message = message
	Disk    = disk
	View    struct {
		Log       []int
		Committed int
	}
	state = object.State[Disk, View]
	proc  = *spec.Proc[Message]
	code  = object.Code[*replica, Disk, View, Message]
)

// Committed is what a replica outputs: an entry that all have.
type Committed struct{ Index, Value int }

// retry is the timer by which the primary says again what is not committed.
const retry spec.Timer = 0

// NewStore returns the code as it is, see core.go, of whose objects nothing is known yet.
func NewStore() *code {
	return &code{
		Algorithm: spec.Algorithm[state, Message]{
			Name: "store/kept", Doc: "a primary keeps a log that its backups have, too", Source: "package objecttest",
			World: map[string]string{"network": "set"}, // what is said again is there already
			Kind:  func(m Message) string { return m.Kind },
			Kinds: []string{"append", "ack", "commit", "hello"},
			Rules: []spec.TimerRule[state, Message]{{
				Name: "retry", Awaited: func(_, _, _ spec.ID, m Message) bool { return m.Kind != "commit" },
			}},
			Actions: []spec.Action[state, Message]{{
				Name: "propose", Doc: "a client asks the primary to keep a value", Times: 1, Together: true,
				Request: spec.OneOf[int, state, Message]([]int{7, 8}, nil),
			}},
			Properties: []spec.Property{
				spec.Invariant("committed-is-kept", "what is committed somewhere is on all disks", committedIsKept),
				spec.Monitored("committed-once", "no place of the log is committed with two values", map[int]int{}, committedOnce),
				spec.Cover("can-commit", "something is committed at all replicas", allCommitted),
				spec.Recoverable("commits-again", "something can still be committed, once it is proposed", func(w spec.World) bool {
					return allCommitted(w) || !proposed(w)
				}),
			},
			Promises: []string{"no-deadlock"},
		},
		Events: []spec.EventKind{spec.Start},
		Open:   func(id spec.ID, all spec.Set, d Disk) *replica { return open(int(id), all.Len(), d) },
		Handle: handle,
		Disk:   func(r *replica) Disk { return r.saved },
		View:   func(r *replica) View { return View{r.values(), r.commits} },
		Timers: func(r *replica) []spec.Timer {
			if r.pending() {
				return []spec.Timer{retry}
			}
			return nil
		},
	}
}

// Store is the code as it is.
var Store = NewStore()

// handle hands an event to the code, and what comes of it to the process.
func handle(r *replica, e spec.Event, p proc) {
	before := r.commits
	switch {
	case e.Kind == spec.Start:
		r.begin()
	case e.Kind == spec.Receive:
		r.step(int(e.From), e.Message.(Message))
	case e.Kind == spec.Timeout:
		r.tick()
	case p.ID != 1:
		p.Refuse()
	default:
		r.propose(e.Value.(int))
	}
	p.Persist()
	for _, m := range r.take() {
		p.Send(spec.ID(m.to), m.message)
	}
	for i := before + 1; i <= r.commits; i++ {
		p.Output(Committed{i, r.log[i].value})
	}
}

// Forgetful is the Store with a bug: a backup says that it has what is not on its disk yet.
var Forgetful = Store.Mutant("forgetful", "a backup acknowledges what it has not saved", func(r *replica, e spec.Event, p proc, handle func()) {
	saved := r.saved
	handle()
	if m, is := e.Message.(Message); is && m.Kind == "append" {
		r.saved = saved
	}
})

// Hasty is the Store with a bug: a replica sends what it has to say before the disk is synced.
var Hasty = Store.Mutant("hasty", "a replica persists after it has sent", func(_ *replica, _ spec.Event, p proc, handle func()) {
	handle()
	p.Unpersist()
	p.Persist()
})

func committedIsKept(w spec.World) error {
	for p, s := range spec.States[state](w) {
		for i, v := range s.Disk.Log[:min(s.View.Committed, len(s.Disk.Log))] {
			for q := range spec.UpTo(w.N()).All() {
				other, _ := w.State(q).(state)
				if len(other.Disk.Log) <= i || other.Disk.Log[i] != v {
					return fmt.Errorf("process %v has committed %d at %d, and process %v has %v on its disk", p, v, i+1, q, other.Disk.Log)
				}
			}
		}
	}
	return nil
}

func committedOnce(values map[int]int, s spec.Step) (map[int]int, error) {
	for _, out := range s.Outputs {
		c := out.(Committed)
		if v, known := values[c.Index]; known && v != c.Value {
			return nil, errors.New("it is committed with another value")
		}
		values[c.Index] = c.Value
	}
	return values, nil
}

func proposed(w spec.World) bool {
	s, _ := w.State(1).(state)
	return len(s.Disk.Log) > 0
}

func allCommitted(w spec.World) bool {
	live := 0
	for _, s := range spec.States[state](w) {
		if s.View.Committed == 0 {
			return false
		}
		live++
	}
	return live == w.N()
}

// Machines is what there is to check here.
var Machines = []spec.Machine{Store, Forgetful, Hasty}
