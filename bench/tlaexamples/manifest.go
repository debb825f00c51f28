package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"interleave/tla/syntax"
)

// model is a model of the examples, as its manifest describes it.
type model struct {
	module string // its file
	Config string `json:"path"`
	Mode   any    `json:"mode"`
	Result string `json:"result"`
	States int    `json:"-"`
	Count  *int   `json:"distinctStates"`
}

// name is how the table calls a model.
func (m model) name() string {
	return strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(m.Config), "specifications/"), ".cfg")
}

// manifests reads which models there are whose states were counted, in order.
func manifests(dir string) (models []model, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "specifications", "*", "manifest.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s holds no specifications/*/manifest.json: is it a checkout of github.com/tlaplus/Examples?", dir)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var manifest struct {
			Modules []struct {
				Path   string  `json:"path"`
				Models []model `json:"models"`
			} `json:"modules"`
		}
		if err := json.Unmarshal(text, &manifest); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, module := range manifest.Modules {
			for _, m := range module.Models {
				if m.Count == nil {
					continue
				}
				m.module, m.States = module.Path, *m.Count
				models = append(models, m)
			}
		}
	}
	slices.SortFunc(models, func(a, b model) int {
		return cmp.Or(cmp.Compare(a.States, b.States), cmp.Compare(a.Config, b.Config))
	})
	return models, nil
}

// parseAll parses every module of the examples and tells which it cannot.
func parseAll(dir string, out io.Writer) (parsed, modules int, err error) {
	err = filepath.WalkDir(filepath.Join(dir, "specifications"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".tla" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		modules++
		if _, err := syntax.ParseModule(path, string(text)); err != nil {
			fmt.Fprintln(out, err)
			return nil
		}
		parsed++
		return nil
	})
	return parsed, modules, err
}
