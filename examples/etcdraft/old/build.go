package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"interleave/examples/etcdraft"
)

// builder builds package check with releases of etcd's Raft.
type builder struct {
	root string            // of this module
	temp string            // a folder
	made map[string]string // programs, by release
}

func newBuilder() (*builder, error) {
	file, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "etcdraft")
	return &builder{filepath.Dir(strings.TrimSpace(string(file))), temp, map[string]string{}}, err
}

func (b *builder) close() { os.RemoveAll(b.temp) }

// module is where a release is, and what stands for go.etcd.io/raft/v3 of v3.6 in its place.
func module(release string) (path, version, standsFor, dir string) {
	const today = "go.etcd.io/raft/v3"
	switch {
	case release < "v3.5":
		return "github.com/coreos/etcd", release + "+incompatible", today, "./old/coreos"
	case release < "v3.6":
		return "go.etcd.io/etcd/raft/v3", release, today, "./old/etcd35"
	case release < "v3.7":
		return today, release, "", ""
	}
	return today, release, next, "./old/next"
}

// next is the package by which the harness reaches releases after v3.6.
const next = "interleave/examples/etcdraft/old/next"

// twice lets protobuf have messages of one name twice: those of v3.6, and those after it.
const twice = "-X google.golang.org/protobuf/reflect/protoregistry.conflictPolicy=ignore"

// program returns the program of a release.
func (b *builder) program(release string) (string, error) {
	if made, ok := b.made[release]; ok {
		return made, nil
	}
	path, version, standsFor, dir := module(release)
	mod, program := filepath.Join(b.temp, release+".mod"), filepath.Join(b.temp, release+".exe")
	for from, to := range map[string]string{"go.mod": mod, "go.sum": filepath.Join(b.temp, release+".sum")} {
		text, err := os.ReadFile(filepath.Join(b.root, from))
		if err == nil {
			err = os.WriteFile(to, text, 0o600)
		}
		if err != nil {
			return "", err
		}
	}
	edit := []string{"mod", "edit", "-require=" + path + "@" + version}
	build := []string{"build", "-mod=mod", "-modfile=" + mod, "-o", program}
	if standsFor != "" {
		edit = append(edit, "-replace="+standsFor+"="+dir)
	}
	if standsFor == next {
		overlay, err := b.overlay()
		if err != nil {
			return "", err
		}
		edit, build = append(edit, "-require="+next+"@v0.0.0"), append(build, "-overlay="+overlay, "-ldflags="+twice)
	}
	if _, err := b.execute("go", append(edit, mod)...); err != nil {
		return "", err
	}
	if _, err := b.execute("go", append(build, "./old/check")...); err != nil {
		return "", err
	}
	b.made[release] = program
	return program, built(program, path, version)
}

// built returns an error unless a program has a version of a module in it: what is required is not always what is taken.
func built(program, path, version string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	for _, m := range info.Deps {
		if m.Path == path && m.Version == version && m.Replace == nil {
			return nil
		}
	}
	return fmt.Errorf("%s was not built with %s %s", program, path, version)
}

// overlay writes the harness as it is if it imports package next, and returns the file that says so.
func (b *builder) overlay() (string, error) {
	files, err := filepath.Glob(filepath.Join(b.root, "*.go"))
	if err != nil {
		return "", err
	}
	replaced := map[string]string{}
	write := func(file, text string) {
		to := filepath.Join(b.temp, filepath.Base(file))
		err = os.WriteFile(to, []byte(text), 0o600)
		replaced[file] = to
	}
	for _, file := range files {
		text, readErr := os.ReadFile(file)
		if readErr != nil {
			return "", readErr
		}
		names := strings.NewReplacer(`"go.etcd.io/raft/v3"`, `raft "`+next+`"`, `"go.etcd.io/raft/v3/raftpb"`, `"`+next+`/raftpb"`)
		if write(file, names.Replace(string(text))); err != nil {
			return "", err
		}
	}
	write(filepath.Join(b.root, "next.go"), "package etcdraft\n\nimport (\n\t\"maps\"\n\n\traft \""+next+"\"\n)\n\nfunc init() { maps.Copy(Ignored, raft.Ignored) }\n")
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	name := filepath.Join(b.temp, "overlay.json")
	return name, os.WriteFile(name, text, 0o600)
}

// look looks for a bug in a release.
func (b *builder) look(bug etcdraft.Bug, release string) (found etcdraft.Found, err error) {
	program, err := b.program(release)
	if err != nil {
		return found, err
	}
	text, err := b.execute(program, bug.Issue)
	if err != nil {
		return found, err
	}
	return found, json.Unmarshal(text, &found)
}

// execute runs a command in this module, and returns what it prints.
func (b *builder) execute(name string, args ...string) ([]byte, error) {
	c := exec.Command(name, args...)
	var out, errs bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = b.root, &out, &errs
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, errs.String())
	}
	return out.Bytes(), nil
}
