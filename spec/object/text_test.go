package object

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"interleave/spec"
)

// node is what nodes hang on in circles.
type node struct {
	n     int
	next  *node
	list  []*node
	named map[string]*node
	any   any
}

type (
	named  int
	square struct{ X, Y int }
	bits   [2]bool
	void   struct{}
)

func textOf[O any](o O, ignore ...string) (string, error) {
	reasons := map[string]string{}
	for _, key := range ignore {
		reasons[key] = "it is a test"
	}
	x := newTexts(reasons)
	text, err := x.text(reflect.ValueOf(&o).Elem())
	return string(text), err
}

// tags and at are types of maps and pointers that may be those of others, too.
type (
	tags map[string]int
	at   *int
)

// TestText: what the text of each kind of value is. Lines are joined by |.
func TestText(t *testing.T) {
	leaf := &node{n: 1}
	circle := &node{n: 2}
	circle.next = circle
	shared := map[string]int{"a": 1}
	text := []byte("x\n\xff")
	five := 5
	var empty *node
	for _, c := range []struct {
		o    any
		want string
	}{
		{nil, " nil"},
		{true, " bool| true"},
		{named(-3), " interleave/spec/object.named| -3"},
		{uint8(200), " uint8| 200"},
		{0.5, " float64| 0x1p-01"},
		{float32(0), " float32| 0x0p+00"},
		{complex(1, -1), " complex128| 0x1p+00 -0x1p+00"},
		{"a \"b\"\n\tc", ` string| "a \"b\"\n\tc"`},
		{text, ` []uint8| "x\n\xff"`},
		{[]byte(nil), " []uint8| nil"},
		{[]byte{}, ` []uint8| ""`},
		{[]int(nil), " []int| nil"},
		{[]int{}, " []int| len 0"},
		{[]int{4, 5}, " []int| len 2|[0] 4|[1] 5"},
		{bits{true, false}, " interleave/spec/object.bits| len 2|[0] true|[1] false"},
		{void{}, " interleave/spec/object.void| {}"},
		{square{1, 2}, " interleave/spec/object.square|.X 1|.Y 2"},
		{map[int]bool(nil), " map[int]bool| nil"},
		{map[int]bool{2: true, 1: false}, " map[int]bool| entries 2|[1] false|[2] true"},
		{map[string]int{"]": 1}, ` map[string]int| entries 1|["]"] 1`},
		{map[square]int{{3, 4}: 1, {3, 1}: 2}, " map[interleave/spec/object.square]int| entries 2|[.X 3; .Y 1] 2|[.X 3; .Y 4] 1"},
		{map[bits]int{{}: 1}, " map[interleave/spec/object.bits]int| entries 1|[len 2; [0] false; [1] false] 1"},
		{map[any]int{"b": 1, 2: 2}, ` map[interface {}]int| entries 2|{0} int|{0} 2|[0] 2|{1} string|{1} "b"|[1] 1`},
		{&five, " *int| 5"},
		{&empty, " **interleave/spec/object.node|* nil"},
		{empty, " *interleave/spec/object.node| nil"},
		{leaf, " *interleave/spec/object.node|.n 1|.next nil|.list nil|.named nil|.any nil"},
		{circle, " *interleave/spec/object.node|.n 2|.next ^|.list nil|.named nil|.any nil"},
		{[2]map[string]int{shared, shared}, ` [2]map[string]int| len 2|[0] entries 1|[0]["a"] 1|[1] ^[0]`},
		{[2]*int{&five, &five}, " [2]*int| len 2|[0] 5|[1] ^[0]"},
		{struct {
			a map[string]int
			b tags
		}{shared, shared}, ` struct { a map[string]int; b object.tags }|.a entries 1|.a["a"] 1|.b ^.a`},
		{struct {
			p *int
			q at
		}{&five, &five}, " struct { p *int; q object.at }|.p 5|.q ^.p"},
		{struct{ p, q *void }{&void{}, &void{}}, " struct { p *object.void; q *object.void }|.p {}|.q {}"},
		{map[*int]string{&five: "a"}, ` map[*int]string| entries 1|{0} 5|[0] "a"`},
		{struct {
			p *int
			m map[*int]bool
		}{&five, map[*int]bool{&five: true}}, " struct { p *int; m map[*int]bool }|.p 5|.m entries 1|.m{0} ^.p|.m[0] true"},
		{TestText, " func(*testing.T)| interleave/spec/object.TestText"},
		{[]func(){nil}, " []func()| len 1|[0] nil"},
		{[1]chan int{}, " [1]chan int| len 1|[0] nil"},
		{[1]uintptr{}, " [1]uintptr| len 1|[0] nil"},
		{new(*uintptr), " **uintptr|* nil"},
		{new(uintptr), " *uintptr|* nil"},
	} {
		got, err := textOf(c.o)
		if got = strings.NewReplacer("\t", " ", "\n", "|").Replace(strings.TrimSuffix(got, "\n")); got != c.want || err != nil {
			t.Errorf("%v:\n%s %v, want\n%s", c.o, got, err, c.want)
		}
	}
	if text, _ := textOf(circle); strings.HasPrefix(text, "\t*") {
		t.Errorf("the type of all objects is said again:\n%s", text)
	}
}

