package eval

import "interleave/tla/syntax"

// resolve returns what a Ref means and the arguments of its last step; and the
// level of what the instances on its path were given.
func resolve(r *syntax.Ref, sc *scope) (x entity, args []syntax.Expr, most level) {
	at := &site{file: sc.module.tree.File, pos: r.At}
	x = sc.lookup(r.Steps[0].Name)
	for i, s := range r.Steps {
		if x == nil {
			at.fail("unknown name %s", s.Name)
		}
		if i == len(r.Steps)-1 {
			return x, s.Args, most
		}
		inst, ok := x.(*instance)
		if !ok {
			at.fail("%s is followed by !, but is no instance; parts of formulas cannot be named here", s.Name)
		}
		for _, a := range s.Args {
			most = max(most, levelOf(a, sc))
		}
		x = inst.module(s, sc, at).exports[r.Steps[i+1].Name]
	}
	return nil, nil, 0
}

// module returns the module of an instance with the arguments of a step.
func (i *instance) module(s syntax.Step, sc *scope, at *site) *module {
	if len(s.Args) != len(i.unit.Params) {
		at.fail("%s takes %d arguments, and %d are given", s.Name, len(i.unit.Params), len(s.Args))
	}
	if i.whole != nil {
		return i.whole
	}
	inner := i.scope.inner()
	for k, p := range i.unit.Params {
		if p.Arity > 0 {
			inner.names[p.Name] = operatorArgument(s.Args[k], p.Arity, sc)
		} else {
			inner.names[p.Name] = &argument{expr: s.Args[k], place: place{sc: sc}, slot: -1}
		}
	}
	return i.scope.module.spec.instantiate(i, inner)
}
