package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"interleave/internal/printable"
	"interleave/model"
	"interleave/model/picture"
	"interleave/properties"
	"interleave/spec"
)

// drawForms are the forms in which a run is drawn, each as a text. The options are those of a
// sequence diagram: a terminal has columns and colours, a file has neither.
var drawForms = map[string]func(p *picture.Picture, o picture.TextOptions) (string, error){
	"sequence": func(p *picture.Picture, o picture.TextOptions) (string, error) { return p.Text(o), nil },
	"mermaid":  func(p *picture.Picture, _ picture.TextOptions) (string, error) { return p.Mermaid(), nil },
	"svg":      func(p *picture.Picture, _ picture.TextOptions) (string, error) { return p.SVG(), nil },
	"shiviz":   func(p *picture.Picture, _ picture.TextOptions) (string, error) { return p.ShiViz(), nil },
	"dot":      func(p *picture.Picture, _ picture.TextOptions) (string, error) { return p.DOT(), nil },
	"json":     func(p *picture.Picture, _ picture.TextOptions) (string, error) { return indented(p) },
}

// drawOptions is what the command line of mc draw says.
type drawOptions struct {
	form, out string
}

func newDraw(u *tool, known machines) *cobra.Command {
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
		Args:    oneArgument("a trace file", "mc verify ALGORITHM --trace-out FILE writes one"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := noneEmpty(cmd); err != nil {
				return err
			}
			return runDraw(u, known, args[0], o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.form, "as", "sequence", "form of the picture: "+strings.Join(slices.Sorted(maps.Keys(drawForms)), ", "))
	f.StringVar(&o.out, "out", "", "write to this file, not to standard output")
	oneOf(cmd, "as", slices.Sorted(maps.Keys(drawForms)))
	return cmd
}

func runDraw(u *tool, known machines, file string, o drawOptions) error {
	draw, ok := drawForms[o.form]
	if !ok {
		return hint(fmt.Errorf("--as: %q is not a form", o.form), suggest(o.form, slices.Sorted(maps.Keys(drawForms)), "mc draw --help shows the forms"))
	}
	if err := writable("--out", o.out, file); err != nil {
		return err
	}
	c, err := confirm(known, file)
	if err != nil {
		return err
	}
	options := picture.TextOptions{Columns: u.columns, Paint: paint}
	if o.out != "" {
		options = picture.TextOptions{}
	}
	text, err := draw(picture.Of(c.reference, c.run, c.trace), options)
	if err != nil {
		return err
	}
	if o.out == "" {
		fmt.Fprint(u.out, text)
		return nil
	}
	err = model.WriteFile(o.out, func(w io.Writer) error {
		_, err := io.WriteString(w, printable.Text(text))
		return err
	})
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	fmt.Fprintf(u.err, "mc: wrote %s\n", o.out)
	return nil
}

func indented(v any) (string, error) {
	text, err := json.MarshalIndent(v, "", "  ")
	return string(text) + "\n", err
}

// confirmed is a trace that was repeated from its file.
type confirmed struct {
	machine   spec.Machine
	trace     *model.Trace
	reference *model.Reference
	run       *model.Run
	reason    string // why its property is false
}

// confirm reads a trace and repeats it. It is an error if that does not come out as
// it is written.
func confirm(known machines, file string) (*confirmed, error) {
	trace, readErr := readTrace(file)
	if readErr != nil && !errors.Is(readErr, model.ErrEdited) {
		return nil, noTrace(file, readErr)
	}
	machine, err := known.find(trace.Algorithm)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	c := &confirmed{machine: machine, trace: trace}
	c.reference, c.run, c.reason, err = known.repeat(machine, trace)
	if readErr != nil {
		return nil, edited(file, err)
	}
	var refuted *model.ReplayError
	if errors.As(err, &refuted) || errors.Is(err, properties.ErrHolds) {
		return nil, trouble(hint(fmt.Errorf("%s: it is refuted: %w", file, err), "mc replay "+shellWord(file)+" shows how far it goes"))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// noTrace says that a file is none, and what it is if that is known.
func noTrace(file string, err error) error {
	if isCertificate(file) {
		return hint(fmt.Errorf("%s: it is a certificate, not a trace", file), "confirm it with mc certify "+shellWord(file))
	}
	return hint(fmt.Errorf("%s: %w", file, err), "write a trace with mc verify ALGORITHM --trace-out FILE")
}

// paint gives a part of a drawing its colour.
func paint(tone picture.Tone, text string) string {
	switch tone {
	case picture.Faint:
		return styleFaint.Render(text)
	case picture.Bad:
		return styleBad.Render(text)
	case picture.Title:
		return styleTitle.Render(text)
	}
	return text
}
