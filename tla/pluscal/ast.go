package pluscal

import (
	"slices"

	"interleave/tla/syntax"
)

// Algorithm is an algorithm as written. One without processes has a Body.
type Algorithm struct {
	Name       string
	Pos        syntax.Pos
	Fair       bool // --fair algorithm
	Variables  []Variable
	Define     string // the text of the definitions, without the indentation
	Macros     []Macro
	Procedures []Procedure
	Processes  []Process
	Body       []Statement
	NoEnd      bool // no step stands for its end: a PlusCal option

	words words // of its text
}

// declared returns all variables and parameters, in the lists that declare them.
func (a *Algorithm) declared() [][]Variable {
	lists := [][]Variable{a.Variables}
	for _, q := range a.Procedures {
		lists = append(lists, q.Parameters, q.Variables)
	}
	for _, p := range a.Processes {
		lists = append(lists, p.Variables)
	}
	return lists
}

// bodies returns the statements of all procedures, then those of all processes, then those
// of the algorithm.
func (a *Algorithm) bodies() (all []*[]Statement) {
	for i := range a.Procedures {
		all = append(all, &a.Procedures[i].Body)
	}
	for i := range a.Processes {
		all = append(all, &a.Processes[i].Body)
	}
	return append(all, &a.Body)
}

// Variable is a variable or a parameter, and what it holds in the beginning.
type Variable struct {
	Name string
	Pos  syntax.Pos
	In   bool // any member of Init
	Init Expr // nil: not said
}

// Macro is a list of statements that replaces each use of it.
type Macro struct {
	Name       string
	Pos        syntax.Pos
	Parameters []string
	Body       []Statement

	numbers []int // of the parameters
}

// Procedure is called; it has variables of its own in each process.
type Procedure struct {
	Name       string
	Pos        syntax.Pos
	Parameters []Variable
	Variables  []Variable
	Body       []Statement
}

// Procedure returns the procedure of a name, or nil.
func (a *Algorithm) Procedure(name string) *Procedure {
	for i := range a.Procedures {
		if a.Procedures[i].Name == name {
			return &a.Procedures[i]
		}
	}
	return nil
}

// Locals returns the names of the parameters and variables of q.
func (q *Procedure) Locals() []string {
	var names []string
	for _, v := range slices.Concat(q.Variables, q.Parameters) {
		names = append(names, v.Name)
	}
	return names
}

// Process is one process, or one for each member of a set.
type Process struct {
	Name      string
	Pos       syntax.Pos
	Fair      Fairness
	Set       bool // ID is a set
	ID        Expr
	Variables []Variable
	Body      []Statement
}

// Fairness is the fairness of a process or a label.
type Fairness uint8

// Unfair is for labels only, L:-; Weak is a process's fair, and Strong its fair+ or a
// label's L:+.
const (
	Unsaid Fairness = iota
	Unfair
	Weak
	Strong
)

// Label is the name of a place between two steps.
type Label struct {
	Name string
	Pos  syntax.Pos
	Fair Fairness
}

// Statement is something to do, with a label perhaps.
type Statement struct {
	Label *Label
	Pos   syntax.Pos
	Do    Deed
}

// Deed is one of the types below.
type Deed interface{ deed() }

type (
	// Assign gives new values to variables, all computed before any is given.
	Assign struct{ Parts []Part }
	// Part is one assignment: to a variable, or to Sub of it, as in x[1].f.
	Part struct {
		Variable string
		Pos      syntax.Pos
		Sub      Expr
		Value    Expr
		bound    int // the number of what binds Variable; 0: it is a variable
	}
	// If does Then or Else, which may be empty.
	If struct {
		Test       Expr
		Then, Else []Statement
	}
	// Either does one of its branches.
	Either struct{ Branches [][]Statement }
	// While repeats its body.
	While struct {
		Test Expr
		Body []Statement
	}
	// With does its body with a name for a value, or for a member of a set.
	With struct {
		Name  string
		In    bool
		Value Expr
		Body  []Statement

		number int // of the name
	}
	// Await is possible only where Test is true.
	Await struct{ Test Expr }
	// Assert stops the checker where Test is false. If it is a macro's, Used is where
	// that is used, outside of all macros.
	Assert struct {
		Test Expr
		At   syntax.Pos
		Used syntax.Pos
	}
	// Print writes a value.
	Print struct{ Value Expr }
	// Skip does nothing.
	Skip struct{}
	// Goto continues at a label.
	Goto struct {
		Label string
		Pos   syntax.Pos
	}
	// Call begins a procedure.
	Call struct {
		Procedure string
		Pos       syntax.Pos
		Arguments []Expr
	}
	// Return ends a procedure.
	Return struct{}
	// Use is a macro that is not written out yet.
	Use struct {
		Macro     string
		Pos       syntax.Pos
		Arguments []Expr
	}
)

