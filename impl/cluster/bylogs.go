package cluster

import (
	"fmt"
	"io"
	"os"
	"time"

	"interleave/impl/runcheck"
	"interleave/linear"
	"interleave/spec"
)

// judgeHistory judges what can be judged of a run by its logs.
func judgeHistory(r *run, v *Verdict) error {
	h := runcheck.Run{
		Machine: r.c.Machine, Ring: r.c.Ring, Lossy: r.c.Datagrams,
		Began: r.began, Healed: r.faultless(), Rest: runcheck.Rest(r.c.Delta, r.c.durations), Changes: []runcheck.Change{},
	}
	r.mu.Lock()
	for _, m := range r.news.moments {
		if m.What == Died || m.What == Came {
			h.Changes = append(h.Changes, runcheck.Change{Time: m.Time, Process: m.Process, Up: m.What == Came})
		}
	}
	r.mu.Unlock()
	files, done, err := openLogs(r.c.Dir, r.c.N)
	defer done()
	if err != nil {
		return err
	}
	for _, f := range files {
		h.Logs = append(h.Logs, f)
	}
	verdicts, _, err := h.Judge()
	for _, j := range verdicts {
		v.Judged = append(v.Judged, Judgement{Name: j.Property.Name, Doc: j.Property.Doc, Holds: j.Reason == "", Reason: j.Reason, Own: true, States: j.Judged, Cover: j.Property.Form == spec.Reachable})
	}
	return err
}

// judgeObjects judges whether a run is linearizable, for each object that the algorithm brings along, by the logs.
func judgeObjects(r *run, v *Verdict) error {
	objects := r.c.Machine.Traits().Objects
	if len(objects) == 0 {
		return nil
	}
	files, done, err := openLogs(r.c.Dir, r.c.N)
	defer done()
	if err != nil {
		return err
	}
	var logs []io.Reader
	for _, f := range files {
		logs = append(logs, f)
	}
	var down spec.Set
	for _, id := range v.Down {
		down = down.With(id)
	}
	histories, err := linear.FromLogs(r.c.Machine, down, logs...)
	for i, o := range objects {
		j := Judgement{Name: o.Name, Doc: o.Doc, Own: true, Object: linear.Undecided.String()}
		if err != nil {
			j.Reason = err.Error()
		} else {
			h := histories[i]
			h.Moment = func(at int64) string { return fmt.Sprintf("%.4f s", time.Unix(0, at).Sub(r.began).Seconds()) }
			judged := h.Judge(linear.TimeLimit)
			j.Object, j.Reason, j.Requests, j.Answers = judged.Outcome.String(), judged.Reason, judged.Requests, judged.Answers
			j.Holds = judged.Outcome == linear.Linearizable
		}
		v.Judged = append(v.Judged, j)
	}
	return nil
}

// openLogs opens the logs of all n processes in a run directory; done closes them.
func openLogs(dir string, n int) (files []*os.File, done func(), err error) {
	done = func() {
		for _, f := range files {
			f.Close()
		}
	}
	for id := range spec.UpTo(n).All() {
		f, err := os.Open(file(dir, id, "ndjson"))
		if err != nil {
			return files, done, err
		}
		files = append(files, f)
	}
	return files, done, nil
}
