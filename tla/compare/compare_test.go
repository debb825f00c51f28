package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"interleave/spec"
	"interleave/spec/ble"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/paxos"
	"interleave/spec/tokenring"
	"interleave/spec/twophasecommit"
	"interleave/tla"
	"interleave/tla/pluscal"
	"interleave/tla/tlatest"
	"interleave/tla/value"
)

// TestModulesAgreeWithTheAlgorithms is the promise that module and code say the
// same: whoever changes one of them alone fails here.
func TestModulesAgreeWithTheAlgorithms(t *testing.T) {
	for _, c := range []struct {
		module, config string
		states, steps  int
	}{
		{"ChangRoberts", "", 137, 219},
		{"ChangRobertsCrash", "", 2568, 9146},
		{"Bully", "", 764, 3543},
		{"Ballot", "", 517, 1923},
		{"TwoPhaseCommit", "", 2439, 13178},
		{"Paxos", "", 2429, 7914},
		{"Paxos", "testdata/Paxos3.cfg", 249, 650},
		{"ListRing", "testdata/ListRingCalm.cfg", 428, 1125},
		{"ListRing", "testdata/ListRingTwo.cfg", 121, 282},
		{"ChangRoberts", "testdata/ChangRoberts4.cfg", 823, 1775},
		{"ChangRoberts", "testdata/ChangRoberts4Descending.cfg", 685, 1412},
		{"Bully", "testdata/BullyTwice.cfg", 831, 4390},
	} {
		t.Run(c.module+c.config, func(t *testing.T) {
			m := open(t, c.module, c.config)
			p, err := Find(c.module)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Algorithm(t.Context(), m, p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Difference != nil {
				t.Fatal(told(r.Difference))
			}
			if !r.Complete || r.States != c.states || r.Images != c.states || r.Steps != c.steps {
				t.Errorf("%+v", r)
			}
		})
	}
}

// told is a difference in words.
func told(d *Difference) string {
	var b strings.Builder
	for i, m := range d.Run {
		fmt.Fprintf(&b, "%d: %s (%s)\n", i, m.Deed, m.TLA)
	}
	fmt.Fprintf(&b, "then, by Go alone %t: %s, which leads to\n", d.ByGo, d.Deed)
	for i, v := range d.After {
		fmt.Fprintf(&b, "%s = %s\n", d.Variables[i], value.Format(v))
	}
	return b.String()
}

// open reads a module of the catalogue; config is empty for its own.
func open(t *testing.T, name, config string) *tla.Model {
	t.Helper()
	if config == "" {
		config = "../" + name + ".cfg"
	}
	m, err := tla.Open("../"+name+".tla", config)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestMutantsDiffer: an algorithm with a bug is told from the module, if the bug
// can show at all in that world.
func TestMutantsDiffer(t *testing.T) {
	mutants := slices.Concat(changroberts.Mutants, bully.Mutants, tokenring.Mutants, ble.Mutants, twophasecommit.Mutants, paxos.Mutants)
	for _, c := range []struct {
		module, config string
		same           []string // the bugs that cannot show
	}{
		{"ChangRoberts", "", nil},
		{"ChangRobertsCrash", "", nil},
		{"Bully", "testdata/BullyTwice.cfg", []string{
			"bully/mended~gullible", // from below no COORDINATOR comes: timers are just
		}},
		{"ListRing", "testdata/ListRingTwo.cfg", []string{
			"token-ring/mended~once", // takes two lost lists
		}},
		{"Ballot", "", []string{
			"ble/mended~chatty",    // differs in what it tells its user
			"ble/mended~tame",      // takes a third process, to be silent in a majority
			"ble/mended~forgetful", // takes a return
			"ble/mended~careless",  // the same
		}},
		{"TwoPhaseCommit", "", []string{
			"two-phase-commit/mended~forgetful",    // takes a return
			"two-phase-commit/mended~presumptuous", // the same
			"two-phase-commit/mended~silent",       // the same
		}},
		{"Paxos", "", []string{
			"paxos/single-decree~oblivious", // takes a return
			"paxos/single-decree~unbound",   // the same
		}},
	} {
		p, err := Find(c.module)
		if err != nil {
			t.Fatal(err)
		}
		tried := 0
		for _, machine := range mutants {
			name := machine.Traits().Name
			if !isMutantOf(machine, p.Machine) {
				continue
			}
			tried++
			broken := *p
			broken.Machine = machine
			m := open(t, c.module, c.config)
			r, err := Algorithm(t.Context(), m, &broken, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Difference == nil; got != slices.Contains(c.same, name) {
				t.Errorf("%s and %s: the same: %v", c.module, name, got)
			}
			distinguishes(t, m, &broken, r)
		}
		if tried == 0 {
			t.Errorf("%s: there are no mutants", c.module)
		}
	}
}

func isMutantOf(mutant, original spec.Machine) bool {
	return strings.HasPrefix(mutant.Traits().Name, original.Traits().Name+"~")
}

// TestChangedModulesDiffer: a module of which the algorithm was changed, and the
// translation with it, is told from the Go code.
func TestChangedModulesDiffer(t *testing.T) {
	for _, c := range []struct{ module, old, new string }{
		{"ChangRoberts", `state = "lost" \/ id < self`, `id < self`},
		{"ChangRoberts", `state = "lost" \/ id < self`, `state = "lost" \/ id > self`},
		{"ChangRoberts", `initiator \in BOOLEAN`, `initiator = TRUE`},
		{"ChangRobertsCrash", `leader[self] # None /\ m.id > leader[self]`, `FALSE`},
		{"Bully", `/\ Flushed(Above(self) \ Up)`, ``},
		{"Bully", `else if (m.from < self)`, `else if (m.from > self)`},
		{"ListRing", `Members(m.list) \cap Up`, `Members(m.list) \ {2}`},
		{"Ballot", `N \div 2 + 1`, `N \div 2`},
	} {
		text := tlatest.Read(t, "../"+c.module+".tla")
		if !strings.Contains(text, c.old) {
			t.Errorf("%s does not hold %s", c.module, c.old)
			continue
		}
		changed, err := pluscal.Update(c.module, strings.Replace(text, c.old, c.new, 1))
		if err != nil {
			t.Fatal(err)
		}
		file := tlatest.Write(t, c.module+".tla", changed)
		config := "../" + c.module + ".cfg"
		if c.module == "ListRing" {
			config = "testdata/ListRingTwo.cfg"
		}
		m, err := tla.Open(file, config)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Find(c.module)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Algorithm(t.Context(), m, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Difference == nil {
			t.Errorf("%s: %s for %s is not noticed", c.module, c.new, c.old)
		}
		distinguishes(t, m, p, r)
	}
}
