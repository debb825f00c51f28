package interleave_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows is every import that the house allows: from a folder, or from all
// folders that a pattern matches, to our own packages and to the outside. Tests
// may import whatever they like. A new arrow is a reviewed change to this table.
var arrows = []struct {
	from string
	to   string // our own packages
	std  string // which of the standard library; "all", or "timeless": not what handlers must not use, but for what is named
	mod  string // modules of others
}{
	{from: ".", std: "all"},
	{from: "spec", to: "internal/cell", std: "timeless sync/atomic"}, // what is known of types is kept by atomic operations
	{from: "spec/spectest", to: "internal/cell spec", std: "timeless"},
	{from: "spec/catalog", to: "spec spec/*", std: "timeless"},
	{from: "spec/object", to: "internal/cell spec", std: "timeless sync", mod: "github.com/klauspost/compress"}, // one lock for each Code
	{from: "spec/object/objecttest", to: "spec spec/object", std: "timeless"},
	{from: "spec/refinement", to: "internal/cell spec", std: "timeless"},
	{from: "spec/*", to: "spec", std: "timeless"},
	{from: "explore", to: "internal/hugepage internal/scratch explore/ltl explore/scc", std: "all", mod: "github.com/klauspost/compress"},
	{from: "explore/dd", to: "explore/ltl", std: "all"},
	{from: "explore/ltl", to: "explore/scc", std: "all"},
	{from: "explore/scc", std: "all"},
	{from: "model", to: "internal/cell internal/numbering internal/printable internal/scratch spec explore", std: "all"},
	{from: "model/compiled", to: "internal/cell internal/numbering spec explore explore/scc model", std: "all"},
	{from: "model/diagram", to: "internal/numbering spec explore explore/dd model model/compiled", std: "all"},
	{from: "model/modeltest", to: "spec model", std: "all"},
	{from: "model/picture", to: "spec model", std: "all"},
	{from: "properties", to: "internal/cell internal/printable internal/stacks spec explore explore/ltl model properties/internal/plan properties/internal/simulate", std: "all"},
	{from: "properties/election", to: "spec model properties", std: "all"},
	{from: "properties/internal/plan", to: "internal/printable spec explore explore/dd explore/ltl model model/compiled model/diagram", std: "all"},
	{from: "properties/internal/simulate", to: "internal/cell internal/printable spec explore model model/compiled properties/internal/plan", std: "all"},
	{from: "properties/certificate", to: "spec model properties properties/election", std: "all", mod: "github.com/klauspost/compress"},
	{from: "properties/explain", to: "internal/printable spec explore explore/scc model model/picture properties properties/election", std: "all"},
	{from: "linear", to: "internal/cell spec", std: "all", mod: "github.com/anishathalye/porcupine"},
	{from: "impl", to: "spec impl/link impl/runlog impl/storage impl/transport impl/wire", std: "all"},
	{from: "impl/link", to: "impl/runlog impl/wire", std: "all"},
	{from: "impl/runlog", to: "internal/filelock spec", std: "all"},
	{from: "impl/storage", to: "internal/filelock spec", std: "all"},
	{from: "impl/transport", to: "spec impl/wire", std: "all"},
	{from: "impl/wire", to: "internal/cell spec", std: "all"},
	{from: "impl/wire/wiretest", to: "spec impl/wire", std: "all"},
	{from: "impl/capture", to: "impl/wire", std: "all", mod: "github.com/google/gopacket golang.org/x/net/bpf golang.org/x/sys/unix"},
	{from: "impl/cluster", to: "spec impl impl/cluster/network impl/runcheck impl/runlog impl/transport linear", std: "all"},
	{from: "impl/runcheck", to: "internal/cell linear spec impl/runlog", std: "all"},
	{from: "impl/cluster/network", to: "spec impl/wire impl/capture", std: "all"},
	{from: "tla", to: "explore explore/ltl tla/syntax tla/value tla/eval", std: "all"},
	{from: "tla/syntax", std: "timeless"},
	{from: "tla/value", to: "internal/printable", std: "all"}, // hashes are kept by atomic operations
	{from: "tla/pluscal", to: "tla/syntax", std: "all"},
	{from: "tla/interpret", to: "tla tla/eval tla/pluscal tla/syntax tla/value", std: "all"},
	{from: "tla/compare", to: "internal/cell internal/numbering tla tla/eval tla/interpret tla/syntax tla/value model spec spec/*", std: "all"},
	{from: "tla/export", to: "internal/cell internal/printable tla tla/syntax tla/value model properties properties/election spec model/compiled", std: "all"},
	{from: "tla/tlatest", std: "all"},
	{from: "internal/hugepage", std: "all"},
	{from: "internal/filelock", std: "all"},
	{from: "internal/testsize", std: "all"},
	{from: "internal/cell", std: "all"},
	{from: "internal/numbering", std: "all"},
	{from: "internal/printable", std: "all"},
	{from: "internal/scratch", std: "all"},
	{from: "internal/stacks", std: "all"},
	{from: "internal/porttest", std: "all"},
	{from: "internal/rapidtest", std: "all", mod: "pgregory.net/rapid"},
	{from: "tla/eval", to: "tla/syntax tla/value", std: "all"},
	{from: "examples/raft", to: "spec", std: "timeless"},
	{from: "examples/raft/mc", to: "cmd/mc/cli examples/raft"},
	{from: "examples/gpbft", to: "spec spec/object", std: "all", mod: "github.com/filecoin-project/go-f3"}, // a module of its own
	{from: "examples/gpbft/mc", to: "cmd/mc/cli examples/gpbft spec"},
	{from: "examples/etcdraft", to: "model properties spec spec/object", std: "all", mod: "go.etcd.io/raft github.com/dustin/go-humanize"}, // a module of its own
	{from: "examples/etcdraft/mc", to: "cmd/mc/cli examples/etcdraft spec"},
	{from: "examples/etcdraft/old", to: "examples/etcdraft", std: "all"},
	{from: "examples/etcdraft/old/check", to: "examples/etcdraft", std: "all"},
	{from: "examples/etcdraft/old/coreos", std: "all", mod: "github.com/coreos/etcd go.etcd.io/raft"}, // this and the next two are modules of their own
	{from: "examples/etcdraft/old/coreos/raftpb", mod: "github.com/coreos/etcd"},
	{from: "examples/etcdraft/old/etcd35", std: "all", mod: "go.etcd.io/etcd"},
	{from: "examples/etcdraft/old/etcd35/raftpb", mod: "go.etcd.io/etcd"},
	{from: "examples/etcdraft/old/next", to: "examples/etcdraft/old/next/raftpb", mod: "go.etcd.io/raft google.golang.org/protobuf"},
	{from: "examples/etcdraft/old/next/raftpb", mod: "go.etcd.io/etcd"},
	{from: "bench", std: "all"},
	{from: "bench/mutants", to: "model properties properties/election spec spec/catalog", std: "all"},
	{from: "bench/honest", to: "spec spec/catalog", std: "all"},
	{from: "bench/plants", std: "all"},
	{from: "bench/reportdiff", std: "all"},
	{from: "bench/reduction", to: "model properties properties/election spec spec/catalog", std: "all"},
	{from: "bench/tlaexamples", to: "explore tla tla/syntax", std: "all"},
	{from: "conformance", to: "spec impl/runlog", std: "all"},
	{from: "conformance/captures", to: "spec impl/runlog impl/wire impl/capture conformance conformance/frontier conformance/logs", std: "all"},
	{from: "conformance/gotest", to: "internal/cell spec model impl/runlog", std: "all"},
	{from: "conformance/logs", to: "linear spec impl/runlog impl/wire conformance", std: "all"},
	{from: "conformance/forge", to: "spec impl/runlog impl/capture impl/wire", std: "all"},
	{from: "conformance/frontier", to: "spec", std: "timeless"},
	{from: "conformance/drive", to: "internal/numbering spec model impl impl/runlog impl/storage impl/transport impl/wire impl/capture", std: "all"},
	{from: "conformance/lockstep", to: "spec model impl impl/runlog impl/storage impl/transport impl/wire conformance/drive", std: "all"},
	{from: "conformance/matrix", to: "spec model impl/capture impl/wire conformance conformance/captures conformance/drive conformance/forge conformance/logs", std: "all"},
	{from: "cmd/mc", to: "spec/catalog cmd/mc/cli cmd/mc/supervisor/early"},
	{from: "cmd/mc/supervisor", to: "internal/printable", std: "all"},
	{from: "cmd/mc/supervisor/early", to: "cmd/mc/supervisor"},
	{from: "cmd/mc/explorer", to: "internal/cell explore internal/numbering internal/printable model model/compiled model/picture properties properties/election spec", std: "all"},
	{from: "cmd/mc/cli", to: "internal/stacks properties spec cmd/mc/supervisor cmd/mc/internal/capture cmd/mc/internal/certify cmd/mc/internal/cluster cmd/mc/internal/conform cmd/mc/internal/exit cmd/mc/internal/explore cmd/mc/internal/limits cmd/mc/internal/list cmd/mc/internal/mutants cmd/mc/internal/names cmd/mc/internal/node cmd/mc/internal/scaffold cmd/mc/internal/simulate cmd/mc/internal/source cmd/mc/internal/sweep cmd/mc/internal/tla cmd/mc/internal/trace cmd/mc/internal/ui cmd/mc/internal/verify", std: "all", mod: "github.com/dustin/go-humanize github.com/spf13/cobra github.com/spf13/cobra/doc"},
	{from: "cmd/mc/internal/capture", to: "impl/capture impl/wire cmd/mc/internal/limits cmd/mc/internal/ui", std: "all", mod: "github.com/dustin/go-humanize github.com/spf13/cobra"},
	{from: "cmd/mc/internal/certify", to: "model model/picture properties properties/certificate spec cmd/mc/internal/limits cmd/mc/internal/names cmd/mc/internal/report cmd/mc/internal/saved cmd/mc/internal/ui", std: "all", mod: "github.com/spf13/cobra"},
	{from: "cmd/mc/internal/cluster", to: "impl/cluster impl/cluster/network impl/runlog internal/printable linear spec cmd/mc/internal/names cmd/mc/internal/process cmd/mc/internal/ui cmd/mc/internal/world cmd/mc/internal/yaml", std: "all", mod: "charm.land/lipgloss/v2 github.com/dustin/go-humanize github.com/spf13/cobra github.com/spf13/pflag golang.org/x/term"},
	{from: "cmd/mc/internal/conform", to: "conformance conformance/captures conformance/drive conformance/logs conformance/matrix impl/capture impl/runlog linear model model/picture properties properties/election spec cmd/mc/internal/execution cmd/mc/internal/names cmd/mc/internal/report cmd/mc/internal/ui cmd/mc/internal/world", std: "all", mod: "github.com/spf13/cobra github.com/spf13/pflag"},
	{from: "cmd/mc/internal/capturetest", to: "impl/capture impl/wire spec spec/bully", std: "all", mod: "github.com/google/gopacket/pcapgo"},
	{from: "cmd/mc/internal/coverage", to: "spec cmd/mc/internal/ui", std: "all"},
	{from: "cmd/mc/internal/execution", to: "conformance conformance/captures conformance/logs impl/capture impl/runcheck impl/runlog impl/wire linear model properties properties/election spec cmd/mc/internal/limits cmd/mc/internal/names cmd/mc/internal/ui", std: "all", mod: "github.com/dustin/go-humanize github.com/spf13/pflag"},
	{from: "cmd/mc/internal/exit", to: "conformance/captures explore properties cmd/mc/internal/ui", std: "all"},
	{from: "cmd/mc/internal/explore", to: "conformance conformance/captures conformance/logs impl/capture impl/runlog impl/wire model model/picture properties/election spec cmd/mc/explorer cmd/mc/internal/execution cmd/mc/internal/names cmd/mc/internal/saved cmd/mc/internal/ui cmd/mc/internal/world", std: "all", mod: "github.com/spf13/cobra github.com/spf13/pflag"},
	{from: "cmd/mc/internal/limits", to: "explore properties cmd/mc/internal/ui", std: "all", mod: "github.com/dustin/go-humanize"},
	{from: "cmd/mc/internal/list", to: "explore/ltl properties properties/election spec cmd/mc/internal/names cmd/mc/internal/ui cmd/mc/internal/world", std: "all", mod: "github.com/spf13/cobra"},
	{from: "cmd/mc/internal/mutants", to: "properties properties/election spec cmd/mc/supervisor cmd/mc/internal/limits cmd/mc/internal/names cmd/mc/internal/report cmd/mc/internal/ui", std: "all", mod: "github.com/spf13/cobra github.com/spf13/pflag"},
	{from: "cmd/mc/internal/names", to: "properties properties/election spec cmd/mc/internal/ui", std: "all", mod: "github.com/spf13/cobra"},
	{from: "cmd/mc/internal/node", to: "impl impl/runlog impl/storage impl/transport impl/wire spec cmd/mc/internal/names cmd/mc/internal/process cmd/mc/internal/ui cmd/mc/internal/yaml", std: "all", mod: "github.com/spf13/cobra github.com/spf13/pflag golang.org/x/term"},
	{from: "cmd/mc/internal/process", to: "impl impl/storage spec cmd/mc/internal/ui", std: "all"},
	{from: "cmd/mc/internal/report", to: "explore model model/picture properties properties/election spec cmd/mc/internal/ui cmd/mc/internal/world", std: "all"},
	{from: "cmd/mc/internal/saved", to: "conformance/drive model properties properties/certificate properties/election spec cmd/mc/internal/names cmd/mc/internal/ui", std: "all"},
	{from: "cmd/mc/internal/scaffold", to: "cmd/mc/internal/source cmd/mc/internal/ui", std: "all", mod: "github.com/spf13/cobra"},
	{from: "cmd/mc/internal/simulate", to: "model model/picture properties properties/election cmd/mc/internal/coverage cmd/mc/internal/limits cmd/mc/internal/names cmd/mc/internal/report cmd/mc/internal/ui cmd/mc/internal/world", std: "all", mod: "github.com/spf13/cobra github.com/spf13/pflag"},
	{from: "cmd/mc/internal/source", to: "model spec", std: "all"},
	{from: "cmd/mc/internal/sweep", to: "internal/printable model model/picture properties properties/certificate properties/election spec cmd/mc/supervisor cmd/mc/internal/limits cmd/mc/internal/names cmd/mc/internal/report cmd/mc/internal/source cmd/mc/internal/ui cmd/mc/internal/world cmd/mc/internal/yaml", std: "all", mod: "github.com/spf13/cobra github.com/spf13/pflag"},
	{from: "cmd/mc/internal/tla", to: "explore internal/printable model model/compiled spec tla tla/compare tla/eval tla/export tla/pluscal tla/syntax tla/value cmd/mc/internal/limits cmd/mc/internal/names cmd/mc/internal/report cmd/mc/internal/saved cmd/mc/internal/ui cmd/mc/internal/world", std: "all", mod: "github.com/spf13/cobra github.com/spf13/pflag"},
	{from: "cmd/mc/internal/trace", to: "conformance/drive conformance/gotest internal/printable linear model model/picture properties properties/explain spec cmd/mc/internal/names cmd/mc/internal/report cmd/mc/internal/saved cmd/mc/internal/ui", std: "all", mod: "github.com/spf13/cobra"},
	{from: "cmd/mc/internal/ui", to: "explore internal/printable linear model properties", std: "all", mod: "charm.land/lipgloss/v2 github.com/agnivade/levenshtein github.com/charmbracelet/colorprofile github.com/dustin/go-humanize github.com/spf13/cobra github.com/spf13/pflag golang.org/x/term"},
	{from: "cmd/mc/internal/verify", to: "explore model model/diagram model/picture properties properties/certificate properties/election cmd/mc/internal/coverage cmd/mc/internal/limits cmd/mc/internal/names cmd/mc/internal/report cmd/mc/internal/ui cmd/mc/internal/world", std: "all", mod: "github.com/dustin/go-humanize github.com/spf13/cobra github.com/spf13/pflag"},
	{from: "cmd/mc/internal/world", to: "explore model properties spec cmd/mc/internal/limits cmd/mc/internal/ui", std: "all", mod: "github.com/spf13/pflag"},
	{from: "cmd/mc/internal/yaml", to: "cmd/mc/internal/ui", std: "all", mod: "github.com/goccy/go-yaml"},
}

