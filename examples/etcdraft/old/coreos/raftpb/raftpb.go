// Package raftpb is a stand-in: see package raft.
package raftpb

import then "github.com/coreos/etcd/raft/raftpb"

type (
	ConfChange     = then.ConfChange
	ConfChangeType = then.ConfChangeType
	Entry          = then.Entry
	EntryType      = then.EntryType
	HardState      = then.HardState
	Message        = then.Message
)

const (
	ConfChangeAddNode    = then.ConfChangeAddNode
	ConfChangeRemoveNode = then.ConfChangeRemoveNode
	EntryConfChange      = then.EntryConfChange
	EntryNormal          = then.EntryNormal
)

// ConfState is who is a member.
type ConfState struct{ Voters, Learners []uint64 }

// SnapshotMetadata is of a Snapshot.
type SnapshotMetadata struct {
	ConfState   ConfState
	Index, Term uint64
}

// Snapshot is one without data.
type Snapshot struct{ Metadata SnapshotMetadata }

// Then returns it as it was then. Learners came with v3.3: those that have none read of the members what they know.
func (s Snapshot) Then() (old then.Snapshot) {
	var members []byte
	for _, p := range s.Metadata.ConfState.Voters {
		members = append(members, 1<<3, byte(p))
	}
	for _, p := range s.Metadata.ConfState.Learners {
		members = append(members, 2<<3, byte(p))
	}
	if err := old.Metadata.ConfState.Unmarshal(members); err != nil {
		panic(err)
	}
	old.Metadata.Index, old.Metadata.Term = s.Metadata.Index, s.Metadata.Term
	return old
}
