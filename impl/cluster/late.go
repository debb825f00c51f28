package cluster

import "time"

// lateTime is how late mc may be before that is reported.
const lateTime = 250 * time.Millisecond

// Lateness is how often mc itself did not run in time: an event of the plan happened
// late, or the processes were not watched for a while.
type Lateness struct {
	Count  int     `json:"count"`
	MostMS float64 `json:"most_ms"`
}

// take records how late something was.
func (l *Lateness) take(by time.Duration) {
	if by > lateTime {
		l.Count++
		l.MostMS = max(l.MostMS, milliseconds(by))
	}
}

// due records how late something is that was to happen at a time.
func (o *observed) due(at time.Time) {
	by := time.Since(at)
	o.mu.Lock()
	o.late.take(by)
	o.mu.Unlock()
}
