package export

import (
	"math"
	"slices"
	"strings"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/tla"
	"interleave/tla/value"
)

// everything is a trace with all kinds of values, that goes back to its second
// state forever.
func everything() *tla.Trace {
	function := value.NewFunc([]value.Value{value.Int(0), value.Model("m1")}, []value.Value{value.Int(1 << 60), value.String(`say "no"`)})
	states := [][]value.Value{
		{value.Bool(true), value.NewFunc([]value.Value{value.Int(-3)}, []value.Value{value.Int(math.MinInt64)}), value.NewSet([]value.Value{value.Int(2), value.Int(1)})},
		{value.Bool(false), value.NewRecord([]string{"b", "a"}, []value.Value{value.Int(1), value.NewTuple()}), function},
		{value.Bool(true), value.Int(9007199254740991), value.NewTuple(value.Int(1), value.Int(9007199254740992))},
	}
	states = append(states, states[1])
	return &tla.Trace{
		Variables: []string{"x", "action", "Run"}, States: states, Loop: 2,
		Steps: []tla.Step{{Name: "A", Args: []value.Value{value.Int(1)}}, {Name: "B"}, {Name: "C"}},
	}
}

func TestITF(t *testing.T) {
	var out strings.Builder
	if err := ITF(&out, `a "b"`, everything(), "why"); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(out.String()), "")
	const second = `"Run":{"#map":[[{"#unserializable":"m1"},"say\"no\""],[0,{"#bigint":"1152921504606846976"}]]},"action":{"a":{"#tup":[]},"b":1}`
	const want = `{"#meta":{"format":"ITF","format-description":"https://apalache-mc.org/docs/adr/015adr-trace.html","description":"mcexportedthetracea_b_:why"},` +
		`"vars":["action_","x","action","Run"],"loop":2,"states":[` +
		`{"#meta":{"index":0},"Run":{"#set":[1,2]},"action":{"#map":[[-3,{"#bigint":"-9223372036854775808"}]]},"action_":"initially","x":true},` +
		`{"#meta":{"index":1},` + second + `,"action_":"A(1)","x":false},` +
		`{"#meta":{"index":2},"Run":{"#tup":[1,{"#bigint":"9007199254740992"}]},"action":9007199254740991,"action_":"B","x":true},` +
		`{"#meta":{"index":3},` + second + `,"action_":"C","x":false}]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestTrace: the module of a trace has one run, which is the trace.
func TestTrace(t *testing.T) {
	ends := everything()
	ends.Loop = 0
	rests := everything()
	rests.Loop = len(rests.States)
	for name, c := range map[string]struct {
		trace *tla.Trace
		after int // the state that comes after the last, from 0; -1: none
	}{"cycles": {everything(), 2}, "ends": {ends, -1}, "rests": {rests, 3}} {
		t.Run(name, func(t *testing.T) {
			m := reread(t, Trace("M", c.trace, "a *) that ends no comment"))
			ev := m.Evaluator()
			var at [][]value.Value
			keep := func(s []value.Value) bool {
				at = append(at, slices.Clone(s))
				return true
			}
			if err := ev.Initial(keep); err != nil {
				t.Fatal(err)
			}
			for i := range c.trace.States {
				if len(at) != 1 || !is(at[0], c.trace, i) {
					t.Fatalf("state %d: %v", i, at)
				}
				from := at[0]
				at = nil
				if err := ev.Next(from, func(_ int, s []value.Value) bool { return keep(s) }); err != nil {
					t.Fatal(err)
				}
			}
			if c.after < 0 && len(at) != 0 || c.after >= 0 && (len(at) != 1 || !is(at[0], c.trace, c.after)) {
				t.Errorf("after the last comes %v", at)
			}
		})
	}
}

// TestTraceOfFields: strings that are no names, to TLC or to a module, are no fields.
func TestTraceOfFields(t *testing.T) {
	for _, name := range []string{"a", "1a", "", "_", "1", "a-b", "a\"", "WF_a", "WF_", "LET", "é", "@", "(* c *)a", "a \\* c"} {
		one := value.NewRecord([]string{name, "b"}, []value.Value{value.Int(1), value.NewRecord([]string{name}, []value.Value{value.Int(2)})})
		trace := &tla.Trace{Variables: []string{"x"}, States: [][]value.Value{{one}}}
		same := false
		err := reread(t, Trace("M", trace, "")).Evaluator().Initial(func(s []value.Value) bool {
			same = is(s, trace, 0)
			return true
		})
		if err != nil || !same {
			t.Errorf("%q: the state is %v, %v", name, same, err)
		}
	}
}

// is reports whether a state of a module is a state of the trace: behind its place
// and what led to it come the variables.
func is(s []value.Value, t *tla.Trace, i int) bool {
	want := append([]value.Value{value.Int(i + 1), value.String(t.Label(i))}, t.States[i]...)
	return value.Compare(value.NewTuple(slices.Clone(s)...), value.NewTuple(want...)) == 0
}

// TestRun: a counterexample of mc verify is a trace of values, in worlds of all
// kinds, and as a module it has as many states as steps and one more.
func TestRun(t *testing.T) {
	for _, line := range []string{
		"bully/published n=3 timers=any",
		"bully/published n=2 timers=timed delta=1 durations=T_ok=1,notice=3",
		"sync-bully/published n=3 crashes=1",
		"chang-roberts/classic n=2 crashes=1",
		"chang-roberts/textbook n=3 network=fifo crashes=1 partitions=1",
	} {
		t.Run(strings.ReplaceAll(line, "/", "-"), func(t *testing.T) {
			machine, c := worldOf(t, line)
			r, err := properties.Verify(t.Context(), machine, c, nil, properties.Options{Catalogue: election.Catalogue, Engine: properties.Explicit, Continue: true})
			if err != nil {
				t.Fatal(err)
			}
			tried := 0
			for _, f := range r.Findings {
				if f.Trace == nil {
					continue
				}
				tried++
				reference, run, err := model.Replay(machine, f.Trace)
				if err != nil {
					t.Fatal(err)
				}
				trace, err := Run(machine, reference, run, f.Trace.Loop)
				if err != nil {
					t.Fatal(err)
				}
				if len(trace.States) != len(f.Trace.Steps)+1 || len(trace.Steps) != len(f.Trace.Steps) {
					t.Errorf("%s: %d states of %d steps", f.Property.Name, len(trace.States), len(f.Trace.Steps))
				}
				for i, s := range trace.States {
					for j, other := range trace.States[:i] {
						if alike := slices.EqualFunc(s, other, func(a, b value.Value) bool { return value.Compare(a, b) == 0 }); alike != run.States[i].Equal(run.States[j]) {
							t.Errorf("%s: states %d and %d are the same: %v", f.Property.Name, j, i, alike)
						}
					}
				}
				checked, err := reread(t, Trace("M", trace, "")).Check(t.Context(), tla.Options{})
				if err != nil || checked.Stats.States != len(trace.States) {
					t.Errorf("%s: %+v, %v", f.Property.Name, checked, err)
				}
			}
			if tried == 0 {
				t.Error("there is no counterexample")
			}
		})
	}
}

func TestName(t *testing.T) {
	for text, want := range map[string]string{"bully/mended~deaf": "bully_mended_deaf", "2024-11": "m_2024_11", "WF_x": "m_WF_x", "é": "m__", "a.itf": "a_itf"} {
		if got := Name(text); got != want {
			t.Errorf("Name(%q) = %q, want %q", text, got, want)
		}
	}
}
