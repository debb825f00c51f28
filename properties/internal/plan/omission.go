package plan

import (
	"fmt"
	"math"

	"interleave/explore"
)

// OmissionProbability estimates what a lossy store may have cost, in states only. An omitted state may hide
// everything that lies behind it, including a violation.
type OmissionProbability struct {
	Store    string  `json:"store"`
	Bits     int     `json:"bits"`               // in the fingerprint of a state, or set for each state
	Fill     float64 `json:"fill"`               // the share of all fingerprints, or bits, that is taken at the end
	Mistake  float64 `json:"chance_of_mistake"`  // that one more state would have been taken for another
	Omitted  float64 `json:"expected_omissions"` // of states that some step was seen to lead to; at most 10¹⁸
	Any      float64 `json:"chance_of_omission"` // of at least one of them
	Coverage float64 `json:"coverage"`           // the share of those states that was kept

	Ended bool `json:"-"` // nothing was left to look at, at least within the depth
}

func newOmission(store explore.Store, r *explore.Result) *OmissionProbability {
	if store == explore.Exact {
		return nil
	}
	s := r.Stats
	return &OmissionProbability{
		Ended: r.Outcome == explore.Depleted || r.Outcome == explore.DepthLimit,
		Store: store.String(), Bits: s.Loss.Bits, Fill: s.Loss.Fill, Mistake: s.Loss.Mistake,
		Omitted: math.Min(s.Loss.Omitted, 1e18), Any: s.Loss.Any(), Coverage: s.Loss.Coverage(s.States),
	}
}

// amid combines the odds of a search with those of others before it. States is the number found
// by all of them.
func (o *OmissionProbability) amid(others *OmissionProbability, states int) *OmissionProbability {
	if o == nil || others == nil {
		return o
	}
	all := *o
	all.Ended = o.Ended && others.Ended
	all.Fill, all.Mistake = math.Max(o.Fill, others.Fill), math.Max(o.Mistake, others.Mistake)
	loss := explore.Loss{Omitted: o.Omitted + others.Omitted}
	all.Omitted, all.Any, all.Coverage = math.Min(loss.Omitted, 1e18), loss.Any(), loss.Coverage(states)
	return &all
}

// String says what the store is, how many states it is expected to have omitted, and what that
// does not include.
func (o *OmissionProbability) String() string {
	store := fmt.Sprintf("fingerprints of %d bits", o.Bits)
	if o.Store == explore.Bits.String() {
		store = fmt.Sprintf("%d bits a state, in an array now %.2g %% full,", o.Bits, 100*o.Fill)
	}
	return fmt.Sprintf("%s are expected to have hidden states that were met, %.2g in number (any at all with a chance of %.2g), and all that only those lead to", store, o.Omitted, o.Any)
}

// lost returns why a lossy search that went to its end does not decide a property.
func lost(p Property) string {
	switch p.Kind {
	case Liveness, Messages:
		return fmt.Sprintf("%v: it takes whole states to look at whole runs", explore.ErrNotKept)
	case Recoverable:
		return fmt.Sprintf("%v: it takes whole states to look back from a goal", explore.ErrNotKept)
	case Cover:
		return "no state that was kept satisfies it"
	}
	return "no violation was found, but some states may have been omitted"
}
