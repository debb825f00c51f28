// Package etcdraft puts the Raft of etcd, go.etcd.io/raft, under every interleaving: its RawNode, unchanged, is a process.
//
// A core needs four things to be checked so: to boot it from a disk (open), to hand it an event (handle), to know
// what is on its disk (onDisk), and what properties may see of it (view). Here is all of that, as whoever uses a RawNode
// writes it anyway.
package etcdraft

import (
	"fmt"
	"slices"

	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"interleave/spec"
)

// Node is a process: the core, and what belongs to it in a program. This one keeps a register, which is written by
// way of the log.
type Node struct {
	*raft.RawNode
	disk  *raft.MemoryStorage
	value string           // of the register
	index uint64           // up to where the log is applied
	asked int              // how often it was read here
	reads []raft.ReadState // reads that are confirmed, and wait until the log is applied so far
}

// Disk is what survives a crash. Members are not on it: they follow from the log.
type Disk struct {
	Term, Vote, Commit uint64
	Log                []Entry
}

// open boots a process. All begin with the same snapshot, of the index 1, which says who the members are.
func (o *Options) open(id spec.ID, all spec.Set, saved Disk) *Node {
	n := &Node{disk: raft.NewMemoryStorage(), index: 1}
	check(n.disk.ApplySnapshot(raftpb.Snapshot{Metadata: raftpb.SnapshotMetadata{ConfState: o.members(all), Index: 1, Term: 1}}))
	hard := raftpb.HardState{Term: max(saved.Term, 1), Vote: saved.Vote, Commit: max(saved.Commit, 1)}
	check(n.disk.SetHardState(hard))
	check(n.disk.Append(entries(saved.Log)))
	core, err := raft.NewRawNode(&raft.Config{
		ID: uint64(id), ElectionTick: 2, HeartbeatTick: 1, Storage: n.disk, Applied: 1, MaxSizePerMsg: 1 << 20, MaxInflightMsgs: 16,
		PreVote: o.PreVote, CheckQuorum: o.CheckQuorum, Logger: quiet{},
	})
	check(err)
	n.RawNode = core
	n.ready(nil) // what was committed before the crash is applied once more
	return n
}

// handle hands an event to the core. It may return errors, as of a message from who is no member any more: users log them.
func (o *Options) handle(n *Node, e spec.Event, p *spec.Proc[Msg]) {
	var err error
	switch {
	case e.Kind == spec.Receive:
		_ = n.Step(e.Message.(Msg).open())
	case e.Kind == spec.Timeout && e.Timer == election:
		check(n.Campaign())
	case e.Kind == spec.Timeout:
		n.Tick()
	case o.asks(e) == "write":
		err = n.Propose(fmt.Appendf(nil, "%d%s", p.ID, e.Value))
	case o.asks(e) == "read":
		if n.asked++; o.Readers != 0 && (n.asked > 1 || !o.Readers.Has(p.ID)) {
			p.Refuse()
			return
		}
		n.ReadIndex([]byte(readName(p.ID, n.asked)))
	case o.asks(e) == "transfer":
		n.TransferLeader(uint64(e.Value.(spec.ID)))
	case o.asks(e) == "change":
		err = n.ProposeConfChange(o.Change)
	}
	if err != nil { // nobody leads, say
		p.Refuse()
		return
	}
	n.ready(p)
}

// ready does what the core has made ready: first it saves, then it sends, then it applies.
func (n *Node) ready(p *spec.Proc[Msg]) {
	for n.HasReady() {
		rd := n.Ready()
		if !raft.IsEmptyHardState(rd.HardState) {
			check(n.disk.SetHardState(rd.HardState))
		}
		check(n.disk.Append(rd.Entries))
		if p != nil {
			p.Persist()
		}
		if !raft.IsEmptySnap(rd.Snapshot) {
			panic("etcdraft: a snapshot, though nobody compacts a log")
		}
		for _, m := range rd.Messages {
			wire, err := m.Marshal()
			check(err)
			p.Send(spec.ID(m.To), Msg{wire})
		}
		n.reads = append(n.reads, rd.ReadStates...)
		for _, e := range rd.CommittedEntries {
			n.apply(e, p)
		}
		n.Advance(rd)
		n.answer(p)
	}
}

// apply applies a committed entry.
func (n *Node) apply(e raftpb.Entry, p *spec.Proc[Msg]) {
	n.index = e.Index
	switch {
	case e.Type == raftpb.EntryConfChange:
		var c raftpb.ConfChange
		check(c.Unmarshal(e.Data))
		n.ApplyConfChange(c)
	case len(e.Data) > 0: // else it is the first entry of a leader
		by, value := spec.ID(e.Data[0]-'0'), string(e.Data[1:])
		if n.value = value; p != nil && by == p.ID {
			p.Output(Done{"write", value})
		}
	}
}

// answer answers reads that are confirmed, once the log is applied as far as they want.
func (n *Node) answer(p *spec.Proc[Msg]) {
	n.reads = slices.DeleteFunc(n.reads, func(r raft.ReadState) bool {
		ready := r.Index <= n.index
		if ready {
			p.Output(Confirmed{string(r.RequestCtx), r.Index})
			p.Output(Done{"read", n.value})
		}
		return ready
	})
}

// onDisk is what a crash leaves.
func onDisk(n *Node) Disk {
	hard, _, err := n.disk.InitialState()
	check(err)
	return Disk{Term: hard.Term, Vote: hard.Vote, Commit: hard.Commit, Log: n.log()}
}

// view is what the outside sees.
func view(n *Node) View {
	s := n.BasicStatus()
	return View{Role: s.RaftState.String(), Term: s.Term, Vote: s.Vote, Lead: s.Lead, Commit: s.Commit, Log: n.log(), Value: n.value, Asked: n.asked}
}
