// Command old looks for bugs that the Raft of etcd had, in a release that had each and in one that has not: the same harness is
// built with every release. It prints the table of docs/etcd-raft.md. With issues as arguments, it looks for these, and
// prints the runs that it finds.
package main

import (
	"fmt"
	"os"
	"slices"

	"interleave/examples/etcdraft"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "old:", err)
		os.Exit(1)
	}
}

func run(issues []string) error {
	for _, issue := range issues {
		if !slices.ContainsFunc(etcdraft.Bugs, func(b etcdraft.Bug) bool { return b.Issue == issue }) {
			return fmt.Errorf("no world is known for the issue %q: the table without arguments has those that are", issue)
		}
	}
	b, err := newBuilder()
	if err != nil {
		return err
	}
	defer b.close()
	fmt.Print(head)
	for _, bug := range etcdraft.Bugs {
		if len(issues) > 0 && !slices.Contains(issues, bug.Issue) {
			continue
		}
		row, runs, err := b.row(bug, bug.In, bug.Fixed)
		if err != nil {
			return err
		}
		fmt.Println(row)
		if len(issues) > 0 {
			fmt.Println(runs)
		}
	}
	return nil
}
