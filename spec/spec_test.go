package spec_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"interleave/internal/cell"
	"interleave/spec"
)

// TestSet compares a Set with a map.
func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOf(rapid.IntRange(1, int(spec.MaxID))).Draw(t, "ids")
		var set spec.Set
		want := map[spec.ID]bool{}
		for _, n := range ids {
			id := spec.ID(n)
			if rapid.Bool().Draw(t, "add") {
				set, want[id] = set.With(id), true
			} else {
				set = set.Without(id)
				delete(want, id)
			}
		}
		members := slices.Sorted(maps.Keys(want))
		if got := slices.Collect(set.All()); !slices.Equal(got, members) || set.Len() != len(members) || set != spec.SetOf(members...) {
			t.Fatalf("%v, want %v", got, members)
		}
		pivot := spec.ID(rapid.IntRange(1, int(spec.MaxID)).Draw(t, "pivot"))
		for id := range spec.UpTo(int(spec.MaxID)).All() {
			if set.Has(id) != want[id] || set.Above(pivot).Has(id) != (want[id] && id > pivot) || set.Below(pivot).Has(id) != (want[id] && id < pivot) {
				t.Fatalf("%v in %v, pivot %v", id, set, pivot)
			}
		}
		if len(members) > 0 && (set.Min() != members[0] || set.Max() != members[len(members)-1]) {
			t.Fatalf("%v: %v to %v", set, set.Min(), set.Max())
		}
		text, err := json.Marshal(set)
		var back spec.Set
		if err != nil || json.Unmarshal(text, &back) != nil || back != set {
			t.Fatalf("%s: %v, then %v", text, set, back)
		}
	})
}

func TestEmptySet(t *testing.T) {
	var s spec.Set
	if s.Min() != spec.None || s.Max() != spec.None || s.Has(spec.None) || spec.UpTo(64).Has(-1) || spec.UpTo(64).Has(65) || s.String() != "{}" || spec.SetOf(3, 1).String() != "{1 3}" {
		t.Error("an empty set has something in it")
	}
	for _, text := range []string{`[0]`, `[65]`, `[-1]`, `["a"]`, `3`} {
		if err := json.Unmarshal([]byte(text), &s); err == nil {
			t.Errorf("%s is taken for a set", text)
		}
	}
}

type plain struct {
	A bool
	B [2]struct {
		C int8
		D string
	}
}

// faint calls itself zero though it is not.
type faint struct{ Vote int }

func (faint) IsZero() bool { return true }

// Embedded, hides, word and pointed are no plain values, for one reason each.
type (
	Embedded struct{ X int }
	hides    struct{ X int }
	word     uint8
	pointed  uint8
)

func (word) MarshalText() ([]byte, error)        { return []byte("word"), nil }
func (*pointed) UnmarshalJSON(text []byte) error { return nil }

func algorithm[S, M any]() *spec.Algorithm[S, M] {
	return &spec.Algorithm[S, M]{
		Name:     "test/test",
		Receive:  func(*S, *spec.Proc[M], spec.ID, M) {},
		Election: &spec.Election[S, M]{Leader: func(S) spec.ID { return spec.None }},
	}
}

// TestIsRing looks at rings in which a process is missing, there twice, or none of them.
func TestIsRing(t *testing.T) {
	for _, c := range []struct {
		ring []spec.ID
		n    int
		want bool
	}{
		{[]spec.ID{2, 3, 1}, 3, true}, {nil, 0, true},
		{[]spec.ID{2, 1}, 3, false}, {[]spec.ID{1, 2, 3}, 2, false}, {[]spec.ID{1, 2, 2}, 3, false},
		{[]spec.ID{0, 1}, 2, false}, {[]spec.ID{65}, 65, false},
	} {
		if got := spec.IsRing(c.ring, c.n); got != c.want {
			t.Errorf("%v of %d: %v; want %v", c.ring, c.n, got, c.want)
		}
	}
}

