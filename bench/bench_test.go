package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"interleave/internal/testsize"
	"interleave/spec/catalog"
)

var update = flag.Bool("update", false, "rewrite what SPIN is told")

// TestPromela compares what SPIN is told of each world with what testdata has.
func TestPromela(t *testing.T) {
	for _, w := range worlds {
		if w.spin == nil {
			continue
		}
		const n = 3
		golden := filepath.Join("testdata", w.name+".pml")
		got := w.spin[0].promela(n, w.step(n))
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s for N=3 is not %s; go test ./bench -run Promela -update mends that:\n%s", w.name, golden, got)
		}
	}
}

// TestWellFormed counts brackets, for sizes that nobody reads.
func TestWellFormed(t *testing.T) {
	for _, w := range worlds {
		for _, model := range w.spin {
			for n := 2; n <= 16; n++ {
				text := model.promela(n, w.step(n))
				for _, pair := range []string{"()", "{}", "[]"} {
					if strings.Count(text, pair[:1]) != strings.Count(text, pair[1:]) {
						t.Errorf("%s, %s, N=%d: %s do not match", w.name, model.engine, n, pair)
					}
				}
				if strings.Contains(text, "%!") {
					t.Errorf("%s, %s, N=%d: a verb of fmt is left", w.name, model.engine, n)
				}
			}
		}
	}
}

// needSpin skips where SPIN is not installed, or its verifiers take too long to
// be compiled.
func needSpin(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles verifiers")
	}
	for _, tool := range []string{"spin", "gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%v: nothing to compare with", err)
		}
	}
}

// TestAgreement runs SPIN and our engines on every world in its smallest sizes.
// Where SPIN is not installed bench cannot run either, and its figures are
// compared whenever it does.
func TestAgreement(t *testing.T) {
	testsize.Test(t)
	needSpin(t)
	b, err := newBench(options{runs: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(b.dir) })
	b.optimise = "-O0" // the counts are the same, and gcc takes less time
	for _, w := range worlds[:testsize.Of(0, 1, len(worlds))] {
		t.Run(w.name, func(t *testing.T) {
			w.sizes = []int{3, 4}
			var out bytes.Buffer
			if err := b.table(&out, w); err != nil {
				t.Fatal(err)
			}
			want := 6
			switch {
			case w.reduces:
				want = 8
			case w.spin == nil:
				want = 2
			}
			if rows := strings.Count(out.String(), "| mc --engine"); rows != want {
				t.Errorf("%d rows of mc, want %d:\n%s", rows, want, &out)
			}
		})
	}
}

// TestRace: all take their turns, and those that are brief more of them, unless the first one
// is not or a single run is asked for.
func TestRace(t *testing.T) {
	defer func(usual time.Duration) { brief = usual }(brief)
	brief = time.Second / 2
	for _, c := range []struct {
		runs int
		slow int // the engine that is
		want string
	}{
		{1, -1, "abc"},
		{2, -1, strings.Repeat("abc", 2*moreOfBrief)},
		{2, 0, "abcabc"},
		{2, 1, "abcabc" + strings.Repeat("ac", 2*moreOfBrief-2)},
	} {
		turns := ""
		var engines []engine
		for i, name := range []string{"a", "b", "c"} {
			command := exec.Command("true")
			if i == c.slow {
				command = exec.Command("sleep", fmt.Sprint(brief.Seconds()))
			}
			engines = append(engines, engine{name: name, command: command, states: func([]byte) (int, error) { turns += name; return 1, nil }})
		}
		if _, err := race(engines, c.runs); err != nil {
			t.Fatal(err)
		}
		if turns != c.want {
			t.Errorf("%d runs, %d slow: %s, want %s", c.runs, c.slow, turns, c.want)
		}
	}
}

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		name    string
		states  func([]byte) (int, error)
		printed string
		want    int // 0: it must not count
	}{
		{"spin", spin, "State-vector 28 byte, depth reached 63, errors: 0\n  1360 states, stored\n", 1359},
		{"spin, an error", spin, "State-vector 28 byte, depth reached 63, errors: 1\n  1360 states, stored\n", 0},
		{"spin, too deep", spin, "error: max search depth too small\ndepth reached 99, errors: 0\n  1360 states, stored\n", 0},
		{"spin, out of memory", spin, "Warning: Search not completed\ndepth reached 99, errors: 0\n  1360 states, stored\n", 0},
		{"tlc", tlcFound, "Model checking completed. No error has been found.\n6116 states generated, 1359 distinct states found, 0 states left on queue.\n", 1359},
		{"tlc, interrupted", tlcFound, "6116 states generated, 1359 distinct states found, 12 states left on queue.\n", 0},
		{"mc", oursFound, `{"verdict": "VERIFIED", "stats": {"distinct_states": 1359}}`, 1359},
		{"mc, stopped", oursFound, `{"verdict": "INCONCLUSIVE", "stats": {"distinct_states": 1359}}`, 0},
	} {
		got, err := c.states([]byte(c.printed))
		if got != c.want || (err == nil) != (c.want != 0) {
			t.Errorf("%s: %d, %v; want %d", c.name, got, err, c.want)
		}
	}
}

