package impl

import (
	"maps"
	"time"
)

// lines are the lines for people that may be due very often, each sort with its own subjects.
type lines struct {
	breaches rateLimit // by kind
	drops    rateLimit // by reason and source
	peers    rateLimit // by the message about a peer, and the peer
}

// rateLimit limits lines for people: the first of a subject is due at once, the next only
// after a while, and it counts those between.
type rateLimit map[string]*repeat

type repeat struct {
	last  time.Time
	count int // since the last line
}

// maxRepeats bounds the number of subjects, so that nobody fills the memory with new
// ones. Further ones have no lines, until an old one is dropped.
const maxRepeats = 256

// due counts a subject, and reports whether a line about it is due. If the line counts for
// several, it returns what the line is to say of that.
func (r rateLimit) due(subject string, pause time.Duration) (times []any, due bool) {
	now := time.Now()
	at := r[subject]
	if at == nil {
		if len(r) == maxRepeats {
			maps.DeleteFunc(r, func(_ string, old *repeat) bool { return now.Sub(old.last) >= pause })
		}
		if len(r) == maxRepeats {
			return nil, false
		}
		at = &repeat{}
		r[subject] = at
	}
	at.count++
	if !at.last.IsZero() && now.Sub(at.last) < pause {
		return nil, false
	}
	if at.count > 1 {
		times = []any{"times", at.count}
	}
	at.last, at.count = now, 0
	return times, true
}
