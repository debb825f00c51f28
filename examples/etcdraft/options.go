package etcdraft

import (
	"crypto/rand"
	"fmt"
	"maps"
	"strings"

	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"interleave/spec"
	"interleave/spec/object"
)

// Options are those of the core, and what happens in a world. The zero value: any process campaigns, and nobody asks for anything.
type Options struct {
	Name                 string // of the algorithm; empty: etcd/raft
	PreVote, CheckQuorum bool
	Ticks                bool      // time passes by ticks, of which the core campaigns. Otherwise a process campaigns at any moment
	Beats                bool      // without Ticks, leaders send heartbeats at any moment
	Turns                []spec.ID // who campaigns in term 1, 2 and so on, to be the leader of the next; empty: all in all
	Learners             spec.Set  // who is no voter at first

	Writes, Reads, Transfers int               // how many there are together
	Readers                  spec.Set          // who is asked to read, once each; empty: all, as often as they like
	Change                   raftpb.ConfChange // of the members, once; none if empty

	names []string // of the actions
}

// Variants are those that mc knows by name.
var Variants = []Options{
	{},
	{Name: "clients", Beats: true, Writes: 1, Reads: 1},
	{Name: "prevote", Beats: true, PreVote: true},
	{Name: "ticks", Ticks: true, PreVote: true, CheckQuorum: true},
	{Name: "transfer", Beats: true, Transfers: 1},
}

const (
	election spec.Timer = iota
	tick
)

type (
	state = object.State[Disk, View]
	code  = object.Code[*Node, Disk, View, Msg]
)

// Ignored is what two nodes may differ in, and be the same all the same.
var Ignored = map[string]string{
	"MemoryStorage.callStats": "counts calls, and nobody reads it",
	"raft.tick":               "follows from raft.state",
	"raft.step":               "follows from raft.state",
}

// New returns the algorithm.
func New(o Options) *code {
	c := &code{Open: o.open, Handle: o.handle, Disk: onDisk, View: view, Timers: o.timers, Ignore: maps.Clone(Ignored)}
	if o.Ticks {
		rand.Reader = zeros{} // the core draws its timeouts here, and the same events shall make the same node
	} else {
		c.Ignore["raft.randomizedElectionTimeout"] = "is read only by ticks that lead to a campaign"
	}
	a := &c.Algorithm
	a.Name, a.Doc, a.Source = "etcd/raft", "the Raft of etcd, unchanged", "go.etcd.io/raft"
	if o.Name != "" {
		a.Name += "/" + o.Name
	}
	a.Rules = []spec.TimerRule[state, Msg]{election: {Name: "T_election", Lasts: 8, Awaited: anything}, tick: {Name: "T_tick", Lasts: 2, Awaited: anything}}
	a.Kinds = kinds
	a.Kind = func(m Msg) string { return m.open().Type.String() }
	a.Measure = func(s state) int { return int(s.View.Term) - 1 }
	a.World = map[string]string{"timers": "any"}
	a.Actions = o.actions()
	for _, act := range a.Actions {
		o.names = append(o.names, act.Name)
	}
	a.Promises = []string{}
	a.Properties = Properties
	if o.Writes > 0 && o.Reads > 0 {
		a.Objects = []spec.Object{register()}
	}
	return c
}

var kinds = strings.Fields("MsgProp MsgApp MsgAppResp MsgVote MsgVoteResp MsgHeartbeat MsgHeartbeatResp MsgTransferLeader MsgTimeoutNow MsgReadIndex MsgReadIndexResp MsgPreVote MsgPreVoteResp")

// actions are what clients ask for in this world.
func (o *Options) actions() (list []spec.Action[state, Msg]) {
	add := func(name, doc string, times int, values spec.Request[state, Msg]) {
		if times > 0 {
			list = append(list, spec.Action[state, Msg]{Name: name, Doc: doc, Times: times, Together: true, Request: values})
		}
	}
	add("write", "a client writes the register", o.Writes, spec.OneOf([]string{"a", "b"}[:min(max(o.Writes, 1), 2)], ask[string]))
	add("read", "a client reads the register", o.Reads, spec.Request[state, Msg]{})
	add("transfer", "an operator wants another leader", o.Transfers, spec.OneOf([]spec.ID{1, 2, 3}, ask[spec.ID]))
	times := 0
	if o.Change.NodeID != 0 {
		times = 1
	}
	add("change", "an operator changes who the members are", times, spec.Request[state, Msg]{})
	return list
}

// ask stands for what handle does.
func ask[V any](*state, *spec.Proc[Msg], V) {}

// asks returns the name of the action, or nothing if the event is none.
func (o *Options) asks(e spec.Event) string {
	if e.Kind != spec.Act {
		return ""
	}
	return o.names[e.Action]
}

// anything may be what a process waits for: where messages are faster than timers, these expire when none is in flight.
func anything(_, _, _ spec.ID, _ Msg) bool { return true }

// timers are those that are armed.
func (o *Options) timers(n *Node) []spec.Timer {
	status := n.BasicStatus()
	leads, id := status.RaftState == raft.StateLeader, spec.ID(status.ID)
	switch {
	case o.Ticks, o.Beats && leads:
		return []spec.Timer{tick}
	case !leads && (len(o.Turns) == 0 || status.Term <= uint64(len(o.Turns)) && o.Turns[status.Term-1] == id):
		return []spec.Timer{election}
	}
	return nil
}

// members are those at first.
func (o *Options) members(all spec.Set) (c raftpb.ConfState) {
	for p := range all.All() {
		if o.Learners.Has(p) {
			c.Learners = append(c.Learners, uint64(p))
		} else {
			c.Voters = append(c.Voters, uint64(p))
		}
	}
	return c
}

// zeros is a Reader of no chance.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// quiet is a logger for one who tries millions of runs.
type quiet struct{}

func (quiet) Debug(...any)                 {}
func (quiet) Debugf(string, ...any)        {}
func (quiet) Error(...any)                 {}
func (quiet) Errorf(string, ...any)        {}
func (quiet) Info(...any)                  {}
func (quiet) Infof(string, ...any)         {}
func (quiet) Warning(...any)               {}
func (quiet) Warningf(string, ...any)      {}
func (quiet) Fatal(v ...any)               { panic(fmt.Sprint(v...)) }
func (quiet) Fatalf(form string, v ...any) { panic(fmt.Sprintf(form, v...)) }
func (quiet) Panic(v ...any)               { panic(fmt.Sprint(v...)) }
func (quiet) Panicf(form string, v ...any) { panic(fmt.Sprintf(form, v...)) }
