package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"interleave/impl/runlog"
	"interleave/internal/cell"
)

// TestDiffOfLists: of a long state the parts that differ are told, nil and empty ones apart; a short one is told whole.
func TestDiffOfLists(t *testing.T) {
	type entry struct {
		Term int
		Text string
	}
	type state struct {
		Log   []entry
		Acks  map[string][]int
		notes []entry
	}
	logOf := func(n int) (log []entry) {
		for i := range n {
			log = append(log, entry{i, "text"})
		}
		return log
	}
	wrong := logOf(4)
	wrong[2].Text = "other"
	for _, c := range []struct {
		want, found state
		diff        string
	}{
		{state{Log: logOf(4)}, state{Log: wrong}, `state.Log[2].Text: expected "text", found "other"`},
		{state{Log: logOf(4)}, state{Log: logOf(5)}, `state.Log[4].Term: expected nothing, found 4; state.Log[4].Text: expected nothing, found "text"`},
		{state{Log: logOf(4)}, state{Log: logOf(4), notes: []entry{}}, `state.notes: expected null, found []`},
		{state{Log: logOf(4), Acks: map[string][]int{"a": {1}}}, state{Log: logOf(4), Acks: map[string][]int{"a": {1, 2}}}, `state.Acks.a: expected [1], found [1,2]`},
		{state{}, state{Log: logOf(0), Acks: map[string][]int{}}, `state: expected {"Log":null,"Acks":null,"notes":null}, found {"Log":null,"Acks":{},"notes":null}`},
	} {
		of := func(s state) runlog.Record {
			text, err := json.Marshal(cell.Must(s))
			if err != nil {
				t.Fatal(err)
			}
			return runlog.Record{State: text}
		}
		var told []string
		for _, d := range DiffRecords(of(c.want), of(c.found)) {
			told = append(told, fmt.Sprint(d))
		}
		if got := strings.Join(told, "; "); got != c.diff {
			t.Errorf("%s, want %s", got, c.diff)
		}
	}
	order := [2]string{`{"A":` + strings.Repeat("1", 80) + `,"B":2}`, `{"B":2,"A":` + strings.Repeat("1", 80) + `}`}
	if d := DiffRecords(runlog.Record{State: []byte(order[0])}, runlog.Record{State: []byte(order[1])}); len(d) != 1 || d[0].Field != "state" {
		t.Errorf("another order of fields: %v", d)
	}
	want := cell.Must(state{Log: logOf(1), notes: []entry{}})
	if got := fmt.Sprint(DiffMessages(want, cell.Must(state{Log: logOf(1)}))); got != "[message.notes: expected [], found null]" {
		t.Error(got)
	}
}
