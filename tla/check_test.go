package tla_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"interleave/explore"
	"interleave/tla"
	"interleave/tla/value"
)

// TestRing pins what TLC finds for Chang and Roberts' algorithm of 3 nodes: 137
// distinct states, 227 generated, which are the initial states and the steps, and
// 10 levels.
func TestRing(t *testing.T) {
	m, err := tla.Open("testdata/Ring.tla", "testdata/Ring.cfg")
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 3} {
		r, err := m.Check(context.Background(), tla.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		s := r.Stats
		if s.States != 137 || s.Initial+s.Transitions != 227 || s.Depth+1 != 10 || verdicts(r) != "TypeOK VERIFIED, Correctness VERIFIED" {
			t.Errorf("%v: %+v", verdicts(r), s)
		}
	}
}

// open opens a module of one file.
func open(t *testing.T, body, config string) *tla.Model {
	t.Helper()
	m, err := compile(t, body, config)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// compile opens a module of one file that may have errors.
func compile(t *testing.T, body, config string) (*tla.Model, error) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	module := write("M.tla", "---- MODULE M ----\nEXTENDS Naturals, TLC\n"+body+"\n====")
	return tla.Open(module, write("M.cfg", config))
}

// answer returns the verdicts on a module of one file, or the error that it has.
func answer(t *testing.T, body, config string) string {
	t.Helper()
	m, err := compile(t, body, config)
	if err != nil {
		return err.Error()
	}
	r, err := m.Check(t.Context(), tla.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return verdicts(r)
}

// misplaced is a counter with definitions about more than is expected of them.
const misplaced = `VARIABLE x
Init == x = 0
Next == x' = 1 - x
First == x = 0 /\ x' = 1
Later == (x = 0)'
Moves == x # 1 \/ x' = 0
Shift == x' + 1
Runs == [][Next]_x
Forked == IF x' = 1 THEN <>(x = 0) ELSE <>(x = 1)
Perms == Permutations({x})
Leads == ENABLED Moves
Go(to) == to' = 1
Can(to) == ENABLED Go(to)
Leaves == Can(x)
`

// TestMisplaced: a formula about a step, or a run, is refused where one about less is
// expected; so is a variable where there is no state to give it a value.
func TestMisplaced(t *testing.T) {
	for config, want := range map[string]string{
		"INIT First NEXT Next":                        "M.tla:6:16: an action stands where a predicate of initial states is expected",
		"INIT Later NEXT Next":                        "M.tla:7:17: an action stands where a predicate of initial states is expected",
		"INIT Runs NEXT Next":                         "a temporal formula stands where a predicate of initial states is expected",
		"INIT Init NEXT Runs":                         "a temporal formula stands where an action is expected",
		"INIT Init NEXT Next INVARIANT Moves":         "an action stands where a predicate of states is expected",
		"INIT Init NEXT Next CONSTRAINT Moves":        "an action stands where a predicate of states is expected",
		"INIT Init NEXT Next ACTION_CONSTRAINT Runs":  "a temporal formula stands where a predicate of steps is expected",
		"INIT Init NEXT Next VIEW Shift":              "an action stands where a value is expected",
		"INIT Init NEXT Next SYMMETRY Perms":          "an expression about a state stands where a constant is expected",
		"INIT Init NEXT Next PROPERTY Moves":          "an action stands where a temporal formula is expected",
		"INIT Init NEXT Next PROPERTY Forked":         "M.tla:11:14: x' is used before it has a value",
		"CONSTANT C <- Shift INIT Late NEXT Next":     "M.cfg:1:10: Shift is an action, and cannot stand for C, which is a constant expression",
		"CONSTANT C <- x INIT Init NEXT Next VIEW C":  "M.cfg:1:10: x is an expression about a state, and cannot stand for C, which is a constant expression",
		"INIT Init NEXT Next ACTION_CONSTRAINT Moves": "no deadlock VERIFIED",
		"INIT Init NEXT Next INVARIANT Leads":         "Leads VERIFIED, no deadlock VERIFIED",
		"INIT Init NEXT Next INVARIANT Leaves":        "Leaves VERIFIED, no deadlock VERIFIED",
	} {
		body := misplaced
		if strings.Contains(config, "CONSTANT ") {
			body = "CONSTANT C\n" + misplaced + "Late == x = C"
		}
		m, err := compile(t, body, config)
		var r *tla.Report
		if err == nil {
			r, err = m.Check(t.Context(), tla.Options{})
		}
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = verdicts(r)
			for _, f := range r.Findings {
				got += " " + f.Why
			}
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s; want %s", config, got, want)
		}
	}
}

