package conformance_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
)

// The subset construction of the whole world at once, told in the plainest way:
// what the frontiers of single processes have to agree with. It shares no code
// with them.

// global is a state of the whole world.
type global struct {
	procs []proc
	links map[[2]spec.ID][]note // seen by the tap and not handled, oldest first
	read  map[[2]spec.ID]uint64 // ordered: place of the last that was handled
}

type proc struct {
	up        int // 0: before Init, 1: before Start, 2: up
	state     any
	armed     uint8
	suspected spec.Set
	sent      uint64
	placed    map[spec.ID]uint64 // messages to each receiver
	owed      []note             // sent, and not seen by the tap
}

type note struct {
	from, to       spec.ID
	sequence, link uint64
	content        any
}

func (g *global) clone() *global {
	c := &global{links: map[[2]spec.ID][]note{}, read: map[[2]spec.ID]uint64{}}
	for _, p := range g.procs {
		p.owed = slices.Clone(p.owed)
		placed := map[spec.ID]uint64{}
		for q, n := range p.placed {
			placed[q] = n
		}
		p.placed = placed
		c.procs = append(c.procs, p)
	}
	for l, q := range g.links {
		if len(q) > 0 {
			c.links[l] = slices.Clone(q)
		}
	}
	for l, n := range g.read {
		c.read[l] = n
	}
	return c
}

// key tells global states apart; maps are printed in the order of their keys.
func (g *global) key() string { return fmt.Sprintf("%#v %v %v", g.procs, g.links, g.read) }

// universe is the world of some global states.
type universe struct {
	machine   spec.Machine
	ring      []spec.ID
	unordered bool
	most      []uint64 // messages that each process may send
	asked     []any    // values with which clients ask, besides those that are declared
	looked    int
}

func (u *universe) first() *global {
	g := &global{links: map[[2]spec.ID][]note{}, read: map[[2]spec.ID]uint64{}}
	for range u.ring {
		g.procs = append(g.procs, proc{state: u.machine.Traits().Zero, placed: map[spec.ID]uint64{}})
	}
	return g
}

// take lets a process take a step, with each answer to what it chooses; there are none if it cannot.
func (u *universe) take(g *global, id spec.ID, e spec.Event, change func(*proc)) (all []*global) {
	p := g.procs[id-1]
	after, fx := u.machine.Step(id, u.ring, p.state, e)
	for answer := range fx.Choose {
		chosen := e
		chosen.Choices = append(slices.Clone(e.Choices), answer)
		all = append(all, u.take(g, id, chosen, change)...)
	}
	if fx.Choose > 0 {
		return all
	}
	if fx.Refused || fx.Panic != "" || len(fx.Sends) > 0 && p.sent >= u.most[id-1] {
		return nil
	}
	next := g.clone()
	q := &next.procs[id-1]
	change(q)
	q.state, q.armed = after, q.armed&^fx.Stopped|fx.Armed
	for _, s := range fx.Sends {
		if s.To == spec.NextLive {
			s.To = spec.NextOnRing(u.ring, id, e.Live)
		}
		q.sent++
		l := note{from: id, to: s.To, sequence: q.sent, content: s.Message}
		if !u.unordered && s.To != id {
			q.placed[s.To]++
			l.link = q.placed[s.To]
		}
		if s.To == id {
			next.links[[2]spec.ID{id, id}] = append(next.links[[2]spec.ID{id, id}], l)
		} else {
			q.owed = append(q.owed, l)
		}
	}
	return []*global{next}
}