// untimely is what a handler must not use: time, chance and the outside come
// to it as events.
var untimely = []string{"time", "os", "net", "sync", "math/rand", "math/rand/v2", "crypto/rand", "io", "syscall", "unsafe", "sync/atomic"}

func TestArrows(t *testing.T) {
	files := 0
	for file, imported := range imports(t) {
		files++
		for _, to := range imported {
			if from := path.Dir(file); !allowed(from, to) {
				t.Errorf("%s imports %s: no arrow leads from %s to there; see the table", file, to, from)
			}
		}
	}
	if files < 20 {
		t.Errorf("only %d files looked at", files)
	}
}

// imports yields what each source file imports.
func imports(t *testing.T) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for file := range sources(t) {
			syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, spec := range syntax.Imports {
				name, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, name)
			}
			if !yield(file, names) {
				return
			}
		}
	}
}

// TestArrowsAreUsed: what a row allows of our own packages and of others, some file of its folders imports.
func TestArrowsAreUsed(t *testing.T) {
	imported := map[string][]string{} // by folder
	for file, names := range imports(t) {
		imported[path.Dir(file)] = append(imported[path.Dir(file)], names...)
	}
	for _, row := range arrows {
		for _, allowed := range strings.Fields(row.to + " " + row.mod) {
			used := false
			for from, names := range imported {
				if match, _ := path.Match(row.from, from); match {
					used = used || slices.ContainsFunc(names, func(to string) bool {
						own, _ := strings.CutPrefix(to, "interleave/")
						return matchesAny(allowed, own) || to == allowed || strings.HasPrefix(to, allowed+"/")
					})
				}
			}
			if !used {
				t.Errorf("%s may import %s, and does not", row.from, allowed)
			}
		}
	}
}

