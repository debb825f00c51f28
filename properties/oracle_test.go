package properties_test

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/catalog"
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
		row, some := parseRow(scan.Text()), rows%5 == 0
		t.Run(scan.Text()[:strings.Index(scan.Text(), " distinct=")], func(t *testing.T) {
			t.Parallel()
			states, err := strconv.Atoi(row["distinct"])
			if err != nil {
				t.Fatal(err)
			}
			if !testsize.All() && (states > testsize.Of(500, 1000, 0) || !some) {
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

// oracleNames are the oracle's own names of the algorithms.
var oracleNames = map[string]string{
	"cr-text-naive": "cr-naive", "tb-pub-guardoff": "bully/unguarded", "ring-pubA": "ring-a", "ring-pubB": "ring-b",
	"ble-pub-outer": "ble/published", "ble-pub-inner": "ble/quiet", "ble-maj-outer": "ble/majority", "ble-maj-inner": "ble/mended",
	"cr-aau": "cr-aau-async", "cr-aau-rounds": "cr-aau",
}

func oracleMachine(t *testing.T, name string) spec.Machine {
	if ours, ok := oracleNames[name]; ok {
		name = ours
	}
	if full, ok := catalog.Aliases[name]; ok {
		name = full
	}
	for _, m := range catalog.Machines {
		if m.Traits().Name == name {
			return m
		}
	}
	t.Fatalf("there is no algorithm %s", name)
	return nil
}

// oracleProperties are the properties that the oracle judges, by its names.
var oracleProperties = map[string]string{"LEQ": "LE-Q", "acyclic": "termination"}

func compareRow(t *testing.T, row map[string]string, direct bool) {
	t.Helper()
	machine := oracleMachine(t, row["alg"])
	config := rowConfig(t, machine, row)
	if direct && !config.HasTables() {
		return // it was so already
	}
	var props []properties.Property
	for key := range row {
		name := cmp.Or(oracleProperties[key], key)
		if p, ok := election.Named(machine, name); ok {
			props = append(props, p)
		}
	}
	if len(props) < 5 {
		t.Errorf("only %d properties", len(props))
	}
	if row["maxmsg"] != "" {
		props = append(props, properties.AtMost(1))
	}
	states, err := strconv.Atoi(row["distinct"])
	if err != nil {
		t.Fatal(err)
	}
	r, err := properties.Verify(context.Background(), machine, config, props, properties.Options{
		Continue: true, Direct: direct, MaxStates: 2 * states,
	})
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{
		"distinct": r.Stats.States, "transitions": r.Stats.Transitions, "depth": r.Stats.Depth,
		"quiescent": r.Stats.Quiescent, "inits": r.Stats.Initial,
	}
	if config.Bound > 0 {
		delete(counts, "quiescent") // the oracle takes the end of a bounded run for one
	}
	more := breaksBefore(machine, config)
	for key, got := range counts {
		want, ok := row[key]
		if n, err := strconv.Atoi(want); more && err == nil && (key == "distinct" || key == "transitions") && got >= n || more && key == "depth" {
			continue
		}
		if ok && want != strconv.Itoa(got) {
			t.Errorf("direct=%v: %s is %d, the oracle has %s", direct, key, got, want)
		}
	}
	for _, f := range r.Findings {
		if more && f.Verdict == properties.Violated {
			continue // sooner perhaps
		}
		compareFinding(t, row, config, f)
	}
}

// breaksBefore reports whether a crash may fall when what is kept has been written and
// nothing is sent, which the oracle leaves out: its runs are some of ours.
func breaksBefore(m spec.Machine, c model.Config) bool {
	return c.Split && c.Recoveries > 0 && m.Traits().Stable != nil
}

func compareFinding(t *testing.T, row map[string]string, c model.Config, f properties.Finding) {
	t.Helper()
	want, got := row[cmp.Or(election.Alias(f.Name), f.Name)], "ok"
	if f.Verdict == properties.Violated {
		got = strconv.Itoa(f.Depth)
	}
	switch {
	case f.Messages != nil && c.Bound > 0: // nor does it end
		want, got = row["maxmsg"], strconv.Itoa(f.Messages.Most)
	case f.Messages != nil:
		want, got = row["minmsg"]+" "+row["maxmsg"], fmt.Sprintf("%d %d", f.Messages.Least, f.Messages.Most)
		if f.Messages.Unbounded {
			got = fmt.Sprintf("%d inf", f.Messages.Least)
		}
	case f.Name == "termination":
		if want = "termination holds"; row["acyclic"] == "0" {
			return // fairness may end runs that could cycle
		}
		got = map[properties.Verdict]string{properties.Verified: "termination holds"}[f.Verdict]
	case f.Name == "LE-Q":
		want = row["LEQ"]
	}
	if atRest := f.Kind == properties.QuiescentKind || f.Kind == properties.LivenessKind; atRest && c.Bound > 0 {
		return
	}
	if want != got {
		t.Errorf("%s is %s, the oracle has %s", f.Name, got, want)
	}
}

func rowConfig(t *testing.T, m spec.Machine, row map[string]string) model.Config {
	t.Helper()
	n, err := strconv.Atoi(row["n"])
	if err != nil {
		t.Fatal(err)
	}
	c, err := model.Home(m, n)
	if err != nil {
		t.Fatal(err)
	}
	axes := map[string]string{
		"net": "network", "f": "crashes", "split": "split", "r": "recoveries", "fd": "detector", "timers": "timers", "start": "start",
		"loss": "losses", "dup": "duplicates", "false": "suspicions", "part": "partitions", "rounds": "bound", "delta": "delta",
	}
	set := func(axis, value string) {
		if err := c.Set(axis, value); err != nil {
			t.Fatal(err)
		}
	}
	for key, axis := range axes {
		if value := row[key]; value != "" && value != "-" {
			set(axis, value)
		}
	}
	if c.Timers == model.Timed {
		durations := "T_ok=" + row["tok"] + ",notice=" + row["t1"]
		if len(m.Traits().Rules) > 1 {
			durations += ",T_coord=" + row["tcoord"]
		}
		set("durations", durations)
	}
	switch ring := row["ring"]; ring {
	case "", "asc":
	case "desc":
		set("ring", "descending")
	default:
		set("ring", strings.ReplaceAll(ring, "-", ","))
	}
	switch initiators := row["init"]; initiators {
	case "":
	case "subsets":
		set("initiators", "any")
	default:
		set("initiators", strings.ReplaceAll(initiators, "-", ","))
	}
	if c.Crashes == 0 {
		c.Split = false
	}
	return c
}
