// Command branch is an mc of an algorithm that has a branch which no world reaches.
package main

import (
	"interleave/cmd/mc/cli"
	"interleave/spec"
)

func start(s *int, p *spec.Proc[int]) { p.Broadcast(p.Others(), 1) }

func receive(s *int, p *spec.Proc[int], _ spec.ID, m int) {
	if m > 1 {
		*s = 99
		return
	}
	*s++
}

func unused(s int) int { return s + 1 }

func main() {
	_ = unused
	cli.Main(nil, &spec.Algorithm[int, int]{Name: "branch", Doc: "counts", Source: "none", Start: start, Receive: receive})
}
