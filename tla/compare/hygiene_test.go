package compare

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"interleave/tla"
	"interleave/tla/pluscal"
)

// TestHygiene expands the macros of random algorithms, few names of which mean many
// things, in a second way: all that is bound gets a name of its own, and then each macro
// is put where it is used, word by word. Each algorithm, as it is run, must have the
// states of the other's translation.
func TestHygiene(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "M.cfg")
	if err := os.WriteFile(config, []byte("SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	states := 0
	for seed := range 30 {
		r := &author{rand: rand.New(rand.NewPCG(uint64(seed), 48))}
		p := r.program()
		with, without := p.text(nil), p.text(&renamer{})
		for _, c := range [][2]string{{with, without}, {without, with}} {
			updated, err := pluscal.Update("M.tla", c[1])
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, c[1])
			}
			_, translation, _ := strings.Cut(updated, pluscal.BeginMarker)
			file := filepath.Join(dir, "M.tla")
			mixed := strings.TrimSuffix(c[0], "====\n") + pluscal.BeginMarker + translation
			if err := os.WriteFile(file, []byte(mixed), 0o600); err != nil {
				t.Fatal(err)
			}
			m, err := tla.Open(file, config)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, mixed)
			}
			result, err := Translation(t.Context(), file, m, Options{})
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, mixed)
			}
			if result.Difference != nil {
				t.Fatalf("seed %d: %+v\n%s", seed, *result.Difference, mixed)
			}
			states += result.States
		}
	}
	if states < 2000 {
		t.Errorf("only %d states", states)
	}
}

// The algorithms are made of parts, each of which is written as text under a renamer.

// renamer gives each bound name a name of its own; nil: it keeps all, and macros are not
// expanded.
type renamer struct{ last int }

// meanings are what names are written as.
type meanings map[string]string

// bind returns what a name is written as, and the meanings inside of what binds it.
func (r *renamer) bind(in meanings, name string) (string, meanings) {
	inner := maps.Clone(in)
	inner[name] = name
	if r != nil {
		r.last++
		inner[name] = fmt.Sprintf("bound%d", r.last)
	}
	return inner[name], inner
}

// part is an expression or a statement: its text under meanings.
type part func(r *renamer, in meanings) string

type program struct {
	macros []macro
	global part
	sets   part // the process of a set
	one    part // the only process of its kind
	bodies [2][]part
}

type macro struct {
	name       string
	parameters []string
	assigned   int // how many of them are assigned to
	body       part
}

// author makes algorithms.
type author struct {
	rand   *rand.Rand
	macros []macro
}

// names are those that algorithms use: two variables, one of which both kinds of process
// have, the process itself, labels, and what is only bound.
var names = []string{"x", "y", "self", "pc", "a1", "z", "w", "p", "q"}

// scope is which names can be named, and which can be assigned to.
type scope struct {
	seen     map[string]bool
	assigned map[string]bool
}

func (s scope) bind(name string) scope {
	s = scope{maps.Clone(s.seen), maps.Clone(s.assigned)}
	s.seen[name] = true
	delete(s.assigned, name)
	return s
}

func (w *author) pick(from map[string]bool) string {
	var all []string
	for _, name := range names {
		if from[name] {
			all = append(all, name)
		}
	}
	return all[w.rand.IntN(len(all))]
}

// program makes a whole one.
func (w *author) program() *program {
	outside := scope{map[string]bool{"x": true, "y": true, "self": true}, map[string]bool{"x": true, "y": true}}
	for i := range 3 {
		m := macro{name: fmt.Sprintf("m%d", i), parameters: []string{[]string{"p", "x", "z"}[w.rand.IntN(3)], []string{"q", "y", "w"}[w.rand.IntN(3)]}}
		inside := outside.bind(m.parameters[0]).bind(m.parameters[1])
		if m.assigned = w.rand.IntN(2); m.assigned > 0 {
			inside.assigned[m.parameters[0]] = true
		}
		m.body = w.statement(inside, 3)
		w.macros = append(w.macros, m)
	}
	p := &program{macros: w.macros, global: w.expr(scope{seen: map[string]bool{}}, 1), sets: w.expr(scope{seen: map[string]bool{"x": true}}, 2), one: w.expr(scope{seen: map[string]bool{"x": true, "self": true}}, 2)}
	for i := range p.bodies {
		for range 2 {
			p.bodies[i] = append(p.bodies[i], w.statement(outside, 3))
		}
	}
	return p
}

// text writes an algorithm, with its macros, or expanded.
func (p *program) text(r *renamer) string {
	var b strings.Builder
	plain := meanings{}
	for _, name := range names {
		plain[name] = name
	}
	fmt.Fprintf(&b, "---- MODULE M ----\nEXTENDS Integers, FiniteSets\nAp(F(_), e) == F(e)\n(* --algorithm M {\n  variables x = %s;\n", p.global(r, plain))
	for _, m := range p.macros {
		if r == nil {
			fmt.Fprintf(&b, "  macro %s(%s) { %s }\n", m.name, strings.Join(m.parameters, ", "), m.body(nil, plain))
		}
	}
	for i, head := range []string{`process (A \in {0, 1}) variables y = %s;`, `process (B = 2) variables y = %s;`} {
		fmt.Fprintf(&b, "  "+head+" {\n", []part{p.sets, p.one}[i](r, plain))
		for k, s := range p.bodies[i] {
			fmt.Fprintf(&b, "    %c%d: %s;\n", "ab"[i], k, s(r, plain))
		}
		b.WriteString("  }\n")
	}
	return b.String() + "} *)\n====\n"
}

