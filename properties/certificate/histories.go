package certificate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"interleave/model"
	"interleave/spec"
)

// historyLine is how the local states of existing code come about, which nothing but its history can make.
type historyLine struct {
	Process   spec.ID
	After     int             `json:",omitempty"` // the line of histories that it goes on with, from 1; 0: it boots
	Memory    json.RawMessage `json:",omitempty"` // of a boot: what it finds on its disk
	Kind      spec.EventKind
	From      spec.ID         `json:",omitempty"`
	Message   json.RawMessage `json:",omitempty"`
	Timer     spec.Timer      `json:",omitempty"`
	Action    uint8           `json:",omitempty"`
	Value     json.RawMessage `json:",omitempty"`
	Peer      spec.ID         `json:",omitempty"`
	Initiator bool            `json:",omitempty"`
	Live      spec.Set        `json:",omitempty"`
	Choices   []int           `json:",omitempty"`
}

// lineOfHistory returns the line of a history.
func lineOfHistory(h spec.History) ([]byte, error) {
	e := h.Event
	l := historyLine{
		Process: h.Process, After: h.Before + 1, Kind: e.Kind, From: e.From, Timer: e.Timer, Action: e.Action, Peer: e.Peer,
		Initiator: e.Initiator, Live: e.Live, Choices: e.Choices,
	}
	var errs []error
	for _, part := range []struct {
		value any
		text  *json.RawMessage
	}{{h.Memory, &l.Memory}, {e.Message, &l.Message}, {e.Value, &l.Value}} {
		if part.value != nil {
			text, err := json.Marshal(part.value)
			*part.text, errs = text, append(errs, err)
		}
	}
	line, err := lineOf(l)
	return line, errors.Join(append(errs, err)...)
}

// parseHistory reads the line of a history.
func parseHistory(t *spec.Traits, line []byte) (h spec.History, err error) {
	var l historyLine
	if err := json.Unmarshal(line, &l); err != nil {
		return h, err
	}
	h = spec.History{Process: l.Process, Before: l.After - 1, Event: spec.Event{
		Kind: l.Kind, From: l.From, Timer: l.Timer, Action: l.Action, Peer: l.Peer, Initiator: l.Initiator, Live: l.Live, Choices: l.Choices,
	}}
	read := func(text json.RawMessage, read func([]byte) (any, error), into *any) {
		switch {
		case text == nil || err != nil:
		case read == nil:
			err = errors.New("it has a value, which its event has not")
		default:
			*into, err = read(text)
		}
	}
	var value func([]byte) (any, error)
	if int(l.Action) < len(t.Actions) {
		value = t.Actions[l.Action].ReadValue
	}
	read(l.Memory, t.ReadState, &h.Memory)
	read(l.Message, t.ReadMessage, &h.Event.Message)
	read(l.Value, value, &h.Event.Value)
	return h, err
}

// histories makes the local states of existing code by repeating their histories.
type histories struct {
	machine spec.Machine
	traits  *spec.Traits
	ring    []spec.ID
	made    []local        // by each history
	known   map[local]bool // those of made
	doubt   error          // a *RefutedError: what there is of the file does not happen; nil: it does
}

// local is what a process remembers.
type local struct {
	process spec.ID
	state   any
}

// readHistories reads and repeats the histories that the certificate has.
func (c *Certificate) readHistories(ctx context.Context, m spec.Machine, t *spec.Traits) (*histories, error) {
	k := &histories{machine: m, traits: t, ring: c.Header.Config.Placement(), known: map[local]bool{}}
	if c.Header.Histories > 0 && t.Code == nil {
		return nil, fmt.Errorf("line 1: it has histories, which are for existing code, and %s is none", t.Name)
	}
	for n := range c.Header.Histories {
		line, err := c.line()
		if err == nil {
			err = k.read(line)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("line %d, history %d of %d: %w", n+2, n+1, c.Header.Histories, err)
		}
	}
	return k, nil
}

// read reads a history, and repeats it if those before it were.
func (k *histories) read(line []byte) error {
	h, err := parseHistory(k.traits, line)
	if err != nil {
		return err
	}
	if again, err := lineOfHistory(h); err != nil || !bytes.Equal(again, line) {
		return fmt.Errorf("it is not as it was written, which is %s", bytes.TrimSpace(again))
	}
	if k.doubt != nil {
		return nil
	}
	boots := h.Before == -1
	switch {
	case h.Process < 1 || int(h.Process) > len(k.ring):
		return fmt.Errorf("there is no process %v", h.Process)
	case h.Before < -1 || h.Before >= len(k.made) || !boots && k.made[h.Before].process != h.Process:
		return errors.New("it goes on with no history of its process that stands before it")
	case boots != (h.Event.Kind == spec.Init) || boots != (h.Memory != nil):
		return errors.New("what begins a history is a boot from a disk, and nothing else is")
	}
	from := h.Memory
	if !boots {
		from = k.made[h.Before].state
	}
	k.doubt = k.repeat(h, from)
	return nil
}

// repeat takes the last step of a history, and returns a *RefutedError if it leads nowhere.
func (k *histories) repeat(h spec.History, from any) (err error) {
	n := len(k.made) + 1
	defer func() {
		if p := recover(); p != nil {
			err = &RefutedError{Reason: fmt.Sprintf("history %d does not happen: %v", n, model.OutsideHandlers(k.machine, p, debug.Stack()))}
		}
	}()
	after, fx := k.machine.Step(h.Process, k.ring, from, h.Event)
	if fx.Refused || fx.Panic != "" || fx.Choose > 0 {
		return &RefutedError{Reason: fmt.Sprintf("history %d does not happen: process %v %v", n, h.Process, fx)}
	}
	made := local{h.Process, after}
	k.made = append(k.made, made)
	k.known[made] = true
	return nil
}

// expect wants a local state to be one that a history has made, if code alone can make it.
func (k *histories) expect(process spec.ID, l model.Local) {
	if k.traits.Code == nil || l.Status == model.Down || k.doubt != nil || k.known[local{process, l.State}] {
		return
	}
	k.doubt = &RefutedError{Reason: fmt.Sprintf("no history leads process %v to its local state %+v: the code has changed since the certificate was written, or a history is missing", process, l.State)}
}
