package cli

import (
	"path/filepath"
	"testing"

	"interleave/cmd/mc/internal/capturetest"
	"interleave/cmd/mc/internal/ui"
	"interleave/spec"
)

// TestForeignRun: a run of an algorithm that this mc does not know is not a damaged file.
func TestForeignRun(t *testing.T) {
	stranger := &spec.Algorithm[bool, bool]{
		Name: "stranger", Doc: "does nothing", Source: "this test",
		Receive: func(*bool, *spec.Proc[bool], spec.ID, bool) {},
		Election: &spec.Election[bool, bool]{
			Notice: func(_ *bool, p *spec.Proc[bool]) { p.Refuse() },
			Leader: func(bool) spec.ID { return spec.None },
		},
	}
	dir, capture := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "some.pcapng")
	write(t, capture, capturetest.PCAPNG(t, capturetest.Election, nil))
	mc(t.Context(), "conform "+capture+" --explain "+dir).expect(t, ui.ExitHolds, "CONFORMS")
	for _, run := range []string{capture, "--logs " + dir} {
		mc(t.Context(), "conform "+run, stranger).expect(t, ui.ExitUsage, "mc: hint: mc list shows the algorithms; those of a module of your own are known to the mc of that module")
	}
}
