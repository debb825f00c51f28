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
		"state.P is a *int": nil,
	} {
		a := &spec.Algorithm[int, note]{
			Name: "test/faulty", Notice: notice,
			Receive: func(*int, *spec.Proc[note], spec.ID, note) {},
			Leader:  func(s int) spec.ID { return spec.ID(s) },
			Kind:    func(note) string { return "loud" }, Kinds: []string{"quiet", "silent"},
		}
		err := Check(a)
		if notice == nil {
			err = Check(&spec.Algorithm[struct{ P *int }, int]{})
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
