package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/logs"
)

// runReport is what a run directory says: its logs, its capture, and each of the
// other.
type runReport struct {
	Verdict conformance.Verdict  `json:"verdict"`
	Logs    *logs.Report         `json:"logs,omitempty"`
	Capture *captures.Report     `json:"capture,omitempty"`
	Both    *captures.Crosscheck `json:"both,omitempty"`
	Silent  string               `json:"silent,omitempty"` // why there is no Capture, though there is a file
	file    string               // of the capture; "": there is none
	budget  logs.Budget          // of Logs
}

// judgeRun judges a run directory of mc cluster.
func judgeRun(u *ui.UI, known names.Table, dir string, s *conformSettings) error {
	r, err := examineRun(u, known, dir, s)
	if err != nil {
		return err
	}
	if !s.json {
		tellRunJudged(u, s, r)
	} else if err := u.PrintJSON(r); err != nil {
		return err
	}
	if r.Capture != nil {
		if err := writeShown(u, known, r.file, s, r.Capture); err != nil {
			return err
		}
	}
	switch {
	case r.Verdict != conformance.Conforms || len(s.capture.property) == 0:
		return conformStatus(r.Verdict)
	case r.Capture == nil: // so nothing is known of the property
		return ui.ExitInconclusive
	}
	return captureStatus(u, &s.capture, r.Capture)
}

// examineRun judges what a run directory has.
func examineRun(u *ui.UI, known names.Table, dir string, s *conformSettings) (r runReport, err error) {
	if r.file, err = captureIn(dir); err != nil {
		return r, err
	}
	logs, err := logsOfRun(u, known, dir, s, &r)
	switch {
	case err != nil:
		return r, err
	case r.file == "" && logs == nil:
		return r, ui.Hint(fmt.Errorf("%s has neither a file process-*.ndjson nor a capture", dir), "mc cluster ALGORITHM --dir "+ui.ShellWord(dir)+" fills it")
	case r.file == "":
		if err := s.noneOfCaptures(slices.Concat(ofCaptures, ofProcesses)...); err != nil {
			return r, fmt.Errorf("%s: %w", dir, err)
		}
	default:
		if err := examineCapture(known, logs, s, &r); err != nil {
			return r, err
		}
	}
	r.judge()
	return r, nil
}

// examineCapture judges the capture of a run, by itself and beside the logs, if there are any.
func examineCapture(known names.Table, logs []string, s *conformSettings, r *runReport) (err error) {
	if logs == nil {
		if err := tellable(known, s); err != nil {
			return err
		}
	}
	r.Capture, err = exploreCapture(known, r.file, s)
	var unusable *conformance.UnusableError
	switch silent := errors.As(err, &unusable) && unusable.Silent; {
	case silent && logs != nil: // messages may have been lost before they left
		r.Silent = unusable.Reason
	case err != nil:
		return err
	}
	if logs == nil {
		return nil
	}
	if r.Both, err = compareRun(known, r.file, logs, s); err != nil {
		return err
	}
	if r.Capture != nil {
		r.Capture.Evidence = captures.EvidenceLogs
	}
	return nil
}

