package value

import (
	"testing"

	"pgregory.net/rapid"
)

// TestKnown: what is looked for before it is made is what would be made, and where it
// has a number, it is the canonical value.
func TestKnown(t *testing.T) {
	const wanted = 20
	var found [2]int // of changed functions, and of sequences
	for round := 0; found[0] < wanted || found[1] < wanted; round++ {
		if round == 20 {
			t.Fatalf("values were found %v times", found)
		}
		rapid.Check(t, func(t *rapid.T) {
			p := NewPool()
			is := func(kind int, got, want Value) {
				if naive(got) != naive(want) || Hash(got) != Hash(want) {
					t.Fatalf("%s, not %s", naive(got), naive(want))
				}
				if n, ok := p.Find(want); ok {
					if got != p.Value(n) {
						t.Fatalf("%s is not the canonical one", naive(got))
					}
					found[kind]++
				}
			}
			few := rapid.Custom(func(t *rapid.T) Value { return anything(t, 1) })
			vals := rapid.SliceOfN(few, 1, 6).Draw(t, "values")
			for range rapid.IntRange(0, 8).Draw(t, "numbered") {
				p.Number(functionOf(t, vals))
			}
			for range 8 {
				f := functionOf(t, vals)
				if rapid.Bool().Draw(t, "canonical") {
					f = p.Canonical(f)
				}
				keys, _ := Entries(f)
				arg := rapid.SampledFrom(append(keys, Int(7))).Draw(t, "argument")
				val := rapid.SampledFrom(vals).Draw(t, "value")
				got := p.Replace(f, arg, val)
				if p.canonical(f) {
					is(0, got, Replace(f, arg, val))
				} else if Compare(got, Replace(f, arg, val)) != 0 {
					t.Fatalf("%s, not %s", naive(got), naive(Replace(f, arg, val)))
				}
				seq := rapid.SliceOfN(rapid.SampledFrom(vals), 0, 10)
				a, b := seq.Draw(t, "first"), seq.Draw(t, "last")
				is(1, p.Concat(a, b), NewTuple(append(a[:len(a):len(a)], b...)...))
			}
		})
		if t.Failed() {
			return
		}
	}
}

// TestAlikeByHash: what has the hash of what is looked for, and its values, but other
// arguments, is not taken for it.
func TestAlikeByHash(t *testing.T) {
	vals := []Value{Int(5), Int(6)}
	forms := []Value{
		NewTuple(vals...), NewRecord([]string{"a", "b"}, vals), NewRecord([]string{"a", "c"}, vals),
		NewFunc([]Value{Int(0), Int(1)}, vals), NewFunc([]Value{Int(0), Int(2)}, vals),
	}
	for i, wanted := range forms {
		for k, other := range forms {
			p := NewPool()
			put(*p.table.Load(), placeFor(Hash(wanted), p.Number(other)))
			if got := p.like(wanted, vals); (got != nil) != (i == k) {
				t.Errorf("%s is looked for among %s: %v", naive(wanted), naive(other), got)
			}
		}
	}
}

// functionOf draws a function of any form with some of the values.
func functionOf(t *rapid.T, vals []Value) Value {
	n := rapid.IntRange(0, 3).Draw(t, "size")
	keys := [][]Value{
		{Int(1), Int(2), Int(3)}, {String("a"), String("b"), String("c")}, {Int(0), Int(1), Int(2)}, {Bool(false), NewTuple(), NewTuple(Int(0))},
	}[rapid.IntRange(0, 3).Draw(t, "form")]
	of := make([]Value, n)
	for i := range of {
		of[i] = rapid.SampledFrom(vals).Draw(t, "of")
	}
	return NewFunc(append([]Value(nil), keys[:n]...), of)
}
