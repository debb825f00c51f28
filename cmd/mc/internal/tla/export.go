package tla

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/saved"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/world"
	"interleave/internal/printable"
	"interleave/model"
	"interleave/model/compiled"
	"interleave/spec"
	"interleave/tla"
	"interleave/tla/export"
)

// exportOptions are what mc tla export is asked.
type exportOptions struct {
	axes world.Flags
	out  string // folder
}

func newExport(u *ui.UI, known names.Table) *cobra.Command {
	o := &exportOptions{}
	cmd := &cobra.Command{
		Use:   "export ALGORITHM|TRACE",
		Short: "Write an algorithm, or a saved trace, for the tools of TLA+",
		Long: `Write a Go algorithm in a world as a TLA+ module with its configuration: a table of every
local step, learned from the handlers, and the world around it. TLC and mc tla check can
read it, and it has type annotations for Apalache. The axes of the world are those of
mc verify.

Or write a trace saved by mc verify --trace-out: as FILE.itf.json, in the informal trace
format of Apalache, and as a module with this one run. The trace is first replayed
through the handlers; if it is refuted, nothing is written, and the exit status is 4.`,
		Example: "  mc tla export bully --n 3 --crashes 1\n  mc verify bully/published --timers any --trace-out bad.json\n  mc tla export bad.json --out /tmp",
		Args:    ui.OneArgument("an algorithm or a trace", "name one, as in mc tla export bully; mc list shows the algorithms"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := ui.WritableFolder("--out", o.out); err != nil {
				return err
			}
			machine, unknown := known.Find(args[0])
			if unknown == nil {
				return exportAlgorithm(cmd.Context(), u, o, machine)
			}
			if _, err := os.Stat(args[0]); err != nil {
				return unknown
			}
			for _, axis := range model.Axes {
				if cmd.Flags().Changed(axis) {
					return fmt.Errorf("--%s means nothing for a trace, which has its world: leave it out", axis)
				}
			}
			return exportTrace(u, known, o, args[0])
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	o.axes.Declare(f)
	ui.Group(f, ui.Output, func(f *pflag.FlagSet) {
		f.StringVar(&o.out, "out", ".", "folder to write to")
	})
	return cmd
}

func exportAlgorithm(ctx context.Context, u *ui.UI, o *exportOptions, machine spec.Machine) error {
	w, err := world.New(machine, o.axes)
	if err != nil {
		return err
	}
	if w.AllRings {
		return ui.Hint(errors.New("--ring: a module has one ring, and all of them were asked for"), "give a ring, as in --ring descending")
	}
	m, err := export.Algorithm(ctx, machine, w.Config, w.Command("tla export"))
	if errors.Is(err, compiled.ErrNotClosed) {
		remedy := "give a smaller world, or a Measure to the algorithm, for --bound"
		switch bound := w.Config.Bound; {
		case bound > 1:
			remedy = fmt.Sprintf("give a smaller world, or a smaller bound than --bound %d", bound)
		case bound == 1:
			remedy = "give a smaller world"
		case machine.Traits().Measure != nil:
			remedy = "give a smaller world, or bound it, as in --bound 2"
		}
		return ui.Hint(err, remedy)
	}
	if err != nil {
		return world.AsFlag(err)
	}
	if err := writeModule(u, o.out, m); err != nil {
		return err
	}
	if bound := w.Config.Bound; bound > 0 { // no tool that reads the module sees that it is cut off
		fmt.Fprintf(u.Out, "bounded: no process goes beyond %d, so VERIFIED of this module means BOUNDED\n", bound)
	}
	return nil
}

func exportTrace(u *ui.UI, known names.Table, o *exportOptions, file string) error {
	c, err := saved.Confirm(known, file)
	if err != nil {
		return err
	}
	about := fmt.Sprintf("%s of %s: %s", c.Trace.Property, c.Trace.Algorithm, c.Reason)
	values, err := export.Run(c.Machine, c.Reference, c.Run, c.Trace.Loop)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	files, err := filesOfTrace(strings.TrimSuffix(filepath.Base(file), ".json"), values, about)
	if err != nil {
		return err
	}
	return writeModule(u, o.out, files.module, files.itf)
}

// traceFiles are a trace as a module and in the trace format.
type traceFiles struct {
	module *export.Module
	itf    exportFile
}

func filesOfTrace(origin string, trace *tla.Trace, about string) (traceFiles, error) {
	var itf strings.Builder
	err := export.ITF(&itf, origin, trace, about)
	return traceFiles{export.Trace(origin, trace, about), exportFile{".itf.json", printable.Text(itf.String())}}, err
}

// exportFile is a file of an export: the end of its name, and its text.
type exportFile struct{ end, text string }

// writeModule writes a module, its configuration and more files into a folder: all of
// them, or none if one stands where something else does.
func writeModule(u *ui.UI, folder string, m *export.Module, more ...exportFile) error {
	files := append([]exportFile{{".tla", m.Text}, {".cfg", m.Config}}, more...)
	for _, f := range files {
		if err := replaceable(filepath.Join(folder, m.Name+f.end), m.Of); err != nil {
			return err
		}
	}
	for _, f := range files {
		file := filepath.Join(folder, m.Name+f.end)
		if err := ui.WriteText(file, f.text); err != nil {
			return err
		}
		fmt.Fprintf(u.Out, "wrote %s\n", file)
	}
	return nil
}

// replaceable refuses a file that is there, unless it is an earlier export of the same.
func replaceable(file, of string) error {
	old, err := os.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && old.Mode().IsRegular() {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		begin, err := io.ReadAll(io.LimitReader(f, 1024))
		if err != nil || strings.Contains(string(begin), export.Mark(of)) {
			return err
		}
	}
	return ui.Hint(fmt.Errorf("%s is not replaced: it does not say that it is an earlier export of %s", file, of), "move it away, or name another folder with --out")
}
