package etcdraft

import (
	"fmt"
	"math"
	"strings"

	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"interleave/spec"
)

// View is what properties and traces show.
type View struct {
	Role             string
	Term, Vote, Lead uint64
	Commit           uint64
	Log              []Entry // begins at index 2
	Value            string
	Asked            int
}

// Entry is one of the log.
type Entry struct {
	Term   uint64
	Change bool // of the members
	Data   string
}

// String returns it as in "2:a".
func (e Entry) String() string { return fmt.Sprintf("%d:%s", e.Term, e.Data) }

// Msg is a message as it is on the wire.
type Msg struct{ Wire []byte }

func (m Msg) open() (msg raftpb.Message) {
	check(msg.Unmarshal(m.Wire))
	return msg
}

// String returns it in words, without sender and receiver, whom everybody knows.
func (m Msg) String() string {
	_, words, _ := strings.Cut(raft.DescribeMessage(m.open(), nil), " ")
	return words
}

// Done is what a client hears: its write is applied, or the value that it reads.
type Done struct{ Request, Value string }

// Confirmed is what the core says of a read: with the log applied so far, it is as new as when it began.
type Confirmed struct {
	Read  string
	Index uint64
}

// log is that on the disk, after the snapshot.
func (n *Node) log() (log []Entry) {
	last, err := n.disk.LastIndex()
	check(err)
	if last == 1 {
		return nil
	}
	list, err := n.disk.Entries(2, last+1, math.MaxUint64)
	check(err)
	for _, e := range list {
		log = append(log, Entry{Term: e.Term, Change: e.Type == raftpb.EntryConfChange, Data: string(e.Data)})
	}
	return log
}

// entries are those of a log.
func entries(log []Entry) (list []raftpb.Entry) {
	for i, e := range log {
		entry := raftpb.Entry{Index: uint64(i) + 2, Term: e.Term}
		if e.Change {
			entry.Type = raftpb.EntryConfChange
		}
		if e.Data != "" {
			entry.Data = []byte(e.Data)
		}
		list = append(list, entry)
	}
	return list
}

// readName is the name of a read, which is to be unique.
func readName(p spec.ID, number int) string { return fmt.Sprintf("%d.%d", p, number) }

// check panics at what must not be: that becomes a counterexample.
func check(err error) {
	if err != nil {
		panic(err)
	}
}