// TestTextRefuses: what has no text is refused with its path and a remedy.
func TestTextRefuses(t *testing.T) {
	type deep struct{ in []map[string]any }
	with := func(v any) deep { return deep{[]map[string]any{{"a": v}}} }
	self := []any{nil, nil}
	self[0], self[1] = self, self
	one := func() any { type local struct{ A int }; return local{} }()
	two := func() any { type local struct{ B int }; return local{} }()
	for _, c := range []struct {
		o      any
		ignore string
		want   string
	}{
		{o: with(make(chan int)), want: `in[0]["a"] is a chan, into which no text can look: list it in Ignore`},
		{o: with(unsafe.Pointer(&self)), want: `in[0]["a"] is a unsafe.Pointer, into`},
		{o: with(uintptr(7)), want: `in[0]["a"] is a uintptr, into`},
		{o: with(map[*int]int{new(int): 1, new(int): 2}), want: `in[0]["a"] has two keys that differ in addresses only`},
		{o: with(map[chan int]int{make(chan int): 1}), want: `in[0]["a"] has a key of which the object is a chan, into`},
		{o: with(map[uintptr]int{7: 1}), want: `in[0]["a"] has a key of which the object is a uintptr, into`},
		{o: with(self), want: "... holds itself, or has a path of more than 10000 bytes"},
		{o: []any{one, two}, want: "[1] has two types of the name interleave/spec/object.local, from two functions"},
		{o: square{}, ignore: "square.Z", want: "in Ignore, square.Z is no field: object.square has no Z, and has X, Y"},
		{o: square{}, ignore: "object.square.Z", want: "in Ignore, object.square.Z is no field: object.square has no Z"},
	} {
		var keys []string
		if c.ignore != "" {
			keys = []string{c.ignore}
		}
		if text, err := textOf(c.o, keys...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%T: %v, want %s\n%s", c.o, err, c.want, text)
		}
	}
}

