package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"time"

	"interleave/impl/cluster/network"
	"interleave/impl/runlog"
	"interleave/spec"
)

// askTime is how long a process may take to return its status.
const askTime = 2 * time.Second

// maxStatus bounds the size of a status.
const maxStatus = 1 << 20

// judge asks the processes of a run for their status and judges that, given whether an agreement
// had lasted.
func judge(r *run, lasted bool) *Verdict {
	v := &Verdict{lasted: lasted}
	f := final{n: r.c.N, leaders: map[spec.ID]spec.ID{}}
	for id := range spec.UpTo(r.c.N).All() {
		state, _, _ := r.processes[id].now()
		if state != Up {
			v.Down = append(v.Down, id)
			continue
		}
		word, err := ask(r.addresses, id)
		if err != nil {
			v.Trouble = append(v.Trouble, fmt.Sprintf("process %v does not say how it is: %v", id, err))
		}
		word.Process = id
		v.Reports = append(v.Reports, word)
		f.up = f.up.With(id)
		if word.Leader != nil {
			f.leaders[id] = *word.Leader
		}
	}
	traits := r.c.Machine.Traits()
	f.top = top(traits, f.up, r.c.Initiators)
	for _, p := range promised(traits) {
		j := Judgement{Name: p.name, Doc: p.doc, Holds: true}
		if err := p.judge(f); err != nil {
			j.Holds, j.Reason = false, err.Error()
		}
		v.Judged = append(v.Judged, j)
	}
	return v
}

// outcome returns the outcome of a finished run, in which all agreed so many times after the
// healing, and the reason in a sentence.
func outcome(c Config, healed int, v *Verdict) (Outcome, string) {
	t, lasted := c.Machine.Traits(), v.lasted
	switch {
	case v.Outcome == Interrupted:
		return v.Outcome, v.Reason
	case len(v.Failures) > 0 && !t.Elects:
		return Violated, v.Failures[0]
	case len(v.Failures) > 0:
		return Disagreed, v.Failures[0]
	case len(v.Trouble) > 0:
		return Unknown, v.Trouble[0]
	}
	for _, j := range v.Judged {
		if j.Own && j.violated() {
			return Violated, fmt.Sprintf("%s, %s", j.Name, j.Reason)
		}
	}
	switch {
	case t.Elects:
	case lasted:
		return Held, fmt.Sprintf("nothing was seen violated, and after the healing %s took no step for %v", countOf(len(v.Reports), "live process", "live processes"), c.Calm)
	default:
		return Held, fmt.Sprintf("nothing was seen violated; the processes did not come to rest for %v within %v after the healing, so nothing is said of quiescent states then", c.Calm, c.Settle)
	}
	when := fmt.Sprintf("%v after the healing", c.Settle)
	if lasted {
		when = "when the processes were asked"
	}
	for _, j := range v.Judged {
		if j.violated() {
			return Disagreed, fmt.Sprintf("%s is not so %s: %s", j.Name, when, j.Reason)
		}
	}
	switch {
	case !lasted && t.Unannounced && t.Wins == spec.Anyone:
		return Disagreed, fmt.Sprintf("there was no one process that followed itself for %v within %v after the healing", c.Calm, c.Settle)
	case !lasted && t.Unannounced:
		return Disagreed, fmt.Sprintf("the one that ought to win did not follow itself for %v within %v after the healing", c.Calm, c.Settle)
	case t.Unannounced && t.Wins == spec.Anyone:
		return Agreed, "after the healing one process followed itself; nobody else learns of it in this algorithm"
	case t.Unannounced:
		return Agreed, "after the healing the one that ought to win followed itself; nobody else learns of it in this algorithm"
	case !lasted:
		return Disagreed, fmt.Sprintf("there was no agreement that lasted for %v within %v after the healing", c.Calm, c.Settle)
	case c.Elections > healed:
		return Disagreed, fmt.Sprintf("all processes agreed after the healing %d times of %d", healed, c.Elections)
	}
	return Agreed, fmt.Sprintf("after the healing %s followed %v, for %v without a change", countOf(len(v.Reports), "live process", "live processes"), *v.Reports[0].Leader, c.Calm)
}

func countOf(n int, one, many string) string {
	if n == 1 {
		return "the one " + one
	}
	return fmt.Sprintf("all %d %s", n, many)
}

// ask asks a process for its status.
func ask(a network.Addresses, id spec.ID) (FinalWord, error) {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	text, status, err := exchange(ctx, http.MethodGet, a, id, "/status", nil)
	if err == nil && status != http.StatusOK {
		err = errors.New(http.StatusText(status))
	}
	if err != nil {
		return FinalWord{}, err
	}
	var word FinalWord
	err = json.Unmarshal(text, &word)
	return FinalWord{Incarnation: word.Incarnation, Leader: word.Leader, Status: text}, err
}

// exchange returns what a process answers to a request over HTTP.
func exchange(ctx context.Context, method string, a network.Addresses, id spec.ID, path string, body io.Reader) (answer []byte, status int, err error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+a.Status(id).String()+path, body)
	if err != nil {
		return nil, 0, err
	}
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		return nil, 0, err
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(resp.Body, maxStatus))
	return answer, resp.StatusCode, err
}

// complete fills in what is known of a run when it is over.
func complete(r *run, v *Verdict) {
	end := time.Now()
	traits := r.c.Machine.Traits()
	v.Version, v.Algorithm, v.N, v.Ring, v.Seed, v.Run = 2, traits.Name, r.c.N, r.c.Ring, r.c.Plan.Seed, r.id
	v.Transport, v.Datagrams, v.Port, v.DeltaMS = r.c.transport(), r.c.Datagrams, r.addresses.Port, milliseconds(r.c.Delta)
	v.Began, v.Seconds, v.Warnings = r.began, end.Sub(r.began).Seconds(), r.c.Warnings()
	for _, name := range slices.Sorted(maps.Keys(r.c.durations)) {
		v.Timers = append(v.Timers, Timer{name, milliseconds(r.c.durations[name])})
	}
	_, _, _, v.Traffic = r.network.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if traits.Elects {
		v.Course = follow(r.c.N, r.news.moments, end).report(r.c.Delta, end.Sub(r.began), r.healed)
	}
	if r.requests != (Requests{}) {
		v.Requests = &r.requests
	}
	v.Late, v.Failures, v.Breaches = r.late, r.failures, map[runlog.BreachKind]int{}
	for id := range spec.UpTo(r.c.N).All() {
		at := r.reports[id]
		for kind, n := range at.breaches {
			v.Breaches[kind] += n
		}
		if _, starts, _ := r.processes[id].now(); at.memory.Samples > 0 {
			v.Memory = append(v.Memory, ProcessMemory{id, starts, at.memory})
		}
	}
}
