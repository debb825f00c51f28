package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"interleave/internal/printable"
	"interleave/model"
	"interleave/properties"
	"interleave/tla"
	"interleave/tla/export"
)

// tlaExportOptions are what mc tla export is asked.
type tlaExportOptions struct {
	world verifyOptions // its machine and configuration
	out   string        // folder
}

func newTLAExport(u *tool, known machines) *cobra.Command {
	o := &tlaExportOptions{}
	o.world.check.Engine = properties.Auto // none is meant
	flags := verifyFlags{axes: map[string]*string{}}
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
		Args:    oneArgument("an algorithm or a trace", "name one, as in mc tla export bully; mc list shows the algorithms"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := noneEmpty(cmd); err != nil {
				return err
			}
			if err := writableFolder("--out", o.out); err != nil {
				return err
			}
			machine, unknown := known.find(args[0])
			if unknown == nil {
				o.world.machine = machine
				return exportAlgorithm(cmd.Context(), u, o, flags)
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
	for _, a := range axisHelp {
		flags.axes[a.axis] = f.String(a.axis, "", a.help)
	}
	f.Lookup("n").DefValue = strconv.Itoa(defaultN)
	f.BoolVar(&o.world.config.Split, "split", false, splitHelp)
	f.StringVar(&o.out, "out", ".", "folder to write to")
	return cmd
}

func exportAlgorithm(ctx context.Context, u *tool, o *tlaExportOptions, flags verifyFlags) error {
	if err := o.world.world(flags); err != nil {
		return err
	}
	if o.world.check.AllRings {
		return hint(errors.New("--ring: a module has one ring, and all of them were asked for"), "give a ring, as in --ring descending")
	}
	command := strings.Replace(o.world.command(), "mc verify", "mc tla export", 1)
	m, err := export.Algorithm(ctx, o.world.machine, o.world.config, command)
	if errors.Is(err, model.ErrNotSymbolic) {
		remedy := "give a smaller world, or a Measure to the algorithm, for --bound"
		if o.world.machine.Traits().Measure != nil {
			remedy = "give a smaller world, or bound it, as in --bound 2"
		}
		return hint(err, remedy)
	}
	if err != nil {
		return asFlag(err)
	}
	if err := writeModule(u, o.out, m); err != nil {
		return err
	}
	if bound := o.world.config.Bound; bound > 0 { // no tool that reads the module sees that it is cut off
		fmt.Fprintf(u.out, "bounded: no process goes beyond %d, so VERIFIED of this module means BOUNDED\n", bound)
	}
	return nil
}

func exportTrace(u *tool, known machines, o *tlaExportOptions, file string) error {
	c, err := confirm(known, file)
	if err != nil {
		return err
	}
	about := fmt.Sprintf("%s of %s: %s", c.trace.Property, c.trace.Algorithm, c.reason)
	values, err := export.Run(c.machine, c.reference, c.run, c.trace.Loop)
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
func writeModule(u *tool, folder string, m *export.Module, more ...exportFile) error {
	files := append([]exportFile{{".tla", m.Text}, {".cfg", m.Config}}, more...)
	for _, f := range files {
		if err := replaceable(filepath.Join(folder, m.Name+f.end), m.Of); err != nil {
			return err
		}
	}
	for _, f := range files {
		err := writeExport(u, filepath.Join(folder, m.Name+f.end), func(w io.Writer) error {
			_, err := io.WriteString(w, f.text)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func writeExport(u *tool, file string, write func(io.Writer) error) error {
	if err := model.WriteFile(file, write); err != nil {
		return err
	}
	fmt.Fprintf(u.out, "wrote %s\n", file)
	return nil
}
