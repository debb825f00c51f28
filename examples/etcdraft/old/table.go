package main

import (
	"fmt"
	"strings"

	"interleave/examples/etcdraft"
)

const head = "| issue | what goes wrong | property | release | there | release | there |\n|---|---|---|---|---|---|---|\n"

// row is the line of the table about a bug, as far as releases go, and the run that shows it.
func (b *builder) row(bug etcdraft.Bug, releases ...string) (row, run string, err error) {
	cells := []string{fmt.Sprintf("[%s](https://github.com/etcd-io/etcd/issues/%[1]s)", bug.Issue), bug.Doc, bug.Property}
	for _, release := range releases {
		found, err := b.look(bug, release)
		if err != nil {
			return "", "", err
		}
		cells = append(cells, release, found.String())
		run += strings.Join(found.Run, "\n")
	}
	return "| " + strings.Join(cells, " | ") + " |", run, nil
}
