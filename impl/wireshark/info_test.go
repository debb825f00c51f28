package wireshark_test

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
)

// TestInfo reads the line that Wireshark shows of each packet.
func TestInfo(t *testing.T) {
	elected, err := changroberts.Textbook.Traits().ReadMessage([]byte(`{"Kind": 1, "ID": 3}`))
	if err != nil {
		t.Fatal(err)
	}
	frame := func(m spec.Machine, kind wire.Kind, sequence, link uint64, message any) []byte {
		c := codec(t, m)
		f := wire.Frame{Header: wire.Header{Kind: kind, Algorithm: m.Traits().Name, Shape: c.Shape(), Run: 1, From: 1, To: 2, Incarnation: 1, Sequence: sequence, Link: link}}
		if message != nil {
			if f.Body, err = c.Append(nil, message); err != nil {
				t.Fatal(err)
			}
		}
		b, err := f.Append(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	two := frame(changroberts.Textbook, wire.Data, 4, 3, elected)
	bare := frame(bully.Mended, wire.Data, 7, 0, bully.Mended.Traits().Message)
	beat := frame(bully.Mended, wire.Heartbeat, 0, 0, nil)
	file := captured(t, func(w *capture.Writer) error {
		from, to := address(1), address(2)
		return errors.Join(
			w.UDP(capture.Sent, start, from, to, two),
			w.UDP(capture.Delivered, start, from, to, bare),
			w.UDP(capture.Sent, start, from, to, beat),
			w.TCP(capture.Delivered, start, from, to, append(append([]byte{}, beat...), two...)))
	})
	want := []string{
		"sent 1 → 2 data ELECTED ID=3 seq=4 link=3",
		"delivered 1 → 2 data ELECTION seq=7",
		"sent 1 → 2 heartbeat",
		"delivered 1 → 2 heartbeat; 1 → 2 data ELECTED ID=3 seq=4 link=3",
	}
	var got []string
	for _, row := range sorted(tshark(t, file, []string{"_ws.col.Info", "_ws.col.info", "interleave.kind"})) {
		if row["interleave.kind"] != nil {
			got = append(got, slices.Concat(row["_ws.col.Info"], row["_ws.col.info"])[0]) // its name is another in later versions
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("tshark shows %q, not %q", got, want)
	}
	if sent := tshark(t, file, []string{"interleave.kind"}, "-Y", `frame.interface_name == "sent" && interleave`); len(sent) != 2 {
		t.Errorf("%d packets were sent: %v", len(sent), sent)
	}
}

// sorted returns rows in the order of their packets.
func sorted(rows map[int]map[string][]string) (all []map[string][]string) {
	for _, number := range slices.Sorted(maps.Keys(rows)) {
		all = append(all, rows[number])
	}
	return all
}
