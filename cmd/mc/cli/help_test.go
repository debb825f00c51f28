package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/spec/catalog"
)

// manyFlags is how many flags the help of a command lists without headings.
const manyFlags = 8

// TestGroups: where a command has many flags, each is in one group of its help, which shows it once.
func TestGroups(t *testing.T) {
	grouped := 0
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			look(sub)
		}
		var in, out []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			switch {
			case f.Name == "help":
			case ui.Heading(f) == "":
				out = append(out, f.Name)
			default:
				in = append(in, f.Name)
			}
		})
		if len(in) == 0 && len(out) <= manyFlags {
			return
		}
		grouped++
		if len(out) > 0 {
			t.Errorf("%s: in no group: %v", cmd.CommandPath(), out)
		}
		help := mc(t.Context(), strings.TrimPrefix(cmd.CommandPath(), "mc ")+" --help").out
		for _, name := range append(in, "help") {
			if n := len(regexp.MustCompile(`(?m)^ +(-\w, )?--`+name+`\b[^-]`).FindAllString(help, -1)); n != 1 {
				t.Errorf("%s: the help shows --%s %d times:\n%s", cmd.CommandPath(), name, n, help)
			}
		}
		if strings.Contains(help, "\nFlags:") || !strings.Contains(help, "\n"+ui.Output+":\n") {
			t.Errorf("%s: the help has no headings:\n%s", cmd.CommandPath(), help)
		}
	}
	look(root(ui.New(nil, nil), names.New(catalog.Machines, catalog.Aliases)))
	if grouped < 9 {
		t.Errorf("only %d commands have groups", grouped)
	}
}
