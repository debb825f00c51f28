package properties_test

import (
	"strings"
	"sync"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// TestProcMisused: a Proc that is used by anything but the call of its handler is told, as a panic
// or as an error, and never passes.
func TestProcMisused(t *testing.T) {
	const kept, stray = "is used after that has returned: it is valid during one call", "is used by another goroutine: a handler starts none"
	fine := properties.Invariant("fine", "", func(*model.World) error { return nil })
	for name, row := range map[string]struct {
		want  string
		plant func(a *oddState) []properties.Property
	}{
		"kept for later": {kept, func(a *oddState) []properties.Property {
			var first *oddProc
			a.Start = func(_ *int, p *oddProc) {
				if first == nil {
					first = p
				}
				first.Send(2, 7)
			}
			return nil
		}},
		"copied and kept": {kept, func(a *oddState) []properties.Property {
			var copied oddProc
			a.Start = func(_ *int, p *oddProc) { copied = *p; p.Send(2, 7) }
			a.Receive = func(*int, *oddProc, spec.ID, int) { copied.SetTimer(0) }
			return nil
		}},
		"asked later": {kept, func(a *oddState) []properties.Property {
			var first *oddProc
			a.Start = func(_ *int, p *oddProc) { first = p }
			a.Election.Leader = func(int) spec.ID {
				if first != nil {
					return first.Others().Max()
				}
				return spec.None
			}
			return nil
		}},
		"asked by a property": {kept, func(a *oddState) []properties.Property {
			var first *oddProc
			a.Start = func(_ *int, p *oddProc) { first = p }
			return []properties.Property{properties.Invariant("all", "", func(*model.World) error {
				if first != nil {
					first.All()
				}
				return nil
			})}
		}},
		"goroutine": {stray, func(a *oddState) []properties.Property {
			a.Start = func(_ *int, p *oddProc) {
				var all sync.WaitGroup
				all.Go(func() { p.Send(2, 7) })
				all.Wait()
			}
			return nil
		}},
		"goroutine that asks": {stray, func(a *oddState) []properties.Property {
			a.Start = func(s *int, p *oddProc) {
				n := make(chan int)
				go func() { n <- p.Others().Len() }()
				*s = <-n
			}
			return nil
		}},
		"goroutine that stays": {kept, func(a *oddState) []properties.Property {
			var last *oddProc
			a.Start = func(_ *int, p *oddProc) { last = p }
			return []properties.Property{properties.Invariant("sends", "", func(*model.World) error {
				var all sync.WaitGroup
				if last != nil {
					all.Go(func() { last.Send(2, 7) })
				}
				all.Wait()
				return nil
			})}
		}},
		"initiator": {"asks whether it is an initiator, which only Start may", func(a *oddState) []properties.Property {
			a.Election.Notice = func(s *int, p *oddProc) {
				if !p.Initiator() {
					*s = 1
				}
			}
			return nil
		}},
	} {
		for _, o := range []properties.Options{{}, {Engine: properties.Symbolic}, {Direct: true}} {
			m := odd("misuse", func(*oddState) {})
			r, err := properties.Verify(t.Context(), m, model.Config{N: 2, Network: model.Set}, append(row.plant(m), fine), o)
			said := ""
			switch {
			case err != nil:
				said = err.Error()
			case r.Verdict == properties.Violated:
				for _, f := range r.Findings {
					said += f.Why
				}
			}
			if !strings.Contains(said, row.want) {
				t.Errorf("%s, %+v: %q; want %q", name, o, said, row.want)
			}
		}
	}
}
