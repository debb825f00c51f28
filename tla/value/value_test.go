package value

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// naive is a value as text, by a way of its own: the text of equal values is equal.
// Sets and functions are lists of texts without order and repetition.
func naive(v Value) string {
	switch v := v.(type) {
	case *Tuple, *Record, *Func:
		pairs := map[string]bool{}
		keys, vals := Entries(v)
		for i := range keys {
			pairs[naive(keys[i])+"=>"+naive(vals[i])] = true
		}
		return "f" + fmt.Sprint(pairs) // fmt prints maps in the order of keys
	case *Set:
		elems := map[string]bool{}
		for _, e := range v.Elems {
			elems[naive(e)] = true
		}
		return "s" + fmt.Sprint(elems)
	}
	return fmt.Sprintf("%T%v", v, v)
}

// atoms are values of one class, so that they can be compared.
func atom(t *rapid.T) Value { return Int(rapid.Int64Range(-2, 4).Draw(t, "int")) }

func atoms(t *rapid.T, name string) []Value {
	return rapid.SliceOfN(rapid.Custom(atom), 0, 6).Draw(t, name)
}

// anything is an explicit value, nested a little.
func anything(t *rapid.T, depth int) Value {
	kind := rapid.IntRange(0, 7).Draw(t, "kind")
	if depth == 0 {
		kind %= 4
	}
	some := func() []Value {
		vals := make([]Value, rapid.IntRange(0, 3).Draw(t, "length"))
		for i := range vals {
			vals[i] = anything(t, depth-1)
		}
		return vals
	}
	switch kind {
	case 0:
		return Bool(rapid.Bool().Draw(t, "bool"))
	case 1:
		return atom(t)
	case 2:
		return String(rapid.SampledFrom([]string{"", "a", "b", "ab"}).Draw(t, "string"))
	case 3:
		return Model(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "model"))
	case 4:
		return NewTuple(some()...)
	case 5:
		return NewSet(some())
	case 6:
		vals := some()
		return NewRecord([]string{"x", "b", "y"}[:len(vals)], vals)
	}
	keys := NewSet(some()).Elems
	vals := make([]Value, len(keys))
	for i := range vals {
		vals[i] = anything(t, depth-1)
	}
	return NewFunc(keys, vals)
}

func value(t *rapid.T) Value { return anything(t, 2) }

// TestOrder: Compare is a total order, Same and Hash agree with it, and values are
// equal if and only if they are so spelt out naively.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := value(t), value(t), value(t)
		ab := Compare(a, b)
		if sign(ab) != -sign(Compare(b, a)) || Compare(a, a) != 0 {
			t.Fatalf("%s and %s: the order depends on the side", Format(a), Format(b))
		}
		if ab <= 0 && Compare(b, c) <= 0 && Compare(a, c) > 0 {
			t.Fatalf("%s <= %s <= %s is no order", Format(a), Format(b), Format(c))
		}
		if equal := naive(a) == naive(b); equal != (ab == 0) || equal != Same(a, b) {
			t.Fatalf("%s and %s: Compare says %d, Same %v", Format(a), Format(b), ab, Same(a, b))
		}
		Hash(a) // the hash of one alone decides nothing
		if (ab == 0) != Same(a, b) || (ab == 0) != Same(b, a) {
			t.Fatalf("%s and %s: Compare says %d, Same %v", Format(a), Format(b), ab, Same(a, b))
		}
		if ha, hb := Hash(a), Hash(b); ab == 0 && ha != hb {
			t.Fatalf("%s has two hashes", Format(a))
		}
		if (ab == 0) != Same(a, b) { // now that both hashes are known
			t.Fatalf("%s and %s: Compare says %d, Same %v", Format(a), Format(b), ab, Same(a, b))
		}
	})
}

func sign(n int) int { return min(max(n, -1), 1) }

// model is a set of integers as a map.
func model(elems []Value) map[Value]bool {
	m := map[Value]bool{}
	for _, e := range elems {
		m[e] = true
	}
	return m
}

// TestSets holds the operators on sets against maps; sets are made in every form.
func TestSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := atoms(t, "x"), atoms(t, "y")
		if rapid.Bool().Draw(t, "interval") {
			lo, hi := rapid.Int64Range(-2, 4).Draw(t, "lo"), rapid.Int64Range(-2, 4).Draw(t, "hi")
			y = nil
			for i := lo; i <= hi; i++ {
				y = append(y, Int(i))
			}
			checkSets(t, x, y, Interval{lo, hi})
		}
		checkSets(t, x, y, NewSet(append([]Value(nil), y...)))
	})
}

