package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"interleave/impl/wire"
	"interleave/impl/wire/wiretest"
	"interleave/internal/cell"
	"interleave/internal/rapidtest"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/catalog"
)

// TestReached takes a few random steps of a random machine, and sends each
// message over the wire.
func TestReached(t *testing.T) {
	machines := everyMachine()
	sent := 0
	missing := func() error {
		if sent < 100 {
			return fmt.Errorf("only %d messages were sent", sent)
		}
		return nil
	}
	rapidtest.Until(t, missing, func(t *rapid.T) {
		m := rapid.SampledFrom(machines).Draw(t, "machine")
		c, err := wire.NewCodec(m)
		if err != nil {
			t.Fatal(err)
		}
		d := wiretest.New(m)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			l := rapid.SampledFrom(d.States).Draw(t, "state")
			if events := d.Events(l.Self); len(events) > 0 {
				d.Step(l, rapid.SampledFrom(events).Draw(t, "event"))
			}
		}
		for _, l := range d.Messages {
			sent++
			roundTrip(t, c, l.Message)
		}
		if len(d.Messages) > 0 {
			altered(t, c, rapid.SampledFrom(d.Messages).Draw(t, "altered").Message)
		}
	})
}

func everyMachine() []spec.Machine { return slices.Concat(catalog.Machines, catalog.Mutants) }

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// roundTrip wants a message to come back the same, in the same bytes, and its
// fields to cover those without a gap.
func roundTrip(t fataler, c *wire.Codec, message any) {
	t.Helper()
	body, err := c.Append([]byte("before"), message)
	body, had := bytes.CutPrefix(body, []byte("before"))
	if err != nil || !had {
		t.Fatalf("%v: %x, %v", message, body, err)
	}
	got, err := c.Decode(body)
	if err != nil || got != message {
		t.Fatalf("%#v became %#v: %v", message, got, err)
	}
	again, err := c.Append(nil, got)
	if err != nil || !bytes.Equal(again, body) {
		t.Fatalf("%x became %x: %v", body, again, err)
	}
	fields, err := c.Fields(body)
	at := 0
	for _, f := range fields {
		if f.At != at || f.Length < 1 {
			t.Fatalf("%s lies at %d+%d, and the one before it ends at %d", f.Name, f.At, f.Length, at)
		}
		at += f.Length
	}
	if err != nil || at != len(body) {
		t.Fatalf("fields up to byte %d of %d: %v", at, len(body), err)
	}
}

// altered changes each byte of a message, and cuts it everywhere: what is
// accepted must be the one encoding of something else.
func altered(t *rapid.T, c *wire.Codec, message any) {
	body, err := c.Append(nil, message)
	if err != nil {
		t.Fatal(err)
	}
	for i := range body {
		if _, err := c.Decode(body[:i]); !errors.Is(err, wire.ErrMessage) {
			t.Fatalf("%x cut to %d bytes: %v", body, i, err)
		}
		other := bytes.Clone(body)
		other[i] ^= rapid.ByteMin(1).Draw(t, "flip")
		got, err := c.Decode(other)
		if err == nil && got == message {
			t.Fatalf("%x and %x are both %v", body, other, message)
		}
		if err == nil {
			roundTrip(t, c, got)
		}
	}
	if _, err := c.Decode(append(body, 0)); !errors.Is(err, wire.ErrMessage) {
		t.Fatalf("%x with a byte behind it: %v", body, err)
	}
}

// every has a part of each form.
type every struct {
	Bool   bool
	Int    int
	Int8   int8
	Int16  int16
	Int32  int32
	Int64  int64
	Uint   uint
	Uint8  uint8
	Uint16 uint16
	Uint32 uint32
	Uint64 uint64
	Text   string
	ID     spec.ID
	Set    spec.Set
	Nested [2]struct {
		Mode bully.Mode
		Pair [2]string
	}
	Empty [1 << 40]struct{}
}

func machine[M any](name string) spec.Machine {
	return &spec.Algorithm[int, M]{Name: name}
}

func codec[M any](t testing.TB, name string) *wire.Codec {
	t.Helper()
	c, err := wire.NewCodec(machine[M](name))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEveryForm(t *testing.T) {
	c := codec[every](t, "test/every")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 20, -1)
		m := every{
			rapid.Bool().Draw(t, "bool"), rapid.Int().Draw(t, "int"), rapid.Int8().Draw(t, "int8"), rapid.Int16().Draw(t, "int16"),
			rapid.Int32().Draw(t, "int32"), rapid.Int64().Draw(t, "int64"), rapid.Uint().Draw(t, "uint"), rapid.Uint8().Draw(t, "uint8"),
			rapid.Uint16().Draw(t, "uint16"), rapid.Uint32().Draw(t, "uint32"), rapid.Uint64().Draw(t, "uint64"),
			strings.ToValidUTF8(text.Draw(t, "text"), ""), spec.ID(rapid.IntRange(0, 64).Draw(t, "id")), spec.Set(rapid.Uint64().Draw(t, "set")),
			[2]struct {
				Mode bully.Mode
				Pair [2]string
			}{{bully.Electing, [2]string{"é", text.Draw(t, "pair")}}, {}}, [1 << 40]struct{}{},
		}
		roundTrip(t, c, m)
		altered(t, c, m)
	})
}

