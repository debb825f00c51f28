package impl

import (
	"maps"
	"time"
)

// repeats limits lines for people: the first of a subject is due at once, the next only
// after a while, and it counts those between.
type repeats map[string]*repeat

type repeat struct {
	last  time.Time
	count int // since the last line
}

// maxRepeats bounds the number of subjects, so that nobody fills the memory with new
// ones. Further ones have no lines, until an old one is dropped.
const maxRepeats = 256

// count counts a subject, and reports whether a line about it is due, and how many
// times that line counts for.
func (r repeats) count(subject string, pause time.Duration) (count int, due bool) {
	now := time.Now()
	at := r[subject]
	if at == nil {
		if len(r) == maxRepeats {
			maps.DeleteFunc(r, func(_ string, old *repeat) bool { return now.Sub(old.last) >= pause })
		}
		if len(r) == maxRepeats {
			return 0, false
		}
		at = &repeat{}
		r[subject] = at
	}
	at.count++
	if !at.last.IsZero() && now.Sub(at.last) < pause {
		return at.count, false
	}
	count = at.count
	at.last, at.count = now, 0
	return count, true
}
