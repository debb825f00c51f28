package cluster

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"interleave/impl/runcheck"
	"interleave/linear"
	"interleave/spec"
)

// judgeByLogs judges what can be judged of a run by what is in its directory, as mc conform does.
func judgeByLogs(r *run, v *Verdict) error {
	told, err := runcheck.ReadOccasions(filepath.Join(r.c.Dir, "occasions.ndjson"))
	if err != nil {
		return err
	}
	var logs []string
	for id := range spec.UpTo(r.c.N).All() {
		logs = append(logs, file(r.c.Dir, id, "ndjson"))
	}
	verdicts, _, err := runcheck.JudgeFiles(r.c.Machine, logs, told)
	for _, j := range verdicts {
		v.Judged = append(v.Judged, Judgement{Name: j.Property.Name, Doc: j.Property.Doc, Holds: j.Reason == "", Reason: j.Reason, Own: true, States: j.Judged, Cover: j.Property.Form == spec.Reachable})
	}
	return errors.Join(err, judgeObjects(r, v, logs, told.Down()))
}

// judgeObjects judges whether a run is linearizable, for each object that the algorithm brings along, by the logs.
func judgeObjects(r *run, v *Verdict, names []string, down spec.Set) error {
	objects := r.c.Machine.Traits().Objects
	if len(objects) == 0 {
		return nil
	}
	var logs []io.Reader
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		logs = append(logs, f)
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