// TestIgnoreRefuses: a type that objects may lead to is known before it is met.
func TestIgnoreRefuses(t *testing.T) {
	type Call struct{ Process int }
	type calls struct {
		A []spec.Call
		B map[string]*Call
	}
	for key, want := range map[string]string{
		"Call.Process": "in Ignore, Call.Process may be of interleave/spec.Call or of interleave/spec/object.Call: give the path",
		"Call.process": "in Ignore, Call.process is no field: spec.Call has no process, and has Process, Action, Value, Crashed",
	} {
		if _, err := textOf(calls{}, key); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestIgnore: a field is ignored by each of its names, and where it is not.
func TestIgnore(t *testing.T) {
	for _, key := range []string{"node.list", "object.node.list", "interleave/spec/object.node.list"} {
		x := newTexts(map[string]string{key: "a test"})
		o := &node{list: []*node{nil}}
		if text, err := x.text(reflect.ValueOf(&o).Elem()); strings.Contains(string(text), "list") || err != nil || x.unmet() != nil {
			t.Errorf("%s: %v %v\n%s", key, err, x.unmet(), text)
		}
	}
	x := newTexts(map[string]string{"raft.list": "a test"})
	o := &node{}
	if _, err := x.text(reflect.ValueOf(&o).Elem()); err != nil || x.unmet() == nil || !strings.Contains(x.unmet().Error(), "is a field of no object") {
		t.Errorf("%v %v", err, x.unmet())
	}
}

// TestGeneral: paths of all elements are one.
func TestGeneral(t *testing.T) {
	for path, want := range map[string]string{
		".a[0].b": "a[].b", `.m["]\"["].x`: "m[].x", ".m[len 2; [0] 1; [1] 2]": "m[]", ".m{0}.p": "m[].p", "*": "*",
	} {
		if got := general(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestTextsTell: two values have one text exactly if they are alike, in what they share, too. Types and values are random.
func TestTextsTell(t *testing.T) {
	alike, unlike := 0, 0
	tell := func(t *rapid.T) {
		typ := anyType(t, 3)
		a, b := filled(t, typ), filled(t, typ)
		x := newTexts(nil)
		one, err := x.text(a)
		again, _ := x.text(a)
		other, err2 := x.text(b)
		if string(one) != string(again) {
			t.Fatalf("two texts of one value:\n%s\n%s", one, again)
		}
		if err != nil || err2 != nil {
			return
		}
		pairs := pairs{map[pointer]pointer{}, map[pointer]pointer{}}
		same := pairs.alike(a, b)
		if same != (string(one) == string(other)) {
			t.Fatalf("%v is alike: %v, and the texts are\n%s\n%s", typ, same, one, other)
		}
		if same {
			alike++
		} else {
			unlike++
		}
	}
	for range 10 { // with -short, once may not draw enough of both
		if rapid.Check(t, tell); alike >= 5 && unlike >= 5 {
			return
		}
	}
	t.Errorf("%d were alike, %d not", alike, unlike)
}

// anyType draws a type.
func anyType(t *rapid.T, depth int) reflect.Type {
	leaves := []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[named](), reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[float64](),
		reflect.TypeFor[node](), reflect.TypeFor[any](), reflect.TypeFor[void](), reflect.TypeFor[func()](), reflect.TypeFor[*node](), reflect.TypeFor[chan int](),
	}
	kinds := 1
	if depth > 0 {
		kinds = 6
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 1:
		return reflect.PointerTo(anyType(t, depth-1))
	case 2:
		return reflect.SliceOf(anyType(t, depth-1))
	case 3:
		return reflect.ArrayOf(2, anyType(t, depth-1))
	case 4:
		key := rapid.SampledFrom([]reflect.Type{
			reflect.TypeFor[string](), reflect.TypeFor[square](), reflect.TypeFor[any](), reflect.TypeFor[bool](), reflect.TypeFor[*node](), reflect.TypeFor[*int](), reflect.TypeFor[[2]*int](),
		}).Draw(t, "key")
		return reflect.MapOf(key, anyType(t, depth-1))
	case 5:
		var parts []reflect.StructField
		part, one := anyType(t, depth-1), rapid.Bool().Draw(t, "of one type")
		for i := range rapid.IntRange(0, 3).Draw(t, "fields") {
			if !one {
				part = anyType(t, depth-1)
			}
			parts = append(parts, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: part})
		}
		return reflect.StructOf(parts)
	}
	return rapid.SampledFrom(leaves).Draw(t, "leaf")
}

// filled draws a value of a type, from few, with pointers and maps that are shared.
func filled(t *rapid.T, typ reflect.Type) reflect.Value {
	v := reflect.New(typ).Elem()
	f := filler{t, map[reflect.Type][]reflect.Value{}, 20}
	f.fill(v)
	return v
}

type filler struct {
	t    *rapid.T
	made map[reflect.Type][]reflect.Value
	left int
}

func (f *filler) draw(n int) int { return rapid.IntRange(0, n-1).Draw(f.t, "") }

func (f *filler) fill(v reflect.Value) {
	if f.left--; f.left < 0 {
		return
	}
	typ := v.Type()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.draw(2) == 0)
	case reflect.Int:
		v.SetInt(int64(f.draw(2)))
	case reflect.String:
		v.SetString([]string{"", "\"\n\t", "nil"}[f.draw(3)])
	case reflect.Float64:
		zero := 0.0
		v.SetFloat([]float64{zero, -1 / (1 / zero), zero / zero}[f.draw(2)])
	case reflect.Func:
		v.Set(reflect.ValueOf([]func(){nil, one, two}[f.draw(3)]))
	case reflect.Struct, reflect.Array:
		f.fillParts(v)
	case reflect.Slice:
		if f.draw(4) > 0 {
			v.Set(reflect.MakeSlice(typ, f.draw(3), 3))
			f.fillParts(v)
		}
	case reflect.Interface:
		if choice := f.draw(6); choice > 0 {
			inside := reflect.New(reflect.TypeOf([]any{0, named(0), "", &node{}, []any{}}[choice-1])).Elem()
			f.fill(inside)
			v.Set(inside)
		}
	case reflect.Pointer, reflect.Map:
		known := f.made[typ]
		switch choice := f.draw(3 + len(known)); {
		case choice < len(known):
			v.Set(known[choice])
			return
		case choice == len(known):
			return
		}
		made := reflect.New(typ).Elem()
		if v.Kind() == reflect.Map {
			made.Set(reflect.MakeMap(typ))
		} else {
			made.Set(reflect.New(typ.Elem()))
		}
		f.made[typ] = append(known, made)
		v.Set(made)
		if v.Kind() == reflect.Pointer {
			f.fill(v.Elem())
			return
		}
		for range f.draw(3) {
			key, value := reflect.New(typ.Key()).Elem(), reflect.New(typ.Elem()).Elem()
			f.fill(key)
			f.fill(value)
			if key.Comparable() {
				v.SetMapIndex(key, value)
			}
		}
	}
}

func (f *filler) fillParts(v reflect.Value) {
	if v.Type() == reflect.TypeFor[node]() {
		n := v.Addr().Interface().(*node)
		for _, part := range []any{&n.n, &n.next, &n.list, &n.named, &n.any} {
			f.fill(reflect.ValueOf(part).Elem())
		}
		return
	}
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
		return
	}
	for i := range v.Len() {
		f.fill(v.Index(i))
	}
}

