package saved_test

import (
	"path/filepath"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/saved"
	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/object/objecttest"
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

// TestChangedCode: a trace that other code made is refuted, and it is said that this is the usual cause.
func TestChangedCode(t *testing.T) {
	own := properties.Own(objecttest.Forgetful)[:1]
	r, err := properties.Verify(t.Context(), objecttest.Forgetful, model.Config{N: 2, Network: model.Set, Crashes: 1, Recoveries: 1}, own, properties.Options{})
	if err != nil || r.Findings[0].Trace == nil {
		t.Fatal(err, r)
	}
	c := saved.Run{Machine: objecttest.NewStore(), Trace: r.Findings[0].Trace}
	c.Trace.Algorithm = "store/kept"
	err = c.Repeat(names.New([]spec.Machine{c.Machine}, nil))
	if !saved.Refutes(err) || !strings.HasSuffix(err.Error(), ". Mostly the code is not the code that made the trace") {
		t.Error(err)
	}
}
