package properties_test

import (
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
)

// BenchmarkVerify checks the standard properties on whole state spaces.
func BenchmarkVerify(b *testing.B) {
	bench := func(name string, m spec.Machine, c model.Config, workers int) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r, err := properties.Verify(b.Context(), m, c, nil, properties.Options{Workers: workers})
				if err != nil || r.Verdict != properties.Verified {
					b.Fatal(err, r.Verdict, r.Why)
				}
				b.ReportMetric(float64(r.Stats.States), "states")
				b.ReportMetric(float64(r.Stats.States)/r.Stats.Seconds, "states/s")
			}
		})
	}
	classic := model.Config{N: 7, Network: model.Set, Initiators: model.Initiators{Any: true}}
	bench("classic/n=7", changroberts.Classic, classic, 1)
	bench("bully/n=4/crashes=1/set", bully.Mended, model.Config{N: 4, Network: model.Set, Crashes: 1}, 1)
}
