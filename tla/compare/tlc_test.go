package compare

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"interleave/tla"
	"interleave/tla/tlatest"
)

// flip is a module of two states.
const flip = `---- MODULE Flip ----
EXTENDS Integers
VARIABLES x, name
Init == x = 0 /\ name = "a \"b\""
Next == x' = 1 - x /\ UNCHANGED name
====`

// flipped is what TLC writes of it.
const flipped = `strict digraph DiskGraph {
node [shape=box,style=rounded]
nodesep=0.35;
subgraph cluster_graph {
color="white";
15 [label="/\\ x = 0\n/\\ name = \"a \\\"b\\\"\"",style = filled]
15 -> -67 [label="Next",color="black",fontcolor="black"];
-67 [label="/\\ x = 1\n/\\ name = \"a \\\"b\\\"\"",tooltip="/\\ x = 1\n/\\ name = \"a \\\"b\\\"\""];
-67 -> 15 [label="Next",color="black",fontcolor="black"];
{rank = same; 15;}
{rank = same; -67;}
}
}`

const ended = "Model checking completed. No error has been found.\n3 states generated, 2 distinct states found, 0 states left on queue.\n"

// TestOutputOfTLC runs something in the place of java that writes what it is given:
// only what is understood to the last line is compared.
func TestOutputOfTLC(t *testing.T) {
	without := func(old, new string) string {
		if !strings.Contains(flipped, old) {
			t.Errorf("the graph does not hold %s", old)
		}
		return strings.Replace(flipped, old, new, 1)
	}
	for name, c := range map[string]struct{ says, graph, status, want string }{
		"agrees":      {ended, flipped, "0", "the same"},
		"fails":       {ended, flipped, "12", "did not come to its end: exit status 12"},
		"stops":       {"3 states generated, 2 distinct states found, 1 states left on queue.\n", flipped, "0", "did not say that it found everything"},
		"says less":   {"3 states generated, 2 distinct states found, 0 states left on queue.\n", flipped, "0", "did not say that it found everything"},
		"counts":      {strings.Replace(ended, "2 distinct", "3 distinct", 1), flipped, "0", "found 3 distinct states, and wrote down 2"},
		"no graph":    {ended, "", "0", "found 2 distinct states, and wrote down 0"},
		"odd line":    {ended, without("}\n}", "}\nsurprise\n}"), "0", "line 12 is not understood: surprise"},
		"lost state":  {ended, without("-67 [label", "-68 [label"), "0", "a step between states that are not told"},
		"two tales":   {ended, without("{rank = same; 15;}", `15 [label="/\\ x = 7\n/\\ name = \"\""];`), "0", "state 15 is told in two ways"},
		"twins":       {ended, without(`-67 [label="/\\ x = 1`, `-67 [label="/\\ x = 0`), "0", "state 2 is told twice"},
		"variable":    {ended, without(`-67 [label="/\\ x = 1`, `-67 [label="/\\ y = 1`), "0", "is not one of the module's"},
		"too few":     {ended, without(`-67 [label="/\\ x = 1\n`, `-67 [label="`), "0", "tells of 1 variables"},
		"no value":    {ended, without(`-67 [label="/\\ x = 1`, `-67 [label="/\\ x = )`), "0", "TLCStates:"},
		"other value": {ended, without(`-67 [label="/\\ x = 1`, `-67 [label="/\\ x = 2`), "0", "TLC can do Next"},
		"lost step":   {ended, without("-67 -> 15 [label=\"Next\",color=\"black\",fontcolor=\"black\"];\n", ""), "0", "the module can do Next"},
		"other begin": {ended, without(",style = filled", ""), "0", "the module can do "},
		"unreached":   {strings.Replace(ended, "2 distinct", "3 distinct", 1), without("{rank = same; 15;}", `8 [label="/\\ x = 7\n/\\ name = \"\""];`), "0", "only 2 of them can be reached"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := replayed(t, c.says, c.graph, c.status)
			got := "the same"
			switch {
			case err != nil:
				got = err.Error()
			case r.Difference != nil && r.Difference.ByGo:
				got = "TLC can do " + r.Difference.Deed
			case r.Difference != nil:
				got = "the module can do " + r.Difference.Deed
			case !r.Complete || r.States != 2 || r.Steps != 2:
				got = "not everything"
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// replayed compares the module with a java that says and writes what is given.
func replayed(t *testing.T, says, graph, status string) (*Result, error) {
	t.Helper()
	folder := t.TempDir()
	java := "#!/bin/sh\ncat '" + folder + "/says'\nwhile [ \"$1\" != dot,actionlabels ]; do shift; done\n" +
		"cat '" + folder + "/graph' > \"$2\"\nexit " + status + "\n"
	files := map[string]string{"Flip.tla": flip, "Flip.cfg": "INIT Init NEXT Next CHECK_DEADLOCK FALSE", "says": says, "graph": graph, "tools.jar": "", "java": java}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	file := filepath.Join(folder, "Flip.tla")
	m, err := tla.Open(file, filepath.Join(folder, "Flip.cfg"))
	if err != nil {
		t.Fatal(err)
	}
	return TLC(t.Context(), filepath.Join(folder, "tools.jar"), file, m, Options{})
}

func TestWithoutQuestions(t *testing.T) {
	const config = "\\* A comment.\nINVARIANT A B\nCONSTANTS N = 3 \\* three\n M = {a, b}\nPROPERTY P CHECK_DEADLOCK TRUE SPECIFICATION Spec\nINVARIANTS C"
	got, err := withoutQuestions("x", config)
	if want := "CONSTANTS N = 3 \\* three\n M = {a, b}\n\nSPECIFICATION Spec\n\n"; err != nil || got != want {
		t.Errorf("%q, want %q, %v", got, want, err)
	}
}

func TestNoTLC(t *testing.T) {
	m := open(t, "ChangRoberts", "")
	if _, err := TLC(t.Context(), "nowhere.jar", "../ChangRoberts.tla", m, Options{}); err == nil || !strings.Contains(err.Error(), "nowhere.jar") {
		t.Error(err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := TLC(t.Context(), "tlc_test.go", "../ChangRoberts.tla", m, Options{}); err == nil || !strings.Contains(err.Error(), "TLC takes java on the path") {
		t.Error(err)
	}
}

// TestAgainstTLC: where TLA2TOOLS_JAR names the TLA+ tools, TLC finds the same graph
// of each module of the catalogue and of the examples, but where it refuses one.
func TestAgainstTLC(t *testing.T) {
	jar := os.Getenv("TLA2TOOLS_JAR")
	if jar == "" {
		t.Skip("TLA2TOOLS_JAR is not set")
	}
	for _, c := range examples(t) {
		t.Run(filepath.Base(c.module), func(t *testing.T) {
			m, err := tla.Open(c.module, c.config)
			if err != nil {
				t.Fatal(err)
			}
			if c.endless {
				t.Skip("its states have no end")
			}
			r, err := TLC(t.Context(), jar, c.module, m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Difference != nil || !r.Complete {
				t.Errorf("%+v", *r.Difference)
			}
			t.Logf("%d states, %d steps", r.States, r.Steps)
		})
	}
}

// FuzzDump: whatever TLC writes is read, with states that fit the module and steps
// between them, or refused.
func FuzzDump(f *testing.F) {
	m, err := tla.Open(tlatest.Write(f, "Flip.tla", flip), tlatest.Write(f, "Flip.cfg", "INIT Init NEXT Next CHECK_DEADLOCK FALSE"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(flipped)
	f.Add(strings.ReplaceAll(flipped, "x = 1", `x = [a |-> {1, 2 .. 3}, b |-> (1 :> <<>> @@ "s" :> -1)]`))
	f.Add(`1 [label="/\\ x = 1\n/\\ name = 2",style = filled]`)
	f.Fuzz(func(t *testing.T, text string) {
		g, err := readDump(text, m)
		if err != nil {
			return
		}
		if len(g.edges) != len(g.found) {
			t.Fatalf("%d states, steps out of %d", len(g.found), len(g.edges))
		}
		for i, s := range g.found {
			if at, _ := g.place(hash(s.image), outcome{image: s.image}); len(s.image) != 2 || at != i {
				t.Fatalf("state %d is %v", i, s.image)
			}
			g.outcomes(g.edges[i])
		}
		g.outcomes(g.initial)
	})
}
