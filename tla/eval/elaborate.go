package eval

import (
	"strings"

	"interleave/tla/syntax"
)

// elaborate gives a module its meaning. Names for which with substitutes something are
// not declared anew; around is the scope of the module that this one is inside of.
func (s *Spec) elaborate(t *syntax.Module, with *substitution, around *scope) *module {
	if s.depth++; s.depth > MaxModules {
		(&site{file: t.File, pos: t.At}).fail("modules use one another more than %d deep", MaxModules)
	}
	defer func() { s.depth-- }()
	m := &module{tree: t, with: with, exports: map[string]entity{}, spec: s}
	s.modules = append(s.modules, m)
	m.scope = &scope{around: around, names: map[string]entity{}, module: m}
	if around == nil {
		m.scope.around = language
	}
	e := &elaborator{s, m, map[string]bool{}}
	for _, name := range t.Extends {
		e.extend(name)
	}
	for _, u := range t.Units {
		e.unit(u)
	}
	e.check()
	return m
}

// elaborator gives one module its meaning, unit by unit.
type elaborator struct {
	*Spec
	m         *module
	recursive map[string]bool
}

func (e *elaborator) at(pos syntax.Pos) *site { return &site{file: e.m.tree.File, pos: pos} }

// declare gives a name its meaning, and exports it unless it is local.
func (e *elaborator) declare(id syntax.Ident, local bool, x entity) {
	old, ok := e.m.scope.names[id.Name]
	switch {
	case !ok || same(old, x):
	case builtIn(x):
		return // the meaning from the folder, or the first one, counts
	case !builtIn(old):
		e.at(id.At).fail("%s is defined twice", id.Name)
	}
	e.m.scope.names[id.Name] = x
	if !local {
		e.m.exports[id.Name] = x
	}
}

// declareAll declares what another module, which is named at a place, defines.
func (e *elaborator) declareAll(names map[string]entity, at syntax.Pos, local bool) {
	for name, x := range names {
		e.declare(syntax.Ident{At: at, Name: name}, local, x)
	}
}

// check checks the levels of what a module defines, assumes and states, and that each
// name announced as RECURSIVE is defined.
func (e *elaborator) check() {
	for _, u := range e.m.tree.Units {
		switch u := u.(type) {
		case *syntax.OpDef:
			if op, ok := e.m.scope.names[u.Name].(*operator); ok {
				op.levelOf()
			}
		case *syntax.Assume:
			if l := levelOf(u.Body, e.m.scope); l > constantLevel {
				e.at(u.At).fail("an assumption is %v; only constants may occur in it", l)
			}
		case *syntax.Theorem:
			if u.Body != nil {
				levelOf(u.Body, e.m.scope)
			}
		}
	}
	for name := range e.recursive {
		if _, ok := e.m.scope.names[name].(*operator); !ok {
			e.at(e.m.tree.At).fail("%s is announced as RECURSIVE and never defined", name)
		}
	}
}

// builtIn reports whether an entity is of the library. Modules of a folder often define
// the same themselves.
func builtIn(x entity) bool {
	op, ok := x.(*operator)
	return ok && strings.HasSuffix(op.scope.module.tree.File, inLibrary)
}

// same reports whether two entities may share a name: they come from one definition in
// two ways.
func same(a, b entity) bool {
	if a == b {
		return true
	}
	x, ok := a.(*operator)
	y, ok2 := b.(*operator)
	return ok && ok2 && x.body == y.body
}

// find returns what the name of a module means in a scope: what a module defines that is
// built in, or else a tree, which may be inside of the module around.
func (s *Spec) find(id syntax.Ident, sc *scope) (std map[string]entity, tree *syntax.Module, inside bool) {
	if tree, inside = sc.lookup("MODULE " + id.Name).(*syntax.Module); inside {
		return nil, tree, true
	}
	at := &site{file: sc.module.tree.File, pos: id.At}
	if std, ok := s.standard(id.Name, at.file); ok {
		return std, nil, false
	}
	return nil, s.tree(id.Name, at), false
}

// extend adds all that another module exports.
func (e *elaborator) extend(name syntax.Ident) {
	std, tree, _ := e.find(name, e.m.scope)
	if std != nil {
		e.declareAll(std, name.At, false)
		return
	}
	other := e.elaborate(tree, e.m.with, nil)
	e.declareAll(other.exports, name.At, false)
	e.m.assumes = append(e.m.assumes, other.assumes...)
}

