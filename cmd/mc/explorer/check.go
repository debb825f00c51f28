package explorer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"interleave/explore"
	"interleave/properties"
	"interleave/properties/election"
)

// checkMemory bounds the states and tables of a check, which runs beside a browser.
const checkMemory = 2 << 30

// job is a check that runs, or ran.
type job struct {
	cancel context.CancelFunc
	done   chan struct{}

	mu     sync.Mutex
	status CheckStatus
}

// CheckStatus is how a check is getting on, and what it found.
type CheckStatus struct {
	Begun       bool           `json:"begun"`
	Running     bool           `json:"running"`
	Doing       string         `json:"doing,omitempty"`
	States      int            `json:"states"`
	Transitions int            `json:"transitions"`
	Depth       int            `json:"depth"`
	Frontier    int            `json:"frontier"`
	Seconds     float64        `json:"seconds"`
	Error       string         `json:"error,omitempty"`
	Verdict     string         `json:"verdict,omitempty"`
	Why         string         `json:"why,omitempty"`
	Complete    bool           `json:"complete"`
	Findings    []Found        `json:"findings,omitempty"`
	Fired       map[string]int `json:"fired,omitempty"`       // transitions by kind of action
	NeverFired  []string       `json:"never_fired,omitempty"` // if the check is complete
}

// Found is what a check found of a property.
type Found struct {
	Name    string `json:"name"`
	Doc     string `json:"doc"`
	Verdict string `json:"verdict"`
	Why     string `json:"why,omitempty"`
	Note    string `json:"note,omitempty"`
	Course  int    `json:"course"` // that shows it; -1: none does
}

func (s *Server) progress(q which) (CheckStatus, error) {
	j, err := s.check(q)
	if j == nil {
		return CheckStatus{}, err
	}
	return j.now(), nil
}

// check returns the check of a course; nil if none was begun.
func (s *Server) check(q which) (*job, error) {
	if _, err := s.course(q); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.checks[q], nil
}

func (j *job) now() CheckStatus {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.status
}

// start begins to check the world of a course, unless that runs already.
func (s *Server) start(q which) (CheckStatus, error) {
	c, err := s.course(q)
	if err != nil {
		return CheckStatus{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if j := s.checks[q]; j != nil && j.now().Running {
		return j.now(), nil
	}
	for _, j := range s.checks {
		if j.now().Running {
			return CheckStatus{}, errors.New("another check runs: stop that one first")
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	j := &job{cancel: cancel, done: make(chan struct{}), status: CheckStatus{Begun: true, Running: true, Doing: "searching"}}
	s.checks[q] = j
	go s.run(ctx, c, j, q)
	return j.now(), nil
}

// stop ends a check and waits until it has ended.
func (s *Server) stop(q which) (CheckStatus, error) {
	j, err := s.check(q)
	if j == nil {
		return CheckStatus{}, err
	}
	j.cancel()
	<-j.done
	return j.now(), nil
}

func (s *Server) stopAll() {
	s.mu.Lock()
	jobs := slices.Collect(maps.Values(s.checks))
	s.mu.Unlock()
	for _, j := range jobs {
		j.cancel()
		<-j.done
	}
}

// run checks the world of a course.
func (s *Server) run(ctx context.Context, c *course, j *job, q which) {
	defer close(j.done)
	defer j.cancel()
	began := time.Now()
	report, err := properties.Verify(ctx, c.Machine, c.Config, c.Properties, properties.Options{
		Catalogue: election.Catalogue, Continue: true, Engine: properties.Explicit, Workers: runtime.GOMAXPROCS(0), Memory: checkMemory,
		Progress: func(st explore.Stats) {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.status.States, j.status.Transitions, j.status.Depth, j.status.Frontier = st.States, st.Transitions, st.Depth, st.Frontier
			j.status.Seconds = time.Since(began).Seconds()
		},
		Judging: func(l explore.Look) {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.status.Doing = fmt.Sprintf("looking for %s: %d of %d states", l.For, l.States, l.Of)
			j.status.Seconds = time.Since(began).Seconds()
		},
	})
	var found []Found
	if err == nil {
		found = s.found(c, report, q)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.status.Running, j.status.Doing, j.status.Seconds = false, "", time.Since(began).Seconds()
	if err != nil {
		j.status.Error = err.Error()
		return
	}
	st := report.Stats
	j.status.States, j.status.Transitions, j.status.Depth, j.status.Frontier = st.States, st.Transitions, st.Depth, st.Frontier
	j.status.Verdict, j.status.Why, j.status.Complete = report.Verdict.String(), report.Why, st.Complete
	j.status.Findings, j.status.Fired, j.status.NeverFired = found, st.Fired, report.NeverFired
}

// found adds the traces of a report to what there is to look at.
func (s *Server) found(c *course, r *properties.Report, q which) []Found {
	var all []Found
	for _, f := range r.Findings {
		row := Found{Name: f.Name, Doc: f.Doc, Verdict: f.Verdict.String(), Why: f.Why, Note: f.Note, Course: -1}
		if f.Kind == properties.CoverKind {
			row.Verdict = cmp.Or(map[properties.Verdict]string{properties.Verified: "REACHED", properties.Violated: "NEVER"}[f.Verdict], row.Verdict)
		}
		if f.OnlyLuck {
			row.Why += "; " + properties.OnlyLuck
		}
		if f.Trace != nil {
			subject := c.Subject
			subject.Name, subject.Trace = "counterexample to "+f.Name, f.Trace
			if q.World != "" {
				subject.Name += " (" + worldWords(q.World) + ")"
			}
			if shown, err := newCourse(subject); err == nil {
				row.Course = s.add(shown)
			}
		}
		all = append(all, row)
	}
	return all
}

// add adds a course, unless there is one of the same name and run.
func (s *Server) add(c *course) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, old := range s.courses {
		if old.Trace != nil && old.Name == c.Name && old.Trace.SameRun(c.Trace) {
			return i
		}
	}
	s.courses = append(s.courses, c)
	return len(s.courses) - 1
}
