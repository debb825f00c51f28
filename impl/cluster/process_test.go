//go:build unix

package cluster

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// shell is a process that a shell runs.
func shell(t *testing.T, script string) (p *process, launch func(), died chan string) {
	t.Helper()
	died = make(chan string, 10)
	p = &process{id: 3, stderr: filepath.Join(t.TempDir(), "stderr")}
	s := newSpawner()
	t.Cleanup(func() {
		p.kill()
		close(s.start)
	})
	return p, func() {
		t.Helper()
		err := p.launch(s, []string{"/bin/sh", "-c", script}, func(_ *process, how string, status int) { died <- how })
		if err != nil {
			t.Fatal(err)
		}
	}, died
}

func wantState(t *testing.T, p *process, want State, starts int) {
	t.Helper()
	if state, n, pid := p.now(); state != want || n != starts || (pid != 0) != (want == Up || want == Halted) {
		t.Errorf("%s after %d starts, not %s after %d; number %d", state, n, want, starts, pid)
	}
}

func TestKillAndRestart(t *testing.T) {
	p, launch, died := shell(t, "exec sleep 100")
	if p.kill() || p.pause() || p.resume() || p.stop(time.Second) != "" {
		t.Error("what was never started can be killed")
	}
	launch()
	wantState(t, p, Up, 1)
	_, _, pid := p.now()
	if !p.kill() || p.kill() {
		t.Error("it is not killed once")
	}
	if syscall.Kill(pid, 0) == nil {
		t.Error("it is there after it was killed")
	}
	wantState(t, p, Gone, 1)
	launch()
	wantState(t, p, Up, 2)
	if wrong := p.stop(10 * time.Second); wrong != "" {
		t.Error(wrong)
	}
	wantState(t, p, Finished, 2)
	if len(died) > 0 {
		t.Error("its death is told of as its own")
	}
}

func TestPauseAndResume(t *testing.T) {
	p, launch, _ := shell(t, "exec sleep 100")
	launch()
	if !p.pause() || p.pause() {
		t.Error("it is not paused once")
	}
	wantState(t, p, Halted, 1)
	_, _, pid := p.now()
	for !strings.Contains(stat(t, pid), ") T ") {
		time.Sleep(time.Millisecond)
	}
	if !p.resume() || p.resume() {
		t.Error("it is not resumed once")
	}
	for strings.Contains(stat(t, pid), ") T ") {
		time.Sleep(time.Millisecond)
	}
	p.pause()
	if wrong := p.stop(10 * time.Second); wrong != "" {
		t.Errorf("a paused one: %s", wrong)
	}
}

// onlyLinux skips what asks Linux of a process.
func onlyLinux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells this of a process")
	}
}

// stat returns what Linux tells of a process.
func stat(t *testing.T, pid int) string {
	t.Helper()
	onlyLinux(t)
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestStopOfTheStubborn(t *testing.T) {
	p, launch, _ := shell(t, "trap '' TERM; echo ready >&2; while :; do sleep 100; done")
	launch()
	for p.lastError() != "ready" {
		time.Sleep(time.Millisecond)
	}
	if wrong := p.stop(10 * time.Millisecond); wrong != "was killed at the end: it did not end within 10ms when it was asked to" {
		t.Errorf("it ended by itself: %s", wrong)
	}
}

// TestBadEnd: one that ends when it is asked to, and not well, is told of.
func TestBadEnd(t *testing.T) {
	p, launch, _ := shell(t, "trap 'echo no room >&2; exit 4' TERM; echo ready >&2; while :; do sleep 0.01; done")
	launch()
	for p.lastError() != "ready" {
		time.Sleep(time.Millisecond)
	}
	if wrong := p.stop(time.Minute); wrong != "did not end well, exit status 4: no room" {
		t.Error(wrong)
	}
}

func TestFailureIsTold(t *testing.T) {
	p, launch, died := shell(t, "echo begins >&2; echo mc: error: no good >&2; echo mc: hint: another >&2; exit 2")
	launch()
	if how := <-died; how != "exit status 2" || p.lastError() != "mc: error: no good" {
		t.Errorf("%s: %s", how, p.lastError())
	}
	wantState(t, p, Failed, 1)
}

func TestMemory(t *testing.T) {
	onlyLinux(t)
	if bytes := memory(os.Getpid()); bytes < 1<<20 || bytes > 1<<34 {
		t.Errorf("%d bytes", bytes)
	}
	if bytes := memory(1 << 30); bytes != 0 {
		t.Errorf("%d bytes of nobody", bytes)
	}
	var m Memory
	for _, sample := range []struct {
		pid   int
		bytes int64
	}{{1, 5}, {2, 10}, {2, 11}, {2, 12}, {2, 90}, {2, 14}, {2, 15}, {2, 16}, {2, 17}, {2, 18}} {
		m.take(sample.pid, sample.bytes)
	}
	if m.Quarters != [5]int64{10, 12, 14, 16, 18} || m.Most != 90 || m.Samples != 9 || m.last() != 18 {
		t.Errorf("%+v", m)
	}
}

// TestLastErrorOfThisLife: what it wrote before it was started again is no
// reason for its end.
func TestLastErrorOfThisLife(t *testing.T) {
	p := &process{stderr: filepath.Join(t.TempDir(), "stderr")}
	if err := os.WriteFile(p.stderr, []byte("mc: error: long ago\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := newSpawner()
	defer close(s.start)
	died := make(chan string, 1)
	if err := p.launch(s, []string{"/bin/sh", "-c", "exit 7"}, func(_ *process, how string, _ int) { died <- how }); err != nil {
		t.Fatal(err)
	}
	if how := <-died; how != "exit status 7" || p.lastError() != "it wrote nothing to standard error" {
		t.Errorf("%s: %s", how, p.lastError())
	}
}
