package eval

import (
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
		op    *operator // replaces val
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
		local     bool
		global    bool // it is defined at the top of a module
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
		holds   func(a, b value.Value) bool                                         // if the value is TRUE or FALSE
		logic   func(c *compiler, x syntax.Expr, args []syntax.Expr, p place) truth // special, likewise
		opArgs  []int                                                               // arities of arguments, for special
		refused bool                                                                // it cannot be evaluated
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
