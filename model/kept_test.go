package model_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// Inner is hidden in part by whatever it is embedded in.
type Inner struct{ X int }

type hiding struct {
	Inner
	X int
}

// half loses its odd part in JSON; whole says the same of itself in other words.
type half int

func (h half) MarshalText() ([]byte, error) { return []byte(strings.Repeat("i", int(h)/2*2)), nil }
func (h *half) UnmarshalText(text []byte) error {
	*h = half(len(text))
	return nil
}

type whole int

func (w whole) MarshalText() ([]byte, error) { return []byte(strings.Repeat("i", int(w))), nil }
func (w *whole) UnmarshalText(text []byte) error {
	*w = whole(len(text))
	return nil
}

// keeping is a machine of which process 1 sends a message, on which process 2 comes into a
// state.
func keeping[S, M comparable](state S, message M) spec.Machine {
	return &spec.Algorithm[S, M]{
		Name: "keeping", Doc: "one sends, one hears", Source: "none",
		Start: func(_ *S, p *spec.Proc[M]) {
			if p.ID == 1 {
				p.Send(2, message)
			}
		},
		Receive: func(s *S, _ *spec.Proc[M], _ spec.ID, _ M) { *s = state },
		Leader:  func(S) spec.ID { return spec.None },
	}
}

// TestKept: states and messages that JSON does not keep are refused as soon as they are met,
// before anything is said of a run with them.
func TestKept(t *testing.T) {
	for _, c := range []struct {
		name, lost string // empty: nothing is
		machine    spec.Machine
	}{
		{"a part that is hidden, in a state", "state", keeping(hiding{Inner{1}, 2}, 0)},
		{"a part that is hidden, in a message", "message", keeping(0, hiding{Inner{1}, 2})},
		{"half of a state", "state", keeping(half(3), 0)},
		{"half of a message", "message", keeping(0, half(3))},
		{"no UTF-8", "message", keeping(0, "\xff")},
		{"other words", "", keeping(whole(3), whole(5))},
		{"words with signs", "", keeping("<&>\u2028", "\x00\"")},
		{"an even half", "", keeping(half(2), half(4))},
	} {
		for _, direct := range []bool{false, true} {
			err := lookAtTwo(t.Context(), c.machine, direct)
			if lost := (*model.LostError)(nil); c.lost == "" && err != nil || c.lost != "" && (!errors.As(err, &lost) || lost.What != c.lost) {
				t.Errorf("%s, direct %v: %v", c.name, direct, err)
			}
		}
	}
}

// lookAtTwo explores a world of two processes.
func lookAtTwo(ctx context.Context, m spec.Machine, direct bool) (err error) {
	c, err := model.Home(m, 2)
	if err != nil {
		return err
	}
	var sys explore.System
	if direct {
		sys, err = model.NewDirect(m, c, nil)
	} else {
		sys, err = model.NewSystem(m, c, nil)
	}
	if err != nil {
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			err = model.OutsideHandlers(m, p, nil)
		}
	}()
	_, err = explore.Search(ctx, sys, explore.Options{})
	return err
}
