package cell

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type part struct {
	Term uint16
	what string
	Next *part
	acks map[string]*part
}

// typeGen draws a type of plain values.
func typeGen(depth int) *rapid.Generator[reflect.Type] {
	basic := rapid.SampledFrom([]reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[uint8](), reflect.TypeFor[int16](), reflect.TypeFor[uint16](),
		reflect.TypeFor[int](), reflect.TypeFor[uint64](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[part](),
	})
	if depth == 0 {
		return basic
	}
	inner := typeGen(depth - 1)
	return rapid.Custom(func(t *rapid.T) reflect.Type {
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			return reflect.ArrayOf(rapid.IntRange(0, 3).Draw(t, "length"), inner.Draw(t, "element"))
		case 1:
			return reflect.SliceOf(inner.Draw(t, "element"))
		case 2:
			key := inner.Filter(func(t reflect.Type) bool { return t.Comparable() && !hasPointer(t, nil) }).Draw(t, "key")
			return reflect.MapOf(key, inner.Draw(t, "element"))
		case 3:
			return reflect.PointerTo(inner.Draw(t, "pointee"))
		case 4:
			var fields []reflect.StructField
			for i := range rapid.IntRange(0, 3).Draw(t, "fields") {
				fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: inner.Draw(t, "field")})
			}
			return reflect.StructOf(fields)
		}
		return basic.Draw(t, "basic")
	})
}

// fill draws a value.
func fill(t *rapid.T, v reflect.Value, depth int) {
	null := func() bool { return depth > 4 || rapid.IntRange(0, 3).Draw(t, "nil") == 0 }
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int, reflect.Int8, reflect.Int16:
		size := v.Type().Bits()
		v.SetInt(rapid.Int64Range(math.MinInt64>>(64-size), math.MaxInt64>>(64-size)).Draw(t, "int"))
	case reflect.Uint8, reflect.Uint16, reflect.Uint64:
		v.SetUint(rapid.Uint64Max(math.MaxUint64>>(64-v.Type().Bits())).Draw(t, "uint"))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(t, "float"))
	case reflect.String:
		v.SetString(rapid.SampledFrom([]string{"", "a", "a\x00", "\x00\xc2\x80", "é"}).Draw(t, "string"))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, Field(v, i), depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), depth+1)
		}
	case reflect.Slice:
		if !null() {
			n := rapid.IntRange(0, 3).Draw(t, "length")
			v.Set(reflect.MakeSlice(v.Type(), n, n+1))
			for i := range n {
				fill(t, v.Index(i), depth+1)
			}
		}
	case reflect.Map:
		if !null() {
			v.Set(reflect.MakeMap(v.Type()))
			for range rapid.IntRange(0, 3).Draw(t, "length") {
				key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				fill(t, key, depth+1)
				fill(t, value, depth+1)
				v.SetMapIndex(key, value)
			}
		}
	case reflect.Pointer:
		if !null() {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), depth+1)
		}
	}
}

// TestLaws: of two values of any type, drawn at random, the cells are equal if and only if reflect.DeepEqual says that the
// values are. What is read back from a cell, its text or its JSON equals what went in, and shares nothing with it.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := typeGen(3).Draw(t, "type")
		if err := Plain(typ, "value", reflect.TypeFor[part]()); err != nil {
			t.Fatal(err)
		}
		v, w := reflect.New(typ).Elem(), reflect.New(typ).Elem()
		fill(t, v, 0)
		fill(t, w, 0)
		a, err := CloseAny(v.Interface())
		b, err2 := CloseAny(w.Interface())
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		same := reflect.DeepEqual(v.Interface(), w.Interface())
		if (a == b) != same {
			t.Fatalf("%#v and %#v: the cells are equal: %v", v, w, a == b)
		}
		if different := Difference(a, b) != ""; different == same {
			t.Fatalf("%v and %v: %q", a, b, Difference(a, b))
		}
		if back := Value(a); !reflect.DeepEqual(back, v.Interface()) {
			t.Fatalf("%#v comes back as %#v", v, back)
		}
		c, ok := a.(Cell)
		if !ok {
			return
		}
		if again, err := c.FromText(c.Text()); err != nil || again != c {
			t.Fatal(again, err)
		}
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		read := reflect.New(typ).Elem()
		r := jsonReader{}
		if err := r.get(text, read); err != nil || !reflect.DeepEqual(read.Interface(), v.Interface()) {
			t.Fatalf("%s comes back as %#v: %v", text, read, err)
		}
		x, y := Value(a), Value(a)
		spoil(reflect.ValueOf(x))
		if !reflect.DeepEqual(y, v.Interface()) {
			t.Fatalf("two values of one cell share something: %#v", y)
		}
	})
}

// spoil changes all that a value points to.
func spoil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if spoil(v.Index(i)); v.Index(i).CanSet() {
				v.Index(i).SetZero()
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			spoil(v.MapIndex(key))
		}
		if !v.IsNil() && v.CanInterface() {
			v.Clear()
		}
	case reflect.Pointer:
		if !v.IsNil() {
			if spoil(v.Elem()); v.Elem().CanSet() {
				v.Elem().SetZero()
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			spoil(v.Field(i))
		}
	}
}

