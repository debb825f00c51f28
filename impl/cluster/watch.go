package cluster

import (
	"context"
	"fmt"
	"slices"
	"time"

	"interleave/impl/cluster/network"
	"interleave/impl/runlog"
	"interleave/spec"
)

// reports are what the log of a process told, and what was seen of it.
type reports struct {
	came     time.Time // when it was last started
	steps    int       // over all its incarnations, as are the breaches
	breaches map[runlog.BreachKind]int
	memory   Memory
	rate     float64 // frames a second, of late
	sent     int     // frames
}

// Memory is what a process took of it, in bytes, since it was last started: one
// sample a second.
type Memory struct {
	Quarters [5]int64 `json:"quarters"` // at the first sample, after a quarter of the time and so on, and at the last
	Most     int64    `json:"most"`
	Samples  int      `json:"samples"`

	pid int
	all []int64
}

// hear takes in a line of the log of a process. What it says of a former incarnation
// counts, and whom it followed then is too late to matter.
func (r *run) hear(line report) {
	r.mu.Lock()
	at := r.reports[line.Process]
	if at == nil {
		r.mu.Unlock()
		return
	}
	switch {
	case line.Line == runlog.LineStep:
		at.steps++
	case line.Breach != nil:
		at.breaches[line.Breach.Kind]++
	}
	changes := line.Line == runlog.LineStep && line.Leader != nil && !line.Time.Before(at.came) && r.view.leaders[line.Process] != *line.Leader
	if line.Line == runlog.LineStep && line.Leader == nil {
		r.changed = time.Now()
	}
	r.mu.Unlock()
	if changes {
		r.note(Moment{line.Time, line.Process, Follows, *line.Leader})
	}
}

// note takes in a moment.
func (r *run) note(m Moment) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.news.add(m)
	before := r.view.leaders[m.Process]
	r.view.take(m)
	if m.What != Follows || before != r.view.leaders[m.Process] {
		r.changed = time.Now()
	}
}

// tell tells what happened, when the news of now are told.
func (r *run) tell(what string, process spec.ID, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.news.put(Occasion{Time: time.Now(), What: what, Process: process, Text: fmt.Sprintf(format, args...)})
}

// newsDelay is how long what happened waits to be told: as long as the log of a
// process may take to be read.
const newsDelay = 250 * time.Millisecond

// publish tells what happened until then.
func (r *run) publish(until time.Time) {
	r.mu.Lock()
	told := r.news.until(until)
	for i := range told {
		told[i].Elapsed = told[i].Time.Sub(r.began).Seconds()
	}
	r.recent = append(r.recent, told...)
	r.recent = slices.Delete(r.recent, 0, max(0, len(r.recent)-recentOccasions))
	r.mu.Unlock()
	for _, o := range told {
		r.occasions.write(o)
		if r.c.Tell != nil {
			r.c.Tell(o)
		}
	}
}

const recentOccasions = 100

func (r *run) enter(phase string) {
	r.mu.Lock()
	r.phase = phase
	r.mu.Unlock()
}

// watch looks at everything and tells the news ten times a second, and writes a
// snapshot every second.
func (r *run) watch(ctx context.Context) {
	const period = 100 * time.Millisecond
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	next := time.Now().Add(period)
	for i := 1; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		r.due(next)
		next = time.Now().Add(period)
		r.publish(time.Now().Add(-newsDelay))
		if i%10 == 0 {
			r.sample(time.Second)
			r.snapshots.write(r.snapshot())
			for _, file := range []*lineLog{r.fates, r.occasions, r.snapshots} {
				file.flush()
			}
		}
		if r.c.Watch != nil {
			r.c.Watch(r.snapshot())
		}
	}
}

// sample measures rates and memory over the time since the last sample.
func (r *run) sample(since time.Duration) {
	_, _, sentBy, _ := r.network.Now()
	for id, p := range r.processes {
		_, _, pid := p.now()
		bytes := memory(pid)
		r.mu.Lock()
		at := r.reports[id]
		at.rate = float64(sentBy[id]-at.sent) / since.Seconds()
		at.sent = sentBy[id]
		if pid != 0 && bytes > 0 {
			at.memory.take(pid, bytes)
		}
		r.mu.Unlock()
	}
}

func (m *Memory) take(pid int, bytes int64) {
	if m.pid != pid {
		*m = Memory{pid: pid}
	}
	m.all = append(m.all, bytes)
	m.Samples, m.Most = len(m.all), max(m.Most, bytes)
	for i := range m.Quarters {
		m.Quarters[i] = m.all[i*(m.Samples-1)/4]
	}
}

// last returns the last sample.
func (m Memory) last() int64 { return m.Quarters[4] }

// Snapshot is how a run is at one moment.
type Snapshot struct {
	Time      time.Time       `json:"time"`
	Elapsed   float64         `json:"elapsed"` // seconds
	Phase     string          `json:"phase"`   // faults or healing
	Faults    network.Faults  `json:"-"`
	Cuts      []string        `json:"cuts,omitempty"`
	Network   string          `json:"network"`          // the faults in words
	Agreed    spec.ID         `json:"agreed,omitempty"` // whom all live processes follow, 0 if they do not
	Processes []Row           `json:"processes"`
	Traffic   network.Traffic `json:"traffic"`

	Course Course     `json:"-"`
	Recent []Occasion `json:"-"` // the last ones, oldest first
}

// Row is how one process is.
type Row struct {
	Process  spec.ID `json:"process"`
	State    State   `json:"state"`
	Leader   spec.ID `json:"leader,omitempty"` // in its eyes
	Starts   int     `json:"starts"`
	Steps    int     `json:"steps"`    // of the machine, over all its incarnations
	Rate     float64 `json:"rate"`     // frames a second
	Breaches int     `json:"breaches"` // assumptions that it saw violated, over all its incarnations
	Memory   int64   `json:"memory"`   // bytes, 0 if nobody knows
}

func (r *run) snapshot() Snapshot {
	now := time.Now()
	s := Snapshot{Time: now, Elapsed: now.Sub(r.began).Seconds()}
	s.Faults, s.Cuts, _, s.Traffic = r.network.Now()
	s.Network = s.Faults.String()
	r.mu.Lock()
	defer r.mu.Unlock()
	s.Phase, s.Agreed, s.Recent = r.phase, r.view.agreed(), slices.Clone(r.recent)
	s.Course = follow(r.c.N, r.news.moments, now)
	for id := range spec.UpTo(r.c.N).All() {
		state, starts, _ := r.processes[id].now()
		at := r.reports[id]
		row := Row{Process: id, State: state, Leader: r.view.leaders[id], Starts: starts, Steps: at.steps, Rate: at.rate, Breaches: total(at.breaches), Memory: at.memory.last()}
		s.Processes = append(s.Processes, row)
	}
	return s
}

func total(counts map[runlog.BreachKind]int) (sum int) {
	for _, n := range counts {
		sum += n
	}
	return sum
}
