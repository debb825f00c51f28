package spectest

import (
	"encoding/json"
	"strings"
	"testing"

	"interleave/spec"
)

type note struct {
	Text string
}

// TestFaults plants one fault each.
func TestFaults(t *testing.T) {
	calls := 0
	for want, notice := range map[string]func(s *int, p *spec.Proc[note]){
		"the second time":          func(s *int, p *spec.Proc[note]) { calls++; *s = calls },
		"of the kind \"loud\"":     func(s *int, p *spec.Proc[note]) { p.Send(1, note{"?"}) },
		"arms a timer that has no": func(s *int, p *spec.Proc[note]) { p.SetTimer(3) },
		"leader is 9, which is no": func(s *int, p *spec.Proc[note]) { *s = 9 },
		"nothing ever happens":     func(s *int, p *spec.Proc[note]) {},
		"happens but panics, as here: test/faulty: process 2 in 0, notice: spec: process 2 sends to 9, which does not exist at spectest_test.go:": func(s *int, p *spec.Proc[note]) { p.Send(9, note{"quiet"}) },
		"state.P is a chan int": nil,
	} {
		a := &spec.Algorithm[int, note]{
			Name:    "test/faulty",
			Receive: func(*int, *spec.Proc[note], spec.ID, note) {},
			Election: &spec.Election[int, note]{
				Notice: notice,
				Leader: func(s int) spec.ID { return spec.ID(s) },
			},
			Kind: func(note) string { return "loud" }, Kinds: []string{"quiet", "silent"},
		}
		err := Check(a)
		if notice == nil {
			err = Check(&spec.Algorithm[struct{ P chan int }, int]{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// TestRoundTrip: what comes back from JSON as another is told.
func TestRoundTrip(t *testing.T) {
	read := func(text []byte) (any, error) {
		var back note
		err := json.Unmarshal(text, &back)
		return back, err
	}
	if err := roundTrip(read, note{"kept"}); err != nil {
		t.Error(err)
	}
	if err := roundTrip(read, note{"lost\xff"}); err == nil || !strings.Contains(err.Error(), "it comes back from JSON as {Text:lost") {
		t.Error(err)
	}
}

// TestAskedAgain: a function that is no function of its arguments is told, whether that shows at
// once or at the end.
func TestAskedAgain(t *testing.T) {
	n, seen := 0, map[int]bool{}
	for want, change := range map[string]func(a *spec.Algorithm[int, int]){
		"Leader says 1, and when asked again none": func(a *spec.Algorithm[int, int]) {
			a.Election.Leader = func(int) spec.ID { n++; return spec.ID(n % 2) }
		},
		"Idle says false, and when asked again true": func(a *spec.Algorithm[int, int]) {
			a.Idle = func(s int) bool { seen[s] = true; return len(seen) > 3 }
		},
		"Measure says": func(a *spec.Algorithm[int, int]) { a.Measure = func(int) int { n++; return n } },
		"Stable says":  func(a *spec.Algorithm[int, int]) { a.Stable = func(int) int { n++; return n } },
		"Silent of T says": func(a *spec.Algorithm[int, int]) {
			a.Rules[0].Silent = func(int, spec.ID, spec.Set) spec.Set { n++; return spec.Set(n) & 7 }
		},
		"Owing of T says": func(a *spec.Algorithm[int, int]) {
			a.Rules[0].Owing = func(int, spec.ID, spec.Set) spec.Set { n++; return spec.Set(n) & 7 }
		},
		"Awaited of T says": func(a *spec.Algorithm[int, int]) {
			a.Rules[0].Awaited = func(_, _, _ spec.ID, _ int) bool { n++; return n%2 == 0 }
		},
		"Kind says": func(a *spec.Algorithm[int, int]) {
			a.Kinds = []string{"a", "b"}
			a.Kind = func(int) string { n++; return a.Kinds[n%2] }
		},
	} {
		a := &spec.Algorithm[int, int]{
			Name:     "test/counts",
			Timeout:  func(s *int, p *spec.Proc[int], _ spec.Timer) { *s = min(*s+1, 9); p.Broadcast(p.Others(), *s) },
			Receive:  func(*int, *spec.Proc[int], spec.ID, int) {},
			Election: &spec.Election[int, int]{Leader: func(int) spec.ID { return spec.None }},
			Rules:    []spec.TimerRule[int, int]{{Name: "T"}},
		}
		n = 0
		change(a)
		if err := Check(a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}
