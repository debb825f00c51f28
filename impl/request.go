package impl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"interleave/impl/runlog"
	"interleave/spec"
)

// Why a process does not do what it is asked for.
var (
	ErrNoAction = errors.New("no such action")
	ErrValue    = errors.New("not a value of the action")
	ErrRefused  = errors.New("refused")
	ErrNotUp    = errors.New("not up")
	ErrNoAnswer = errors.New("no answer")
	ErrUnclear  = errors.New("nobody knows what is answered")
)

// request asks for an action.
type request struct {
	event  spec.Event
	answer chan answer
	wait   <-chan struct{} // closed when the client no longer waits for what answers it; nil: it waits for the step alone
}

type answer struct {
	outputs []json.RawMessage
	err     error
}

// clients are the requests that wait for an answer.
type clients struct {
	waiting []*request
	own     *request // the one of them whose step this is
}

// gone reports whether nobody waits for the answer to a request any more.
func gone(q *request) bool {
	select {
	case <-q.wait:
		return true
	default:
		return false
	}
}

// answer answers requests with what a step outputs. What answers the request of this step is not for others.
func (c *clients) answer(t spec.Traits, p spec.ID, outputs []any, texts []json.RawMessage) {
	c.waiting = slices.DeleteFunc(c.waiting, gone)
	if len(c.waiting) == 0 {
		return
	}
	got := map[*request]answer{}
	for i, output := range outputs {
		of := slices.DeleteFunc(slices.Clone(c.waiting), func(q *request) bool { return !answers(t, p, q.event, output) })
		if slices.Contains(of, c.own) {
			of = []*request{c.own}
		}
		for _, q := range of {
			a := got[q]
			if a.outputs = append(a.outputs, texts[i]); len(of) > 1 {
				a.err = fmt.Errorf("%w: process %v outputs %s, and that may answer %d requests that wait: give %s an Object whose Answers tells which", ErrUnclear, p, texts[i], len(of), t.Name)
			}
			got[q] = a
		}
	}
	for q, a := range got {
		q.answer <- a
	}
	c.waiting = slices.DeleteFunc(c.waiting, func(q *request) bool { _, ok := got[q]; return ok })
}

// answers reports whether an output may answer a request: as the objects of the algorithm tell, if one has such
// requests; else each does.
func answers(t spec.Traits, p spec.ID, e spec.Event, output any) bool {
	c, of := spec.Call{Process: p, Action: t.Actions[e.Action].Name, Value: e.Value}, false
	for _, o := range t.Objects {
		if slices.Contains(o.Requests, c.Action) {
			if of = true; o.Answers(c, output) {
				return true
			}
		}
	}
	return !of
}

// ReadRequest returns the event that a client asks for, or what is wrong with that.
func ReadRequest(t spec.Traits, action string, value []byte) (e spec.Event, err error) {
	number, ok := t.ActionNamed(action)
	if !ok || t.Actions[number].Leaderless { // this one is the process's own to take
		return e, noAction(t, action)
	}
	e = spec.Event{Kind: spec.Act, Action: number}
	value = bytes.TrimSpace(value)
	switch read := t.Actions[number].ReadValue; {
	case read == nil && len(value) > 0:
		return e, fmt.Errorf("%w: %s takes none: leave it out", ErrValue, action)
	case read == nil:
		return e, nil
	case len(value) == 0:
		return e, fmt.Errorf("%w: %s takes one, in JSON, as in %s", ErrValue, action, sample(t.Actions[number]))
	default:
		if e.Value, err = read(value); err != nil {
			return e, fmt.Errorf("%w: %s takes one as in %s, and %s is none: %w", ErrValue, action, sample(t.Actions[number]), value, err)
		}
	}
	return e, sameJSON(action, value, e.Value)
}

// sameJSON refuses a text that says more or less than the value that was read from it: a field of
// another name, one left out, null.
func sameJSON(action string, text []byte, value any) error {
	plain, err := runlog.PlainJSON(value)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrValue, err)
	}
	var said, read any
	if err := errors.Join(json.Unmarshal(text, &said), json.Unmarshal(plain, &read)); err != nil {
		return fmt.Errorf("%w: %w", ErrValue, err)
	}
	if !reflect.DeepEqual(said, read) {
		return fmt.Errorf("%w: %s would take %s for %s: write all of it, and nothing else", ErrValue, action, text, plain)
	}
	return nil
}

// sample returns a value of an action in JSON.
func sample(a spec.ActionTraits) []byte {
	text, _ := runlog.PlainJSON(a.Values[0])
	return text
}

func noAction(t spec.Traits, action string) error {
	var names []string
	for _, a := range t.Actions {
		if !a.Leaderless {
			names = append(names, a.Name)
		}
	}
	if names == nil {
		return fmt.Errorf("%w %q: %s has none that a client may ask for", ErrNoAction, action, t.Name)
	}
	return fmt.Errorf("%w %q: there are %s", ErrNoAction, action, strings.Join(names, ", "))
}
