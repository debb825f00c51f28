package eval

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// Spec is a root module and the modules that it uses, checked.
type Spec struct {
	Variables []string
	Constants []syntax.Param
	Values    *value.Pool // the values that variables have had

	loader
	declarations
	replacements
	remembering
	limits
	rounds   rounds      // of looks at levels
	asserted atomic.Bool // an Assert was evaluated
	chooses  bool        // something was compiled that may distinguish symmetric values
}

// declarations are what the modules declare and define.
type declarations struct {
	root    *module
	modules []*module
	depth   int // of modules within one another, while they are elaborated
	vars    []*variable
	consts  []*constant
	parts   []Part // of the next-state relation
}

// replacements are what the configuration replaces.
type replacements struct {
	overrides map[entity]entity // constants and definitions
	within    map[entity]entity // likewise, also through an instance
}

// remembering is what evaluators need to know of the values that they keep.
type remembering struct {
	naive bool         // nothing is remembered
	sites int          // number of expressions that are remembered
	asks  int          // number of places that test membership
	held  atomic.Int64 // bytes that evaluators use to remember values
}

// MaxModules bounds how deeply modules may extend or instantiate one another.
const MaxModules = 60

// Load reads the named module, and all that it uses, and checks names, arities and
// levels.
func Load(name string, source Source) (s *Spec, err error) {
	defer recovered(nil, &err)
	s = &Spec{
		Values:       value.NewPool(),
		loader:       loader{Name: name, source: source, trees: map[string]*syntax.Module{}, own: map[string]bool{name: true}},
		replacements: replacements{map[entity]entity{}, map[entity]entity{}},
	}
	s.Limit(context.Background(), 0)
	root := s.tree(name, &site{file: name})
	checkNames(&s.loader, root)
	s.root = s.elaborate(root, &substitution{}, nil)
	for _, v := range s.vars {
		s.Variables = append(s.Variables, v.name)
	}
	for _, c := range s.consts {
		s.Constants = append(s.Constants, syntax.Param{Ident: syntax.Ident{Name: c.name}, Arity: c.arity})
	}
	return s, nil
}

// Part is a part of the next-state relation: a definition that is reached by
// disjunctions and quantifiers only.
type Part struct {
	Name string
	Place
	Own  Place // the part itself, in that definition
	Used Place // where the definition is used
}

// Place is a place in a module.
type Place struct {
	File string
	Pos  syntax.Pos
}

func (p Place) String() string { return fmt.Sprintf("%s:%v", p.File, p.Pos) }

// Set sets the value of a constant, or of a definition without parameters.
func (s *Spec) Set(name string, v value.Value) error {
	c, x := s.constant(name), s.root.scope.lookup(name)
	n, ok := defined(x)
	switch {
	case c == nil && !ok:
		return fmt.Errorf("%s is neither a constant nor a definition of %s", name, s.Name)
	case c != nil && c.arity > 0, c == nil && n > 0:
		return fmt.Errorf("%s takes arguments, and is given a value", name)
	case c != nil:
		c.val = v
	default:
		s.overrides[definition(x)] = &builtin{name: name, val: v}
	}
	return nil
}

// Knows reports whether a name has a meaning in the root module.
func (s *Spec) Knows(name string) bool {
	return s.constant(name) != nil || s.root.scope.lookup(name) != nil
}

// ReplaceIn replaces what a name means in a module by a definition of the root module,
// wherever that is meant.
func (s *Spec) ReplaceIn(module, name, by string) error {
	y := s.root.scope.lookup(by)
	n, ok := arityOf(y)
	if !ok {
		return fmt.Errorf("%s is no definition of %s", by, s.Name)
	}
	return s.put(module, name, by, n, y)
}

// SetIn is Set for what a name means in a module.
func (s *Spec) SetIn(module, name string, v value.Value) error {
	return s.put(module, name, value.Format(v), 0, &builtin{name: name, val: v})
}

