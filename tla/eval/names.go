package eval

import (
	"fmt"
	"slices"
	"strings"

	"interleave/tla/syntax"
)

// meaning is what a name stands for, in the words of a message.
type meaning struct {
	kind  string // empty: of the library, which may define more than the community modules do
	where string
}

// The kinds of names that matter; others are only for messages.
const (
	aVariable   = "variable"
	aConstant   = "constant"
	aDefinition = "definition"
	announced   = "announced definition"
)

// glossary has the meanings of names at some place of a module.
type glossary struct {
	around  *glossary
	known   map[string]meaning
	modules map[string]*syntax.Module // the modules inside of this one
}

func (s *glossary) inner() *glossary {
	return &glossary{s, map[string]meaning{}, map[string]*syntax.Module{}}
}

func (s *glossary) lookup(name string) (meaning, bool) {
	for ; s != nil; s = s.around {
		if m, ok := s.known[name]; ok {
			return m, true
		}
	}
	return meaning{"operator", "of TLA+"}, language.lookup(name) != nil
}

func (s *glossary) module(name string) *syntax.Module {
	for ; s != nil; s = s.around {
		if t := s.modules[name]; t != nil {
			return t
		}
	}
	return nil
}

// naming checks names from the top of a module to its bottom, by the rules of TLA+: a
// name may not be used before it is declared or defined, and not be declared or defined
// again where it has a meaning.
type naming struct {
	*loader
	file    string
	here    *glossary
	exports map[*syntax.Module]map[string]meaning
	path    []using // the modules from the root to the current one
	unknown *[]use  // the names that had no meaning where they were used
}

// using is a module, and how it comes to use the next one.
type using struct {
	tree *syntax.Module
	how  string
}

const (
	extends      = "extends"
	instantiates = "instantiates"
)

// use is where a name is used.
type use struct {
	syntax.Ident
	file string
}

// checkNames checks the names in a module and in those that it uses.
func checkNames(l *loader, t *syntax.Module) {
	n := naming{loader: l, exports: map[*syntax.Module]map[string]meaning{}}
	n.module(t, nil)
}

// module checks a module, once, and returns the names that it gives to a module that
// extends it.
func (n naming) module(t *syntax.Module, around *glossary) map[string]meaning {
	if seen, ok := n.exports[t]; ok {
		return seen
	}
	exports := map[string]meaning{}
	n.exports[t] = exports
	n.file, n.here, n.path = t.File, around.inner(), append(n.path[:len(n.path):len(n.path)], using{t, instantiates})
	if around == nil {
		n.unknown = new([]use)
	}
	first := len(*n.unknown)
	for _, id := range t.Extends {
		for name, m := range n.of(id, extends) {
			n.here.known[name], exports[name] = m, m
		}
	}
	for _, u := range t.Units {
		for name, m := range n.unit(u) {
			n.here.known[name] = m
			if !isLocal(u) {
				exports[name] = m
			}
		}
	}
	n.early(first)
	return exports
}

func isLocal(u syntax.Unit) bool {
	switch u := u.(type) {
	case *syntax.OpDef:
		return u.Local
	case *syntax.Instance:
		return u.Local
	}
	return false
}

// of returns the names that a module exports, which the current one uses in such a way.
func (n naming) of(id syntax.Ident, how string) map[string]meaning {
	if std, ok := n.standard(id.Name, n.file); ok && n.here.module(id.Name) == nil {
		all := map[string]meaning{}
		for name := range std {
			all[name] = meaning{"operator", "of module " + id.Name}
		}
		return all
	}
	t := n.treeOf(id)
	n.path[len(n.path)-1].how = how
	n.refuseCycle(id, t)
	return n.module(t, nil)
}

// refuseCycle fails if a module that the current one names is the current one, or uses it.
func (n naming) refuseCycle(id syntax.Ident, t *syntax.Module) {
	first := slices.IndexFunc(n.path, func(u using) bool { return u.tree == t })
	if first < 0 {
		return
	}
	cycle := ""
	for _, u := range n.path[first:] {
		cycle += u.tree.Name + " " + u.how + " "
	}
	n.at(id.At).fail("modules use one another in a cycle: %s%s", cycle, t.Name)
}

func (n naming) treeOf(id syntax.Ident) *syntax.Module {
	if t := n.here.module(id.Name); t != nil {
		return t
	}
	return n.tree(id.Name, n.at(id.At))
}

func (n naming) at(pos syntax.Pos) *site { return &site{file: n.file, pos: pos} }

func (n naming) inner() naming { n.here = n.here.inner(); return n }

// meaning is the meaning of a name that the current module introduces.
func (n naming) meaning(kind string, id syntax.Ident) meaning {
	if strings.HasSuffix(n.file, inLibrary) {
		return meaning{}
	}
	return meaning{kind, fmt.Sprintf("at %s:%v", n.file, id.At)}
}

// free fails if a name has a meaning already.
func (n naming) free(id syntax.Ident) {
	if m, ok := n.here.lookup(id.Name); ok && m.kind != "" {
		n.at(id.At).fail("%s hides the %s %s %s: give one of them another name", id.Name, m.kind, id.Name, m.where)
	}
}

// add introduces a name, which must be free.
func (n naming) add(kind string, id syntax.Ident) {
	n.free(id)
	n.here.known[id.Name] = n.meaning(kind, id)
}

