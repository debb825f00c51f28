package spec

import (
	"slices"
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

// Unsend takes back those messages which this step has sent so far that the function
// picks. It is for mutants: no handler does that.
func (p *Proc[M]) Unsend(which func(to ID, m M) bool) {
	p.call.use()
	p.call.effects.Sends = slices.DeleteFunc(p.call.effects.Sends, func(s Send) bool { return which(s.To, cell.Open[M](s.Message)) })
}
