package main

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"interleave/internal/testsize"
)

// An example of a help text is run as it stands but for this.
var altered = []struct{ example, from, to, why string }{
	{"mc cluster", " --duration 60s", "", "it takes the following"},
	{"mc cluster", "--kill-leader-every 3s", "--kill-leader-every 600ms --duration 1500ms", "two kills are enough"},
	{"mc cluster", "--partition-every 10s", "--partition-every 500ms --duration 1s", "one division is enough"},
	{"mc cluster", "--elections 200", "--elections 2", "two elections are enough"},
	{"mc cluster", "--plan storm.yaml", "--plan storm.yaml --duration 1s", "by default it is half a minute"},
	{"mc capture", "--duration 30s", "--duration 100ms", "nobody says anything in any case"},
	{"sudo", "sudo ", "", "nobody is there to type a password"},
	{"mc verify bully --n 4", "--n 4", "--n 3", "it has millions of states"},
	{"mc node", ":700", ":2717", "the ports of the example may be taken"},
	{"mc man", "/usr/local/share/man/man1", "out", "a test writes into its own folder only"},
	{"mc tla export", "/tmp", "out", "the same"},
}

// These are not run. Init has a folder of its own for what it writes.
var notRun = map[string]string{
	"cd mine":                   "the next line is not run either",
	"mc text bad.json":          "it is of existing code, which the catalogue has none of: the script text runs it",
	"mc text bad.json --step 7": "the same",
	"mc text bad.json --step 7 --against 3 --process 2": "the same",
	"go test ./...": "it compiles a module, as TestInit of package cli does",
}

// These go on until they are interrupted, once they have said that they are under way.
var endless = []struct{ example, says string }{
	{"mc explore", "http://127.0.0.1:"},
	{"mc node", "msg=begins"},
	{"mc capture -w", "interrupt it to end"},
	{"mc conform --live", "interrupt it to end"},
}

// forbidden is what mc says where it may not listen to what others say, when it has
// found all else right.
const forbidden = "not allowed to capture"

// These end with another status than 0, or may do so: it depends on what others say.
var statuses = []struct {
	example  string
	statuses []int
}{
	{"mc verify bully/published", []int{1}},
	{"mc verify bully/mended~", []int{1}},
	{"mc simulate bully", []int{1}},
	{"mc tla compare tla/Bully.tla --with", []int{1}},
	{"mc capture", []int{0, 4}},
	{"mc conform --live", []int{0, 1, 2, 3}},
}

// exampleFiles are what the examples name and none of them makes.
var exampleFiles = map[string]string{
	"elections.yaml": "version: 1\nrows:\n- {algorithm: bully/mended, n: 2, expect: {agreement-on-top: holds}}\n- {algorithm: bully/published, timers: any, expect: {one-leader: violated}}\n",
	"storm.yaml":     "version: 1\nfaults: {loss: 5%}\n",
	"node.yaml":      "algorithm: bully\nid: 1\nlisten: 127.0.0.1:27176\npeers: {2: 127.0.0.1:27177}\n",
	"Spec.tla":       "---- MODULE Spec ----\nEXTENDS Naturals\nCONSTANT Most\nVARIABLE x\nInit == x = 0\nNext == x < Most /\\ x' = x + 1\nSpec == Init /\\ [][Next]_x\nSmall == x <= Most\n====\n",
	"Small.cfg":      "SPECIFICATION Spec\nINVARIANT Small\nCONSTANT Most = 3\nCHECK_DEADLOCK FALSE\n",
	"out/empty":      "",
	"spec/bully/a":   "",
}

// TestExamples runs the examples of every help text, in order, in a folder for each
// text.
func TestExamples(t *testing.T) {
	testsize.Test(t)
	if runtime.GOOS != "linux" {
		t.Skip("the addresses of a cluster, and captures, are those of Linux")
	}
	if testing.Short() {
		t.Skip("takes seconds: there are clusters among them")
	}
	ran, err := filepath.Abs(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	runOnce := sync.OnceFunc(func() {
		outcomeOf(t, ran, "mc cluster bully --n 2 --duration 500ms --dir run").expect(t, 0)
		outcomeOf(t, ran, "mc sweep elections.yaml --lock elections.lock --update-lock").expect(t, 0)
	})
	lay(t, ran)
	verbs := append(listed(t), "")
	for _, verb := range listed(t, "tla") {
		verbs = append(verbs, "tla "+verb)
	}
	total := 0
	t.Run("of", func(t *testing.T) {
		for _, verb := range verbs {
			examples := examplesOf(t, strings.Fields(verb)...)
			total += len(examples)
			if len(examples) == 0 {
				continue
			}
			t.Run(cmp.Or(verb, "mc"), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				lay(t, dir)
				switch verb {
				case "explore", "conform", "sweep":
					runOnce()
					borrow(t, dir, ran, verb != "conform") // which makes a run itself
				}
				var all sync.WaitGroup
				for _, line := range examples {
					if verb == "cluster" { // most of the time they wait
						all.Go(func() { try(t, dir, line) })
					} else {
						try(t, dir, line)
					}
				}
				all.Wait()
			})
		}
	})
	if total < 50 {
		t.Errorf("only %d examples", total)
	}
}

