package explorer

import (
	"net/http"
	"strings"
	"testing"

	"interleave/model"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
)

// changeable may be changed in some axes.
func changeable() Subject {
	return Subject{Name: "bully", Machine: bully.Mended, Config: model.Config{N: 3}, Axes: []Axis{{Name: "n"}, {Name: "crashes"}, {Name: "recoveries"}, {Name: "network"}, {Name: "split"}}}
}

// TestWorlds: a world that the page asks for is the one that is shown, drawn and checked.
func TestWorlds(t *testing.T) {
	s := serve(t, changeable())
	list := asks[Listing](t, s, "/api/list", struct{}{})
	if axes := list.Courses[0].Axes; len(axes) != 5 || axes[0].Value != "3" || axes[3].Value != "fifo" || len(axes[3].Values) != 4 {
		t.Errorf("the axes are %+v", axes)
	}
	other := which{World: "crashes=1&n=2&split=true"}
	v := asks[viewed](t, s, "/api/view", Place{which: other})
	if v.N != 2 || !strings.Contains(strings.Join(v.Assumptions, "\n"), "at most 1 crash") || len(v.Rows) != 1 {
		t.Errorf("%d processes, %d rows, assuming %s", v.N, len(v.Rows), v.Assumptions)
	}
	if v := asks[viewed](t, s, "/api/view", Place{}); v.N != 3 {
		t.Errorf("its own world has %d processes now", v.N)
	}
	if g := asks[Graph](t, s, "/api/graph", atQuestion{Place: Place{which: other}}); g.Nodes[len(g.Nodes)-1].Place.World != other.World {
		t.Errorf("a state of the graph is at %+v", g.Nodes[len(g.Nodes)-1].Place)
	}
	asks[CheckStatus](t, s, "/api/check/start", other)
	<-s.checks[other].done
	if st := asks[CheckStatus](t, s, "/api/check", other); st.Fired["crash"] == 0 || asks[CheckStatus](t, s, "/api/check", which{}).Begun {
		t.Errorf("the check: %+v", st)
	}
	for len(s.worlds) < maxWorlds {
		s.worlds[which{Course: len(s.worlds)}] = s.courses[0]
	}
	asks[viewed](t, s, "/api/view", Place{which: which{World: "n=4"}})
	if len(s.worlds) != 1 {
		t.Errorf("%d worlds are kept", len(s.worlds))
	}
}

// TestWorldsRefused: what is out of range or means nothing is refused in one sentence.
func TestWorldsRefused(t *testing.T) {
	s := serve(t, changeable())
	for world, says := range map[string]string{
		"n=0":          "n: \"0\" is no number of processes: give 1 to 16",
		"n=17":         "n: \"17\" is no number of processes: give 1 to 16",
		"n=many":       "n: \"many\" is no number of processes",
		"crashes=-1":   "crashes: ",
		"crashes=x":    "crashes: \"x\" is not a value it can have",
		"recoveries=1": "recoveries: ",
		"network=wifi": "\"wifi\" is not one of fifo, bag, set, rounds",
		"losses=1":     "losses: it cannot be changed here",
		"color=red":    "color: it cannot be changed here",
		"n=2&n=3":      "n: it has two values",
		"n=%zz":        "is no world",
	} {
		status, body, _ := send(t, request(t, s, "/api/view", `{"world":"`+world+`"}`))
		text := strings.TrimSuffix(string(body), "\n")
		if status != http.StatusBadRequest || !strings.Contains(text, strings.ReplaceAll(says, `"`, `\"`)) || strings.Contains(text, `\n`) {
			t.Errorf("%s: %d %s; want %s", world, status, text, says)
		}
	}
	if len(s.worlds) > 0 {
		t.Errorf("%d refused worlds are kept", len(s.worlds))
	}
}

// TestWorldsRing: with another number of processes a ring that was given means nothing.
func TestWorldsRing(t *testing.T) {
	s := serve(t, Subject{Name: "ring", Machine: changroberts.Textbook, Config: model.Config{N: 3, Ring: []spec.ID{3, 1, 2}}, Axes: []Axis{{Name: "n"}, {Name: "ring"}}})
	for world, n := range map[string]int{"n=3": 3, "n=4": 4, "n=4&ring=4,3,1,2": 4, "ring=descending": 3} {
		if v := asks[viewed](t, s, "/api/view", Place{which: which{World: world}}); v.N != n {
			t.Errorf("%s: %d processes", world, v.N)
		}
	}
}
