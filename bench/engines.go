package main

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ours returns our engines.
func (b *bench) ours(w world, n int) []engine {
	var all []engine
	flags := []string{"--engine explicit --workers 1", "--engine explicit --workers 2", "--engine symbolic"}
	switch {
	case w.reduces:
		flags = append(flags, "--engine explicit --workers 1 --reduce")
	case w.spin == nil:
		flags = []string{"--engine symbolic --diagram exact"} // of which the states are counted
	}
	for _, chosen := range flags {
		args := fmt.Sprintf("verify %s --n %d --json --mem 16GiB %s", w.mc, n, chosen)
		all = append(all, engine{
			name:    "mc " + chosen,
			command: exec.Command(b.mc, strings.Fields(args)...),
			states:  oursFound,
			other:   strings.HasSuffix(chosen, "--reduce"),
		})
	}
	return all
}

func oursFound(printed []byte) (int, error) {
	var report struct {
		Verdict string `json:"verdict"`
		Stats   struct {
			States int `json:"distinct_states"`
		} `json:"stats"`
	}
	if err := json.Unmarshal(printed, &report); err != nil {
		return 0, err
	}
	if report.Verdict != "VERIFIED" {
		return 0, fmt.Errorf("the verdict is %s", report.Verdict)
	}
	return report.Stats.States, nil
}

// tlcLimit is how many states TLC is asked to explore at most: it takes half a
// minute for a million.
const tlcLimit = 5_000_000

// theirs returns SPIN and, if there is time, TLC.
func (b *bench) theirs(w world, n, states int) ([]engine, error) {
	spins, err := b.spin(w, n, states)
	if err != nil || b.jar == "" || w.module == "" || states > tlcLimit {
		return spins, err
	}
	tlcs, err := b.tlc(w, n)
	return append(spins, tlcs...), err
}

// spin generates and compiles a verifier for each model of a world. SPIN does not grow
// its table well, and is fastest where it has room for four times the states.
func (b *bench) spin(w world, n, states int) ([]engine, error) {
	var all []engine
	for i, t := range w.spin {
		dir := filepath.Join(b.dir, fmt.Sprint(w.name, n, "-", i))
		if err := compile(dir, t.promela(n, w.step(n)), b.optimise+" "+t.flags); err != nil {
			return nil, fmt.Errorf("%s: %w", t.engine, err)
		}
		all = append(all, engine{
			name:    t.engine,
			command: exec.Command(filepath.Join(dir, "pan"), "-m10000", fmt.Sprintf("-w%d", places(states))),
			states:  func(printed []byte) (int, error) { return spinFound(printed, t.before) },
			other:   t.other,
		})
	}
	return all, nil
}

// places is how many places SPIN's table has for so many states, as a power of two.
func places(states int) int { return max(20, bits.Len(uint(states))+2) }

// compile makes the verifier dir/pan of a model.
func compile(dir, promela, flags string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "world.pml"), []byte(promela), 0o666); err != nil {
		return err
	}
	for _, command := range []string{"spin -a world.pml", "gcc -DMEMLIM=20000 " + flags + " -o pan pan.c"} {
		words := strings.Fields(command)
		c := exec.Command(words[0], words[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", command, err, out)
		}
	}
	return nil
}

var (
	spinStates = regexp.MustCompile(`(\d+) states, stored`)
	spinGaveUp = regexp.MustCompile(`errors: [1-9]|not completed|too small|out of memory`)
)

func spinFound(printed []byte, before int) (int, error) {
	count := spinStates.FindSubmatch(printed)
	if count == nil || spinGaveUp.Match(printed) {
		return 0, errors.New("it verified nothing")
	}
	states, err := strconv.Atoi(string(count[1]))
	return states - before, err
}

//go:embed tla
var modules embed.FS

// tlc returns TLC with one worker and with as many as there are processors.
func (b *bench) tlc(w world, n int) ([]engine, error) {
	dir := filepath.Join(b.dir, fmt.Sprint(w.name, n, "-tlc"))
	if err := os.CopyFS(dir, modules); err != nil {
		return nil, err
	}
	config := fmt.Sprintf("SPECIFICATION Spec\nINVARIANT Self\nCONSTANT N = %d\n", n)
	if step := w.step(n); step != 0 {
		config += fmt.Sprintf("CONSTANT Step = %d\n", step)
	}
	if err := os.WriteFile(filepath.Join(dir, "world.cfg"), []byte(config), 0o666); err != nil {
		return nil, err
	}
	var all []engine
	for _, workers := range []string{"1", "auto"} {
		args := fmt.Sprintf("-workers %s -deadlock -cleanup -config world.cfg -metadir states tla/%s.tla", workers, w.module)
		c := exec.Command("java", append([]string{"-XX:+UseParallelGC", "-Djava.io.tmpdir=" + dir, "-cp", b.jar, "tlc2.TLC"}, strings.Fields(args)...)...)
		c.Dir = dir
		all = append(all, engine{name: "TLC -workers " + workers, command: c, states: tlcFound})
	}
	return all, nil
}

var tlcVersion = regexp.MustCompile(`Version [\w. ]*\w`)

func (b *bench) tlcVersion() string {
	help, _ := exec.Command("java", "-cp", b.jar, "tlc2.TLC", "-h").CombinedOutput()
	return "TLC " + cmp.Or(string(tlcVersion.Find(help)), "of unknown version")
}

var tlcStates = regexp.MustCompile(`No error has been found(?s:.*)\b(\d+) distinct states found, 0 states left`)

func tlcFound(printed []byte) (int, error) {
	count := tlcStates.FindSubmatch(printed)
	if count == nil {
		return 0, errors.New("it verified nothing")
	}
	return strconv.Atoi(string(count[1]))
}

// compete has every engine explore w with n processes.
func (b *bench) compete(w world, n int) ([]measure, error) {
	ours := b.ours(w, n)
	one, err := ours[0].run() // for the others to know how many states there will be
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ours[0].name, err)
	}
	others, err := b.theirs(w, n, one.found)
	if err != nil {
		return nil, err
	}
	all, err := race(slices.Concat(others, ours), b.runs)
	if err != nil {
		return nil, err
	}
	return all, agree(all, one)
}

// agree returns an error unless all that should found as many states as the
// one.
func agree(all []measure, one measure) error {
	for _, m := range all {
		if !m.other && m.found != one.found {
			return fmt.Errorf("%s found %s states, and %s %s", m.name, commas(m.found), one.name, commas(one.found))
		}
	}
	return nil
}
