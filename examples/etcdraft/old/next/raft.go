// Package raft gives go.etcd.io/raft/v3 v3.7, whose messages are pointers, the face of v3.6, so that one harness fits
// both.
package raft

import (
	now "go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"

	"interleave/examples/etcdraft/old/next/raftpb"
)

type (
	ReadState = now.ReadState

	// MemoryStorage has another name behind this one, as fields of that one are ignored by type and name.
	MemoryStorage = storage
)

const StateLeader = now.StateLeader

// Ignored is what protobuf keeps in each message for itself.
var Ignored = map[string]string{}

func init() {
	for _, of := range []string{"Message", "Entry", "Snapshot", "SnapshotMetadata", "ConfState", "HardState"} {
		for _, field := range []string{"state", "unknownFields", "sizeCache"} {
			Ignored[of+"."+field] = "a cache of package proto"
		}
	}
}

// to makes one message of another, which are the same on the wire.
func to[T any, P interface {
	*T
	Unmarshal([]byte) error
}](m proto.Message) (v T) {
	wire, err := proto.Marshal(m)
	if err == nil {
		err = P(&v).Unmarshal(wire)
	}
	if err != nil {
		panic(err)
	}
	return v
}

// from is the way back, into an empty m.
func from[M proto.Message](v interface{ Marshal() ([]byte, error) }, m M) M {
	wire, err := v.Marshal()
	if err == nil {
		err = proto.Unmarshal(wire, m)
	}
	if err != nil {
		panic(err)
	}
	return m
}

func entries(list []*pb.Entry) (es []raftpb.Entry) {
	for _, e := range list {
		es = append(es, to[raftpb.Entry](e))
	}
	return es
}

// DescribeMessage returns it in words.
func DescribeMessage(m raftpb.Message, f now.EntryFormatter) string {
	return now.DescribeMessage(from(&m, &pb.Message{}), f)
}

// IsEmptyHardState reports whether it says nothing.
func IsEmptyHardState(s raftpb.HardState) bool { return s == raftpb.HardState{} }

// IsEmptySnap reports whether there is none.
func IsEmptySnap(s raftpb.Snapshot) bool { return s.Metadata.Index == 0 }

// Config is what harnesses set of it.
type Config struct {
	ID                          uint64
	ElectionTick, HeartbeatTick int
	Storage                     *MemoryStorage
	Applied, MaxSizePerMsg      uint64
	MaxInflightMsgs             int
	PreVote, CheckQuorum        bool
	Logger                      now.Logger
}

type storage struct{ *now.MemoryStorage }

// NewMemoryStorage returns an empty one.
func NewMemoryStorage() *MemoryStorage { return &storage{now.NewMemoryStorage()} }

// ApplySnapshot begins with a snapshot.
func (s *storage) ApplySnapshot(snap raftpb.Snapshot) error {
	return s.MemoryStorage.ApplySnapshot(from(&snap, &pb.Snapshot{}))
}

// SetHardState saves a state.
func (s *storage) SetHardState(h raftpb.HardState) error {
	return s.MemoryStorage.SetHardState(from(&h, &pb.HardState{}))
}

// Append saves entries.
func (s *storage) Append(es []raftpb.Entry) error {
	var list []*pb.Entry
	for _, e := range es {
		list = append(list, from(&e, &pb.Entry{}))
	}
	return s.MemoryStorage.Append(list)
}

// InitialState returns what is saved.
func (s *storage) InitialState() (raftpb.HardState, raftpb.ConfState, error) {
	h, c, err := s.MemoryStorage.InitialState()
	return to[raftpb.HardState](h), to[raftpb.ConfState](c), err
}

// Entries returns entries.
func (s *storage) Entries(lo, hi, most uint64) ([]raftpb.Entry, error) {
	list, err := s.MemoryStorage.Entries(lo, hi, most)
	return entries(list), err
}

// Ready is what the core wants done.
type Ready struct {
	raftpb.HardState
	Entries, CommittedEntries []raftpb.Entry
	Snapshot                  raftpb.Snapshot
	Messages                  []raftpb.Message
	ReadStates                []ReadState

	now now.Ready
}

// RawNode is the core.
type RawNode struct{ *now.RawNode }

// NewRawNode returns one.
func NewRawNode(c *Config) (*RawNode, error) {
	n, err := now.NewRawNode(&now.Config{
		ID: c.ID, ElectionTick: c.ElectionTick, HeartbeatTick: c.HeartbeatTick, Storage: c.Storage.MemoryStorage, Applied: c.Applied,
		MaxSizePerMsg: c.MaxSizePerMsg, MaxInflightMsgs: c.MaxInflightMsgs, PreVote: c.PreVote, CheckQuorum: c.CheckQuorum, Logger: c.Logger,
	})
	return &RawNode{n}, err
}

// BasicStatus is its status.
type BasicStatus struct {
	raftpb.HardState
	ID, Lead  uint64
	RaftState now.StateType
}

// BasicStatus returns it.
func (n *RawNode) BasicStatus() BasicStatus {
	s := n.RawNode.BasicStatus()
	return BasicStatus{HardState: to[raftpb.HardState](s.HardState), ID: s.ID, Lead: s.Lead, RaftState: s.RaftState}
}

// Step hands it a message.
func (n *RawNode) Step(m raftpb.Message) error { return n.RawNode.Step(from(&m, &pb.Message{})) }

// ProposeConfChange proposes a change of the members.
func (n *RawNode) ProposeConfChange(c raftpb.ConfChange) error {
	return n.RawNode.ProposeConfChange(from(&c, &pb.ConfChange{}))
}

// ApplyConfChange applies one.
func (n *RawNode) ApplyConfChange(c raftpb.ConfChange) {
	n.RawNode.ApplyConfChange(from(&c, &pb.ConfChange{}))
}

// Ready returns what is to be done.
func (n *RawNode) Ready() Ready {
	rd := n.RawNode.Ready()
	r := Ready{
		HardState: to[raftpb.HardState](rd.HardState), Entries: entries(rd.Entries), CommittedEntries: entries(rd.CommittedEntries),
		Snapshot: to[raftpb.Snapshot](rd.Snapshot), ReadStates: rd.ReadStates, now: rd,
	}
	for _, m := range rd.Messages {
		r.Messages = append(r.Messages, to[raftpb.Message](m))
	}
	return r
}

// Advance says that it is done.
func (n *RawNode) Advance(rd Ready) { n.RawNode.Advance(rd.now) }
