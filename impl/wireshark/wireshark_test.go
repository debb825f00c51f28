// Package wireshark_test compares the dissector for Wireshark with our own
// decoder, by tshark.
package wireshark_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/catalog"
)

// script is the dissector.
var script = "interleave.lua"

var update = flag.Bool("update", false, "write the shapes of the catalogue into the dissector")

// TestShapes wants the shapes of the catalogue in the dissector.
func TestShapes(t *testing.T) {
	old, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "-- BEGIN: written by go test ./impl/wireshark -update\n", "-- END\n"
	head, rest, ok := bytes.Cut(old, []byte(begin))
	_, tail, ok2 := bytes.Cut(rest, []byte(end))
	if !ok || !ok2 {
		t.Fatalf("%s lacks the lines between which the shapes go", script)
	}
	fresh := slices.Concat(head, []byte(begin), []byte(shapes(t, catalog.Machines...)), []byte(end), tail)
	if *update {
		if err := os.WriteFile(script, fresh, 0o666); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(fresh, old) {
		t.Errorf("the shapes of the catalogue changed: run go test ./impl/wireshark -update")
	}
	if want := fmt.Sprintf("local default_port = %d\n", wire.Port); !bytes.Contains(fresh, []byte(want)) {
		t.Errorf("%s lacks %q", script, want)
	}
}

// shapes returns the shapes of machines as the inside of a Lua table.
func shapes(t *testing.T, machines ...spec.Machine) string {
	t.Helper()
	var b strings.Builder
	for _, m := range machines {
		c := codec(t, m)
		fmt.Fprintf(&b, "  [\"%016x\"] = { algorithm = %q, parts = {\n", c.Shape(), m.Traits().Name)
		body, err := c.Append(nil, m.Traits().Message)
		if err != nil {
			t.Fatal(err)
		}
		fields, err := c.Fields(body)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fields {
			fmt.Fprintf(&b, "    { %q, %q%s },\n", f.Name, f.Type, names(f.Value))
		}
		b.WriteString("  } },\n")
	}
	return b.String()
}

// names returns what the values of a part are called, if they are a few of
// eight bits with names.
func names(value any) string {
	if _, named := value.(fmt.Stringer); !named || reflect.TypeOf(value).Kind() != reflect.Uint8 {
		return ""
	}
	v, list := reflect.New(reflect.TypeOf(value)).Elem(), ""
	for i := range uint64(256) {
		v.SetUint(i)
		name := fmt.Sprint(v.Interface())
		if strings.Contains(name, "PANIC") {
			break
		}
		list += fmt.Sprintf(", [%d] = %q", i, name)
	}
	return ", { " + strings.TrimPrefix(list, ", ") + " }"
}

func codec(t testing.TB, m spec.Machine) *wire.Codec {
	t.Helper()
	c, err := wire.NewCodec(m)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
