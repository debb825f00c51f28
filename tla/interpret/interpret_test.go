package interpret

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"interleave/tla"
	"interleave/tla/tlatest"
	"interleave/tla/value"
)

// module puts an algorithm into a module.
func module(algorithm string) string {
	return "---- MODULE M ----\nEXTENDS Integers, Sequences, TLC\nCONSTANT N\n(* --algorithm M " + algorithm + " *)\n====\n"
}

func program(t *testing.T, algorithm string) *Program {
	t.Helper()
	c, err := tla.ParseConfig("M.cfg", "CONSTANTS N = 2 defaultInitValue = defaultInitValue")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(algorithm, "procedure") && !strings.Contains(algorithm, "unset") {
		c.Constants = c.Constants[:1]
	}
	p, err := New("M.tla", module(algorithm), c, func(name string) (string, string, error) {
		return "", "", fmt.Errorf("there is no module %s: %w", name, fs.ErrNotExist)
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tell is a state in words, without what is the same in all of them.
func tell(p *Program, s []value.Value) string {
	var parts []string
	for i, name := range p.Variables {
		parts = append(parts, name+"="+strings.ReplaceAll(value.Format(value.Explicit(s[i])), " ", ""))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// TestSteps follows algorithms: the initial states, and then those after each step
// from the first of the states before it.
func TestSteps(t *testing.T) {
	for _, c := range []struct{ name, algorithm, want string }{
		{"assignments are at once", `{ variables x = 1, y = 2; { a: x := y || y := x; b: x := y; } }`, `
			pc="a" x=1 y=2
			a: pc="b" x=2 y=1
			b: pc="Done" x=1 y=1
			it has come to its end: pc="Done" x=1 y=1`},
		{"and one after the other", `{ variables x = 1, y = 2; { a: x := y; y := x + 1; } }`, `
			pc="a" x=1 y=2
			a: pc="Done" x=2 y=3
			it has come to its end: pc="Done" x=2 y=3`},
		{"any member", `{ variables x \in 1 .. 2, y = x + 1; { a: with (i \in {5, 7}) x := i + y; } }`, `
			pc="a" x=1 y=2 | pc="a" x=2 y=3
			a: pc="Done" x=7 y=2 | a: pc="Done" x=9 y=2
			it has come to its end: pc="Done" x=7 y=2`},
		{"await behind a change blocks the whole step", `{ variables x = 0; { a: either { x := 1; await x = 0 } or { x := 2; await x = 2 } } }`, `
			pc="a" x=0
			a: pc="Done" x=2
			it has come to its end: pc="Done" x=2`},
		{"nobody can go on", `{ variables x = 0; { a: await x = 1 } }`, `
			pc="a" x=0`},
		{"a loop", `{ variables x = 0; { a: while (x < 2) { x := x + 1; b: skip }; c: x := 9 } }`, `
			pc="a" x=0
			a: pc="b" x=1
			b: pc="a" x=1
			a: pc="b" x=2
			b: pc="a" x=2
			a: pc="c" x=2
			c: pc="Done" x=9
			it has come to its end: pc="Done" x=9`},
		{"an endless one has no pc", `{ variables x = 0; { a: while (TRUE) { x := 1 - x } } }`, `
			x=0
			a: x=1
			a: x=0`},
		{"parts of values", `{ variables f = [i \in 1 .. 2 |-> [a |-> 0, b |-> <<1, 2>>]]; { a: f[2].b[1] := 7 || f[1].a := f[2].b[2] } }`, `
			f=<<[a|->0,b|-><<1,2>>],[a|->0,b|-><<1,2>>]>> pc="a"
			a: f=<<[a|->2,b|-><<1,2>>],[a|->0,b|-><<7,2>>]>> pc="Done"
			it has come to its end: f=<<[a|->2,b|-><<1,2>>],[a|->0,b|-><<7,2>>]>> pc="Done"`},
		{"processes", `{ variables x = 0; process (P \in 1 .. N) variables mine = self; { a: x := x + mine; mine := 0 } }`, `
			mine=<<1,2>> pc=<<"a","a">> x=0
			a(1): mine=<<0,2>> pc=<<"Done","a">> x=1 | a(2): mine=<<1,0>> pc=<<"a","Done">> x=2
			a(2): mine=<<0,0>> pc=<<"Done","Done">> x=3
			all have come to their end: mine=<<0,0>> pc=<<"Done","Done">> x=3`},
		{"no value is given", `{ variables unset; { a: unset := 1 } }`, `
			pc="a" unset=defaultInitValue
			a: pc="Done" unset=1
			it has come to its end: pc="Done" unset=1`},
		{"a definition sees the step's beginning", `{ variables x = 1, y = 0; define { Twice == 2 * x } { a: x := 5; y := Twice + x } }`, `
			pc="a" x=1 y=0
			a: pc="Done" x=5 y=7
			it has come to its end: pc="Done" x=5 y=7`},
		{"a procedure", `{ variables x = 0; procedure P(a) variables v = a; { p: x := x + v; v := 9; q: return } { c: call P(3); b: skip } }`, `
			a=defaultInitValue pc="c" stack=<<>> v=defaultInitValue x=0
			c: a=3 pc="p" stack=<<[a|->defaultInitValue,pc|->"b",procedure|->"P",v|->defaultInitValue]>> v=3 x=0
			p: a=3 pc="q" stack=<<[a|->defaultInitValue,pc|->"b",procedure|->"P",v|->defaultInitValue]>> v=9 x=3
			q: a=defaultInitValue pc="b" stack=<<>> v=defaultInitValue x=3
			b: a=defaultInitValue pc="Done" stack=<<>> v=defaultInitValue x=3
			it has come to its end: a=defaultInitValue pc="Done" stack=<<>> v=defaultInitValue x=3`},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := strings.ReplaceAll(strings.TrimSpace(c.want), "\t", "")
			if got := course(t, program(t, c.algorithm)); got != want {
				t.Errorf("it does\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// course is the initial states, and the steps out of the first of each.
func course(t *testing.T, p *Program) string {
	t.Helper()
	var lines, line []string
	var first []value.Value
	keep := func(deed string, s []value.Value) bool {
		if len(line) == 0 {
			first = slices.Clone(s)
		}
		if deed != "" {
			deed += ": "
		}
		line = append(line, deed+tell(p, s))
		return true
	}
	if err := p.Initial(func(s []value.Value) bool { return keep("", s) }); err != nil {
		t.Fatal(err)
	}
	for len(line) > 0 {
		lines = append(lines, strings.Join(line, " | "))
		if strings.Contains(line[0], "come to") || len(lines) > 2 && lines[len(lines)-3] == lines[len(lines)-1] {
			break
		}
		if len(lines) == 3 && !strings.Contains(line[0], "pc=") {
			break
		}
		line = nil
		if err := p.Next(slices.Clone(first), keep); err != nil {
			t.Fatal(err)
		}
	}
	return strings.Join(lines, "\n")
}

// TestErrors: what has no value is an error that says what and where.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ algorithm, want string }{
		{`{ variables x = 1; { a: assert x = 2 } }`, "the assertion of 4:42 is false"},
		{`{ variables x = 1; { a: await x } }`, "1 where TRUE or FALSE is expected"},
		{`{ variables x = 1; { a: if (x + 1) skip } }`, "2 where TRUE or FALSE is expected"},
		{`{ variables x = 1; { a: with (i \in x) skip } }`, "1"},
		{`{ variables x = 1; { a: x[1] := 2 } }`, "1, which is no function"},
		{`{ variables x = <<1>>; { a: x := x[2] } }`, "2 is not in the domain of <<1>>"},
		{`{ variables x \in 1; { a: skip } }`, "1"},
		{`{ variables x = 1; { a: while (x) { x := 2 } } }`, "1 where TRUE or FALSE is expected"},
	} {
		p := program(t, c.algorithm)
		var err error
		failed := p.Initial(func(s []value.Value) bool {
			err = p.Next(slices.Clone(s), func(string, []value.Value) bool { return true })
			return err == nil
		})
		if err = errors.Join(failed, err); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.algorithm, err, c.want)
		}
	}
}

// TestEarlyEnd: who wants no more steps gets none.
func TestEarlyEnd(t *testing.T) {
	p := program(t, `{ variables x \in 1 .. 3; process (P \in 1 .. N) { a: with (i \in 1 .. 3) x := i } }`)
	n := 0
	if err := p.Initial(func([]value.Value) bool { n++; return false }); err != nil || n != 1 {
		t.Errorf("%d initial states, %v", n, err)
	}
	if err := p.Initial(func(s []value.Value) bool {
		n = 0
		if err := p.Next(s, func(string, []value.Value) bool { n++; return n < 2 }); err != nil || n != 2 {
			t.Errorf("%d steps, %v", n, err)
		}
		return false
	}); err != nil {
		t.Error(err)
	}
}

// TestNew: an algorithm that cannot be run is refused.
func TestNew(t *testing.T) {
	none := func(name string) (string, string, error) {
		return "", "", fmt.Errorf("there is no module %s: %w", name, fs.ErrNotExist)
	}
	for _, c := range []struct{ text, config, want string }{
		{"---- MODULE M ----\n====\n", "", "algorithm"},
		{module(`{ variables x = y; { a: skip } }`), "CONSTANT N = 1", "y"},
		{module(`{ variables x = 1; { a: skip } }`), "CONSTANT K = 1", "K"},
		{module(`{ variables x = 1; { skip; a: skip } }`), "CONSTANT N = 1", "M.tla:4:39: a label is missing"},
		{module(`{ variables x = 1; { a: x := (1 } }`), "CONSTANT N = 1", "M.tla:4:"},
		{strings.Replace(module(`{ variables x = 1; { a: skip } }`), "TLC", "Other", 1), "CONSTANT N = 1", "there is no module Other"},
	} {
		config, err := tla.ParseConfig("M.cfg", c.config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New("M.tla", c.text, config, none); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}

// FuzzProgram: an algorithm takes its steps, or there is an error; nothing panics.
func FuzzProgram(f *testing.F) {
	_, examples := tlatest.Modules(f)
	for _, file := range examples {
		text := tlatest.Read(f, file)
		if _, algorithm, ok := strings.Cut(text, "algorithm "); ok {
			_, algorithm, _ = strings.Cut(algorithm, " ")
			algorithm, _, _ = strings.Cut(algorithm, "*)")
			f.Add(algorithm)
		}
	}
	for _, c := range []string{"{ variables x = 1; { a: x[1] := 2 } }", "{ { a: with (i \\in Nat) skip } }", "{ { a: assert 1 } }", "{ variables x = CHOOSE y : y \\notin {}; { a: skip } }"} {
		f.Add(c)
	}
	config, err := tla.ParseConfig("M.cfg", "CONSTANTS N = 2 defaultInitValue = defaultInitValue")
	if err != nil {
		f.Fatal(err)
	}
	without := *config
	without.Constants = config.Constants[:1]
	f.Fuzz(func(t *testing.T, algorithm string) {
		for _, c := range []*tla.Config{config, &without} {
			p, err := New("M.tla", module(algorithm), c, func(name string) (string, string, error) {
				return "", "", fmt.Errorf("there is no module %s: %w", name, fs.ErrNotExist)
			})
			if err != nil {
				continue
			}
			var at [][]value.Value
			few := func(s []value.Value) bool {
				at = append(at, slices.Clone(s))
				return len(at) < 20
			}
			if p.Initial(few) != nil {
				return
			}
			for i := 0; i < len(at) && i < 20; i++ {
				if p.Next(slices.Clone(at[i]), func(_ string, s []value.Value) bool { return few(s) }) != nil {
					return
				}
			}
		}
	})
}
