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
	for _, b := range etcdraft.Bugs {
		if b.Issue != os.Args[1] {
			continue
		}
		found, err := b.Look(context.Background())
		if err == nil {
			err = json.NewEncoder(os.Stdout).Encode(found)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