func checkSets(t *rapid.T, x, y []Value, b Value) {
	a := Value(NewSet(append([]Value(nil), x...)))
	in, other := model(x), model(y)
	cup, cap, minus := Union(a, b), Intersect(a, b), Minus(a, b)
	within := true
	for v := int64(-3); v < 6; v++ {
		e := Value(Int(v))
		within = within && (!in[e] || other[e])
		switch {
		case Contains(a, e) != in[e], Contains(b, e) != other[e]:
			t.Fatalf("%s or %s is wrong about %d", Format(a), Format(b), v)
		case Contains(cup, e) != (in[e] || other[e]), Contains(cap, e) != (in[e] && other[e]), Contains(minus, e) != (in[e] && !other[e]):
			t.Fatalf("%s and %s: %s, %s or %s is wrong about %d", Format(a), Format(b), Format(cup), Format(cap), Format(minus), v)
		case Contains(Filter(cup, func(v Value) bool { return v == e }), e) != (in[e] || other[e]):
			t.Fatalf("a filter of %s is wrong about %d", Format(cup), v)
		}
	}
	if Subset(a, b) != within || Equal(a, b) != (within && len(in) == len(other)) {
		t.Fatalf("%s \\subseteq %s is %v, equal %v", Format(a), Format(b), Subset(a, b), Equal(a, b))
	}
	back := true
	for e := range other {
		back = back && in[e]
	}
	wide := Interval{0, 3}
	if Subset(b, a) != back || Subset(b, wide) != Subset(Explicit(b), Explicit(wide)) || Subset(b, Nat) != Subset(Explicit(b), Nat) {
		t.Fatalf("%s \\subseteq %s, Nat or %s is wrong", Format(b), Format(a), Format(wide))
	}
	if all := NewSet([]Value{a, Explicit(b)}); !Equal(UnionAll(all), cup) {
		t.Fatalf("UNION %s is %s", Format(all), Format(UnionAll(all)))
	}
}

// TestEach: every form of a set yields its elements in order, each once, as many as
// it says, and those that it contains.
func TestEach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := NewSet(atoms(t, "x")), NewSet(rapid.SliceOfN(rapid.Custom(atom), 0, 3).Draw(t, "y"))
		for _, s := range []Value{
			x, Interval{1, int64(len(x.Elems))}, NewSubsets(x), NewFunctions(y, x), NewFunctions(Interval{1, 2}, x), NewFunctions(NewSet([]Value{String("a"), String("b")}), y),
			NewProduct(x, y, x), NewRecords([]string{"a", "b"}, []Value{x, y}), NewJoined([]Value{x, y}), NewSubsets(NewFunctions(y, Booleans)),
		} {
			if n, ok := Size(s); !ok || n > 10_000 {
				continue
			}
			var all []Value
			for e := range Each(s) {
				if len(all) > 0 && Compare(all[len(all)-1], e) >= 0 {
					t.Fatalf("%s: %s comes before %s", Format(s), Format(all[len(all)-1]), Format(e))
				}
				if !Contains(s, e) {
					t.Fatalf("%s yields %s, and does not contain it", Format(s), Format(e))
				}
				all = append(all, e)
			}
			if n, _ := Size(s); n != len(all) {
				t.Fatalf("%s yields %d elements of %d", Format(s), len(all), n)
			}
			if e := value(t); e.class() != models && e.class() == classOf(all) && Contains(s, e) != Contains(NewSet(all), e) {
				t.Fatalf("%s \\in %s is %v", Format(e), Format(s), Contains(s, e))
			}
		}
	})
}

func classOf(vals []Value) class {
	if len(vals) == 0 {
		return models
	}
	return vals[0].class()
}

