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
func ParseConfig(file, text string) (*Config, error) {
	tokens, err := syntax.Tokens(file, text, 0)
	if err != nil {
		return nil, err
	}
	r := &configReader{Parser: syntax.NewParser(file, tokens), config: &Config{File: file, places: map[string]syntax.Pos{}}}
	for r.Peek().Kind != syntax.EOF {
		if err := r.section(); err != nil {
			return nil, err
		}
	}
	return r.config, nil
}

type configReader struct {
	*syntax.Parser
	config *Config
	depth  int
}

func (r *configReader) section() error {
	t := r.Next()
	if t.Kind == syntax.String {
		return r.Fail(t, "%v where a section such as INVARIANT or CONSTANT begins", t)
	}
	switch t.Text {
	case "SPECIFICATION":
		return r.single(t, &r.config.Specification)
	case "INIT":
		return r.single(t, &r.config.Init)
	case "NEXT":
		return r.single(t, &r.config.Next)
	case "SYMMETRY":
		return r.single(t, &r.config.Symmetry)
	case "ALIAS":
		r.config.Alias = true
		return r.single(t, new(string))
	case "VIEW":
		return r.single(t, &r.config.View)
	case "INVARIANT", "INVARIANTS":
		return r.names(&r.config.Invariants)
	case "PROPERTY", "PROPERTIES":
		return r.names(&r.config.Properties)
	case "CONSTRAINT", "CONSTRAINTS":
		return r.names(&r.config.Constraints)
	case "ACTION_CONSTRAINT", "ACTION_CONSTRAINTS":
		return r.names(&r.config.ActionLimits)
	case "CONSTANT", "CONSTANTS":
		return r.constants()
	case "CHECK_DEADLOCK":
		v := r.Next()
		if v.Kind == syntax.String || v.Text != "TRUE" && v.Text != "FALSE" {
			return r.Fail(v, "CHECK_DEADLOCK is followed by %v, not TRUE or FALSE", v)
		}
		r.config.NoDeadlock = v.Text == "FALSE"
		return nil
	}
	if sections[t.Text] {
		return r.Fail(t, "%s is not supported", t.Text)
	}
	return r.Fail(t, "%v where a section such as INVARIANT or CONSTANT begins", t)
}

func (r *configReader) single(section syntax.Token, to *string) error {
	t := r.Next()
	switch {
	case t.Kind != syntax.Name || sections[t.Text]:
		return r.Fail(t, "%v where a name is expected, after %s", t, section.Text)
	case *to != "":
		return r.Fail(t, "a second %s", section.Text)
	}
	*to = t.Text
	r.gives(t)
	return nil
}

// gives records where the name of a definition is first given.
func (r *configReader) gives(t syntax.Token) {
	if _, ok := r.config.places[t.Text]; !ok {
		r.config.places[t.Text] = t.Pos
	}
}

// more reports whether a section continues.
func (r *configReader) more() bool {
	t := r.Peek()
	return t.Kind != syntax.EOF && (t.Kind == syntax.String || !sections[t.Text])
}

// names reads names, and keeps each once.
func (r *configReader) names(to *[]string) error {
	for r.more() {
		t := r.Next()
		if t.Is(",") {
			return r.Fail(t, "a comma: what a section lists stands one after another, without commas")
		}
		if t.Kind != syntax.Name {
			return r.Fail(t, "%v where a name is expected", t)
		}
		if !slices.Contains(*to, t.Text) {
			*to = append(*to, t.Text)
			r.gives(t)
		}
	}
	return nil
}

func (r *configReader) constants() error {
	for r.more() {
		t := r.Next()
		if t.Is(",") {
			return r.Fail(t, "a comma: what a section lists stands one after another, without commas")
		}
		c := Constant{Name: syntax.Canonical(t.Text), Pos: t.Pos}
		if t.Kind != syntax.Name && t.Kind != syntax.Symbol {
			return r.Fail(t, "%v where the name of a constant is expected", t)
		}
		switch sign := r.Next(); {
		case sign.Is("="):
			err := r.within(&c)
			if err != nil {
				return err
			}
			v, err := r.value()
			if err != nil {
				return err
			}
			c.Value = v
		case sign.Is("<-"):
			if err := r.within(&c); err != nil {
				return err
			}
			by := r.Next()
			if by.Kind != syntax.Name && by.Kind != syntax.Symbol {
				return r.Fail(by, "%v where the name of a definition is expected", by)
			}
			c.By = syntax.Canonical(by.Text)
		default:
			return r.Fail(sign, "%v where = or <- is expected, after %s", sign, c.Name)
		}
		r.config.Constants = append(r.config.Constants, c)
	}
	return nil
}

// within reads [Module], if present.
func (r *configReader) within(c *Constant) error {
	if !r.Peek().Is("[") {
		return nil
	}
	r.Next()
	t := r.Next()
	if t.Kind != syntax.Name || !r.Peek().Is("]") {
		return r.Fail(t, "[%v where [Module] is expected", t)
	}
	r.Next()
	c.In = t.Text
	return nil
}

// value reads a number, a string, TRUE, FALSE, a set or a model value.
func (r *configReader) value() (value.Value, error) {
	t := r.Next()
	switch {
	case t.Kind == syntax.Number:
		return r.number(t, t.Text)
	case t.Is("-") && r.Peek().Kind == syntax.Number:
		return r.number(t, "-"+r.Next().Text)
	case t.Kind == syntax.String:
		return value.String(t.Text), nil
	case t.Text == "TRUE" || t.Text == "FALSE":
		return value.Bool(t.Text == "TRUE"), nil
	case t.Kind == syntax.Name && !sections[t.Text]:
		return value.Model(t.Text), nil
	case t.Is("{"):
		return r.set(t)
	}
	return nil, r.Fail(t, "%v where a value is expected: a number, a string, a set or a model value", t)
}

func (r *configReader) number(t syntax.Token, text string) (value.Value, error) {
	var n int64
	if _, err := fmt.Sscanf(text, "%d", &n); err != nil || fmt.Sprint(n) != text {
		return nil, r.Fail(t, "%s is no integer of 64 bits", text)
	}
	return value.Int(n), nil
}

func (r *configReader) set(open syntax.Token) (value.Value, error) {
	if r.depth++; r.depth > syntax.MaxDepth {
		return nil, r.Fail(open, "sets are nested more than %d deep", syntax.MaxDepth)
	}
	defer func() { r.depth-- }()
	var elems []value.Value
	for !r.Peek().Is("}") {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		elems = append(elems, v)
		if !r.Peek().Is(",") {
			break
		}
		r.Next()
	}
	if t := r.Next(); !t.Is("}") {
		return nil, r.Fail(t, "%v where } is expected", t)
	}
	return value.NewSet(elems), nil
}
