package explorer

import (
	"fmt"
	"strings"
	"testing"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/modeltest"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
)

// commitState is the state of a two-phase commit with long words in it.
type commitState struct {
	Phase    string
	Agreed   spec.Set
	Decision string
}

type commitMessage struct{ Kind, Transaction string }

const transfer = "transfer 40 from savings/0123456789 to current/9876543210"

// commit is a two-phase commit: process 1 asks, and commits if all say yes. It elects nobody.
var commit = &spec.Algorithm[commitState, commitMessage]{
	Name: "commit", Doc: "two-phase commit with long words", Source: "Gray, Notes on Data Base Operating Systems, 1978",
	Kinds: []string{"prepare", "vote", "decide"}, Kind: func(m commitMessage) string { return m.Kind },
	World: map[string]string{"timers": "any"}, Rules: []spec.TimerRule[commitState, commitMessage]{{Name: "T_votes"}},
	Start: func(s *commitState, p *spec.Proc[commitMessage]) {
		s.Phase = "working"
		if p.ID == 1 {
			s.Phase = "preparing the transaction"
			p.Broadcast(p.Others(), commitMessage{"prepare", transfer})
			p.SetTimer(0)
		}
	},
	Timeout: func(s *commitState, p *spec.Proc[commitMessage], _ spec.Timer) {
		s.Phase, s.Decision = "done", "abort"
		p.Broadcast(p.Others(), commitMessage{"decide", "not everybody answered in time, so abort"})
	},
	Receive: func(s *commitState, p *spec.Proc[commitMessage], from spec.ID, m commitMessage) {
		switch {
		case m.Kind == "prepare":
			s.Phase = "prepared, and waiting for the decision"
			p.Send(from, commitMessage{"vote", transfer})
		case m.Kind == "decide":
			s.Phase, s.Decision = "done", m.Transaction
		case s.Phase != "done":
			if s.Agreed = s.Agreed.With(from); s.Agreed == p.Others() {
				s.Phase, s.Decision = "done", "commit"
				p.StopTimer(0)
				p.Broadcast(p.Others(), commitMessage{"decide", "everybody said yes, so commit"})
			}
		}
	},
}

// TestStateNames: no two states of a graph have the same name, and names are short.
func TestStateNames(t *testing.T) {
	testsize.Alone(t)
	for _, m := range append(catalog.Machines, spec.Machine(commit)) {
		for _, n := range []int{2, testsize.Of(3, 3, 5)} {
			c, err := model.Home(m, n)
			if err != nil {
				t.Fatal(err)
			}
			c.Crashes = 1
			world, err := newCourse(Subject{Name: m.Traits().Name, Machine: m, Config: c})
			if err != nil {
				t.Fatal(err)
			}
			g, err := world.graph(atQuestion{})
			if err != nil {
				t.Fatal(err)
			}
			names, longest := map[string]int{}, 0
			for i, v := range g.Nodes {
				name := strings.Join(v.Name, "; ")
				if other, twice := names[name]; twice {
					t.Errorf("%s, n=%d: the states %d and %d are both called %s", m.Traits().Name, n, other, i, name)
				}
				names[name] = i
				if len(v.Name) > nameLines {
					t.Errorf("%s, n=%d: %s has %d lines", m.Traits().Name, n, name, len(v.Name))
				}
				for _, line := range v.Name {
					longest = max(longest, len([]rune(line)))
				}
			}
			if longest > 50 {
				t.Errorf("%s, n=%d: a line has %d letters", m.Traits().Name, n, longest)
			}
		}
	}
}

// TestStateNamesTell: a name tells what the state has, and of no leader where there is none.
func TestStateNamesTell(t *testing.T) {
	names := func(m spec.Machine, c model.Config) string {
		world, err := newCourse(Subject{Machine: m, Config: c})
		if err != nil {
			t.Fatal(err)
		}
		g, err := world.graph(atQuestion{})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, v := range g.Nodes[:5] {
			out = append(out, strings.Join(v.Name, ", "))
		}
		return fmt.Sprintf("%d: %s", len(g.Nodes), strings.Join(out, " | "))
	}
	for _, row := range []struct {
		m    spec.Machine
		c    model.Config
		want string
	}{
		{commit, model.Config{N: 2, Timers: model.Any}, "13: the beginning | 1 preparing the… | 2 working | 1 done | 1 preparing the…, 2 working"},
		{bully.Published, model.Config{N: 2, Crashes: 1}, "27: the beginning | 1 electing, ✉ ELECTION 1→2 | 1 down | ✉ COORDINATOR 2→1, 2 Leader 2 | 2 down"},
	} {
		if got := names(row.m, row.c); got != row.want {
			t.Errorf("%s: the states are called\n%s\nwant\n%s", row.m.Traits().Name, got, row.want)
		}
	}
}

func TestShortened(t *testing.T) {
	long := []string{"a long common beginning, and one", "a long common beginning, and two", "short", ""}
	want := "[…nning, and one …nning, and two short ]"
	if got := fmt.Sprint(shortened(long)); got != want {
		t.Errorf("%s", got)
	}
}

// TestEnvironment: what is true of no process is told of a state, or two that differ in that would look the same.
func TestEnvironment(t *testing.T) {
	world, err := newCourse(Subject{Machine: modeltest.Requests, Config: model.Config{N: 2, Crashes: 1, Monitors: []string{"flips"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := world.environment(model.Env{Crashes: 1, Monitors: "[[0,1,2]]"}); got != "1 crashed, monitor flips: [0 1 2]" {
		t.Error(got)
	}
}