// TestFormBytes pins the bytes of each form.
func TestFormBytes(t *testing.T) {
	m := every{true, -2, -3, -4, -5, -6, 7, 8, 9, 10, 11, "née", 12, spec.SetOf(1, 3, 64), [2]struct {
		Mode bully.Mode
		Pair [2]string
	}{{bully.Waiting, [2]string{"a", ""}}, {bully.Electing, [2]string{"", "b"}}}, [1 << 40]struct{}{}}
	c := codec[every](t, "test/every")
	body, err := c.Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	want := "\x01" + "\xff\xff\xff\xff\xff\xff\xff\xfe" + "\xfd" + "\xff\xfc" + "\xff\xff\xff\xfb" + "\xff\xff\xff\xff\xff\xff\xff\xfa" +
		"\x00\x00\x00\x00\x00\x00\x00\x07" + "\x08" + "\x00\x09" + "\x00\x00\x00\x0a" + "\x00\x00\x00\x00\x00\x00\x00\x0b" +
		"\x00\x04n\xc3\xa9e" + "\x0c" + "\x80\x00\x00\x00\x00\x00\x00\x05" + "\x02\x00\x01a\x00\x00" + "\x01\x00\x00\x00\x01b"
	if string(body) != want {
		t.Errorf("got  %x\nwant %x", body, want)
	}
	fields, err := c.Fields(body)
	if err != nil || len(fields) != 20 {
		t.Fatalf("%d fields: %v", len(fields), err)
	}
	if got, want := fields[19], (wire.Field{"Nested[1].Pair[1]", "string", len(body) - 3, 3, "b"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := fields[14], (wire.Field{"Nested[0].Mode", "uint8", len(body) - 12, 1, bully.Waiting}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// lists has what == does not compare.
type lists struct {
	Term    uint16
	Entries []entry
	Acks    map[spec.ID]*entry
	Rates   [2]float64
	Raw     []byte
	note    string
	Nested  [][]struct{}
}

type entry struct {
	Term    int
	Command string
}

var someLists = lists{Term: 300, Entries: []entry{{1, "a"}, {-2, ""}}, Acks: map[spec.ID]*entry{3: {7, "b"}, 1: nil}, Raw: []byte("xy"), note: "n",
	Nested: [][]struct{}{{{}}, nil}}

// TestListFields pins the fields of a message with lists.
func TestListFields(t *testing.T) {
	c := codec[lists](t, "test/lists")
	m := cell.Must(someLists)
	roundTrip(t, c, m)
	body, err := c.Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	fields, err := c.Fields(body)
	got := ""
	for _, f := range fields {
		got += fmt.Sprintf("%s %s %v %x\n", f.Name, f.Type, f.Value, body[f.At:f.At+f.Length])
	}
	want := `Term uint16 300 02012c
Entries []wire_test.entry 2 01
Entries[0].Term int 1 018101
Entries[0].Command string a 610000
Entries[1].Term int -2 017efe
Entries[1].Command string  000000
Acks map[spec.ID]*wire_test.entry 2 01
Acks[1] *wire_test.entry <nil> 01810100
Acks[3].Term int 7 018103018107
Acks[3].Command string b 62000000
Rates[0] float64 0 8000000000000000
Rates[1] float64 0 8000000000000000
Raw []uint8 [120 121] 010178017900
note string n 6e0000
Nested [][]struct {} 2 01
Nested[0] []struct {} 1 01010100
Nested[1] []struct {} [] 010000
`
	if err != nil || got != want {
		t.Errorf("%v\ngot\n%swant\n%s", err, got, want)
	}
}

// TestShapes wants different shapes to have different hashes.
func TestShapes(t *testing.T) {
	type changed struct {
		B uint8
		A spec.ID
	}
	kinds := &spec.Algorithm[int, struct {
		A spec.ID
		B uint8
	}]{Name: "test/shape", Kinds: []string{"vote"}}
	byKinds, err := wire.NewCodec(kinds)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint64]string{}
	for what, c := range map[string]*wire.Codec{
		"the shape": codec[struct {
			A spec.ID
			B uint8
		}](t, "test/shape"),
		"another order": codec[changed](t, "test/shape"),
		"another type": codec[struct {
			A spec.ID
			B int8
		}](t, "test/shape"),
		"another type of the same kind": codec[struct {
			A int
			B uint8
		}](t, "test/shape"),
		"another name": codec[struct {
			A spec.ID
			C uint8
		}](t, "test/shape"),
		"one more": codec[struct {
			A    spec.ID
			B, C uint8
		}](t, "test/shape"),
		"another algorithm": codec[struct {
			A spec.ID
			B uint8
		}](t, "test/shapes"),
		"nested": codec[struct {
			A spec.ID
			B struct{ B uint8 }
		}](t, "test/shape"),
		"an array of one": codec[struct {
			A spec.ID
			B [1]uint8
		}](t, "test/shape"),
		"other kinds": byKinds,
	} {
		if other := seen[c.Shape()]; other != "" {
			t.Errorf("%s and %s have the same hash", what, other)
		}
		seen[c.Shape()] = what
	}
	if a, b := codec[changed](t, "x"), codec[changed](t, "x"); a.Shape() != b.Shape() {
		t.Error("one shape has two hashes")
	}
}

func TestNoCodec(t *testing.T) {
	for want, m := range map[string]spec.Machine{
		"message.C[] is a chan int":                machine[struct{ C [2]chan int }]("a"),
		"message is a chan int":                    machine[chan int]("a"),
		"message.I is a interface {}":              machine[struct{ I any }]("a"),
		"message.U is a uintptr":                   machine[struct{ U uintptr }]("a"),
		"message has more than 16384 parts":        machine[[20_000]bool]("a"),
		"message.A has more than 16384 parts":      machine[struct{ A [600][600]bool }]("a"),
		"message has more than 16384 parts: use":   machine[struct{ A, B [9000]bool }]("a"),
		`the name ""`:                              machine[int](""),
		"is not 1 to 64 bytes":                     machine[int](strings.Repeat("a", 65)),
		"does not say what its messages are: set ": untyped{machine[int]("a")},
	} {
		if _, err := wire.NewCodec(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	if _, err := wire.NewCodec(machine[[16384]uint64](strings.Repeat("a", 64))); err != nil {
		t.Error(err)
	}
}

// untyped is a machine that does not say what its messages are.
type untyped struct{ spec.Machine }

func (u untyped) Traits() spec.Traits {
	t := u.Machine.Traits()
	t.Message = nil
	return t
}

func TestNotEncoded(t *testing.T) {
	long := codec[[3]string](t, "test/long")
	id := codec[spec.ID](t, "test/id")
	for _, c := range []struct {
		codec   *wire.Codec
		message any
		want    string
	}{
		{id, 3, "int instead of spec.ID"},
		{id, nil, "<nil> instead of spec.ID"},
		{id, spec.ID(65), "message: 65 is no process"},
		{id, spec.NextLive, "message: -1 is no process"},
		{long, [3]string{"", "\xff"}, "message[1]: the string is not UTF-8"},
		{long, [3]string{"", "", strings.Repeat("x", 70_000)}, "message[2]: a string of 70000 bytes"},
		{bullyCodec(t), bully.Msg(3), "is of no kind"},
	} {
		got, err := c.codec.Append([]byte("before"), c.message)
		if !errors.Is(err, wire.ErrMessage) || !strings.Contains(err.Error(), c.want) || string(got) != "before" {
			t.Errorf("%q, %v; want %q", got, err, c.want)
		}
	}
	roundTrip(t, long, [3]string{strings.Repeat("x", 1<<16-1), strings.Repeat("y", 1<<16-1)})
}

func bullyCodec(t testing.TB) *wire.Codec {
	c, err := wire.NewCodec(bully.Mended)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestNotDecoded(t *testing.T) {
	for _, c := range []struct {
		codec *wire.Codec
		body  string
		want  string
	}{
		{bullyCodec(t), "", "message, at byte 0: 0 bytes, and not the 1 of uint8"},
		{bullyCodec(t), "\x00\x00", "1 bytes behind the 1 of the message"},
		{bullyCodec(t), "\x03", "is of no kind"},
		{codec[bool](t, "a"), "\x02", "2 is neither false, 0, nor true, 1"},
		{codec[spec.ID](t, "a"), "\x41", "65 is no process"},
		{codec[string](t, "a"), "\x00", "1 bytes, and not the 2 of string"},
		{codec[string](t, "a"), "\xff\xffabc", "5 bytes, and not the 65537 of string"},
		{codec[string](t, "a"), "\x00\x01\xff", "the string is not UTF-8"},
		{codec[[]bool](t, "a"), "\x01\x01\x02\x00", "2 is no mark"},
		{codec[[]bool](t, "a"), "\x01\x01\x00", "it ends too early"},
		{codec[[]bool](t, "a"), "\x01\x00\x00", "1 bytes are left over"},
		{codec[[]int](t, "a"), "\x01\x01\x81\x00\x00", "it is written in another way than the canonical one"},
		{codec[[]bool](t, "a"), strings.Repeat("\x01", wire.MaxBody+1), "8388468 bytes, at most"},
		{codec[string](t, "a"), strings.Repeat("x", wire.MaxBody+1), "8388468 bytes, at most 8388467 are allowed"},
	} {
		got, err := c.codec.Decode([]byte(c.body))
		if !errors.Is(err, wire.ErrMessage) || !strings.Contains(err.Error(), c.want) || got != nil {
			t.Errorf("%q: %v, %v; want %q", c.body, got, err, c.want)
		}
		if _, err := c.codec.Fields([]byte(c.body)); err == nil {
			t.Errorf("%q has fields", c.body)
		}
	}
}
