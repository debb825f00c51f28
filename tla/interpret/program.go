package interpret

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"interleave/tla"
	"interleave/tla/eval"
	"interleave/tla/pluscal"
	"interleave/tla/syntax"
	"interleave/tla/value"
)

// Program is an algorithm that can be run.
type Program struct {
	Variables []string // those of the translation; a state has a value for each

	algorithm   *pluscal.Algorithm
	places      map[string]int // of the variables, and of the names that have a value within a step
	before      map[string]int // of the variables as they were at the beginning of the step
	width       int
	expressions []*eval.Expression
	endless     bool
	omitPC      bool
	globals     []variable
	procedures  map[string]*body
	processes   []*process
	main        *body // of an algorithm without processes
	labels      map[string]*body
}

// number is that of an expression.
type number int

type variable struct {
	name  string
	in    bool
	first number
}

type process struct {
	*body
	set bool
	id  number
}

// body is the statements of a process or procedure.
type body struct {
	name       string
	parameters []variable
	variables  []variable
	first      string // label
	end        string
	labels     map[string]*rest
	own        map[string]bool // the variables that there are for each process
}

// self is the name under which expressions know the process that runs.
const self = "pcal_self"

// now is the prefix of a variable's name where an algorithm reads it. A definition that
// the algorithm uses knows the variable by its own name, with the value that it had at
// the beginning of the step: the translation does not prime what is inside of
// definitions.
const now = "pcal_now_"

// New makes a Program of the algorithm in a module, whose constants have the
// values that a configuration gives. Other modules come from source.
func New(file, module string, c *tla.Config, source eval.Source) (*Program, error) {
	a, err := pluscal.Load(file, module)
	if err != nil {
		return nil, err
	}
	p := &Program{algorithm: a, Variables: a.Names(), places: map[string]int{}, before: map[string]int{}, procedures: map[string]*body{}, labels: map[string]*body{}}
	p.endless, p.omitPC = a.Control()
	b := &builder{program: p}
	b.algorithm(a)
	text, err := b.module(file, module)
	if err != nil {
		return nil, err
	}
	return p, p.load(file, text, c, source)
}

// load compiles the expressions.
func (p *Program) load(file, text string, c *tla.Config, source eval.Source) error {
	tree, err := syntax.ParseModule(file, text)
	if err != nil {
		return err
	}
	spec, err := eval.Load(tree.Name, func(name string) (string, string, error) {
		if name == tree.Name {
			return file, text, nil
		}
		return source(name)
	})
	if err != nil {
		return err
	}
	for _, k := range c.Constants {
		if k.By != "" {
			err = spec.Replace(k.Name, k.By)
		} else {
			err = spec.Set(k.Name, k.Value)
		}
		if err != nil {
			return fmt.Errorf("%s:%v: %w", c.File, k.Pos, err)
		}
	}
	for i, name := range spec.Variables {
		p.places[strings.TrimPrefix(name, now)] = i
	}
	for i, name := range spec.Variables[:len(p.Variables)] {
		p.before[name] = i
	}
	p.width = len(spec.Variables)
	for i := range p.expressions {
		if p.expressions[i], err = spec.Expression(definition(number(i))); err != nil {
			return err
		}
	}
	return nil
}

func definition(n number) string { return fmt.Sprintf("pcal_e%d", n) }

// builder turns the expressions of an algorithm into definitions.
type builder struct {
	program     *Program
	definitions strings.Builder
	names       []string // that have a value within a step
}

// scope is what names stand for in an expression.
type scope map[string]string

func (s scope) with(name, meaning string) scope {
	s = maps.Clone(s)
	s[name] = meaning
	return s
}

// expr defines an expression.
func (b *builder) expr(e pluscal.Expr, s scope) number {
	n := number(len(b.program.expressions))
	b.program.expressions = append(b.program.expressions, nil)
	fmt.Fprintf(&b.definitions, "%s ==\n", definition(n))
	for _, line := range e.Put(s).Lines() {
		fmt.Fprintf(&b.definitions, "  %s\n", line)
	}
	return n
}

// module returns the text of the module with definitions in place of the translation
// and of what follows it.
func (b *builder) module(file, module string) (string, error) {
	before, err := pluscal.Before(file, module)
	if err != nil {
		return "", err
	}
	var constant string
	if strings.Contains(b.definitions.String(), pluscal.Default) {
		constant = "CONSTANT " + pluscal.Default + "\n"
	}
	names := slices.Clone(b.program.Variables)
	for _, v := range b.program.Variables {
		names = append(names, now+v)
	}
	names = append(append(names, b.names...), self)
	return before + "\n" + constant + "VARIABLES " + strings.Join(names, ", ") + "\n" +
		b.program.algorithm.Define + "\n" + b.definitions.String() + "====\n", nil
}

func (b *builder) variables(list []pluscal.Variable, s scope) []variable {
	var out []variable
	for _, v := range list {
		out = append(out, variable{v.Name, v.In, b.expr(v.First(), s)})
	}
	return out
}

func (b *builder) algorithm(a *pluscal.Algorithm) {
	p := b.program
	all := scope{}
	for _, v := range p.Variables {
		all[v] = now + v
	}
	p.globals = b.variables(a.Variables, all)
	several := len(a.Processes) > 0
	for i := range a.Procedures {
		q := &a.Procedures[i]
		body := &body{name: q.Name, end: "Error", own: map[string]bool{}}
		s := maps.Clone(all)
		if several {
			s["self"] = self
			for _, v := range q.Locals() {
				body.own[v] = true
				s[v] = now + v + "[" + self + "]"
			}
		}
		p.procedures[q.Name] = body
		body.parameters, body.variables = b.variables(q.Parameters, s), b.variables(q.Variables, s)
		b.body(body, q.Body, s)
	}
	for _, q := range a.Processes {
		body := &body{name: q.Name, end: "Done", own: map[string]bool{}}
		s := all.with("self", self)
		if q.Set {
			for _, v := range q.Variables {
				body.own[v.Name] = true
				s[v.Name] = now + v.Name + "[" + self + "]"
			}
		}
		p.processes = append(p.processes, &process{body, q.Set, b.expr(q.ID, scope{})})
		body.variables = b.variables(q.Variables, s)
		b.body(body, q.Body, s)
	}
	if !several {
		p.main = &body{name: a.Name, end: "Done", own: map[string]bool{}}
		b.body(p.main, a.Body, all)
	}
}

// body compiles statements and notes where their labels are.
func (b *builder) body(to *body, list []pluscal.Statement, s scope) {
	to.labels = map[string]*rest{}
	statements := b.statements(list, s)
	to.first = statements[0].label
	to.index(statements, "", nil)
	for l := range to.labels {
		b.program.labels[l] = to
	}
}

// state is the values of all variables, and of the names within a step.
type state []value.Value