// listed returns the verbs that a help text lists.
func listed(t *testing.T, of ...string) []string {
	t.Helper()
	_, list, _ := strings.Cut(help(t, of), "\nAvailable Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	var verbs []string
	for line := range strings.Lines(list) {
		if verb := strings.Fields(line)[0]; verb != "help" {
			verbs = append(verbs, verb)
		}
	}
	if len(verbs) == 0 {
		t.Fatalf("mc %v has no verbs", of)
	}
	return verbs
}

func help(t *testing.T, verb []string) string {
	t.Helper()
	out, err := exec.Command("mc", append(slices.Clone(verb), "--help")...).Output()
	if err != nil {
		t.Fatalf("mc %v --help: %v", verb, err)
	}
	return string(out)
}

// examplesOf returns the examples of a help text, one command each.
func examplesOf(t *testing.T, verb ...string) []string {
	t.Helper()
	_, text, _ := strings.Cut(help(t, verb), "\nExamples:\n")
	text, _, _ = strings.Cut(text, "\n\n")
	var examples []string
	for line := range strings.Lines(strings.ReplaceAll(text, "&&", ";")) {
		for command := range strings.SplitSeq(line, ";") {
			examples = append(examples, strings.TrimSpace(command))
		}
	}
	return examples
}

// lay writes what no example makes, and the modules of this repository.
func lay(t *testing.T, dir string) {
	t.Helper()
	files := maps.Clone(exampleFiles)
	for _, file := range []string{"tla/ChangRoberts.tla", "tla/ChangRoberts.cfg", "tla/Bully.tla", "tla/Bully.cfg"} {
		text, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		files[file] = string(text)
	}
	for file, text := range files {
		put(t, filepath.Join(dir, file), text)
	}
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// borrow takes over the logs of a run, perhaps all of it, and a lock from where they were
// made.
func borrow(t *testing.T, dir, from string, run bool) {
	t.Helper()
	files := map[string]string{"one.log": "run/process-1.ndjson", "two.log": "run/process-2.ndjson", "elections.lock": "elections.lock"}
	if run {
		files["run"] = "run"
	}
	for here, there := range files {
		if err := os.Symlink(filepath.Join(from, there), filepath.Join(dir, here)); err != nil {
			t.Fatal(err)
		}
	}
}

// try runs an example.
func try(t *testing.T, dir, line string) {
	t.Helper()
	if notRun[line] != "" {
		return
	}
	changed := line
	for _, a := range altered {
		if strings.HasPrefix(line, a.example) {
			changed = strings.Replace(changed, a.from, a.to, 1)
		}
	}
	want := []int{0}
	for _, s := range statuses {
		if strings.HasPrefix(changed, s.example) {
			want = s.statuses
		}
	}
	outcomeOf(t, dir, changed).expect(t, want...)
}

// outcome is what became of a command.
type outcome struct {
	line    string
	status  int
	printed string
}

func (o outcome) expect(t *testing.T, statuses ...int) {
	t.Helper()
	if !slices.Contains(statuses, o.status) {
		t.Errorf("%s\nexit status %d, not %v:\n%s", o.line, o.status, statuses, o.printed)
	}
}

// outcomeOf runs a command; one that is endless until it is under way.
func outcomeOf(t *testing.T, dir, line string) outcome {
	t.Helper()
	words := strings.Fields(strings.ReplaceAll(line, "'", ""))
	if words[0] != "mc" {
		t.Fatalf("%q runs no mc", line)
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = dir
	out := &heard{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, e := range endless {
		if strings.HasPrefix(line, e.example) && !strings.Contains(line, "--html") {
			out.listen(e.says, func() { cmd.Process.Signal(syscall.SIGINT) })
			defer func() {
				if text := out.text.String(); !strings.Contains(text, e.says) && !strings.Contains(text, forbidden) {
					t.Errorf("%s\ndoes not say %q:\n%s", line, e.says, text)
				}
			}()
		}
	}
	patience := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer patience.Stop()
	exit := &exec.ExitError{}
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outcome{line, cmd.ProcessState.ExitCode(), out.text.String()}
}

// heard is what a program has printed. It calls a function once it has said something.
type heard struct {
	mutex sync.Mutex
	text  bytes.Buffer
	says  string
	then  func()
}

func (h *heard) Write(p []byte) (int, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.text.Write(p)
	h.heed()
	return len(p), nil
}

func (h *heard) listen(says string, then func()) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.says, h.then = says, then
	h.heed()
}

func (h *heard) heed() {
	if h.then != nil && strings.Contains(h.text.String(), h.says) {
		h.then()
		h.then = nil
	}
}
