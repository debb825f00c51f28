// Package objecttest has a small piece of code of the usual kind, which knows nothing of Interleave, and puts it under the
// checker by a Code: a replicated register, with pointers, maps and fields that are not exported.
package objecttest

import "slices"

// message is what replicas say.
type message struct {
	Kind  string // append, ack, commit or hello
	Index int
	Value int
}

// packet is a message and where it goes.
type packet struct {
	to int
	message
}

// entry is a place of the log. Only the primary counts who has it.
type entry struct {
	value int
	acks  map[int]bool
}

// disk is what a replica finds again after a crash.
type disk struct {
	Log       []int
	Committed int
}

// replica is one of those that keep a log. The first is the primary: it takes what is to be kept, and what all others
// have as well is committed.
type replica struct {
	id      int
	others  []int
	log     map[int]*entry // by index, from 1
	last    *entry         // the newest of log
	length  int
	saved   disk
	out     []packet
	commits int
	tick    func()
}

// open returns a replica with what it finds on its disk.
func open(id, n int, d disk) *replica {
	r := &replica{id: id, log: map[int]*entry{}, commits: d.Committed}
	for i := 1; i <= n; i++ {
		if i != id {
			r.others = append(r.others, i)
		}
	}
	r.tick = r.rest
	if id == 1 {
		r.tick = r.again
	}
	for _, v := range d.Log {
		r.add(v)
	}
	r.save()
	return r
}

func (r *replica) add(value int) {
	r.length++
	r.last = &entry{value: value, acks: map[int]bool{}}
	r.log[r.length] = r.last
}

// save writes the disk.
func (r *replica) save() {
	r.saved = disk{r.values(), r.commits}
}

// values is the log.
func (r *replica) values() (list []int) {
	for i := 1; i <= r.length; i++ {
		list = append(list, r.log[i].value)
	}
	return list
}

// propose takes a value. Only the primary may be asked.
func (r *replica) propose(value int) {
	r.add(value)
	r.save()
	r.toOthers(message{"append", r.length, value})
	r.count(r.length)
}

// begin has the primary say what others may have missed. They ask for it.
func (r *replica) begin() {
	if r.id != 1 {
		r.out = append(r.out, packet{1, message{Kind: "hello"}})
		return
	}
	for _, q := range r.others {
		r.tell(q)
	}
}

// tell says to one of the others what is committed.
func (r *replica) tell(to int) {
	for i := 1; i <= r.commits; i++ {
		r.out = append(r.out, packet{to, message{Kind: "commit", Index: i}})
	}
}

// again says once more what is not committed.
func (r *replica) again() {
	for i := r.commits + 1; i <= r.length; i++ {
		r.toOthers(message{"append", i, r.log[i].value})
	}
}

func (r *replica) rest() {}

func (r *replica) toOthers(m message) {
	for _, q := range r.others {
		r.out = append(r.out, packet{q, m})
	}
}

// step takes a message.
func (r *replica) step(from int, m message) {
	switch m.Kind {
	case "append":
		if m.Index == r.length+1 {
			r.add(m.Value)
			r.save()
		}
		if m.Index <= r.length {
			r.out = append(r.out, packet{from, message{"ack", m.Index, 0}})
		}
	case "ack":
		r.log[m.Index].acks[from] = true
		r.count(m.Index)
	case "hello":
		r.tell(from)
	case "commit":
		r.commit(m.Index)
	}
}

// count commits an entry that all have.
func (r *replica) count(index int) {
	if index == r.commits+1 && len(r.log[index].acks) == len(r.others) {
		r.commit(index)
		r.toOthers(message{Kind: "commit", Index: index})
	}
}

func (r *replica) commit(index int) {
	if index == r.commits+1 && index <= r.length {
		r.commits = index
		r.save()
	}
}

// pending reports whether something is to be said again.
func (r *replica) pending() bool { return r.id == 1 && r.commits < r.length }

// take returns what is to be sent.
func (r *replica) take() []packet {
	out := slices.Clone(r.out)
	r.out = nil
	return out
}
