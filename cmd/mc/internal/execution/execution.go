// Package execution judges what real processes did, by their logs, by a capture of their packets, and
// by what the two say of each other. mc conform prints it, and mc explore shows it.
//
// Settings are the flags. Begin to read with execution.go.
package execution

import (
	"errors"
	"fmt"
	"slices"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/logs"
	"interleave/impl/runcheck"
)

// Judge judges executions as settings say.
type Judge struct {
	UI    *ui.UI // for progress
	Known names.Table
	*Settings
	Done <-chan struct{} // closed: it is interrupted. May be nil

	told *runcheck.Occasions // by mc cluster, of the run that logs tell of
}

// Report is what was found of an execution.
type Report struct {
	Verdict   conformance.Verdict  `json:"verdict"` // the worst of all
	Logs      *logs.Report         `json:"logs,omitempty"`
	Capture   *captures.Report     `json:"capture,omitempty"`
	Both      *captures.Crosscheck `json:"both,omitempty"`
	Silent    string               `json:"silent,omitempty"` // why there is no Capture, though there is a file
	Budget    logs.Budget          `json:"-"`                // of Logs
	Read      *Capture             `json:"-"`                // nil: there is no file
	Directory bool                 `json:"-"`                // it is what a run directory says
}

// Execution judges logs and a capture, each by itself and beside the other. There may be no logs, or
// no capture.
func (j Judge) Execution(logs []string, file string) (r *Report, err error) {
	r = &Report{}
	if logs != nil {
		if r.Logs, r.Budget, err = j.Logs(logs); err != nil {
			return nil, err
		}
	} else if err := j.checkBudget(j.Known); err != nil {
		return nil, err
	}
	if file != "" {
		if err := j.beside(r, logs, file); err != nil {
			return nil, err
		}
	}
	_, all := r.Verdicts()
	for i, v := range all {
		if i == 0 || v == conformance.Refuted || v == conformance.Unknown && r.Verdict == conformance.Conforms {
			r.Verdict = v
		}
	}
	return r, nil
}

// beside judges a capture, by itself and beside logs, if there are any.
func (j Judge) beside(r *Report, names []string, file string) (err error) {
	if r.Read, err = j.ReadCapture(file); err != nil {
		return err
	}
	r.Capture, err = j.Capture(r.Read)
	var unusable *conformance.UnusableError
	switch silent := errors.As(err, &unusable) && unusable.Silent; {
	case silent && names != nil: // messages may have been lost before they left
		r.Silent = unusable.Reason
	case err != nil:
		return err
	}
	if names == nil {
		return nil
	}
	if r.Capture != nil && r.Capture.Verdict == conformance.Unknown && r.Capture.Undeclared {
		m, err := j.Known.Find(r.Capture.Algorithm)
		if err != nil {
			return err
		}
		if values, err := undeclared(m.Traits(), names); err == nil && values != "" { // a log that is damaged is told of elsewhere
			r.Capture.Reason += "; the logs have values that are not declared: " + values
		}
	}
	logs, done, err := openLogs(names, func(_, _ int64) {})
	defer done()
	if err != nil {
		return err
	}
	r.Both, err = captures.Compare(logs, r.Read.Packets, r.Read.Options)
	if r.Capture != nil {
		r.Capture.Evidence = captures.EvidenceLogs
	}
	return err
}

// NamedLogs judges the logs that --logs names.
func (j Judge) NamedLogs(given []string) (*Report, error) {
	names, err := logFiles(given)
	if err == nil {
		err = j.WithoutCapture(ofProcesses...)
	}
	if err == nil && len(given) == 1 {
		j.told, err = occasions(given[0])
	}
	if err != nil {
		return nil, err
	}
	return j.Execution(names, "")
}

// Directory judges what a run directory of mc cluster has.
func (j Judge) Directory(dir string) (*Report, error) {
	logs, file, err := Files(dir)
	if err != nil {
		return nil, err
	}
	if j.told, err = occasions(dir); err != nil {
		return nil, err
	}
	r, err := j.Execution(logs, file)
	if err != nil {
		return nil, err
	}
	if r.Directory = true; file == "" {
		if err := j.WithoutCapture(slices.Concat(OfCaptures, ofProcesses)...); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
	}
	return r, nil
}

// Verdicts returns the verdict on each that was judged, by how it is called.
func (r *Report) Verdicts() (names []string, all []conformance.Verdict) {
	add := func(name string, v conformance.Verdict) { names, all = append(names, name), append(all, v) }
	if r.Logs != nil {
		add("logs", r.Logs.Verdict)
	}
	if r.Capture != nil {
		add("capture", r.Capture.Verdict)
	}
	if r.Both != nil {
		add("both", r.Both.Verdict)
	}
	return names, all
}
