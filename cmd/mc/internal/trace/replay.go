// Package trace is what mc does with a saved trace: replay, draw and explain.
package trace

import (
	"context"
	"errors"
	"fmt"
	"go/build"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/saved"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance/drive"
	"interleave/conformance/gotest"
	"interleave/internal/printable"
	"interleave/linear"
	"interleave/model"
	"interleave/model/picture"
	"interleave/properties"
)

// Replay returns the verb replay.
func Replay(u *ui.UI, known names.Table) *cobra.Command {
	o := &replayOptions{}
	cmd := &cobra.Command{
		Use:   "replay TRACE",
		Short: "Replay a saved trace through the handlers, without any search",
		Long: `Replay a saved trace step by step through the algorithm's handlers, without any
search, and confirm or refute each step and the final violation.

With --go-test, a confirmed trace is also written as a Go test that repeats it on the
handlers alone. The test fails as long as the handlers take the run to its bad end, and
passes once one of them does something else. Put it beside the algorithm.

With --real, real processes on UDP sockets also take a confirmed run, one step at a time,
and everything is compared with the model after each step. If real processes cannot take
a run, because it needs duplicates or messages to an earlier incarnation, mc says so.

Exit status 0: confirmed. 2: the file is not a trace written by mc. 3: confirmed, but
real processes cannot take it. 4: refuted: the algorithm or mc has changed since the
trace was written.`,
		Example: "  mc verify bully/published --timers any --trace-out bad.json\n  mc replay bad.json\n  mc replay bad.json --go-test --go-out spec/bully/bad_test.go",
		Args:    ui.OneArgument("a trace file", "mc verify ALGORITHM --trace-out FILE writes one"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !o.goTest && (o.goOut != "" || o.goImport != "" || o.goMachine != "") {
				return errors.New("--go-out, --go-import and --go-machine mean nothing without --go-test")
			}
			return runReplay(cmd.Context(), u, known, args[0], o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&o.fullStates, "full-states", false, "print whole states, not only what changes")
	f.BoolVar(&o.real, "real", false, "also run the trace with real processes on UDP sockets")
	f.BoolVar(&o.goTest, "go-test", false, "also write the run as a Go test of the handlers")
	f.StringVar(&o.goOut, "go-out", "", "file of the test; by default named after the algorithm and the property")
	f.StringVar(&o.goImport, "go-import", "", "package that declares the algorithm; by default that of its state")
	f.StringVar(&o.goMachine, "go-machine", "", "the algorithm in that package, as in Published; by default the name of the variant, or Algorithm without one")
	return cmd
}

// replayOptions is what the command line says.
type replayOptions struct {
	fullStates, real           bool
	goTest                     bool
	goOut, goImport, goMachine string
}

func runReplay(ctx context.Context, u *ui.UI, known names.Table, file string, o *replayOptions) error {
	c, err := saved.Open(known, file)
	if err != nil {
		return err
	}
	if o.goTest {
		if o.goOut == "" {
			o.goOut = testFile(c.Trace)
		}
		if err := ownTest(o.goOut); err != nil {
			return err
		}
	}
	err = c.Repeat(known)
	switch {
	case err == nil, saved.Refutes(err):
	case errors.As(err, new(ui.Hinted)):
		return fmt.Errorf("%s: %w", file, err)
	default:
		return fmt.Errorf("%s: its world: %w", file, err)
	}
	trace := c.Trace
	fmt.Fprintf(u.Out, "%s: %s, %s\n\n", ui.Title.Render(trace.Algorithm), trace.Property, ui.Steps(len(trace.Steps)))
	u.Assume(trace.Config.Assumptions(c.Machine))
	fmt.Fprintln(u.Out)
	if len(c.Run.States) > 0 {
		report.PrintRun(u, c.Reference, c.Run, trace, o.fullStates)
	}
	if err != nil {
		fmt.Fprintf(u.Out, "\n%s %s\n", ui.Bad.Render("REFUTED"), picture.OneLine(err.Error()))
		return ui.Hint(ui.ExitContradicted, "")
	}
	report.PrintForever(u, c.Reference, c.Run, trace)
	if p, ok := known.Property(c.Machine, trace.Property); ok {
		report.PrintCourses(u, c.Reference, c.Run, []properties.Finding{{Property: p}})
	}
	fmt.Fprintf(u.Out, "  because %s\n\n", picture.OneLine(c.Reason))
	said := fmt.Sprintf("every step, and that %s is false ", trace.Property)
	switch {
	case trace.Property == drive.Property:
		said = "every step of the model; a real process did otherwise at the end"
	case trace.Loop > len(trace.Steps):
		said += "of the run that ends there"
	case trace.Loop > 0:
		said += "of the infinite run"
	default:
		said += "at the end"
	}
	fmt.Fprintf(u.Out, "%s %s\n", ui.Good.Render("CONFIRMED"), said)
	var rows []ui.InRun
	for _, h := range linear.Histories(c.Machine.Traits()) {
		c.Run.Observe(h)
		rows = append(rows, ui.Linear(h.Judge(linear.TimeLimit)))
	}
	if len(rows) > 0 {
		fmt.Fprintln(u.Out, "\n  in this run:")
		u.TellInRun(rows)
	}
	if o.goTest {
		if err := writeGoTest(u, c, o); err != nil {
			return err
		}
	}
	if o.real {
		return tellReal(ctx, u, c)
	}
	return nil
}

// writeGoTest writes a confirmed run as a Go test.
func writeGoTest(u *ui.UI, c *saved.Run, o *replayOptions) error {
	text, err := gotest.Test{Import: o.goImport, Machine: o.goMachine}.Write(c.Machine, c.Reference, c.Trace, c.Run)
	if err != nil {
		return ui.Hint(fmt.Errorf("--go-test: %w", err), "--go-import PATH --go-machine NAME say where the algorithm is declared")
	}
	if err := ui.WriteText(o.goOut, printable.Text(string(text))); err != nil { // a Go string and JSON mean the same
		return fmt.Errorf("--go-test: %w", err)
	}
	fmt.Fprintf(u.Err, "mc: wrote %s\n", o.goOut)
	return nil
}

// testFile names the test of a trace after its algorithm and its property.
func testFile(t *model.Trace) string {
	words := strings.FieldsFunc(t.Algorithm+" "+t.Property, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.ToLower(strings.Join(words, "_")) + "_test.go"
}

// ownTest refuses a file that go test would not run, or that is not ours to replace.
func ownTest(name string) error {
	if !strings.HasSuffix(name, "_test.go") {
		return fmt.Errorf("--go-out: %s does not end in _test.go, so go test would not run it", name)
	}
	anywhere := build.Default
	anywhere.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("package p")), nil }
	anywhere.GOOS, anywhere.GOARCH = "none", "none"
	if taken, err := anywhere.MatchFile(filepath.Split(name)); err != nil || !taken {
		return fmt.Errorf("--go-out: go test would not run %s everywhere, by its name: name another file", name)
	}
	if err := ui.Writable("--go-out", name); err != nil {
		return err
	}
	old, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("--go-out: %w", err)
	case !strings.HasPrefix(string(old), gotest.Mark):
		return fmt.Errorf("--go-out: %s was not written by mc replay, and is not replaced: name another file", name)
	}
	return nil
}
