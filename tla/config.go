package tla

import (
	"errors"
	"fmt"
	"slices"

	"interleave/tla/eval"
	"interleave/tla/syntax"
	"interleave/tla/value"
)

// Config is the content of a configuration file, in the language of TLC.
type Config struct {
	File           string
	Specification  string
	Init, Next     string
	Constants      []Constant
	Invariants     []string
	Properties     []string
	Constraints    []string
	ActionLimits   []string // ACTION_CONSTRAINT
	Symmetry, View string
	NoDeadlock     bool // CHECK_DEADLOCK FALSE
	Alias          bool // there is an ALIAS, which TLC uses to show traces

	places map[string]syntax.Pos // where it first gives the name of a definition
}

// placed gives an error about a name the position where the configuration gives the
// name.
func (c *Config) placed(err error) error {
	var of *eval.NameError
	if !errors.As(err, &of) {
		return err
	}
	if pos, ok := c.places[of.Name]; ok {
		return fmt.Errorf("%s:%v: %w", c.File, pos, err)
	}
	return fmt.Errorf("%s: %w", c.File, err)
}

// Constant is what replaces a name: a value, or another name.
type Constant struct {
	Name  string
	Value value.Value
	By    string
	In    string // if not empty, the module in which Name has the meaning that is replaced
	Pos   syntax.Pos
}

// sections are the keywords that begin a part of a configuration.
var sections = map[string]bool{
	"SPECIFICATION": true, "INIT": true, "NEXT": true, "CONSTANT": true, "CONSTANTS": true,
	"INVARIANT": true, "INVARIANTS": true, "PROPERTY": true, "PROPERTIES": true, "CONSTRAINT": true, "CONSTRAINTS": true,
	"ACTION_CONSTRAINT": true, "ACTION_CONSTRAINTS": true, "SYMMETRY": true, "VIEW": true, "CHECK_DEADLOCK": true,
	"ALIAS": true, "POSTCONDITION": true, "PERIODIC": true, "TYPE": true, "TYPE_CONSTRAINT": true, "_PERIODIC": true,
}

// ParseConfig reads a configuration.
func ParseConfig(file, text string) (c *Config, err error) {
	tokens, err := syntax.Tokens(file, text, 0)
	if err != nil {
		return nil, err
	}
	r := &configReader{Parser: syntax.NewParser(file, tokens), config: &Config{File: file, places: map[string]syntax.Pos{}}}
	defer r.Recovered(&err)
	for r.Peek().Kind != syntax.EOF {
		r.section()
	}
	return r.config, nil
}

// configReader reads a configuration; its methods panic with a *syntax.Error.
type configReader struct {
	*syntax.Parser
	config   *Config
	deadlock bool // CHECK_DEADLOCK is given
	depth    int
}

func (r *configReader) section() {
	c, t := r.config, r.Next()
	one := map[string]*string{"SPECIFICATION": &c.Specification, "INIT": &c.Init, "NEXT": &c.Next, "SYMMETRY": &c.Symmetry, "VIEW": &c.View, "ALIAS": new(string)}
	many := map[string]*[]string{
		"INVARIANT": &c.Invariants, "INVARIANTS": &c.Invariants, "PROPERTY": &c.Properties, "PROPERTIES": &c.Properties,
		"CONSTRAINT": &c.Constraints, "CONSTRAINTS": &c.Constraints, "ACTION_CONSTRAINT": &c.ActionLimits, "ACTION_CONSTRAINTS": &c.ActionLimits,
	}
	switch section := t.Text; {
	case t.Kind == syntax.String:
		r.Fail(t, "%v where a section such as INVARIANT or CONSTANT begins", t)
	case one[section] != nil:
		c.Alias = c.Alias || section == "ALIAS"
		r.single(t, one[section])
	case many[section] != nil:
		r.names(many[section])
	case section == "CONSTANT" || section == "CONSTANTS":
		r.constants()
	case section == "CHECK_DEADLOCK":
		if r.deadlock {
			r.Fail(t, "a second %s", section)
		}
		v := r.Next()
		if v.Kind == syntax.String || v.Text != "TRUE" && v.Text != "FALSE" {
			r.Fail(v, "CHECK_DEADLOCK is followed by %v, not TRUE or FALSE", v)
		}
		c.NoDeadlock, r.deadlock = v.Text == "FALSE", true
	case sections[section]:
		r.Fail(t, "%s is not supported", section)
	default:
		r.Fail(t, "%v where a section such as INVARIANT or CONSTANT begins", t)
	}
}

