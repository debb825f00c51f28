// Package capture is mc capture.
package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"interleave/cmd/mc/internal/limits"
	"interleave/cmd/mc/internal/ui"
	"interleave/impl/capture"
	"interleave/impl/wire"
)

// options is what the command line of mc capture says.
type options struct {
	file     string
	ports    []string
	duration time.Duration
	buffer   string
	options  capture.Options
}

// Command returns the verb capture.
func Command(u *ui.UI) *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:   "capture --write FILE",
		Short: "Capture the traffic between processes on this machine",
		Long: fmt.Sprintf(`Capture the UDP and TCP traffic of the processes' ports on the loopback interface to a
pcapng file, and count the frames. It ends when it is interrupted, or after --duration.
mc cluster writes a capture by itself; this command is for processes started by hand,
and for watching a cluster from outside.

The kernel passes on what is by these ports, and keeps it in a buffer until it is written.
What finds no room there is lost: the file says how much that was, so mc conform does not
take it for all that was sent, and so does standard error.

It needs Linux, and the right to capture (CAP_NET_RAW). docs/wireshark.md says how to
view the file. The default port is %d.

Exit status 0: captured to the end. 2: bad input. 4: not allowed, or the file could not
be written.`, wire.Port),
		Example: "  mc capture --write run.pcapng --duration 30s\n  sudo mc capture -w three.pcapng --port 7001,7002,7003",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return ui.Hint(fmt.Errorf("mc capture takes flags only, not %q", args[0]), "mc capture --write "+ui.ShellWord(args[0])+" writes to it")
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(); err != nil {
				return err
			}
			return run(cmd.Context(), u, o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&o.file, "write", "w", "", "file to write, which must not exist")
	f.StringSliceVar(&o.ports, "port", nil, "ports of the processes, as in 7001,7002")
	f.DurationVar(&o.duration, "duration", 0, "stop after this time; by default when interrupted")
	f.StringVar(&o.buffer, "buffer", strings.ReplaceAll(humanize.IBytes(capture.DefaultBuffer), " ", ""), "size of the buffer of the kernel: more of it stands longer bursts")
	return cmd
}

func (o *options) complete() error {
	switch {
	case o.file == "":
		return ui.Hint(errors.New("--write is missing"), "say where the capture goes, as in --write run.pcapng")
	case o.duration < 0:
		return fmt.Errorf("--duration: %v is not a time above 0", o.duration)
	}
	for _, text := range o.ports {
		port, err := strconv.ParseUint(text, 10, 16)
		if err != nil || port == 0 {
			return fmt.Errorf("--port: %q is not a port: give 1 to 65535", text)
		}
		o.options.Ports = append(o.options.Ports, uint16(port))
	}
	size, err := limits.ParseMemory(o.buffer)
	switch {
	case err != nil:
		return fmt.Errorf("--buffer: %w", err)
	case size < 1<<10 || size > 1<<30:
		return fmt.Errorf("--buffer: %s is out of range: give 1KiB to 1GiB", o.buffer)
	}
	o.options.Buffer = int(size)
	if _, err := os.Lstat(o.file); err == nil {
		return ui.Hint(fmt.Errorf("--write: %s is there already", o.file), "name another file: none is written over")
	}
	return nil
}

// run captures until ctx ends, or the time is over.
func run(ctx context.Context, u *ui.UI, o *options) error {
	reader, err := capture.Live(o.options)
	switch {
	case errors.Is(err, capture.ErrNoLive):
		return ui.Trouble(ui.Hint(err, "tcpdump -i lo0 -w FILE captures here; what it writes is read as well"))
	case err != nil:
		return ui.Trouble(err)
	}
	file, err := os.OpenFile(o.file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("--write: %w", err)
	}
	ctx, cancel := limits.Timed(ctx, o.duration)
	defer cancel()
	defer reader.Close()
	stop := context.AfterFunc(ctx, reader.Close)
	defer stop()
	if got := reader.Buffer(); got < o.options.Buffer {
		fmt.Fprintf(u.Err, "mc: warning: the buffer has only %s: net.core.rmem_max does not let this user have more; run as root, or raise it\n", humanize.IBytes(uint64(got)))
	}
	fmt.Fprintf(u.Err, "captures into %s; interrupt it to end\n", o.file)
	counts, err := Record(u, reader, file)
	if err = errors.Join(err, file.Close()); err != nil {
		return ui.Trouble(err)
	}
	fmt.Fprintf(u.Out, "%s: %v\n", o.file, counts)
	if counts.dropped > 0 {
		fmt.Fprintf(u.Err, "mc: warning: %s by these ports found no room in the buffer, so %s does not have all that was sent, and says so\nmc: hint: give a larger --buffer than %s\n",
			ui.Count(int(counts.dropped), "packet"), o.file, o.buffer)
	}
	return nil
}

// Record writes what a live capture brings to a file, until that is closed, and
// tells of it on a terminal.
func Record(u *ui.UI, reader *capture.Reader, file io.Writer) (*Counts, error) {
	recording := reader.Record(file)
	counts := &Counts{frames: map[wire.Kind]int{}}
	told := time.Now()
	for {
		p, err := reader.Next()
		if errors.Is(err, capture.ErrClosed) || err == io.EOF {
			counts.packets, counts.dropped = recording.Packets(), recording.Dropped()
			if u.Terminal {
				fmt.Fprint(u.Cursor, "\r\x1b[K")
			}
			return counts, recording.Flush()
		}
		if err != nil {
			return counts, errors.Join(err, recording.Flush())
		}
		if counts.add(p); u.Terminal && time.Since(told) > time.Second/4 {
			counts.packets, counts.dropped = recording.Packets(), recording.Dropped()
			fmt.Fprintf(u.Cursor, "\r\x1b[K%v", counts)
			told = time.Now()
		}
	}
}

// Counts is what a capture has in it.
type Counts struct {
	packets  int
	dropped  uint64 // beside them
	frames   map[wire.Kind]int
	rejected map[string]int // what came by our ports and is no frame, by why
}

func (c *Counts) add(p capture.Packet) {
	switch {
	case p.Err == nil:
		c.frames[p.Frame.Kind]++
		return
	case errors.Is(p.Err, capture.ErrDropped):
		return // the recording has counted them
	}
	if c.rejected == nil {
		c.rejected = map[string]int{}
	}
	c.rejected[wire.Label(p.Err)]++
}

// String returns the counts as in "12 packets, 7 frames (4 data, 3 ack), no
// frame: 1 foreign".
func (c *Counts) String() string {
	total, kinds := 0, []string{}
	for _, kind := range wire.Kinds {
		if n := c.frames[kind]; n > 0 {
			total += n
			kinds = append(kinds, fmt.Sprintf("%s %v", ui.Comma(n), kind))
		}
	}
	text := ui.Count(c.packets, "packet") + ", " + ui.Count(total, "frame")
	if total > 0 {
		text += " (" + strings.Join(kinds, ", ") + ")"
	}
	var wrong []string
	for _, why := range slices.Sorted(maps.Keys(c.rejected)) {
		wrong = append(wrong, fmt.Sprintf("%s %s", ui.Comma(c.rejected[why]), why))
	}
	if wrong != nil {
		text += "; no frames of ours: " + strings.Join(wrong, ", ")
	}
	if c.dropped > 0 {
		text += "; " + ui.Count(int(c.dropped), "packet") + " dropped"
	}
	return text
}
