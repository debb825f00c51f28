package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"interleave/model"
	"interleave/spec"
)

// codeLine is a line of a file, by its name in the repository, with slashes.
type codeLine struct {
	file string
	line int
}

// sources finds handlers in the source of the module that we are in.
type sources struct {
	here         string // the folder that we are in
	repository   string // the folder of the repository that it is in; here, if it is in none
	root, module string // the folder of the module, and its import path
	found        map[string]codeLine
}

// newSources looks for the module that we are in. Without one nothing is found but
// what the compiler knows.
func newSources() *sources {
	here, _ := os.Getwd()
	return sourcesAround(here)
}

// sourcesAround looks for the module that an absolute folder is in, which need not exist yet.
func sourcesAround(folder string) *sources {
	s := &sources{here: folder, repository: folder, found: map[string]codeLine{}}
	if dir := above(folder, ".git"); dir != "" { // a folder, or a file in a further work tree
		s.repository = dir
	}
	if dir := above(folder, "go.mod"); dir != "" {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			if name := moduleName(text); name != "" {
				s.root, s.module = dir, name
			}
		}
	}
	return s
}

// above returns the first folder from an absolute one upwards that has something of that name;
// "" if none has.
func above(folder, name string) string {
	for dir := folder; dir != ""; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return ""
}

// moduleName returns the name that a go.mod gives its module, in a line or in brackets; empty
// if it gives none.
func moduleName(text []byte) string {
	m := moduleLine.FindSubmatch(goModComment.ReplaceAll(text, nil))
	if m == nil {
		return ""
	}
	return string(m[1])
}

var (
	goModComment = regexp.MustCompile(`(?m)//.*$`)
	moduleLine   = regexp.MustCompile(`(?m)^[ \t]*module(?:[ \t]*\(\s*|[ \t]+)"?([^\s"]+)`)
)

// of returns where the handler of the last step of a trace is, or of a run that goes
// on forever that of the step before the loop is closed; nowhere if that is not known.
func (s *sources) of(m spec.Machine, events []model.Event) codeLine {
	for i := len(events) - 1; i >= 0; i-- {
		if p := s.handler(m, events[i]); p != (codeLine{}) {
			return p
		}
	}
	return codeLine{}
}

// handler returns where what handles an event is.
func (s *sources) handler(m spec.Machine, e model.Event) codeLine {
	kind := e.Step.Kind
	switch e.Deed {
	case model.Round:
		kind = spec.Round
	case model.Handle, model.Break:
	default:
		return codeLine{}
	}
	where := m.Traits().Where(kind)
	if where.Function == "" {
		return codeLine{}
	}
	if p, ok := s.found[where.Function]; ok {
		return p
	}
	p := s.place(where)
	s.found[where.Function] = p
	return p
}

// place returns where a function is declared, as far as the source tells, and otherwise
// where the compiler says that it is.
func (s *sources) place(where spec.Place) codeLine {
	if p := s.declared(where.Function, path.Base(where.File)); p != (codeLine{}) {
		return p
	}
	file := where.File
	if !filepath.IsAbs(file) { // with -trimpath a module is called by its import path
		below, in := strings.CutPrefix(file, s.module+"/")
		if !in || s.module == "" {
			return codeLine{}
		}
		file = filepath.Join(s.root, filepath.FromSlash(below))
	}
	return codeLine{s.relative(file), where.Line}
}

// declared returns where a function is declared that has a name, or what it stands in;
// nowhere if that is not in this module. The base of the file tells which is meant of
// several with build constraints.
func (s *sources) declared(function, base string) codeLine {
	slash := strings.LastIndex(function, "/") + 1
	name, rest, ok := strings.Cut(function[slash:], ".")
	pkg := function[:slash] + name
	below, in := strings.CutPrefix(pkg+"/", s.module+"/")
	if !ok || s.module == "" || !in {
		return codeLine{}
	}
	words := strings.Split(strings.NewReplacer("(*", "", ")", "").Replace(rest), ".")
	files, _ := filepath.Glob(filepath.Join(s.root, filepath.FromSlash(below), "*.go"))
	if meant := slices.IndexFunc(files, func(file string) bool { return filepath.Base(file) == base }); meant >= 0 {
		files = slices.Insert(files, 0, files[meant])
	}
	for _, file := range files {
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && isCalled(f, words) {
				return codeLine{s.relative(file), set.Position(f.Pos()).Line}
			}
		}
	}
	return codeLine{}
}

// isCalled reports whether a function is named by the first words: its own name, after
// that of its receiver's type if it has one.
func isCalled(f *ast.FuncDecl, words []string) bool {
	if f.Recv == nil {
		return f.Name.Name == words[0]
	}
	kind := f.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	name, ok := kind.(*ast.Ident)
	return ok && len(words) > 1 && name.Name == words[0] && f.Name.Name == words[1]
}

// relative returns a file, which may be named from where we are, as it is called in the repository.
func (s *sources) relative(file string) string {
	if !filepath.IsAbs(file) {
		file = filepath.Join(s.here, file)
	}
	if rel, err := filepath.Rel(s.repository, file); err == nil {
		file = rel
	}
	return filepath.ToSlash(file)
}

// relativeToRoot returns an absolute folder as an import path within the module.
func (s *sources) relativeToRoot(folder string) string {
	rel, err := filepath.Rel(s.root, folder)
	if err != nil {
		return folder
	}
	return filepath.ToSlash(rel)
}

// library is the module that this package is part of.
const library = "interleave"
