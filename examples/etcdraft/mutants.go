package etcdraft

import (
	"go.etcd.io/raft/v3/raftpb"

	"interleave/spec"
)

// Mutants are programs around the core with one bug each, for checks to find. The core is unchanged in all of them.
func Mutants(o Options) []*code {
	c := New(o)
	return []*code{
		c.Mutant("forgetful", "does not save for whom it has voted", func(n *Node, _ spec.Event, _ *spec.Proc[Msg], handle func()) {
			handle()
			hard, _, err := n.disk.InitialState()
			check(err)
			check(n.disk.SetHardState(raftpb.HardState{Term: hard.Term, Commit: hard.Commit}))
		}),
		c.Mutant("eager", "answers a read itself, without a word to others", func(n *Node, e spec.Event, p *spec.Proc[Msg], handle func()) {
			if e.Kind != spec.Act || c.Actions[e.Action].Name != "read" {
				handle()
				return
			}
			n.asked++
			p.Output(Confirmed{readName(p.ID, n.asked), n.index})
			p.Output(Done{"read", n.value})
		}),
		c.Mutant("hasty", "sends before its disk is synced", func(_ *Node, _ spec.Event, p *spec.Proc[Msg], handle func()) {
			handle()
			p.Unpersist()
			p.Persist()
		}),
	}
}
