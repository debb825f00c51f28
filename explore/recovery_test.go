package explore

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// helping is that all steps help but failures.
func helping() (helps [256]bool) {
	for kind := range helps {
		helps[kind] = Action(kind) != failure
	}
	return helps
}

func mustRecover(t rapid.TB, r *Result) Recovery {
	t.Helper()
	found, err := r.Graph.Recovery(context.Background(), RecoveryOptions{Goal: goalMark, Helps: helping()})
	if err != nil {
		t.Fatal(err)
	}
	return *found
}

const goalMark = 7

// TestRecoveryDrawn looks at graphs small enough to see that the answer is right.
func TestRecoveryDrawn(t *testing.T) {
	for _, test := range []struct {
		name, edges, goals string
		cut, left, limit   string // states out of which a step is missing, or that are the last to be found

		lost  int
		first string
		open  int
	}{
		{"the goal itself", "ab!", "ab", "", "", "", 0, "", 0},
		{"no way", "ab!", "a", "", "", "", 1, "b", 0},
		{"a way of several steps", "ab! bc cd da", "a", "", "", "", 0, "", 0},
		{"a way that only a failure opens", "ab! ba!", "a", "", "", "", 1, "b", 0},
		{"a step that helps leads into it", "ab ac bc! cd", "b", "", "", "", 2, "c", 0},
		{"a cycle without the goal", "ab! bc cb", "a", "", "", "", 2, "b", 0},
		{"a step left out", "ab! bc", "a", "c", "", "", 0, "", 2},
		{"a step left out that is owed nothing", "ab! bc", "a", "", "c", "", 0, "", 2},
		{"a step left out, and another way", "ab! bc ba", "a", "c", "", "", 0, "", 1},
		{"a step left out that is not in the way", "ab! ac! cd", "a", "d", "", "", 1, "b", 2},
		{"a step to nowhere", "ab! b-", "a", "", "", "", 0, "", 1},
		{"a failure to nowhere", "ab! b-!", "a", "", "", "", 1, "b", 0},
		{"a goal that was not expanded", "ab bc cd", "d", "", "", "c", 0, "", 3},
	} {
		d := draw("a", "")
		for i, e := range strings.Fields(test.edges) {
			a := arrow{advance | Action(i)<<8, int(e[1]) - 'a'}
			if len(e) > 2 {
				a.action = failure | Action(i)<<8
			}
			if e[1] == '-' {
				a.to = dead
			}
			d.arrows[e[0]-'a'] = append(d.arrows[e[0]-'a'], a)
		}
		d.left = map[int]bool{}
		for _, s := range test.goals {
			d.bear(s, Mark{Bit: goalMark}, Mark{Bit: goalMark - 1})
		}
		for _, s := range test.cut {
			d.cut[s-'a'] = true
		}
		for _, s := range test.left {
			d.left[int(s-'a')] = true
		}
		o := Options{Ignore: 1 << goalMark}
		if test.limit != "" {
			o.MaxStates = int(test.limit[0]-'a') + 1
		}
		r := mustSearch(t, d, o)
		got := mustRecover(t, r)
		first := ""
		if got.First >= 0 {
			first = letters(r, got.First)
		}
		if got.Lost != test.lost || first != test.first || got.Open != test.open {
			t.Errorf("%s: %+v %q", test.name, got, first)
		}
	}
}

// TestRecovery compares with what a search forwards from every state finds, in graphs of a few states and of several
// blocks, searched to the end or not.
func TestRecovery(t *testing.T) {
	tally := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		d := drawings(t)
		if rapid.IntRange(0, 9).Draw(t, "large") == 0 {
			d = scatters(t)
		}
		d.left = map[int]bool{}
		for _, s := range rapid.SliceOfN(rapid.IntRange(0, len(d.arrows)-1), 0, 3).Draw(t, "missing") {
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				d.cut[s] = true
			case 1:
				d.left[s] = true
			default:
				d.arrows[s] = append(d.arrows[s], arrow{rapid.SampledFrom([]Action{advance, failure}).Draw(t, "kind"), dead})
			}
		}
		for _, s := range rapid.SliceOfN(rapid.IntRange(0, len(d.arrows)-1), 0, 2).Draw(t, "goals") {
			d.marks[s] = append(d.marks[s], Mark{Bit: goalMark})
		}
		o := Options{Ignore: 1 << goalMark, MaxStates: rapid.SampledFrom([]int{0, 0, 5}).Draw(t, "most")}
		r := mustSearch(t, d, o)
		want := forwards(d, r)
		if got := mustRecover(t, r); got != want {
			t.Fatalf("%+v, want %+v", got, want)
		}
		o.Workers = 4
		if got := mustRecover(t, mustSearch(t, d, o)); got != want {
			t.Fatalf("with more workers %+v, want %+v", got, want)
		}
		if want.Lost > 0 {
			tally["lost"]++
		}
		if want.Open > 0 {
			tally["open"]++
		}
		if want.Lost+want.Open == 0 {
			tally["good"]++
		}
	})
	if tally["lost"] == 0 || tally["open"] == 0 || tally["good"] == 0 {
		t.Errorf("only %v", tally)
	}
}

// forwards is what Recovery must find, found the obvious way.
func forwards(d *drawing, r *Result) Recovery {
	want := Recovery{First: -1}
	states := statesOf(r)
	expanded := map[int]bool{}
	for _, s := range states[:r.Graph.expanded] {
		expanded[s] = true
	}
	for n, s := range states[:r.Graph.expanded] {
		reach, open, own := false, false, d.cut[s] || d.left[s]
		for _, a := range d.arrows[s] {
			own = own || Action(a.action.Kind()) != failure && a.to != dead && !expanded[a.to]
		}
		seen := map[int]bool{s: true}
		for ahead := []int{s}; len(ahead) > 0; {
			s := ahead[0]
			ahead = ahead[1:]
			if !expanded[s] {
				open = true
				continue
			}
			for _, m := range d.marks[s] {
				reach = reach || m == Mark{Bit: goalMark}
			}
			open = open || d.cut[s] || d.left[s]
			for _, a := range d.arrows[s] {
				switch {
				case Action(a.action.Kind()) == failure:
				case a.to == dead:
					open = true
				case !seen[a.to]:
					seen[a.to] = true
					ahead = append(ahead, a.to)
				}
			}
		}
		switch {
		case reach:
		case open:
			want.Open++
			want.Cut = want.Cut || own
		default:
			if want.Lost++; want.First < 0 {
				want.First = n
			}
		}
	}
	return want
}

// TestRecoveryGivesUp takes away what it needs.
func TestRecoveryGivesUp(t *testing.T) {
	d := scatter(3, 3000, 1, 10, 100)
	ended, end := context.WithCancel(context.Background())
	end()
	for _, test := range []struct {
		ctx  context.Context
		o    Options
		most int64
		want error
	}{
		{context.Background(), Options{}, math.MaxInt64, nil},
		{context.Background(), Options{}, 1, ErrMemory},
		{context.Background(), Options{Store: Bits}, 0, ErrNotKept},
		{ended, Options{}, 0, context.Canceled},
	} {
		r := mustSearch(t, d, test.o)
		if _, err := r.Graph.Recovery(test.ctx, RecoveryOptions{Memory: test.most}); !errors.Is(err, test.want) {
			t.Errorf("%+v: %v", test, err)
		}
	}
}