// verdicts returns the verdict on each that was judged, by how it is called.
func (r *runReport) verdicts() (names []string, all []conformance.Verdict) {
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

// judge takes the worst of the verdicts.
func (r *runReport) judge() {
	_, all := r.verdicts()
	for i, v := range all {
		if i == 0 || v == conformance.Refuted || v == conformance.Unknown && r.Verdict == conformance.Conforms {
			r.Verdict = v
		}
	}
}

// captureIn returns the capture in a folder; "" if there is none.
func captureIn(dir string) (string, error) {
	found, err := filepath.Glob(filepath.Join(escape(dir), "*.pcap*"))
	if err != nil || len(found) > 1 {
		return "", ui.Hint(fmt.Errorf("%s has %d captures", dir, len(found)), "name the one that is meant")
	}
	if len(found) == 0 {
		return "", nil
	}
	return found[0], nil
}

// escape takes the meaning from the signs of a pattern.
func escape(name string) string {
	var out []rune
	for _, r := range name {
		if r == '*' || r == '?' || r == '[' || r == '\\' {
			out = append(out, '\\')
		}
		out = append(out, r)
	}
	return string(out)
}

// logsOfRun judges the logs in a folder, and returns their names; nil if there is none.
func logsOfRun(u *ui.UI, known names.Table, dir string, s *conformSettings, r *runReport) ([]string, error) {
	if found, err := processLogs(dir); err != nil || len(found) == 0 {
		return nil, err
	}
	names, err := logsIn(dir)
	if err != nil {
		return nil, err
	}
	r.Logs, r.budget, err = checkLogs(u, known, names, s)
	return names, err
}

// compareRun compares logs with a capture.
func compareRun(known names.Table, file string, names []string, s *conformSettings) (*captures.Crosscheck, error) {
	packets, o, _, err := packetsOf(known, file, s)
	if err != nil {
		return nil, err
	}
	logs, done, err := openLogs(names)
	defer done()
	if err != nil {
		return nil, err
	}
	return captures.Compare(logs, packets, o)
}

// tellRunJudged tells what a run was found to be.
func tellRunJudged(u *ui.UI, s *conformSettings, r runReport) {
	if r.Logs != nil {
		tellConformance(u, r.Logs, r.budget)
		fmt.Fprintln(u.Out)
	}
	if r.Capture != nil {
		tellCapture(u, r.file, r.Capture)
	}
	if r.Silent != "" {
		fmt.Fprintf(u.Out, "  capture    %s: %s\n", r.file, r.Silent)
	}
	if r.Both != nil {
		tellBoth(u, r.Both, s.capture.gaps || s.capture.cut)
	}
	tellInAll(u, &r)
}

// tellBoth tells what logs and a capture say of each other. The capture may be incomplete if
// that is declared.
func tellBoth(u *ui.UI, b *captures.Crosscheck, incomplete bool) {
	silent := "that never left"
	if incomplete {
		silent = "that are not on the wire"
	}
	u.Hanging("\n  both       ", fmt.Sprintf("%s logged as on the wire, %s handled as delivered, %s to themselves, %s %s",
		ui.Count(b.Sent, "message"), ui.Comma(b.Handled), ui.Comma(b.Itself), ui.Comma(b.Silent), silent))
	if b.Unseen > 0 {
		fmt.Fprintf(u.Out, "             %s handled that the capture need not have\n", ui.Comma(b.Unseen))
	}
	for _, lie := range b.Discrepancies {
		fmt.Fprintf(u.Out, "    %s\n", escaped(lie))
	}
	if b.More > 0 {
		fmt.Fprintf(u.Out, "    and %s more\n", ui.Comma(b.More))
	}
	switch b.Verdict {
	case conformance.Refuted:
		fmt.Fprintf(u.Out, "\n%s: the logs and the wire contradict each other\n", ui.Bad.Render("REFUTED"))
	case conformance.Conforms:
		fmt.Fprintf(u.Out, "\n%s: the logs and the wire agree\n", ui.Good.Render("CONFORMS"))
	default:
		u.Hanging("\n", ui.Doubt.Render("INCONCLUSIVE")+": "+b.Reason)
	}
}

// tellInAll tells the verdict on a run of which several things were judged.
func tellInAll(u *ui.UI, r *runReport) {
	names, all := r.verdicts()
	if len(all) < 2 {
		return
	}
	words := map[conformance.Verdict]string{
		conformance.Conforms: ui.Good.Render("CONFORMS"), conformance.Refuted: ui.Bad.Render("REFUTED"), conformance.Unknown: ui.Doubt.Render("INCONCLUSIVE"),
	}
	for i, v := range all {
		names[i] += " " + words[v]
	}
	fmt.Fprintf(u.Out, "\n%s in all: %s\n", words[r.Verdict], strings.Join(names, ", "))
}
