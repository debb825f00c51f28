// Package scaffold is mc init.
package scaffold

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/source"
	"interleave/cmd/mc/internal/ui"
)

//go:embed start/*.tmpl
var startFiles embed.FS

var start = template.Must(template.ParseFS(startFiles, "start/*.tmpl"))

// Command returns the verb init.
func Command(u *ui.UI) *cobra.Command {
	var library string
	var election bool
	cmd := &cobra.Command{
		Use:   "init FOLDER",
		Short: "Create a module with an example algorithm and its test",
		Long: `Create a folder with an example algorithm, its test, and an mc that includes it. The
package is named after the folder. In the example a server gives a number to each client
that asks (with --election, a ring elects its largest process): change it into your own
algorithm, and go test shows what breaks.

In a module the folder becomes a package of it. Elsewhere it becomes a module, whose go.mod
says where the source of Interleave is: where this mc was built from, or --interleave.

Exit status: 0 written; 2 the folder exists and is not empty, its name is not a valid
package name, Go could not import it from there, or the source of Interleave is not found.`,
		Example: "  mc init mine\n  cd mine && go test ./...",
		Args:    ui.OneArgument("a folder", "mc init mine makes the package mine in the folder mine"),
		RunE:    func(_ *cobra.Command, args []string) error { return run(u, args[0], library, election) },
	}
	cmd.Flags().BoolVar(&election, "election", false, "the example is an election")
	cmd.Flags().StringVar(&library, "interleave", "", "folder with the source of Interleave; by default the one that this mc was built from")
	return cmd
}

// unusable are names of packages that its program cannot import: Go forbids some, and one is
// taken there.
var unusable = []string{"main", "init", "cli"}

func run(u *ui.UI, folder, library string, election bool) error {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	name := filepath.Base(absolute)
	if !regexp.MustCompile(`^[a-z][a-z0-9]*$`).MatchString(name) || token.IsKeyword(name) || slices.Contains(unusable, name) {
		return ui.Hint(fmt.Errorf("%q is not a valid package name", name), "give a folder whose name has only lowercase letters and digits and is not reserved in Go, as in mine")
	}
	switch entries, err := os.ReadDir(folder); {
	case len(entries) > 0:
		return ui.Hint(fmt.Errorf("the folder %s is not empty", folder), "give a new one")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", folder, errors.Unwrap(err))
	}
	around, path, files := source.Around(absolute), "example.org/"+name, map[string]string{}
	switch {
	case around.Module == "":
		if files, err = module(absolute, path, library, source.OwnFolder()); err != nil {
			return err
		}
	case library != "":
		return fmt.Errorf("--interleave: %s is in the module %s, whose go.mod says where Interleave is: leave it out", folder, around.Module)
	default:
		path = strings.TrimSuffix(around.Module+"/"+around.RelativeToRoot(absolute), "/")
	}
	for element := range strings.SplitSeq(path, "/") {
		if !importable(element) {
			return ui.Hint(fmt.Errorf("%s: Go could not import %s: %q is not allowed in an import path", folder, path, element), "give a folder whose path in the module has only ASCII letters, digits and -._")
		}
	}
	example := "request"
	if election {
		example = "election"
	}
	for file, from := range map[string]string{name + ".go": example, name + "_test.go": "test", filepath.Join("mc", "main.go"): "main"} {
		var text strings.Builder
		if err := start.ExecuteTemplate(&text, from+".tmpl", map[string]any{"Package": name, "Path": path, "Election": election}); err != nil {
			return err
		}
		files[file] = text.String()
	}
	for file, text := range files {
		file = filepath.Join(folder, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := ui.WriteText(file, text); err != nil {
			return err
		}
	}
	tell(u, folder, name, around)
	return nil
}

// tell says what was written, and what to do next.
func tell(u *ui.UI, folder, name string, around *source.Tree) {
	switch {
	case around.Module == "":
		fmt.Fprintf(u.Out, "wrote %s, a module: there, go test ./... checks it, and go run ./mc verify %s, too\n", folder, name)
	case around.Uses():
		fmt.Fprintf(u.Out, "wrote %s: check it with go test ./... there\n", folder)
	default:
		fmt.Fprintf(u.Out, `wrote %s: check it with go test ./... there, once the module %s requires Interleave:
  go mod edit -require %s@v0.0.0 -replace %[3]s=%[4]s
  go mod tidy
`, folder, around.Module, source.Library, cmp.Or(source.OwnFolder(), "FOLDER_OF_INTERLEAVE"))
	}
}

// importable reports whether Go takes an element in the path of a package that is imported: it
// refuses what some system takes for the name of another file, or of none.
func importable(element string) bool {
	return importElement.MatchString(element) && !notImportElement.MatchString(element)
}

var (
	importElement    = regexp.MustCompile(`^[-._~+a-zA-Z0-9]*[-_~+a-zA-Z0-9]$`)
	notImportElement = regexp.MustCompile(`^vendor$|~[0-9]+$|^(?i:con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)`)
)
