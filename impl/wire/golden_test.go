package wire_test

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"interleave/impl/wire"
	"interleave/impl/wire/wiretest"
	"interleave/spec/catalog"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// golden compares with a file, or writes it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		if i >= len(gotLines) || i >= len(wantLines) || gotLines[i] != wantLines[i] {
			t.Fatalf("%s: the bytes changed in line %d: raise the version, or undo it\ngot  %q\nwant %q", file, i+1, gotLines[min(i, len(gotLines)-1)], wantLines[min(i, len(wantLines)-1)])
		}
	}
}

// TestFrameBytes pins a frame of each kind, without and with a MAC.
func TestFrameBytes(t *testing.T) {
	var b strings.Builder
	for _, k := range []wire.Key{nil, key} {
		for _, f := range frames() {
			bytes, err := f.Append(nil, k)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%v, key %q: %d bytes\n", f.Kind, k, len(bytes))
			for ; len(bytes) > 16; bytes = bytes[16:] {
				fmt.Fprintf(&b, "  %x\n", bytes[:16])
			}
			fmt.Fprintf(&b, "  %x\n", bytes)
		}
	}
	golden(t, "testdata/frames.txt", b.String())
}

// TestMessageBytes pins a message of each kind of each algorithm, and the hash
// of its shape.
func TestMessageBytes(t *testing.T) {
	var b strings.Builder
	for _, m := range catalog.Machines {
		c, err := wire.NewCodec(m)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s, shape %016x\n", m.Traits().Name, c.Shape())
		for i, message := range wiretest.OfEachKind(m) {
			if message == nil {
				t.Errorf("%s sends no %s", m.Traits().Name, m.Traits().Kinds[i])
				continue
			}
			body, err := c.Append(nil, message)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := c.Decode(body); err != nil || got != message {
				t.Errorf("%s: %v became %v: %v", m.Traits().Name, message, got, err)
			}
			fmt.Fprintf(&b, "  %x  %v\n", body, message)
		}
	}
	golden(t, "testdata/messages.txt", b.String())
}

// TestDocumented looks for the example of docs/wire.md among the golden bytes.
func TestDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/wire.md")
	if err != nil {
		t.Fatal(err)
	}
	pinned, err := os.ReadFile("testdata/frames.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines, example := 0, []byte(nil)
	for line := range bytes.Lines(doc) {
		if bytes.HasPrefix(line, []byte("  ")) && isHex(bytes.TrimSpace(line)) {
			lines++
			example = fmt.Appendf(example, "%s", bytes.TrimSpace(line))
			if !bytes.Contains(pinned, bytes.TrimRight(line, "\n")) {
				t.Errorf("docs/wire.md has %q, which no frame has", line)
			}
		}
	}
	if lines < 3 {
		t.Errorf("docs/wire.md shows %d lines of a frame", lines)
	}
	frame, err := hex.DecodeString(string(example))
	if err != nil {
		t.Fatal(err)
	}
	f, err := wire.Parse(frame, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range catalog.Machines[4:5] {
		c, err := wire.NewCodec(m)
		if err != nil {
			t.Fatal(err)
		}
		if message, err := c.Decode(f.Body); err != nil || f.Shape != c.Shape() || f.Acked == 0 || fmt.Sprint(message) != "COORDINATOR" {
			t.Errorf("docs/wire.md shows %+v, with the message %v: %v", f, message, err)
		}
		if want := fmt.Sprintf("%016x", c.Shape()); !bytes.Contains(doc, []byte(want)) || !bytes.Contains(doc, []byte(c.Describe())) {
			t.Errorf("docs/wire.md does not show the shape of %s, %s:\n%s", m.Traits().Name, want, c.Describe())
		}
	}
}

// TestDocumentedLimits looks for the limits in docs/wire.md.
func TestDocumentedLimits(t *testing.T) {
	doc, err := os.ReadFile("../../docs/wire.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"61 to 8,388,607; in a datagram at most 1200 |", "at most 8,388,467 bytes; in a datagram, and of all but data, 1060 |"} {
		said, plain := strings.ReplaceAll(want, ",", ""), ""
		for _, limit := range []int{wire.MaxFrame, wire.MaxDatagram, wire.MaxBody, wire.MaxDatagramBody} {
			if strings.Contains(said, fmt.Sprint(limit)) {
				plain += "x"
			}
		}
		if !bytes.Contains(doc, []byte(want)) || plain != "xx" {
			t.Errorf("docs/wire.md does not say %q, or the limits are others", want)
		}
	}
}

// isHex reports whether a line is one of a frame's bytes.
func isHex(line []byte) bool {
	_, err := hex.DecodeString(string(line))
	return err == nil && len(line) > 0
}
