package explorer

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"interleave/model"
	"interleave/spec/bully"
)

// TestFind finds every state of a small space that has some text, and no other, each where its
// place leads.
func TestFind(t *testing.T) {
	s := serve(t, Subject{Name: "commit", Machine: commit, Config: model.Config{N: 2, Timers: model.Any}}, Subject{Name: "large", Machine: bully.Mended, Config: model.Config{N: 5, Crashes: 2, Network: model.Bag}})
	find := func(text string) Matches { return asks[Matches](t, s, "/api/find", findQuestion{Text: text}) }
	g := asks[Graph](t, s, "/api/graph", atQuestion{})
	for _, text := range []string{"1: done", "DONE", "done, 2: prepared", "1: Phase done, 1: Decision commit", "✉ vote", "timer T_votes", "1: booting", "nowhere", "12: done", ":", "0", "40 to", "4", "9876543210}", "987654321"} {
		terms, err := newPattern(text)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, n := range g.Nodes {
			if terms.match(textAt(t, s, n.Place)) != nil {
				want++
			}
		}
		got := find(text)
		if len(got.Found) != want || got.Why != "" || got.Searched != len(g.Nodes) {
			t.Errorf("%s: found %d of %d states, %s; want %d of %d", text, len(got.Found), got.Searched, got.Why, want, len(g.Nodes))
		}
		last := 0
		for _, hit := range got.Found {
			if lines := terms.match(textAt(t, s, hit.Place)); fmt.Sprint(lines) != fmt.Sprint(hit.Lines) || len(hit.Place.Choices) < last {
				t.Errorf("%s: %+v leads to %s", text, hit, lines)
			}
			last = len(hit.Place.Choices)
		}
	}
	if got := find("1: Phase done"); len(got.Found) == 0 || got.Found[0].Lines[0] != "1: Phase done" {
		t.Errorf("%+v", got)
	}
	many := asks[Matches](t, s, "/api/find", findQuestion{which: which{Course: 1}, Text: "electing"})
	if len(many.Found) != maxFound || many.Why != "the first 20 are shown" {
		t.Errorf("%d found, %s", len(many.Found), many.Why)
	}
	if status, text, _ := send(t, request(t, s, "/api/find", `{"text":" , "}`)); status != http.StatusBadRequest || !strings.Contains(string(text), "write what the state has") {
		t.Errorf("%d %s", status, text)
	}
}

// TestFindLimit: a search that ends early does not say that there is nothing.
func TestFindLimit(t *testing.T) {
	c, err := newCourse(Subject{Name: "large", Machine: bully.Mended, Config: model.Config{N: 5, Crashes: 2, Network: model.Bag}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := pattern{{"nowhere"}}.search(c, findQuestion{})
	if err != nil || len(got.Found) > 0 || got.Why == "" {
		t.Errorf("%+v %v", got, err)
	}
}

// textAt is what the page says of a state.
func textAt(t *testing.T, s *Server, p Place) (lines []string) {
	v := asks[viewed](t, s, "/api/view", p)
	row := v.Rows[len(v.Rows)-1]
	for k := range row.Locals {
		for _, l := range append(v.Locals[row.Locals[k]], v.Inboxes[row.Inboxes[k]]...) {
			lines = append(lines, fmt.Sprintf("%d: %s %s", k+1, l.Path, l.Value))
		}
	}
	return lines
}

// TestHas: a number is not found in a longer one.
func TestHas(t *testing.T) {
	for _, row := range []struct {
		line, word string
		want       bool
	}{{"leader 1", "1", true}, {"leader 12", "1", false}, {"leader 21", "1", false}, {"21 and 1", "1", true}, {"t2", "2", true}, {"12x", "2x", false}, {"xaab", "ab", true}, {"", "1", false}} {
		if got := has(row.line, row.word); got != row.want {
			t.Errorf("%q has %q: %v", row.line, row.word, got)
		}
	}
}
