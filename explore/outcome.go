package explore

import (
	"context"
	"errors"
	"fmt"
)

// Outcome says why a search ended. Only Exhausted means that every reachable state was expanded.
// If a batch of states both finds a mark to stop at and exceeds a limit, the outcome is Stopped.
type Outcome uint8

const (
	Unfinished Outcome = iota
	Exhausted
	Stopped     // a mark of Options.Stop was found, or a Glance was enough
	Interrupted // the context was cancelled
	TimeLimit   // or its time is over
	StateLimit
	DepthLimit
	MemoryLimit
	DiskLimit // there is no room in the folder of Options.Spill
	Depleted  // no state is left to expand, but a lossy Store may have omitted some
)

func (o Outcome) String() string {
	return [...]string{
		"unfinished", "exhausted", "stopped", "interrupted", "time ran out", "state limit reached", "depth limit reached", "memory limit reached", "disk full",
		"exhausted, but for what the store may have omitted",
	}[o]
}

// Why says why a search with this outcome, which did not see everything, decides nothing.
func (o Outcome) Why() string {
	if o == Stopped {
		return "the search stopped at a violation"
	}
	return "the search did not finish: " + o.String()
}

// EndOf returns the outcome of a search whose context has ended.
func EndOf(ctx context.Context) Outcome {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, context.DeadlineExceeded):
		return TimeLimit
	case errors.Is(cause, ErrMemory):
		return MemoryLimit
	}
	return Interrupted
}

// Verdict is what a check found out about a property.
type Verdict uint8

// The verdicts. The zero one claims nothing.
const (
	Inconclusive Verdict = iota // nothing is certain: the search was cut short
	Verified                    // holds in every reachable state
	Bounded                     // holds up to a stated bound
	Violated                    // a counterexample was found, and replays
)

func (v Verdict) String() string {
	return [...]string{"INCONCLUSIVE", "VERIFIED", "BOUNDED", "VIOLATED"}[v]
}

// MarshalText writes the verdict in words.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Worse returns the verdict that counts if parts of a check came to a and to b.
func Worse(a, b Verdict) Verdict {
	rank := [...]int{Verified: 0, Bounded: 1, Inconclusive: 2, Violated: 3}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// WithinDepth says what a search looked at that was ended by a bound on depth.
func WithinDepth(depth int) string {
	if depth == 1 {
		return "only states one step away were looked at"
	}
	return fmt.Sprintf("only states up to %d steps away were looked at", depth)
}
