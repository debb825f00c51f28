package properties_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/diagram"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec/ble"
	"interleave/spec/bully"
	"interleave/spec/catalog"
	"interleave/spec/changroberts"
	"interleave/spec/syncring"
)

var lossyStores = []explore.Store{explore.Compact, explore.Bits}

// TestStoresAgree compares searches of the whole catalogue with a lossy store
// and an exact one: they count the same, and find the same counterexamples. But
// where the exact one says that something holds, the others do not.
func TestStoresAgree(t *testing.T) {
	violated, stride := 0, testsize.Of(4, 2, 1)
	for i := 0; i < len(catalog.Machines); i += stride {
		m := catalog.Machines[i]
		c, _ := model.Home(m, 3)
		for _, c.Crashes = range []int{0, 1} {
			if c.Check(m) != nil || !c.HasTables() {
				continue
			}
			o := properties.Options{Continue: true, MaxDepth: 7, Workers: 2, Memory: 100 << 20}
			exact := verify(t, m, c, suiting(m, election.All...), o)
			for _, o.Store = range lossyStores {
				lossy := verify(t, m, c, suiting(m, election.All...), o)
				violated += agreeButForVerdicts(t, exact, lossy)
			}
		}
	}
	if violated < 50/stride {
		t.Errorf("only %d counterexamples were compared", violated)
	}
}

// agreeButForVerdicts returns how many counterexamples the reports have in
// common.
func agreeButForVerdicts(t *testing.T, exact, lossy *properties.Report) (violated int) {
	t.Helper()
	a, b := exact.Stats, lossy.Stats
	if b.Omission == nil || b.Omission.Omitted > 1e-3 || b.Complete || a.Omission != nil {
		t.Errorf("%s %+v: odds %+v; complete %v", exact.Algorithm, exact.Config, b.Omission, b.Complete)
	}
	for _, s := range []*properties.Stats{&a, &b} {
		s.Seconds, s.Judging, s.Bytes, s.BytesPerState, s.WordsPerState, s.Tables = 0, 0, 0, 0, 0, model.TableStats{}
		s.Omission, s.Outcome, s.Complete = nil, "", false
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%s %+v: lossy %+v\nexact %+v", exact.Algorithm, exact.Config, b, a)
	}
	if lossy.Verdict == properties.Verified || lossy.Verdict == properties.Bounded {
		t.Errorf("%s %+v is %v", exact.Algorithm, exact.Config, lossy.Verdict)
	}
	for i, f := range exact.Findings {
		g := lossy.Findings[i]
		cycles := f.Trace != nil && f.Trace.Loop > 0 && f.Trace.Loop <= len(f.Trace.Steps)
		found := f.Trace != nil && !cycles && f.Kind != properties.MessagesKind && f.Kind != properties.RecoverableKind || f.Kind == properties.CoverKind && f.Verdict == properties.Verified
		switch {
		case found && (f.Verdict != g.Verdict || f.Depth != g.Depth || f.Trace != nil && !f.Trace.SameRun(g.Trace)):
			t.Errorf("%s %+v: %s is %v at depth %d, and %v at depth %d: %s", exact.Algorithm, exact.Config, f.Name, f.Verdict, f.Depth, g.Verdict, g.Depth, g.Why)
		case found:
			violated++
		case g.Verdict != properties.Inconclusive || g.Why == "":
			t.Errorf("%s %+v: %s is %v, and %v if states may be omitted", exact.Algorithm, exact.Config, f.Name, f.Verdict, g.Verdict)
		}
	}
	return violated
}