func (e *elaborator) unit(u syntax.Unit) {
	switch u := u.(type) {
	case *syntax.Constants:
		for _, p := range u.Names {
			e.introduce(p.Ident, func() entity { return e.constantOf(p) })
		}
	case *syntax.Variables:
		for _, id := range u.Names {
			e.introduce(id, func() entity { return e.variableOf(id) })
		}
	case *syntax.Assume:
		e.m.assumes = append(e.m.assumes, assumption{u, e.m.scope})
		if u.Name != "" {
			e.define(&syntax.OpDef{Ident: u.Ident, Body: u.Body})
		}
	case *syntax.Theorem:
		if u.Name != "" && u.Body != nil {
			e.define(&syntax.OpDef{Ident: u.Ident, Body: u.Body})
		}
	case *syntax.Module:
		e.m.scope.names["MODULE "+u.Name] = u
	case *syntax.Recursive:
		for _, p := range u.Names {
			e.recursive[p.Name] = true
		}
	case *syntax.OpDef:
		e.define(u)
	case *syntax.Instance:
		e.instance(u)
	}
}

// introduce declares a constant or a variable, unless an instance substitutes something.
func (e *elaborator) introduce(id syntax.Ident, declared func() entity) {
	x, ok := e.m.with.names[id.Name]
	if !ok {
		x = declared()
	}
	e.declare(id, false, x)
}

// constantOf is the constant of a name, which all modules share.
func (e *elaborator) constantOf(p syntax.Param) *constant {
	c := e.constant(p.Name)
	if c == nil {
		c = &constant{name: p.Name, arity: p.Arity}
		e.consts = append(e.consts, c)
	}
	return c
}

// variableOf is the variable of a name, which all modules share.
func (e *elaborator) variableOf(id syntax.Ident) *variable {
	for _, v := range e.vars {
		if v.name == id.Name {
			return v
		}
	}
	v := &variable{id.Name, len(e.vars)}
	e.vars = append(e.vars, v)
	return v
}

func (e *elaborator) define(d *syntax.OpDef) {
	op := newOperator(d, e.m.scope)
	op.global = true
	op.recursive = e.recursive[d.Name]
	e.declare(d.Ident, d.Local, op)
}

func newOperator(d *syntax.OpDef, sc *scope) *operator {
	return &operator{name: d.Name, pos: d.At, params: d.Params, body: d.Body, scope: sc, function: d.Function}
}

// letDefs adds the definitions of a LET to a scope.
func letDefs(defs []syntax.Unit, inner *scope) {
	recursive := map[string]bool{}
	for _, u := range defs {
		switch u := u.(type) {
		case *syntax.Recursive:
			for _, p := range u.Names {
				recursive[p.Name] = true
			}
		case *syntax.OpDef:
			if _, ok := inner.names[u.Name]; ok {
				(&site{file: inner.module.tree.File, pos: u.At}).fail("%s is defined twice", u.Name)
			}
			op := newOperator(u, inner)
			op.recursive = recursive[u.Name]
			inner.names[u.Name] = op
		case *syntax.Instance:
			if u.Name == "" {
				(&site{file: inner.module.tree.File, pos: u.At}).fail("INSTANCE without a name is not supported inside LET")
			}
			inner.names[u.Name] = newInstance(u, inner)
		}
	}
}

func (e *elaborator) instance(u *syntax.Instance) {
	inst := newInstance(u, e.m.scope)
	if u.Name != "" {
		if u.Params == nil {
			inst.whole = e.instantiate(inst, e.m.scope)
		}
		e.declare(u.Ident, u.Local, inst)
		return
	}
	if std, _, _ := e.find(u.Module, e.m.scope); std != nil {
		e.declareAll(std, u.At, u.Local)
		return
	}
	m := e.instantiate(inst, e.m.scope)
	for n, x := range m.exports {
		if _, declared := m.with.names[n]; declared {
			continue
		}
		switch x.(type) {
		case *operator, *instance, *builtin:
			e.declare(syntax.Ident{At: u.At, Name: n}, u.Local, x)
		}
	}
}

