// Package explore is mc explore.
package explore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interleave/cmd/mc/explorer"
	"interleave/cmd/mc/internal/execution"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/saved"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/world"
	"interleave/model"
	"interleave/properties/election"
	"interleave/spec"
)

// options is what the command line of mc explore says.
type options struct {
	axes  world.Flags
	props []string
	port  int
	html  string
}

// Command returns the verb explore.
func Command(u *ui.UI, known names.Table) *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:   "explore ALGORITHM | TRACE | RUN_DIR | CAPTURE ...",
		Short: "Explore runs and states in a browser, on this machine only",
		Long: `Explore runs and state spaces in a browser.

  ALGORITHM  step through its world by hand: which steps are possible, which are not and
             why, and what each property says; the page can change the world
  TRACE      each step, what it changes, and the space-time diagram; you can leave the
             trace at any step; two traces are compared
  RUN_DIR    what ran, next to the steps that explain it, as mc conform finds them
  CAPTURE    the same

It prints an address to open. The server listens on the loopback interface, requires the
token in that address, writes nothing, and ends on an interrupt. The page loads nothing
from elsewhere. With --html it is written to a file instead, which needs no server. No
file is written for a trace that is refuted: exit status 4.`,
		Example: "  mc explore bully --n 3 --crashes 1\n" +
			"  mc verify bully/published --timers any --property one-leader --trace-out two.json; mc explore two.json\n" +
			"  mc explore two.json --html two.html\n  mc explore run",
		ValidArgsFunction: known.Complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.html != "" && cmd.Flags().Changed("port") {
				return errors.New("--port means nothing with --html, where there is no server: leave one of them out")
			}
			return run(cmd.Context(), u, known, o, args, o.axes.Changed(cmd.Flags()))
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	o.axes.Declare(f)
	ui.Group(f, ui.Properties, func(f *pflag.FlagSet) {
		f.StringSliceVar(&o.props, "property", nil, "check these properties along runs; by default those that mc verify checks, and that of the trace")
	})
	ui.Group(f, ui.Output, func(f *pflag.FlagSet) {
		f.IntVar(&o.port, "port", 0, "port on the loopback interface; 0: any free one")
		f.StringVar(&o.html, "html", "", "write one page that needs no server to this file, and exit")
	})
	return cmd
}

func run(ctx context.Context, u *ui.UI, known names.Table, o *options, args []string, worldly bool) error {
	if len(args) == 0 {
		return ui.Hint(errors.New("mc explore needs something to look at"), "give an algorithm (mc list), a trace (mc verify --trace-out), or a run directory (mc cluster --dir)")
	}
	if o.port < 0 || o.port > 65535 {
		return fmt.Errorf("--port: %d is not a port: give 1 to 65535, or 0 for any", o.port)
	}
	if err := ui.Writable("--html", o.html, args...); err != nil {
		return err
	}
	subjects, ran, err := subjects(u, known, o, args, worldly)
	if err != nil {
		return err
	}
	if o.html != "" {
		err := model.WriteFile(o.html, func(w io.Writer) error { return explorer.WriteHTML(w, subjects, ran) })
		if err != nil {
			return fmt.Errorf("--html: %w", world.AsFlag(err))
		}
		fmt.Fprintf(u.Err, "mc: wrote %s; open it in a browser\n", o.html)
		return nil
	}
	server, err := explorer.Listen(o.port, subjects, ran)
	if err != nil {
		return world.AsFlag(err)
	}
	fmt.Fprintf(u.Out, "%s\n", server.URL())
	fmt.Fprintln(u.Err, "mc: open this address in a browser on this machine; interrupt to end")
	return server.Serve(ctx)
}

// subjects reads what there is to look at. A folder in which nothing ran does not hide the
// algorithm of its name: mc init makes one.
func subjects(u *ui.UI, known names.Table, o *options, args []string, worldly bool) (subjects []explorer.Subject, ran []explorer.Execution, err error) {
	for _, arg := range args {
		info, statErr := os.Stat(arg)
		_, findErr := known.Find(arg)
		var s explorer.Subject
		var h *explorer.Execution
		switch {
		case statErr != nil, info.IsDir() && findErr == nil && !holdsRun(arg):
			s, err = worldSubject(known, o, arg)
		case worldly && len(args) == 1:
			return nil, nil, ui.Hint(fmt.Errorf("%s has its own world, so flags that describe one mean nothing", arg), "leave them out")
		case !info.IsDir() && !isCaptureFile(arg):
			s, err = traceSubject(known, o, arg)
		default:
			h, err = Ran(u, known, arg, info.IsDir())
		}
		switch {
		case err != nil:
			return nil, nil, err
		case h != nil:
			ran = append(ran, *h)
		default:
			subjects = append(subjects, s)
		}
	}
	return subjects, ran, nil
}

// worldSubject reads the world of an algorithm.
func worldSubject(known names.Table, o *options, name string) (s explorer.Subject, err error) {
	if filepath.Ext(name) != "" || filepath.Dir(name) != "." && filepath.IsAbs(name) {
		return s, fmt.Errorf("there is no file %s", name)
	}
	m, err := known.Find(name)
	if err != nil {
		return s, err
	}
	w, err := world.New(m, o.axes)
	if err != nil {
		return s, err
	}
	if w.AllRings {
		return s, ui.Hint(errors.New("--ring: all rings cannot be looked at at once"), "give one, as in --ring descending")
	}
	props, err := known.FindProperties(w.Machine, o.props)
	if err == nil {
		err = election.Check(w.Machine, w.Config, props)
	}
	return explorer.Subject{Name: w.Machine.Traits().Name, Machine: w.Machine, Config: w.Config, Properties: props, Own: known.Own, Axes: axes(w.Machine)}, err
}

// traceSubject reads a trace. One that is refuted is shown as far as it goes, but no page of it
// is written.
func traceSubject(known names.Table, o *options, file string) (s explorer.Subject, err error) {
	open := saved.Open
	if o.html != "" {
		open = saved.Confirm
	}
	c, err := open(known, file)
	if err != nil {
		return s, err
	}
	props, err := known.FindProperties(c.Machine, o.props)
	return explorer.Subject{Name: filepath.Base(file), Machine: c.Machine, Trace: c.Trace, Properties: props, Own: known.Own, Axes: axes(c.Machine)}, err
}

// axes are those of the world of an algorithm.
func axes(m spec.Machine) (list []explorer.Axis) {
	for _, axis := range world.Axes(m.Traits()) {
		list = append(list, explorer.Axis{Name: axis, Help: world.Help(axis)})
	}
	return list
}

// holdsRun reports whether a folder has a log or a capture in it.
func holdsRun(dir string) bool {
	_, _, err := execution.Files(dir)
	return !errors.Is(err, execution.ErrNoRun)
}

// isCaptureFile reports whether a file begins as pcapng or pcap does.
func isCaptureFile(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	var magic [4]byte
	if _, err := io.ReadFull(f, magic[:]); err != nil {
		return false
	}
	switch string(magic[:]) {
	case "\x0a\x0d\x0d\x0a", "\xd4\xc3\xb2\xa1", "\xa1\xb2\xc3\xd4", "\x4d\x3c\xb2\xa1", "\xa1\xb2\x3c\x4d":
		return true
	}
	return false
}
