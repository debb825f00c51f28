//go:build unix

package supervisor

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// begun takes up the work if the setting says that this process is to do it, and not one that
// inherited the variable from there.
func begun(setting string) bool {
	var parent, out, in int
	if n, err := fmt.Sscanf(setting, "%d:%d:%d", &parent, &out, &in); n < 3 || err != nil || parent != os.Getppid() {
		return false
	}
	os.Unsetenv(Variable)
	syscall.CloseOnExec(out)
	syscall.CloseOnExec(in)
	report = os.NewFile(uintptr(out), "report")
	syscall.SetNonblock(in, true) // so that waiting takes no thread
	parents := os.NewFile(uintptr(in), "parent")
	go func() {
		parents.Read(make([]byte, 1)) // which ends when the parent does
		os.Exit(Trouble)
	}()
	return true
}

// watch has a second process do the work, and returns the exit status.
func watch() int {
	runtime.LockOSThread() // Linux ends the second process with the thread that started it
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, passedOn()...)
	p, said, err := start()
	if err != nil {
		fmt.Fprintf(os.Stderr, "mc: error: mc cannot start itself in a process that it watches: %v\nmc: hint: with %s=%s it runs without\n", err, Variable, Off)
		return Trouble
	}
	all := make(chan heard)
	go func() { all <- listen(said) }()
	ended := make(chan *os.ProcessState)
	go func() {
		state, _ := p.Wait()
		ended <- state
	}()
	var last os.Signal
	for {
		select {
		case s := <-signals:
			last = s
			p.Signal(s)
			p.Signal(syscall.SIGCONT) // a stopped process hears nothing
		case state := <-ended:
			said.SetReadDeadline(time.Now().Add(time.Second)) // should anybody else still have it
			h := <-all
			return h.verdict(state.Sys().(syscall.WaitStatus), last)
		}
	}
}

// passedOn returns the signals that end mc, to be passed on: somebody may send them to the first
// process alone. Those of a terminal come to both.
func passedOn() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// open are the ends of pipes that nobody closes before this process ends.
var open []*os.File

// start starts the second process, and returns what it says.
func start() (*os.Process, *os.File, error) {
	name, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	said, out, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer out.Close()
	in, alive, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	open = append(open, alive)
	defer in.Close()
	outFD, err := syscall.Dup(int(out.Fd())) // which is inherited
	if err != nil {
		return nil, nil, err
	}
	defer syscall.Close(outFD)
	inFD, err := syscall.Dup(int(in.Fd()))
	if err != nil {
		return nil, nil, err
	}
	defer syscall.Close(inFD)
	p, err := os.StartProcess(name, os.Args, &os.ProcAttr{
		Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
		Env:   append(os.Environ(), fmt.Sprintf("%s=%d:%d:%d", Variable, os.Getpid(), outFD, inFD)),
		Sys:   dieWithParent(),
	})
	return p, said, err
}

// listen returns what was said in the end.
func listen(said io.Reader) heard {
	h := heard{done: -1}
	for lines := bufio.NewScanner(said); lines.Scan(); {
		h.hear(lines.Text())
	}
	return h
}

// goDump is the status with which a Go program ends that was sent SIGQUIT and does nothing about it.
const goDump = 2

// verdict returns the exit status, and says so if the work came to no end. The last signal is
// the one that was passed on, if any.
func (h *heard) verdict(state syscall.WaitStatus, last os.Signal) int {
	status, how := state.ExitStatus(), fmt.Sprintf("exit status %d", state.ExitStatus())
	if state.Signaled() {
		how = "signal: " + state.Signal().String()
	}
	switch {
	case state.Exited() && status == h.done:
		return status
	case state.Signaled() && state.Signal() == syscall.SIGPIPE: // nobody reads what it writes, as of mc ... | head
		return 128 + int(syscall.SIGPIPE)
	case state.Signaled() && state.Signal() == last: // asked for a second time
		signal.Reset(last)
		syscall.Kill(os.Getpid(), state.Signal())
		time.Sleep(time.Second)
	case state.Exited() && status == goDump && last == syscall.SIGQUIT: // its goroutines are on standard error
		return status
	default:
		why, hint := cause(status, state.Signaled() && state.Signal() == syscall.SIGKILL)
		h.work.tell(how, why, hint)
	}
	return Trouble
}
