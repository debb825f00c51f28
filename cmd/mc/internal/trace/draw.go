package trace

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/saved"
	"interleave/cmd/mc/internal/ui"
	"interleave/internal/printable"
	"interleave/model/picture"
)

// drawForms are the forms in which a run is drawn, each as a text. The options are those of a
// sequence diagram: a terminal has columns and colours, a file has neither.
var drawForms = map[string]func(p *picture.Picture, o picture.TextOptions) (string, error){
	"sequence": func(p *picture.Picture, o picture.TextOptions) (string, error) { return picture.Text(p, o), nil },
	"mermaid":  func(p *picture.Picture, _ picture.TextOptions) (string, error) { return picture.Mermaid(p), nil },
	"svg":      func(p *picture.Picture, _ picture.TextOptions) (string, error) { return picture.SVG(p), nil },
	"shiviz":   func(p *picture.Picture, _ picture.TextOptions) (string, error) { return picture.ShiViz(p), nil },
	"dot":      func(p *picture.Picture, _ picture.TextOptions) (string, error) { return picture.DOT(p), nil },
	"json":     func(p *picture.Picture, _ picture.TextOptions) (string, error) { return indented(p) },
}

// Forms returns the names of the forms in which a run is drawn.
func Forms() []string { return slices.Sorted(maps.Keys(drawForms)) }

// drawOptions is what the command line of mc draw says.
type drawOptions struct {
	form, out string
}

// Draw returns the verb draw.
func Draw(u *ui.UI, known names.Table) *cobra.Command {
	o := drawOptions{}
	cmd := &cobra.Command{
		Use:   "draw TRACE",
		Short: "Draw a saved trace: terminal, Mermaid, SVG, ShiViz, DOT",
		Long: `Replay a saved trace through the handlers, and draw it:

  sequence  a sequence diagram for a terminal
  mermaid   a sequence diagram in Mermaid, which GitHub and GitLab draw
  svg       a self-contained space-time diagram, for light and dark pages
  shiviz    a log with vector clocks, to upload to ShiViz
  dot       the happens-before graph, for Graphviz
  json      lanes, events and messages, for a drawing of your own

Exit status: 0 drawn; 2 the file is not a trace written by mc; 4 it does not replay.`,
		Example: "  mc verify bully/published --timers any --trace-out bad.json\n  mc draw bad.json\n  mc draw bad.json --as svg --out bad.svg",
		Args:    ui.OneArgument("a trace file", "mc verify ALGORITHM --trace-out FILE writes one"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runDraw(u, known, args[0], o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.form, "as", "sequence", "form of the picture: "+strings.Join(Forms(), ", "))
	f.StringVar(&o.out, "out", "", "write to this file, not to standard output")
	ui.OneOf(cmd, "as", Forms())
	return cmd
}

func runDraw(u *ui.UI, known names.Table, file string, o drawOptions) error {
	draw, ok := drawForms[o.form]
	if !ok {
		return ui.Hint(fmt.Errorf("--as: %q is not a form", o.form), ui.Suggest(o.form, Forms(), "mc draw --help shows the forms"))
	}
	if err := ui.Writable("--out", o.out, file); err != nil {
		return err
	}
	c, err := saved.Confirm(known, file)
	if err != nil {
		return err
	}
	options := picture.TextOptions{Columns: u.Columns, Paint: report.Paint}
	if o.out != "" {
		options = picture.TextOptions{}
	}
	text, err := draw(picture.Of(c.Reference, c.Run, c.Trace), options)
	if err != nil {
		return err
	}
	if o.out == "" {
		fmt.Fprint(u.Out, text)
		return nil
	}
	if err := ui.WriteText(o.out, printable.Text(text)); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	fmt.Fprintf(u.Err, "mc: wrote %s\n", o.out)
	return nil
}

func indented(v any) (string, error) {
	text, err := json.MarshalIndent(v, "", "  ")
	return string(text) + "\n", err
}
