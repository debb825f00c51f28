package execution

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/logs"
	"interleave/impl/runcheck"
	"interleave/linear"
	"interleave/spec"
)

// Logs judges logs. It returns how many faults they may have, too.
func (j Judge) Logs(names []string) (*logs.Report, logs.Budget, error) {
	o, err := j.ofLogs(j.Known, j.Done)
	if err != nil {
		return nil, o.Budget, err
	}
	progress := ui.NewProgress(j.UI)
	opened, done, err := openLogs(names, progress.Reading)
	defer done()
	if err != nil {
		return nil, o.Budget, fmt.Errorf("--logs: %w", err)
	}
	report, err := logs.Check(opened, o)
	progress.Clear()
	var unusable *conformance.UnusableError
	if err == nil && report.Verdict == conformance.Conforms {
		err = j.alongLogs(names, report)
	}
	if errors.As(err, &unusable) && unusable.Cause == nil {
		err = ui.Hint(err, "mc node --log FILE and mc cluster write logs; docs/formats.md describes them")
	}
	return report, o.Budget, err
}

// alongLogs judges the properties and the objects that the algorithm brings along in what logs tell of a run.
func (j Judge) alongLogs(names []string, report *logs.Report) error {
	m, err := j.Known.Find(report.Algorithm)
	if err != nil {
		return err
	}
	r, err := runcheck.JudgeFiles(m, names, j.told)
	report.JudgedUntil = r.Until
	if err != nil {
		report.Unjudged = err.Error()
	}
	for _, v := range r.Verdicts {
		report.Properties = append(report.Properties, logs.PropertyReport{
			Property: v.Property.Name, Doc: v.Property.Doc, Holds: v.Reason == "", Reason: v.Reason, Judged: v.Judged, Cover: v.Property.Form == spec.Reachable,
		})
	}
	for _, h := range r.Histories {
		report.Objects = append(report.Objects, h.Judge(linear.TimeLimit))
	}
	return nil
}

// openLogs opens logs; done closes them. As they are read, how much of all that is goes to read.
func openLogs(names []string, read func(done, all int64)) (opened []logs.Log, done func(), err error) {
	var files []*os.File
	done = func() {
		for _, f := range files {
			f.Close()
		}
	}
	var all int64
	var soFar atomic.Int64 // logs are read side by side
	for _, name := range names {
		file, err := ui.OpenFile(name)
		if err != nil {
			return nil, done, fmt.Errorf("%s: %w", name, err)
		}
		if info, err := file.Stat(); err == nil {
			all += info.Size()
		}
		files = append(files, file)
		opened = append(opened, logs.Log{Name: name, Reader: counted{file, func(n int) { read(soFar.Add(int64(n)), all) }}})
	}
	return opened, done, nil
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
