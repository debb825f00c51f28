package impl

import (
	"net"
	"time"

	"interleave/impl/runlog"
	"interleave/impl/transport"
	"interleave/spec"
)

// journal is what a node writes and counts: its log, the lines for people, and the counters of
// Status. Its fields name the process in them.
type journal struct {
	config      Config
	traits      spec.Traits
	incarnation uint32
	leader      spec.ID   // by the state of the algorithm, if it elects one
	up          time.Time // when it took its first step; zero: not yet

	record runlog.Writer
	counts counts
	lines  lines
	source string // of the packet that is handled
	failed error  // why Run must end
}

// write writes a line to the log.
func (j *journal) write(r *runlog.Record) {
	r.Process, r.Incarnation, r.Leader, r.Time = j.config.ID, j.incarnation, runlog.Following(j.traits, j.leader), time.Now()
	j.fail(j.record.Write(r))
}

// fail makes Run end with the first of its errors.
func (j *journal) fail(err error) {
	if j.failed == nil && err != nil {
		j.failed = err
	}
}

// giveUp logs that messages will never be sent again.
func (j *journal) giveUp(lost []runlog.Name, why string) {
	if len(lost) == 0 {
		return
	}
	j.counts.givenUp += uint64(len(lost))
	j.write(&runlog.Record{Line: runlog.LineLost, Lost: lost, Reason: why})
}

// drop counts a packet that is ignored, and logs that at most once a minute for each
// reason and sender. Over TCP each connection has a separate port, so a sender is known
// by its host only.
func (j *journal) drop(reason string) {
	j.counts.dropped[reason]++
	from := j.source
	if _, stream := j.config.Transport.(*transport.TCP); stream {
		from, _, _ = net.SplitHostPort(from)
	}
	times, due := j.lines.drops.due(reason+" "+from, time.Minute)
	if !due {
		return
	}
	about := []any{"reason", reason}
	if from != "" {
		about = append(about, "from", from)
	}
	about = append(about, times...)
	if plain := plainly[reason]; plain != "" {
		about = append(about, "it_is", plain)
	}
	if ordinary[reason] {
		j.config.Logger.Info("drops packets", about...)
		return
	}
	j.config.Logger.Warn("drops packets", about...)
}

// ordinary are the reasons that need nobody's attention: networks copy, and
// processes come back.
var ordinary = map[string]bool{"copied": true, "too early": true, "former life": true, "unknown life": true}

// plainly explains the less obvious reasons for dropping.
var plainly = map[string]string{
	"foreign":               "from another program",
	"version":               "of another version of the frames",
	"mac":                   "signed with another key, or only one of the two has a key",
	"run":                   "of another run: start both with the same --run",
	"misaddressed":          "not for this process, or from none of its peers: the lists of peers differ",
	"shape":                 "of another algorithm, or another version of it",
	"settings":              "from a process with other settings",
	"not of this transport": "from a process that runs with --datagrams, or this one does",
	"inbox full":            "more than this process can take in",
	"silent":                "a connection over which no frame came",
	"crowded out":           "a connection closed to make room: there are more than peers need",
}
