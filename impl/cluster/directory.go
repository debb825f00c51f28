package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"interleave/impl/cluster/network"
	"interleave/spec"
)

// directory is the files of a run directory that are written along the run.
type directory struct {
	fates     *lineLog
	occasions *lineLog
	snapshots *lineLog
	recorder  *network.Recorder // nil: there is no capture
}

// openDirectory makes the run directory, and files in it. In case of an error it returns those
// that are open.
func openDirectory(c Config, a network.Addresses) (d directory, err error) {
	if err := claimDir(c.Dir, "plan.yaml", c.Plan.String()); err != nil {
		return d, err
	}
	if c.Command != nil {
		err = os.WriteFile(filepath.Join(c.Dir, "command.txt"), []byte(CommandLine(c.Command)+"\n"), 0o666)
	}
	for id := range spec.UpTo(c.N).All() { // who is killed before its first line has a log all the same
		err = errors.Join(err, os.WriteFile(file(c.Dir, id, "ndjson"), nil, 0o666))
	}
	for name, log := range map[string]**lineLog{"fates.ndjson": &d.fates, "occasions.ndjson": &d.occasions, "snapshots.ndjson": &d.snapshots} {
		if err == nil {
			*log, err = newLineLog(filepath.Join(c.Dir, name))
		}
	}
	if err == nil && c.Capture {
		comment := "mc cluster " + c.Machine.Traits().Name
		d.recorder, err = network.NewRecorder(filepath.Join(c.Dir, "capture.pcapng"), comment, a)
	}
	return d, err
}

func (d *directory) close() error {
	return errors.Join(d.fates.close(), d.occasions.close(), d.snapshots.close(), d.recorder.Close())
}

// claimDir makes a folder, unless it is there and empty, and the first file in it.
// Of those who claim it at the same time one gets it.
func claimDir(dir, name, text string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return &InputError{fmt.Errorf("the folder %s cannot be made: %w: name another", dir, err)}
	}
	taken := &InputError{fmt.Errorf("the folder %s is not empty: name one that is, or that is not there yet", dir)}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return taken
	}
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return taken
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// file returns the name of a file of a process in a run directory.
func file(dir string, id spec.ID, kind string) string {
	return filepath.Join(dir, fmt.Sprintf("process-%v.%s", id, kind))
}