// steps returns every world that is one hidden step away.
func (u *universe) steps(g *global) (all []*global) {
	t := u.machine.Traits()
	for _, id := range u.ring {
		p := g.procs[id-1]
		try := func(e spec.Event, change func(*proc)) {
			for _, e.Live = range u.lives(id) {
				all = append(all, u.take(g, id, e, change)...)
			}
		}
		switch {
		case p.up == 0:
			try(spec.Event{Kind: spec.Init}, func(p *proc) {
				if p.up = 2; t.Handles.Has(spec.Start) {
					p.up = 1
				}
			})
			continue
		case p.up == 1:
			try(spec.Event{Kind: spec.Start}, func(p *proc) { p.up = 2 })
			try(spec.Event{Kind: spec.Start, Initiator: true}, func(p *proc) { p.up = 2 })
			continue
		}
		for timer := range spec.Timer(len(t.Rules)) {
			if p.armed>>timer&1 == 1 {
				try(spec.Event{Kind: spec.Timeout, Timer: timer}, func(p *proc) { p.armed &^= 1 << timer })
			}
		}
		for i, act := range t.Actions {
			e := spec.Event{Kind: spec.Act, Action: uint8(i)}
			if t.IsNotice(e) && t.Leader(p.state) == id {
				continue
			}
			values := act.Values
			if act.ReadValue != nil {
				values = slices.Concat(values, u.asked)
			}
			for _, e.Value = range values {
				try(e, func(*proc) {})
			}
		}
		for q := range spec.UpTo(len(u.ring)).Without(id).All() {
			if t.Handles.Has(spec.Suspect) && !p.suspected.Has(q) {
				try(spec.Event{Kind: spec.Suspect, Peer: q}, func(p *proc) { p.suspected = p.suspected.With(q) })
			}
			if t.Handles.Has(spec.Restore) && p.suspected.Has(q) {
				try(spec.Event{Kind: spec.Restore, Peer: q}, func(p *proc) { p.suspected = p.suspected.Without(q) })
			}
		}
		all = append(all, u.receives(g, id)...)
	}
	return all
}

// receives returns every world in which a process has handled one more message.
func (u *universe) receives(g *global, id spec.ID) (all []*global) {
	for link, queue := range g.links {
		for i, l := range queue {
			if link[1] != id || !u.unordered && (i > 0 && link[0] == id || link[0] != id && l.link != g.read[link]+1) {
				continue
			}
			for _, live := range u.lives(id) {
				for _, next := range u.take(g, id, spec.Event{Kind: spec.Receive, From: l.from, Message: l.content, Live: live}, func(*proc) {}) {
					at := slices.Index(next.links[link], l)
					next.links[link] = slices.Delete(next.links[link], at, at+1)
					if len(next.links[link]) == 0 {
						delete(next.links, link)
					}
					if !u.unordered && link[0] != id {
						next.read[link]++
					}
					all = append(all, next)
				}
			}
		}
	}
	return all
}

// closure adds what hidden steps lead to; false if that is too much.
func (u *universe) closure(from []*global, limit int) ([]*global, bool) {
	seen := map[string]bool{}
	var all []*global
	add := func(g *global) {
		if k := g.key(); !seen[k] {
			seen[k] = true
			all = append(all, g)
		}
	}
	for _, g := range from {
		add(g)
	}
	for i := 0; i < len(all); i++ {
		if u.looked++; len(all) > limit {
			return nil, false
		}
		for _, next := range u.steps(all[i]) {
			add(next)
		}
	}
	return all, true
}

// explains reports whether packets have a run, by the whole world; decided is
// false if there is too much to look at.
func (u *universe) explains(packets []capture.Packet, codec *wire.Codec, limit int) (explained, decided bool) {
	return u.explainsFrom([]*global{u.first()}, packets, codec, limit)
}

func (u *universe) explainsFrom(now []*global, packets []capture.Packet, codec *wire.Codec, limit int) (explained, decided bool) {
	for _, p := range packets {
		all, ok := u.closure(now, limit)
		if !ok {
			return false, false
		}
		if now, ok = u.after(all, p, codec); !ok || len(now) == 0 {
			return false, true
		}
	}
	return true, true
}

