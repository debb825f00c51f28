package compiled_test

import (
	"context"
	"errors"
	"testing"

	"interleave/model"
	"interleave/model/compiled"
	"interleave/spec/bully"
)

// TestBeforeClose: what rests on all local steps says so if some are not learned, instead of leaving them out. Whether
// steps may cycle is asked of those that are learned.
func TestBeforeClose(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	sys, err := compiled.NewWithin(ended, bully.Mended, model.Config{N: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := sys.Close(ended, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("closed: %v", err)
	}
	for name, f := range map[string]func(){
		"StepGroups":      func() { compiled.StepGroups(sys.LocalSteps, sys.Tables()[0]) },
		"RefusesMessages": func() { sys.RefusesMessages() },
	} {
		if said := panicOf(f); said != "model: a local step that was not learned" {
			t.Errorf("%s: panic %v", name, said)
		}
	}
	if sys.MayCycle() {
		t.Error("nothing is learned, and it may cycle")
	}
	if err := sys.Close(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if len(compiled.StepGroups(sys.LocalSteps, sys.Tables()[0])) == 0 {
		t.Error("closed, and no step")
	}
	sys.RefusesMessages()
}

func panicOf(f func()) (said any) {
	defer func() { said = recover() }()
	f()
	return nil
}