func newInstance(u *syntax.Instance, sc *scope) *instance { return &instance{unit: u, scope: sc} }

// instantiate gives the module of an instance its meaning under WITH, whose expressions
// are in the scope sc.
func (s *Spec) instantiate(i *instance, sc *scope) *module {
	at := &site{file: sc.module.tree.File, pos: i.unit.Module.At}
	std, tree, inside := s.find(i.unit.Module, sc)
	if std != nil {
		return &module{exports: std}
	}
	var around *scope
	if inside {
		around = i.scope
	}
	given := map[string]syntax.Substitution{}
	for _, w := range i.unit.With {
		given[w.Name] = w
	}
	with := &substitution{names: map[string]entity{}, around: sc.module.with, open: !fixed(sc)}
	uses := map[entity]int{}
	declared := s.declared(tree)
	for _, p := range declared {
		if _, ok := with.names[p.Name]; ok {
			continue // it comes in two ways
		}
		if _, ok := given[p.Name]; !ok {
			if sc.lookup(p.Name) == nil {
				at.fail("the instance of %s says nothing of %s, and no %s is known here", tree.Name, p.Name, p.Name)
			}
			given[p.Name] = syntax.Substitution{Ident: syntax.Ident{At: at.pos, Name: p.Name}, Value: syntax.NewRef(at.pos, p.Name)}
		}
		x := substitute(given[p.Name], p.Arity, sc)
		with.names[p.Name] = x
		uses[x]++
	}
	for _, w := range i.unit.With {
		if _, ok := with.names[w.Name]; !ok {
			(&site{file: at.file, pos: w.At}).fail("%s declares no %s", tree.Name, w.Name)
		}
	}
	for _, p := range declared {
		x := with.names[p.Name]
		if _, plain := x.(*variable); !p.variable || plain && uses[x] == 1 && around == nil {
			continue // it is the same as the variable that stands for it
		}
		w := given[p.Name]
		with.names[p.Name] = &operator{name: p.Name, pos: w.At, body: w.Value, scope: sc, of: with}
	}
	return s.elaborate(tree, with, around)
}

// substitute returns what a declared name stands for in an instance.
func substitute(w syntax.Substitution, arity int, sc *scope) entity {
	if arity > 0 {
		return operatorArgument(w.Value, arity, sc)
	}
	if r, ok := w.Value.(*syntax.Ref); ok && len(r.Steps) == 1 && r.Steps[0].Args == nil {
		if x := sc.lookup(r.Steps[0].Name); x != nil {
			return x
		}
	}
	return &operator{name: w.Name, pos: w.At, body: w.Value, scope: sc, global: true}
}

// operatorArgument returns the operator that an expression names, or a LAMBDA.
func operatorArgument(e syntax.Expr, arity int, sc *scope) entity {
	at := &site{file: sc.module.tree.File, pos: e.Pos()}
	switch e := e.(type) {
	case *syntax.Lambda:
		if len(e.Params) != arity {
			at.fail("the LAMBDA has %s, but an operator of %d is expected", count(len(e.Params), "parameter"), arity)
		}
		return &operator{name: "LAMBDA", pos: e.At, params: e.Params, body: e.Body, scope: sc}
	case *syntax.Ref:
		if len(e.Steps) == 1 && e.Steps[0].Args == nil {
			x := sc.lookup(e.Steps[0].Name)
			if x == nil {
				at.fail("unknown operator %s", e.Steps[0].Name)
			}
			if n, ok := arityOf(x); !ok || n != arity {
				at.fail("%s is no operator of %s", e.Steps[0].Name, count(arity, "argument"))
			}
			return x
		}
		// the operator of an instance: a LAMBDA that applies it
		at.fail("an operator of an instance is handed over; define a name for it first")
	}
	at.fail("an operator of %s is expected", count(arity, "argument"))
	return nil
}

// arityOf returns how many arguments an entity takes.
func arityOf(x entity) (int, bool) {
	switch x := x.(type) {
	case *constant:
		return x.arity, true
	case *operator:
		return len(x.params), true
	case *builtin:
		return x.arity, true
	case *parameter:
		return x.arity, true
	case *variable, *local, *argument:
		return 0, true
	}
	return 0, false
}
