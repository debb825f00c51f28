package main

import (
	"os"
	"strings"
	"testing"

	"interleave/examples/etcdraft"
	"interleave/internal/testsize"
)

// TestTable: each bug is found where it was, and not where it is mended, as the table says.
func TestTable(t *testing.T) {
	page, err := os.ReadFile("../../../docs/etcd-raft.md")
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBuilder()
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	for _, bug := range etcdraft.Bugs {
		t.Run(bug.Issue, func(t *testing.T) {
			testsize.Alone(t)
			releases := []string{bug.In, bug.Fixed}
			if bug.Long && !testsize.All() {
				releases = releases[:1]
			}
			row, _, err := b.row(bug, releases...)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(page), "\n"+row) {
				t.Errorf("go run ./old %s prints this line, which the page lacks:\n%s", bug.Issue, row)
			}
		})
	}
}

// TestBuilt: a program that was built with another release than was meant is found.
func TestBuilt(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := built(program, "go.etcd.io/raft/v3", "v3.6.0"); err != nil {
		t.Error(err)
	}
	if built(program, "go.etcd.io/raft/v3", "v3.7.0") == nil {
		t.Error("this is v3.6.0")
	}
}