func (*Assign) deed() {}
func (*If) deed()     {}
func (*Either) deed() {}
func (*While) deed()  {}
func (*With) deed()   {}
func (*Await) deed()  {}
func (*Assert) deed() {}
func (*Print) deed()  {}
func (*Skip) deed()   {}
func (*Goto) deed()   {}
func (*Call) deed()   {}
func (*Return) deed() {}
func (*Use) deed()    {}

// blocks returns the lists of statements inside of a statement.
func (s *Statement) blocks() [][]Statement {
	switch d := s.Do.(type) {
	case *If:
		return [][]Statement{d.Then, d.Else}
	case *Either:
		return d.Branches
	case *While:
		return [][]Statement{d.Body}
	case *With:
		return [][]Statement{d.Body}
	}
	return nil
}

// anyIn reports whether is holds of a statement of a list, or inside of one.
func anyIn(list []Statement, is func(*Statement) bool) bool {
	for i := range list {
		if is(&list[i]) || list[i].anyInside(is) {
			return true
		}
	}
	return false
}

// anyInside reports whether is holds of a statement inside of s.
func (s *Statement) anyInside(is func(*Statement) bool) bool {
	return slices.ContainsFunc(s.blocks(), func(block []Statement) bool { return anyIn(block, is) })
}

// jumps reports whether control can leave s other than to the next statement
// of the same step: there is a label, a goto, a call or a return inside.
func (s *Statement) jumps() bool {
	leaves := func(s *Statement) bool {
		switch s.Do.(type) {
		case *Goto, *Call, *Return:
			return true
		}
		return false
	}
	return leaves(s) || s.anyInside(func(inner *Statement) bool { return inner.Label != nil || leaves(inner) })
}

// changer says how statements are copied: each function is told a part and
// returns what stands in its place. One that is nil leaves parts as they are.
type changer struct {
	expr  func(Expr) Expr
	bound func(string) string // what a with binds
	part  func(Part) Part
	label func(string) string
	step  func(string) // is told where a step begins
	calls func(string) string
}

// statements returns a changed copy, and leaves the list itself alone.
func (c *changer) statements(list []Statement) []Statement {
	if list == nil {
		return nil
	}
	out := make([]Statement, len(list))
	for i, s := range list {
		out[i] = s
		if s.Label != nil {
			l := *s.Label
			if c.step != nil {
				c.step(l.Name)
			}
			l.Name = changed(c.label, l.Name)
			out[i].Label = &l
		}
		out[i].Do = c.deed(s.Do)
	}
	return out
}

// changed is x, or what stands in its place.
func changed[T any](change func(T) T, x T) T {
	if change == nil {
		return x
	}
	return change(x)
}

func (c *changer) deed(d Deed) Deed {
	switch d := d.(type) {
	case *Assign:
		return c.assign(d)
	case *If:
		return &If{c.expr(d.Test), c.statements(d.Then), c.statements(d.Else)}
	case *Either:
		out := &Either{}
		for _, b := range d.Branches {
			out.Branches = append(out.Branches, c.statements(b))
		}
		return out
	case *While:
		return &While{c.expr(d.Test), c.statements(d.Body)}
	case *With:
		return &With{changed(c.bound, d.Name), d.In, c.expr(d.Value), c.statements(d.Body), d.number}
	case *Await:
		return &Await{c.expr(d.Test)}
	case *Assert:
		return &Assert{c.expr(d.Test), d.At, d.Used}
	case *Print:
		return &Print{c.expr(d.Value)}
	case *Goto:
		return &Goto{changed(c.label, d.Label), d.Pos}
	case *Call:
		return &Call{changed(c.calls, d.Procedure), d.Pos, c.exprs(d.Arguments)}
	case *Use:
		return &Use{d.Macro, d.Pos, c.exprs(d.Arguments)}
	}
	return d
}

func (c *changer) exprs(list []Expr) []Expr {
	out := make([]Expr, len(list))
	for i, e := range list {
		out[i] = c.expr(e)
	}
	return out
}

func (c *changer) assign(d *Assign) Deed {
	out := &Assign{}
	for _, p := range d.Parts {
		p.Sub, p.Value = c.expr(p.Sub), c.expr(p.Value)
		out.Parts = append(out.Parts, changed(c.part, p))
	}
	return out
}
