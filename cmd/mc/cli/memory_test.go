package cli

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"interleave/internal/testsize"
	"interleave/spec/catalog"
)

// TestMemoryCeiling runs mc in a process of its own, with diagrams that outgrow
// what they may take, and looks at how much the process had at most.
func TestMemoryCeiling(t *testing.T) {
	testsize.Test(t)
	if asChild(t) {
		return
	}
	skipUnlessWeighed(t)
	for i, c := range []struct{ args, reason string }{
		{"verify chang-roberts --n 12 --engine symbolic --diagram receiver,chain --property termination", "outgrew the memory"},
		{"verify chang-roberts/detecting --n 7 --crashes 1 --engine symbolic --diagram overapprox --property winner-is-top", "outgrew the memory"},
		{"verify chang-roberts --n 9 --engine explicit --workers 2 --property winner-is-top", "memory limit reached"},
		{"verify bully --n 5 --crashes 1 --engine explicit --workers 2 --property winner-is-top", "memory limit reached"},
		{"verify chang-roberts --n 8 --engine explicit --workers 2 --property messages-bounded", "memory limit was reached"},
		{"verify token-ring/mended --n 4 --crashes 1 --engine explicit --workers 2 --property winner-is-top", "memory limit reached"},
		{"verify bully/unguarded --n 5 --crashes 2 --duplicates 1 --split --engine explicit --workers 16 --property winner-is-top", "memory limit reached"},
	} {
		if i%testsize.Of(3, 3, 1) == 0 {
			belowCeiling(t, c.args+" --timeout 100s", 100<<20, c.reason)
		}
	}
}

// inChild is mc in a process of its own, which is the running test once more, with the
// collector that a user has.
func inChild(t *testing.T, args string) *exec.Cmd {
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), "GOGC=100", "MC_CHILD="+args)
	return child
}

// asChild does what inChild asks for, and reports whether this is the child.
func asChild(t *testing.T) bool {
	args := os.Getenv("MC_CHILD")
	if args != "" {
		var out bytes.Buffer
		Run(t.Context(), strings.Fields(args), &out, &out, catalog.Aliases, catalog.Machines...)
		status, err := os.ReadFile("/proc/self/status")
		t.Logf("%s%s%v", status, &out, err)
	}
	return args != ""
}

// skipUnlessWeighed skips a test that takes some seconds and asks the system how much memory a
// process took.
func skipUnlessWeighed(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells how much memory another process took at most")
	}
}

// belowCeiling runs mc in a process of its own, whose output must say so, and which may take
// hardly more memory than is allowed.
func belowCeiling(t *testing.T, args string, mem int, say ...string) {
	t.Helper()
	out, err := inChild(t, args+" --mem "+strconv.Itoa(mem)).CombinedOutput()
	peak := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(out)
	if err != nil || peak == nil {
		t.Fatalf("%s: %v\n%s", args, err, out)
	}
	for _, what := range say {
		if !bytes.Contains(out, []byte(what)) {
			t.Errorf("%s does not say %q:\n%s", args, what, out)
		}
	}
	if n, _ := strconv.Atoi(string(peak[1])); n<<10 > mem*11/10 {
		t.Errorf("%s took %d KiB, with %d allowed", args, n, mem>>10)
	}
}
