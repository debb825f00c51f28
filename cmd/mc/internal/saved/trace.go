// Package saved reads traces that mc wrote, and repeats them.
package saved

import (
	"errors"
	"fmt"
	"os"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance/drive"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/certificate"
	"interleave/properties/election"
	"interleave/spec"
)

// ReadTrace reads a trace. An error does not have the name of the file.
func ReadTrace(file string) (*model.Trace, error) {
	f, err := ui.OpenFile(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return model.ReadTrace(f)
}

// Run is a trace that was repeated from its file.
type Run struct {
	Machine   spec.Machine
	Trace     *model.Trace
	Reference *model.Reference
	Run       *model.Run
	Reason    string // why its property is false
}

// Confirm reads a trace and repeats it. It is an error if that does not come out as
// it is written.
func Confirm(known names.Table, file string) (*Run, error) {
	trace, readErr := ReadTrace(file)
	if readErr != nil && !errors.Is(readErr, model.ErrEdited) {
		return nil, NotATrace(file, readErr)
	}
	machine, err := known.Find(trace.Algorithm)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	c := &Run{Machine: machine, Trace: trace}
	c.Reference, c.Run, c.Reason, err = Repeat(known, machine, trace)
	if readErr != nil {
		return nil, Edited(file, err)
	}
	var refuted *model.ReplayError
	if errors.As(err, &refuted) || errors.Is(err, properties.ErrHolds) {
		return nil, ui.Trouble(ui.Hint(fmt.Errorf("%s: it is refuted: %w", file, err), "mc replay "+ui.ShellWord(file)+" shows how far it goes"))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// NotATrace says that a file is none, and what it is if that is known.
func NotATrace(file string, err error) error {
	if IsCertificate(file) {
		return ui.Hint(fmt.Errorf("%s: it is a certificate, not a trace", file), "confirm it with mc certify "+ui.ShellWord(file))
	}
	return ui.Hint(fmt.Errorf("%s: %w", file, err), "write a trace with mc verify ALGORITHM --trace-out FILE")
}

// Edited names the place in an edited trace if the replay stumbled over it.
func Edited(file string, replayErr error) error {
	err := fmt.Errorf("%s: %w", file, model.ErrEdited)
	if replayErr != nil {
		err = fmt.Errorf("%s: the trace was edited after it was written: %w", file, replayErr)
	}
	return ui.Hint(err, "write it anew with mc verify ALGORITHM --trace-out FILE")
}

// Repeat repeats a trace, and says why its property is false at the end. Where real
// processes disagreed with the model there is nothing to be false.
func Repeat(known names.Table, m spec.Machine, t *model.Trace) (r *model.Reference, run *model.Run, reason string, err error) {
	if t.Property != drive.Property {
		if _, ok := known.Property(m, t.Property); !ok && t.Property != properties.NoPanic.Name {
			err := fmt.Errorf("there is no property %q", t.Property)
			return nil, nil, "", ui.Hint(err, ui.Suggest(t.Property, known.PropertyNames(m), "an mc of your own can know it: see docs/tutorial.md"))
		}
		return election.Replay(m, t, known.Own...)
	}
	return properties.ReplaySteps(m, t)
}

// IsCertificate reports whether a file can be opened as a certificate.
func IsCertificate(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	_, err = certificate.Open(file)
	return err == nil
}
