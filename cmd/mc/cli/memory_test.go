package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"interleave/spec/catalog"
)

// TestMemoryCeiling runs mc in a process of its own, with diagrams that outgrow
// what they may take, and looks at how much the process had at most.
func TestMemoryCeiling(t *testing.T) {
	if args := os.Getenv("MEMORY_CEILING"); args != "" {
		var errs bytes.Buffer
		Run(t.Context(), strings.Fields(args), os.Stdout, &errs, catalog.Aliases, catalog.Machines...)
		status, err := os.ReadFile("/proc/self/status")
		t.Logf("%s%s%v", status, &errs, err)
		return
	}
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("takes some seconds, and Linux, which tells the memory of a process")
	}
	for args, reason := range map[string]string{
		"verify chang-roberts --n 12 --engine symbolic --diagram receiver,chain --property T": "outgrew the memory",
		"verify chang-roberts --n 9 --engine explicit --workers 2 --property S-self":          "memory limit reached",
		"verify bully --n 5 --crashes 1 --engine explicit --workers 2 --property S-self":      "memory limit reached",
	} {
		belowCeiling(t, args, reason)
	}
}

// belowCeiling runs mc in a process of its own, which must find its memory too
// small and take hardly more.
func belowCeiling(t *testing.T, args, reason string) {
	t.Helper()
	const mem = 100 << 20
	child := exec.Command(os.Args[0], "-test.run=^TestMemoryCeiling$", "-test.v")
	child.Env = append(os.Environ(), fmt.Sprintf("MEMORY_CEILING=%s --timeout 100s --mem %d", args, mem))
	out, err := child.CombinedOutput()
	peak := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(out)
	if err != nil || peak == nil || !bytes.Contains(out, []byte(reason)) {
		t.Fatalf("%s: %v\n%s", args, err, out)
	}
	if n, _ := strconv.Atoi(string(peak[1])); n<<10 > mem*11/10 {
		t.Errorf("%s took %d KiB, with %d allowed", args, n, mem>>10)
	}
}
