package compiled

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/spec/bully"
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
		got, want := x.rowNow(i, pair), new(row)
		if !x.compile(i, pair, want) || !reflect.DeepEqual(got, want) {
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

// TestRowAgain makes a row in the memory of others, of all kinds.
func TestRowAgain(t *testing.T) {
	s, err := New(bully.Mended, model.Config{N: 3, Crashes: 1, Network: model.FIFO}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Search(t.Context(), s, explore.Options{MaxStates: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	x := newExpander(s, false)
	x.fit()
	again, kept := new(row), 0
	for n := range r.Stats.Expanded {
		for i := range s.tables {
			pair, fresh := x.lanes[i].pair(r.Graph.State(n)), new(row)
			if kept += cap(again.steps); !x.compile(i, pair, again) || !x.compile(i, pair, fresh) {
				t.Fatal("an expanded state lacks something")
			}
			got, want := *again, *fresh
			got.steps, got.internal, want.steps, want.internal = nil, nil, nil, nil
			if !reflect.DeepEqual(got, want) || !slices.Equal(again.steps, fresh.steps) || !slices.Equal(again.internal, fresh.internal) {
				t.Fatalf("made again it is\n%+v, not\n%+v", again, fresh)
			}
		}
	}
	if kept == 0 {
		t.Error("no memory was used again")
	}
}

// TestRows: every row that was put into a table is found in it, unless another one with its place came later.
func TestRows(t *testing.T) {
	for _, most := range []struct{ locals, boxes uint32 }{{3, 5}, {300, 20}, {2, 1000}, {500, 10_000}, {2000, 200}, {4, 100_000}} {
		var m rows
		last, random := map[int]*row{}, rand.New(rand.NewPCG(1, 2))
		for k := range uint32(100_000) {
			r := &row{local: random.Uint32N(min(k+1, most.locals)), box: random.Uint32N(most.boxes)}
			before := len(m.of)<<8 | int(m.shift)
			if *m.put(r.local, r.box, min(int(k+1), int(most.locals))) = r; len(m.of)<<8|int(m.shift) != before {
				clear(last)
			}
			last[m.place(r.local, r.box)] = r
		}
		for place, r := range last {
			if m.of[place] != r {
				t.Fatalf("%d local states and %d inboxes: place %d has %+v, not %+v", most.locals, most.boxes, place, m.of[place], r)
			}
		}
		found, all := 0, min(int(most.locals*most.boxes), mostRows) // of so many, some replace others
		for _, r := range m.of {
			if r != nil {
				found++
			}
		}
		if found < all/2 || len(m.of) > mostRows {
			t.Errorf("%d local states and %d inboxes: %d rows are remembered in %d places", most.locals, most.boxes, found, len(m.of))
		}
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
			held += localBytes + int64(len(table.internal[i]))*80
		}
		for i := range table.inbox {
			held += 250 + int64(len(table.inbox[i].content))*36 + int64(len(table.choices[i]))*12
		}
		if table.held != held || len(table.inbox) < 2 || len(table.Info) < 2 {
			t.Errorf("%d bytes are counted, of %d", table.held, held)
		}
	}
}
