package etcdraft

import (
	"context"
	"fmt"
	"reflect"

	"github.com/dustin/go-humanize"
	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// Bug is one that etcd had in its Raft, and a world that shows it.
type Bug struct {
	Issue, Doc string
	In, Fixed  string // releases
	Property   string
	Long       bool // to search the release without it takes a minute
	Options    Options
	World      model.Config
}

// Bugs are those that package old looks for.
var Bugs = []Bug{
	{
		Issue: "7331", Doc: "a new leader answers a read before it knows what was committed",
		In: "v3.1.0", Fixed: "v3.1.2", Property: "fresh-reads",
		Options: Options{Name: "issue-7331", Reads: 1, Readers: spec.SetOf(2), Turns: []spec.ID{1, 2}},
		World:   model.Config{N: 3, Bound: 2, Timers: model.Any},
	},
	{
		Issue: "8243", Doc: "with PreVote, a process does not take the votes of one whose term is behind",
		In: "v3.2.0", Fixed: "v3.3.27", Property: "electable",
		Options: Options{Name: "issue-8243", PreVote: true, Beats: true},
		World:   model.Config{N: 3, Bound: 2, Crashes: 1, Partitions: 1},
	},
	{
		Issue: "8501", Doc: "with PreVote, a leader never reaches a process whose term is ahead",
		In: "v3.3.27", Fixed: "v3.5.35", Property: "available",
		Options: Options{Name: "issue-8501", PreVote: true, Beats: true},
		World:   model.Config{N: 3, Bound: 2, Crashes: 1, Partitions: 1},
	},
	{
		Issue: "10355", Doc: "with PreVote and CheckQuorum, candidates that remember their last leader turn each other down",
		In: "v3.3.10", Fixed: "v3.3.27", Property: "electable",
		Options: Options{Name: "issue-10355", PreVote: true, CheckQuorum: true, Ticks: true},
		World:   model.Config{N: 3, Bound: 1, Crashes: 1},
	},
	{
		Issue: "10998", Doc: "a learner that was made a voter, and has not heard of it, does not vote",
		In: "v3.3.27", Fixed: "v3.5.35", Property: "electable",
		Options: Options{Name: "issue-10998", PreVote: true, Beats: true, Learners: spec.SetOf(2), Turns: []spec.ID{1, 1, 1}, Change: raftpb.ConfChange{Type: raftpb.ConfChangeAddNode, NodeID: 2}},
		World:   model.Config{N: 2, Bound: 2, Network: model.Set, Crashes: 1, Recoveries: 1, Partitions: 1},
	},
	{
		Issue: "20418", Doc: "late answers to one read confirm another one, at a leader of the past",
		In: "v3.6.0", Fixed: "v3.7.0", Property: "fresh-reads", Long: true,
		Options: Options{Name: "issue-20418", Reads: 2, Readers: spec.SetOf(1, 2), Turns: []spec.ID{1, 2}},
		World:   model.Config{N: 3, Bound: 2, Duplicates: 1, Timers: model.Any},
	},
}

func init() {
	if _, counts := reflect.TypeFor[raft.MemoryStorage]().FieldByName("callStats"); !counts {
		delete(Ignored, "MemoryStorage.callStats") // which old releases do not have
	}
}

// Found is what a search for a bug came to.
type Found struct {
	Verdict string
	Why     string
	Steps   int // to a violation
	States  int
	Seconds float64
	Run     []string
}

// String returns it in words.
func (f Found) String() string {
	states := humanize.Comma(int64(f.States)) + " states"
	switch f.Verdict {
	case properties.Violated.String():
		return fmt.Sprintf("VIOLATED after %d steps, %s", f.Steps, states)
	case properties.Inconclusive.String():
		return "not found in " + states
	}
	return f.Verdict + ", " + states
}

// Look looks for a bug in the release that this program was built with.
func (b Bug) Look(ctx context.Context) (f Found, err error) {
	m := New(b.Options)
	p, err := properties.Catalogue{}.Find(m, b.Property)
	if err != nil {
		return f, err
	}
	r, err := properties.Verify(ctx, m, b.World, []properties.Property{p}, properties.Options{Workers: 2, Memory: 8 << 30})
	if err != nil {
		return f, err
	}
	finding := r.Findings[0]
	f = Found{Verdict: finding.Verdict.String(), Why: finding.Why, Steps: finding.Depth, States: r.Stats.States, Seconds: r.Stats.Seconds}
	if finding.Trace != nil {
		f.Run = properties.Format(m, finding.Trace, p)
	}
	return f, nil
}
