package sweep

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/exit"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/spec"
	"interleave/spec/catalog"
)

// ran is what a run of the verb did.
type ran struct {
	status   ui.Status
	out, err string
}

// mc runs the verb for the catalogue, or for the given machines.
func mc(ctx context.Context, commandLine string, list ...spec.Machine) ran {
	if list == nil {
		list = append(catalog.Machines, catalog.Mutants...)
	}
	var out, said bytes.Buffer
	u := ui.New(&out, &said)
	root := &cobra.Command{Use: "mc", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(Command(u, names.New(list, catalog.Aliases)))
	root.SetArgs(strings.Fields(commandLine))
	status := exit.Status(u, u.End(root.ExecuteContext(ctx)))
	return ran{status, out.String(), said.String()}
}

// expect wants a status, and a text in what was printed: on standard output
// if a verdict was reached, and on standard error, alone, if the input was bad.
func (o ran) expect(t *testing.T, status ui.Status, text string) {
	t.Helper()
	where := o.out
	if status == ui.ExitUsage {
		where = o.err
		if o.out != "" {
			t.Errorf("bad input, and yet on standard output:\n%s", o.out)
		}
	}
	if o.status != status || !strings.Contains(where, text) {
		t.Errorf("status %d, not %d with %q:\n%s%s", o.status, status, text, o.out, o.err)
	}
}

// fickle is a machine whose timeouts do nothing but for the first few: no
// function of its arguments, as a handler must be.
type fickle struct {
	spec.Machine
	left *int
}

func (m fickle) Step(self spec.ID, ring []spec.ID, s any, e spec.Event) (any, spec.Effects) {
	if e.Kind == spec.Timeout {
		if *m.left == 0 {
			return s, spec.Effects{}
		}
		*m.left--
	}
	return m.Machine.Step(self, ring, s, e)
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Clean(file), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
