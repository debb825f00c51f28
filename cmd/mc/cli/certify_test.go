package cli

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"interleave/spec"
	"interleave/spec/catalog"
)

// TestCertifyRefutes: the algorithm is not what it was when its pass was
// written down, and mc says where: with status 4, and nothing on standard error.
func TestCertifyRefutes(t *testing.T) {
	all := newMachines(catalog.Machines, catalog.Aliases)
	before, err := all.find("bully/mended")
	if err != nil {
		t.Fatal(err)
	}
	after, err := all.find("bully/published")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "pass.cert")
	mc(t.Context(), "verify mine --crashes 1 --certificate "+file, renamed{before, "mine"}).expect(t, exitHolds, "VERIFIED")
	mc(t.Context(), "certify "+file, renamed{before, "mine"}).expect(t, exitHolds, "CONFIRMED")
	mc(t.Context(), "certify "+file).expect(t, exitUsage, `there is no algorithm "mine"`)

	o := mc(t.Context(), "certify "+file, renamed{after, "mine"})
	for _, text := range []string{"REFUTED a step leads out of the set", "the state\n        1  ", "the step\n        process ", "leads to\n        1  "} {
		o.expect(t, exitContradicted, text)
	}
	if strings.Contains(o.out, "CONFIRMED") || o.err != "" {
		t.Errorf("%s%s", o.out, o.err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if o := mc(ctx, "certify "+file, renamed{before, "mine"}); o.status != exitInconclusive || o.out != "" {
		t.Errorf("interrupted: %+v", o)
	}
}

// TestSweepCertifyContradicts: the checker sees another step than the engine,
// for the handler is not the same the sixth time.
func TestSweepCertifyContradicts(t *testing.T) {
	calls := 0
	fickle := &spec.Algorithm[int, int]{
		Name: "fickle", Doc: "changes its mind", Source: "this test",
		Notice: func(s *int, p *spec.Proc[int]) {
			if *s > 0 {
				p.Refuse()
				return
			}
			*s = 1
			if calls++; calls > 5 {
				*s = 2
			}
		},
		Receive: func(*int, *spec.Proc[int], spec.ID, int) {},
		Leader:  func(int) spec.ID { return spec.None },
	}
	file := sweepFile(t, "  - algorithm: fickle\n    n: 2\n    expect: {S-lit: holds}\n")
	o := mc(t.Context(), "sweep --certify "+file, fickle)
	if o.status != exitContradicted || !strings.Contains(o.err, "what holds is not confirmed by its certificate: a step leads out of the set") {
		t.Errorf("status %d: %s%s", o.status, o.out, o.err)
	}
}
