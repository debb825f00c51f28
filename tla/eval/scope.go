package eval

import (
	"strconv"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// scope has the meanings of names at some place: an entity for each, or that of the
// surrounding scope.
type scope struct {
	around *scope
	names  map[string]entity
	module *module
}

func (s *scope) inner() *scope {
	return &scope{around: s, names: map[string]entity{}, module: s.module}
}

// bind is a scope inside, where parameters stand for arguments at p.
func (s *scope) bind(params []syntax.Param, args []syntax.Expr, p place) *scope {
	inner := s.inner()
	for i, param := range params {
		if param.Arity > 0 {
			inner.names[param.Name] = operatorArgument(args[i], param.Arity, p.sc)
		} else {
			inner.names[param.Name] = &argument{expr: args[i], place: p, slot: -1}
		}
	}
	return inner
}

func (s *scope) lookup(name string) entity {
	for ; s != nil; s = s.around {
		if e, ok := s.names[name]; ok {
			return e
		}
	}
	return nil
}

// entity is the meaning of a name: one of the types below, or *instance.
type entity interface{}

type (
	// constant is declared, and given a value by the configuration.
	constant struct {
		name  string
		arity int
		val   value.Value
	}
	// variable is declared; the state has its value at index.
	variable struct {
		name  string
		index int
	}
	// operator is a definition, or a LAMBDA.
	operator struct {
		name      string
		pos       syntax.Pos
		params    []syntax.Param
		body      syntax.Expr
		scope     *scope // the scope around the definition
		global    bool   // it is defined at the top of a module
		recursive bool
		function  bool // it is a function, and body may use its name
		level     level
		primes    bool // a parameter may be primed in body
		checked   bool
		round     int           // of the last look at it; 0: there was none
		open      bool          // while that lasts
		asked     bool          // for its level, since that began
		whole     *cell         // of a constant expression
		of        *substitution // if it stands for a variable of an instance
	}
	// builtin is an operator of the language or of a standard module.
	builtin struct {
		name    string
		arity   int
		val     value.Value
		fn      func(args []value.Value) value.Value
		fn1     func(a value.Value) value.Value                   // replaces fn
		fn2     func(a, b value.Value) value.Value                // likewise
		made    func(p *value.Pool, a, b value.Value) value.Value // likewise, b may be nil
		special func(c *compiler, r *syntax.Ref, args []syntax.Expr, p place) code
		holds   func(a, b value.Value) bool                                // if the value is TRUE or FALSE
		logic   func(c condition, x syntax.Expr, args []syntax.Expr) truth // special, likewise
		opArgs  []int                                                      // arities of arguments, for special
		refused bool                                                       // it cannot be evaluated
	}
	// local is a bound name.
	local struct {
		slot  int
		worth bool // of an expression that has no prime: what that is with one is not known
	}
	// argument is a name that stands for an expression in another context.
	argument struct {
		expr     syntax.Expr
		place    place
		slot     int // the slot that keeps its value, or -1
		weight   int // if its value is kept, the weight of computing it
		checking bool
	}
	// parameter is a parameter of a definition that is checked by itself.
	parameter struct {
		arity int
	}
)

// instance is a named instance.
type instance struct {
	unit  *syntax.Instance
	scope *scope
	whole *module // if it has no parameters
}

// substitution has the expressions that an instance substitutes for the declarations of
// its module.
type substitution struct {
	names  map[string]entity
	around *substitution // that of the module in which the instance stands
	open   bool          // it depends on arguments
}

// module is a module whose declarations have a meaning.
type module struct {
	tree  *syntax.Module
	scope *scope
	with  *substitution // that of no names for the root module and what it extends
	// exports are the names that a module which extends this one gets.
	exports map[string]entity
	assumes []assumption
	spec    *Spec
}

// assumption is an ASSUME and its scope.
type assumption struct {
	unit  *syntax.Assume
	scope *scope
}

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
