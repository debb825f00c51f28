package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"interleave/spec"
)

// process is one process of a cluster: a process of the operating system,
// which may be started again.
type process struct {
	id     spec.ID
	stderr string // the file that its standard error is appended to

	mu     sync.Mutex
	cmd    *exec.Cmd     // the last one started
	ended  chan struct{} // closed when it has ended
	starts int
	state  State
	meant  bool  // to end: we ended it
	wrote  int64 // to standard error before it was last started, in bytes
}

// State is what a process is doing, as far as the cluster knows.
type State string

const (
	Up       State = "up"
	Halted   State = "paused"
	Gone     State = "killed"
	Failed   State = "failed"  // it ended by itself
	Finished State = "stopped" // at the end of the run
)

// spawner starts processes from one thread of the operating system: Linux kills
// the children of a thread that ends, if asked to (see dieWithParent).
type spawner struct {
	start chan *exec.Cmd
	err   chan error
}

func newSpawner() *spawner {
	s := &spawner{start: make(chan *exec.Cmd), err: make(chan error)}
	go func() {
		runtime.LockOSThread()
		for cmd := range s.start {
			s.err <- cmd.Start()
		}
	}()
	return s
}

func (s *spawner) spawn(cmd *exec.Cmd) error {
	s.start <- cmd
	return <-s.err
}

// launch starts the process, which must not be up. It calls died when it has
// ended by itself, with how.
func (p *process) launch(s *spawner, command []string, died func(p *process, how string, status int)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	words, err := os.OpenFile(p.stderr, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer words.Close()
	if info, err := words.Stat(); err == nil {
		p.wrote = info.Size()
	}
	cmd := &exec.Cmd{Path: command[0], Args: command, Stderr: words, SysProcAttr: apart()}
	if err := s.spawn(cmd); err != nil {
		return fmt.Errorf("process %v cannot be started: %w", p.id, err)
	}
	p.cmd, p.ended, p.state, p.meant = cmd, make(chan struct{}), Up, false
	p.starts++
	go p.await(cmd, p.ended, died)
	return nil
}

func (p *process) await(cmd *exec.Cmd, ended chan struct{}, died func(p *process, how string, status int)) {
	err := cmd.Wait()
	p.mu.Lock()
	meant := p.meant
	if !meant {
		p.state = Failed
	}
	p.mu.Unlock()
	close(ended)
	if !meant {
		how := "exit status 0"
		if err != nil {
			how = err.Error()
		}
		died(p, how, cmd.ProcessState.ExitCode())
	}
}

// now returns what the process is doing, how often it was started, and its
// number, 0 if it is not up.
func (p *process) now() (state State, starts, pid int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == Up || p.state == Halted {
		pid = p.cmd.Process.Pid
	}
	return p.state, p.starts, pid
}

// kill ends the process at once, kill -9, and waits for its end. It reports
// whether it was up.
func (p *process) kill() bool {
	p.mu.Lock()
	if p.state != Up && p.state != Halted {
		p.mu.Unlock()
		return false
	}
	p.state, p.meant = Gone, true
	p.cmd.Process.Kill()
	ended := p.ended
	p.mu.Unlock()
	<-ended
	return true
}

// pause stops the process where it is, resume lets it go on. They report
// whether that was possible.
func (p *process) pause() bool  { return p.shift(Up, Halted, sigStop) }
func (p *process) resume() bool { return p.shift(Halted, Up, sigCont) }

func (p *process) shift(from, to State, signal os.Signal) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state != from || p.cmd.Process.Signal(signal) != nil {
		return false
	}
	p.state = to
	return true
}

// stop asks the process to end, and kills it if it does not in time. It returns what
// went wrong, "" if nothing did.
func (p *process) stop(within time.Duration) (wrong string) {
	p.resume()
	p.mu.Lock()
	if p.state != Up {
		p.mu.Unlock()
		return ""
	}
	p.state, p.meant = Finished, true
	cmd, ended := p.cmd, p.ended
	cmd.Process.Signal(sigTerm)
	p.mu.Unlock()
	select {
	case <-ended:
	case <-time.After(within):
		cmd.Process.Kill()
		<-ended
		return fmt.Sprintf("was killed at the end: it did not end within %v when it was asked to", within)
	}
	if status := cmd.ProcessState.ExitCode(); status > 0 {
		return fmt.Sprintf("did not end well, exit status %d: %s", status, p.lastError())
	}
	return ""
}

// exitUsage is the exit status of a process that refuses its command line, and
// of one that breaks.
const exitUsage = 2

// killedBySignal stands for the exit status of one that a signal ended.
const killedBySignal = -1

// lastError returns the last error that the process wrote to standard error
// since it was last started, or else its last line.
func (p *process) lastError() string {
	text, err := os.ReadFile(p.stderr)
	if err != nil {
		return err.Error()
	}
	p.mu.Lock()
	text = text[min(p.wrote, int64(len(text))):]
	p.mu.Unlock()
	last := "it wrote nothing to standard error"
	for line := range strings.Lines(string(text)) {
		if broke(line) {
			return strings.TrimSpace(line)
		}
		if !strings.HasPrefix(line, "mc: hint: ") {
			last = strings.TrimSpace(line)
		}
	}
	return last
}

// broke reports whether a line is what the runtime of Go says when a program
// breaks. The exit status is that of bad input then.
func broke(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
}
