package gpbft

import (
	"maps"
	"slices"
	"testing"

	"interleave/spec"
)

// hand leads processes through a run by hand.
type hand struct {
	t      *testing.T
	m      *code
	ring   []spec.ID
	now    map[spec.ID]local
	flying []packet // the oldest first
}

// local is a process with its armed timers, packet a message on its way.
type local struct {
	state any
	armed uint8
}

type packet struct {
	from, to spec.ID
	message  any
}

// begin starts n processes.
func begin(t *testing.T, n int, o Options) *hand {
	h := &hand{t: t, m: New(o), now: map[spec.ID]local{}}
	for p := range spec.UpTo(n).All() {
		h.ring = append(h.ring, p)
	}
	for _, p := range h.ring {
		h.now[p] = h.step(p, local{state: h.m.Traits().Zero}, spec.Event{Kind: spec.Init})
		h.now[p] = h.step(p, h.now[p], spec.Event{Kind: spec.Start})
	}
	return h
}

func (h *hand) view(p spec.ID) View { return h.now[p].state.(state).View }

// step takes a step. What is sent is on its way then, once.
func (h *hand) step(p spec.ID, l local, e spec.Event) local {
	s, fx := h.m.Step(p, h.ring, l.state, e)
	if fx.Panic != "" || fx.Refused {
		h.t.Fatalf("process %v: %v", p, fx)
	}
	for _, send := range fx.Sends {
		if m := (packet{p, send.To, send.Message}); !slices.Contains(h.flying, m) {
			h.flying = append(h.flying, m)
		}
	}
	return local{s, fx.Armed}
}

// alarm has the alarms of processes ring.
func (h *hand) alarm(list ...spec.ID) {
	for _, p := range list {
		h.now[p] = h.step(p, h.now[p], spec.Event{Kind: spec.Timeout, Timer: phases})
	}
}

// deliver delivers the oldest message of each pair of a sender and a receiver.
func (h *hand) deliver(pairs ...spec.ID) {
	for pair := range slices.Chunk(pairs, 2) {
		m := h.lose(pair[0], pair[1])
		h.now[m.to] = h.step(m.to, h.now[m.to], spec.Event{Kind: spec.Receive, From: m.from, Message: m.message})
	}
}

// lose takes the oldest message of a pair away.
func (h *hand) lose(from, to spec.ID) packet {
	i := slices.IndexFunc(h.flying, func(m packet) bool { return m.from == from && m.to == to })
	if i < 0 {
		h.t.Fatalf("nothing is on its way from %v to %v", from, to)
	}
	m := h.flying[i]
	h.flying = slices.Delete(h.flying, i, i+1)
	return m
}

// decides reports whether a process decides soon if the others crash now. All messages come before an alarm rings.
func (h *hand) decides(live spec.Set) bool {
	for range 20 {
		h.flying = slices.DeleteFunc(h.flying, func(m packet) bool { return !live.Has(m.to) })
		for len(h.flying) > 0 {
			h.deliver(h.flying[0].from, h.flying[0].to)
			h.flying = slices.DeleteFunc(h.flying, func(m packet) bool { return !live.Has(m.to) })
		}
		for p := range live.All() {
			if decided(h.now[p]) {
				return true
			}
			if h.now[p].armed>>phases&1 != 0 {
				h.alarm(p)
			}
		}
	}
	return false
}

// after returns the states into which the live processes can come, if the others crash now. Messages may come in any order and as often as one likes, which is more than can happen.
func (h *hand) after(live spec.Set) (reached []local) {
	known := map[spec.ID]map[local]bool{}
	for p := range live.All() {
		known[p] = map[local]bool{h.now[p]: true}
	}
	for more := true; more; {
		more = false
		for p := range live.All() {
			for l := range maps.Clone(known[p]) {
				said := len(h.flying)
				for _, e := range h.events(p, l) {
					next := h.step(p, l, e)
					more = more || !known[p][next] || len(h.flying) > said
					known[p][next] = true
				}
			}
		}
	}
	for _, set := range known {
		reached = slices.AppendSeq(reached, maps.Keys(set))
	}
	return reached
}

func decided(l local) bool { return l.state.(state).View.Decided != "" }

// events are those that can happen to a process.
func (h *hand) events(p spec.ID, l local) (list []spec.Event) {
	for timer := range spec.Timer(2) {
		if l.armed>>timer&1 != 0 {
			list = append(list, spec.Event{Kind: spec.Timeout, Timer: timer})
		}
	}
	for _, m := range h.flying {
		if m.to == p {
			list = append(list, spec.Event{Kind: spec.Receive, From: m.from, Message: m.message})
		}
	}
	return list
}