// allowed reports whether the first row for a folder allows an import.
func allowed(from, to string) bool {
	for _, row := range arrows {
		if match, _ := path.Match(row.from, from); !match {
			continue
		}
		own, isOwn := strings.CutPrefix(to, "interleave/")
		switch {
		case isOwn:
			return matchesAny(row.to, own)
		case strings.Contains(strings.Split(to, "/")[0], "."):
			return slices.ContainsFunc(strings.Fields(row.mod), func(m string) bool { return to == m || strings.HasPrefix(to, m+"/") })
		}
		std := strings.Fields(row.std)
		return row.std == "all" || slices.Contains(std, to) || slices.Contains(std, "timeless") && !slices.Contains(untimely, to)
	}
	return false
}

func matchesAny(patterns, name string) bool {
	return slices.ContainsFunc(strings.Fields(patterns), func(p string) bool {
		match, _ := path.Match(p, name)
		return match
	})
}

func TestAllowed(t *testing.T) {
	for _, arrow := range []struct {
		from, to string
		want     bool
	}{
		{"spec/bully", "interleave/spec", true},
		{"spec/bully", "time", false},
		{"spec/bully", "sync/atomic", false},
		{"spec", "sync", false},
		{"spec", "sync/atomic", true},
		{"spec/bully", "interleave/model", false},
		{"model", "interleave/properties", false},
		{"properties/certificate", "interleave/explore", false},
		{"explore", "interleave/spec", false},
		{"impl", "interleave/model", false},
		{"impl", "github.com/google/gopacket/layers", false},
		{"impl/capture", "github.com/google/gopacket/layers", true},
		{"model", "github.com/spf13/cobra", false},
		{"cmd/mc/internal/ui", "charm.land/lipgloss/v2/table", true},
		{"somewhere/new", "fmt", false},
	} {
		if got := allowed(arrow.from, arrow.to); got != arrow.want {
			t.Errorf("allowed(%s, %s) = %v", arrow.from, arrow.to, got)
		}
	}
}

