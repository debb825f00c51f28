package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"syscall"

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
	"handler:sink":   {"handler", func() { debug.SetMaxStack(1 << 16); sink(1) }},
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
	Notice: func(s *spec.ID, p *spec.Proc[uint8]) {
		at("handler")
		if *s == p.ID {
			p.Refuse()
		}
		*s = p.ID
		p.Broadcast(p.Others(), 0)
	},
	Receive: func(*spec.ID, *spec.Proc[uint8], spec.ID, uint8) {},
	Leader:  func(s spec.ID) spec.ID { at("leader"); return s },
	Kind:    func(uint8) string { at("kind"); return "HELLO" },
	Kinds:   []string{"HELLO", "AGAIN"},
}

var idler = ending.Mutant("idle", "does nothing", func(*spec.ID, *spec.Proc[uint8], spec.Event, func()) { at("mutant") })

var odd = properties.Invariant("odd", "is asked", func(*model.World) error { at("property"); return nil })

func mcEnding() {
	cli.Program{Machines: []spec.Machine{ending, idler}, Properties: []properties.Property{odd}}.Main()
}
