package eval

import (
	"strconv"

	"interleave/tla/syntax"
)

// resolve returns the entity that a Ref names, the arguments of its last step, and the
// level of the arguments of the instances on its path.
func resolve(r *syntax.Ref, p place) (x entity, args []syntax.Expr, most level) {
	at := &site{file: p.sc.module.tree.File, pos: r.At}
	x = p.sc.lookup(r.Steps[0].Name)
	for i, s := range r.Steps {
		if x == nil {
			at.fail("unknown name %s", s.Name)
		}
		if i == len(r.Steps)-1 {
			return p.sc.module.spec.replaced(x, i > 0), s.Args, most
		}
		inst, ok := x.(*instance)
		if !ok {
			x = partOf(x, s, r.Steps[i+1].Name, at)
			continue
		}
		for _, a := range s.Args {
			most = max(most, levelOf(a, p.sc))
		}
		x = inst.module(s, p, at).exports[r.Steps[i+1].Name]
	}
	return nil, nil, 0
}

// module returns the module of an instance under the arguments of a step, at p.
func (i *instance) module(s syntax.Step, p place, at *site) *module {
	if len(s.Args) != len(i.unit.Params) {
		at.wrongNumber(s.Name, len(i.unit.Params), len(s.Args))
	}
	if i.whole != nil {
		return i.whole
	}
	inner := i.scope.bind(i.unit.Params, s.Args, place{sc: p.sc, within: p.within})
	return i.scope.module.spec.instantiate(i, inner)
}

// partOf returns a part of the definition of an operator without parameters: the whole
// body if part is :, else the operand of that number.
func partOf(x entity, s syntax.Step, part string, at *site) entity {
	op, ok := x.(*operator)
	if !ok || len(op.params) > 0 || op.recursive || op.function {
		at.fail("%s is followed by !%s, but is neither an instance nor a definition without parameters", s.Name, part)
	}
	y := *op
	y.name, y.whole = op.name+"!"+part, nil
	y.level, y.primes, y.checked, y.open, y.round = constantLevel, false, false, false, 0
	if part == ":" {
		return &y
	}
	n, err := strconv.Atoi(part)
	operands := operandsOf(op.body)
	if err != nil || n < 1 || n > len(operands) {
		at.fail("%s has no part !%s that is supported: parts are numbered operands, or :", s.Name, part)
	}
	y.body = operands[n-1]
	return &y
}

// operandsOf returns the numbered parts of an expression.
func operandsOf(x syntax.Expr) (all []syntax.Expr) {
	switch x := x.(type) {
	case *syntax.Junction:
		if last := len(x.Items) - 1; x.Infix && last > 1 {
			before := *x
			before.Items = x.Items[:last]
			return []syntax.Expr{&before, x.Items[last]}
		}
		return x.Items
	case *syntax.Ref:
		for _, s := range x.Steps {
			all = append(all, s.Args...)
		}
		return all
	case *syntax.If, *syntax.Product, *syntax.Tuple, *syntax.SetOf:
		return syntax.Parts(x)
	case *syntax.Label:
		return operandsOf(x.Body)
	}
	return nil
}
