package export

import (
	"strings"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/tla"
)

type entry struct{ Term uint8 }

// shelf has of each kind of list, map and pointer nil, an empty one and a full one.
type shelf struct {
	log  []entry
	Acks map[string]*entry
	Last **entry
	tree []leaf
}

type leaf struct{ Below []leaf }

type parcel struct {
	Log  []entry
	Acks map[entry]bool
	Last *entry
}

// keeper does something else for each parcel.
var keeper = &spec.Algorithm[shelf, parcel]{
	Name: "test/keeper", Doc: "Keeps parcels.", Source: "this test",
	Start: func(_ *shelf, p *spec.Proc[parcel]) {
		for _, m := range []parcel{{}, {Log: []entry{}}, {Acks: map[entry]bool{}}, {Last: &entry{}}, {Log: []entry{{1}}, Acks: map[entry]bool{{2}: true, {1}: false}}} {
			if p.ID == 1 {
				p.Broadcast(p.Others(), m)
			}
		}
	},
	Receive: func(s *shelf, _ *spec.Proc[parcel], _ spec.ID, m parcel) {
		switch {
		case len(m.Log) > 0 && len(s.log) < 2:
			s.log = append(s.log, m.Log...)
		case m.Log != nil:
			s.log, s.tree = s.log[:0], []leaf{{Below: []leaf{{}}}, {Below: []leaf{}}}
			if s.Acks != nil {
				s.Acks["a b"], s.Acks["c"] = &entry{}, nil
			}
		case m.Acks != nil:
			s.Acks = map[string]*entry{}
		case m.Last != nil:
			s.Last = &m.Last
		default:
			s.Last = new(*entry)
		}
	},
}

// TestLists: lists, maps and pointers are told exactly, nil and empty ones apart.
func TestLists(t *testing.T) {
	for _, c := range []model.Config{
		{N: 2, Network: model.Set},
		{N: 2, Network: model.Bag, Losses: 1},
		{N: 2},
	} {
		m, err := Algorithm(t.Context(), keeper, c, "a test")
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"@typeAlias: message = { Log: Seq(Seq({ Term: Int })), Acks: Seq(Set({ key: { Term: Int }, value: Bool })), Last: Seq({ Term: Int }) };",
			"memory: { log: Seq(Seq({ Term: Int })), Acks: Seq(Set({ key: Str, value: Seq({ Term: Int }) })), Last: Seq(Seq({ Term: Int })), tree: Seq(Seq({ Below: WITHIN_ITSELF })) }",
			`message |-> [Acks |-> <<{[key |-> [Term |-> 1], value |-> FALSE], [key |-> [Term |-> 2], value |-> TRUE]}>>, Last |-> <<>>, Log |-> <<<<[Term |-> 1]>>>>]`,
			`message |-> [Acks |-> <<>>, Last |-> <<>>, Log |-> <<<<>>>>]`,
			`tree |-> <<<<[Below |-> <<<<[Below |-> <<>>]>>>>], [Below |-> <<<<>>>>]>>>>`,
		} {
			if !strings.Contains(m.Text, want) {
				t.Errorf("the module does not have %s", want)
			}
		}
		read := reread(t, m)
		checked, err := read.Check(t.Context(), tla.Options{Continue: true})
		if err != nil {
			t.Fatal(err)
		}
		r, err := properties.Verify(t.Context(), keeper, c, nil, properties.Options{Catalogue: election.Catalogue, Engine: properties.Explicit})
		if err != nil {
			t.Fatal(err)
		}
		if checked.Stats.States != r.Stats.States || r.Stats.States < 9 {
			t.Errorf("%+v: mc verify finds %d states, mc tla check %d", c, r.Stats.States, checked.Stats.States)
		}
		if same := bisimilar(t, keeper, c, read); same.Difference != nil || !same.Complete {
			t.Errorf("%+v: %+v", c, same.Difference)
		}
	}
}

// TestFloats: floats are refused with the path to them.
func TestFloats(t *testing.T) {
	type rated struct {
		Log []struct{ rates map[string]*float32 }
	}
	_, err := Algorithm(t.Context(), &spec.Algorithm[rated, bool]{
		Name: "test/rated", Doc: "Rates.", Source: "this test", Receive: func(*rated, *spec.Proc[bool], spec.ID, bool) {},
	}, model.Config{N: 2}, "a test")
	if want := "test/rated: the state has a float (Log[].rates[]), and modules are checked without fractions: use an integer, such as thousandths"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
