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

// ReadTrace reads a trace, whose property may have its short name there. An error does not have the name of the file.
func ReadTrace(file string) (*model.Trace, error) {
	f, err := ui.OpenFile(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	trace, err := model.ReadTrace(f)
	if trace != nil {
		trace.Property = election.FullName(trace.Property)
	}
	return trace, err
}

// Run is a trace that was read from its file and, after Repeat, the run that it shows.
type Run struct {
	Machine   spec.Machine
	Trace     *model.Trace
	Reference *model.Reference
	Run       *model.Run
	Reason    string // why its property is false
}

// Open reads a trace, and finds its algorithm. It is an error if the trace was edited.
func Open(known names.Table, file string) (*Run, error) {
	trace, readErr := ReadTrace(file)
	switch edited := errors.Is(readErr, model.ErrEdited); {
	case readErr != nil && !edited && isCertificate(file):
		return nil, ui.Hint(fmt.Errorf("%s: it is a certificate, not a trace", file), "confirm it with mc certify "+ui.ShellWord(file))
	case errors.Is(readErr, model.ErrOldConformance):
		return nil, ui.Hint(fmt.Errorf("%s: %w", file, readErr), "write it anew with mc conform --drive ALGORITHM")
	case readErr != nil && !edited:
		return nil, ui.Hint(fmt.Errorf("%s: %w", file, readErr), "write a trace with mc verify ALGORITHM --trace-out FILE")
	}
	machine, err := known.Find(trace.Algorithm)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	c := &Run{Machine: machine, Trace: trace}
	if readErr == nil {
		return c, nil
	}
	err = fmt.Errorf("%s: %w", file, model.ErrEdited)
	if stumbled := c.Repeat(known); stumbled != nil { // over what was edited
		err = fmt.Errorf("%s: the trace was edited after it was written: %w", file, stumbled)
	}
	return nil, ui.Hint(err, "write it anew with mc verify ALGORITHM --trace-out FILE")
}

// Repeat repeats a trace, and says why its property is false at the end. Where real
// processes disagreed with the model there is nothing to be false.
func (c *Run) Repeat(known names.Table) (err error) {
	property := c.Trace.Property
	if property == drive.Property {
		c.Reference, c.Run, c.Reason, err = properties.ReplaySteps(c.Machine, c.Trace)
		return err
	}
	if _, ok := known.Property(c.Machine, property); !ok && property != properties.NoPanic.Name {
		err := fmt.Errorf("there is no property %q", property)
		return ui.Hint(err, ui.Suggest(property, known.PropertyNames(c.Machine), "an mc of your own can know it: see docs/properties.md"))
	}
	c.Reference, c.Run, c.Reason, err = election.Replay(c.Machine, c.Trace, known.Own...)
	if Refutes(err) && c.Machine.Traits().Code != nil {
		return fmt.Errorf("%w. Mostly the code is not the code that made the trace", err)
	}
	return err
}

// Refutes reports whether an error of Repeat says that the run is none, or violates nothing.
func Refutes(err error) bool {
	return errors.As(err, new(*model.ReplayError)) || errors.Is(err, properties.ErrHolds)
}

// Confirm reads a trace and repeats it. It is an error if that does not come out as
// it is written.
func Confirm(known names.Table, file string) (*Run, error) {
	c, err := Open(known, file)
	if err != nil {
		return nil, err
	}
	switch err := c.Repeat(known); {
	case Refutes(err):
		return nil, ui.Trouble(ui.Hint(fmt.Errorf("%s: it is refuted: %w", file, err), "mc replay "+ui.ShellWord(file)+" shows how far it goes"))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// isCertificate reports whether a file can be opened as a certificate.
func isCertificate(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	_, err = certificate.Open(file)
	return err == nil
}
