// Package coverage writes which lines of an algorithm a search has run, as a profile that go tool cover reads. The Go
// compiler counts them, if it is told to.
package coverage

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"runtime/coverage"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"interleave/cmd/mc/internal/ui"
	"interleave/spec"
)

// Ready returns an error if this program does not count the lines that it runs.
func Ready(m spec.Machine) error {
	if errors.Join(coverage.WriteMeta(io.Discard), coverage.WriteCounters(io.Discard)) == nil {
		return nil
	}
	packages := packagesOf(m)
	if !slices.Contains(packages, program()) { // without that of the program nothing is counted
		packages = append(packages, program())
	}
	return ui.Hint(errors.New("--cover: this program does not count the lines that it runs"),
		"run it as go run -cover -covermode=atomic -coverpkg="+strings.Join(packages, ",")+" "+program()+"; go build takes the same flags")
}

// program is the path of the main package.
func program() string {
	if built, ok := debug.ReadBuildInfo(); ok {
		return built.Path
	}
	return "main"
}

// packagesOf returns the packages of the handlers of a machine.
func packagesOf(m spec.Machine) []string {
	t, found := m.Traits(), map[string]bool{}
	add := func(e spec.Event) {
		if function := t.Where(e).Function; function != "" {
			dir, base := path.Split(function)
			name, _, _ := strings.Cut(base, ".")
			if name = dir + name; name == "main" {
				name = program()
			}
			found[name] = true
		}
	}
	for kind := spec.Start; kind <= spec.Recover; kind++ {
		if kind != spec.Act {
			add(spec.Event{Kind: kind})
		}
	}
	for i := range t.Actions {
		add(spec.Event{Kind: spec.Act, Action: uint8(i)})
	}
	return slices.Sorted(maps.Keys(found))
}

// tally says which statements ran.
type tally struct {
	Ran, All int
	Never    []string // the places of those that did not, in functions of which others did, as in "bully.go:12-14 (receive)"
}

// Write writes what has run of the packages of m's handlers to a file, and returns what is to be said of that; nothing if
// there is no file.
func Write(ctx context.Context, file string, m spec.Machine) (said []string, err error) {
	if file == "" {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "mc-cover")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := errors.Join(coverage.WriteMetaDir(dir), coverage.WriteCountersDir(dir)); err != nil {
		return nil, fmt.Errorf("--cover: %w", err)
	}
	text := dir + "/profile"
	if _, err := covdata(ctx, "textfmt", "-i="+dir, "-o="+text); err != nil {
		return nil, err
	}
	functions, err := covdata(ctx, "func", "-i="+dir)
	if err != nil {
		return nil, err
	}
	profile, err := os.ReadFile(text)
	if err != nil {
		return nil, err
	}
	ours, report := read(profile, functions, packagesOf(m))
	if err := os.WriteFile(file, ours, 0o666); err != nil {
		return nil, err
	}
	return []string{fmt.Sprintf("wrote which lines ran to %s; show them with: go tool cover -html=%s", file, ui.ShellWord(file)), report.String()}, nil
}

// covdata runs the tool of the Go distribution that reads what was counted.
func covdata(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"tool", "covdata"}, args...)...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("--cover: go tool covdata %s: %w\n%s", args[0], err, said.Bytes())
	}
	return out, nil
}

var (
	block    = regexp.MustCompile(`^(.*):(\d+)\.\d+,(\d+)\.\d+ (\d+) (\d+)$`)
	function = regexp.MustCompile(`^(.*):(\d+):\s+(\S+)\s`)
)

// start is where a function begins.
type start struct {
	line int
	name string
	ran  bool
}

// starts are those of all functions, by file.
type starts map[string][]*start

func startsIn(functions []byte) starts {
	all := starts{}
	for line := range bytes.Lines(functions) {
		if f := function.FindSubmatch(line); f != nil {
			at, _ := strconv.Atoi(string(f[2]))
			all[string(f[1])] = append(all[string(f[1])], &start{line: at, name: string(f[3])})
		}
	}
	return all
}

// at returns the function that a line of a file is in; nil if it is in none.
func (s starts) at(file string, line int) (in *start) {
	for _, f := range s[file] {
		if f.line <= line && (in == nil || f.line > in.line) {
			in = f
		}
	}
	return in
}

// read returns the lines of a profile that are of some packages, and what they say.
func read(profile, functions []byte, packages []string) (ours []byte, r *tally) {
	starts := startsIn(functions)
	type never struct {
		in    *start
		place string
	}
	var nevers []never
	r = &tally{}
	lines := bufio.NewScanner(bytes.NewReader(profile))
	for lines.Scan() {
		b := block.FindStringSubmatch(lines.Text())
		if b == nil { // the mode
			ours = append(append(ours, lines.Bytes()...), '\n')
			continue
		}
		if !slices.Contains(packages, path.Dir(b[1])) {
			continue
		}
		ours = append(append(ours, lines.Bytes()...), '\n')
		from, _ := strconv.Atoi(b[2])
		statements, _ := strconv.Atoi(b[4])
		r.All += statements
		in := starts.at(b[1], from)
		switch {
		case b[5] != "0":
			r.Ran += statements
			if in != nil {
				in.ran = true
			}
		case in != nil:
			place := path.Base(b[1]) + ":" + b[2]
			if b[3] != b[2] {
				place += "-" + b[3]
			}
			nevers = append(nevers, never{in, fmt.Sprintf("%s (%s)", place, in.name)})
		}
	}
	for _, n := range nevers {
		if n.in.ran {
			r.Never = append(r.Never, n.place)
		}
	}
	return ours, r
}

// String says it in a line or two.
func (r *tally) String() string {
	text := fmt.Sprintf("%d of %d statements ran", r.Ran, r.All)
	if r.Never != nil {
		text += "\nsuspicious: never ran, though the rest of its function did: " + strings.Join(r.Never, ", ")
	}
	return text
}
