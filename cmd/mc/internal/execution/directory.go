package execution

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"interleave/cmd/mc/internal/ui"
	"interleave/impl/runcheck"
)

// ErrNothing says that a folder is no run directory.
var ErrNoRun = errors.New("neither a file process-*.ndjson nor a capture")

// In returns the logs and the capture in a run directory. Either may be missing, but not both.
func Files(dir string) (logs []string, capture string, err error) {
	found, err := filepath.Glob(filepath.Join(escape.Replace(dir), "*.pcap*"))
	if err != nil || len(found) > 1 {
		return nil, "", ui.Hint(fmt.Errorf("%s has %d captures", dir, len(found)), "name the one that is meant")
	}
	if len(found) == 1 {
		capture = found[0]
	}
	if logs, err = processLogs(dir); err == nil && len(logs) > 0 {
		logs, err = logsIn(dir)
	}
	if err == nil && logs == nil && capture == "" {
		err = ui.Hint(fmt.Errorf("%s has %w", dir, ErrNoRun), "mc cluster ALGORITHM --dir "+ui.ShellWord(dir)+" fills it")
	}
	return logs, capture, err
}

// occasions returns what mc cluster tells of the run in a directory; nil: nothing.
func occasions(dir string) (*runcheck.Occasions, error) {
	told, err := runcheck.ReadOccasions(filepath.Join(dir, "occasions.ndjson"))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, nil
	case err != nil:
		return nil, ui.Hint(err, runcheck.Remedy)
	}
	return told, nil
}

// logFiles returns the logs that --logs names: each a file, or all those in a folder.
func logFiles(given []string) (names []string, err error) {
	if len(given) == 0 {
		return nil, ui.Hint(errors.New("there is nothing to judge: give a capture, a run directory or --logs"), "mc cluster ALGORITHM --dir run makes a run directory, and mc conform run judges it")
	}
	for _, name := range given {
		info, err := os.Stat(name)
		switch {
		case err != nil:
			return nil, fmt.Errorf("--logs: %s: %w", name, errors.Unwrap(err))
		case info.IsDir():
			inside, err := logsIn(name)
			if err != nil {
				return nil, err
			}
			names = append(names, inside...)
		case !info.Mode().IsRegular():
			return nil, fmt.Errorf("--logs: %s is not a regular file", name)
		default:
			names = append(names, name)
		}
	}
	return names, nil
}

// logsIn returns the logs in a folder, in the order of their names.
func logsIn(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("--logs: %s: %w", dir, errors.Unwrap(err))
	}
	for _, pattern := range []string{"process-*.ndjson", "*.ndjson", "*.log"} {
		for _, e := range entries {
			if match, _ := filepath.Match(pattern, e.Name()); match && e.Type().IsRegular() {
				names = append(names, filepath.Join(dir, e.Name()))
			}
		}
		if pattern != "*.ndjson" && len(names) > 0 {
			break
		}
	}
	if len(names) == 0 {
		return nil, ui.Hint(fmt.Errorf("--logs: %s has no file process-*.ndjson, *.ndjson or *.log", dir), "mc cluster ALGORITHM --dir "+ui.ShellWord(dir)+" fills it")
	}
	return names, nil
}

// processLogs returns the names of the logs in the folder of a run.
func processLogs(dir string) ([]string, error) {
	return filepath.Glob(filepath.Join(escape.Replace(dir), "process-*.ndjson"))
}

// escape takes the meaning from the signs of a pattern.
var escape = strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`)