func (r *configReader) single(section syntax.Token, to *string) {
	t := r.Next()
	switch {
	case t.Kind != syntax.Name || sections[t.Text]:
		r.Fail(t, "%v where a name is expected, after %s", t, section.Text)
	case *to != "":
		r.Fail(t, "a second %s", section.Text)
	}
	*to = t.Text
	r.gives(t)
}

// gives records where the name of a definition is first given.
func (r *configReader) gives(t syntax.Token) {
	if _, ok := r.config.places[t.Text]; !ok {
		r.config.places[t.Text] = t.Pos
	}
}

// item returns the next token of a section, if that continues.
func (r *configReader) item() (t syntax.Token, ok bool) {
	t = r.Peek()
	if t.Kind == syntax.EOF || t.Kind != syntax.String && sections[t.Text] {
		return t, false
	}
	if t.Is(",") {
		r.Fail(t, "a comma: what a section lists stands one after another, without commas")
	}
	return r.Next(), true
}

// names reads names, and keeps each once.
func (r *configReader) names(to *[]string) {
	for t, ok := r.item(); ok; t, ok = r.item() {
		if t.Kind != syntax.Name {
			r.Fail(t, "%v where a name is expected", t)
		}
		if !slices.Contains(*to, t.Text) {
			*to = append(*to, t.Text)
			r.gives(t)
		}
	}
}

func (r *configReader) constants() {
	for t, ok := r.item(); ok; t, ok = r.item() {
		c := Constant{Name: r.operator(t, "constant"), Pos: t.Pos}
		switch sign := r.Next(); {
		case sign.Is("="):
			c.In = r.within()
			c.Value = r.value()
		case sign.Is("<-"):
			c.In = r.within()
			c.By = r.operator(r.Next(), "definition")
		default:
			r.Fail(sign, "%v where = or <- is expected, after %s", sign, c.Name)
		}
		if slices.ContainsFunc(r.config.Constants, func(d Constant) bool { return d.Name == c.Name && d.In == c.In }) {
			r.Fail(t, "%s is given a second time", c.Name)
		}
		r.config.Constants = append(r.config.Constants, c)
	}
}

// operator returns the name of a constant or definition, which may be a symbol.
func (r *configReader) operator(t syntax.Token, of string) string {
	if t.Kind != syntax.Name && t.Kind != syntax.Symbol {
		r.Fail(t, "%v where the name of a %s is expected", t, of)
	}
	return syntax.Canonical(t.Text)
}

// within reads [Module], if present.
func (r *configReader) within() string {
	if !r.Peek().Is("[") {
		return ""
	}
	r.Next()
	t := r.Next()
	if t.Kind != syntax.Name || !r.Peek().Is("]") {
		r.Fail(t, "[%v where [Module] is expected", t)
	}
	r.Next()
	return t.Text
}

// value reads a number, a string, TRUE, FALSE, a set or a model value.
func (r *configReader) value() value.Value {
	t := r.Next()
	switch {
	case t.Kind == syntax.Number:
		return r.number(t, t.Text)
	case t.Is("-") && r.Peek().Kind == syntax.Number:
		return r.number(t, "-"+r.Next().Text)
	case t.Kind == syntax.String:
		return value.String(t.Text)
	case t.Text == "TRUE" || t.Text == "FALSE":
		return value.Bool(t.Text == "TRUE")
	case t.Kind == syntax.Name && !sections[t.Text]:
		return value.Model(t.Text)
	case t.Is("{"):
		return r.set(t)
	}
	r.Fail(t, "%v where a value is expected: a number, a string, a set or a model value", t)
	return nil
}

func (r *configReader) number(t syntax.Token, text string) value.Value {
	var n int64
	if _, err := fmt.Sscanf(text, "%d", &n); err != nil || fmt.Sprint(n) != text {
		r.Fail(t, "%s is no integer of 64 bits", text)
	}
	return value.Int(n)
}

func (r *configReader) set(open syntax.Token) value.Value {
	if r.depth++; r.depth > syntax.MaxDepth {
		r.Fail(open, "sets are nested more than %d deep", syntax.MaxDepth)
	}
	defer func() { r.depth-- }()
	var elems []value.Value
	for !r.Peek().Is("}") {
		elems = append(elems, r.value())
		if !r.Peek().Is(",") {
			break
		}
		r.Next()
	}
	if t := r.Next(); !t.Is("}") {
		r.Fail(t, "%v where } is expected", t)
	}
	return value.NewSet(elems)
}