// TestFunctions: a function is what it does, whatever it was made from.
func TestFunctions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := NewSet([]Value{value(t), value(t), value(t)}).Elems
		vals := make([]Value, len(keys))
		for i := range vals {
			vals[i] = value(t)
		}
		order := rapid.Permutation([]int{0, 1, 2}[:len(keys)]).Draw(t, "order")
		k, v := make([]Value, len(keys)), make([]Value, len(keys))
		for i, o := range order {
			k[i], v[i] = keys[o], vals[o]
		}
		f := NewFunc(append([]Value(nil), keys...), append([]Value(nil), vals...))
		g := NewFunc(k, v)
		lazy := &Lazy{Domain: Domain(f), Apply: func(a Value) Value { return Apply(f, a) }}
		if !Same(f, g) || !Equal(f, lazy) || Format(f) != Format(g) || !Equal(Domain(f), NewSet(append([]Value(nil), keys...))) {
			t.Fatalf("%s and %s are not one", Format(f), Format(g))
		}
		for i, key := range keys {
			other := value(t)
			h := Replace(f, key, other)
			if !Same(Apply(f, key), vals[i]) || !Same(Apply(h, key), other) || !Same(Replace(h, key, vals[i]), f) {
				t.Fatalf("%s: %s is not what is put in", Format(f), Format(key))
			}
		}
		if len(keys) == 0 && f != Value(Empty) && !Same(f, Empty) {
			t.Fatalf("%s is not the empty function", Format(f))
		}
	})
}

// TestForms: one value has one form, however it was made.
func TestForms(t *testing.T) {
	one, two := Int(1), Int(2)
	for _, c := range []struct{ a, b Value }{
		{NewTuple(), NewFunc(nil, nil)},
		{NewTuple(), NewRecord(nil, nil)},
		{NewTuple(), SortedRecord(nil, nil)},
		{NewTuple(two, one), NewFunc([]Value{two, one}, []Value{one, two})},
		{NewRecord([]string{"b", "a"}, []Value{one, two}), NewFunc([]Value{String("a"), String("b")}, []Value{two, one})},
		{NewSet([]Value{two, one, two}), Explicit(Interval{1, 2})},
		{Explicit(Interval{3, 1}), NewSet(nil)},
		{Explicit(NewSubsets(NewSet(nil))), NewSet([]Value{NewSet(nil)})},
		{Explicit(NewFunctions(NewSet(nil), NewSet(nil))), NewSet([]Value{Empty})},
		{Explicit(NewFunctions(NewSet([]Value{one}), NewSet(nil))), NewSet(nil)},
	} {
		if !Same(c.a, c.b) || Hash(c.a) != Hash(c.b) || fmt.Sprintf("%T", c.a) != fmt.Sprintf("%T", c.b) {
			t.Errorf("%s is a %T, %s a %T", Format(c.a), c.a, Format(c.b), c.b)
		}
	}
}

// TestModels: model values are found wherever a value holds them.
func TestModels(t *testing.T) {
	deep := NewTuple(NewSet([]Value{Model("b"), Model("a")}), NewTuple(Model("c")), NewFunc([]Value{Model("d")}, []Value{Model("b")}))
	some := NewSubsets(NewSet([]Value{Model("e"), Model("a")}))
	if got := Models([]Value{Int(1), deep, String("f"), some}); !slices.Equal(got, []string{"a", "b", "c", "d", "e"}) {
		t.Error(got)
	}
}

// TestApart: a model value is different from any other, also as a part.
func TestApart(t *testing.T) {
	a, one := NewTuple(Model("a"), Int(1)), NewTuple(Int(1), Int(1))
	for _, pair := range [][2]Value{{a, one}, {one, a}, {NewSet([]Value{a}), NewSet([]Value{one})}, {NewSet([]Value{one}), NewSet([]Value{a})}} {
		if Equal(pair[0], pair[1]) {
			t.Errorf("%v is %v", Format(pair[0]), Format(pair[1]))
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("whether a text is a number is known")
		}
	}()
	Equal(NewTuple(String("a"), Int(1)), one)
}

// TestFields: TLC writes a function over strings as a record where all of them are fields
// to it.
func TestFields(t *testing.T) {
	for _, name := range strings.Fields("a a1 1a 1_a 12ab _a _1a a_ LET IN WF WFa WF_ SF_ xWF_a wf_a é 1é _é 日本 ª a٣ ٣a SFé") {
		if got, want := Format(NewRecord([]string{name}, []Value{Int(1)})), "["+name+" |-> 1]"; got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
	for _, name := range append(strings.Fields(`1 _ __ _1 1_ a-b a.b WF_a WF_1 SF_b SF__ WF__a WF_WF_a Ⅷ aⅧ ⓐ ²a a² 𝒜 a𝒜`), "", " ", "a b", "a\u0301") {
		if got, want := Format(NewRecord([]string{name}, []Value{Int(1)})), `("`+name+`" :> 1)`; got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
	if got := Format(NewRecord([]string{"b", "-", "a"}, []Value{Int(1), Int(2), Int(3)})); got != `("-" :> 2 @@ "a" :> 3 @@ "b" :> 1)` {
		t.Error(got)
	}
}