// TestOnlyTheToolPrints keeps everything but the commands from printing or
// exiting.
func TestOnlyTheToolPrints(t *testing.T) {
	voice := regexp.MustCompile(`\b(fmt\.Print\w*|os\.Exit|os\.Std(out|err)|log\.\w+|println)\(?`)
	for file, text := range sources(t) {
		if strings.HasPrefix(file, "cmd/") || strings.HasPrefix(file, "bench/") || strings.HasPrefix(file, "examples/etcdraft/old/") {
			continue
		}
		for i, line := range strings.Split(text, "\n") {
			code, _, _ := strings.Cut(line, "//")
			if word := voice.FindString(code); word != "" {
				t.Errorf("%s:%d: %s: only cmd/mc prints or exits", file, i+1, word)
			}
		}
	}
}

// TestEveryPackageSpeaks wants a package comment in each folder, in one file.
func TestEveryPackageSpeaks(t *testing.T) {
	comments := map[string]int{}
	for file := range sources(t) {
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		comments[path.Dir(file)] += 0
		if syntax.Doc != nil {
			comments[path.Dir(file)]++
		}
	}
	for folder, n := range comments {
		if n != 1 {
			t.Errorf("%s has %d package comments", folder, n)
		}
	}
}

// sources yields the names and texts of our Go files that are no tests.
func sources(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != "." || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			text, err := os.ReadFile(name)
			texts[filepath.ToSlash(name)] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// TestLibraryIsLight: who imports the library gets no module of others but the one that
// docs/dependencies.md names.
func TestLibraryIsLight(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./spec", "./model/...", "./explore/...", "./properties/...")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := slices.Compact(slices.Sorted(slices.Values(strings.Fields(string(out)))))
	if want := []string{"github.com/klauspost/compress", "interleave"}; !slices.Equal(modules, want) {
		t.Errorf("the library needs the modules %q, not %q", modules, want)
	}
}

// Who reads a type, or a folder, should not have to look through more than so many files.
const maxFilesOfType, maxFilesOfFolder = 3, 25

// TestTypesAreSmall: a type with methods in many files holds more than one idea.
func TestTypesAreSmall(t *testing.T) {
	files := map[string]map[string]bool{} // by folder and type
	for file, text := range sources(t) {
		syntax, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range syntax.Decls {
			if name := receiver(d); name != "" {
				name = path.Dir(file) + "." + name
				if files[name] == nil {
					files[name] = map[string]bool{}
				}
				files[name][path.Base(file)] = true
			}
		}
	}
	for name, in := range files {
		if len(in) > maxFilesOfType {
			t.Errorf("%s has methods in %d files: %v", name, len(in), slices.Sorted(maps.Keys(in)))
		}
	}
	if len(files["model.Reference"]) == 0 || len(files["model/compiled.expander"]) == 0 {
		t.Error("there are types that are not seen")
	}
}

// receiver returns the name of the type of which d is a method.
func receiver(d ast.Decl) string {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Recv == nil {
		return ""
	}
	of := f.Recv.List[0].Type
	for {
		switch x := of.(type) {
		case *ast.StarExpr:
			of = x.X
		case *ast.IndexExpr:
			of = x.X
		case *ast.IndexListExpr:
			of = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// TestFoldersAreSmall: a folder with many files holds more than one idea.
func TestFoldersAreSmall(t *testing.T) {
	files := map[string]int{}
	for file := range sources(t) {
		files[path.Dir(file)]++
	}
	for folder, n := range files {
		if n > maxFilesOfFolder {
			t.Errorf("%s has %d files", folder, n)
		}
	}
}
