package compiled

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"interleave/explore"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/spec"
	"interleave/spec/catalog"
)

// doubling passes on what it is sent, as long as it is early. Then it sends what others
// send, too, or what it was sent to all.
func doubling(early int, broadcast bool) *spec.Algorithm[int, int] {
	return &spec.Algorithm[int, int]{
		Name:  fmt.Sprintf("x/doubling-%d-%t", early, broadcast),
		Start: func(_ *int, p *spec.Proc[int]) { p.Send(p.Next(), int(p.ID)) },
		Receive: func(received *int, p *spec.Proc[int], _ spec.ID, m int) {
			switch {
			case *received > early:
				return
			case *received < early:
				p.Send(p.Next(), m)
			case broadcast:
				p.Broadcast(p.Others(), m)
			default:
				p.Send(p.Next(), 0)
			}
			*received++
		},
		Election: &spec.Election[int, int]{
			Leader: func(int) spec.ID { return spec.None },
			Follow: func(*int, spec.ID) {},
		},
		Ring: true,
	}
}

// alike is doubling whose processes all start with the same message, to the next one or
// to all.
func alike(broadcast bool) *spec.Algorithm[int, int] {
	m := doubling(1, false)
	m.Name = fmt.Sprintf("x/alike-%t", broadcast)
	m.Start = func(_ *int, p *spec.Proc[int]) {
		if broadcast {
			p.Broadcast(p.Others(), 0)
		} else {
			p.Send(p.Next(), 0)
		}
	}
	return m
}

// denseWorlds visits systems of two words that are dense, with their twins that are flat.
func denseWorlds(t *testing.T, visit func(t *testing.T, s, flat *System)) {
	machines := append(slices.Clone(catalog.Machines), doubling(1, false), doubling(1, true), doubling(2, true), doubling(3, false), alike(false), alike(true))
	for _, m := range machines {
		for _, c := range []model.Config{
			{N: 2, Network: model.Set, Initiators: model.Initiators{Any: true}},
			{N: 3, Network: model.Set, Initiators: model.Initiators{Any: true}},
			{N: 4, Network: model.Set},
			{N: 3, Network: model.Set, Ring: []spec.ID{1, 3, 2}},
			{N: 3, Network: model.Set, Crashes: 1},
			{N: 3, Network: model.Set, Start: model.LeaderDown},
		} {
			if c.Check(m) != nil || !c.HasTables() {
				continue
			}
			s, flat := inTwoWords(t, m, c), inTwoWords(t, m, c)
			if s.dense == nil {
				continue
			}
			flat.dense = nil
			t.Run(fmt.Sprint(m.Traits().Name, c), func(t *testing.T) { visit(t, s, flat) })
		}
	}
}

// TestDenseIsFlat searches worlds with states packed into one word and with a bit for
// each message in each inbox: the same states are found in the same order, by the same
// steps, and the search goes on when a message is in two inboxes.
func TestDenseIsFlat(t *testing.T) {
	testsize.Alone(t)
	stayed, lost := 0, 0
	denseWorlds(t, func(t *testing.T, s, flat *System) {
		if compareSearches(t, s, flat); s.dense == nil {
			lost++
		} else {
			stayed++
		}
	})
	if stayed < 5 || lost < 5 {
		t.Errorf("%d worlds are dense, and %d were for a while", stayed, lost)
	}
}