// spin counts where one state comes before the world begins.
func spin(printed []byte) (int, error) { return spinFound(printed, 1) }

func TestAgree(t *testing.T) {
	one := measure{engine: engine{name: "mc"}, found: 1359}
	same, fewer := one, measure{engine: engine{name: "SPIN"}, found: 1358}
	if err := agree([]measure{same}, one); err != nil {
		t.Error(err)
	}
	if err := agree([]measure{same, fewer}, one); err == nil || err.Error() != "SPIN found 1,358 states, and mc 1,359" {
		t.Error(err)
	}
	fewer.other = true
	if err := agree([]measure{same, fewer}, one); err != nil {
		t.Error(err)
	}
}

func TestTimes(t *testing.T) {
	for _, c := range []struct {
		base, took time.Duration
		want       string
	}{
		{time.Second, time.Second, "1×"},
		{43760 * time.Millisecond, 30 * time.Millisecond, "1459×"},
		{time.Second, 800 * time.Millisecond, "1.2×"},
		{20 * time.Millisecond, 2300 * time.Millisecond, "0.0087×"},
		{0, 0, "1×"},
	} {
		if got := times(c.base, c.took); got != c.want {
			t.Errorf("times(%v, %v) = %s, want %s", c.base, c.took, got, c.want)
		}
	}
}

