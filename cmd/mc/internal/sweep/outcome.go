package sweep

import (
	"errors"
	"strings"
	"time"

	"interleave/cmd/mc/internal/report"
	"interleave/properties"
	"interleave/spec"
)

// outcome is what a sweep came to so far, as its reports tell it.
type outcome struct {
	options options
	cases   []configuration
	results []result // of the first cases
	began   time.Time

	failure     error        // of the case after those; nil: none failed
	differences []difference // from the lock, that are not accepted
}

// errInterrupted is of the case that was under way when somebody would not wait for it.
var errInterrupted = errors.New("interrupted: there is no verdict on this configuration, nor on those after it")

func (o *outcome) interrupted() bool { return errors.Is(o.failure, errInterrupted) }

// passes reports whether all was checked, and nothing differs.
func (o *outcome) passes() bool {
	return len(o.results) == len(o.cases) && o.differing() == 0 && len(o.differences) == 0
}

// unlocked counts the configurations that were checked and differ from the lock.
func (o *outcome) unlocked() (n int) {
	for _, r := range o.results {
		if r.lock != "" {
			n++
		}
	}
	return n
}

func (o *outcome) differing() (n int) {
	for _, r := range o.results {
		if !r.passes() {
			n++
		}
	}
	return n
}

// failed returns the configuration that could not be run; nil if there is none.
func (o *outcome) failed() *configuration {
	if o.failure == nil {
		return nil
	}
	return &o.cases[len(o.results)]
}

func (o *outcome) summary() summary {
	var found []report.Answer
	sum := summary{Configurations: len(o.cases), Differing: o.differing(), Unlocked: len(o.differences), Seconds: time.Since(o.began).Seconds()}
	sum.AsExpected, sum.NotRun = len(o.results)-sum.Differing, len(o.cases)-len(o.results)
	if o.options.certify > 0 {
		sum.Proofs = proofCounts{}
	}
	for _, r := range o.results {
		if r.proof != notAsked {
			sum.Proofs[r.proof.String()]++
		}
		found = append(found, r.found()...)
		sum.States += r.stats.States
		sum.Transitions += r.stats.Transitions
	}
	sum.Verdicts, sum.Outcomes = len(found), tally(found)
	return sum
}

// result is what was found of a case.
type result struct {
	configuration
	judged  []judged
	stats   properties.Stats
	assumes []spec.Assumption // of existing code
	proof   proof
	lock    string // how it differs from the lock
}

// judged is the finding on one property beside what was expected of it.
type judged struct {
	name        string
	want, found report.Answer
	finding     properties.Finding
}

func (j judged) passes() bool { return j.found.Meets(j.want) }

// passes reports whether what was found is as expected, and as much as the lock says.
func (r result) passes() bool {
	if r.lock != "" {
		return false
	}
	for _, j := range r.judged {
		if !j.passes() {
			return false
		}
	}
	return true
}

func (r result) found() []report.Answer {
	var out []report.Answer
	for _, j := range r.judged {
		out = append(out, j.found)
	}
	return out
}

func (r result) seconds() float64 { return report.Searching(r.stats) + r.stats.Judging }

func (r result) counts() counts {
	if !r.stats.Complete {
		return counts{}
	}
	var assumed []string
	for _, a := range r.assumes {
		assumed = append(assumed, a.Field)
	}
	return counts{true, r.stats.States, r.stats.Transitions, strings.Join(assumed, ", ")}
}
