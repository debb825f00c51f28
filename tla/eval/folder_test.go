package eval

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"interleave/tla/value"
)

// builtInModules returns the names of all modules that are built in.
func builtInModules(t *testing.T) []string {
	names := maps.Clone(operatorsOf(t))
	for name := range standard {
		names[name] = nil
	}
	delete(names, folds)
	return slices.Sorted(maps.Keys(names))
}

// TestFolderFirst: a module of the folder, one behind the root module and one inside of it
// come before one that is built in, however they are named and used.
func TestFolderFirst(t *testing.T) {
	for _, name := range builtInModules(t) {
		own := "---- MODULE " + name + " ----\nHere == 42\n====\n"
		for _, c := range []struct{ root, behind string }{
			{"EXTENDS Inside\nA == Here", "none"},
			{"EXTENDS Beside\nA == Here", "none"},
			{"EXTENDS " + name + "\nA == Here", ""},
			{"INSTANCE " + name + "\nA == Here", ""},
			{"LOCAL INSTANCE " + name + "\nA == Here", ""},
			{"I == INSTANCE " + name + "\nA == I!Here", ""},
			{"A == LET I == INSTANCE " + name + " IN I!Here", ""},
			{"EXTENDS Other\nA == Here", ""},
			{"EXTENDS " + name + "\nA == Here", own},
			{own + "INSTANCE " + name + "\nA == Here", "none"},
			{own + "I == INSTANCE " + name + "\nA == I!Here", "none"},
		} {
			modules := map[string]string{
				"M": "---- MODULE M ----\n" + c.root + "\n====\n" + c.behind, "Inside": "---- MODULE Inside ----\n" + own + "INSTANCE " + name + "\n====",
				"Beside": "---- MODULE Beside ----\n" + own + "---- MODULE B ----\nEXTENDS " + name + "\n====\nINSTANCE B\n====", "Other": "---- MODULE Other ----\nEXTENDS " + name + "\n====",
			}
			if c.behind == "" {
				modules[name] = own
			}
			s, err := Load("M", func(name string) (string, string, error) {
				if text, ok := modules[name]; ok {
					return name + ".tla", text, nil
				}
				return "", "", fs.ErrNotExist
			})
			if err != nil {
				t.Errorf("%s: %v", c.root, err)
				continue
			}
			if v, err := s.Constant("A"); err != nil || v != value.Value(value.Int(42)) {
				t.Errorf("%s: %v, %v", c.root, v, err)
			}
		}
	}
}

// TestLibraryAlone: what is built in does not use the modules of a folder, and no module
// of a folder uses what only the library is written with.
func TestLibraryAlone(t *testing.T) {
	own := func(name string) string { return "---- MODULE " + name + " ----\nHere == 42\n====" }
	s, err := Load("M", func(name string) (string, string, error) {
		switch {
		case name == "M":
			return "M.tla", "---- MODULE M ----\nEXTENDS SequencesExt, FiniteSetsExt\nA == <<Reverse(<<1, 2>>), ToBag(<<>>), SumSet({}), Choices({{1}})>>\n====", nil
		case strings.HasSuffix(name, "Ext"):
			return "", "", fs.ErrNotExist
		}
		return name + ".tla", own(name), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.Constant("A"); err != nil || value.Format(v) != "<<<<2, 1>>, <<>>, 0, {{1}}>>" {
		t.Error(v, err)
	}
	_, err = Load("M", Alone("M", "M.tla", "---- MODULE M ----\nEXTENDS "+folds+"\n===="))
	if err == nil || !strings.Contains(err.Error(), "it is no module that is built in") {
		t.Error(err)
	}
}

// TestInsideCountsInside: a module inside of the root module is none for other modules.
func TestInsideCountsInside(t *testing.T) {
	s, err := Load("M", func(name string) (string, string, error) {
		switch name {
		case "M":
			return "M.tla", "---- MODULE M ----\nEXTENDS Other\n---- MODULE Functions ----\nRange(f) == 42\n====\nA == Known\n====", nil
		case "Other":
			return "Other.tla", "---- MODULE Other ----\nLOCAL INSTANCE Functions\nKnown == Range(<<7>>)\n====", nil
		}
		return "", "", fs.ErrNotExist
	})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.Constant("A"); err != nil || value.Format(v) != "{7}" {
		t.Error(v, err)
	}
}

// TestInsideNames: the names of a module inside of another are those that it has, not
// those of what is built in.
func TestInsideNames(t *testing.T) {
	const text = "---- MODULE M ----\n---- MODULE Sequences ----\nHere == 42\n====\nINSTANCE Sequences\nA == LET Head == Here IN Head\n===="
	s, err := Load("M", Alone("M", "M.tla", text))
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.Constant("A"); err != nil || v != value.Value(value.Int(42)) {
		t.Error(v, err)
	}
}
