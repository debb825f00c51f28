// Reportdiff compares what two builds of mc report, so that a change of the inside can be seen to change
// nothing outside:
//
//	git worktree add ../before main && go build -C ../before -o /tmp/before ./cmd/mc
//	go build -o /tmp/after ./cmd/mc
//	go run ./bench/reportdiff /tmp/before /tmp/after           # some minutes
//	go run ./bench/reportdiff -only bully /tmp/before /tmp/after
//
// It has both check each configuration of the quick rows of elections.yaml by each engine, and prints
// the commands whose reports differ, with the first difference. Times and memory are left out. What is
// renamed on purpose stands in renames.txt: in what the first build prints, each word of the first
// column is read as that of the second.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"time"
)

//go:embed renames.txt
var renames string

// ways are the flags of each engine.
var ways = [][]string{{"--engine=explicit"}, {"--engine=explicit", "--reduce"}, {"--engine=symbolic"}, {"--engine=auto"}, {"--engine=explicit", "--direct"}}

func main() {
	only := flag.String("only", "", "the algorithms to compare, as mc sweep --only has them")
	each := flag.Duration("each", time.Minute, "how long one check may take; one that takes longer in either build is passed over")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "reportdiff: give two builds of mc")
		os.Exit(2)
	}
	c := &comparison{before: flag.Arg(0), after: flag.Arg(1), each: *each, renamed: renaming(renames), out: os.Stdout}
	if err := c.run(ctx, *only); err != nil {
		fmt.Fprintln(os.Stderr, "reportdiff:", err)
		os.Exit(1)
	}
}

// comparison is one run of the command.
type comparison struct {
	before, after string // builds of mc
	each          time.Duration
	renamed       func(string) string
	out           io.Writer

	reports, differ, late int
}

func (c *comparison) run(ctx context.Context, only string) error {
	list, err := c.configurations(ctx, only)
	if err != nil {
		return err
	}
	for _, args := range list {
		for _, way := range ways {
			if err := c.compare(ctx, append(slices.Clone(args), way...)); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(c.out, "%d reports compared, %d differ, %d took too long\n", c.reports, c.differ, c.late)
	if c.differ > 0 {
		return errors.New("the reports are not the same")
	}
	return nil
}

// configurations returns the arguments of mc verify for each configuration of the quick rows.
func (c *comparison) configurations(ctx context.Context, only string) (list [][]string, err error) {
	args := []string{"sweep", "elections.yaml", "--quick", "--json"}
	if only != "" {
		args = append(args, "--only", only)
	}
	text, err := exec.CommandContext(ctx, c.after, args...).Output()
	var report struct {
		Rows []struct {
			Algorithm  string         `json:"algorithm"`
			Config     map[string]any `json:"config"`
			AllRings   bool           `json:"all_rings"`
			Properties []struct {
				Name string `json:"name"`
			} `json:"properties"`
		} `json:"rows"`
	}
	if jsonErr := json.Unmarshal(text, &report); jsonErr != nil {
		return nil, fmt.Errorf("mc %s: %w", strings.Join(args, " "), errors.Join(err, jsonErr))
	}
	for _, row := range report.Rows {
		args := []string{"verify", row.Algorithm, "--json", "--continue"}
		if row.AllRings {
			row.Config["ring"] = "all"
		}
		for _, axis := range slices.Sorted(maps.Keys(row.Config)) {
			args = append(args, fmt.Sprintf("--%s=%s", axis, flagOf(row.Config[axis])))
		}
		for _, p := range row.Properties {
			args = append(args, "--property="+p.Name)
		}
		list = append(list, args)
	}
	return list, nil
}

// flagOf writes the value of an axis as a flag has it.
func flagOf(value any) string {
	if list, ok := value.([]any); ok {
		var all []string
		for _, v := range list {
			all = append(all, fmt.Sprint(v))
		}
		return strings.Join(all, ",")
	}
	return fmt.Sprint(value)
}

// compare runs one check by both builds.
func (c *comparison) compare(ctx context.Context, args []string) error {
	before, late := c.report(ctx, c.before, args)
	after, later := c.report(ctx, c.after, args)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case late || later:
		c.late++
		return nil
	}
	c.reports++
	if at := difference(lines(before, c.renamed), lines(after, func(s string) string { return s })); at != "" {
		c.differ++
		fmt.Fprintf(c.out, "mc %s\n%s", strings.Join(args, " "), at)
	}
	return nil
}

// report returns what a build prints, and with which status it ends; late if that takes too long.
func (c *comparison) report(ctx context.Context, mc string, args []string) (text string, late bool) {
	hurry, cancel := context.WithTimeout(ctx, c.each)
	defer cancel()
	out, err := exec.CommandContext(hurry, mc, args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		out = append(out, exit.Stderr...)
	}
	return fmt.Sprintf("%s\n\"%v\"", out, err), hurry.Err() != nil
}

// measured is a line of a report that tells a time, or memory.
var measured = regexp.MustCompile(`^\s*"(\w*seconds|\w*bytes\w*)":`)

// lines returns the lines of a report but for what is measured.
func lines(report string, renamed func(string) string) []string {
	all := slices.DeleteFunc(strings.Split(report, "\n"), measured.MatchString)
	for i := range all {
		all[i] = renamed(strings.TrimSuffix(all[i], ","))
	}
	return all
}

// difference shows the first line in which two reports differ; "" if none does.
func difference(before, after []string) string {
	for i := range max(len(before), len(after)) {
		a, b := "(nothing)", "(nothing)"
		if i < len(before) {
			a = before[i]
		}
		if i < len(after) {
			b = after[i]
		}
		if a != b {
			return fmt.Sprintf("  before %s\n  after  %s\n", strings.TrimSpace(a), strings.TrimSpace(b))
		}
	}
	return ""
}

// renaming reads a table of two columns: words, old and new. Lines that begin with # are comments.
func renaming(table string) func(string) string {
	words := map[string]string{}
	for line := range strings.Lines(table) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] != "#" {
			words[fields[0]] = fields[1]
		}
	}
	word := regexp.MustCompile(`[\w-]+`)
	return func(text string) string {
		return word.ReplaceAllStringFunc(text, func(w string) string {
			if renamed, ok := words[w]; ok {
				return renamed
			}
			return w
		})
	}
}
