package eval

import (
	"errors"
	"io/fs"
	"strings"

	"interleave/tla/syntax"
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

// loader finds modules and parses each once.
type loader struct {
	Name   string // of the root module
	source Source
	file   string // the file of the root module
	text   string // and all that is in it
	trees  map[string]*syntax.Module
	own    map[string]bool // whether a module is in the folder or behind the root module
}

// fromFolder reports whether a module that a file names is in the folder, or behind the
// root module: it comes before one that is built in, whatever its name. What is built in
// knows nothing of the folder.
func (l *loader) fromFolder(name, file string) bool {
	if strings.HasSuffix(file, inLibrary) {
		return false
	}
	own, ok := l.own[name]
	if !ok {
		_, _, err := l.source(name)
		own = !errors.Is(err, fs.ErrNotExist)
		if !own {
			t, err := syntax.ParseNamed(l.file, l.text, name)
			own = t != nil || err != nil
		}
		l.own[name] = own
	}
	return own
}

// standard returns what a standard module that a file names defines, and whether it is one.
func (l *loader) standard(name, file string) (map[string]entity, bool) {
	names, ok := standard[name]
	return names, ok && !l.fromFolder(name, file) && (name != folds || strings.HasSuffix(file, inLibrary))
}

// key is a module, among those that were parsed.
func (l *loader) key(name, file string) string {
	if l.fromFolder(name, file) {
		return name
	}
	return name + inLibrary
}

// tree parses a module that is named at a place, once.
func (l *loader) tree(name string, at *site) *syntax.Module {
	key := l.key(name, at.file)
	t := l.trees[key]
	if t == nil {
		t = l.parse(name, at)
		l.trees[key] = t
	}
	return t
}

// parse finds the text of a module: in its own file, behind the root module in the file of
// that, or in the library.
func (l *loader) parse(name string, at *site) *syntax.Module {
	if !l.fromFolder(name, at.file) {
		t := fromLibrary(name)
		if t == nil {
			_, _, err := l.source(name)
			at.fail("module %s: %v, and it is no module that is built in", name, err)
		}
		return t
	}
	file, text, err := l.source(name)
	switch {
	case err == nil:
		t, err := syntax.ParseModule(file, text)
		if err != nil {
			panic(err)
		}
		if t.Name != name {
			at.fail("%s holds module %s, not %s", file, t.Name, name)
		}
		if name == l.Name {
			l.file, l.text = file, text
		}
		return t
	case !errors.Is(err, fs.ErrNotExist) || name == l.Name:
		at.fail("module %s: %v", name, err)
	}
	t, inner := syntax.ParseNamed(l.file, l.text, name)
	if inner != nil {
		panic(inner)
	}
	return t
}

// declaration is a constant or a variable that a module declares.
type declaration struct {
	syntax.Param
	variable bool
}

// declared lists the declarations of a module, and of those that it extends.
func (l *loader) declared(t *syntax.Module) (all []declaration) {
	for _, x := range t.Extends {
		if _, ok := l.standard(x.Name, t.File); !ok {
			all = append(all, l.declared(l.tree(x.Name, &site{file: t.File, pos: x.At}))...)
		}
	}
	for _, u := range t.Units {
		switch u := u.(type) {
		case *syntax.Constants:
			for _, p := range u.Names {
				all = append(all, declaration{p, false})
			}
		case *syntax.Variables:
			for _, id := range u.Names {
				all = append(all, declaration{syntax.Param{Ident: id}, true})
			}
		}
	}
	return all
}
