package cluster

import (
	"path/filepath"

	"interleave/impl/runcheck"
	"interleave/linear"
	"interleave/spec"
)

// judgeByLogs judges what can be judged of a run by what is in its directory, as mc conform does: the properties that the
// algorithm brings along, and whether the run is linearizable for each of its objects.
func judgeByLogs(c Config, v *Verdict) error {
	told, err := runcheck.ReadOccasions(filepath.Join(c.Dir, "occasions.ndjson"))
	if err != nil {
		return err
	}
	var logs []string
	for id := range spec.UpTo(c.N).All() {
		logs = append(logs, file(c.Dir, id, "ndjson"))
	}
	report, err := runcheck.JudgeFiles(c.Machine, logs, told)
	for _, j := range report.Verdicts {
		v.Judged = append(v.Judged, Judgement{Name: j.Property.Name, Doc: j.Property.Doc, Holds: j.Reason == "", Reason: j.Reason, Own: true, States: j.Judged, Cover: j.Property.Form == spec.Reachable})
	}
	for _, h := range report.Histories {
		j := h.Judge(linear.TimeLimit)
		v.Judged = append(v.Judged, Judgement{
			Name: j.Object, Doc: j.Doc, Own: true, Object: j.Outcome.String(), Holds: j.Outcome == linear.Linearizable,
			Reason: j.Reason, Requests: j.Requests, Answers: j.Answers,
		})
	}
	return err
}
