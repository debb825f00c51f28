package execution

import (
	"errors"
	"fmt"
	"io"
	"os"

	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/logs"
)

// Logs judges logs. It returns how many faults they may have, too.
func (j Judge) Logs(names []string) (*logs.Report, logs.Budget, error) {
	o, err := j.ofLogs(j.Known, j.Done)
	if err != nil {
		return nil, o.Budget, err
	}
	opened, done, err := openLogs(names)
	defer done()
	if err != nil {
		return nil, o.Budget, fmt.Errorf("--logs: %w", err)
	}
	progress := ui.NewProgress(j.UI)
	watch(progress, opened)
	report, err := logs.Check(opened, o)
	progress.Clear()
	var unusable *conformance.UnusableError
	if errors.As(err, &unusable) && unusable.Cause == nil {
		err = ui.Hint(err, "mc node --log FILE and mc cluster write logs; docs/formats.md describes them")
	}
	return report, o.Budget, err
}

// openLogs opens logs; done closes them.
func openLogs(names []string) (opened []logs.Log, done func(), err error) {
	var files []*os.File
	done = func() {
		for _, f := range files {
			f.Close()
		}
	}
	for _, name := range names {
		file, err := ui.OpenFile(name)
		if err != nil {
			return nil, done, fmt.Errorf("%s: %w", name, err)
		}
		files = append(files, file)
		opened = append(opened, logs.Log{Name: name, Reader: file})
	}
	return opened, done, nil
}

// watch tells how much of logs has been read, which are judged as they are read.
func watch(p *ui.Progress, opened []logs.Log) {
	var done, all int64
	for i, l := range opened {
		f, ok := l.Reader.(*os.File)
		if !ok {
			return
		}
		info, err := f.Stat()
		if err != nil {
			return
		}
		all += info.Size()
		opened[i].Reader = counted{f, func(n int) {
			done += int64(n)
			p.Reading(done, all)
		}}
	}
}

// counted counts what is read.
type counted struct {
	io.Reader
	read func(n int)
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.read(n)
	return n, err
}
