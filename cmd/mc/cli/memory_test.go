package cli

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"interleave/spec/catalog"
)

// TestMemoryCeiling runs mc in a process of its own, with diagrams that outgrow
// what they may take, and looks at how much the process had at most.
func TestMemoryCeiling(t *testing.T) {
	const mem = 100 << 20
	args := "verify chang-roberts --n 12 --engine symbolic --diagram receiver,chain --property T --timeout 60s --mem " + strconv.Itoa(mem)
	if os.Getenv("MEMORY_CEILING") != "" {
		var errs bytes.Buffer
		Run(t.Context(), strings.Fields(args), os.Stdout, &errs, catalog.Aliases, catalog.Machines...)
		status, err := os.ReadFile("/proc/self/status")
		t.Logf("%s%s%v", status, &errs, err)
		return
	}
	if _, err := os.Stat("/proc/self/status"); err != nil || testing.Short() {
		t.Skip("takes some seconds, and a system that tells the memory of a process")
	}
	child := exec.Command(os.Args[0], "-test.run=^TestMemoryCeiling$", "-test.v")
	child.Env = append(os.Environ(), "MEMORY_CEILING=yes")
	out, err := child.CombinedOutput()
	peak := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(out)
	if err != nil || peak == nil || !bytes.Contains(out, []byte("outgrew the memory")) {
		t.Fatalf("%v\n%s", err, out)
	}
	if n, _ := strconv.Atoi(string(peak[1])); n<<10 > mem*11/10 {
		t.Errorf("the process took %d KiB, with %d allowed", n, mem>>10)
	}
}
