package runcheck_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"interleave/impl/runlog"
	"interleave/linear"
	"interleave/model/modeltest"
	"interleave/spec"
)

// FuzzFromLogs changes a line of the logs of a run, whatever it says then: the logs are refused in one sentence, or judged.
func FuzzFromLogs(f *testing.F) {
	for i, patch := range []string{
		`{}`, `{"process":70}`, `{"process":0}`, `{"process":1}`, `{"input":null}`, `{"begin":null}`, `{"begin":{"ring":[]}}`, `{"begin":{"ring":[3,2,1]}}`,
		`{"time":"0001-01-01T00:00:00Z"}`, `{"time":"9999-01-01T00:00:00Z"}`, `{"input":{"event":"write","value":"x"}}`, `{"input":{"event":"write","value":1}}`,
		`{"input":{"event":"round","inbox":[{"from":70}]}}`, `{"input":{"received":{"from":9,"message":7}}}`, `{"input":{"choices":[0,1]}}`,
		`{"state":7}`, `{"state":null}`, `{"told":[1]}`, `{"told":[{"Value":3}]}`, `{"line":"begin"}`, `{"line":"end"}`, `{"line":"step"}`, `{"step":0}`, `{"incarnation":0}`, `{"incarnation":9}`, `{"sends":[]}`, `{"sends":null}`,
	} {
		for line := range byte(9) {
			f.Add(byte(i+1), line, []byte(patch))
		}
	}
	m := modeltest.Register("x/register", false)
	var once sync.Once
	var whole map[spec.ID]*bytes.Buffer
	f.Fuzz(func(t *testing.T, process, line byte, patch []byte) {
		once.Do(func() { synctest.Test(t, func(t *testing.T) { whole = realRun(t, m) }) })
		changed, id := maps.Clone(whole), spec.ID(process%3+1)
		changed[id] = &bytes.Buffer{}
		w, at := &runlog.Writer{To: changed[id]}, byte(0)
		if err := runlog.Read(bytes.NewReader(whole[id].Bytes()), func(r runlog.Record) error {
			if at == line && json.Unmarshal(patch, &r) != nil {
				t.SkipNow()
			}
			at++
			return w.Write(&r)
		}); err != nil {
			t.SkipNow()
		}
		r, err := fromLogs(m, nil, changed)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		if v := r.Histories[0].Judge(time.Second); v.Outcome == linear.Undecided && v.Reason == "" {
			t.Errorf("%+v", v)
		}
	})
}
