package runlog

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"interleave/spec"
)

// steps are lines that have every field that a step can have.
func steps(t testing.TB) [][]byte {
	live := spec.UpTo(3)
	letter := Letter{Name{2, 1, 7}, "OK", []byte(`{"Round":-3,"Votes":[1,2],"Name":"a b","Up":true}`)}
	var log bytes.Buffer
	w := Writer{To: &log}
	leader := spec.ID(3)
	for _, in := range []Input{
		{Event: "init", Memory: []byte(`{"Mode":0,"Last":[]}`)},
		{Event: "start", Initiator: true, Live: &live},
		{Event: "timeout", Timer: "T_ok"},
		{Event: "propose", Value: []byte(`{"Key":7}`), Choices: []int{0, 3}},
		{Event: "suspect", Peer: 2, Round: 4},
		{Event: "receive", Received: &letter, Delay: "1.5ms"},
		{Event: "round", Round: 12, Inbox: []Letter{letter, letter}},
	} {
		r := Record{
			Line: LineStep, Process: 1, Incarnation: 2, Time: time.Unix(1, 2).UTC(), Step: 3, Input: &in,
			Sends:   []Sent{{To: 2, Sequence: 1, Kind: "OK", Message: []byte("1")}, {To: 3, Next: true, Sequence: 2, Kind: "OK", Message: []byte(`{}`)}},
			Outputs: []json.RawMessage{[]byte("1"), []byte(`[false]`)}, Armed: []string{"T_ok", "T_coord"}, Stopped: []string{"T_ok"},
			Leader: &leader, State: []byte(`{"Mode":0}`), Before: "0123456789abcdef", After: "fedcba9876543210",
		}
		if err := w.Write(&r); err != nil {
			t.Fatal(err)
		}
	}
	return bytes.Split(bytes.TrimSuffix(log.Bytes(), []byte("\n")), []byte("\n"))
}

// agree wants a scanner to read a line as encoding/json does, if it is written as this
// package writes it, or to leave it alone.
func agree(t testing.TB, line []byte) (taken bool) {
	t.Helper()
	r, ok := new(scanner).scan(line)
	if !ok {
		return false
	}
	want := new(Record)
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(want); err != nil || d.InputOffset() != int64(len(line)) {
		t.Fatalf("a line that is none: %v\n%s", err, line)
	}
	if !reflect.DeepEqual(r, want) {
		t.Fatalf("%+v\n%+v\n%s", r, want, line)
	}
	if err := plain(r, line); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return true
}

// TestScan: the lines of steps are for the scanner, and whatever is left out of one,
// put in or altered, it reads what is there or nothing.
func TestScan(t *testing.T) {
	stride := 1
	if testing.Short() {
		stride = 5
	}
	for _, line := range steps(t) {
		if !agree(t, line) {
			t.Errorf("left to encoding/json: %s", line)
		}
		taken := 0
		for i := 0; i < len(line); i += stride {
			for _, c := range []byte("09-.eE \x00\x7f\x80\"\\{}[],:nt") {
				for _, altered := range [][]byte{
					append(append(bytes.Clone(line[:i]), c), line[i+1:]...),
					append(append(bytes.Clone(line[:i]), c), line[i:]...),
				} {
					if agree(t, altered) {
						taken++
					}
				}
			}
			agree(t, append(bytes.Clone(line[:i]), line[i+1:]...))
			agree(t, line[:i])
		}
		if taken == 0 {
			t.Error("no altered line is for the scanner, so nothing was compared")
		}
	}
	r, _ := new(scanner).scan(steps(t)[0])
	if _, told := append(r.Outputs[0], "longer"...), string(r.Outputs[1]); told != `[false]` {
		t.Errorf("who makes a value longer writes over the next one: %s", told)
	}
	plain, _, _ := bytes.Cut(steps(t)[0], []byte(`,"step":3,`))
	if !agree(t, append(bytes.Clone(plain), `,"step":3,"leader":0,"chain":"00"}`...)) {
		t.Error("a line without anything odd is left to encoding/json")
	}
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) // too deep for encoding/json
	begin, _, _ := bytes.Cut(steps(t)[0], []byte(`,"step":3,`))
	for _, odd := range []string{`"before":"","chain":"00"}`, `"after":"","chain":"00"}`, `"chain":""}`} {
		line := append(bytes.Clone(begin), `,"leader":0,`+odd...)
		if _, ok := new(scanner).scan(line); ok {
			t.Errorf("not left to encoding/json: %s", line)
		}
	}
	for _, odd := range []string{`,"step":3,"told":[` + deep + `],`, `,"step":3,"sends":[{"to":1,"sequence":1,"kind":"OK","message":1.5}],`, `,"step":3,"input":{"event":"receive","received":{"from":1,"incarnation":4294967296,"sequence":1,"kind":"OK","message":1}},`, `,"step":01,`, `,"step":99999999999999999999,`, `,"step":null,`, `,"sends":[],`, `,"told":[null],`,
		`,"step":0,`, `,"input":{"event":"timeout","timer":""},`, `,"input":{"event":"suspect","peer":0},`, `,"input":{"event":"round","round":0},`, `,"input":{"event":"receive","delay":""},`,
		`,"input":{"event":"start","live":[2,1]},`, `,"input":{"event":"start","live":[1,1]},`, `,"input":{"event":"start","live":[65]},`} {
		line := append(bytes.Clone(begin), odd+`"leader":0,"chain":"00"}`...)
		if _, ok := new(scanner).scan(line); ok {
			t.Errorf("not left to encoding/json: %.200s", line)
		}
	}
}

// BenchmarkReadLog is how many lines are read, by the scanner and by what it spares.
func BenchmarkReadLog(b *testing.B) {
	lines := steps(b)
	b.Run("scan", func(b *testing.B) {
		var s scanner
		for i := 0; b.Loop(); i++ {
			if _, ok := s.scan(lines[i%len(lines)]); !ok {
				b.Fatal("not for the scanner")
			}
		}
	})
	b.Run("json", func(b *testing.B) {
		l := NewReader(bytes.NewReader(nil))
		for i := 0; b.Loop(); i++ {
			if _, err := l.object(lines[i%len(lines)]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