func TestPerState(t *testing.T) {
	for _, c := range []struct {
		found int
		peak  int64
		other bool
		want  string
	}{
		{100_000, 3_420_000, false, "34.2"},
		{100_000, 3_420_000, true, "–"},
		{99_999, 3_420_000, false, "–"},
		{100_000_000, 9_000_000, false, "<0.1"},
		{100_000_000, 11_000_000, false, "0.1"},
	} {
		if got := (measure{engine: engine{other: c.other}, found: c.found, peak: c.peak}).perState(); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// TestSpinBytes: no SPIN took less for a state in what docs/benchmarks.md shows, if its table is
// taken off, which has room to spare, and a place in one that has none is added.
func TestSpinBytes(t *testing.T) {
	text, err := os.ReadFile("../docs/benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	least := math.Inf(1)
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, " | ")
		if len(cells) < 7 || !strings.HasPrefix(cells[1], "SPIN") {
			continue
		}
		states, err := strconv.Atoi(strings.ReplaceAll(cells[2], ",", ""))
		bytes, none := strconv.ParseFloat(cells[6], 64)
		if err != nil || none != nil {
			continue
		}
		const place = 8
		least = min(least, bytes-place*float64(int(1)<<places(states))/float64(states)+place)
	}
	if least < spinBytes || least > spinBytes*5/4 {
		t.Errorf("SPIN took %v bytes for a state, and %d are assumed", least, spinBytes)
	}
}

// TestBeyond has an mc that says of each size what is written here.
func TestBeyond(t *testing.T) {
	mc := filepath.Join(t.TempDir(), "mc")
	script := `#!/bin/sh
say() { echo "{\"verdict\": \"$1\", \"properties\": [{\"verdict\": \"VERIFIED\"}, {\"verdict\": \"$1\"}], \"stats\": {\"distinct_states\": $2, \"overapprox_states\": $3, \"complete\": $4}}"; }
case "$*" in
*"small --n 2 "*) say VERIFIED 171798691 0 true;;
*"loose --n 2 "*|*"stuck --n 2 "*) say VERIFIED 900 0 true;;
*"small --n 3 "*) say VERIFIED 171798692 0 true;;
*"refusing --n 2 "*) say VERIFIED 12 0 true;;
*"refusing --n 3 "*|*"wrong --n 2 "*) echo "mc: too many" >&2; echo more >&2; exit 2;;
*"open --n 2 "*) say INCONCLUSIVE 800 0 true; exit 3;;
*"half --n 2 "*--max-states*) say VERIFIED 700 0 true;;
*"half --n 2 "*) say INCONCLUSIVE 0 900 false; exit 3;;
*"huge --n 2 "*--max-states*|*"vast --n 2 "*--max-states*) say INCONCLUSIVE 6000 0 false; exit 3;;
*"loose --n 3 "*--max-states*) say VERIFIED 5000 0 true;;
*"loose --n 3 "*) say VERIFIED 0 400000000 false;;
*"loose --n 4 "*--max-states*) say INCONCLUSIVE 171798692 0 false; exit 3;;
*"loose --n 4 "*) say VIOLATED 0 900000000 false; exit 1;;
*"huge --n 2 "*|*"vast --n 2 "*) say VERIFIED 0 400000000 false;;
*"huge --n 3 "*) say VERIFIED 171798692 0 true;;
*"vast --n 3 "*) echo "mc: too many" >&2; exit 2;;
*"stuck --n 3 "*) say INCONCLUSIVE 7000 0 false; exit 3;;
*) exit 4;;
esac
`
	if err := os.WriteFile(mc, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	times := regexp.MustCompile(`\| [0-9.]+ \| [0-9.]+ \| \d+ \|\n`)
	for world, want := range map[string]string{
		"small":    "| `small` | 3 | 171,798,692 | yes | VERIFIED | 2 of 2 ",
		"refusing": "| `refusing` | 2 | 12 | no; of one more, mc: too many | VERIFIED | 2 of 2 ",
		"loose":    "| `loose` | 4 | 171,798,692 to 900,000,000 | yes | VIOLATED | 2 of 2 ",
		"open":     "| `open` | 2 | 800 | no | INCONCLUSIVE | 1 of 2 ",
		"half":     "| `half` | 2 | 700 | no | INCONCLUSIVE | 1 of 2 ",
		"huge":     "| `huge` | 2 | 6,000 to 400,000,000 | not known | VERIFIED | 2 of 2 | `huge` | 3 | 171,798,692 | yes | VERIFIED | 2 of 2 ",
		"vast":     "| `vast` | 2 | 6,000 to 400,000,000 | not known | VERIFIED | 2 of 2 ",
		"stuck":    "| `stuck` | 3 | 7,000 or more | not known | INCONCLUSIVE | 1 of 2 ",
	} {
		var out strings.Builder
		if err := (&bench{mc: mc}).grow(&out, growing{world, 2}, time.Minute); err != nil {
			t.Errorf("%s: %v", world, err)
		}
		if got := times.ReplaceAllString(out.String(), ""); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
	for _, world := range []string{"unknown", "wrong"} {
		if err := (&bench{mc: mc}).grow(io.Discard, growing{world, 2}, time.Minute); err == nil {
			t.Errorf("%s: an mc that fails is of no concern", world)
		}
	}
	if err := (&bench{mc: mc}).beyond(io.Discard, "raft", time.Minute); err == nil {
		t.Error("there is a table of nothing")
	}
}

// TestCatalogue: every election of the catalogue grows, but for those that count or throw dice.
func TestCatalogue(t *testing.T) {
	for _, m := range catalog.Machines {
		name := m.Traits().Name
		grows := m.Traits().Elects && !strings.HasPrefix(name, "ble/") && !strings.HasPrefix(name, "itai-rodeh/")
		if slices.ContainsFunc(catalogue, func(g growing) bool { return strings.HasPrefix(g.mc, name+" ") }) != grows {
			t.Errorf("%s grows: %v", name, !grows)
		}
	}
}

func TestChoose(t *testing.T) {
	chosen, err := options{only: "bully,classic", sizes: "3,5", runs: 1}.choose()
	if err != nil || len(chosen) != 2 || chosen[0].name != "bully" || len(chosen[1].sizes) != 2 || chosen[1].sizes[1] != 5 {
		t.Error(chosen, err)
	}
	for _, o := range []options{{only: "raft", runs: 1}, {sizes: "many", runs: 1}, {sizes: "1", runs: 1}, {runs: 0}} {
		if _, err := o.choose(); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	if len(worlds[0].sizes) == 0 || worlds[0].sizes[0] == 3 {
		t.Error("a choice of sizes has changed the list")
	}
}
