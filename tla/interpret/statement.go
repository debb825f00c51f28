package interpret

import (
	"fmt"

	"interleave/tla/pluscal"
	"interleave/tla/syntax"
)

// statement is one to be run; do is one of the types below, or nil for skip.
type statement struct {
	label string
	pos   syntax.Pos
	do    any
}

type (
	assign []part
	part   struct {
		variable string
		path     []access
		value    number
	}
	// access is a step into a value: to a field, or by arguments.
	access struct {
		field     string
		arguments []number
	}
	choose struct {
		test    number
		yes, no []statement
	}
	either []([]statement)
	loop   struct {
		test number
		body []statement
	}
	with struct {
		name  string // among those that have a value within a step
		in    bool
		value number
		body  []statement
	}
	await  number
	assert number
	output number
	leap   string
	call   struct {
		procedure string
		arguments []number
	}
	back struct{}
)

func (b *builder) statements(list []pluscal.Statement, s scope) []statement {
	var out []statement
	for _, st := range list {
		to := statement{pos: st.Pos, do: b.deed(st.Do, s)}
		if st.Label != nil {
			to.label = st.Label.Name
		}
		out = append(out, to)
	}
	return out
}

func (b *builder) deed(d pluscal.Deed, s scope) any {
	switch d := d.(type) {
	case *pluscal.Assign:
		var parts assign
		for _, p := range d.Parts {
			parts = append(parts, part{p.Variable, b.path(p.Sub, s), b.expr(p.Value, s)})
		}
		return parts
	case *pluscal.If:
		return choose{b.expr(d.Test, s), b.statements(d.Then, s), b.statements(d.Else, s)}
	case *pluscal.Either:
		var branches either
		for _, branch := range d.Branches {
			branches = append(branches, b.statements(branch, s))
		}
		return branches
	case *pluscal.While:
		return loop{b.expr(d.Test, s), b.statements(d.Body, s)}
	case *pluscal.With:
		name := fmt.Sprintf("pcal_with%d", len(b.names))
		b.names = append(b.names, name)
		return with{name, d.In, b.expr(d.Value, s), b.statements(d.Body, s.with(d.Key(), name))}
	case *pluscal.Await:
		return await(b.expr(d.Test, s))
	case *pluscal.Assert:
		return assert(b.expr(d.Test, s))
	case *pluscal.Print:
		return output(b.expr(d.Value, s))
	case *pluscal.Goto:
		return leap(d.Label)
	case *pluscal.Call:
		c := call{procedure: d.Procedure}
		for _, a := range d.Arguments {
			c.arguments = append(c.arguments, b.expr(a, s))
		}
		return c
	case *pluscal.Return:
		return back{}
	}
	return nil // skip
}

// path parses [e].f[e, e].
func (b *builder) path(e pluscal.Expr, s scope) []access {
	var path []access
	for len(e) > 0 {
		if e[0].Is(".") && len(e) > 1 {
			path = append(path, access{field: e[1].Text})
			e = e[2:]
			continue
		}
		var a access
		depth, from := 0, 1
		for i, t := range e {
			switch {
			case t.Is("["), t.Is("("), t.Is("{"), t.Is("<<"):
				depth++
			case t.Is("]"), t.Is(")"), t.Is("}"), t.Is(">>"):
				depth--
			}
			if depth == 1 && t.Is(",") || depth == 0 {
				a.arguments = append(a.arguments, b.expr(e[from:i], s))
				from = i + 1
			}
			if depth == 0 {
				break
			}
		}
		path = append(path, a)
		e = e[from:]
	}
	return path
}

// rest is what remains to be run: statements, and then the loop that they are the body
// of, or what follows.
type rest struct {
	list []statement
	loop string
	next *rest
}

// index records what remains to be run from each label on.
func (b *body) index(list []statement, back string, next *rest) {
	for i, s := range list {
		here := &rest{list[i:], back, next}
		if s.label != "" {
			b.labels[s.label] = here
		}
		behind := &rest{list[i+1:], back, next}
		switch d := s.do.(type) {
		case choose:
			b.index(d.yes, "", behind)
			b.index(d.no, "", behind)
		case either:
			for _, branch := range d {
				b.index(branch, "", behind)
			}
		case loop:
			b.index(d.body, s.label, nil)
		case with:
			b.index(d.body, "", behind)
		}
	}
}
