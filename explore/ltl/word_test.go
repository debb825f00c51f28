package ltl

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// word is a run for tests: letters of atoms p, q and r, from loop on again and
// again. It is written like "p pq (. r)": p, then p and q, then nothing and r forever.
type word struct {
	letters []uint64
	loop    int
}

var names = []string{"p", "q", "r"}

func readWord(text string) word {
	var w word
	before, inside, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	for _, letter := range strings.Fields(before + " " + inside) {
		var l uint64
		for i, name := range names {
			if strings.Contains(letter, name) {
				l |= 1 << i
			}
		}
		w.letters = append(w.letters, l)
	}
	w.loop = len(strings.Fields(before))
	return w
}

func (w word) String() string {
	letters := make([]string, len(w.letters))
	for i, l := range w.letters {
		for k, name := range names {
			letters[i] += strings.Repeat(name, int(l>>k&1))
		}
		if l == 0 {
			letters[i] = "."
		}
	}
	return fmt.Sprintf("%s (%s)", strings.Join(letters[:w.loop], " "), strings.Join(letters[w.loop:], " "))
}

func (w word) satisfies(f *Formula) bool {
	return f.Holds(len(w.letters), w.loop, func(i int, atom string) bool {
		return w.letters[i]>>slices.Index(names, atom)&1 == 1
	})
}

// tail is the word without its first letter.
func (w word) tail() word {
	if w.loop > 0 {
		return word{w.letters[1:], w.loop - 1}
	}
	return word{append(slices.Clone(w.letters[1:]), w.letters[0]), 0}
}

// stutter repeats a letter.
func (w word) stutter(i int) word {
	letters := slices.Insert(slices.Clone(w.letters), i, w.letters[i])
	if i < w.loop {
		return word{letters, w.loop + 1}
	}
	return word{letters, w.loop}
}

// unroll goes once round the loop before it.
func (w word) unroll() word {
	return word{slices.Concat(w.letters, w.letters[w.loop:]), len(w.letters)}
}

func drawWord(t *rapid.T) word {
	letters := rapid.SliceOfN(rapid.Uint64Range(0, 7), 1, 7).Draw(t, "letters")
	return word{letters, rapid.IntRange(0, len(letters)-1).Draw(t, "loop")}
}

// drawFormula draws a formula with operators nested up to depth.
func drawFormula(t *rapid.T, depth int) *Formula {
	ops := []op{atom, truth, falsity}
	if depth > 0 {
		ops = []op{atom, not, and, or, implies, iff, always, eventually, until, release, weakUntil, leadsTo,
			and, or, always, eventually, until, release}
	}
	operand := func() *Formula { return drawFormula(t, depth-1) }
	switch o := rapid.SampledFrom(ops).Draw(t, "op"); o {
	case truth, falsity:
		return apply(o)
	case atom:
		return Atom(rapid.SampledFrom(names).Draw(t, "atom"))
	case not, always, eventually:
		return apply(o, operand())
	case and, or:
		if rapid.Bool().Draw(t, "three") {
			return apply(o, operand(), operand(), operand())
		}
		return apply(o, operand(), operand())
	default:
		return apply(o, operand(), operand())
	}
}
