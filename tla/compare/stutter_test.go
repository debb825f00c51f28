package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"interleave/internal/rapidtest"
	"interleave/tla"
	"interleave/tla/pluscal"
	"interleave/tla/tlatest"
	"interleave/tla/value"
)

// related is the coarsest stuttering bisimulation of a small graph that is sensitive
// to divergence, after its definition: what is against it is taken out, all of it at
// once, so that the rest is an equivalence each time.
func related(nodes []node) [][]bool {
	r := make([][]bool, len(nodes))
	for i := range r {
		r[i] = make([]bool, len(nodes))
		for j := range r[i] {
			r[i][j] = same(nodes[i].view, nodes[j].view)
		}
	}
	// answers: from t, through states related to s, there is one related to u.
	answers := func(s, u, t int) bool {
		seen := map[int]bool{t: true}
		for queue := []int{t}; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			if r[u][at] {
				return true
			}
			for _, n := range nodes[at].next {
				if r[s][at] && !seen[n] {
					seen[n] = true
					queue = append(queue, n)
				}
			}
		}
		return false
	}
	// stays: a run from s goes on forever, or ends, among the states related to t.
	stays := func(s, t int) bool {
		within := map[int]bool{s: true}
		for range nodes { // longer than any run without a cycle
			further := map[int]bool{}
			for at := range within {
				if len(nodes[at].next) == 0 {
					return true
				}
				for _, n := range nodes[at].next {
					if r[n][t] {
						further[n] = true
					}
				}
			}
			within = further
		}
		return len(within) > 0
	}
	ok := func(s, t int) bool {
		for _, u := range nodes[s].next {
			if !answers(s, u, t) {
				return false
			}
		}
		return !stays(s, t) || stays(t, s)
	}
	for {
		var against [][2]int
		for i := range nodes {
			for j := range nodes {
				if r[i][j] && (!ok(i, j) || !ok(j, i)) {
					against = append(against, [2]int{i, j})
				}
			}
		}
		if against == nil {
			return r
		}
		for _, pair := range against {
			r[pair[0]][pair[1]] = false
		}
	}
}

// TestBisimulation: the partition is the one that the definition gives, and if the
// sides differ, a play tells so.
func TestBisimulation(t *testing.T) {
	alike, unlike := 0, 0
	missing := func() error {
		if alike < 5 || unlike < 5 {
			return fmt.Errorf("%d alike, %d not", alike, unlike)
		}
		return nil
	}
	rapidtest.Until(t, missing, func(t *rapid.T) {
		b := &bisimulation{ours: 3}
		for range 6 {
			n := node{view: []value.Value{value.Int(rapid.IntRange(0, 1).Draw(t, "view"))}}
			n.next = rapid.SliceOfNDistinct(rapid.IntRange(0, 2), 0, 2, rapid.ID[int]).Draw(t, "next")
			for range n.next {
				n.deeds = append(n.deeds, "step")
			}
			if len(b.nodes) >= b.ours {
				for k := range n.next {
					n.next[k] += b.ours
				}
			}
			n.begins = len(b.nodes)%b.ours == 0
			b.nodes = append(b.nodes, n)
		}
		b.refine()
		want := related(b.nodes)
		for i := range b.nodes {
			for j := range b.nodes {
				if (b.apart(i, j) < 0) != want[i][j] {
					t.Fatalf("%d and %d are told apart: %v", i, j, !want[i][j])
				}
			}
		}
		switch d := b.difference(); {
		case (d == nil) != want[0][b.ours]:
			t.Fatalf("the difference is %+v", d)
		case d == nil:
			alike++
		default:
			unlike++
		}
	})
}

// changed opens a module of the catalogue with a text replaced, and its translation.
func changed(t *testing.T, module, old, new string) *tla.Model {
	t.Helper()
	text := tlatest.Read(t, "../"+module+".tla")
	if !strings.Contains(text, old) {
		t.Fatalf("%s does not hold %s", module, old)
	}
	text, err := pluscal.Update(module, strings.Replace(text, old, new, 1))
	if err != nil {
		t.Fatal(err)
	}
	m, err := tla.Open(tlatest.Write(t, module+".tla", text), "../"+module+".cfg")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestVisibly: a module that takes a step more, in which only its control moves on, is
// what the algorithm is to those who do not see that; with a bug it is not.
func TestVisibly(t *testing.T) {
	const handle = "    handle:\n"
	visible := []string{"inbox", "initiator", "state"}
	p, err := Find("ChangRoberts")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, old, new string
		visible        []string
		agree          bool
	}{
		{"as it is", handle, handle, []string{"pc", "inbox", "initiator", "state"}, true},
		{"a step more", handle, "    ready: skip;\n" + handle, visible, true},
		{"two steps more", handle, "    ready: skip;\n    steady: skip;\n" + handle, visible, true},
		{"a step more, which is seen", handle, "    ready: skip;\n" + handle, []string{"pc", "state"}, false},
		{"a cycle", handle, "    ready: either goto ready or skip;\n" + handle, visible, false},
		{"a cycle, where nothing is promised", handle, "    ready: either goto ready or skip;\n" + handle, []string{"initiator"}, true},
		{"an end", handle, "    ready: either skip or await FALSE;\n" + handle, visible, true},
		{"a choice made too early", handle, "    ready: either skip or goto Done;\n" + handle, visible, false},
		{"a bug", `state = "lost" \/ id < self`, `state = "lost" \/ id > self`, visible, false},
		{"a bug that nobody sees", `state = "lost" \/ id < self`, `state = "lost" \/ id > self`, []string{"initiator"}, true},
	} {
		m := changed(t, "ChangRoberts", c.old, c.new)
		r, err := Visibly(t.Context(), m, p, c.visible, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if (r.Difference == nil) != c.agree || !r.Complete {
			t.Errorf("%s: %d states, %d of the module, complete: %v, %+v", c.name, r.States, r.Images, r.Complete, r.Difference)
		}
		if strict, err := Algorithm(t.Context(), m, p, Options{}); err != nil || strict.Difference == nil && r.Difference != nil {
			t.Errorf("%s: the same step by step, and not what is seen: %v", c.name, err)
		}
		if d := r.Difference; d != nil && (len(d.Run) == 0 || d.Deed == "" || !slices.Equal(d.Variables, c.visible)) {
			t.Errorf("%s: %+v", c.name, d)
		}
	}
	m := open(t, "ChangRoberts", "")
	if _, err := Visibly(t.Context(), m, p, []string{"inbx"}, Options{}); err == nil {
		t.Error("inbx is seen")
	}
	if _, err := Visibly(t.Context(), m, p, visible, Options{Direction: GoRefines}); err == nil {
		t.Error("one direction is compared")
	}
	if r, err := Visibly(t.Context(), m, p, visible, Options{MaxStates: 20}); err != nil || r.Complete || r.Difference != nil {
		t.Errorf("%+v, %v", r, err)
	}
}