// statement makes a step that assigns to one variable at most.
func (w *author) statement(s scope, depth int) part {
	if depth == 0 || len(s.assigned) == 0 && w.rand.IntN(3) == 0 {
		return w.assign(s)
	}
	switch w.rand.IntN(6) {
	case 0, 1:
		name := names[w.rand.IntN(len(names))]
		set, body := w.set(s, 1), w.statement(s.bind(name), depth-1)
		sign := []string{`\in`, `\in`, "="}[w.rand.IntN(3)]
		return func(r *renamer, in meanings) string {
			value := set(r, in)
			if sign == "=" {
				value = "(CHOOSE v \\in " + value + " : TRUE)"
			}
			as, inner := r.bind(in, name)
			return fmt.Sprintf("with (%s %s %s) { %s }", as, sign, value, body(r, inner))
		}
	case 2:
		test, yes, no := w.expr(s, 2), w.statement(s, depth-1), w.statement(s, depth-1)
		return func(r *renamer, in meanings) string {
			return fmt.Sprintf("if (%s = 1) { %s } else { %s }", test(r, in), yes(r, in), no(r, in))
		}
	case 3, 4:
		if len(w.macros) > 0 {
			return w.use(s)
		}
	}
	return w.assign(s)
}

func (w *author) assign(s scope) part {
	value := w.expr(s, 3)
	if len(s.assigned) == 0 {
		return func(r *renamer, in meanings) string { return "await " + value(r, in) + " < 3" }
	}
	to := w.pick(s.assigned)
	return func(r *renamer, in meanings) string { return in[to] + " := " + value(r, in) }
}

// use makes the use of a macro that is there.
func (w *author) use(s scope) part {
	m := w.macros[w.rand.IntN(len(w.macros))]
	var arguments []part
	for i := range m.parameters {
		argument := w.expr(s, 2)
		if i < m.assigned {
			if len(s.assigned) == 0 {
				return w.assign(s)
			}
			to := w.pick(s.assigned)
			argument = func(_ *renamer, in meanings) string { return in[to] }
		}
		arguments = append(arguments, argument)
	}
	return func(r *renamer, in meanings) string {
		var given []string
		inner := meanings{}
		for _, name := range names {
			inner[name] = name // a macro does not know what is bound where it is used
		}
		for i, a := range arguments {
			text := a(r, in)
			given = append(given, text)
			if inner[m.parameters[i]] = text; i >= m.assigned {
				inner[m.parameters[i]] = "(" + text + ")"
			}
		}
		if r == nil {
			return fmt.Sprintf("%s(%s)", m.name, strings.Join(given, ", "))
		}
		return m.body(r, inner)
	}
}

func (w *author) set(s scope, depth int) part {
	a, b := w.expr(s, depth), w.expr(s, depth)
	return func(r *renamer, in meanings) string { return "{" + a(r, in) + ", " + b(r, in) + "}" }
}

// expr makes an expression of a value in 0..2.
func (w *author) expr(s scope, depth int) part {
	if depth == 0 || w.rand.IntN(5) == 0 {
		if n := w.rand.IntN(3); len(s.seen) == 0 || w.rand.IntN(5) == 0 {
			return func(*renamer, meanings) string { return fmt.Sprint(n) }
		}
		name := w.pick(s.seen)
		return func(_ *renamer, in meanings) string { return in[name] }
	}
	name := names[w.rand.IntN(len(names))]
	a, b, set := w.expr(s, depth-1), w.expr(s.bind(name), depth-1), w.set(s, depth-1)
	form := []string{
		`((%[2]s + %[4]s) %% 3)`,
		`(CHOOSE v \in 0..2 : v = %[2]s)`,
		`(IF \E %[1]s \in %[3]s : %[4]s = 1 THEN %[2]s ELSE 2)`,
		`(IF \A %[1]s \in %[3]s, v \in {1} : %[4]s = v THEN 1 ELSE 0)`,
		`(Cardinality({%[1]s \in %[3]s : %[4]s = 1}))`,
		`(Cardinality({%[4]s : %[1]s \in %[3]s}))`,
		`(LET %[1]s == %[2]s IN %[4]s)`,
		`(LET v(%[1]s) == %[4]s  u == %[2]s IN v(u))`,
		`[%[1]s \in 0..2 |-> %[4]s][%[2]s]`,
		`[[v \in 0..2 |-> 1] EXCEPT ![%[2]s] = (@ + %[2]s) %% 3][%[2]s]`,
		`[%[5]s |-> %[2]s].%[5]s`,
		`Ap(LAMBDA %[1]s : %[4]s, %[2]s)`,
		`(CHOOSE %[1]s \in %[3]s : TRUE)`,
	}[w.rand.IntN(13)]
	if strings.Contains(form, "+ %[4]s") {
		b = w.expr(s, depth-1)
	}
	return func(r *renamer, in meanings) string {
		outer, of := a(r, in), set(r, in)
		as, inner := r.bind(in, name)
		if strings.Contains(form, "+ %[4]s") {
			inner = in
		}
		return fmt.Sprintf(form+"%.0[5]s%.0[1]s%.0[2]s%.0[3]s%.0[4]s", as, outer, of, b(r, inner), name)
	}
}
