package refinement_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/object"
	"interleave/spec/paxos"
	"interleave/spec/refinement"
	"interleave/spec/twophasecommit"
)

// refines checks servers against paxos, and returns why they do not refine it.
func refines(t *testing.T, m *code, r relation, n int, o properties.Options) (report *properties.Report, why string, steps int) {
	t.Helper()
	world := model.Config{N: n, Network: model.Set, Timers: model.Any, Bound: 5 - n, Crashes: 1, Recoveries: 1, Split: true}
	report, err := properties.Verify(context.Background(), refinement.Of(m, paxos.SingleDecree, r), world, nil, o)
	if err != nil {
		return &properties.Report{}, err.Error(), 0
	}
	i := slices.IndexFunc(report.Findings, func(f properties.Finding) bool { return f.Verdict == properties.Violated })
	if i < 0 {
		return report, "", 0
	}
	return report, report.Findings[i].Why, report.Findings[i].Depth
}

func TestRefines(t *testing.T) {
	for _, o := range []properties.Options{{}, {AssumeNothing: true}, {Workers: 2}, {Direct: true}} {
		r, why, _ := refines(t, program(""), standard, 2, o)
		if r.Verdict != properties.Bounded || r.Findings[0].Name != "refines" || r.Stats.States != 18582 {
			t.Errorf("%v, %d states, %s", r.Verdict, r.Stats.States, why)
		}
	}
	if r, why, _ := refines(t, program("prompt"), standard, 2, properties.Options{}); r.Verdict != properties.Bounded {
		t.Errorf("if it persists before it sends: %v, %s", r.Verdict, why)
	}
}

func TestDifferences(t *testing.T) {
	for _, bug := range []struct {
		name, says string
		steps      int
	}{
		{"selfish", "there Proposal is a, and here b", 6},
		{"perjured", "there Accepted is none, and here a in 1", 5},
		{"unbound", "there Promised is 1, and here 0", 4},
		{"oblivious", "a crash leaves something else than in paxos/single-decree: there Accepted is a in 1, and here none", 3},
		{"late", "a crash within the step, after 2 sends, leaves something else than in paxos/single-decree: there Ballot is 1, and here 0", 1},
		{"restless", "paxos/single-decree has not armed T_retry then", 1},
		{"mute", "there it sends CHOSEN(a in 1) to 2", 5},
		{"secretive", "there it outputs a, and here it does nothing", 5},
	} {
		for _, o := range []properties.Options{{}, {AssumeNothing: true}} {
			if _, why, steps := refines(t, program(bug.name), standard, 3, o); !strings.Contains(why, bug.says) || steps != bug.steps {
				t.Errorf("%s: after %d steps: %s", bug.name, steps, why)
			}
		}
	}
}

// What a Relation says falsely is no way to pass.
func TestRelations(t *testing.T) {
	for name, lie := range map[string]func(r *relation){
		"does nothing then": func(r *relation) {
			r.Event = func(state, spec.Event) (string, any) { return "", nil }
		},
		"the first boot is none of": func(r *relation) {
			r.Memory = func(c state) paxos.State { return paxos.State{Promised: 1} }
		},
		"are armed, and here": func(r *relation) {
			r.Timers = func(state) []spec.Timer { return nil }
		},
		"refuses that": func(r *relation) {
			r.Event = func(state, spec.Event) (string, any) { return "propose", paxos.Value("") }
		},
		"panics": func(r *relation) {
			r.State = func(state) (s paxos.State) { panic("so") }
		},
	} {
		r := standard
		lie(&r)
		if _, why, _ := refines(t, program(""), r, 2, properties.Options{}); !strings.Contains(why, name) {
			t.Errorf("%s: %s", name, why)
		}
	}
}

func TestRefuses(t *testing.T) {
	incomplete := standard
	incomplete.Timers = nil
	for says, m := range map[string]spec.Machine{
		"lacks State, Message or Timers": refinement.Of(program(""), paxos.SingleDecree, incomplete),
		"handles recover, and the code does not": refinement.Of(program(""), twophasecommit.Mended, refinement.Relation[object.State[disk, view], packet, twophasecommit.State, twophasecommit.Msg]{
			State: func(state) (s twophasecommit.State) { return s }, Message: func(packet) (m twophasecommit.Msg, _ bool) { return m, false }, Timers: func(state) []spec.Timer { return nil },
		}),
	} {
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// The run in the documentation is the one that is found.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/refinement.md")
	if err != nil {
		t.Fatal(err)
	}
	r, _, _ := refines(t, program("selfish"), standard, 3, properties.Options{})
	f := r.Findings[slices.IndexFunc(r.Findings, func(f properties.Finding) bool { return f.Verdict == properties.Violated })]
	for _, line := range properties.Format(refinement.Of(program("selfish"), paxos.SingleDecree, standard), f.Trace, f.Property) {
		if line = strings.TrimRight(line, " "); !strings.Contains(string(page), line+"\n") {
			t.Errorf("docs/refinement.md lacks the line\n%s", line)
		}
	}
}
