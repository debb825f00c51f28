package node

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"

	"golang.org/x/term"

	"interleave/impl"
)

// given returns standard input if whoever started the process gave it one to read requests from: a pipe,
// a file or a terminal. Nothing is read from /dev/null or a socket.
func given(in *os.File) io.Reader {
	info, err := in.Stat()
	if err != nil {
		return nil
	}
	if mode := info.Mode(); mode&os.ModeNamedPipe == 0 && !mode.IsRegular() && !term.IsTerminal(int(in.Fd())) {
		return nil
	}
	return in
}

// readRequests asks the node for what each line says, one after the other, as in "propose 3", and prints
// what comes of it, a line each. It ends with the input, and the node goes on.
func readRequests(ctx context.Context, in io.Reader, out io.Writer, node *impl.Node, logger *slog.Logger) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		request := strings.TrimSpace(lines.Text())
		if request == "" {
			continue
		}
		action, value, _ := strings.Cut(request, " ")
		outputs, err := node.Ask(ctx, action, []byte(value))
		switch {
		case ctx.Err() != nil || errors.Is(err, impl.ErrNotUp):
			return
		case err != nil:
			logger.Warn("does not do what it is asked for", "request", request, "why", err.Error())
		default:
			_ = json.NewEncoder(out).Encode(append([]json.RawMessage{}, outputs...))
		}
	}
	if err := lines.Err(); err != nil {
		logger.Warn("reads no more requests", "why", err.Error())
	}
}