// unit checks a unit of a module, and returns the names that it introduces. The
// elaborator checks that none is introduced twice in one module.
func (n naming) unit(u syntax.Unit) map[string]meaning {
	all := map[string]meaning{}
	add := func(kind string, id syntax.Ident) {
		if n.here.around != nil {
			outer := n
			outer.here = n.here.around
			outer.free(id)
		}
		all[id.Name] = n.meaning(kind, id)
	}
	titled := func(id syntax.Ident) {
		if id.Name != "" {
			add(aDefinition, id)
		}
	}
	switch u := u.(type) {
	case *syntax.Constants:
		for _, p := range u.Names {
			add(aConstant, p.Ident)
		}
	case *syntax.Variables:
		for _, id := range u.Names {
			add(aVariable, id)
		}
	case *syntax.Recursive:
		for _, p := range u.Names {
			add(announced, p.Ident)
		}
	case *syntax.OpDef:
		n.definition(u)
		add(aDefinition, u.Ident)
	case *syntax.Assume:
		n.expr(u.Body)
		titled(u.Ident)
	case *syntax.Theorem:
		n.expr(u.Body)
		titled(u.Ident)
	case *syntax.Instance:
		n.instance(u)
		if u.Name != "" {
			add("instance", u.Ident)
			break
		}
		for name, m := range n.of(u.Module, instantiates) {
			if m.kind != aVariable && m.kind != aConstant {
				all[name] = m
			}
		}
	case *syntax.Module:
		n.here.modules[u.Name] = u
		n.path[len(n.path)-1].how = "contains"
		n.module(u, n.here)
	}
	return all
}

// definition checks the definition of a name; the name is not known there, unless it is
// a function.
func (n naming) definition(d *syntax.OpDef) {
	inner := n.inner()
	if d.Function {
		f := d.Body.(*syntax.Function)
		inner.here.known[d.Name] = n.meaning(aDefinition, d.Ident)
		n.bound(inner, f.Bounds, f.Body)
		return
	}
	inner.params(d.Params)
	if m, ok := inner.here.known[d.Name]; ok {
		n.at(d.At).fail("%s hides its %s %s %s: give one of them another name", d.Name, m.kind, d.Name, m.where)
	}
	inner.expr(d.Body)
}

func (n naming) params(all []syntax.Param) {
	for _, p := range all {
		n.add("parameter", p.Ident)
	}
}

// bound checks the sets of a binder and, in inner, introduces the bound names.
func (n naming) bound(inner naming, bounds []syntax.Bound, bodies ...syntax.Expr) {
	for _, b := range bounds {
		n.expr(b.Set)
		for _, id := range b.Names {
			inner.add("bound name", id)
		}
	}
	inner.exprs(bodies)
}

func (n naming) let(x *syntax.Let) {
	first := len(*n.unknown)
	for _, u := range x.Defs {
		switch u := u.(type) {
		case *syntax.Recursive:
			for _, p := range u.Names {
				n.add(announced, p.Ident)
			}
		case *syntax.OpDef:
			n.definition(u)
			if n.here.known[u.Name].kind == announced {
				delete(n.here.known, u.Name)
			}
			n.add(aDefinition, u.Ident)
		case *syntax.Instance:
			n.instance(u)
			n.add("instance", u.Ident)
		}
	}
	n.early(first)
	n.expr(x.Body)
}

// instance checks what is substituted for the names that a module declares: without a
// substitution, a name stands for itself.
func (n naming) instance(u *syntax.Instance) {
	n = n.inner()
	n.params(u.Params)
	given := map[string]bool{}
	for _, w := range u.With {
		given[w.Name] = true
		n.expr(w.Value)
	}
	if _, ok := n.standard(u.Module.Name, n.file); ok && n.here.module(u.Module.Name) == nil {
		return
	}
	n.of(u.Module, instantiates)
	for _, p := range n.declared(n.treeOf(u.Module)) {
		if !given[p.Name] {
			n.used(syntax.Ident{At: u.Module.At, Name: p.Name})
		}
	}
}

func (n naming) used(id syntax.Ident) {
	if _, ok := n.here.lookup(id.Name); !ok {
		*n.unknown = append(*n.unknown, use{id, n.file})
	}
}

// early fails if a name that had no meaning where it was used, from the first on, has
// one now.
func (n naming) early(first int) {
	for _, u := range (*n.unknown)[first:] {
		m, ok := n.here.known[u.Name]
		if !ok {
			continue
		}
		at := &site{file: u.file, pos: u.At}
		if m.kind == aDefinition {
			at.fail("%s is used before it is defined, %s: move that up, or announce %s with RECURSIVE", u.Name, m.where, u.Name)
		}
		at.fail("%s is used before the %s %s %s: move that up", u.Name, m.kind, u.Name, m.where)
	}
}

func (n naming) exprs(all []syntax.Expr) {
	for _, x := range all {
		n.expr(x)
	}
}

func (n naming) expr(x syntax.Expr) {
	switch x := x.(type) {
	case nil:
	case *syntax.Ref:
		n.used(x.Steps[0].Ident)
		for _, s := range x.Steps {
			n.exprs(s.Args)
		}
	case *syntax.Lambda:
		inner := n.inner()
		inner.params(x.Params)
		inner.expr(x.Body)
	case *syntax.Let:
		n.inner().let(x)
	case *syntax.Quantified:
		n.bound(n.inner(), x.Bounds, x.Body)
	case *syntax.Choose:
		n.bound(n.inner(), []syntax.Bound{x.Bound}, x.Body)
	case *syntax.Filter:
		n.bound(n.inner(), []syntax.Bound{x.Bound}, x.Body)
	case *syntax.Image:
		n.bound(n.inner(), x.Bounds, x.Body)
	case *syntax.Function:
		n.bound(n.inner(), x.Bounds, x.Body)
	default:
		n.exprs(syntax.Parts(x))
	}
}
