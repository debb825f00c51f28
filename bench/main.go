// Bench measures Interleave side by side with SPIN and TLC, in one run on one machine, one after
// the other:
//
//	go run ./bench                         # some minutes
//	go run ./bench -only bully -runs 3     # one world, the best of three runs
//	go run ./bench -n 5,6                  # these sizes
//	go run ./bench -runs 3 -tlc JAR        # TLC as well: what docs/benchmarks.md shows
//	go run ./bench -beyond                 # the least size of each algorithm that SPIN cannot hold
//
// Each tool gets the world in the form that suits it best of those tried: SPIN as Promela that is
// generated for a size, TLC as the modules in tla. Both follow our handlers and package model.
//
// Before it prints a time, it checks that all found the same number of states. Times are those of
// a whole process: for SPIN without generating and compiling its verifier, for TLC with the start
// of its virtual machine. The machine may be busy, so compare only within one run.
//
// It needs spin and gcc on the path, and java for TLC.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.sizes, "n", "", "numbers of processes, as in 3,4; each table has its own")
	flag.StringVar(&o.only, "only", "", "these tables only, of "+strings.Join(names(), ","))
	flag.StringVar(&o.jar, "tlc", "", "run TLC too: the path of tla2tools.jar")
	flag.IntVar(&o.runs, "runs", 1, fmt.Sprintf("measure each so many times, in turn, and show the least of each figure; if several, %d times as many of what takes less than %v", moreOfBrief, brief))
	flag.BoolVar(&o.beyond, "beyond", false, "instead, check each algorithm of the catalogue in the least size whose states SPIN cannot hold in 8 GiB; -only takes a part of a name")
	flag.DurationVar(&o.limit, "limit", 2*time.Minute, "for -beyond: how long one check may take; there are two of a size, and some sizes of each algorithm")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "bench: %q is not a flag: -h lists them\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	sizes, only, jar string
	runs             int
	beyond           bool
	limit            time.Duration
}

func run(o options, out io.Writer) error {
	chosen, err := o.choose()
	if err != nil && !o.beyond {
		return err
	}
	b, err := newBench(o)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	fmt.Fprintln(out, b.machine())
	if o.beyond {
		fmt.Fprintln(out)
		return b.beyond(out, o.only, o.limit)
	}
	fmt.Fprintln(out, "\n"+b.legend())
	for _, w := range chosen {
		if err := b.table(out, w); err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
	}
	return nil
}

// choose returns the worlds that are asked for, with the sizes asked for.
func (o options) choose() ([]world, error) {
	if o.runs < 1 {
		return nil, fmt.Errorf("-runs: %d is too few: give 1 or more", o.runs)
	}
	chosen := slices.Clone(worlds)
	if o.only != "" {
		chosen = nil
		for name := range strings.SplitSeq(o.only, ",") {
			i := slices.IndexFunc(worlds, func(w world) bool { return w.name == name })
			if i < 0 {
				return nil, fmt.Errorf("-only: there is no %q: give some of %s", name, strings.Join(names(), ","))
			}
			chosen = append(chosen, worlds[i])
		}
	}
	if o.sizes == "" {
		return chosen, nil
	}
	sizes, err := parseSizes(o.sizes)
	for i := range chosen {
		chosen[i].sizes = sizes
	}
	return chosen, err
}

func parseSizes(text string) ([]int, error) {
	var sizes []int
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 2 || n > 16 {
			return nil, fmt.Errorf("-n: %q is no number of processes: give 2 to 16", word)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// bench is what the measurements need.
type bench struct {
	dir  string // to work in
	mc   string // the path of the command
	jar  string // that of TLC's jar, or nothing
	runs int

	optimise string // what gcc is told of it
}

func newBench(o options) (*bench, error) {
	if err := o.installed(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	b := &bench{dir: dir, mc: filepath.Join(dir, "mc"), optimise: "-O3", runs: o.runs}
	if o.jar != "" {
		if b.jar, err = filepath.Abs(o.jar); err != nil {
			return nil, err
		}
	}
	build := exec.Command("go", "build", "-o", b.mc, "interleave/cmd/mc")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // it needs no C library, whose pages would count as its own
	if out, err := build.CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("go build interleave/cmd/mc, within the repository: %w\n%s", err, out)
	}
	return b, nil
}

// installed returns an error if something that bench needs is not there.
func (o options) installed() error {
	tools := []string{"go"}
	if !o.beyond {
		tools = append(tools, "spin", "gcc")
	}
	if o.jar != "" {
		tools = append(tools, "java")
		if _, err := os.Stat(o.jar); err != nil {
			return fmt.Errorf("-tlc: %w", err)
		}
	}
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%w: install it", err)
		}
	}
	return nil
}

// machine says on what and with what is measured.
func (b *bench) machine() string {
	facts := []string{
		processor(),
		line("go", "version"),
		line("spin", "-V"),
		line("gcc", "--version"),
	}
	if b.jar != "" {
		facts = append(facts, b.tlcVersion(), line("java", "--version"))
	}
	return strings.Join(facts, "; ")
}

// legend says how to read the tables.
func (b *bench) legend() string {
	s := "× is how many times as fast a row is as the first of its N."
	if b.jar == "" {
		return s + " TLC is not here: -tlc gives its jar."
	}
	return s + fmt.Sprintf(" TLC is where there are at most %s states.", commas(tlcLimit))
}

// line returns the first line that a command prints.
func line(command string, args ...string) string {
	out, err := exec.Command(command, args...).Output()
	if err != nil {
		return command + " of unknown version"
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return first
}

// table prints a table for w: for each size a row for each engine, compared
// with the first.
func (b *bench) table(out io.Writer, w world) error {
	fmt.Fprintf(out, "\n%s (`-only %s`):\n\n", w.title, w.name)
	fmt.Fprintln(out, "| N | engine | states | user s | wall s | peak MiB | bytes a state | user × | wall × |")
	fmt.Fprintln(out, "|--:|---|--:|--:|--:|--:|--:|--:|--:|")
	for _, n := range w.sizes {
		all, err := b.compete(w, n)
		if err != nil {
			return fmt.Errorf("%d processes: %w", n, err)
		}
		for _, m := range all {
			fmt.Fprintf(out, "| %d | %s | %s | %.2f | %.2f | %d | %s | %s | %s |\n", n, m.name, commas(m.found), m.user.Seconds(), m.wall.Seconds(),
				m.peak>>20, m.perState(), times(all[0].user, m.user), times(all[0].wall, m.wall))
		}
	}
	return nil
}
