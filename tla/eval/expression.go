package eval

import "interleave/tla/value"

// Expression is a compiled definition that has a value in a state.
type Expression struct {
	spec  *Spec
	code  code
	slots int
	at    *site
}

// Expression compiles a definition without parameters of the root module.
func (s *Spec) Expression(name string) (x *Expression, err error) {
	defer recovered(nil, &err)
	f, err := s.Named(name)
	if err != nil {
		return nil, err
	}
	f.atMost(stateLevel, "a value")
	c := &compiler{spec: s}
	x = &Expression{spec: s, code: c.expr(f.x, f.p), at: f.site()}
	x.slots = c.slots
	return x, nil
}

// Value returns the value in a state, enumerated in full. Any goroutine may call it.
func (x *Expression) Value(state []value.Value) (v value.Value, err error) {
	e := x.spec.env(x.slots)
	e.cur, e.at = state, x.at
	defer recovered(&e.at, &err)
	return value.Explicit(x.code(e)), nil
}
