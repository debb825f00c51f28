// Tlaexamples compares mc tla check with a checkout of the TLA+ examples
// (github.com/tlaplus/Examples), whose folder is given:
//
//	go run ./bench/tlaexamples DIR                # every model of at most a million states
//	go run ./bench/tlaexamples -only Paxos DIR    # those with Paxos in their name
//	go run ./bench/tlaexamples -check DIR         # and fail if a line is not as in testdata
//	go run ./bench/tlaexamples -write DIR         # renew testdata
//	go run ./bench/tlaexamples -tlc-jar JAR DIR   # time TLC beside us
//
// The manifests of the examples say how many distinct states TLC finds in a model, and whether
// something is violated. We agree if we find both the same. This repository has only the names of
// the examples, these counts, and reasons.
//
// Each model is checked in a process of its own, with one worker, one after the other. Times are
// user times of whole processes, for TLC with the start of its virtual machine.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

// options are what the command line says.
type options struct {
	dir, only, jar   string
	least, most      int
	timeout          time.Duration
	check, write     bool
	one              bool
	expectations     string
	outputOfProgress io.Writer
}

func main() {
	o := options{outputOfProgress: os.Stderr}
	flag.StringVar(&o.only, "only", "", "only models with this in their name")
	flag.IntVar(&o.least, "least", 0, "only models of at least so many states")
	flag.IntVar(&o.most, "most", 1_000_000, "only models of at most so many states")
	flag.DurationVar(&o.timeout, "timeout", 2*time.Minute, "give up a model after so long")
	flag.BoolVar(&o.check, "check", false, "fail if a line is not as is expected")
	flag.BoolVar(&o.write, "write", false, "write what is found to be expected from now on")
	flag.StringVar(&o.jar, "tlc-jar", "", "run TLC too, where we agree: the path of tla2tools.jar")
	flag.StringVar(&o.expectations, "expect", "bench/tlaexamples/testdata/examples.txt", "the file of what is expected")
	flag.BoolVar(&o.one, "one", false, "check one module, for the command itself: FILE.tla FILE.cfg")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tlaexamples:", err)
		os.Exit(1)
	}
}

func (o options) run(ctx context.Context, args []string, out io.Writer) error {
	if o.one {
		if len(args) != 2 {
			return fmt.Errorf("-one takes a module and a configuration")
		}
		return checkOne(ctx, args[0], args[1], out)
	}
	if len(args) != 1 {
		return fmt.Errorf("name one folder, a checkout of github.com/tlaplus/Examples")
	}
	o.dir = args[0]
	models, err := manifests(o.dir)
	if err != nil {
		return err
	}
	var rows []row
	for _, m := range models {
		if m.States < o.least || m.States > o.most || !strings.Contains(m.name(), o.only) {
			continue
		}
		r, err := o.measure(ctx, m)
		if err != nil {
			return err
		}
		fmt.Fprintf(o.outputOfProgress, "%s  %.1f s, %d MiB\n", r, r.user.Seconds(), r.memory>>20)
		rows = append(rows, r)
	}
	parsed, modules, err := parseAll(o.dir, o.outputOfProgress)
	if err != nil {
		return err
	}
	t := table{rows: rows, parsed: parsed, modules: modules}
	if _, err := io.WriteString(out, t.String()); err != nil {
		return err
	}
	o.tellTimes(rows, out)
	switch {
	case o.write:
		return os.WriteFile(o.expectations, []byte(t.String()), 0o644)
	case o.check:
		return t.compare(o.expectations)
	}
	return nil
}
