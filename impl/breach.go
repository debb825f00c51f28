package impl

import (
	"time"

	"interleave/impl/runlog"
	"interleave/spec"
)

// breach logs that an assumption failed.
func (j *journal) breach(b runlog.Breach) {
	b.Delta = j.config.Delta.String()
	b.Text = "assumption violated: " + b.Text
	j.counts.breaches[b.Kind]++
	j.write(&runlog.Record{Line: runlog.LineBreach, Breach: &b})
	times, due := j.lines.breaches.due(string(b.Kind), time.Second)
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
	j.config.Logger.Warn(b.Text, append(about, times...)...)
}

// round rounds a duration for people.
func round(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }

// watchDelay checks how long a message took, since it was sent or since this process
// could handle it.
func (j *journal) watchDelay(m runlog.Name, sent int64) {
	now := time.Now().UnixNano()
	took := time.Duration(now - max(sent, j.up.UnixNano()))
	switch ahead := time.Duration(sent - now); {
	case took > j.config.Delta:
		j.breach(runlog.Breach{Kind: runlog.BreachDelay, Peer: m.From, Message: &m, Took: round(took).String(), Text: "a message took longer than delta"})
	case ahead > j.config.Delta:
		j.breach(runlog.Breach{Kind: runlog.BreachClock, Peer: m.From, Message: &m, Took: round(ahead).String(), Text: "a message was sent in the future: the clocks differ"})
	}
}

// watchWall checks how far the wall clock jumped.
func (j *journal) watchWall(jump time.Duration) {
	if jump.Abs() > j.config.Delta {
		j.breach(runlog.Breach{Kind: runlog.BreachClock, Took: round(jump).String(), Text: "the wall clock jumped"})
	}
}