// TestWrongNames: what the configuration names and is not there is told with its place in
// the configuration; what it does not give, with how it is given.
func TestWrongNames(t *testing.T) {
	const init = "INIT Init NEXT Next\n"
	for config, want := range map[string]string{
		"SPECIFICATION Spek":           "M.cfg:1:15: module M defines no Spek: define it, or name another here",
		"INIT Innit NEXT Next":         "M.cfg:1:6: module M defines no Innit",
		"INIT Init NEXT Nexxt":         "M.cfg:1:16: module M defines no Nexxt",
		init + "INVARIANT Leads Onee":  "M.cfg:2:17: module M defines no Onee",
		init + "CONSTRAINT Onee":       "M.cfg:2:12: module M defines no Onee",
		init + "PROPERTY Onee Onee":    "M.cfg:2:10: module M defines no Onee",
		init + "VIEW Onee":             "M.cfg:2:6: module M defines no Onee",
		init + "SYMMETRY Onee":         "M.cfg:2:10: module M defines no Onee",
		init + "ACTION_CONSTRAINT Go":  "M.cfg:2:19: Go is no definition without parameters in M",
		"CONSTANT C = 1\n" + init:      "constant Op of M is given no value: write CONSTANT Op <- … in ",
		"CONSTANT Op <- Plus\n" + init: "constant C of M is given no value: write CONSTANT C = … in ",
	} {
		body := misplaced
		if strings.HasPrefix(config, "CONSTANT ") {
			body = "CONSTANTS C, Op(_)\nPlus(a) == a + 1\n" + misplaced
		}
		_, err := compile(t, body, config)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "M.cfg") {
			t.Errorf("%s: %v; want %s", config, err, want)
		}
	}
}

