// Command mc checks Raft, and runs it.
package main

import (
	"interleave/cmd/mc/cli"
	"interleave/examples/raft"
)

func main() { cli.Main(nil, raft.Algorithm) }
