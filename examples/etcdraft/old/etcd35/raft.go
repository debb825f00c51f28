// Package raft is a stand-in for go.etcd.io/raft/v3 where that is replaced by the release before it, go.etcd.io/etcd/raft/v3.
package raft

import (
	"math/rand"
	"sync"
	_ "unsafe" // for globalRand

	then "go.etcd.io/etcd/raft/v3"
)

type (
	BasicStatus   = then.BasicStatus
	Config        = then.Config
	MemoryStorage = then.MemoryStorage
	RawNode       = then.RawNode
	ReadState     = then.ReadState
	Ready         = then.Ready
)

const StateLeader = then.StateLeader

var (
	DescribeMessage  = then.DescribeMessage
	IsEmptyHardState = then.IsEmptyHardState
	IsEmptySnap      = then.IsEmptySnap
	NewMemoryStorage = then.NewMemoryStorage
	NewRawNode       = then.NewRawNode
)

// globalRand is from where the core draws its timeouts. Today it is crypto/rand.Reader.
//
//go:linkname globalRand go.etcd.io/etcd/raft/v3.globalRand
var globalRand *struct {
	mu   sync.Mutex
	rand *rand.Rand
}

func init() { globalRand.rand = rand.New(zeros{}) }

// zeros is a source of no chance.
type zeros struct{}

func (zeros) Int63() int64 { return 0 }
func (zeros) Seed(int64)   {}
