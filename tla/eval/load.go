package eval

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync/atomic"

	"interleave/tla/syntax"
	"interleave/tla/value"
)

// Source returns the text of a module and the file it is from. The error is
// fs.ErrNotExist if there is no such file.
type Source func(name string) (file, text string, err error)

// Alone is the source of one module, with none beside it.
func Alone(name, file, text string) Source {
	return func(other string) (string, string, error) {
		if other != name {
			return "", "", fs.ErrNotExist
		}
		return file, text, nil
	}
}

// Spec is a root module and the modules that it uses, checked.
type Spec struct {
	Name      string
	Variables []string
	Constants []syntax.Param
	Values    *value.Pool // the values that variables have had

	texts
	declarations
	remembering
	rounds   rounds // of looks at levels
	budget   atomic.Pointer[budget]
	asserted atomic.Bool // an Assert was evaluated
	chooses  bool        // something was compiled that may distinguish symmetric values
}

// texts are the modules as they were written.
type texts struct {
	source Source
	file   string // the file of the root module
	text   string // and all that is in it
	trees  map[string]*syntax.Module
	own    map[string]bool // whether a module is in the folder or behind the root module
}

// declarations are what the modules declare and define.
type declarations struct {
	root      *module
	modules   []*module
	depth     int // of modules within one another, while they are elaborated
	vars      []*variable
	consts    []*constant
	overrides map[entity]entity // replacements of constants and definitions
	within    map[entity]entity // likewise, also through an instance
	parts     []Part            // of the next-state relation
}

// remembering is what evaluators need to know of the values that they keep.
type remembering struct {
	naive bool         // nothing is remembered
	sites int          // number of expressions that are remembered
	asks  int          // number of places that test membership
	held  atomic.Int64 // bytes that evaluators use to remember values
}

// MaxModules bounds how deeply modules may extend or instantiate one another.
const MaxModules = 60

// Load reads the named module, and all that it uses, and checks names, arities and
// levels.
func Load(name string, source Source) (s *Spec, err error) {
	defer recovered(nil, &err)
	s = &Spec{
		Name: name, Values: value.NewPool(),
		texts:        texts{source: source, trees: map[string]*syntax.Module{}, own: map[string]bool{name: true}},
		declarations: declarations{overrides: map[entity]entity{}, within: map[entity]entity{}},
	}
	s.Limit(context.Background(), 0)
	root := s.tree(name, &site{file: name})
	s.checkNames(root)
	s.root = s.elaborate(root, &substitution{}, nil)
	for _, v := range s.vars {
		s.Variables = append(s.Variables, v.name)
	}
	for _, c := range s.consts {
		s.Constants = append(s.Constants, syntax.Param{Ident: syntax.Ident{Name: c.name}, Arity: c.arity})
	}
	return s, nil
}

// fromFolder reports whether a module that a file names is in the folder, or behind the
// root module: it comes before one that is built in, whatever its name. What is built in
// knows nothing of the folder.
func (s *Spec) fromFolder(name, file string) bool {
	if strings.HasSuffix(file, inLibrary) {
		return false
	}
	own, ok := s.own[name]
	if !ok {
		_, _, err := s.source(name)
		own = !errors.Is(err, fs.ErrNotExist)
		if !own {
			t, err := syntax.ParseNamed(s.file, s.text, name)
			own = t != nil || err != nil
		}
		s.own[name] = own
	}
	return own
}

// standard returns what a standard module that a file names defines, and whether it is one.
func (s *Spec) standard(name, file string) (map[string]entity, bool) {
	names, ok := standard[name]
	return names, ok && !s.fromFolder(name, file) && (name != folds || strings.HasSuffix(file, inLibrary))
}

// key is a module, among those that were parsed.
func (s *Spec) key(name, file string) string {
	if s.fromFolder(name, file) {
		return name
	}
	return name + inLibrary
}

// tree parses a module that is named at a place, once.
func (s *Spec) tree(name string, at *site) *syntax.Module {
	key := s.key(name, at.file)
	t := s.trees[key]
	if t == nil {
		t = s.parse(name, at)
		s.trees[key] = t
	}
	return t
}

// parse finds the text of a module: in its own file, behind the root module in the file of
// that, or in the library.
func (s *Spec) parse(name string, at *site) *syntax.Module {
	if !s.fromFolder(name, at.file) {
		t := fromLibrary(name)
		if t == nil {
			_, _, err := s.source(name)
			at.fail("module %s: %v, and it is no module that is built in", name, err)
		}
		return t
	}
	file, text, err := s.source(name)
	switch {
	case err == nil:
		t, err := syntax.ParseModule(file, text)
		if err != nil {
			panic(err)
		}
		if t.Name != name {
			at.fail("%s holds module %s, not %s", file, t.Name, name)
		}
		if name == s.Name {
			s.file, s.text = file, text
		}
		return t
	case !errors.Is(err, fs.ErrNotExist) || name == s.Name:
		at.fail("module %s: %v", name, err)
	}
	t, inner := syntax.ParseNamed(s.file, s.text, name)
	if inner != nil {
		panic(inner)
	}
	return t
}
