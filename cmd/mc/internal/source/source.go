// Package source finds the lines of handlers in the source of the module that mc runs in.
package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"interleave/model"
	"interleave/spec"
)

// Line is a line of a file, by its name in the repository, with slashes.
type Line struct {
	File   string
	Number int
}

// Tree finds handlers in the source of the module that we are in.
type Tree struct {
	here         string // the folder that we are in
	repository   string // the folder of the repository that it is in; here, if it is in none
	root, Module string // the folder of the module, and its import path
	found        map[string]Line
}

// Here looks for the module that we are in. Without one nothing is found but
// what the compiler knows.
func Here() *Tree {
	here, _ := os.Getwd()
	return Around(here)
}

// Around looks for the module that an absolute folder is in, which need not exist yet.
func Around(folder string) *Tree {
	s := &Tree{here: folder, repository: folder, found: map[string]Line{}}
	if dir := above(folder, ".git"); dir != "" { // a folder, or a file in a further work tree
		s.repository = dir
	}
	if dir := above(folder, "go.mod"); dir != "" {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			if name := moduleName(text); name != "" {
				s.root, s.Module = dir, name
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

// Of returns where the handler of the last step of a trace is, or of a run that goes
// on forever that of the step before the loop is closed; nowhere if that is not known.
func (s *Tree) Of(m spec.Machine, events []model.Event) Line {
	for i := len(events) - 1; i >= 0; i-- {
		if p := s.Handler(m, events[i]); p != (Line{}) {
			return p
		}
	}
	return Line{}
}

// Handler returns where what handles an event is.
func (s *Tree) Handler(m spec.Machine, e model.Event) Line {
	step := e.Step
	switch e.Action {
	case model.Round:
		step = spec.Event{Kind: spec.Round}
	case model.Handle, model.CrashMidStep:
	default:
		return Line{}
	}
	where := m.Traits().Where(step)
	if where.Function == "" {
		return Line{}
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
func (s *Tree) place(where spec.Place) Line {
	if p := s.declared(where.Function, path.Base(where.File)); p != (Line{}) {
		return p
	}
	file := where.File
	if !filepath.IsAbs(file) { // with -trimpath a module is called by its import path
		below, in := strings.CutPrefix(file, s.Module+"/")
		if !in || s.Module == "" {
			return Line{}
		}
		file = filepath.Join(s.root, filepath.FromSlash(below))
	}
	return Line{s.Relative(file), where.Line}
}

// declared returns where a function is declared that has a name, or what it stands in;
// nowhere if that is not in this module. The base of the file tells which is meant of
// several with build constraints.
func (s *Tree) declared(function, base string) Line {
	slash := strings.LastIndex(function, "/") + 1
	name, rest, ok := strings.Cut(function[slash:], ".")
	pkg := function[:slash] + name
	below, in := strings.CutPrefix(pkg+"/", s.Module+"/")
	if !ok || s.Module == "" || !in {
		return Line{}
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
				return Line{s.Relative(file), set.Position(f.Pos()).Line}
			}
		}
	}
	return Line{}
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

// Line returns a line of a file, which may be named from where we are.
func (s *Tree) Line(file string, number int) Line { return Line{s.Relative(file), number} }

// Relative returns a file, which may be named from where we are, as it is called in the repository.
func (s *Tree) Relative(file string) string {
	if !filepath.IsAbs(file) {
		file = filepath.Join(s.here, file)
	}
	if rel, err := filepath.Rel(s.repository, file); err == nil {
		file = rel
	}
	return filepath.ToSlash(file)
}

// RelativeToRoot returns an absolute folder as an import path within the module.
func (s *Tree) RelativeToRoot(folder string) string {
	rel, err := filepath.Rel(s.root, folder)
	if err != nil {
		return folder
	}
	return filepath.ToSlash(rel)
}

// Library is the module that this package is part of.
const Library = "interleave"

// OwnFolder returns where the sources of this module are; "" if this program was built
// elsewhere, or with -trimpath.
func OwnFolder() string {
	_, file, _, _ := runtime.Caller(0)
	if s := Around(filepath.Dir(file)); filepath.IsAbs(file) && s.Module == Library {
		return s.root
	}
	return ""
}

// Uses reports whether the module that we are in is Interleave, or its go.mod names it.
func (s *Tree) Uses() bool {
	text, err := os.ReadFile(filepath.Join(s.root, "go.mod"))
	return s.Module == Library || err == nil && required.Match(goModComment.ReplaceAll(text, nil))
}

var required = regexp.MustCompile(`(?m)^\s*(?:require\s+)?` + Library + `\s+v`)