// TestDenseSteps compares the steps out of each state that can be packed, where the
// tables know all of them: there are none where one leads to what cannot.
func TestDenseSteps(t *testing.T) {
	taken, refused := 0, 0
	denseWorlds(t, func(t *testing.T, s, flat *System) {
		d, x := s.dense, s.Expander()
		r, err := explore.Search(context.Background(), flat, explore.Options{MaxStates: mostCompared()})
		if err != nil {
			t.Fatal(err)
		}
		for n := range r.Stats.Expanded {
			words := r.Graph.State(n)
			word, one := d.pack(wordPair(words))
			if !one {
				continue
			}
			var want, got explore.Steps
			want.Quiet = true
			learned := newExpander(s, true)
			learned.words, learned.out = words, &want
			if !learned.expandRows() {
				t.Fatalf("state %d cannot be learned", n)
			}
			packed := true
			for k := range want.Actions {
				_, one := d.pack(wordPair(want.States[2*k:]))
				packed = packed && one
			}
			if ok := x.Expand([]uint64{word}, &got); ok != packed {
				t.Fatalf("%+v: steps: %v, not %v", s.state(words), ok, packed)
			} else if !ok {
				refused++
				continue
			}
			taken++
			var flat []uint64
			for _, word := range got.States {
				words := d.unpack(word)
				flat = append(flat, words[:]...)
			}
			if got.States = flat; !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v: %+v, not %+v", s.state(words), got, want)
			}
		}
	})
	if taken < 100 || refused < 10 {
		t.Errorf("%d states have steps, %d have none", taken, refused)
	}
}

// TestDenseWatch: a watch sees whole states, however they are packed. Where a message is in two
// inboxes at last, some are looked at twice, and others in place of some that look alike.
func TestDenseWatch(t *testing.T) {
	denseWorlds(t, func(t *testing.T, s, flat *System) {
		watched := func(s *System) (seen []string, r *explore.Result) {
			s.watches = []model.Watch{{State: func(w *model.World) bool {
				i := slices.IndexFunc(s.expanders, func(x *expander) bool { return w == &x.before })
				seen = append(seen, fmt.Sprint(s.expanders[i].beforeSource.Plain())) // w does not know that it is looked at
				return false
			}}}
			r, err := explore.Search(context.Background(), s, explore.Options{MaxStates: 500})
			if err != nil {
				t.Fatal(err)
			}
			return seen, r
		}
		seen, _ := watched(s)
		want, r := watched(flat)
		if len(seen) == 0 {
			t.Error("the watch saw nothing")
		}
		if s.dense == nil {
			states := map[string]bool{}
			for n := range r.Stats.States {
				states[fmt.Sprint(flat.state(r.Graph.State(n)))] = true
			}
			seen = slices.DeleteFunc(seen, func(state string) bool { return states[state] })
			want = nil
		}
		if !slices.Equal(seen, want) {
			t.Errorf("the watch saw %v, not %v", seen, want)
		}
	})
}

// TestDensePack: a state may be packed in which a message is in two inboxes.
func TestDensePack(t *testing.T) {
	begun := 0
	denseWorlds(t, func(t *testing.T, s, flat *System) {
		r, err := explore.Search(context.Background(), flat, explore.Options{MaxStates: 500})
		if err != nil {
			t.Fatal(err)
		}
		for n := range r.Stats.States {
			words := r.Graph.State(n)
			if _, one := s.dense.pack(wordPair(words)); one {
				continue
			}
			begun++
			first := flat.State(words)
			again, err := s.Pack(first)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.State(again); !got.Equal(first) {
				t.Errorf("%+v is packed, not %+v", got, first)
			}
			return
		}
	})
	if begun == 0 {
		t.Error("no message is in two inboxes")
	}
}

func mostCompared() int { return testsize.Of(1_000, 5_000, 20_000) }

