package impl

import (
	"fmt"
	"time"

	"interleave/impl/runlog"
	"interleave/spec"
)

// breach logs that an assumption failed.
func (n *Node) breach(b runlog.Breach) {
	b.Delta = n.config.Delta.String()
	b.Text = "assumption violated: " + b.Text
	n.counts.breaches[b.Kind]++
	n.write(&runlog.Record{Line: runlog.LineBreach, Breach: &b})
	times, due := n.lines.breaches.due(string(b.Kind), time.Second)
	if !due {
		return
	}
	about := []any{"kind", string(b.Kind)}
	if b.Peer != spec.None {
		about = append(about, "peer", int(b.Peer))
	}
	if b.Took != "" {
		about = append(about, "took", b.Took)
	}
	n.config.Logger.Warn(b.Text, append(about, times...)...)
}

// round rounds a duration for people.
func round(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }

// watchDelay checks how long a message took, since it was sent or since this process
// could handle it.
func (n *Node) watchDelay(m runlog.Name, sent int64) {
	now := time.Now().UnixNano()
	took := time.Duration(now - max(sent, n.up.UnixNano()))
	switch ahead := time.Duration(sent - now); {
	case took > n.config.Delta:
		n.breach(runlog.Breach{Kind: runlog.BreachDelay, Peer: m.From, Message: &m, Took: round(took).String(), Text: "a message took longer than delta"})
	case ahead > n.config.Delta:
		n.breach(runlog.Breach{Kind: runlog.BreachClock, Peer: m.From, Message: &m, Took: round(ahead).String(), Text: "a message was sent in the future: the clocks differ"})
	}
}

// watchClock checks how late the process runs, and whether the wall clock went like the
// steady one.
func (n *Node) watchClock(target, now time.Time) {
	steady, wall := now.Sub(n.clock), now.Round(0).Sub(n.clock.Round(0))
	n.clock = now
	n.watchWall(wall - steady)
	if late := now.Sub(target); late > n.config.Delta {
		n.breach(runlog.Breach{Kind: runlog.BreachSuspended, Took: round(late).String(), Text: fmt.Sprintf("the process did not run for %v", round(late))})
		n.grace(now)
	}
}

// watchWall checks how far the wall clock jumped.
func (n *Node) watchWall(jump time.Duration) {
	if jump.Abs() > n.config.Delta {
		n.breach(runlog.Breach{Kind: runlog.BreachClock, Took: round(jump).String(), Text: "the wall clock jumped"})
	}
}

// grace postpones what is due by delta, so that what has arrived in the meantime is
// read first.
func (n *Node) grace(now time.Time) {
	least := now.Add(n.config.Delta)
	n.agenda.postpone(least)
	for _, p := range n.peers {
		if p.deadline.Before(least) {
			p.deadline = least
		}
	}
}
