package spec

import (
	"strings"

	"interleave/internal/cell"
)

// Around is what a mutant does in place of a handler: it may call handle, the
// handler itself, and meddle before and after.
type Around[S, M any] func(s *S, p *Proc[M], e Event, handle func())

// Mutant returns a copy of a with a bug planted, to see whether a check finds
// it. Its name is that of a, a tilde and the given one: "bully/mended~mute".
func (a *Algorithm[S, M]) Mutant(name, doc string, around Around[S, M]) *Algorithm[S, M] {
	mutant := *a
	mutant.Name, mutant.Doc, mutant.around = a.Name+"~"+name, doc, around
	return &mutant
}

// Original returns the name of the algorithm that a mutant is made of, and the
// mutant's own; that is empty if the name is none of a mutant.
func Original(name string) (original, mutant string) {
	original, mutant, _ = strings.Cut(name, "~")
	return original, mutant
}

// Unpersist takes back that this step has persisted something so far: nothing is safe before the next Persist, or before the
// step ends. It is for mutants.
func (p *Proc[M]) Unpersist() {
	p.call.use()
	p.call.effects.Persists = []Persisted{{}}
}

// Unsend takes back those messages which this step has sent so far that the function
// picks. It is for mutants: no handler does that.
func (p *Proc[M]) Unsend(which func(to ID, m M) bool) {
	p.call.use()
	fx := &p.call.effects
	kept := make([]int, 1, len(fx.Sends)+1) // of so many that were sent
	var sends []Send
	for _, s := range fx.Sends {
		if !which(s.To, cell.Open[M](s.Message)) {
			sends = append(sends, s)
		}
		kept = append(kept, len(sends))
	}
	fx.Sends = sends
	for i := range fx.Persists {
		fx.Persists[i].Sends = kept[fx.Persists[i].Sends]
	}
}
