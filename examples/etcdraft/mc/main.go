// Command mc checks the Raft of etcd: in worlds of etcd/raft, and in those of the issues of package old.
package main

import (
	"interleave/cmd/mc/cli"
	"interleave/examples/etcdraft"
	"interleave/spec"
)

func main() {
	list := []spec.Machine{etcdraft.New(etcdraft.Options{})}
	for _, b := range etcdraft.Bugs {
		list = append(list, etcdraft.New(b.Options))
	}
	cli.Main(nil, list...)
}