func (s *Spec) put(module, name, by string, n int, y entity) error {
	var meant []entity
	if x, ok := standard[module][name]; ok && !s.fromFolder(module, "") {
		meant = append(meant, x)
	}
	for _, m := range s.modules {
		if m.tree.Name == module {
			meant = append(meant, m.scope.lookup(name))
		}
	}
	if meant == nil {
		return fmt.Errorf("no module %s that defines %s is used by %s", module, name, s.Name)
	}
	for _, x := range meant {
		if k, ok := defined(x); !ok || k != n {
			return fmt.Errorf("%s is no definition of %s that %s can stand for", name, module, by)
		}
		if err := fits(name, x, by, y); err != nil {
			return err
		}
		d := definition(x)
		if old, ok := s.within[d]; ok && old != y {
			return fmt.Errorf("%s of %s is replaced twice", name, module)
		}
		s.within[d] = y
	}
	return nil
}

// defined returns how many arguments a definition takes, and whether x is one.
func defined(x entity) (arity int, ok bool) {
	switch x.(type) {
	case *operator, *builtin:
		return arityOf(x)
	}
	return 0, false
}

// fits refuses to replace an entity by one of a higher level: code that uses the entity
// is compiled for its level, such as a constant that is evaluated once.
func fits(name string, x entity, by string, y entity) error {
	if a, b := about(x), about(y); b > a {
		return fmt.Errorf("%s is %v, and cannot stand for %s, which is %v", by, b, name, a)
	}
	return nil
}

// about is the level of an entity, if it is applied to arguments that may be primed.
func about(x entity) level {
	switch x := x.(type) {
	case *variable:
		return stateLevel
	case *operator:
		l := x.levelOf()
		if x.primes {
			l = max(l, actionLevel)
		}
		return l
	}
	return constantLevel
}

// Replace replaces a constant or another definition by a definition.
func (s *Spec) Replace(name, by string) error {
	y := s.root.scope.lookup(by)
	n, ok := arityOf(y)
	if !ok {
		return fmt.Errorf("%s is no definition of %s", by, s.Name)
	}
	x := s.root.scope.lookup(name)
	m, ok := defined(x)
	if c := s.constant(name); !ok && c != nil {
		x, m = c, c.arity
	} else if !ok {
		return fmt.Errorf("%s is neither a constant nor a definition of %s", name, s.Name)
	}
	if m != n {
		return fmt.Errorf("%s takes %d arguments, and %s takes %d", name, m, by, n)
	}
	if err := fits(name, x, by, y); err != nil {
		return err
	}
	s.overrides[definition(x)] = y
	return nil
}

func (s *Spec) constant(name string) *constant {
	for _, c := range s.consts {
		if c.name == name {
			return c
		}
	}
	return nil
}

// replaced returns the configuration's replacement of an entity. A definition that is
// reached through an instance, as in I!D, has only those of ReplaceIn and SetIn.
func (r *replacements) replaced(x entity, through bool) entity {
	d := definition(x)
	if y, ok := r.overrides[d]; ok && !through {
		return y
	}
	if y, ok := r.within[d]; ok {
		return y
	}
	return x
}

// cycle says what may lead definitions in a cycle: names are used only after they are
// defined, but for replacements.
func (r *replacements) cycle() string {
	if len(r.overrides)+len(r.within) == 0 {
		return ""
	}
	return ": does a replacement of the configuration lead back to what it replaces?"
}

// definition identifies an entity. A definition has one body, in all modules that
// extend its own, and in all instances.
func definition(x entity) entity {
	if op, ok := x.(*operator); ok {
		return op.body
	}
	return x
}

// Chooses reports whether anything was compiled whose value may depend on the order or
// the names of model values: CHOOSE, a fold over a set, ToString.
func (s *Spec) Chooses() bool { return s.chooses }

// Asserted reports whether an Assert was evaluated since the last call.
func (s *Spec) Asserted() bool { return s.asserted.Swap(false) }

