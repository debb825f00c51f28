package wireshark_test

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/bully"
)

// every has a part of each form, which the catalogue has not.
type every struct {
	Text   string
	Bool   [2]bool
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
	ID     [2]spec.ID
	Set    [3]spec.Set
	Last   string
}

var everyForm = &spec.Algorithm[int, every]{Name: "test/every"}

// withEveryForm lets the dissector know the shape of everyForm, until the test
// ends.
func withEveryForm(t *testing.T) *wire.Codec {
	t.Helper()
	text, err := os.ReadFile("interleave.lua")
	if err != nil {
		t.Fatal(err)
	}
	script = filepath.Join(t.TempDir(), "every.lua")
	t.Cleanup(func() { script = "interleave.lua" })
	text = bytes.Replace(text, []byte("-- END\n"), []byte(shapes(t, everyForm)), 1)
	if err := os.WriteFile(script, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return codec(t, everyForm)
}

// TestEveryForm compares parts of each form, at both ends of what they hold.
func TestEveryForm(t *testing.T) {
	c := withEveryForm(t)
	file := captured(t, func(w *capture.Writer) error {
		for i, m := range []every{
			{},
			{"née", [2]bool{true, false}, -1, -1, -1, -1, -1, 1, 1, 1, 1, 1, [2]spec.ID{64, 1}, [3]spec.Set{1, 1 << 63, spec.SetOf(1, 2, 9, 33, 64)}, "=x"},
			{"", [2]bool{true, true}, math.MinInt, math.MinInt8, math.MinInt16, math.MinInt32, math.MinInt64, math.MaxUint, math.MaxUint8, math.MaxUint16, math.MaxUint32, math.MaxUint64,
				[2]spec.ID{}, [3]spec.Set{1<<64 - 1, 1<<56 - 1, 0xaa55}, strings.Repeat("ä", 300)},
		} {
			write(t, w, i, dataFrame(t, c, m))
		}
		return nil
	})
	compare(t, file, map[uint64]*wire.Codec{c.Shape(): c})
}

func dataFrame(t *testing.T, c *wire.Codec, message any) wire.Frame {
	t.Helper()
	body, err := c.Append(nil, message)
	if err != nil {
		t.Fatal(err)
	}
	h := wire.Header{Kind: wire.Data, Algorithm: "test/every", Shape: c.Shape(), From: 1, To: 2, Sequence: 1}
	return wire.Frame{Header: h, Body: body}
}

// TestCutMessage cuts a message within each of its parts, and puts more behind it.
func TestCutMessage(t *testing.T) {
	c := withEveryForm(t)
	whole := dataFrame(t, c, every{Text: "text", Last: "last"})
	fields, err := c.Fields(whole.Body)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	file := captured(t, func(w *capture.Writer) error {
		add := func(body []byte, message string) {
			f := whole
			f.Body = body
			write(t, w, 1, f)
			want = append(want, slices.Repeat([]string{message}, 4)...)
		}
		add(nil, "the message is missing")
		for _, f := range fields[1:] {
			add(whole.Body[:f.At], "the message is cut in "+f.Name)
			if f.Length > 1 {
				add(whole.Body[:f.At+f.Length-1], "the message is cut in "+f.Name)
			}
		}
		add(append(bytes.Clone(whole.Body), 0), "there is more behind the message")
		return nil
	})
	rows := tshark(t, file, []string{"_ws.expert.message", "_ws.malformed.expert", "_ws.lua.error"}, "-Y", "interleave")
	var got []string
	for _, number := range slices.Sorted(maps.Keys(rows)) {
		row := rows[number]
		if row["_ws.malformed.expert"] != nil || row["_ws.lua.error"] != nil {
			t.Errorf("packet %d: the dissector fails: %q", number, row)
		}
		got = append(got, slices.DeleteFunc(row["_ws.expert.message"], func(m string) bool { return !strings.Contains(m, "the message") })...)
	}
	if !slices.Equal(got, want) {
		t.Errorf("tshark says  %q\nwe would say %q", got, want)
	}
}

// encode returns a data frame of Bully with the given message.
func encode(t *testing.T, message byte) []byte {
	t.Helper()
	c := codec(t, bully.Mended)
	b, err := wire.Frame{Header: wire.Header{Kind: wire.Data, Algorithm: "bully/mended", Shape: c.Shape(), From: 1, To: 2, Sequence: 1}, Body: []byte{message}}.Append(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// captured returns the name of a capture that write fills.
func captured(t *testing.T, write func(w *capture.Writer) error) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "some.pcapng")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w, err := capture.NewWriter(out, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(write(w), w.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestSpoilt alters each byte of a frame, and cuts it everywhere, on both
// transports: the dissector may show what it likes, but must not fail.
func TestSpoilt(t *testing.T) {
	good := encode(t, 2)
	spoilt := [][]byte{encode(t, 9), append(bytes.Clone(good), 7), []byte("GET / HTTP/1.1\r\n")}
	for i := range good {
		for _, flip := range []byte{1, 0x80, 0xff} {
			b := bytes.Clone(good)
			b[i] ^= flip
			spoilt = append(spoilt, b)
		}
		spoilt = append(spoilt, good[:i])
	}
	file := captured(t, func(w *capture.Writer) error {
		var errs []error
		for i, b := range spoilt {
			at := start.Add(time.Duration(i) * time.Millisecond)
			errs = append(errs, w.UDP(capture.Sent, at, address(1), address(2), b),
				w.TCP(capture.Sent, at, address(1), address(2), b), w.EndTCP(capture.Sent, at, address(1), address(2)))
		}
		return errors.Join(errs...)
	})
	refused, parts := 0, map[string]bool{}
	rows := tshark(t, file, []string{"interleave.wrong", "interleave.part", "_ws.expert.message", "_ws.lua.error", "_ws.malformed.expert"})
	for number, row := range rows {
		if row["_ws.lua.error"] != nil || row["_ws.malformed.expert"] != nil {
			t.Errorf("packet %d: the dissector fails: %q", number, row)
		}
		refused += len(row["interleave.wrong"])
		for _, part := range row["interleave.part"] {
			parts[part] = true
		}
	}
	const perFrame = 1 + 3 + 1 + 3 // a datagram; a handshake, a segment, an end
	if said := rows[perFrame+1]["_ws.expert.message"]; !slices.Equal(said, []string{"these bytes are no frame of version 1"}) {
		t.Errorf("of a datagram with a byte behind its frame: %q", said)
	}
	if refused < 50 || !parts["message=COORDINATOR"] || !parts["message=9"] {
		t.Errorf("%d are said to be no frames; parts %v", refused, parts)
	}
}
