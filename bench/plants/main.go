// Plants plants bugs, one at a time, and runs the test that has to find each:
//
//	go run ./bench/plants                 # all of them, some minutes
//	go run ./bench/plants -only 'ample'   # those whose file, bug or test matches
//
// It prints a table, and exits with 1 if a bug survives, if a test takes longer than a minute, or
// if it fails with no bug planted. The files are not touched: the compiler gets the changed file in
// their place, through -overlay.
//
// To add a bug, add a row to the table of its folder in table.go. The text to replace must stand
// there once, so take as much of it as that needs. The test is of the package of the file, unless
// the row says otherwise. Name one that takes a second or less. A test of this package sees
// that the rows still fit the sources; run the command to see that the test finds the bug.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"time"
)

// limit is how long a test may take to find a bug.
const limit = time.Minute

func main() {
	only := flag.String("only", "", "a regular expression for the file, the bug or the test")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *only, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "plants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only string, out io.Writer) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	var some []plant
	for _, p := range table {
		if wanted.MatchString(p.file) || wanted.MatchString(p.bug) || wanted.MatchString(p.test) {
			some = append(some, p)
		}
	}
	if len(some) == 0 {
		return fmt.Errorf("-only: nothing in the table matches %q", only)
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "plants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	g := &garden{root: root, scratch: scratch, limit: limit, sound: map[string]error{}}
	return g.walk(ctx, some, out)
}

// walk prints a line for each bug. It is an error if a test does not find its bug.
func (g *garden) walk(ctx context.Context, some []plant, out io.Writer) error {
	fmt.Fprintf(out, "| file | change | test that catches it | seconds |\n|---|---|---|--:|\n")
	missed := 0
	for _, p := range some {
		took, err := g.try(ctx, p)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		verdict := p.test
		if err != nil {
			missed++
			verdict = fmt.Sprintf("**%v**", err)
		}
		fmt.Fprintf(out, "| %s | %s | %s | %.1f |\n", p.file, p.bug, verdict, took.Seconds())
	}
	if missed > 0 {
		return fmt.Errorf("%d of %d bugs were not caught", missed, len(some))
	}
	return nil
}

// moduleRoot returns the folder of go.mod.
func moduleRoot(ctx context.Context) (string, error) {
	file, err := goCommand(ctx, ".", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	return filepath.Dir(string(file)), nil
}
