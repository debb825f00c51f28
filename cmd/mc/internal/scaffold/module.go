package scaffold

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"interleave/cmd/mc/internal/source"
	"interleave/cmd/mc/internal/ui"
)

// module returns the files go.mod and go.sum of a new module in an absolute folder. It finds
// Interleave in the folder that is given, or else in the one that mc was built from; empty: there
// is none. It requires what Interleave requires, so that nothing is fetched that mc was built with.
func module(folder, path, given, built string) (map[string]string, error) {
	library := built
	switch {
	case given != "":
		var err error
		if library, err = filepath.Abs(given); err != nil {
			return nil, err
		}
	case built == "":
		return nil, ui.Hint(errors.New("the new module needs the source of Interleave, and this mc does not know where that is"), "name its folder, as in --interleave ../interleave")
	}
	mod, err := os.ReadFile(filepath.Join(library, "go.mod"))
	if s := source.Around(library); err != nil || s.Module != source.Library {
		return nil, ui.Hint(fmt.Errorf("--interleave: %s has no go.mod of the module %s", library, source.Library), "name the folder with the source of Interleave")
	}
	sum, err := os.ReadFile(filepath.Join(library, "go.sum"))
	if err != nil {
		return nil, err
	}
	if given != "" && !filepath.IsAbs(given) {
		if library, err = filepath.Rel(folder, library); err != nil {
			return nil, err
		}
	}
	var requires []string
	for _, m := range requirement.FindAllSubmatch(mod, -1) {
		requires = append(requires, fmt.Sprintf("\t%s // indirect\n", m[1]))
	}
	slices.Sort(requires)
	text := fmt.Sprintf("module %s\n\n%s\n\nrequire %s v0.0.0\n\nreplace %[3]s => %s\n\nrequire (\n%s)\n",
		path, goLine.Find(mod), source.Library, modWord(library), strings.Join(requires, ""))
	return map[string]string{"go.mod": text, "go.sum": string(sum)}, nil
}

var (
	goLine      = regexp.MustCompile(`(?m)^go .*$`)
	requirement = regexp.MustCompile(`(?m)^(?:require )?\s*(\S+ v\S+)`)
)

// modWord returns a path as go.mod has to have it.
func modWord(path string) string {
	if strings.ContainsAny(path, " \"'`()[]{},") || strings.Contains(path, "//") {
		return strconv.Quote(path)
	}
	return path
}
