// Command check looks for a bug in the release that it was built with: check ISSUE. Its output is JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"interleave/examples/etcdraft"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	for _, b := range etcdraft.Bugs {
		if len(args) == 1 && b.Issue == args[0] {
			found, err := b.Look(context.Background())
			if err != nil {
				return err
			}
			return json.NewEncoder(os.Stdout).Encode(found)
		}
	}
	return fmt.Errorf("give an issue that etcdraft.Bugs has, and not %q", args)
}