// TestOrder: texts are in the order of the values.
func TestOrder(t *testing.T) {
	ordered := func(values ...any) {
		t.Helper()
		var texts []string
		for _, v := range values {
			var w writer
			if err := w.put(Settable(v)); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(w.b))
		}
		for i := 1; i < len(texts); i++ {
			if cmp.Compare(texts[i-1], texts[i]) >= 0 || strings.HasPrefix(texts[i], texts[i-1]) {
				t.Errorf("%#v: %q, %#v: %q", values[i-1], texts[i-1], values[i], texts[i])
			}
		}
	}
	ordered(math.MinInt64, -257, -256, -255, -1, 0, 1, 255, 256, math.MaxInt64)
	ordered(uint(0), uint(1), uint(255), uint(256), uint(math.MaxUint64))
	ordered(int8(-128), int8(-1), int8(0), int8(127))
	ordered(math.Inf(-1) == 0, true)
	ordered(-math.MaxFloat64, -1.5, 0.0, 1e-300, 1.5)
	if Must([]float64{0}) != Must([]float64{math.Copysign(0, -1)}) {
		t.Error("-0 and 0 are equal, and their cells are not")
	}
	ordered("", "\x00", "\x00\x00", "\x01", "a", "a\x00", "a\x00b", "ab")
	ordered([]int(nil), []int{}, []int{-5}, []int{1}, []int{1, 0}, []int{2})
	ordered([][]int{nil}, [][]int{{}}, [][]int{{3}}, [][]int{{3}, nil})
}

// TestFaults: what has no text is told with its path.
func TestFaults(t *testing.T) {
	p := &part{Term: 1}
	circle := &part{}
	circle.Next = circle
	type twice struct{ A, B *part }
	nan := map[string][]float64{"rates": {1, math.NaN()}}
	for _, c := range []struct {
		value any
		want  string
	}{
		{twice{p, p}, "a pointer that is there twice: in a copy there would be two values in place of one (B)"},
		{circle, "a pointer that is there twice: in a copy there would be two values in place of one (Next)"},
		{nan, "NaN, which JSON cannot say ([rates][1])"},
		{[]float64{math.Inf(1)}, "+Inf, which JSON cannot say ([0])"},
		{[]part{{}, {what: "\xff"}}, `the string "\xff", which is no UTF-8, and would come back from JSON as another ([1].what)`},
		{map[string]int{"\xff": 1}, `the string "\xff", which is no UTF-8, and would come back from JSON as another ([` + "\xff" + `], a key)`},
	} {
		if _, err := CloseAny(c.value); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %s", c.value, err, c.want)
		}
	}
	type list []list
	endless := list{nil}
	endless[0] = endless
	if _, err := CloseAny(endless); err == nil || !strings.Contains(err.Error(), "nothing may hold itself") {
		t.Error(err)
	}
}

type Mood uint8

func (m Mood) String() string { return []string{"calm", "busy"}[m] }

// TestShown: cells print as their values, with what pointers point to, and fields by name and only if they are not zero.
func TestShown(t *testing.T) {
	type entry struct{ Term, At int }
	type state struct {
		Log   []part
		Votes map[string]*int
		empty *part
		Mood  Mood
		Was   Mood
		Names []string
		Next  **entry
		Bare  []entry
		Rate  float64
	}
	two, inner := 2, &entry{Term: 1}
	c := Must(state{Log: []part{{1, "a", nil, nil}, {2, "b", &part{Term: 3}, map[string]*part{"z": nil}}}, Votes: map[string]*int{"y": &two, "x": nil}})
	for _, s := range []struct {
		value      any
		want, long string
	}{
		{c, "{Log:[{Term:1 what:a} {Term:2 what:b Next:{Term:3} acks:map[z:nil]}] Votes:map[x:nil y:2] calm Was:calm}", ""},
		{Must(state{}), "{calm Was:calm}", ""},
		{Must(state{Log: []part{}, empty: &part{}, Mood: 1, Rate: .5}), "{Log:[] empty:{} busy Was:calm Rate:0.5}", ""},
		{Must(state{Names: []string{"a", "", "b c", "nil", "x:y", "é", "\n"}}), `{calm Was:calm Names:[a "" "b c" "nil" "x:y" é "\n"]}`, ""},
		{Must(state{Next: &inner}), "{calm Was:calm Next:&{1 0}}", "{calm Was:calm Next:&{Term:1 At:0}}"},
		{Must(state{Next: new(*entry)}), "{calm Was:calm Next:&nil}", ""},
		{Must(state{Bare: []entry{{1, 2}, {}}}), "{calm Was:calm Bare:[{1 2} {0 0}]}", "{calm Was:calm Bare:[{Term:1 At:2} {Term:0 At:0}]}"},
		{Must([]string(nil)), "nil", ""},
		{Must([]string{}), "[]", ""},
		{Must([]string{""}), `[""]`, ""},
		{Must(map[entry]Mood{{2, 1}: 1, {1, 1}: 0}), "map[{1 1}:calm {2 1}:busy]", "map[{Term:1 At:1}:calm {Term:2 At:1}:busy]"},
	} {
		if got := fmt.Sprint(s.value); got != s.want {
			t.Errorf("%s, want %s", got, s.want)
		}
		if got := fmt.Sprintf("%+v", s.value); got != cmp.Or(s.long, s.want) {
			t.Errorf("%s, want %s", got, cmp.Or(s.long, s.want))
		}
	}
	text, err := json.Marshal(c)
	if want := `{"Log":[{"Term":1,"what":"a","Next":null,"acks":null},{"Term":2,"what":"b","Next":{"Term":3,"what":"","Next":null,"acks":null},"acks":{"z":null}}],"Votes":{"x":null,"y":2},"empty":null,"Mood":0,"Was":0,"Names":null,"Next":null,"Bare":null,"Rate":0}`; err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}

