package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"
	"time"

	"interleave/cmd/mc/cli"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// Programs of testdata/ending.txtar: mc with one algorithm, ending, in which the environment
// says which function does what: END=handler:exit.

// at does what the environment asks of a function.
func at(function string) {
	if way, ok := ways[os.Getenv("END")]; ok && way.function == function {
		way.end()
	}
}

var ways = map[string]struct {
	function string
	end      func()
}{
	"handler:exit":   {"handler", func() { os.Exit(0) }},
	"handler:fail":   {"handler", func() { os.Exit(1) }},
	"handler:kill":   {"handler", func() { send(syscall.SIGKILL) }},
	"handler:abort":  {"handler", func() { send(syscall.SIGABRT) }},
	"handler:sink":   {"handler", func() { debug.SetMaxStack(1 << 16); fmt.Fprint(io.Discard, sink(1)) }},
	"handler:hang":   {"handler", hang},
	"handler:eat":    {"handler", eat},
	"property:hang":  {"property", hang},
	"property:exit":  {"property", func() { os.Exit(0) }},
	"property:leave": {"property", runtime.Goexit},
	"kind:exit":      {"kind", func() { os.Exit(0) }},
	"leader:exit":    {"leader", func() { os.Exit(0) }},
	"leader:leave":   {"leader", runtime.Goexit},
}

func send(s os.Signal) {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(s)
	}
	if err != nil {
		panic(err)
	}
	select {}
}

// hang says that it was called and does not come back.
func hang() {
	fmt.Println("hanging")
	for {
		calls++
	}
}

var calls int

// eat takes more memory than there may be.
func eat() {
	for {
		eaten = append(eaten, make([]byte, 8<<20))
		time.Sleep(time.Millisecond)
	}
}

var eaten [][]byte

// TestEndTogether: whoever kills mc has ended what it does, too.
func TestEndTogether(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a program is not supervised there")
	}
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := &exec.Cmd{Path: name, Args: []string{"mc-ending", "verify", "ending", "--n", "2"}, Env: append(os.Environ(), "END=handler:hang")}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "hanging\n" {
		t.Errorf("%q, %v", line, err)
	}
	cmd.Process.Kill()
	if _, err := io.Copy(io.Discard, out); err != nil { // which ends when nobody has the pipe any more
		t.Error(err)
	}
	cmd.Wait()
}

// sink needs more stack than there is.
func sink(n int) int {
	if n < 0 {
		return 0
	}
	return sink(n+1) + n
}

// ending is an algorithm in which every process becomes its own leader.
var ending = &spec.Algorithm[spec.ID, uint8]{
	Name: "ending", Doc: "ends its process", Source: "this test",
	Receive: func(*spec.ID, *spec.Proc[uint8], spec.ID, uint8) {},
	Election: &spec.Election[spec.ID, uint8]{
		Notice: func(s *spec.ID, p *spec.Proc[uint8]) {
			at("handler")
			if *s == p.ID {
				p.Refuse()
			}
			*s = p.ID
			p.Broadcast(p.Others(), 0)
		},
		Leader: func(s spec.ID) spec.ID { at("leader"); return s },
	},
	Kind:  func(uint8) string { at("kind"); return "HELLO" },
	Kinds: []string{"HELLO", "AGAIN"},
}

var idler = ending.Mutant("idle", "does nothing", func(*spec.ID, *spec.Proc[uint8], spec.Event, func()) { at("mutant") })

var odd = properties.Invariant("odd", "is asked", func(*model.World) error { at("property"); return nil })

func mcEnding() {
	cli.Program{Machines: []spec.Machine{ending, idler}, Properties: []properties.Property{odd}}.Main()
}
