// Package raftpb is a stand-in: see package raft.
package raftpb

import then "go.etcd.io/etcd/raft/v3/raftpb"

type (
	ConfChange       = then.ConfChange
	ConfChangeType   = then.ConfChangeType
	ConfState        = then.ConfState
	Entry            = then.Entry
	EntryType        = then.EntryType
	HardState        = then.HardState
	Message          = then.Message
	Snapshot         = then.Snapshot
	SnapshotMetadata = then.SnapshotMetadata
)

const (
	ConfChangeAddNode    = then.ConfChangeAddNode
	ConfChangeRemoveNode = then.ConfChangeRemoveNode
	EntryConfChange      = then.EntryConfChange
	EntryNormal          = then.EntryNormal
)