// TestChanges: of what differs the elements are told.
func TestChanges(t *testing.T) {
	type entry struct{ Term, Index int }
	type state struct {
		Term int
		Log  []entry
		Acks map[string][]int
		Last *entry
	}
	was := state{1, []entry{{1, 1}, {1, 2}}, map[string][]int{"a": {1}, "b": nil}, nil}
	for _, c := range []struct {
		change func(s *state)
		want   []string
	}{
		{func(s *state) { s.Term = 2 }, []string{"Term 1 → 2"}},
		{func(s *state) { s.Log[1] = entry{3, 2} }, []string{"Log[1] {1 2} → {3 2}"}},
		{func(s *state) { s.Log = append(s.Log, entry{2, 3}) }, []string{"Log[2] none → {2 3}"}},
		{func(s *state) { s.Log = s.Log[:1] }, []string{"Log[1] {1 2} → none"}},
		{func(s *state) { s.Log = s.Log[1:] }, []string{"Log [{1 1} {1 2}] → [{1 2}]"}},
		{func(s *state) { s.Log = nil }, []string{"Log [{1 1} {1 2}] → nil"}},
		{func(s *state) { s.Acks["a"] = append(s.Acks["a"], 2); s.Acks["c"] = nil; delete(s.Acks, "b") }, []string{"Acks[a][1] none → 2", "Acks[b] nil → none", "Acks[c] none → nil"}},
		{func(s *state) { s.Acks["b"] = []int{} }, []string{"Acks[b] nil → []"}},
		{func(s *state) { s.Last = &entry{} }, []string{"Last nil → {0 0}"}},
	} {
		closed := Must(was)
		s := Open[state](closed)
		c.change(&s)
		var got []string
		for d := range Changes(closed, Must(s)) {
			got = append(got, d.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// FuzzText: no text makes it panic, and what is accepted is canonical.
func FuzzText(f *testing.F) {
	type all struct {
		A []map[int16]string
		B *[]float64
		C [2]bool
		D part
		E uint8
	}
	of := Must(all{}).(Cell)
	rates := []float64{1, -2}
	f.Add([]byte(of.Text()))
	f.Add([]byte(Must(all{[]map[int16]string{{-3: "x\x00"}, nil}, &rates, [2]bool{true}, part{7, "é", &part{}, nil}, 9}).(Cell).Text()))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := of.FromText(string(text))
		if err == nil && c.Text() != string(text) {
			t.Errorf("%q is read as %q", text, c.Text())
		}
		closed, err := Read[all](text)
		if err != nil {
			return
		}
		back, err := json.Marshal(closed)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Read[all](back); err != nil || again != closed {
			t.Errorf("%s, read from %s, comes back as %v: %v", back, bytes.TrimSpace(text), again, err)
		}
	})
}

func BenchmarkClose(b *testing.B) {
	type entry struct {
		Term  uint64
		Value string
	}
	type state struct {
		Term, Commit int
		Log          []entry
		Next         map[int]int
	}
	s := state{Term: 3, Commit: 20, Next: map[int]int{1: 5, 2: 6, 3: 7}}
	for i := range 35 {
		s.Log = append(s.Log, entry{uint64(i), "a value"})
	}
	closed := Must(s)
	b.Run("close", func(b *testing.B) {
		b.SetBytes(int64(Size(closed)))
		for b.Loop() {
			Must(s)
		}
	})
	b.Run("open", func(b *testing.B) {
		b.SetBytes(int64(Size(closed)))
		for b.Loop() {
			Open[state](closed)
		}
	})
}

// hiding is a value of which a part is not for others to see.
type hiding struct {
	Shown  []int
	Hidden string
}

func (h hiding) Seen() any { return struct{ Shown []int }{h.Shown} }

func TestSeen(t *testing.T) {
	one, other := Must(hiding{[]int{1}, "a"}), Must(hiding{[]int{1}, "b"})
	if one == other || Seen(one) != Seen(other) {
		t.Error("what is hidden is seen, or is not kept")
	}
	if plain := Must([]int{1}); Seen(plain) != plain {
		t.Error("of a value that hides nothing not all is seen")
	}
}
