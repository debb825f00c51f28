package properties_test

import (
	"bufio"
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
)

// TestOracle compares counts, depths and shortest counterexamples with those
// of an explorer that was written from the algorithms' definitions by someone
// who had not seen this code.
func TestOracle(t *testing.T) {
	f, err := os.Open("testdata/oracle.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := 0
	for scan := bufio.NewScanner(f); scan.Scan(); rows++ {
		row := parseRow(scan.Text())
		t.Run(scan.Text()[:strings.Index(scan.Text(), " distinct=")], func(t *testing.T) {
			t.Parallel()
			states, err := strconv.Atoi(row["distinct"])
			if err != nil {
				t.Fatal(err)
			}
			if testing.Short() && states > 500 {
				return
			}
			compareRow(t, row, false)
			if states < 3000 {
				compareRow(t, row, true)
			}
		})
	}
	if rows < 500 {
		t.Errorf("only %d rows", rows)
	}
}

func parseRow(line string) map[string]string {
	row := map[string]string{}
	for field := range strings.FieldsSeq(line) {
		key, value, _ := strings.Cut(field, "=")
		row[key] = value
	}
	return row
}

var oracleMachines = map[string]spec.Machine{
	"cr-tla": changroberts.Classic, "cr-text": changroberts.Textbook, "cr-text-naive": changroberts.Naive,
	"cr-fd": changroberts.Detecting, "tb-pub": bully.Published, "tb-fix": bully.Mended, "tb-pub-guardoff": bully.Unguarded,
}

func compareRow(t *testing.T, row map[string]string, direct bool) {
	t.Helper()
	machine := oracleMachines[row["alg"]]
	config := rowConfig(t, row)
	invariants := []properties.Property{
		properties.SLit, properties.SLmax, properties.SSelf, properties.SUniq, properties.QAgree, properties.QMax, properties.T,
	}
	r, err := properties.Verify(context.Background(), machine, config, invariants, properties.Options{Continue: true, Direct: direct})
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{
		"distinct": r.Stats.States, "transitions": r.Stats.Transitions, "depth": r.Stats.Depth,
		"quiescent": r.Stats.Quiescent, "inits": r.Stats.Initial,
	}
	for key, got := range counts {
		if row[key] != strconv.Itoa(got) {
			t.Errorf("direct=%v: %s is %d, the oracle has %s", direct, key, got, row[key])
		}
	}
	for _, f := range r.Findings {
		want, got := row[f.Name], "ok"
		if f.Verdict == properties.Violated {
			got = strconv.Itoa(f.Depth)
		}
		if f.Name == "T" {
			want, got = row["acyclic"], map[properties.Verdict]string{properties.Verified: "1", properties.Inconclusive: "0"}[f.Verdict]
		}
		if want != got {
			t.Errorf("direct=%v: %s is %s, the oracle has %s", direct, f.Name, got, want)
		}
	}
}

func rowConfig(t *testing.T, row map[string]string) model.Config {
	t.Helper()
	var c model.Config
	axes := map[string]string{"network": row["net"], "crashes": row["f"], "split": row["split"], "detector": row["fd"], "timers": row["timers"], "start": row["start"]}
	set := func(axis, value string) {
		if err := c.Set(axis, value); err != nil {
			t.Fatal(err)
		}
	}
	set("n", row["n"])
	for axis, value := range axes {
		if value != "" {
			set(axis, value)
		}
	}
	switch ring := row["ring"]; ring {
	case "":
	case "asc", "desc":
		set("ring", map[string]string{"asc": "ascending", "desc": "descending"}[ring])
	default:
		set("ring", strings.ReplaceAll(ring, "-", ","))
	}
	if row["init"] == "subsets" || row["alg"] == "cr-tla" {
		set("initiators", "any")
	}
	if row["alg"] == "cr-tla" {
		set("network", "set")
	}
	if c.Crashes == 0 {
		c.Split = false
	}
	return c
}
