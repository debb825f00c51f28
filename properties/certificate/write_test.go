package certificate

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"interleave/model"
	"interleave/model/modeltest"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
)

// TestWriteIsInterrupted: whenever the context ends, writing does.
func TestWriteIsInterrupted(t *testing.T) {
	h, states := passed(t, bully.Mended, model.Config{N: 3, Crashes: 1}, election.WinnerIsTop)
	if len(states) < 1500 {
		t.Fatalf("only %d states", len(states))
	}
	for _, at := range []int{1, len(states), len(states) + 1, 2 * len(states)} { // the last is followed by the sorting
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		yielded := 0
		few := func(yield func(model.State) bool) {
			for _, s := range states {
				if yielded++; yielded == at {
					cancel()
				}
				if !yield(s) {
					return
				}
			}
		}
		if err := Write(ctx, io.Discard, bully.Mended, h, few, WriteOptions{}); err != context.Canceled || yielded > at+1024 {
			t.Errorf("interrupted at %d of %d: %v, after %d", at, 2*len(states), err, yielded)
		}
	}
}

// TestSortIsInterrupted: sorting looks at the context, too.
func TestSortIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := &writer{ctx: ctx, set: newSet(0)}
	p.rows = make([]byte, 1<<20)
	p.compared = 1<<16 - 1
	if p.rows[0] = 1; p.Less(0, 1) || !p.Less(1, 0) {
		t.Error("the order is another")
	}
	cancel()
	p.compared = 1<<16 - 1
	for range 2 {
		if p.Less(1, 0) {
			t.Error("it goes on")
		}
	}
}

// TestWriteIsTold: how far it is, from the beginning to the end.
func TestWriteIsTold(t *testing.T) {
	h, states := passed(t, bully.Mended, model.Config{N: 3, Crashes: 1}, election.WinnerIsTop)
	var told []int
	o := WriteOptions{Progress: func(done, of int) {
		if told = append(told, done); of != 2*len(states) || done > of {
			t.Errorf("%d of %d", done, of)
		}
	}}
	if err := Write(t.Context(), io.Discard, bully.Mended, h, slices.Values(states), o); err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(told) || len(told) != 2*len(states)/1024 {
		t.Errorf("%d states: told %v", len(states), told)
	}
}

// TestWriteWithinMemory: what does not fit is not begun, and what is needed is told.
func TestWriteWithinMemory(t *testing.T) {
	h, states := passed(t, bully.Mended, model.Config{N: 2}, election.WinnerIsTop)
	write := func(memory int64) error {
		return Write(t.Context(), io.Discard, bully.Mended, h, slices.Values(states), WriteOptions{Memory: memory})
	}
	var short *MemoryError
	if err := write(1); !errors.As(err, &short) || short.States != len(states) || short.Room != 1 || short.Need <= zipBytes {
		t.Fatalf("%v: %+v", err, short)
	}
	if text := short.Error(); !strings.HasSuffix(text, "takes 33 MiB of memory, and there is room for 0 MiB") {
		t.Error(text)
	}
	need := short.Need
	if err := write(need - 1); !errors.As(err, &short) {
		t.Errorf("a byte too few: %v", err)
	}
	if err := write(need); err != nil {
		t.Errorf("as much as is needed: %v", err)
	}
}

// TestStatesThatChange: what is gone through twice has to be the same.
func TestStatesThatChange(t *testing.T) {
	h, states := passed(t, bully.Mended, model.Config{N: 2}, election.WinnerIsTop)
	for what, second := range map[string][]model.State{
		"more":   append(slices.Clone(states), states[0]),
		"others": {{Locals: make([]model.Local, 2), Inboxes: make([]model.Inbox, 2), Env: model.Env{Crashes: 7}}},
	} {
		var all iter.Seq[model.State] = func(yield func(model.State) bool) {
			for _, s := range states {
				if !yield(s) {
					return
				}
			}
			states = second
		}
		if err := Write(t.Context(), io.Discard, bully.Mended, h, all, WriteOptions{}); err == nil || !strings.Contains(err.Error(), "not the same") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestFullInbox: an inbox that nobody would read is not written.
func TestFullInbox(t *testing.T) {
	h, states := passed(t, bully.Mended, model.Config{N: 2}, election.WinnerIsTop)
	full := states[0]
	full.Inboxes = []model.Inbox{nil, make(model.Inbox, maxInbox+1)}
	err := Write(t.Context(), io.Discard, bully.Mended, h, slices.Values([]model.State{full}), WriteOptions{})
	if err == nil || !strings.HasSuffix(err.Error(), "inboxes of process 2: it would have 1025 messages, and 1024 are possible") {
		t.Error(err)
	}
}

type letter string

type letterbox struct{ L letter }

// letters is a machine whose states are strings; those that begin with an x come back from JSON as others.
func letters(state letter) spec.Machine {
	forget := func(v any) any {
		if strings.HasPrefix(string(v.(letterbox).L), "x") {
			return letterbox{}
		}
		return v
	}
	return modeltest.Forgetful{State: forget, Machine: &spec.Algorithm[letterbox, letter]{
		Name: "letters/any", MaxN: 3,
		Start:    func(s *letterbox, p *spec.Proc[letter]) { s.L = state; p.Send(p.ID, state) },
		Receive:  func(s *letterbox, p *spec.Proc[letter], _ spec.ID, m letter) { s.L = m + "!" },
		Election: &spec.Election[letterbox, letter]{Leader: func(letterbox) spec.ID { return spec.None }},
	}}
}

// TestWritesWhatCanBeRead: what JSON does not bring back is refused when it is written, not
// when it is read.
func TestWritesWhatCanBeRead(t *testing.T) {
	for state, ok := range map[letter]bool{"über": true, "\ufffd": true, "x": false} {
		m := letters(state)
		h, states := passed(t, m, model.Config{N: 1}, election.WinnerIsTop)
		var file bytes.Buffer
		err := Write(t.Context(), &file, m, h, slices.Values(states), WriteOptions{})
		if !ok {
			if err == nil || !strings.Contains(err.Error(), "or a field that JSON leaves out?") {
				t.Errorf("%q: %v", state, err)
			}
			continue
		}
		if r, err := check(t, m, h, states); err != nil || r.States != len(states) {
			t.Errorf("%q: %+v, %v", state, r, err)
		}
	}
}
