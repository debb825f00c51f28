package cluster

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"interleave/impl/cluster/network"
	"interleave/impl/runlog"
	"interleave/linear"
	"interleave/spec"
)

// Outcome is the result of a run. The zero value: it is unknown.
type Outcome string

const (
	Unknown     Outcome = ""
	Agreed      Outcome = "AGREED"     // every property that was judged was so, after the healing
	Disagreed   Outcome = "NOT AGREED" // one was not, or a process ended by itself
	Held        Outcome = "HELD"       // nobody is elected, and nothing was seen violated
	Violated    Outcome = "VIOLATED"   // a property was that the algorithm brings along; or, where nobody is elected, a process ended by itself
	Interrupted Outcome = "INTERRUPTED"
)

// Verdict is what was seen of a run, as in verdict.json. It is about this one run, and
// proves nothing about others.
type Verdict struct {
	Version   int       `json:"version"` // of this format: 2
	Outcome   Outcome   `json:"outcome"`
	Reason    string    `json:"reason"`
	Algorithm string    `json:"algorithm"`
	N         int       `json:"n"`
	Ring      []spec.ID `json:"ring"`
	Seed      uint64    `json:"seed,string"`
	Run       uint64    `json:"run,string"` // as the frames have it
	Transport string    `json:"transport"`  // udp or tcp
	Datagrams bool      `json:"datagrams"`  // no reliable layer
	Port      uint16    `json:"port"`
	DeltaMS   float64   `json:"delta_ms"`
	Timers    []Timer   `json:"timers"`

	Began   time.Time `json:"began"`
	Seconds float64   `json:"seconds"`

	Judged  []Judgement     `json:"judged"`
	Reports []FinalWord     `json:"reports"` // of the processes that were up at the end
	Down    []spec.ID       `json:"down,omitempty"`
	Course  *CourseReport   `json:"course,omitempty"` // of elections
	Traffic network.Traffic `json:"traffic"`

	Requests *Requests `json:"requests,omitempty"`

	Breaches map[runlog.BreachKind]int `json:"breaches"` // of assumptions about time, as the processes saw them
	Late     Lateness                  `json:"mc_late"`
	Memory   []ProcessMemory           `json:"memory,omitempty"`
	Warnings []string                  `json:"warnings,omitempty"` // of what is asked of the algorithm
	Failures []string                  `json:"failures,omitempty"` // processes that ended by themselves
	Trouble  []string                  `json:"trouble,omitempty"`  // of the cluster itself

	lasted bool // the agreement had lasted when the processes were asked
}

// Timer is a timer of the processes.
type Timer struct {
	Name string  `json:"name"`
	MS   float64 `json:"ms"`
}

// Judgement is the judgement on a property.
type Judgement struct {
	Name   string `json:"name"`
	Doc    string `json:"doc"`
	Holds  bool   `json:"holds"` // in this run: at its end, or if Own in all its states
	Reason string `json:"reason,omitempty"`
	Own    bool   `json:"own,omitempty"`    // judged along the run, by the logs
	States int    `json:"states,omitempty"` // of these, those in which it was judged; 0: it never was
	Cover  bool   `json:"cover,omitempty"`  // it says that some state is reached: States are those, and 0 breaks nothing

	Object   string `json:"object,omitempty"`   // it is an object of the algorithm: LINEARIZABLE, NOT LINEARIZABLE or UNDECIDED
	Requests int    `json:"requests,omitempty"` // that were made of it
	Answers  int    `json:"answers,omitempty"`
}

// violated reports whether it was seen that the property does not hold.
func (j Judgement) violated() bool { return !j.Holds && j.Object != linear.Undecided.String() }

// Requests is how many of the plan's requests were made, and what came of them.
type Requests struct {
	Asked    int `json:"asked"`
	Answered int `json:"answered"`
	Refused  int `json:"refused"` // by the process in its state
	Failed   int `json:"failed"`  // the process was not up, or did not answer
}

// FinalWord is what a process answered when it was asked at the end.
type FinalWord struct {
	Process     spec.ID         `json:"process"`
	Incarnation int             `json:"incarnation"`
	Leader      *spec.ID        `json:"leader,omitempty"` // where somebody is elected
	Status      json.RawMessage `json:"status"`           // all of its answer
}

// ProcessMemory is the memory of a process since it was last started.
type ProcessMemory struct {
	Process spec.ID `json:"process"`
	Starts  int     `json:"starts"`
	Memory
}

// CourseReport is a Course for verdict.json.
type CourseReport struct {
	Agreements int              `json:"agreements"` // how often all live processes came to follow the same live one
	Deaths     int              `json:"deaths"`     // of processes, killed or failed
	Kills      int              `json:"kills"`      // of them, those of a process that all followed
	Unanswered int              `json:"unanswered"` // kills after which nobody was agreed on, until the next of them or the end
	Healed     int              `json:"healed"`     // by elections: how often all processes agreed after the healing
	MedianMS   float64          `json:"median_ms"`  // from such a kill until all live processes agree on a live one
	WorstMS    float64          `json:"worst_ms"`
	MedianD    float64          `json:"median_deltas"`
	WorstD     float64          `json:"worst_deltas"`
	PerMinute  float64          `json:"agreements_per_minute"`
	Recoveries []RecoveryReport `json:"recoveries,omitempty"`
	Split      SpellReport      `json:"split"`  // two live processes followed different ones
	Rivals     SpellReport      `json:"rivals"` // two live processes both followed themselves
}

// RecoveryReport is a Recovery for verdict.json.
type RecoveryReport struct {
	Killed spec.ID `json:"killed"`
	Leader spec.ID `json:"leader"`
	MS     float64 `json:"ms"`
}

// SpellReport is Spells for verdict.json.
type SpellReport struct {
	Count     int     `json:"count"`
	TotalMS   float64 `json:"total_ms"`
	LongestMS float64 `json:"longest_ms"`
}

func (c Course) report(delta, length time.Duration, healed int) *CourseReport {
	median, worst := c.Times()
	spells := func(s Spells) SpellReport {
		return SpellReport{s.Count, milliseconds(s.Total), milliseconds(s.Longest)}
	}
	out := &CourseReport{
		Agreements: c.Agreements, Deaths: c.Deaths, Kills: c.Kills, Unanswered: c.Unanswered, Healed: healed,
		MedianMS: milliseconds(median), WorstMS: milliseconds(worst),
		MedianD: float64(median) / float64(delta), WorstD: float64(worst) / float64(delta),
		PerMinute: float64(c.Agreements) / length.Minutes(),
		Split:     spells(c.Split), Rivals: spells(c.Rivals),
	}
	for _, a := range c.After {
		out.Recoveries = append(out.Recoveries, RecoveryReport{a.Killed, a.Leader, milliseconds(a.Took)})
	}
	return out
}

// holds reports whether every property that was judged does.
func (v *Verdict) holds() bool {
	return !slices.ContainsFunc(v.Judged, Judgement.violated)
}

// doubt withdraws that all went well if the evidence could not be written.
func (v *Verdict) doubt(err error) {
	if err != nil && (v.Outcome == Agreed || v.Outcome == Held) {
		v.Outcome, v.Reason = Unknown, "a file of the run could not be written"
	}
}

// write writes verdict.json.
func (v *Verdict) write(dir string) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "verdict.json"), append(text, '\n'), 0o666)
}
