package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"time"
)

// perState returns what a state took of the memory. It says nothing where states
// are few, for the programs themselves take more, or of another kind.
func (m measure) perState() string {
	if m.other || m.found < 100_000 {
		return "–"
	}
	if m.peak < int64(m.found)/10 {
		return "<0.1"
	}
	return fmt.Sprintf("%.1f", float64(m.peak)/float64(m.found))
}

// times returns how many times as fast a run is that takes so long, where the
// one to compare with takes base.
func times(base, took time.Duration) string {
	took, base = max(took, time.Millisecond), max(base, time.Millisecond)
	ratio := base.Seconds() / took.Seconds()
	if ratio >= 100 {
		return fmt.Sprintf("%.0f×", ratio)
	}
	return fmt.Sprintf("%.2g×", ratio)
}

// commas writes a number as people read it.
func commas(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", commas(n/1000), n%1000)
}

var modelName = regexp.MustCompile(`model name\s*: (.*)`)

// processor names the machine's processor and says how many there are.
func processor() string {
	name := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if found := modelName.FindSubmatch(text); found != nil {
			name = string(found[1])
		}
	}
	return fmt.Sprintf("%d × %s", runtime.NumCPU(), name)
}
