// Package raftpb is the messages of v3.6 for releases after it: see package raft.
package raftpb

import then "go.etcd.io/etcd/raft/v3/raftpb"

type (
	ConfChange       = then.ConfChange
	ConfState        = then.ConfState
	Entry            = then.Entry
	HardState        = then.HardState
	Message          = then.Message
	Snapshot         = then.Snapshot
	SnapshotMetadata = then.SnapshotMetadata
)

const (
	ConfChangeAddNode = then.ConfChangeAddNode
	EntryConfChange   = then.EntryConfChange
)
