// Package node is mc node.
package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/process"
	"interleave/cmd/mc/internal/ui"
	"interleave/impl"
	"interleave/impl/runlog"
	"interleave/impl/storage"
	"interleave/impl/transport"
	"interleave/impl/wire"
	"interleave/spec"
)

// options is what the command line of mc node says: a configuration that is
// ready to run, but for what has to be opened.
type options struct {
	node       impl.Config
	addresses  transport.Addresses
	transport  string
	data       string
	log        string
	http       string
	statusHost []string
	keyFile    string
	json       bool
}

// Command returns the verb node.
func Command(u *ui.UI, known names.Table) *cobra.Command {
	s := &settings{}
	cmd := &cobra.Command{
		Use:   "node [ALGORITHM]",
		Short: "Run one real process of an algorithm",
		Long: `Run one real process of an algorithm, with the same handlers that mc verify checks.

Timers are derived from --delta, the assumed upper bound on message delay, and are
checked against it. When the bound is broken, "assumption violated" is logged.
All settings can be in a file (--config); flags on the command line override it.
Where an algorithm has actions, a client asks for one by a line on standard input, as in
propose 3, or by POST to /actions/NAME of --http with the value in JSON. With ?wait=2s the
POST is answered by what the process outputs in answer, if that comes in this time.
docs/node.md has examples, a systemd unit, and the metrics.

The process runs until it is interrupted. Exit status 0: interrupted. 2: bad input.
4: it started, but could not go on.`,
		Example: "  mc node bully --id 1 --listen 127.0.0.1:7001 --peers 2=127.0.0.1:7002,3=127.0.0.1:7003\n  mc node --config node.yaml",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return ui.OneArgument("one algorithm", "mc list shows the algorithms")(cmd, args)
			}
			return nil
		},
		ValidArgsFunction: known.Complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				s.algorithm = args[0]
			}
			if s.file != "" {
				if err := s.readFile(cmd.Flags()); err != nil {
					return err
				}
			}
			o, err := s.complete(known)
			if err != nil {
				return err
			}
			return run(cmd.Context(), u, o)
		},
	}
	s.flags(cmd.Flags())
	return cmd
}

// run runs one process until ctx ends.
func run(ctx context.Context, u *ui.UI, o *options) error {
	logger := o.logger(u.Err, u.Terminal)
	o.node.Logger = logger
	if o.keyFile != "" && openToOthers(o.keyFile) {
		logger.Warn("others can read the key, and pose as a process: chmod 600 makes it this user's", "file", o.keyFile)
	}
	if o.data != "" {
		storage, err := storage.Open(o.data)
		if err != nil {
			return ui.Hint(err, "--data names a folder for this process alone")
		}
		defer storage.Close()
		o.node.Storage = storage
	}
	if o.log != "" {
		file, err := runlog.Open(o.log)
		if err != nil {
			return err
		}
		defer file.Close()
		o.node.Log = file
	}
	port, err := o.listen()
	if err != nil {
		return err
	}
	o.node.Transport = port
	node, err := impl.New(o.node)
	if err != nil {
		return errors.Join(process.Remedy(err), o.node.Transport.Close())
	}
	if o.http != "" {
		stop, err := serve(o.http, o.statusHost, node, logger)
		if err != nil {
			return errors.Join(err, o.node.Transport.Close())
		}
		defer stop()
	}
	if in := given(os.Stdin); in != nil && slices.ContainsFunc(o.node.Machine.Traits().Actions, func(a spec.ActionTraits) bool { return !a.Leaderless }) {
		background()
		go readRequests(ctx, in, u.Out, node, logger) // a read cannot be ended: it ends with the program
	}
	if err := node.Run(ctx); err != nil {
		if err = process.Remedy(err); node.Status().Since.IsZero() {
			return err // it never began: what it was given is wrong
		}
		return ui.Trouble(err)
	}
	return nil
}

// listen opens the transport.
func (o *options) listen() (transport.Transport, error) {
	var port transport.Transport
	var err error
	if o.transport == "tcp" {
		port, err = transport.NewTCP(o.addresses)
	} else {
		port, err = transport.NewUDP(o.addresses)
	}
	var opening *net.OpError
	switch {
	case errors.As(err, &opening):
		return nil, ui.Hint(fmt.Errorf("--listen %s: %w", o.addresses.Listen, err), "another program may use the port, or the address may not be of this machine")
	case errors.Is(err, transport.ErrOpen):
		return nil, ui.Hint(fmt.Errorf("--%w", err), "give all processes the same --key-file, or --insecure if nobody else can reach the address")
	case err != nil:
		return nil, fmt.Errorf("--%w", err)
	}
	return port, nil
}

// logger tells people what happens: text, or JSON if asked for. On a terminal
// the date is left out.
func (o *options) logger(w io.Writer, terminal bool) *slog.Logger {
	if o.json {
		return slog.New(slog.NewJSONHandler(w, nil))
	}
	options := &slog.HandlerOptions{}
	if terminal {
		options.ReplaceAttr = func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.String(slog.TimeKey, a.Value.Time().Format("15:04:05.000"))
			}
			return a
		}
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// readKey reads the key that all processes share.
func readKey(name string) (wire.Key, error) {
	file, err := ui.OpenFile(name)
	if err != nil {
		return nil, fmt.Errorf("--key-file: %s: %w", name, err)
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, maxKey+1))
	if err != nil {
		return nil, fmt.Errorf("--key-file %s: %w", name, err)
	}
	if len(b) > maxKey {
		return nil, fmt.Errorf("--key-file %s: longer than %d bytes: that is no key", name, maxKey)
	}
	key, err := wire.NewKey(b)
	if err != nil {
		return nil, ui.Hint(fmt.Errorf("--key-file %s: %w", name, err), "openssl rand -hex 32 makes one")
	}
	return key, nil
}

// openToOthers reports whether every user of the machine may read a file.
func openToOthers(name string) bool {
	info, err := os.Stat(name)
	return err == nil && runtime.GOOS != "windows" && info.Mode()&0o004 != 0
}

// maxKey bounds a key in bytes.
const maxKey = 4096
