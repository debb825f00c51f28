package compiled

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/spec/tokenring"
)

// TestOracleRows makes rows anew beside those that are remembered, all in one place.
func TestOracleRows(t *testing.T) {
	s, err := New(tokenring.Mended, model.Config{N: 2, Crashes: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Search(t.Context(), s, explore.Options{MaxStates: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	x := newExpander(s, false)
	x.fit()
	x.oracleRows = make([]oracleRow, 1)
	known := 0
	check := func(n, i int) {
		x.words = r.Graph.State(n)
		x.live = x.liveIn(x.words)
		pair, before := x.lanes[i].pair(x.words), x.oracleRows[0].row
		got, want := x.rowNow(i, pair), x.compile(i, pair)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("of process %d in %+v it is remembered\n%+v, not\n%+v", i+1, s.State(x.words), got, want)
		}
		if got == before {
			known++
		}
	}
	for n := range r.Stats.Expanded {
		for i := range s.tables {
			check(n, i)
		}
	}
	for i := range s.tables {
		pair := func(n int) uint64 { return x.lanes[i].pair(r.Graph.State(n)) }
		var states []int
		for n := range r.Stats.Expanded {
			states = append(states, n)
		}
		slices.SortFunc(states, func(n, m int) int { return cmp.Compare(pair(n), pair(m)) })
		for _, n := range states {
			check(n, i)
		}
	}
	if known == 0 {
		t.Error("no row was remembered")
	}
	if got, want := x.Held(), x.oracleRows[0].row.bytes(); got != want {
		t.Errorf("%d bytes are counted, of %d", got, want)
	}
}

// TestTableBytes: what is counted as it is learned is what a walk over the tables finds.
func TestTableBytes(t *testing.T) {
	s, err := New(tokenring.Mended, model.Config{N: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := explore.Search(t.Context(), s, explore.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, table := range s.tables {
		held := int64(0)
		for i := range table.Info {
			held += 260 + int64(len(table.internal[i]))*80
		}
		for i := range table.inbox {
			held += 250 + int64(len(table.inbox[i].content))*36 + int64(len(table.choices[i]))*12
		}
		if table.held != held || len(table.inbox) < 2 || len(table.Info) < 2 {
			t.Errorf("%d bytes are counted, of %d", table.held, held)
		}
	}
}
