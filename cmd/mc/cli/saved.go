package cli

import (
	"errors"
	"fmt"
	"os"

	"interleave/cmd/mc/internal/ui"
	"interleave/conformance/drive"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/certificate"
	"interleave/properties/election"
	"interleave/spec"
)

func readTrace(file string) (*model.Trace, error) {
	f, err := ui.OpenFile(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return model.ReadTrace(f)
}

// confirmed is a trace that was repeated from its file.
type confirmed struct {
	machine   spec.Machine
	trace     *model.Trace
	reference *model.Reference
	run       *model.Run
	reason    string // why its property is false
}

// confirm reads a trace and repeats it. It is an error if that does not come out as
// it is written.
func confirm(known machines, file string) (*confirmed, error) {
	trace, readErr := readTrace(file)
	if readErr != nil && !errors.Is(readErr, model.ErrEdited) {
		return nil, noTrace(file, readErr)
	}
	machine, err := known.find(trace.Algorithm)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	c := &confirmed{machine: machine, trace: trace}
	c.reference, c.run, c.reason, err = repeat(known, machine, trace)
	if readErr != nil {
		return nil, edited(file, err)
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

// noTrace says that a file is none, and what it is if that is known.
func noTrace(file string, err error) error {
	if isCertificate(file) {
		return ui.Hint(fmt.Errorf("%s: it is a certificate, not a trace", file), "confirm it with mc certify "+ui.ShellWord(file))
	}
	return ui.Hint(fmt.Errorf("%s: %w", file, err), "write a trace with mc verify ALGORITHM --trace-out FILE")
}

// edited names the place in an edited trace if the replay stumbled over it.
func edited(file string, replayErr error) error {
	err := fmt.Errorf("%s: %w", file, model.ErrEdited)
	if replayErr != nil {
		err = fmt.Errorf("%s: the trace was edited after it was written: %w", file, replayErr)
	}
	return ui.Hint(err, "write it anew with mc verify ALGORITHM --trace-out FILE")
}

// repeat repeats a trace, and says why its property is false at the end. Where real
// processes disagreed with the model there is nothing to be false.
func repeat(known machines, m spec.Machine, t *model.Trace) (r *model.Reference, run *model.Run, reason string, err error) {
	if t.Property != drive.Property {
		if _, ok := known.property(m, t.Property); !ok && t.Property != properties.NoPanic.Name {
			err := fmt.Errorf("there is no property %q", t.Property)
			return nil, nil, "", ui.Hint(err, ui.Suggest(t.Property, known.propertyNames(m), "an mc of your own can know it: see docs/tutorial.md"))
		}
		return election.Replay(m, t, known.own...)
	}
	return properties.ReplaySteps(m, t)
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

func noCertificate(name string, err error) error {
	return ui.Hint(fmt.Errorf("%s: %w", name, err), "write one with mc verify ALGORITHM --certificate FILE")
}