// TestNeverVerified: with a lossy store nothing is verified, nor bounded, nor
// out of reach; the reason tells the odds.
func TestNeverVerified(t *testing.T) {
	testsize.Alone(t)
	classic := model.Config{N: testsize.Of(3, 3, 4), Network: model.Set, Initiators: model.Initiators{Any: true}}
	bounded, _ := model.Home(ble.Mended, 2)
	if r := verify(t, ble.Mended, bounded, nil, properties.Options{}); r.Verdict != properties.Bounded {
		t.Errorf("%s: %v", r.Algorithm, r.Verdict)
	}
	never := properties.Cover("C-never", "never", func(*model.World) bool { return false })
	for _, store := range lossyStores {
		if r := verify(t, ble.Mended, bounded, nil, properties.Options{Store: store}); r.Verdict != properties.Inconclusive {
			t.Errorf("%s: %v", r.Algorithm, r.Verdict)
		}
		for _, o := range []properties.Options{{}, {MaxDepth: 3}, {Continue: true}, {AllRings: true}, {Engine: properties.Auto}} {
			o.Store, o.Memory = store, 64<<20
			r := verify(t, changroberts.Classic, classic, nil, o)
			if r.Verdict != properties.Inconclusive || !strings.HasPrefix(r.Why, "no violation among ") || !strings.Contains(r.Why, " are expected to have hidden ") {
				t.Errorf("%v %+v: %v: %s", store, o, r.Verdict, r.Why)
			}
			if o.AllRings && len(r.Rings) != r.RingsInAll {
				t.Errorf("%d of %d rings", len(r.Rings), r.RingsInAll)
			}
			sum := 0.0
			for _, ring := range r.Rings {
				sum += ring.Omission.Omitted
			}
			if o.AllRings && math.Abs(r.Stats.Omission.Omitted-sum) > sum/1e6 {
				t.Errorf("%v are expected to be omitted in all, %v ring by ring", r.Stats.Omission.Omitted, sum)
			}
			for _, f := range r.Findings {
				if f.Verdict != properties.Inconclusive && f.Kind != properties.CoverKind {
					t.Errorf("%v %+v: %s is %v", store, o, f.Name, f.Verdict)
				}
			}
			if r := verify(t, changroberts.Classic, classic, []properties.Property{never}, o); r.Verdict != properties.Inconclusive || r.Findings[0].Verdict != properties.Inconclusive {
				t.Errorf("%v %+v: a cover that was not reached is %v", store, o, r.Findings[0].Verdict)
			}
			o.MaxDepth = 0
			if r := verify(t, changroberts.Classic, classic, []properties.Property{election.CanElect}, o); r.Verdict != properties.Inconclusive || r.Findings[0].Verdict != properties.Verified {
				t.Errorf("%v %+v: a cover that was reached is %v, in all %v", store, o, r.Findings[0].Verdict, r.Verdict)
			}
		}
		cut := verify(t, changroberts.Classic, classic, nil, properties.Options{Store: store, MaxStates: 100, AllRings: true})
		if cut.Verdict != properties.Inconclusive || !strings.Contains(cut.Why, "state limit") || len(cut.Rings) != 1 {
			t.Errorf("%v: %s, on %d rings", cut.Verdict, cut.Why, len(cut.Rings))
		}
	}
}

// TestFewBits: an array that is far too small omits states, and the report says
// so in numbers that any program can read.
func TestFewBits(t *testing.T) {
	classic := model.Config{N: 7, Network: model.Set, Initiators: model.Initiators{Any: true}}
	exact := verify(t, changroberts.Classic, classic, nil, properties.Options{})
	r := verify(t, changroberts.Classic, classic, nil, properties.Options{Store: explore.Bits, Memory: 5 << 20, Continue: true})
	if r.Stats.States >= exact.Stats.States && r.Stats.Omission.Omitted < 1 || r.Verdict != properties.Inconclusive {
		t.Errorf("%d of %d states, %+v, %v", r.Stats.States, exact.Stats.States, r.Stats.Omission, r.Verdict)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Stats struct {
			Odds struct {
				Store    string  `json:"store"`
				Omitted  float64 `json:"expected_omissions"`
				Any      float64 `json:"chance_of_omission"`
				Coverage float64 `json:"coverage"`
			} `json:"omission"`
		} `json:"stats"`
	}
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	o := read.Stats.Odds
	if o.Store != "bits" || o.Omitted <= 0 || math.Abs(o.Any+math.Expm1(-o.Omitted)) > 1e-9 || o.Coverage > 1 || o.Coverage <= 0 {
		t.Errorf("%+v", o)
	}
}

// TestStoreRefused: what does not go with a lossy store is refused, not ignored.
func TestStoreRefused(t *testing.T) {
	for _, store := range lossyStores {
		for _, o := range []properties.Options{
			{Engine: properties.Symbolic}, {Keep: true}, {Spill: t.TempDir()}, {Reduce: true}, {Direct: true}, {Diagram: properties.Diagram{Order: new(diagram.Order)}},
		} {
			o.Store = store
			o.Catalogue = election.Catalogue
			if _, err := properties.Verify(t.Context(), bully.Mended, model.Config{N: 2}, nil, o); err == nil || !strings.HasPrefix(err.Error(), "store "+store.String()+": ") {
				t.Errorf("%+v: %v", o, err)
			}
		}
		c, _ := model.Home(syncring.Published, 2)
		if _, err := properties.Verify(t.Context(), syncring.Published, c, nil, properties.Options{Catalogue: election.Catalogue, Store: store}); err == nil {
			t.Error("lock-step rounds are not refused")
		}
	}
}