// TestValidate names what is wrong, one sentence a fault.
func TestValidate(t *testing.T) {
	type lists struct {
		Next  *lists
		ByKey map[string]float64
	}

	type tagged struct {
		A spec.ID `json:"a,omitzero"` // which leaves out what is zero, and nothing else
		B int     `json:",string"`
	}
	if err := errors.Join(algorithm[plain, plain]().Validate(), algorithm[[2]spec.Set, spec.ID]().Validate(), algorithm[tagged, tagged]().Validate(),
		algorithm[struct{ Embedded }, struct{ hides }]().Validate(), algorithm[struct{ terms []uint16 }, int]().Validate(), algorithm[struct{ All map[spec.ID][]*lists }, map[spec.ID]lists]().Validate()); err != nil {
		t.Error(err)
	}
	mixed := algorithm[int, int]()
	mixed.Round = func(*int, *spec.Proc[int], []spec.Received[int]) {}
	mixed.Election, mixed.Name = &spec.Election[int, int]{}, "a b"
	timer := algorithm[int, int]()
	timer.Timeout = func(*int, *spec.Proc[int], spec.Timer) {}
	lasting := algorithm[int, int]()
	lasting.Timeout, lasting.Rules = timer.Timeout, []spec.TimerRule[int, int]{{Name: "T", Lasts: -1}}
	kinds := algorithm[int, int]()
	kinds.Kinds = []string{"A", "B"}
	single := algorithm[int, int]()
	single.Kind, single.Kinds = func(int) string { return "A" }, []string{"A"}
	twice := algorithm[int, int]()
	twice.Timeout, twice.Kind = timer.Timeout, func(int) string { return "A" }
	twice.Name, twice.Kinds, twice.Rules = "-x", []string{"A", "B", "A"}, []spec.TimerRule[int, int]{{Name: "T"}, {Name: "U"}, {Name: "T"}}
	nameless := algorithm[int, int]()
	nameless.Timeout, nameless.Kinds, nameless.Rules = timer.Timeout, []string{""}, make([]spec.TimerRule[int, int], 1)
	claims, same := algorithm[int, int](), algorithm[int, int]()
	claims.Claims = []spec.Claim[int]{{}}
	same.Claims = []spec.Claim[int]{{Name: "grows"}, {Name: "Grows"}}
	clock := algorithm[int, int]()
	clock.Timeout, clock.Rules = timer.Timeout, []spec.TimerRule[int, int]{{Name: "join"}}
	hidden := algorithm[int, int]()
	hidden.Name, hidden.Kinds = "a\u202eb", []string{"TWO\nLINES"}
	odd := algorithm[int, int]()
	odd.Timeout, odd.Rules = timer.Timeout, []spec.TimerRule[int, int]{{Name: "T\xff"}}
	many := algorithm[int, int]()
	many.Kind = twice.Kind
	for i := range 201 {
		many.Kinds = append(many.Kinds, fmt.Sprint(i))
	}
	for want, err := range map[string]error{
		"*state.P is a chan int":                            algorithm[struct{ P *chan int }, int]().Validate(),
		"message[] is a complex64":                          algorithm[int, [2]complex64]().Validate(),
		"message is a chan int":                             algorithm[int, chan int]().Validate(),
		"state.A.B is a interface":                          algorithm[struct{ A struct{ B any } }, int]().Validate(),
		"the state is a map, and nil of that would":         algorithm[map[int]int, int]().Validate(),
		"state has a blank field":                           algorithm[struct{ _, A int }, int]().Validate(),
		"state.F is a func()":                               algorithm[struct{ F func() }, int]().Validate(),
		"Use a time.Duration, or a counter":                 algorithm[struct{ At time.Time }, int]().Validate(),
		"is not exported by sync.Mutex, which is not yours": algorithm[struct{ Lock sync.Mutex }, int]().Validate(),
		"state.Seen is a map with pointers in its keys":     algorithm[struct{ Seen map[*int]bool }, int]().Validate(),
		`message.Kept has the tag json:"-"`: algorithm[int, struct {
			Kept int `json:"-"`
		}]().Validate(),
		"state.B has the name of A in JSON, B, so both would be lost": algorithm[struct {
			A int `json:"B"`
			B int
		}, int]().Validate(),
		"state.A has the option omitzero in JSON": algorithm[struct {
			A faint `json:"a,omitempty,omitzero"`
		}, int]().Validate(),
		"message.Seen, a Set, has the option string in JSON": algorithm[int, struct {
			Seen spec.Set `json:"seen,string"`
		}]().Validate(),
		`message.B has the name "x→y" in JSON, which encoding/json ignores`: algorithm[int, struct {
			A int `json:"A,omitempty"`
			B int `json:"x→y"`
		}]().Validate(),
		"state.M[], a spec_test.word, has a JSON of its own": algorithm[struct{ M [2]word }, int]().Validate(),
		"message, a spec_test.pointed, has a JSON of its":    algorithm[int, pointed]().Validate(),
		"Receive and Round":                                                       mixed.Validate(),
		"the Election has no Leader":                                              mixed.Validate(),
		`"a b" is empty, begins with a dash or has a space`:                       mixed.Validate(),
		`"-x" is empty, begins with a dash`:                                       twice.Validate(),
		`name "T" of a timer is empty or given twice`:                             twice.Validate(),
		`kind "A" of a message is empty or given twice`:                           twice.Validate(),
		`name "" of a timer`:                                                      nameless.Validate(),
		`kind "" of a message`:                                                    nameless.Validate(),
		"Timeout and Rules go together":                                           timer.Validate(),
		"the timer T lasts -1 deltas: give 1 to 1000000":                          lasting.Validate(),
		"there is no Kind to tell them apart":                                     kinds.Validate(),
		"and Kinds lists 1: list all":                                             single.Validate(),
		`the name "" of a claim, a property or an object is empty or given twice`: claims.Validate(),
		`the claim "" has no Holds`:                                               claims.Validate(),
		`the name "grows" of a claim, a property or an object is empty or given`:  same.Validate(),
		`the name "join" of a timer is that of one`:                               clock.Validate(),
		`the name "T\xff" is no UTF-8`:                                            odd.Validate(),
		`the name "a\u202eb" has a character`:                                     hidden.Validate(),
		`the name "TWO\nLINES" has a character`:                                   hidden.Validate(),
		"201 kinds of message, at most 200":                                       many.Validate(),
	} {
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "interface {}", "interface"), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// TestWhenLooksOnly: what When does to the state that it is asked of is nothing.
func TestWhenLooksOnly(t *testing.T) {
	type counts struct{ Asked map[string]int }
	a := algorithm[counts, int]()
	a.Actions = []spec.Action[counts, int]{{Name: "go", Do: func(s *counts, _ *spec.Proc[int]) {}, When: func(s counts) bool {
		s.Asked["when"]++
		return true
	}}}
	a.Start = func(s *counts, _ *spec.Proc[int]) { s.Asked = map[string]int{} }
	before, _ := a.Step(1, []spec.ID{1}, a.Traits().Zero, spec.Event{Kind: spec.Start})
	if after, fx := a.Step(1, []spec.ID{1}, before, spec.Event{Kind: spec.Act}); after != before || fx.Panic != "" {
		t.Errorf("%v becomes %v, %v", before, after, fx)
	}
}

// TestStep looks at everything that a handler can do.
func TestStep(t *testing.T) {
	a := algorithm[int, string]()
	a.Ring = true
	a.Receive = func(s *int, p *spec.Proc[string], from spec.ID, m string) {
		*s++
		switch m {
		case "refuse":
			p.Send(1, "lost")
			p.Refuse()
		case "panic":
			panic("no")
		case "stranger":
			p.Send(4, m)
		case "talk":
			p.Broadcast(p.Others(), fmt.Sprint(p.Above(), p.Below(), p.All()))
			p.Send(p.Next(), "next")
			p.Send(p.NextIn(spec.SetOf(1)), "one")
			p.SendNext("live")
			p.SetTimer(1)
			p.StopTimer(1)
			p.StopTimer(0)
			p.SetTimer(0)
		}
	}
	step := func(m string) (any, spec.Effects) {
		return a.Step(2, []spec.ID{1, 2, 3}, 7, spec.Event{Kind: spec.Receive, From: 3, Message: m})
	}
	after, fx := step("talk")
	if got, want := fmt.Sprint(after, fx.Sends, fx.Armed, fx.Stopped),
		"8 [{1 {3} {1} {1 2 3}} {3 {3} {1} {1 2 3}} {3 next} {1 one} {-1 live}] 1 2"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if after, fx := step("refuse"); after != 7 || !fx.Refused || fx.Sends != nil {
		t.Errorf("refused: %v %+v", after, fx)
	}
	if after, fx := step("panic"); after != 7 || !strings.HasPrefix(fx.Panic, "no at spec_test.go:") || fx.Sends != nil {
		t.Errorf("panicked: %v %+v", after, fx)
	}
	if _, fx := step("stranger"); !strings.Contains(fx.Panic, "process 2 sends to 4, which does not exist") {
		t.Errorf("stranger: %+v", fx)
	}
	a.Ring = false
	if _, fx := step("talk"); !strings.Contains(fx.Panic, "does not declare Ring") {
		t.Errorf("no ring: %+v", fx)
	}
}

// TestGarbledText: what a handler may not remember, send or tell is a string that JSON does not
// keep, wherever it is; if it refuses, it did none of that.
func TestGarbledText(t *testing.T) {
	type line struct {
		N    int8
		Text [2]string
	}
	bad := line{Text: [2]string{"é", "é"[:1]}}
	for want, receive := range map[string]func(s *line, p *spec.Proc[line]){
		`it remembers the string "\xc3", which is no UTF-8`:             func(s *line, p *spec.Proc[line]) { *s = bad },
		`it sends the string "\xc3", which is no UTF-8`:                 func(s *line, p *spec.Proc[line]) { p.Send(1, line{}); p.Send(1, bad) },
		`it outputs the string "\xc3", which is no UTF-8`:               func(s *line, p *spec.Proc[line]) { p.Output(7); p.Output(bad) },
		"it outputs what is no plain value: the output[] is a chan int": func(_ *line, p *spec.Proc[line]) { p.Output([]chan int{nil}) },
		"it outputs what is no plain value: the output.f is a func()":   func(_ *line, p *spec.Proc[line]) { p.Output(struct{ f func() }{}) },
		"it outputs nil, which is no value":                             func(_ *line, p *spec.Proc[line]) { p.Output(nil) },
		"": func(s *line, p *spec.Proc[line]) {
			s.Text[1] = "\x00\ufffdé"
			p.Send(1, *s)
			p.Output(s.Text)
		},
	} {
		for _, refuses := range []bool{false, true} {
			a := algorithm[line, line]()
			a.Receive = func(s *line, p *spec.Proc[line], _ spec.ID, _ line) {
				if receive(s, p); refuses {
					p.Refuse()
				}
			}
			for range 2 {
				after, fx := a.Step(2, []spec.ID{1, 2}, line{N: 7}, spec.Event{Kind: spec.Receive, From: 1, Message: line{}})
				if fault := want != "" && !refuses; (fx.Panic != "") != fault || fault && (!strings.HasPrefix(fx.Panic, want) || after != line{N: 7} || fx.Sends != nil) {
					t.Errorf("%v, %+v; want %q", after, fx, want)
				}
			}
		}
	}
	remembers, sends, tells := algorithm[string, int](), algorithm[int, string](), algorithm[int, int]()
	remembers.Receive = func(s *string, _ *spec.Proc[int], _ spec.ID, _ int) { *s = "\xff" }
	sends.Receive = func(_ *int, p *spec.Proc[string], _ spec.ID, m string) { p.Send(1, m+"\xff") }
	tells.Receive = func(_ *int, p *spec.Proc[int], _ spec.ID, _ int) { p.Output("\xff") }
	for want, m := range map[string]spec.Machine{"it remembers": remembers, "it sends": sends, "it outputs": tells} {
		traits := m.Traits()
		if _, fx := m.Step(1, []spec.ID{1}, traits.Zero, spec.Event{Kind: spec.Receive, From: 1, Message: traits.Message}); !strings.HasPrefix(fx.Panic, want) {
			t.Errorf("%+v; want %q", fx, want)
		}
	}
}

// TestCheckN: an algorithm says how many processes it is written for, and IDs
// are the limit otherwise.
func TestCheckN(t *testing.T) {
	limited, any := algorithm[plain, plain](), algorithm[plain, plain]()
	limited.MaxN = 16
	for _, c := range []struct {
		traits spec.Traits
		n      int
		fits   bool
	}{
		{limited.Traits(), 0, false}, {limited.Traits(), 1, true}, {limited.Traits(), 16, true}, {limited.Traits(), 17, false},
		{any.Traits(), 64, true}, {any.Traits(), 65, false},
	} {
		if err := c.traits.CheckN(c.n); (err == nil) != c.fits {
			t.Errorf("%d of %d: %v", c.n, c.traits.MaxN, err)
		}
	}
	limited.MaxN = 65
	if err := limited.Validate(); err == nil || !strings.Contains(err.Error(), "MaxN is 65") {
		t.Error(err)
	}
}

// TestSilentStrangers: a rule that names processes that do not exist waits for the others
// only; a search would look at all sets of them.
func TestSilentStrangers(t *testing.T) {
	a := &spec.Algorithm[struct{}, struct{}]{
		Timeout: func(*struct{}, *spec.Proc[struct{}], spec.Timer) {},
		Rules:   []spec.TimerRule[struct{}, struct{}]{{Name: "T", Silent: func(struct{}, spec.ID, spec.Set) spec.Set { return ^spec.Set(0) }}},
	}
	if all := spec.SetOf(1, 2, 3); a.Traits().Rules[0].Silent(struct{}{}, 1, all) != all {
		t.Error("it waits for processes that do not exist")
	}
}

// TestChooseTooOften: a handler that chooses until an answer suits is stopped, and told.
func TestChooseTooOften(t *testing.T) {
	a := algorithm[int, int]()
	a.Start = func(s *int, p *spec.Proc[int]) {
		for p.Choose(2) == 0 {
			*s++
		}
	}
	e := spec.Event{Kind: spec.Start}
	for range spec.MaxChoices {
		if _, fx := a.Step(1, []spec.ID{1}, 0, e); fx.Choose != 2 {
			t.Fatalf("after %d choices: %+v", len(e.Choices), fx)
		}
		e.Choices = append(e.Choices, 0)
	}
	if _, fx := a.Step(1, []spec.ID{1}, 0, e); !strings.Contains(fx.Panic, "it chooses more than 16 times in one step") {
		t.Errorf("%+v", fx)
	}
}

// TestBadActions: what is wrong with the values of an action is said with its path, and what to do.
func TestBadActions(t *testing.T) {
	type far struct{ P chan int }
	asks := func(request spec.Request[int, int]) error {
		a := algorithm[int, int]()
		a.Actions = []spec.Action[int, int]{{Name: "ask", Request: request}}
		return a.Validate()
	}
	for want, err := range map[string]error{
		`the value of the action "ask".P is a chan int, which is no plain value: only bool, numbers and string are, and arrays, slices, maps, pointers and structs of those`: asks(spec.OneOf([]far{{}}, func(*int, *spec.Proc[int], far) {})),
		`the action "ask" has a Request with no value: list those that a check shall try`:                                                                                    asks(spec.OneOf(nil, func(*int, *spec.Proc[int], int) {})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// TestMutantOfLists: a mutant meddles with a message as the algorithm has it, though it travels as its text.
func TestMutantOfLists(t *testing.T) {
	type letter struct{ Words []string }
	read := &spec.Algorithm[int, letter]{Name: "test/read", Receive: func(s *int, _ *spec.Proc[letter], _ spec.ID, m letter) { *s = len(m.Words) }}
	deaf := read.Mutant("deaf", "takes every message for an empty one", func(s *int, _ *spec.Proc[letter], e spec.Event, handle func()) {
		if handle(); len(e.Message.(letter).Words) == 2 {
			*s = 0
		}
	})
	m := cell.Must(letter{[]string{"a", "b"}})
	for want, a := range map[int]spec.Machine{2: read, 0: deaf} {
		if after, fx := a.Step(1, []spec.ID{1, 2}, 0, spec.Event{Kind: spec.Receive, From: 2, Message: m}); after != want || fx.Panic != "" {
			t.Errorf("%s: %v, %s", a.Traits().Name, after, fx.Panic)
		}
	}
}
