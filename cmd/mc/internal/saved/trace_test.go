package saved_test

import (
	"path/filepath"
	"testing"

	"interleave/cmd/mc/internal/saved"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec/bully"
)

// TestShortName: a trace may have the short name of its property.
func TestShortName(t *testing.T) {
	r, err := properties.Verify(t.Context(), bully.Published, model.Config{N: 3, Crashes: 1, Split: true}, []properties.Property{election.Agreement}, properties.Options{})
	if err != nil || r.Findings[0].Trace == nil {
		t.Fatal(err, r)
	}
	trace := r.Findings[0].Trace
	trace.Property = "Q-agree"
	file := filepath.Join(t.TempDir(), "trace.json")
	if err := model.WriteFile(file, trace.Write); err != nil {
		t.Fatal(err)
	}
	if trace, err = saved.ReadTrace(file); err != nil || trace.Property != election.Agreement.Name {
		t.Errorf("%v, of %+v", err, trace)
	}
}
