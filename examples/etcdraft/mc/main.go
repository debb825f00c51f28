// Command mc checks the Raft of etcd, in its variants and in those of the issues of package old.
package main

import (
	"interleave/cmd/mc/cli"
	"interleave/examples/etcdraft"
	"interleave/spec"
)

func main() {
	var list []spec.Machine
	for _, o := range etcdraft.Variants {
		list = append(list, etcdraft.New(o))
	}
	for _, b := range etcdraft.Bugs {
		list = append(list, etcdraft.New(b.Options))
	}
	cli.Main(nil, list...)
}