// TestDenseNeedsRoom: a world whose places do not fit into one word, or one that needs more
// than the words of a state, is not dense.
func TestDenseNeedsRoom(t *testing.T) {
	stepwise := []model.Watch{{Step: func(_, _ *model.World) bool { return false }}}
	for _, c := range []struct {
		m       spec.Machine
		c       model.Config
		watches []model.Watch
		dense   bool
	}{
		{catalog.Machines[0], model.Config{N: 9, Network: model.Set}, nil, true}, // 63 bits
		{catalog.Machines[0], model.Config{N: 9, Network: model.Set}, stepwise, false},
		{catalog.Machines[0], model.Config{N: 8, Network: model.Set}, nil, true},
		{doubling(0, false), model.Config{N: 8, Network: model.Set}, nil, true},  // 60 bits
		{doubling(3, false), model.Config{N: 8, Network: model.Set}, nil, false}, // 68 bits
		{alike(true), model.Config{N: 4, Network: model.Set}, nil, true},
		{alike(true), model.Config{N: 5, Network: model.Set}, nil, false}, // a message is in one of twenty inboxes, by sender
	} {
		s, err := New(c.m, c.c, c.watches)
		if err != nil || s.flat == nil {
			t.Fatalf("%s, n=%d: not flat: %v", c.m.Traits().Name, c.c.N, err)
		}
		if len(s.flat.groups) < mostGroups {
			s = inTwoWords(t, c.m, c.c)
		}
		if dense := s.dense != nil; dense != c.dense || dense && s.Width() != 1 {
			t.Errorf("%s, n=%d: dense %v, %d words", c.m.Traits().Name, c.c.N, dense, s.Width())
		}
	}
}

// inTwoWords returns a system with the later processes in a second word.
func inTwoWords(t *testing.T, m spec.Machine, c model.Config) *System {
	t.Helper()
	s, err := New(m, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.flat == nil || s.layout.width > 1 {
		return s
	}
	for i := range s.layout.fields {
		if i/2 >= c.N/2 {
			s.layout.fields[i].word = 1
		}
	}
	s.layout.width, s.layout.locals = 2, make([]uint64, 2)
	for i := range s.tables {
		f := s.layout.local(i)
		s.layout.locals[f.word] |= f.place(uint32(f.mask))
	}
	s.flat = nil
	s.flatten()
	return s
}

func compareSearches(t *testing.T, s, other *System) {
	t.Helper()
	search := func(s *System) (*explore.Result, []string) {
		r, err := explore.Search(context.Background(), s, explore.Options{MaxStates: mostCompared(), Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		x := s.Expander()
		for n := range r.Stats.Expanded {
			var out explore.Steps
			if !x.Expand(r.Graph.State(n), &out) {
				t.Fatalf("state %d was expanded, and cannot be", n)
			}
			told = append(told, fmt.Sprintf("%+v: %v %v", s.State(r.Graph.State(n)), out.Actions, out.Quiet))
		}
		return r, told
	}
	r, told := search(s)
	want, wanted := search(other)
	r.Stats.Elapsed, want.Stats.Elapsed = 0, 0
	if r.Stats.States != want.Stats.States || r.Stats.Transitions != want.Stats.Transitions || r.Stats.Depth != want.Stats.Depth || !reflect.DeepEqual(told, wanted) {
		t.Errorf("%+v, not %+v", r.Stats, want.Stats)
	}
}

// TestDensePacks packs states and unpacks them: a message may be nowhere or in one inbox, and
// in no two.
func TestDensePacks(t *testing.T) {
	s, err := New(catalog.Machines[0], model.Config{N: 8, Network: model.Set, Initiators: model.Initiators{Any: true}}, nil)
	if err != nil || s.dense == nil {
		t.Fatalf("not dense: %v", err)
	}
	d := s.dense
	if s.Width() != 1 || len(d.messages) != 8 {
		t.Errorf("%d words and %d messages", s.Width(), len(d.messages))
	}
	seen := map[uint64]bool{}
	for i := range d.messages {
		r := &d.messages[i]
		if r.places != 9 {
			t.Errorf("%v is in one of %d places", r.content, r.places)
		}
		for k := range r.places {
			word, one := d.pack(r.in[k])
			if !one || d.unpack(word) != r.in[k] || k > 0 && seen[word] {
				t.Errorf("%v in place %d is %x", r.content, k, word)
			}
			seen[word] = true
			for other := 1; other < k; other++ {
				if word, one := d.pack(r.in[k].or(r.in[other])); one {
					t.Errorf("%v in two places is %x", r.content, word)
				}
			}
		}
	}
}
