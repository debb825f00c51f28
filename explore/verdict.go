package explore

import "fmt"

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
