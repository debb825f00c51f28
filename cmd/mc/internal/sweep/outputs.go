package sweep

import (
	"errors"
	"fmt"
	"io"
	"time"

	"interleave/cmd/mc/internal/source"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/supervisor"
	"interleave/internal/printable"
	"interleave/model"
	"interleave/model/picture"
)

// tellOthers tells other programs what was found.
func tellOthers(u *ui.UI, o *outcome) error {
	failed := []error{writeFiles(o)}
	if o.options.github {
		deviations := o.deviations()
		annotateDeviations(u, o, deviations)
		annotateFailure(u, o)
		annotateLock(u, o)
		failed = append(failed, summarize(o, deviations))
	}
	if err := errors.Join(failed...); err != nil {
		return ui.Trouble(err) // what there was to find out is found out
	}
	return nil
}

// writeFiles writes the files for other programs.
func writeFiles(o *outcome) error {
	var failed []error
	for _, f := range []struct {
		flag, file string
		write      func(io.Writer, *outcome) error
	}{{"--junit", o.options.junit, writeJUnit}, {"--sarif", o.options.sarif, writeSARIF}} {
		if f.file == "" {
			continue
		}
		if err := model.WriteFile(f.file, func(to io.Writer) error {
			w := &printable.Writer{To: to}
			return errors.Join(f.write(w, o), w.Flush())
		}); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", f.flag, err))
		}
	}
	return errors.Join(failed...)
}

// errEnded is told by the files of a sweep that came to no end.
var errEnded = errors.New("mc ended without a verdict while it checked this configuration, or one of those after it")

// foretell prepares for the end of the process while it checks a case: it says what is under
// way, and writes the files as they shall be then. With many small cases it does not write them
// before each, so as to take no more than a twentieth of the time.
func (s *sweep) foretell(c configuration) error {
	s.doing(c)
	if s.foretelling > time.Since(s.began)/20 {
		return nil
	}
	began := time.Now()
	s.failure = errEnded
	err := writeFiles(&s.outcome)
	s.failure = nil
	s.foretelling += time.Since(began)
	if err != nil {
		return ui.Trouble(err)
	}
	return nil
}

// doing says what is under way, should the process end.
func (s *sweep) doing(c configuration) {
	name := c.title()
	w := supervisor.Work{
		What:   picture.OneLine(fmt.Sprintf("mc sweep %s:%d: %s", s.options.file, c.row.line, name)),
		Repeat: c.Command(),
		Before: s.progress.TakeAway(),
	}
	if s.options.github {
		at := source.Here().Line(s.options.file, c.row.line)
		w.GitHub = annotation(at, name, "mc ")
		w.Summary = fmt.Sprintf("### mc sweep %s\n\n%s: mc ", markdownText(s.options.file), markdownText(name))
	}
	supervisor.Doing(w)
}
