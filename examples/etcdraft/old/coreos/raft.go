// Package raft is a stand-in for go.etcd.io/raft/v3 where that is replaced by an old release, github.com/coreos/etcd up to
// v3.3: what the harness uses has the names of today, and is the code of then.
package raft

import (
	"cmp"
	"math/rand"
	"slices"
	"sync"
	_ "unsafe" // for globalRand

	then "github.com/coreos/etcd/raft"
	"go.etcd.io/raft/v3/raftpb"
)

type (
	Config      = then.Config
	BasicStatus = then.Status
	Ready       = then.Ready
	ReadState   = then.ReadState
)

const StateLeader = then.StateLeader

var (
	DescribeMessage  = then.DescribeMessage
	IsEmptyHardState = then.IsEmptyHardState
	IsEmptySnap      = then.IsEmptySnap
)

// MemoryStorage takes the snapshots of today.
type MemoryStorage struct{ *then.MemoryStorage }

// NewMemoryStorage returns an empty one.
func NewMemoryStorage() *MemoryStorage {
	return &MemoryStorage{MemoryStorage: then.NewMemoryStorage()}
}

// ApplySnapshot begins with a snapshot.
func (s *MemoryStorage) ApplySnapshot(snap raftpb.Snapshot) error {
	return s.MemoryStorage.ApplySnapshot(snap.Then())
}

// RawNode is the core.
type RawNode struct{ *then.RawNode }

// NewRawNode returns the core of a process that has members already.
func NewRawNode(c *Config) (*RawNode, error) {
	n, err := then.NewRawNode(c, nil)
	return &RawNode{n}, err
}

// BasicStatus is its status.
func (n *RawNode) BasicStatus() BasicStatus { return *n.Status() }

// Ready has messages in the order of their receivers: the core iterates over a map.
func (n *RawNode) Ready() Ready {
	rd := n.RawNode.Ready()
	slices.SortStableFunc(rd.Messages, func(a, b raftpb.Message) int { return cmp.Compare(a.To, b.To) })
	return rd
}

// globalRand is from where the core draws its timeouts. Today it is crypto/rand.Reader.
//
//go:linkname globalRand github.com/coreos/etcd/raft.globalRand
var globalRand *struct {
	mu   sync.Mutex
	rand *rand.Rand
}

func init() { globalRand.rand = rand.New(zeros{}) }

// zeros is a source of no chance.
type zeros struct{}

func (zeros) Int63() int64 { return 0 }
func (zeros) Seed(int64)   {}