// Remembered returns the size in bytes of the caches of all evaluators.
func (s *Spec) Remembered() int64 { return s.held.Load() }

// Given returns an error if a constant has no value from the configuration, a file.
func (s *Spec) Given(config string) error {
	for _, c := range s.consts {
		if _, ok := s.overrides[c]; c.val == nil && !ok {
			sign := "="
			if c.arity > 0 {
				sign = "<-"
			}
			return fmt.Errorf("constant %s of %s is given no value: write CONSTANT %s %s … in %s", c.name, s.Name, c.name, sign, config)
		}
	}
	return nil
}

// NameError says that a name is not a definition without parameters in the root module.
type NameError struct{ Name, Text string }

func (e *NameError) Error() string { return e.Text }

// Named returns the body of a definition without parameters in the root module, or a
// *NameError.
func (s *Spec) Named(name string) (Formula, error) {
	x := s.replaced(s.root.scope.lookup(name), false)
	switch x := x.(type) {
	case nil:
		return Formula{}, &NameError{name, fmt.Sprintf("module %s defines no %s: define it, or name another here", s.Name, name)}
	case *operator:
		if len(x.params) == 0 {
			return Formula{x.body, place{sc: x.scope, name: name}}, nil
		}
	}
	return Formula{}, &NameError{name, fmt.Sprintf("%s is no definition without parameters in %s", name, s.Name)}
}

// Behaviour is a specification: its initial states, its steps, and its fairness.
type Behaviour struct {
	Init []Formula
	Next Formula
	Fair []Formula // conjunctions of fairness conditions
}

// Behaviour splits a specification into Init /\ [][Next]_v /\ fairness.
func (s *Spec) Behaviour(name string) (b *Behaviour, err error) {
	defer recovered(nil, &err)
	f, err := s.Named(name)
	if err != nil {
		return nil, err
	}
	b = &Behaviour{}
	b.take(f)
	if b.Next.x == nil {
		f.site().fail("%s has no part of the form [][Next]_v", name)
	}
	return b, nil
}

func (b *Behaviour) take(f Formula) {
	switch x := f.x.(type) {
	case *syntax.Junction:
		if x.And && f.temporal() {
			for _, item := range x.Items {
				b.take(f.inner(item))
			}
			return
		}
	case *syntax.Fair:
		b.Fair = append(b.Fair, f)
		return
	case *syntax.Quantified:
		if x.Symbol == `\A` && f.temporal() && fairOnly(x.Body) {
			b.Fair = append(b.Fair, f)
			return
		}
	case *syntax.Ref:
		y, args, _ := resolve(x, f.p)
		if builtin, ok := y.(*builtin); ok && builtin.name == "[]" {
			if sq, ok := args[0].(*syntax.Square); ok && !sq.Angle {
				if b.Next.x != nil {
					f.site().fail("a second [][Next]_v: one is supported")
				}
				if name := f.inner(sq.Sub).leftOut(); name != "" {
					f.inner(sq.Sub).site().fail("the subscript leaves out the variable %s, which may become anything then: not supported; put %s in", name, name)
				}
				b.Next = f.inner(sq.Action)
				return
			}
		}
		op, ok := y.(*operator)
		if ok && f.temporal() && !op.recursive && len(args) == len(op.params) {
			b.take(Formula{op.body, op.inside(op.scope.bind(op.params, args, f.p), x, f.p)})
			return
		}
	}
	if f.temporal() {
		f.site().fail("this part of a specification is not supported")
	}
	b.Init = append(b.Init, f)
}

// fairOnly reports whether a formula consists only of fairness conditions.
func fairOnly(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Fair:
		return true
	case *syntax.Junction:
		return x.And && !slices.ContainsFunc(x.Items, func(item syntax.Expr) bool { return !fairOnly(item) })
	case *syntax.Quantified:
		return x.Symbol == `\A` && fairOnly(x.Body)
	}
	return false
}
