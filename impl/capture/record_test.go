package capture_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"reflect"
	"testing"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/impl/wire/wiretest"
)

// TestRecord: what is recorded reads as what it was recorded from, packet by
// packet, and only what is by our ports is.
func TestRecord(t *testing.T) {
	file, want := written(t, 30, nil)
	var b bytes.Buffer
	for _, c := range []struct {
		port uint16
		want []capture.Packet
	}{{wire.Port, want}, {7, nil}} {
		b.Reset()
		r, err := capture.NewReader(bytes.NewReader(file), capture.Options{Ports: []uint16{c.port}})
		if err != nil {
			t.Fatal(err)
		}
		recording := r.Record(&b)
		read0 := 0
		for ; err == nil; _, err = r.Next() {
			read0++
		}
		if err := recording.Flush(); err != nil {
			t.Fatal(err)
		}
		got, err := read(b.Bytes(), capture.Options{})
		if err != io.EOF || len(got) != len(c.want) || len(got) != read0-1 || recording.Packets() < len(got) || c.want == nil && recording.Packets() > 0 {
			t.Fatalf("port %d: %d frames read, then %d of %d, in %d packets: %v", c.port, read0-1, len(got), len(c.want), recording.Packets(), err)
		}
		for i, p := range got {
			if p.Interface != want[i].Interface || !p.Time.Equal(want[i].Time) || !reflect.DeepEqual(p.Frame, want[i].Frame) || p.TCP != want[i].TCP {
				t.Errorf("packet %d: %+v, want %+v", i, p, want[i])
			}
		}
	}
}

// TestRecordInterfaces: each packet keeps its interface, in whatever order they
// come.
func TestRecordInterfaces(t *testing.T) {
	var file, b bytes.Buffer
	w, err := capture.NewWriter(&file, "a test")
	if err != nil {
		t.Fatal(err)
	}
	sides := []capture.Side{capture.Delivered, capture.Sent, capture.Delivered}
	for _, side := range sides {
		if err := w.UDP(side, start, one, two, wiretest.Encode(t, frame(0), nil)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := capture.NewReader(&file, capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	recording := r.Record(&b)
	for err == nil {
		_, err = r.Next()
	}
	if err := recording.Flush(); err != nil {
		t.Fatal(err)
	}
	got, err := read(b.Bytes(), capture.Options{})
	if err != io.EOF || len(got) != len(sides) {
		t.Fatalf("%d packets, %v", len(got), err)
	}
	for i, p := range got {
		if p.Interface != sides[i].String() {
			t.Errorf("packet %d is of %s, want %v", i, p.Interface, sides[i])
		}
	}
}

// full is a disk that is.
type full struct{}

var errFull = errors.New("no space is left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestRecordOnFullDisk: a recording that cannot go on ends the reading.
func TestRecordOnFullDisk(t *testing.T) {
	file, _ := written(t, 400, nil)
	r, err := capture.NewReader(bytes.NewReader(file), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	recording := r.Record(full{})
	for err == nil {
		_, err = r.Next()
	}
	if !errors.Is(err, errFull) || !errors.Is(recording.Flush(), errFull) {
		t.Errorf("%v, %v", err, recording.Flush())
	}
}

// TestRecordCooked: what the library would write under another link type ends the reading.
func TestRecordCooked(t *testing.T) {
	file, err := os.Open("testdata/any.pcap")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := capture.NewReader(file, capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.Record(io.Discard)
	if p, err := r.Next(); !errors.Is(err, capture.ErrLinkType) {
		t.Errorf("%+v, %v", p, err)
	}
}
