package runlog

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// aLog returns the log of a process that was started twice.
func aLog(t testing.TB) []byte {
	var log bytes.Buffer
	for incarnation := range uint32(2) {
		w := Writer{To: &log}
		for _, r := range []*Record{
			{Line: LineBegin, Begin: &Begin{Version: Version, Algorithm: "bully/mended", Shape: 1 << 63}},
			{Line: LineStep, Step: 1, Input: &Input{Event: "init", Memory: []byte(`{}`)}, State: []byte(`{"a":"<\"chain\":\"x\"}>"}`)},
			{Line: LineEnd},
		} {
			r.Process, r.Incarnation, r.Time = 1, incarnation+1, time.Unix(1, 2).UTC()
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	return log.Bytes()
}

func countLog(b []byte) (lines int, err error) {
	err = Read(bytes.NewReader(b), func(Record) error { lines++; return nil })
	return lines, err
}

// TestLogAltered: no line of a log can be left out, moved, doubled or altered
// without that showing, but for the last ones of an incarnation, which a crash
// may leave out as well.
func TestLogAltered(t *testing.T) {
	whole := aLog(t)
	if n, err := countLog(whole); n != 6 || err != nil {
		t.Fatal(n, err)
	}
	lines := bytes.SplitAfter(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
	lines[5] = append(lines[5], '\n')
	join := func(order ...int) []byte {
		var b []byte
		for _, i := range order {
			b = append(b, lines[i]...)
		}
		return b
	}
	for _, c := range []struct {
		log  []byte
		want string
	}{
		{join(0, 2), "log line 2: it does not follow the line before"},
		{join(1, 2), "log line 1: it does not follow"},
		{join(0, 2, 1), "log line 2: it does not follow"},
		{join(0, 1, 1), "log line 3: it does not follow"},
		{join(0, 1, 5), "log line 3: it does not follow"},
		{join(3, 0), "log line 2: incarnation 1 begins after incarnation 2"},
		{join(0, 0), "log line 2: incarnation 1 begins after incarnation 1"},
		{whole[:len(whole)-5], "log line 6: unexpected EOF"},
		{append(join(0), "{}\n"...), "log line 2: it does not end with its chain"},
		{append(join(0), `{"line":"step"}{"line":"end","chain":""}`...), "log line 2: it holds more than one JSON object"},
		{append(join(0), bytes.Repeat([]byte("x"), MaxLine+1)...), "log line 2: it is longer than 67108864 bytes"},
		{append(join(0), "\n"...), "log line 2: it is an empty line, and each line of a log is a JSON object"},
		{append(join(0), " \r\n"...), "log line 2: it is an empty line"},
		{append(join(0), `{"mood":1}`...), `log line 2: json: unknown field "mood"`},
	} {
		if _, err := countLog(c.log); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	for i := range whole {
		altered := bytes.Clone(whole)
		altered[i] ^= 1
		if _, err := countLog(altered); err == nil {
			t.Fatalf("byte %d altered: %s", i, altered)
		}
	}
	if n, err := countLog(join(0, 1, 3, 4, 5)); n != 5 || err != nil {
		t.Errorf("a crash: %d lines, %v", n, err)
	}
	stop := errors.New("enough")
	if err := Read(bytes.NewReader(whole), func(Record) error { return stop }); err != stop {
		t.Error(err)
	}
}

// TestLogPlain: a line says what it says in one way only, so that all who read it read the
// same.
func TestLogPlain(t *testing.T) {
	begin, _, _ := bytes.Cut(aLog(t), []byte("\n"))
	first := string(begin[bytes.LastIndex(begin, []byte(`,"chain":"`))+10:][:32])
	step := `{"line":"step","process":1,"incarnation":1,"number":2,"time":"1970-01-01T00:00:01Z","step":1,"input":{"event":"init","memory":{}},"leader":0,"state":{"a":1}`
	sealed := func(line string) []byte {
		return fmt.Appendf(nil, "%s\n%s,\"chain\":\"%s\"}\n", begin, line, chain(first, []byte(line)))
	}
	for _, row := range []struct{ old, new, want string }{
		{"", "", ""},
		{`:01Z"`, `:01.500+00:00"`, ""},
		{`:1}`, `:"\u003c"}`, ""},
		{`"leader":0`, `"leader":9,"leader":0`, `it has "9,\"leader\":0,\"state\"" where "0,\"state\":{\"a\":1},\"c" is to stand: write each key once`},
		{`"leader":0`, `"leader":9,"Leader":0`, `it has "9,`},
		{`"step":1`, `"STEP":1`, `it has "STEP\":1`},
		{`,"input"`, `,"sends":[],"input"`, `it has "sends\":`},
		{`,"leader":0`, ``, ""}, // where nobody is elected
		{`,"leader"`, ` ,"leader"`, `it has " ,`},
		{`"time":"1970-01-01T00:00:01Z",`, ``, `it has "\"step\":1`},
	} {
		lines, err := countLog(sealed(strings.Replace(step, row.old, row.new, 1)))
		if (err == nil) != (row.want == "") || err == nil && lines != 2 || err != nil && !strings.HasPrefix(err.Error(), "log line 2: "+row.want) {
			t.Errorf("%s for %s: %v, want %s", row.new, row.old, err, row.want)
		}
	}
	if _, err := countLog(bytes.ReplaceAll(aLog(t), []byte("\n"), []byte("\r\n"))); err == nil || !strings.Contains(err.Error(), "it ends in CR LF") {
		t.Error(err)
	}
}

// TestOpenLog: a line that a crash cut short goes, what is whole stays, and the next
// incarnation appends.
func TestOpenLog(t *testing.T) {
	whole := aLog(t)
	half := bytes.Index(whole, []byte(`"incarnation":2`))
	half = bytes.LastIndexByte(whole[:half], '\n') + 1
	for cut := half; cut < len(whole); cut++ {
		if cut%7 > 0 && whole[cut-1] != '\n' {
			continue
		}
		name := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(name, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		w := Writer{To: f}
		if err := w.Write(&Record{Line: LineBegin, Incarnation: 3}); err != nil {
			t.Fatal(err)
		}
		f.Close()
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want := 1 + bytes.Count(whole[:cut], []byte("\n"))
		if n, err := countLog(b); n != want || err != nil {
			t.Errorf("cut at %d: %d lines of %d: %v", cut, n, want, err)
		}
	}
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("a folder is taken for a log")
	}
	long := filepath.Join(t.TempDir(), "long")
	if err := os.WriteFile(long, bytes.Repeat([]byte("x"), MaxLine+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(long); err == nil || !strings.Contains(err.Error(), "it is no log of ours") {
		t.Error(err)
	}
}

// TestLogLock: two processes do not write one log.
func TestLogLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	f, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(name); runtime.GOOS != "windows" && (err == nil || err.Error() != "log "+name+": another process uses it: stop that, or name another") {
		t.Error(err)
	}
	f.Close()
	if f, err = Open(name); err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// TestLongLine: what the reader would not read is not written.
func TestLongLine(t *testing.T) {
	for _, size := range []int{MaxLine - 1000, MaxLine} {
		var b bytes.Buffer
		w := Writer{To: &b}
		err := w.Write(&Record{Line: LineBegin, Incarnation: 1, Reason: strings.Repeat("x", size)})
		if n, wrong := countLog(b.Bytes()); (err == nil) != (n == 1) || wrong != nil || (err == nil) != (size < MaxLine) {
			t.Errorf("%d bytes: written %v, read %d lines, %v", size, err, n, wrong)
		}
	}
}

func FuzzReadLog(f *testing.F) {
	f.Add(aLog(f))
	f.Add(bytes.Join(steps(f), []byte("\n")))
	f.Add([]byte(`{"line":"begin","chain":""}` + "\n"))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for line := range bytes.SplitSeq(b, []byte("\n")) {
			agree(t, line)
		}
		var again bytes.Buffer
		w := Writer{To: &again}
		_ = Read(bytes.NewReader(b), func(r Record) error {
			if r.Line == LineBegin {
				w = Writer{To: &again}
			}
			if err := w.Write(&r); err != nil {
				return fmt.Errorf("%+v cannot be written: %w", r, err)
			}
			return nil
		})
	})
}

// TestOpenForeign: a file that is no log of ours stays as it is.
func TestOpenForeign(t *testing.T) {
	for _, text := range []string{"a key", "{\"line\":\"step\"}\n", "{\"version\":1}\nlast line", "{\"line\": \"begin\"}\n"} {
		name := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(name); err == nil {
			t.Errorf("%q is taken for a log", text)
		}
		if b, _ := os.ReadFile(name); string(b) != text {
			t.Errorf("%q has become %q", text, b)
		}
	}
}