func one() {}
func two() {}

// pairs compares two values side by side: which pointers of the one stand where those of the other do.
type pairs struct{ there, back map[pointer]pointer }

func (p *pairs) alike(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
		return a.Elem().Type() == b.Elem().Type() && p.alike(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !p.alike(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Array, reflect.Slice:
		if a.Kind() == reflect.Slice && a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !p.alike(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Func:
		return a.Pointer() == b.Pointer()
	case reflect.Float64:
		x, y := a.Float(), b.Float()
		return x != x && y != y || x == y && 1/x == 1/y
	case reflect.Pointer, reflect.Map:
		return p.refer(a, b)
	case reflect.Chan:
		return true // nil
	}
	return a.Equal(b)
}

func (p *pairs) refer(a, b reflect.Value) bool {
	if a.IsNil() || b.IsNil() {
		return a.IsNil() && b.IsNil()
	}
	if a.Kind() == reflect.Map || a.Type().Elem().Size() > 0 {
		x, y := pointer{a.Pointer(), a.Type()}, pointer{b.Pointer(), b.Type()}
		if q, met := p.there[x]; met {
			return q == y
		}
		if _, met := p.back[y]; met {
			return false
		}
		p.there[x], p.back[y] = y, x
	}
	if a.Kind() == reflect.Pointer {
		return p.alike(a.Elem(), b.Elem())
	}
	return a.Len() == b.Len() && p.match(a, b, a.MapKeys(), b.MapKeys())
}

// match looks for a way to pair keys.
func (p *pairs) match(a, b reflect.Value, left, right []reflect.Value) bool {
	if len(left) == 0 {
		return true
	}
	for i, key := range right {
		try := pairs{maps.Clone(p.there), maps.Clone(p.back)}
		if try.alike(left[0], key) && try.alike(a.MapIndex(left[0]), b.MapIndex(key)) && try.match(a, b, left[1:], slices.Delete(slices.Clone(right), i, i+1)) {
			*p = try
			return true
		}
	}
	return false
}
