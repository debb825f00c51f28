package cluster

import (
	"os"

	"interleave/impl/history"
	"interleave/spec"
)

// judgeHistory judges what can be judged of a run by its logs.
func judgeHistory(r *run, v *Verdict) error {
	h := history.Run{
		Machine: r.c.Machine, Ring: r.c.Ring, Lossy: r.c.Datagrams,
		Began: r.began, Healed: r.faultless(), Rest: r.c.longest() + 2*r.c.Delta, Changes: []history.Change{},
	}
	r.mu.Lock()
	for _, m := range r.news.moments {
		if m.What == Died || m.What == Came {
			h.Changes = append(h.Changes, history.Change{Time: m.Time, Process: m.Process, Up: m.What == Came})
		}
	}
	r.mu.Unlock()
	for id := range spec.UpTo(r.c.N).All() {
		f, err := os.Open(file(r.c.Dir, id, "ndjson"))
		if err != nil {
			return err
		}
		defer f.Close()
		h.Logs = append(h.Logs, f)
	}
	verdicts, err := h.Judge()
	for _, j := range verdicts {
		v.Judged = append(v.Judged, Judgement{Name: j.Property.Name, Doc: j.Property.Doc, Holds: j.Reason == "", Reason: j.Reason, Own: true, States: j.Judged})
	}
	return err
}
