package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/yaml"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/catalog"
)

// sweepFile writes a file for mc sweep: its rows, as they stand under rows.
func sweepFile(t *testing.T, rows string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sweep.yaml")
	if err := os.WriteFile(file, []byte("version: 1\nrows:\n"+rows), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

var expectsNothing = "\n    expect: {termination: holds}\n"

// refusedFiles are files with one mistake each, and how mc tells of it.
var refusedFiles = []struct{ text, want string }{
	{"", "f:1: the file is empty: write version: 1 and rows"},
	{"# a comment\n", "f:1: the file is empty: write version: 1 and rows"},
	{"just text", "f:1: the file is a single value: write version: 1 and rows"},
	{"- 1\n- 2\n", "f:1: the file is a list: write version: 1 and rows"},
	{"version: 1\nrows:\n  - [1\n", "f:3: this is not YAML: sequence end token ']' not found"},
	{"version: 1\nrows: \"\n", "f:2: this is not YAML: could not find end character of double-quoted text"},
	{"version: 1\n---\nversion: 1\n", "f:2: a second document begins: write one file for each"},
	{"version: 1\n\nrows:\n  - a: \xff\n", "f:4: the line is not UTF-8: write the file as UTF-8"},
	{"version: 1\n \t \nrows:\n\t- algorithm: bully\n", "f:4: a tab before the text: YAML is indented by spaces"},
	{"version: 1\nrows:\n  - algorithm: bully\n  \tn: 3\n", "f:4: a tab before the text: YAML is indented by spaces"},
	{"version: 1\n#" + strings.Repeat("x", 5000), "f:2: the line is longer than 4096 bytes: break it"},
	{strings.Repeat("#\n", 600_000), "f:1: larger than 1 MiB: split the file"},
	{"rows: [{algorithm: bully, expect: {termination: holds}}]", "f:1: the version is missing: write version: 1"},
	{"version: 2\nrows: []", `f:1: version "2" is not one that this program reads: write version: 1`},
	{"version: [1]\nrows: []", `f:1: version "" is not one that this program reads: write version: 1`},
	{"version: 1\n", "f:1: there are no rows: write rows, a list"},
	{"version: 1\nrows:\n", `f:2: "rows" has no value: give it one, or leave it out`},
	{"version: 1\nrows: []\n", "f:2: there are no rows: write one at least"},
	{"version: 1\nrows: bully\n", "f:2: rows is a single value: write a list"},
	{"version: 1\nrow: []\n", `f:2: the file has no key "row"; did you mean rows?`},
	{"version: 1\nversion: 1\nrows: []\n", `f:2: "version" stands here for the second time, after line 1: leave one out`},
	{"version: 1\nrows: ~\n", "f:2: a value is empty: write one, or leave its key out"},
	{"version: 1\nrows: &all\n  - x\n", "f:2: an anchor (&) means nothing here: write the value out"},
	{"version: 1\nrows: *all\n", "f:2: an alias (*) means nothing here: write the value out"},
	{"version: 1\n<<: {rows: 1}\n", "f:2: a merge (<<) means nothing here: write the keys out"},
	{"version: !!int 1\n", "f:1: a tag (!) means nothing here: leave it out"},
	{"? version\n: 1\n", "f:1: a key after ? means nothing here: write key: value"},
	{"version: 1\nrows: " + strings.Repeat("[", 50), "f:2: brackets within brackets, 33 deep: nothing here nests so deeply"},
}

// refusedRows are rows with one mistake each, the first line of them line 3.
var refusedRows = []struct{ rows, want string }{
	{"  - bully\n", "f:3: a row is a mapping with algorithm and expect, not a single value"},
	{"  - n: 3" + expectsNothing, "f:3: the row names no algorithm: write algorithm: NAME"},
	{"  - algorithm: bully\n    n: 3\n", "f:3: the row expects nothing: write expect, with a line for each property to check"},
	{"  - algorithm: bully\n    expect: {}\n", "f:4: expect names no property: write lines as in no-deadlock: holds"},
	{"  - algorithm: bully\n    expect: holds\n", "f:4: expect names no property: write lines as in no-deadlock: holds"},
	{"  - algorithm: bully\n    expect:\n      termination: [holds]\n", "f:5: termination: a list is expected of it: write one answer"},
	{"  - algorithm: bully\n    expect:\n      termination: holds\n      winner-is-tip: holds\n", `f:6: there is no property "winner-is-tip"; did you mean winner-is-top?`},
	{"  - algorithm: bully\n    expect:\n      termination: holds\n      t: holds\n", "f:6: termination is expected twice: leave one out"},
	{"  - algorithm: bully\n    expect:\n      winner-is-top: hold\n", `f:5: winner-is-top: "hold" is nothing that can be expected of a property of kind "invariant"; did you mean holds?`},
	{"  - algorithm: bully\n    expect:\n      winner-is-top: reached\n", `f:5: winner-is-top: "reached" is nothing that can be expected of a property of kind "invariant"; write holds, bounded, violated, inconclusive`},
	{"  - algorithm: bully\n    expect:\n      can-elect: holds\n", `f:5: can-elect: "holds" is nothing that can be expected of a property of kind "cover"; write reached, never, inconclusive`},
	{"  - algorithm: bully\n    max-depth: 3\n    expect:\n      termination: bounded\n", `f:6: termination: "bounded" is nothing that can be expected of a property of kind "liveness"; write holds, violated, inconclusive`},
	{"  - algorithm: bully\n    expect:\n      winner-is-top: holds in 3\n", `f:5: winner-is-top: "holds in 3" is nothing that can be expected of a property of kind "invariant"; write holds, bounded, violated, inconclusive`},
	{"  - algorithm: bully\n    expect:\n      winner-is-top: violated in few\n", `f:5: winner-is-top: "few" is not a number of steps: write violated, or violated in 5`},
	{"  - algorithm: bully\n    expect:\n      winner-is-top: violated in -1\n", `f:5: winner-is-top: "-1" is not a number of steps: write violated, or violated in 5`},
	{"  - algorithm: bully\n    expect:\n      winner-is-top: bounded\n", "f:5: winner-is-top: it cannot be bounded where nothing bounds it: write max-depth or bound, or holds"},
	{"  - algorithm: bully\n    expect:\n      winner-is-top: violated in 9\n    max-depth: 8\n", "f:5: winner-is-top: violated in 9 contradicts max-depth: 8"},
	{"  - algorithm: buly" + expectsNothing, `f:3: there is no algorithm "buly"; did you mean bully?`},
	{"  - algorithm: bully/fast" + expectsNothing, `f:3: bully has no variant "fast"; it has bully/mended, bully/published, bully/unguarded`},
	{"  - algorithm:\n      - bully\n      - tb-fix" + expectsNothing, "f:5: bully/mended is named twice: leave one out"},
	{"  - algorithm: []" + expectsNothing, "f:3: algorithm is an empty list or a mapping: write a value, or a list of values"},
	{"  - algorithm: bully\n    m: 3" + expectsNothing, `f:4: a row has no key "m"; there are algorithm, about, slow, max-depth, max-states, mem, timeout, expect, ` + strings.Join(model.Axes, ", ")},
	{"  - algorithm: bully\n    crashs: [1, 2]" + expectsNothing, `f:4: a row has no key "crashs"; did you mean crashes?`},
	{"  - algorithm: bully\n    slow: maybe" + expectsNothing, `f:4: slow is "maybe": write true or false`},
	{"  - algorithm: bully\n    slow: [true]" + expectsNothing, "f:4: slow is a list: write one value"},
	{"  - algorithm: bully\n    max-depth: 0" + expectsNothing, `f:4: max-depth: "0" is not a number above 0: leave it out for no limit`},
	{"  - algorithm: bully\n    max-states: many" + expectsNothing, `f:4: max-states: "many" is not a number above 0: leave it out for no limit`},
	{"  - algorithm: bully\n    mem: much" + expectsNothing, `f:4: mem: "much" is not a size; give a number and a unit, as in 500MiB or 8GiB`},
	{"  - algorithm: bully\n    mem: 0" + expectsNothing, "f:4: mem: 0 is no limit: leave it out for that of the command line"},
	{"  - algorithm: bully\n    timeout: 90" + expectsNothing, `f:4: timeout: "90" is not a time: write one as in 90s`},
	{"  - algorithm: bully\n    n:\n    crashes: 1" + expectsNothing, `f:4: "n" has no value: give it one, or leave it out`},
	{"  - algorithm: bully\n    n:\n      -\n      - 3" + expectsNothing, "f:5: an entry of a list is empty: give it a value, or leave it out"},
	{"  - algorithm: bully\n    n: []" + expectsNothing, "f:4: n is an empty list or a mapping: write a value, or a list of values"},
	{"  - algorithm: bully\n    n: {a: 3}" + expectsNothing, "f:4: n is an empty list or a mapping: write a value, or a list of values"},
	{"  - algorithm: bully\n    n: [3, [4]]" + expectsNothing, "f:4: n has a list in its list: write single values"},
	{"  - algorithm: bully\n    n: three" + expectsNothing, `f:4: n: "three" is not a number of processes: write 1 to 16, a range as in 2..4, or a list as in [2, 4]`},
	{"  - algorithm: bully\n    n:\n      - 3\n      - 17" + expectsNothing, `f:6: n: "17" is not a number of processes: write 1 to 16, a range as in 2..4, or a list as in [2, 4]`},
	{"  - algorithm: chang-roberts\n    n: -1\n    ring: descending" + expectsNothing, `f:4: n: "-1" is not a number of processes: write 1 to 16, a range as in 2..4, or a list as in [2, 4]`},
	{"  - algorithm: bully\n    n: 5..3" + expectsNothing, "f:4: n: the range 5..3 is empty: write 3..5"},
	{"  - algorithm: bully\n    n: 1..99999999999999999999" + expectsNothing, "f:4: n: the range 1..99999999999999999999 is too long"},
	{"  - algorithm: bully\n    n: 1..99999" + expectsNothing, "f:4: n: the range 1..99999 is too long"},
	{"  - algorithm: bully\n    n: [1..9999, 1..9999]" + expectsNothing, "f:4: n has more than 10000 values: split the row"},
	{"  - algorithm: bully\n    n: [3, 2..4]" + expectsNothing, "f:3: the row comes to bully/mended n=3 twice: leave out the value that says the same as another"},
	{"  - algorithm: chang-roberts\n    ring: [\"1,2,3\", ascending]" + expectsNothing, "f:3: the row comes to chang-roberts/classic n=3 twice: leave out the value that says the same as another"},
	{"  - algorithm: bully\n    crashes: 1..200\n    initiators: 1..200" + expectsNothing, "f:3: with this row the file comes to more than 10,000 configurations: split it"},
	{"  - algorithm: bully\n    network: tcp" + expectsNothing, `f:4: network: "tcp" is not one of fifo, bag, set, rounds`},
	{"  - algorithm: bully\n    crashes: 4" + expectsNothing, "f:4: bully/mended n=3 crashes=4: crashes: 4 crashes are out of range: 0 to 3 processes can crash"},
	{"  - algorithm: bully\n    crashes: [0, 1]\n    split: [false, true]" + expectsNothing, "f:5: bully/mended n=3 split: split: it says where a crash may fall, and no process may crash: allow a crash"},
	{"  - algorithm: bully\n    split: perhaps" + expectsNothing, `f:4: split: "perhaps" is not a value it can have`},
	{"  - algorithm: bully\n    ring: all" + expectsNothing, "f:4: ring: bully/mended does not use the ring, so a placement means nothing to it: leave it out"},
	{"  - algorithm: chang-roberts\n    timers: flush" + expectsNothing, "f:4: timers: it means nothing to chang-roberts/classic: leave it out"},
	{"  - algorithm: chang-roberts\n    ring: 2,1" + expectsNothing, "f:4: chang-roberts/classic n=3 ring=2,1: ring: [2 1] does not name each of the processes 1 to 3 once"},
	{"  - algorithm: chang-roberts\n    ring: [3,1,2]" + expectsNothing, `f:4: chang-roberts/classic n=3 ring=3: ring: [3] does not name each of the processes 1 to 3 once; within a list, a value with commas stands in quotes, as in ["3,1,2", "1,2,3"]`},
	{"  - algorithm: chang-roberts\n    ring: around" + expectsNothing, `f:4: ring: "around" is not a process from 1 to 16: give ascending, descending or a list as in 3,1,2`},
	{"  - algorithm: bully\n    n: [4, 3]\n    expect:\n      termination: holds\n      <>[]up(4): holds", `f:7: bully/mended n=3: the formula "<>[]up(4)": column 5: there is no process 4: N is 3`},
	{"  - algorithm: sync-bully\n    expect:\n      complete-within(2): holds", "f:5: sync-bully/mended n=3: complete-within(2) means nothing to sync-bully/mended, which runs in lock-step rounds anyway: leave it out"},
	{"  - algorithm: bully" + expectsNothing + "  - algorithm: bully\n    n: 99" + expectsNothing, `f:6: n: "99" is not a number of processes: write 1 to 16, a range as in 2..4, or a list as in [2, 4]`},
}

func TestReadSweepRefuses(t *testing.T) {
	cases := refusedFiles
	for _, r := range refusedRows {
		cases = append(cases, struct{ text, want string }{"version: 1\nrows:\n" + r.rows, r.want})
	}
	for _, c := range cases {
		_, err := readAll(c.text)
		have := fmt.Sprint(err)
		if h := (ui.Hinted{}); errors.As(err, &h) {
			have += "; " + h.Hint
		}
		if have != c.want {
			t.Errorf("%.200q\nhave %s\nwant %s", c.text, have, c.want)
		}
	}
}

// readAll reads a file named f and multiplies its rows out.
func readAll(text string) ([]configuration, error) {
	rows, err := readFile("f", []byte(text), names.New(catalog.Machines, catalog.Aliases))
	if err != nil {
		return nil, err
	}
	return multiply("f", rows, options{})
}

// TestMultiply: a row is multiplied out in the order of the axes, and nothing
// but what it says differs from the algorithm's own world.
func TestMultiply(t *testing.T) {
	cases, err := readAll(`version: 1
rows:
  - algorithm: [cr-tla, cr-text]
    crashes: [0, 1]
    ring: [all, "2,1,3"]
    n: 3..3
    max-states: 7
    mem: 1KiB
    timeout: 2s
    expect: {termination: holds, s-self: violated in 0}
`)
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, c := range cases {
		have = append(have, c.algorithm()+" "+c.Words())
		v := c.Question
		if !v.Check.Continue || v.Check.MaxStates != 7 || v.Check.Memory != 1024 || v.Timeout != 2*time.Second || len(v.Props) != 2 {
			t.Errorf("%s: %+v, %v", have[len(have)-1], v.Check, v.Timeout)
		}
		if command := v.Command(); !strings.Contains(command, " --mem 1KiB ") {
			t.Errorf("it is not to be repeated by %s", command)
		}
		home, err := model.Home(v.Machine, 3)
		if err != nil || v.Config.Network != home.Network || v.Config.Initiators != home.Initiators {
			t.Errorf("%s is far from home, %v", have[len(have)-1], err)
		}
	}
	want := `chang-roberts/classic n=3 ring=all
chang-roberts/classic n=3 ring=all crashes=1
chang-roberts/classic n=3 ring=2,1,3
chang-roberts/classic n=3 ring=2,1,3 crashes=1
chang-roberts/textbook n=3 ring=all
chang-roberts/textbook n=3 ring=all crashes=1
chang-roberts/textbook n=3 ring=2,1,3
chang-roberts/textbook n=3 ring=2,1,3 crashes=1`
	if strings.Join(have, "\n") != want {
		t.Errorf("have\n%s\nwant\n%s", strings.Join(have, "\n"), want)
	}
}

// TestSweepJudges: each expectation against what is found, alike and different.
func TestSweepJudges(t *testing.T) {
	for expect, want := range map[string]string{
		"winner-is-top: violated":              "",
		"winner-is-top: violated in 2":         "",
		"winner-is-top: violated in 3":         "winner-is-top: expected violated in 3, found VIOLATED after 2 steps: process 1 follows itself, but 3 is top",
		"winner-is-top: holds":                 "winner-is-top: expected holds, found VIOLATED after 2 steps: process 1 follows itself, but 3 is top",
		"winner-is-top: inconclusive":          "winner-is-top: expected inconclusive, found VIOLATED after 2 steps",
		"leader-took-part: bounded":            "",
		"leader-took-part: holds":              "leader-took-part: expected holds, found BOUNDED: only states up to 4 steps away were looked at",
		"leader-took-part: violated":           "leader-took-part: expected violated, found BOUNDED",
		"can-elect: reached":                   "",
		"can-elect: never":                     "can-elect: expected never, found REACHED after 1 step",
		"can-elect: inconclusive":              "can-elect: expected inconclusive, found REACHED after 1 step",
		"termination: inconclusive":            "",
		"termination: holds":                   "termination: expected holds, found INCONCLUSIVE: not decided by the first 4 steps",
		"winner-is-top: bounded":               "winner-is-top: expected bounded, found VIOLATED after 2 steps",
		"leader-took-part: inconclusive":       "leader-took-part: expected inconclusive, found BOUNDED",
		"leader-took-part: violated in 4":      "leader-took-part: expected violated in 4, found BOUNDED",
		"no-such: holds\n      termination: x": "there is no property",
	} {
		file := sweepFile(t, "  - algorithm: bully/published\n    timers: any\n    max-depth: 4\n    expect:\n      "+expect+"\n")
		switch o := mc(t.Context(), "sweep "+file); {
		case want == "":
			o.expect(t, ui.ExitHolds, "1 configuration, 1 as expected")
		case strings.HasPrefix(want, "there is no"):
			o.expect(t, ui.ExitUsage, file+":7: "+want)
		default:
			o.expect(t, ui.ExitViolated, want)
			o.expect(t, ui.ExitViolated, "1 configuration, 0 as expected, 1 not; 1 verdict: ")
			o.expect(t, ui.ExitViolated, "repeat with: mc verify bully/published --n 3 --timers any --property")
		}
	}
}

// TestSweepRepeats: what is repeated has the memory that it had, of the row or of the sweep.
func TestSweepRepeats(t *testing.T) {
	file := sweepFile(t, "  - algorithm: bully\n    n: 2\n    expect: {leader-is-top-or-crashed: violated}\n  - algorithm: bully\n    n: 3\n    mem: 300MiB\n    expect: {leader-is-top-or-crashed: violated}\n")
	o := mc(t.Context(), "sweep --mem 200MiB "+file)
	o.expect(t, ui.ExitViolated, "mc verify bully/mended --n 2 --property leader-is-top-or-crashed --continue --mem 200MiB\n")
	o.expect(t, ui.ExitViolated, "mc verify bully/mended --n 3 --property leader-is-top-or-crashed --continue --mem 300MiB\n")
}

// TestNumbersOfMessages: they are numbers, however they are written, and are not shouted.
func TestNumbersOfMessages(t *testing.T) {
	for expect, want := range map[string]string{
		"0 to 6": "", "00 to +6": "", "0 to 06": "",
		"00 to 5": "messages-bounded: expected 0 to 5, found 0 to 6: ", "0 to any": "messages-bounded: expected 0 to any, found 0 to 6: ",
	} {
		o := mc(t.Context(), "sweep "+sweepFile(t, "  - {algorithm: chang-roberts, n: 3, ring: descending, expect: {messages-bounded: "+expect+"}}\n"))
		if want == "" {
			o.expect(t, ui.ExitHolds, "1 as expected")
		} else {
			o.expect(t, ui.ExitViolated, want)
		}
	}
}

// TestSweepNever: a goal that no process can reach.
func TestSweepNever(t *testing.T) {
	file := sweepFile(t, "  - algorithm: mute\n    expect: {can-elect: never}\n  - algorithm: mute\n    expect: {can-elect: reached}\n")
	mute := &spec.Algorithm[struct{}, uint8]{
		Name: "mute", Doc: "elects nobody", Source: "this test",
		Receive: func(*struct{}, *spec.Proc[uint8], spec.ID, uint8) {},
		Election: &spec.Election[struct{}, uint8]{
			Notice: func(*struct{}, *spec.Proc[uint8]) {},
			Leader: func(struct{}) spec.ID { return spec.None },
		},
	}
	mc(t.Context(), "sweep "+file, mute).expect(t, ui.ExitViolated, "can-elect: expected reached, found NEVER: no reachable state satisfies it")
	mc(t.Context(), "sweep "+file, mute).expect(t, ui.ExitViolated, "2 configurations, 1 as expected, 1 not; 2 verdicts: 2 never; ")
}

// TestSweepPanic: a handler that panics differs from what is expected, whatever
// that is.
func TestSweepPanic(t *testing.T) {
	file := sweepFile(t, "  - algorithm: fragile\n    max-depth: 3\n    expect: {leader-is-top: bounded}\n")
	fragile := &spec.Algorithm[struct{}, uint8]{
		Name: "fragile", Doc: "falls over", Source: "this test",
		Receive: func(*struct{}, *spec.Proc[uint8], spec.ID, uint8) { panic("over") },
		Election: &spec.Election[struct{}, uint8]{
			Notice: func(_ *struct{}, p *spec.Proc[uint8]) { p.Broadcast(p.Others(), 0) },
			Leader: func(struct{}) spec.ID { return spec.None },
		},
	}
	mc(t.Context(), "sweep "+file, fragile).expect(t, ui.ExitViolated, "no-panic: expected holds, found VIOLATED after 2 steps: the handler panics: over")
}

// TestSweepContradiction: a machine that is no function is told, wherever it shows: where a step
// is taken twice or once more at the end, also if a counterexample did not replay; with what
// was done, and the place in the file.
func TestSweepContradiction(t *testing.T) {
	file := sweepFile(t, "  - algorithm: bully/published\n    timers: any\n    max-depth: 3\n    expect: {winner-is-top: violated}\n")
	bully, err := names.Table{Algorithms: catalog.Machines}.Find("bully/published")
	if err != nil {
		t.Fatal(err)
	}
	const (
		found    = 2 * 12        // the search has 12 steps that are timeouts, and takes each twice
		replayed = found + 2     // the counterexample has one
		again    = replayed + 13 // all are taken once more
		written  = again + 1     // the counterexample is replayed as it was written
		place    = ":3: bully/published n=3 timers=any: "
		no       = "the handler of process "
		unlike   = "interleave contradicts itself: the counterexample to winner-is-top, written and read, does not replay: step 2: "
	)
	for steps := 1; steps <= written; steps++ { // that are as they should be
		left := steps
		o := mc(t.Context(), "sweep --workers 1 "+file, fickle{bully, &left})
		status, said := ui.ExitUsage, no
		switch {
		case steps == written:
			o.expect(t, ui.ExitHolds, "1 configuration, 1 as expected")
			continue
		case steps == again:
			status, said = ui.ExitContradicted, unlike
		}
		if o.status != status || !strings.Contains(o.out, "1 configuration, 0 as expected, 1 not run") {
			t.Errorf("%d steps: status %d, not %d: %s", steps, o.status, status, o.out)
		}
		if want := "mc: error: " + file + place + said; !strings.HasPrefix(o.err, want) || (said == no) != strings.Contains(o.err, " is no function: ") {
			t.Errorf("%d steps: have %s\nwant %s", steps, o.err, want)
		}
	}
}

// TestAgain: a counterexample that is not what was found is a contradiction.
func TestAgain(t *testing.T) {
	cases, err := readAll("version: 1\nrows: [{algorithm: bully/published, timers: any, expect: {winner-is-top: violated}}]")
	if err != nil {
		t.Fatal(err)
	}
	v := cases[0]
	v.Check.MaxDepth = 3
	for name, spoil := range map[string]func(f *properties.Finding){
		"":         func(*properties.Finding) {},
		"no trace": func(f *properties.Finding) { f.Trace = nil },
		"a reason": func(f *properties.Finding) { f.Why = "of nothing" },
		"a step":   func(f *properties.Finding) { f.Trace.Steps = f.Trace.Steps[:1] },
		"a state":  func(f *properties.Finding) { f.Trace.Steps[1].State = "0000000000000000" },
		"a name":   func(f *properties.Finding) { f.Trace.Algorithm = "bully/mended" },
	} {
		r, err := properties.Verify(t.Context(), v.Machine, v.Config, v.Props, v.Check)
		if err != nil {
			t.Fatal(err)
		}
		spoil(&r.Findings[0])
		var contradiction *properties.ContradictionError
		if err := cases[0].again(r.Findings[0]); (name != "") != errors.As(err, &contradiction) {
			t.Errorf("%q changed: %v", name, err)
		}
	}
}

// TestAllRings: a placement that is not decided does not keep the others from
// being looked at.
func TestAllRings(t *testing.T) {
	testsize.Alone(t)
	file := sweepFile(t, "  - algorithm: cr-naive\n    ring: all\n    crashes: 1\n    network: set\n    expect: {leader-is-top-or-crashed: holds, can-elect: reached, termination: violated in 6}\n")
	mc(t.Context(), "sweep "+file).expect(t, ui.ExitHolds, "12,645 states")
}

func TestSweepCancelled(t *testing.T) {
	file := sweepFile(t, "  - algorithm: bully\n    n: [2, 3]\n    expect: {termination: inconclusive}\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	mc(ctx, "sweep "+file).expect(t, ui.ExitInconclusive, "2 configurations, 0 as expected, 2 not run; 0 states")
}

// TestReadYAMLBounded: files made to keep the parser busy are read in no time.
func TestReadYAMLBounded(t *testing.T) {
	testsize.Alone(t)
	size := (yaml.MaxBytes - 100) / testsize.Of(8, 8, 1)
	deep := ""
	for i := range 1400 {
		deep += strings.Repeat(" ", i) + "a:\n"
	}
	for name, text := range map[string]string{
		"brackets": strings.Repeat("[\n", size/2),
		"dashes":   strings.Repeat(strings.Repeat("- ", 2000)+"\n", size/4001),
		"dash":     strings.Repeat("-\n", size/2),
		"empty":    strings.Repeat("a:\n", size/3),
		"in flow":  "a: {" + strings.Repeat("b:\n", size/3),
		"quotes":   strings.Repeat(strings.Repeat("\"", 4000)+"\n", size/4001),
		"colons":   strings.Repeat(":\n", size/2),
		"commas":   "[" + strings.Repeat(",\n", size/2),
		"keys":     strings.Repeat("a: b\n", size/5),
		"rows":     "version: 1\nrows:\n" + strings.Repeat("- a: 1\n  b: 2\n", size/14),
		"flow":     "a: {" + strings.Repeat("b: c,\n", size/6),
		"deep":     deep,
		"literal":  "a: |\n" + strings.Repeat("  x\n", size/4),
		"plain":    "a: x\n" + strings.Repeat("  x\n", size/4),
		"tags":     strings.Repeat("!a\n", size/3),
		"docs":     strings.Repeat("---\n", size/4),
		"comments": strings.Repeat("#\n", size/2),
		"list":     "a: [" + strings.Repeat("1,\n", size/3) + "]",
	} {
		began := time.Now()
		_, err := readAll(text)
		if took := time.Since(began); err == nil || took > 30*time.Second {
			t.Errorf("%s: %v after %v", name, err, took)
		}
	}
}

var oneLineError = regexp.MustCompile(`^f:([1-9][0-9]*): [^\n]+$`)

func FuzzReadSweep(f *testing.F) {
	elections, err := os.ReadFile("../../../../elections.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(elections)
	for _, c := range refusedFiles {
		if len(c.text) <= 1<<14 {
			f.Add([]byte(c.text))
		}
	}
	for _, c := range refusedRows {
		f.Add([]byte("version: 1\nrows:\n" + c.rows))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<14 {
			return // TestReadYAMLBounded has large ones
		}
		cases, err := readAll(string(text))
		switch {
		case err == nil && (len(cases) == 0 || len(cases) > maxConfigurations):
			t.Errorf("%d configurations", len(cases))
		case err == nil:
			for _, c := range cases {
				if err := c.Config.Check(c.Machine); err != nil {
					t.Error(err)
				}
			}
		case !oneLineError.MatchString(err.Error()):
			t.Errorf("not one line with its place: %q", err)
		default:
			var line int
			if _, scan := fmt.Sscanf(err.Error(), "f:%d:", &line); scan != nil || line > 1+bytes.Count(text, []byte("\n"))+bytes.Count(text, []byte("\r")) {
				t.Errorf("there is no such line: %v", err)
			}
		}
	})
}
