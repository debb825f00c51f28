package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"interleave/spec"
)

// open makes the run directory and the files in it that are written along the
// run.
func (r *run) open() error {
	if err := claimDir(r.c.Dir, "plan.yaml", r.c.Plan.String()); err != nil {
		return err
	}
	var err error
	if r.c.Command != nil {
		err = os.WriteFile(filepath.Join(r.c.Dir, "command.txt"), []byte(CommandLine(r.c.Command)+"\n"), 0o666)
	}
	for id := range spec.UpTo(r.c.N).All() { // who is killed before its first line has a log all the same
		err = errors.Join(err, os.WriteFile(file(r.c.Dir, id, "ndjson"), nil, 0o666))
	}
	for name, log := range map[string]**lineLog{"fates.ndjson": &r.fates, "occasions.ndjson": &r.occasions, "snapshots.ndjson": &r.snapshots} {
		if err == nil {
			*log, err = newLineLog(filepath.Join(r.c.Dir, name))
		}
	}
	if err == nil && r.c.Capture {
		comment := "mc cluster " + r.c.Machine.Traits().Name
		r.recorder, err = newRecorder(filepath.Join(r.c.Dir, "capture.pcapng"), comment, r.addresses)
	}
	return err
}

func (r *run) closeFiles() error {
	return errors.Join(r.fates.close(), r.occasions.close(), r.snapshots.close(), r.recorder.close())
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