// after returns the worlds in which the tap can have seen a packet; false if
// there is no such message.
func (u *universe) after(all []*global, p capture.Packet, codec *wire.Codec) (now []*global, ok bool) {
	f := p.Frame
	content, err := codec.Decode(f.Body)
	if f.Kind == wire.Data && err != nil {
		return nil, false
	}
	for _, g := range all {
		if f.Kind == wire.Ack {
			if u.handled(g, f) {
				now = append(now, g)
			}
			continue
		}
		at := slices.IndexFunc(g.procs[f.From-1].owed, func(l note) bool {
			return l.sequence == f.Sequence && l.to == f.To && l.content == content && l.link == f.Link
		})
		if at < 0 {
			continue
		}
		next := g.clone()
		p := &next.procs[f.From-1]
		link := [2]spec.ID{f.From, f.To}
		next.links[link] = append(next.links[link], p.owed[at])
		p.owed = slices.Delete(p.owed, at, at+1)
		now = append(now, next)
	}
	return now, true
}

// handled reports whether a world has what an acknowledgement says: the messages
// are handled, or refused, or the process is not up.
func (u *universe) handled(g *global, f wire.Frame) bool {
	link, p := [2]spec.ID{f.To, f.From}, g.procs[f.From-1]
	if p.up < 2 || g.read[link] >= f.Link {
		return true
	}
	for _, l := range g.links[link] {
		if l.link == g.read[link]+1 {
			for _, live := range u.lives(f.From) {
				_, fx := u.machine.Step(f.From, u.ring, p.state, spec.Event{Kind: spec.Receive, From: l.from, Message: l.content, Live: live})
				if fx.Refused {
					return true
				}
			}
		}
	}
	return false
}

// lives are those that a process can be told are up, if it asks.
func (u *universe) lives(id spec.ID) (lives []spec.Set) {
	if !u.machine.Traits().Oracle {
		return []spec.Set{0}
	}
	for s := range spec.UpTo(len(u.ring)) + 1 {
		if s.Has(id) {
			lives = append(lives, s)
		}
	}
	return lives
}

// wander takes random steps, lets the tap see what is owed, and returns what it saw.
func (u *universe) wander(chance *rand.Rand, codec *wire.Codec, steps int) (packets []capture.Packet) {
	g := u.first()
	shape, name := codec.Shape(), u.machine.Traits().Name
	frame := func(l note) wire.Frame {
		f := wire.Frame{Header: wire.Header{
			Kind: wire.Data, Algorithm: name, Shape: shape, Run: 1, From: l.from, To: l.to, Incarnation: 1, Acked: 1, Sequence: l.sequence, Link: l.link,
		}}
		f.Body, _ = codec.Append(nil, l.content)
		return f
	}
	for range steps {
		var owed []note
		for _, p := range g.procs {
			owed = append(owed, p.owed...)
		}
		if len(owed) > 0 && chance.IntN(3) > 0 {
			l := owed[chance.IntN(len(owed))]
			g = g.clone()
			p := &g.procs[l.from-1]
			p.owed = slices.DeleteFunc(p.owed, func(o note) bool { return o == l })
			link := [2]spec.ID{l.from, l.to}
			g.links[link] = append(g.links[link], l)
			packets = append(packets, tapped(len(packets)+1, frame(l)))
			continue
		}
		next := u.steps(g)
		if len(next) == 0 {
			continue
		}
		slices.SortFunc(next, func(a, b *global) int { return strings.Compare(a.key(), b.key()) })
		before := g
		g = next[chance.IntN(len(next))]
		for link, n := range g.read { // whoever has handled a message says so
			if n > before.read[link] && chance.IntN(2) == 0 {
				ack := frame(note{from: link[1], to: link[0], sequence: 1, link: n})
				ack.Kind, ack.Body = wire.Ack, nil
				for _, p := range packets {
					if p.Frame.Kind == wire.Data && p.Frame.From == link[0] && p.Frame.To == link[1] && p.Frame.Link == n {
						ack.Sequence = p.Frame.Sequence
					}
				}
				packets = append(packets, tapped(len(packets)+1, ack))
			}
		}
	}
	return packets
}

func tapped(number int, f wire.Frame) capture.Packet {
	return capture.Packet{Number: number, From: home(f.From), To: home(f.To), Frame: f}
}
