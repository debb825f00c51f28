package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/logs"
	"interleave/impl/runlog"
	"interleave/model/picture"
)

// judgeLogs judges the logs that --logs names.
func judgeLogs(u *ui.UI, known names.Table, s *conformSettings) error {
	names, err := logFiles(s.logs)
	if err == nil {
		err = s.noneOfCaptures(ofProcesses...)
	}
	if err != nil {
		return err
	}
	report, budget, err := checkLogs(u, known, names, s)
	switch {
	case err != nil:
		return err
	case s.json:
		if err := u.PrintJSON(report); err != nil {
			return err
		}
	default:
		tellConformance(u, report, budget)
	}
	return conformStatus(report.Verdict)
}

// checkLogs judges logs.
func checkLogs(u *ui.UI, known names.Table, names []string, s *conformSettings) (*logs.Report, logs.Budget, error) {
	o, err := s.options(known)
	if err != nil {
		return nil, o.Budget, err
	}
	opened, done, err := openLogs(names)
	defer done()
	if err != nil {
		return nil, o.Budget, fmt.Errorf("--logs: %w", err)
	}
	progress := ui.NewProgress(u)
	watch(progress, opened)
	report, err := logs.Check(opened, o)
	progress.Clear()
	var unusable *conformance.UnusableError
	if errors.As(err, &unusable) && unusable.Cause == nil {
		err = ui.Hint(err, "mc node --log FILE and mc cluster write logs; docs/formats.md describes them")
	}
	return report, o.Budget, err
}

// logFiles returns the logs that are meant: each a file, or all those in a
// folder.
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
	return filepath.Glob(filepath.Join(escape(dir), "process-*.ndjson"))
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

// tellConformance tells what logs were found to be.
func tellConformance(u *ui.UI, r *logs.Report, budget logs.Budget) {
	u.Hanging("", fmt.Sprintf("%s: the logs of %s of %d processes: %s, %s\n", ui.Title.Render(r.Algorithm), ui.Count(r.Incarnations, "incarnation"), r.Processes,
		ui.Count(r.Lines, "line"), ui.Count(r.Steps, "step")))
	if r.Logged != "" {
		u.Hanging("  note       ", fmt.Sprintf("the logs are of %s, and are compared with %s", escaped(r.Logged), r.Algorithm))
		fmt.Fprintln(u.Out)
	}
	for _, k := range r.Kinds {
		tellKind(u, k.Kind, k.Count, never(k.Count))
	}
	tellFaults(u, r, budget)
	for _, n := range r.Notes {
		u.Hanging("  note       ", fmt.Sprintf("%v: %s", n.Place, n.Text))
	}
	switch r.Verdict {
	case conformance.Unknown:
		u.Hanging("\n", ui.Doubt.Render("INCONCLUSIVE")+": "+r.Reason)
		return
	case conformance.Conforms:
		u.Hanging("\n", fmt.Sprintf("%s: each step is one of %s, and each message that was handled had been sent", ui.Good.Render("CONFORMS"), r.Algorithm))
		return
	}
	tellRefutation(u, r.Refutation)
}

// tellKind prints a row of a table of kinds of steps or messages, which are named as the
// algorithm likes.
func tellKind(u *ui.UI, kind string, n int, note string) {
	fmt.Fprintf(u.Out, "  %-24s %7s%s\n", picture.OneLine(kind), ui.Comma(n), note)
}

func never(count int) string {
	if count > 0 {
		return ""
	}
	return "  never happened"
}

// tellFaults tells what became of the messages, and what went wrong.
func tellFaults(u *ui.UI, r *logs.Report, budget logs.Budget) {
	m := r.Messages
	u.Hanging("\n  messages   ", fmt.Sprintf("%s sent, %s handled, %s lost%s, %s dropped as their receiver went down, %s left at the end",
		ui.Comma(m.Sent), ui.Comma(m.Handled), ui.Comma(m.Lost), budgeted(budget.Losses), ui.Comma(m.Dropped), ui.Comma(m.Left)))
	for _, fault := range []struct {
		count int
		text  string
	}{
		{m.Copied, "handled once more" + budgeted(budget.Duplicates)}, {m.Overtook, "overtaken by later ones"},
		{r.Refusals, "had to wait"}, {m.GivenUp, "given up by their senders, arrived or not"}, {r.LateRounds, "read in a later round than the next"},
	} {
		if fault.count > 0 {
			fmt.Fprintf(u.Out, "             %s %s\n", ui.Comma(fault.count), fault.text)
		}
	}
	fmt.Fprintf(u.Out, "  crashes    %s%s, %s%s\n", ui.Comma(r.Crashes), budgeted(budget.Crashes), ui.Count(r.Recoveries, "restart"), budgeted(budget.Recoveries))
	if r.FirstBreach == nil {
		fmt.Fprintf(u.Out, "  delta      no process saw it broken\n")
		return
	}
	var breaches []string
	for _, kind := range runlog.BreachKinds {
		if n := r.Breaches[kind]; n > 0 {
			breaches = append(breaches, fmt.Sprintf("%s %s", kind, ui.Comma(n)))
		}
	}
	u.Hanging("  delta      ", fmt.Sprintf("%s: %s; first at %v", ui.Doubt.Render("assumption violated"), strings.Join(breaches, ", "), *r.FirstBreach))
}

// budgeted says how many faults of a kind there may be.
func budgeted(n int) string {
	if n == logs.Any {
		return ""
	}
	return fmt.Sprintf(" of at most %d", n)
}

// tellRefutation tells of the first line that nothing explains.
func tellRefutation(u *ui.UI, f *logs.Refutation) {
	fmt.Fprintf(u.Out, "\n%s %v: nothing explains this line\n\n", ui.Bad.Render("REFUTED"), f.Place)
	who := fmt.Sprintf("process %v, incarnation %d", f.Process, f.Incarnation)
	if f.Step > 0 {
		who += fmt.Sprintf(", step %d", f.Step)
	}
	fmt.Fprintf(u.Out, "  %s: %s\n  %s\n", who, escaped(f.What), escaped(f.Reason))
	for _, m := range f.Misses {
		fmt.Fprintf(u.Out, "    %s\n      expected %s\n      found    %s\n", escaped(m.Field), orNone(m.Expected), orNone(m.Found))
	}
}

func orNone(s string) string {
	if s == "" {
		return "nothing"
	}
	return escaped(s)
}

// escaped returns a text in which what does not print is escaped as in Go: logs and packets
// say what they like.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
	}
	return b.String()
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