// TestReplaced: what the configuration puts in the place of a definition stands there in
// subscripts, behind UNCHANGED and behind [], too.
func TestReplaced(t *testing.T) {
	const body = `VARIABLES x, y
All == <<x, y>>
Moves == [x' = 1 - x]_All
Rests == [FALSE]_All
Init == x = 0 /\ y = 0
Next == \/ x' = 1 - x /\ y' = y
        \/ y' = 1 - y /\ UNCHANGED All
Spec == Init /\ [][Next]_<<x, y>> /\ WF_All(Next)
First == <<x>>
Always == []Moves
Never == <>[]Rests
Often == []<><<TRUE>>_All`
	for config, want := range map[string]string{
		"PROPERTY Always Never":                   "Always VERIFIED, no deadlock VERIFIED, Never VIOLATED 3:1, 2",
		"PROPERTY Always CONSTANT All <- First":   "Always VERIFIED, no deadlock VERIFIED, 4",
		"PROPERTY Always CONSTANT Moves <- Rests": "Always VIOLATED 2, no deadlock INCONCLUSIVE, 2",
		"PROPERTY Never CONSTANT Rests <- Moves":  "no deadlock VERIFIED, Never VERIFIED, 2",
	} {
		r, err := open(t, body, "SPECIFICATION Spec "+config).Check(t.Context(), tla.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(verdicts(r), ", ", r.Stats.States); got != want {
			t.Errorf("%s: %s; want %s", config, got, want)
		}
	}
}

// TestSubscript: what the subscript of a next-state relation leaves out may become
// anything, which no exploration of the relation's steps shows.
func TestSubscript(t *testing.T) {
	const body = `VARIABLES x, y
both == <<x, <<y>>>>
Init == x = 0 /\ y = 0
Next == x' = 1 - x /\ y' = y
---- MODULE Inner ----
VARIABLES z, w
Flips == [][z' = 1 - z /\ w' = w]_<<z, w>>
====
I == INSTANCE Inner WITH z <- x, w <- y
J == INSTANCE Inner WITH z <- x, w <- 0
Spec == Init /\ %s
P == [][y' = y]_y`
	for spec, want := range map[string]string{
		"[][Next]_<<y, x>>":     "P VERIFIED",
		"[][Next]_both":         "P VERIFIED",
		"[][Next]_<<both, x>>":  "P VERIFIED",
		"I!Flips":               "P VERIFIED",
		"[][Next]_x":            "M.tla:13:26: the subscript leaves out the variable y, which may become anything then: not supported; put y in",
		"[][Next]_<<x, x + y>>": "leaves out the variable y",
		"[][Next]_y":            "leaves out the variable x",
		"J!Flips":               "leaves out the variable y",
	} {
		if got := answer(t, fmt.Sprintf(body, spec), "SPECIFICATION Spec PROPERTY P"); !strings.Contains(got, want) {
			t.Errorf("%s: %s; want %s", spec, got, want)
		}
	}
}

// TestFairInside: an action in an instance is owed where it is enabled by itself, and taken
// where it is with what is put in place of its variables.
func TestFairInside(t *testing.T) {
	const body = `VARIABLE y
Init == y = 0
Next == y' = (y + 1) %% 4
Fair == Init /\ [][Next]_y /\ WF_y(Next)
---- MODULE Inner ----
VARIABLES x, z
A == x' = x + 1 /\ z' = z
Weak == WF_<<x, z>>(A)
Strong == SF_x(A)
====
I == INSTANCE Inner WITH %s
Weak == I!Weak
Strong == I!Strong`
	for with, want := range map[string]explore.Verdict{
		"x <- 0, z <- y":     explore.Violated,
		"x <- y, z <- 0":     explore.Verified,
		"x <- y, z <- y":     explore.Violated,
		"x <- y, z <- y * 0": explore.Verified,
		"x <- y * 0, z <- 1": explore.Violated,
	} {
		for _, property := range []string{"Weak", "Strong"} {
			r, err := open(t, fmt.Sprintf(body, with), "SPECIFICATION Fair PROPERTY "+property).Check(t.Context(), tla.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := r.Verdict(); got != want {
				t.Errorf("%s with %s: %v, not %v", property, with, got, want)
			}
		}
	}
}

// TestEach: what a temporal formula says of each element, it says of a set that no state
// changes.
func TestEach(t *testing.T) {
	const body = `VARIABLE y
Init == y = 0
Next == y' = (y + 1) %% 3
Fair == Init /\ [][Next]_y /\ WF_y(Next)
---- MODULE Inner ----
VARIABLE x
S == {x, 1}
====
I == INSTANCE Inner WITH x <- %s
P == \A i \in I!S : <>(y = i)`
	for with, want := range map[string]string{
		"0": "no deadlock VERIFIED, P VERIFIED",
		"3": "no deadlock VERIFIED, P VIOLATED 4:1",
		"y": "M.tla:12:6: a quantifier over a temporal formula needs a constant set",
	} {
		if got := answer(t, fmt.Sprintf(body, with), "SPECIFICATION Fair PROPERTY P"); !strings.Contains(got, want) {
			t.Errorf("%s: %s, not %s", with, got, want)
		}
	}
}

// TestOneFinding: a property whose parts are looked at by themselves has one verdict, the
// worst, and the trace of the first part that has it.
func TestOneFinding(t *testing.T) {
	const body = `VARIABLE x
Init == x = 0
Next == x < 3 /\ x' = x + 1
Fair == Init /\ [][Next]_x /\ WF_x(Next)
Small == x < %d
P == x = 0 /\ []Small /\ [][x' = x + 1 /\ x' < %d]_x /\ <>(x = %d)
Q == <>(x = 3)`
	for _, c := range []struct {
		small, step, end int
		want             string
	}{
		{4, 4, 3, "P VERIFIED, Q VERIFIED"},
		{2, 4, 3, "P VIOLATED 3, Q VERIFIED"},
		{4, 2, 3, "P VIOLATED 3, Q VERIFIED"},
		{4, 4, 5, "P VIOLATED 4:4, Q VERIFIED"},
		{3, 2, 5, "P VIOLATED 4, Q VERIFIED"},
	} {
		text := fmt.Sprintf(body, c.small, c.step, c.end)
		m := open(t, text, "SPECIFICATION Fair PROPERTY P PROPERTY Q CHECK_DEADLOCK FALSE")
		r, err := m.Check(t.Context(), tla.Options{Continue: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := verdicts(r); got != c.want {
			t.Errorf("%s\n%s, not %s", text, got, c.want)
		}
	}
}

// TestStringsThatAreNoFields: in a trace, too, what is no field stands in brackets.
func TestStringsThatAreNoFields(t *testing.T) {
	m := open(t, `VARIABLE x
Init == x = [a |-> 0, b |-> 0] @@ "1" :> 0
Next == x' = [x EXCEPT !.a = 1, !["1"] = 2]
Stays == x["1"] = 0`, "INIT Init NEXT Next INVARIANT Stays")
	r, err := m.Check(t.Context(), tla.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(r.Findings[0].Trace.Changes(1, false), ", ")
	if want := `x["1"]: 0 → 2, x.a: 0 → 1`; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestDefinedByItself: what LET defines by itself has no value, in an action neither.
func TestDefinedByItself(t *testing.T) {
	for next, at := range map[string]string{
		"Next == LET a == b  b == a IN x' = a":            "M.tla:5:",
		"Next == LET x == x IN x' = 0":                    "M.tla:5:",
		"Op(a) == LET a == a IN x' = a\nNext == Op(1)":    "M.tla:5:",
		"Next == LET y == 1 IN LET y == y IN x' = y":      "M.tla:5:",
		"Next == LET RECURSIVE a a == a IN x' = a":        "no deadlock INCONCLUSIVE",
		"Next == LET f[i \\in 0..1] == f[i] IN x' = f[0]": "no deadlock INCONCLUSIVE",
	} {
		m, err := compile(t, "VARIABLE x\nInit == x = 0\n"+next, "INIT Init NEXT Next")
		if err == nil {
			var r *tla.Report
			if r, err = m.Check(t.Context(), tla.Options{}); err == nil {
				err = errors.New(verdicts(r))
			}
		}
		if !strings.Contains(err.Error(), at) {
			t.Errorf("%s: %v; want %s", next, err, at)
		}
	}
}

// check checks a module of one file.
func check(t *testing.T, body, config string) *tla.Report {
	t.Helper()
	r, err := open(t, body, config).Check(context.Background(), tla.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// verdicts is each property with its verdict, and how long its trace is; after
// a colon, where an infinite run goes on.
func verdicts(r *tla.Report) string {
	var all []string
	for _, f := range r.Findings {
		s := f.Name + " " + f.Verdict.String()
		if f.Trace != nil {
			s += fmt.Sprintf(" %d", len(f.Trace.States))
			if f.Trace.Loop > 0 {
				s += fmt.Sprintf(":%d", f.Trace.Loop)
			}
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

// TestArguments: a specification with parameters means its arguments, whatever names its
// parts bind.
func TestArguments(t *testing.T) {
	for _, c := range []struct{ body, config, want string }{
		{"Next(n) == x' = (x + n) % 5", "Spec", "Inv VIOLATED 3, no deadlock INCONCLUSIVE"},
		{"Next(n) == \\E k \\in {3} : x' = IF k = 3 THEN n ELSE 0", "Spec", "Inv VERIFIED, no deadlock VERIFIED"},
		{"Next(n) == \\E k \\in {3} : x' = IF k = 3 THEN n ELSE 0", "Fair PROPERTY Live", "Inv VERIFIED, no deadlock VERIFIED, Live VERIFIED"},
		{"Next(n) == \\E k \\in {3} : x' = IF k = 3 THEN n ELSE 0", "Spec PROPERTY Live", "Inv VERIFIED, no deadlock VERIFIED, Live VIOLATED 1:1"},
		{"Next(n) == LET m == n + 0 IN \\E k \\in {3} : x' = IF k = 3 THEN m ELSE n", "Twice", "Inv VERIFIED, no deadlock VERIFIED"},
	} {
		body := "VARIABLE x\n" + c.body + `
S(n) == x = 0 /\ [][Next(n)]_x
F(n) == S(n) /\ WF_x(Next(n))
Double(n) == S(n + n)
Spec == S(1 + 1)
Fair == F(1 + 1)
Twice == Double(2 - 1)
Inv == x \in {0, 2}
Live == <>(x = 2)`
		if got := answer(t, body, "SPECIFICATION "+c.config+" INVARIANT Inv"); got != c.want {
			t.Errorf("%s, %s: %s; want %s", c.body, c.config, got, c.want)
		}
	}
}

const counter = `VARIABLE x
Init == x = 0
Up == x < 3 /\ x' = x + 1
Reset == x = 3 /\ x' = 0
Next == Up \/ Reset
Spec == Init /\ [][Next]_x
Fair == Spec /\ WF_x(Next)
FairUp == Spec /\ WF_x(Up)
Small == x < 2
Once == x = 0
Reaches == <>(x = 3)
Returns == []<>(x = 0)
Leaves == x = 3 ~> x = 0
Steps == [][x' > x \/ x' = 0]_x
Grows == [][x' > x]_x
Resets == []<><<Reset>>_x
Never == <>[][~Reset]_x
Happens == <><<Reset>>_x
AsFair == WF_x(Up)
Ends == Init /\ [][Up]_x /\ WF_x(Up)
Stops == <>[][~Up]_x
Few == x < 4
Late == x > 0
Steps0 == x < 2
`

// endless has infinitely many states, and fair runs that meet few of them.
const endless = `VARIABLES x, n
Init == x = 0 /\ n = 0
Flip == x' = 1 - x /\ n' = n
Count == n' = n + 1 /\ x' = x
Next == Flip \/ Count
v == <<x, n>>
Flips == Init /\ [][Next]_v /\ WF_v(Flip)
Both == Flips /\ WF_v(Count)
Either == Init /\ [][Next]_v /\ WF_v(Next)
Strong == Init /\ [][Next]_v /\ SF_v(Count /\ x = 1) /\ WF_v(Flip)
Two == n < 2
Again == []<>(x = 1)
Rests == <>[](x = 1)
Flipped == []<><<Flip>>_v
Counted == []<><<Count>>_v
`

const twins = `CONSTANT P
VARIABLE set
Init == set = {}
Add(p) == p \notin set /\ set' = set \cup {p}
Next == \E p \in P : Add(p)
Perms == Permutations(P)
Apart == \A p, q \in set : p = q \/ {p, q} \subseteq P
Few == set # P
Picky == set # {} => (CHOOSE p \in P : TRUE) \in P
Fills == <>(set = P)
Size == IF set = {} THEN 0 ELSE IF set = P THEN 3 ELSE IF \E p \in P : set = {p} THEN 1 ELSE 2
`

// TestReductions: with SYMMETRY one state stands for all like it, with VIEW for all
// that look alike, and a trace is a run all the same.
func TestReductions(t *testing.T) {
	for _, c := range []struct {
		reduce string
		states int
	}{{"", 8}, {"SYMMETRY Perms", 4}, {"VIEW Size", 4}} {
		m := open(t, twins, "INIT Init NEXT Next INVARIANT Few CONSTANTS P = {c, b, a} "+c.reduce)
		r, err := m.Check(t.Context(), tla.Options{Continue: true})
		if err != nil {
			t.Fatal(err)
		}
		run := r.Findings[0].Trace
		if r.Stats.States != c.states || len(run.States) != 4 {
			t.Errorf("%s: %d states, a run of %d", c.reduce, r.Stats.States, len(run.States))
		}
		for i := 1; i < len(run.States); i++ {
			want := value.Union(run.States[i-1][0], value.NewSet([]value.Value{run.Steps[i-1].Args[0]}))
			if !value.Equal(run.States[i][0], want) || value.Equal(run.States[i-1][0], want) {
				t.Errorf("%s: state %d of the run is %s, and %s leads there", c.reduce, i, value.Format(run.States[i][0]), run.Label(i))
			}
		}
	}
}

// unpayable is a module in which fairness is owed to what the next-state relation does
// not allow: where it is so forever, no run is fair.
const unpayable = `
VARIABLE x
Init == x = 0
Up == x < 2 /\ x' = x + 1
Leap(y) == x = y /\ x' = 7
Turn == x' = 1 - x
Passing == Init /\ [][Up]_x /\ WF_x(Up) /\ WF_x(Leap(1))
Staying == Init /\ [][Up]_x /\ WF_x(Up) /\ WF_x(Leap(2))
Again == Init /\ [][Turn]_x /\ WF_x(Turn) /\ WF_x(Leap(0))
Strong == Init /\ [][Turn]_x /\ WF_x(Turn) /\ SF_x(Leap(0))
Forked == Init /\ [][Up \/ (x = 0 /\ x' = 5)]_x /\ WF_x(Up) /\ WF_x(Leap(2))
Ends == <>(x = 2)
Away == <>(x = 5)
Leaps == <>(x = 7)
`

func TestVerdicts(t *testing.T) {
	for _, c := range []struct{ body, config, want string }{
		{counter, "SPECIFICATION Spec INVARIANT Small", "Small VIOLATED 3, no deadlock INCONCLUSIVE"},
		{counter, "SPECIFICATION Spec PROPERTY Once", "no deadlock VERIFIED, Once VERIFIED"},
		{counter, "SPECIFICATION Spec PROPERTY Steps", "Steps VERIFIED, no deadlock VERIFIED"},
		{counter, "SPECIFICATION Spec PROPERTY Grows", "Grows VIOLATED 5, no deadlock INCONCLUSIVE"},
		{counter, "SPECIFICATION Spec PROPERTY Reaches", "no deadlock VERIFIED, Reaches VIOLATED 1:1"},
		{counter, "SPECIFICATION Fair PROPERTIES Reaches Returns Leaves Resets Happens AsFair", "no deadlock VERIFIED, Reaches VERIFIED, Returns VERIFIED, Leaves VERIFIED, Resets VERIFIED, Happens VERIFIED, AsFair VERIFIED"},
		{counter, "SPECIFICATION Fair PROPERTY Never", "no deadlock VERIFIED, Never VIOLATED 5:1"},
		{counter, "SPECIFICATION FairUp PROPERTIES Reaches Returns AsFair", "no deadlock VERIFIED, Reaches VERIFIED, Returns VIOLATED 4:4, AsFair VERIFIED"},
		{counter, "SPECIFICATION Spec PROPERTY AsFair", "no deadlock VERIFIED, AsFair VIOLATED 1:1"},
		{counter, "SPECIFICATION FairUp PROPERTY Resets", "no deadlock VERIFIED, Resets VIOLATED 4:4"},
		{counter, "SPECIFICATION Ends PROPERTY Stops CHECK_DEADLOCK FALSE", "Stops VERIFIED"},
		{counter, "INIT Init NEXT Up", "no deadlock VIOLATED 4"},
		{counter, "INIT Init NEXT Up CHECK_DEADLOCK FALSE INVARIANT Small CONSTRAINT Once", "Small BOUNDED"},
		{counter, "SPECIFICATION Fair PROPERTY Reaches CONSTRAINT Small", "no deadlock BOUNDED, Reaches INCONCLUSIVE"},
		{counter, "INIT Init NEXT Up CHECK_DEADLOCK FALSE INVARIANT Small ACTION_CONSTRAINT Steps0", "Small VIOLATED 3"},
		{counter, "INIT Init NEXT Next INVARIANT Few CONSTRAINT Few", "Few VERIFIED, no deadlock VERIFIED"},
		{counter, "INIT Init NEXT Next INVARIANT Late CONSTRAINT Late", "Late VIOLATED 1, no deadlock INCONCLUSIVE"}, // Late cuts off the initial state
		{counter, "SPECIFICATION Fair PROPERTY Reaches CONSTRAINT Few", "no deadlock VERIFIED, Reaches VERIFIED"},
		{counter, "SPECIFICATION Fair PROPERTY Reaches ACTION_CONSTRAINT Steps0", "no deadlock BOUNDED, Reaches INCONCLUSIVE"},
		{endless, "SPECIFICATION Flips PROPERTY Again CONSTRAINT Two", "no deadlock BOUNDED, Again BOUNDED"},
		{endless, "SPECIFICATION Flips PROPERTY Again ACTION_CONSTRAINT Two", "no deadlock BOUNDED, Again BOUNDED"},
		{endless, "SPECIFICATION Flips PROPERTY Rests CONSTRAINT Two", "no deadlock BOUNDED, Rests VIOLATED 3:1"},
		{endless, "SPECIFICATION Both PROPERTY Rests CONSTRAINT Two", "no deadlock BOUNDED, Rests INCONCLUSIVE"}, // Count is owed, and cut off
		{endless, "SPECIFICATION Either PROPERTY Rests CONSTRAINT Two", "no deadlock BOUNDED, Rests VIOLATED 3:1"},
		{endless, "SPECIFICATION Strong PROPERTY Again CONSTRAINT Two", "no deadlock BOUNDED, Again INCONCLUSIVE"},
		{endless, "SPECIFICATION Flips PROPERTY Flipped CONSTRAINT Two", "no deadlock BOUNDED, Flipped BOUNDED"},
		{endless, "SPECIFICATION Flips PROPERTY Counted CONSTRAINT Two", "no deadlock BOUNDED, Counted VIOLATED 3:1"},
		{never, "INIT Init NEXT Next INVARIANT High", "High INCONCLUSIVE, no deadlock INCONCLUSIVE"},
		{never, "SPECIFICATION Spec PROPERTIES Rises High Reaches CHECK_DEADLOCK FALSE", "Rises INCONCLUSIVE, High INCONCLUSIVE, Reaches INCONCLUSIVE"},
		{never, "INIT Init NEXT Next INVARIANT High CONSTRAINT High", "High INCONCLUSIVE, no deadlock INCONCLUSIVE"},
		{never, "INIT Begin NEXT Next INVARIANT Low CONSTRAINT High PROPERTY Low CHECK_DEADLOCK FALSE", "Low INCONCLUSIVE"}, // at first it is
		{"ASSUME 1 < 2", "", "assumptions VERIFIED"},
		{"One == 1", "", "assumptions INCONCLUSIVE"},
		{unpayable, "SPECIFICATION Passing PROPERTIES Ends Leaps CHECK_DEADLOCK FALSE", "Ends VERIFIED, Leaps VIOLATED 3:3"},
		{unpayable, "SPECIFICATION Staying PROPERTIES Ends Leaps CHECK_DEADLOCK FALSE", "Ends INCONCLUSIVE, Leaps INCONCLUSIVE"},
		{unpayable, "SPECIFICATION Again PROPERTY Leaps CHECK_DEADLOCK FALSE", "Leaps VIOLATED 3:1"},
		{unpayable, "SPECIFICATION Strong PROPERTY Leaps CHECK_DEADLOCK FALSE", "Leaps INCONCLUSIVE"},
		{unpayable, "SPECIFICATION Forked PROPERTIES Ends Away CHECK_DEADLOCK FALSE", "Ends VIOLATED 2:2, Away VERIFIED"},
		{"VARIABLE x\nInit == x = 0\nNext == <<TRUE>>_x /\\ x' = 0\nInv == ENABLED (<<TRUE>>_x /\\ x' = x)", "INIT Init NEXT Next INVARIANT Inv", "Inv VIOLATED 1, no deadlock VIOLATED 1"},
		{"VARIABLE x\nInit == x = 0\nNext == x' = 0\nFair == Init /\\ [][Next]_x /\\ WF_x(<<TRUE>>_x /\\ x' = x)\nIdle == []<>(ENABLED (<<TRUE>>_<<x>> /\\ UNCHANGED x))", "SPECIFICATION Fair PROPERTY Idle", "no deadlock VERIFIED, Idle VIOLATED 1:1"},
		{"VARIABLE x\nInit == x = 0\nNext == x' = x + 1 /\\ Assert(x < 2, \"x\")", "INIT Init NEXT Next", "no deadlock INCONCLUSIVE, assertion VIOLATED 3"},
		{"VARIABLE x\nInit == x = 0\nNext == x' = IF x = 2 THEN x + \"a\" ELSE x + 1", "INIT Init NEXT Next", "no deadlock INCONCLUSIVE, evaluation INCONCLUSIVE 3"},
		{"VARIABLES x, y\nInit == x = 0 /\\ y = 0\nA == x' = 1 - x /\\ y' = y\nB == x = 1 /\\ y' = 1 /\\ x' = x\n" +
			"Weak == Init /\\ [][A \\/ B]_<<x, y>> /\\ WF_<<x, y>>(A) /\\ WF_<<x, y>>(B)\nL == <>(y = 1)", "SPECIFICATION Weak PROPERTY L", "no deadlock VERIFIED, L VIOLATED 3:1"},
		{"VARIABLES x, y\nInit == x = 0 /\\ y = 0\nA == x' = 1 - x /\\ y' = y\nB == x = 1 /\\ y' = 1 /\\ x' = x\n" +
			"Strong == Init /\\ [][A \\/ B]_<<x, y>> /\\ WF_<<x, y>>(A) /\\ SF_<<x, y>>(B)\nL == <>(y = 1)", "SPECIFICATION Strong PROPERTY L", "no deadlock VERIFIED, L VERIFIED"},
		{"VARIABLES x, y\nInit == x = 0 /\\ y = 0\nA == x' = 1 - x /\\ y' = y\nB == x = 1 /\\ y' = 1 /\\ x' = x\n" +
			"Nameless == Init /\\ [][A \\/ B]_<<x, y>> /\\ WF_<<x, y>>(A /\\ TRUE) /\\ SF_<<x, y>>(B /\\ TRUE)\nL == <>(y = 1)", "SPECIFICATION Nameless PROPERTY L", "no deadlock VERIFIED, L VERIFIED"},
		{"CONSTANT P\nVARIABLES set, n\nInit == set = {} /\\ n = 0\nNext == \\E p \\in P \\ set : set' = set \\cup {p} /\\ n' = n + 1\nPerms == Permutations(P)\nLow == n < 3", // numbers stay
			"INIT Init NEXT Next INVARIANT Low CHECK_DEADLOCK FALSE SYMMETRY Perms CONSTANTS a = a b = b P = {a, b}", "Low VERIFIED"},
		{"VARIABLE x\nRECURSIVE A(_)\nFirst == A(1)\nB(m) == A(m)\nA(n) == IF n = 0 THEN x ELSE B(n - 1)\nC == B(0)\nInit == x = 0\nNext == x' = 1\nZero == C = 0", // C is about a state by way of A
			"INIT Init NEXT Next INVARIANT Zero", "Zero VIOLATED 2, no deadlock INCONCLUSIVE"},
		{"VARIABLE x\nRECURSIVE R(_), A(_), B(_), C(_)\nR(n) == IF n = 3 THEN A(n) + C(n) ELSE x\nA(n) == IF n > 0 THEN B(n - 1) ELSE R(0)\nB(n) == A(n)\nC(n) == B(n)\nD == C(1)\nInit == x = 0\nNext == x' = 1\nZero == D = 0", // so is D by way of C, B, A and R
			"INIT Init NEXT Next INVARIANT Zero", "Zero VIOLATED 2, no deadlock INCONCLUSIVE"},
		{"VARIABLE x\nRECURSIVE A(_)\nSeven == A(4)\nA(n) == IF n = 0 THEN 7 ELSE IF n = 5 THEN Seven ELSE A(n - 1)\nInit == x = 0\nNext == x' = 1\nSevens == A(6 - x) = A(x) /\\ Seven = 7", // a constant in which it is used
			"INIT Init NEXT Next INVARIANT Sevens", "Sevens VERIFIED, no deadlock VERIFIED"},
		{twins, "INIT Init NEXT Next INVARIANT Apart CHECK_DEADLOCK FALSE SYMMETRY Perms CONSTANTS a = a b = b P = {a, b}", "Apart VERIFIED"},
		{twins, "INIT Init NEXT Next INVARIANT Few SYMMETRY Perms CONSTANTS a = a b = b P = {a, b}", "Few VIOLATED 3, no deadlock VIOLATED 3"},
		{twins, "INIT Init NEXT Next INVARIANT Picky CHECK_DEADLOCK FALSE SYMMETRY Perms CONSTANTS a = a b = b P = {a, b}", "Picky BOUNDED"},
		{twins + "CONSTANT Q\nFirst == ~(Q \\in set /\\ set # P)\n", "INIT Init NEXT Next INVARIANT First CHECK_DEADLOCK FALSE SYMMETRY Perms CONSTANTS a = a b = b P = {a, b} Q = b", "First BOUNDED"},
		{"---- MODULE Inner ----\nFirst == 0\nIs(s) == s # {} /\\ \\A p \\in s : p = First\n====\nI == INSTANCE Inner\n" + twins + "Other == ~I!Is(set)",
			"INIT Init NEXT Next INVARIANT Other CHECK_DEADLOCK FALSE SYMMETRY Perms CONSTANTS P = {a, b} First = [Inner] b", "Other BOUNDED"},
		{twins, "INIT Init NEXT Next PROPERTY Fills CHECK_DEADLOCK FALSE SYMMETRY Perms CONSTANTS a = a b = b P = {a, b}", "Fills INCONCLUSIVE"},
		{twins, "INIT Init NEXT Next INVARIANT Apart CHECK_DEADLOCK FALSE VIEW Size CONSTANTS a = a b = b P = {a, b}", "Apart BOUNDED"},
		{twins, "INIT Init NEXT Next INVARIANT Few VIEW Size CONSTANTS a = a b = b P = {a, b}", "Few VIOLATED 3, no deadlock VIOLATED 3"},
	} {
		if got := verdicts(check(t, c.body, c.config)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.config, got, c.want)
		}
	}
}

// never has no initial state, but for Begin.
const never = `VARIABLE x
Init == x = 0 /\ x = 1
Begin == x = 0
Next == x' = x
Spec == Init /\ [][Next]_x /\ WF_x(Next)
Low == x < 5
High == x > 5
Rises == [][x' > x]_x
Reaches == <>High
`

// TestNothingAsked: where nothing is asked, nothing is claimed, and if the search has a
// reason of its own, that is the reason; and a configuration that names no behaviour is
// none for a module with variables.
func TestNothingAsked(t *testing.T) {
	for _, c := range []struct {
		init string
		o    tla.Options
		want string
	}{
		{"Begin", tla.Options{}, "asks for nothing"},
		{"Begin", tla.Options{MaxDepth: 1}, "asks for nothing"},
		{"Begin", tla.Options{MaxStates: 1}, "state limit reached"},
		{"Init", tla.Options{}, "no initial state"},
	} {
		r, err := open(t, never+"Two == x' = 1 - x", "INIT "+c.init+" NEXT Two CHECK_DEADLOCK FALSE").Check(t.Context(), c.o)
		if err != nil {
			t.Fatal(err)
		}
		if v, why := r.Verdict(); v != explore.Inconclusive || !strings.Contains(why, c.want) {
			t.Errorf("%+v: %v, %q", c, v, why)
		}
	}
	if _, err := compile(t, never, "SPECIFICATION Spec INIT Init NEXT Next"); err == nil || !strings.Contains(err.Error(), "SPECIFICATION is given, and INIT or NEXT, too: leave out one or the other") {
		t.Error(err)
	}
	if _, err := compile(t, never, ` \* nothing`); err == nil || !strings.Contains(err.Error(), "either SPECIFICATION or both INIT and NEXT have to be given") {
		t.Error(err)
	}
}

// TestInterrupted: a check that is interrupted inside of an evaluation says how far
// it came, and nothing else.
func TestInterrupted(t *testing.T) {
	m := open(t, "VARIABLE x\nInit == x = 0\nNext == x' = IF x < 3 THEN x + 1 ELSE CHOOSE y \\in 1..1000000000000 : FALSE\nSmall == x < 9", "INIT Init NEXT Next INVARIANT Small")
	var r *tla.Report
	for patience := 50 * time.Millisecond; patience < time.Minute; patience *= 2 { // a slow machine takes longer to come there
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		var err error
		if r, err = m.Check(ctx, tla.Options{}); err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) == 3 {
			break
		}
	}
	if got := verdicts(r); got != "Small INCONCLUSIVE, no deadlock INCONCLUSIVE, evaluation INCONCLUSIVE 4" {
		t.Error(got)
	}
	if !r.Findings[2].GivenUp || r.Findings[1].GivenUp {
		t.Error("it is not the evaluation that was given up")
	}
	if why := r.Findings[2].Why; !strings.Contains(why, "M.tla:5:") || !strings.Contains(why, "time ran out during the evaluation") {
		t.Error(why)
	}
}

// TestOutOfTime: where time ran out inside of an evaluation, no evaluation failed.
func TestOutOfTime(t *testing.T) {
	m := open(t, "VARIABLE x\nInit == x = 0\nNext == x' = CHOOSE y \\in 1..1000000000000 : FALSE\nSmall == x < 9", "INIT Init NEXT Next INVARIANT Small")
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	r, err := m.Check(ctx, tla.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Verdict != explore.Inconclusive || !strings.Contains(f.Why, "time ran out") {
			t.Errorf("%s %v: %s", f.Name, f.Verdict, f.Why)
		}
	}
	if r.Outcome != explore.TimeLimit {
		t.Error(r.Outcome)
	}
}
