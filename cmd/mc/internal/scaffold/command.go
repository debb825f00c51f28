// Package scaffold is mc init.
package scaffold

import (
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

// Command returns the verb init.
func Command(u *ui.UI) *cobra.Command {
	return &cobra.Command{
		Use:   "init FOLDER",
		Short: "Create a package with an example algorithm and its test",
		Long: `Create a folder with an example algorithm, its test, and an mc that includes it. The
package is named after the folder. The example elects the largest process on a ring:
change it into your own algorithm, and go test shows what breaks.

Exit status: 0 written; 2 the folder exists and is not empty, its name is not a valid
package name, or Go could not import it from there.`,
		Example: "  mc init mine\n  cd mine && go test",
		Args:    ui.OneArgument("a folder", "mc init mine makes the package mine in the folder mine"),
		RunE:    func(_ *cobra.Command, args []string) error { return run(u, args[0]) },
	}
}

// unusable are names of packages that its program cannot import: Go forbids some, and one is
// taken there.
var unusable = []string{"main", "init", "cli"}

func run(u *ui.UI, folder string) error {
	name := filepath.Base(filepath.Clean(folder))
	if !regexp.MustCompile(`^[a-z][a-z0-9]*$`).MatchString(name) || token.IsKeyword(name) || slices.Contains(unusable, name) {
		return ui.Hint(fmt.Errorf("%q is not a valid package name", name), "give a folder whose name has only lowercase letters and digits and is not reserved in Go, as in mine")
	}
	switch entries, err := os.ReadDir(folder); {
	case len(entries) > 0:
		return ui.Hint(fmt.Errorf("the folder %s is not empty", folder), "give a new one")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", folder, errors.Unwrap(err))
	}
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	around := source.Around(absolute)
	path := "example.org/" + name
	if around.Module != "" {
		path = strings.TrimSuffix(around.Module+"/"+around.RelativeToRoot(absolute), "/")
	}
	for element := range strings.SplitSeq(path, "/") {
		if !importable(element) {
			return ui.Hint(fmt.Errorf("%s: Go could not import %s: %q is not allowed in an import path", folder, path, element), "give a folder whose path in the module has only ASCII letters, digits and -._")
		}
	}
	for file, from := range map[string]string{name + ".go": "algorithm", name + "_test.go": "test", filepath.Join("mc", "main.go"): "main"} {
		if err := writeStart(filepath.Join(folder, file), from, map[string]string{"Package": name, "Path": path}); err != nil {
			return err
		}
	}
	fmt.Fprintf(u.Out, "wrote %s: check it with go test ./... there", folder)
	if around.Module == "" {
		fmt.Fprintf(u.Out, `, once it has a module:
  go mod init %s
  go mod edit -require interleave@v0.0.0 -replace interleave=%s
  go mod tidy`, path, source.OwnFolder())
	}
	fmt.Fprintln(u.Out)
	return nil
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

func writeStart(file, from string, data any) error {
	text, err := template.ParseFS(startFiles, "start/"+from+".tmpl")
	if err != nil {
		return err
	}
	var out strings.Builder
	if err := text.Execute(&out, data); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return ui.WriteText(file, out.String())
}
