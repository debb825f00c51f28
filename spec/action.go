package spec

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"interleave/internal/cell"
)

// Action is something that a process does of its own accord, or because a client asks for it. It
// need not ever happen unless it is Fair.
type Action[S, M any] struct {
	Name string // also of its steps, as in "propose"; that of nothing else which happens to a process
	Doc  string // one sentence

	Do      func(s *S, p *Proc[M]) // what comes of it; nil if there is a Request
	Request Request[S, M]          // the same for what is asked for with a value: see OneOf
	When    func(s S) bool         // it is possible in a state; nil: in any, unless the handler refuses

	Times    int  // how often each process does it in a run that is checked; 0: as often as it likes. A real process has no such limit
	Together bool // Times are those of all processes together
	Fair     bool // it happens if it is possible all the time
}

// MaxActions is how many actions an algorithm may have.
const MaxActions = 15

// Request is an action with a value. OneOf makes one.
type Request[S, M any] struct {
	typ     reflect.Type
	values  []any
	err     error // why there is a value that cannot be one
	handler any   // what do calls
	do      func(s *S, p *Proc[M], value any)
	read    func(text []byte) (any, error)
}

// OneOf is a request with one of some plain values, which are those that a check tries. A client of a
// real process may ask with any value of the type; the handler refuses what it cannot take.
func OneOf[V, S, M any](values []V, do func(s *S, p *Proc[M], value V)) Request[S, M] {
	r := Request[S, M]{typ: reflect.TypeFor[V](), handler: do, do: func(s *S, p *Proc[M], value any) { do(s, p, cell.Open[V](value)) }, read: cell.Read[V], values: []any{}}
	for _, v := range values {
		closed, err := cell.Close(v)
		r.values, r.err = append(r.values, closed), cmp.Or(r.err, err)
	}
	return r
}

// Takes reports whether there is a value to ask with.
func (r Request[S, M]) Takes() bool { return r.do != nil }

// ActionTraits is what is known of an action without doing it.
type ActionTraits struct {
	Name, Doc  string
	Values     []any // that it may be asked for with; a single nil if it takes none
	When       func(s any) bool
	Times      int
	Together   bool
	Fair       bool
	Leaderless bool // only a process that has no live leader, and begins of its own accord, does it: see Election.Notice

	ReadValue func(text []byte) (any, error) // from JSON; nil if it takes none
}

// Limited reports whether it is done only so many times in a run that is checked.
func (a ActionTraits) Limited() bool { return a.Times > 0 }

// happenings are names of what happens anyway, and so none for an action.
var happenings = []string{
	"start", Notice, "act", "receive", "timeout", "suspect", "restore", "round", "init", "recover",
	"handle", "crash", "break", "drop", "lose", "copy", "divide", "heal", "tick", "all", "none",
}

// Notice is the name of the action that Election.Notice is.
const Notice = "notice"

// NoticeEvent is the event in which a process finds that it has no live leader.
func NoticeEvent() Event { return Event{Kind: Act} }

// actions are those of an algorithm, that of its Election first.
type actions[S, M any] []Action[S, M]

func (list actions[S, M]) traits() (traits []ActionTraits) {
	for _, act := range list {
		t := ActionTraits{
			Name: act.Name, Doc: oneLine(act.Doc), Values: []any{nil}, When: of(act.When, true), Times: act.Times, Together: act.Together, Fair: act.Fair,
			Leaderless: act.Name == Notice,
		}
		if act.Request.do != nil {
			t.Values, t.ReadValue = act.Request.values, act.Request.read
		}
		traits = append(traits, t)
	}
	return traits
}

// do does an action.
func (list actions[S, M]) do(s *S, p *Proc[M], e Event) {
	act := list[e.Action]
	switch {
	case act.When != nil && !act.When(cell.Copy(*s)):
		p.Refuse()
	case act.Do != nil:
		act.Do(s, p)
	default:
		act.Request.do(s, p, e.Value)
	}
}

// where returns the place of what an action calls.
func (list actions[S, M]) where(number uint8) Place {
	if act := list[number]; act.Do == nil {
		return PlaceOf(act.Request.handler)
	}
	return PlaceOf(list[number].Do)
}

// check finds actions that cannot be done.
func (list actions[S, M]) check(f *faults) {
	if len(list) > MaxActions {
		f.add("%d actions, at most %d are possible", len(list), MaxActions)
	}
	for _, act := range list {
		if (act.Do == nil) == (act.Request.do == nil) {
			f.add("the action %q needs exactly one of Do and Request: make a Request with OneOf", act.Name)
		}
		if act.Times < 0 || act.Times > 255 {
			f.add("the action %q is done %d times: give 1 to 255, or 0 for as often as it likes", act.Name, act.Times)
		}
		if act.Together && act.Times == 0 {
			f.add("the action %q has Together and no Times: say how often all processes do it together, or leave Together out", act.Name)
		}
		if act.Request.do == nil {
			continue
		}
		if len(act.Request.values) == 0 {
			f.add("the action %q has a Request with no value: list those that a check shall try", act.Name)
		}
		path := fmt.Sprintf("the value of the action %q", act.Name)
		if err := cell.Plain(act.Request.typ, path, act.Request.typ); err != nil {
			f.add("%w", err)
			continue
		}
		if act.Request.err != nil {
			f.add("%s has %w", path, act.Request.err)
			continue
		}
		for i, v := range act.Request.values {
			if slices.Contains(act.Request.values[:i], v) {
				f.add("%s, %+v, is listed twice", path, v)
			}
		}
	}
}
