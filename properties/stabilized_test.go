package properties_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/changroberts"
)

// TestCalmRounds: there is no property about so many rounds that they cannot be counted, nor
// about none, of which all would hold.
func TestCalmRounds(t *testing.T) {
	for _, of := range []func(int) properties.Property{election.CompleteWithin, election.AgreementWithin} {
		for k, ok := range map[int]bool{1: true, 1_000_000: true, 0: false, -1: false, 1_000_001: false, math.MaxInt/2 + 1: false, math.MaxInt: false} {
			name := of(1).Name
			name = fmt.Sprintf("%s(%d)", strings.TrimSuffix(name, "(1)"), k)
			if p, named := election.Named(changroberts.Textbook, name); named != ok || ok && p.Name != name {
				t.Errorf("%s is a property: %v", name, named)
			}
			func() {
				defer func() {
					if said := recover(); (said == nil) != ok {
						t.Errorf("%s: %v", name, said)
					}
				}()
				of(k)
			}()
		}
	}
}

// TestCalmRemembersMessages: what is remembered of a world with nothing in flight says nothing of
// one with a message that is refused for now, and the reverse, though the processes are the same.
// Process 1 follows itself, and 2 follows whom the message names, once it has noticed that it has
// no leader.
func TestCalmRemembersMessages(t *testing.T) {
	const ready = 9
	for _, row := range []struct {
		property func(int) properties.Property
		names    int // the message
		want     [2]bool
	}{
		{election.AgreementWithin, 2, [2]bool{true, false}}, // with the message two follow different ones
		{election.CompleteWithin, 1, [2]bool{false, true}},  // without it process 2 follows nobody
	} {
		m := odd("waits", func(a *oddState) {
			a.Start = func(s *int, p *oddProc) {
				if p.ID == 1 {
					*s = 1
					p.Send(2, row.names)
				}
			}
			a.Election.Notice = func(s *int, _ *oddProc) { *s = ready }
			a.Receive = func(s *int, p *oddProc, _ spec.ID, m int) {
				if *s != ready {
					p.Refuse()
					return
				}
				*s = m
			}
			a.Election.Leader = func(s int) spec.ID { return spec.ID(s % ready) }
		})
		r, err := model.NewReference(m, model.Config{N: 2})
		if err != nil {
			t.Fatal(err)
		}
		with := r.Initial()[0]
		for range 2 {
			with = r.Steps(with)[0].After // both start
		}
		without := with
		without.Inboxes = make([]model.Inbox, 2)
		for _, order := range [][]int{{0, 1}, {1, 0}, {1, 0, 1}} {
			p := row.property(1)
			for _, i := range order {
				w := r.World([]model.State{without, with}[i])
				if err := p.InState(w); (err == nil) != row.want[i] {
					t.Errorf("%s, in the order %v: with %d messages: %v", p.Name, order, len(w.Inbox(2)), err)
				}
			}
		}
	}
}
