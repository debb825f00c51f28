package impl

import (
	"maps"
	"time"
)

// repeats keeps lines for people from coming too often: the first of a subject
// is due at once, the next not before a while, and it stands for those between.
type repeats map[string]*repeat

type repeat struct {
	last  time.Time
	count int // since the last line
}

// maxRepeats is how many subjects are told apart, so that nobody fills the
// memory with new ones. What is more has no lines, until one of them is old.
const maxRepeats = 256

// count counts a subject, and reports whether a line about it is due, and for
// how many times that stands.
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
