package explorer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// questions are what the page may ask, by path.
var questions map[string]func(s *Server, body io.Reader) (any, error)

func init() {
	questions = map[string]func(s *Server, body io.Reader) (any, error){
		"/api/list":        answer((*Server).list),
		"/api/view":        answer((*Server).view),
		"/api/state":       answer((*Server).state),
		"/api/graph":       answer((*Server).graph),
		"/api/histogram":   answer((*Server).histogram),
		"/api/find":        answer((*Server).find),
		"/api/compare":     answer((*Server).compare),
		"/api/ran":         answer((*Server).execution),
		"/api/check":       answer((*Server).progress),
		"/api/check/start": answer((*Server).start),
		"/api/check/stop":  answer((*Server).stop),
	}
}

// answer makes an answer to JSON of a method, whose argument it reads strictly.
func answer[Q, A any](method func(*Server, Q) (A, error)) func(*Server, io.Reader) (any, error) {
	return func(s *Server, body io.Reader) (any, error) {
		var question Q
		dec := json.NewDecoder(body)
		dec.DisallowUnknownFields()
		if err := dec.Decode(&question); err != nil {
			return nil, fmt.Errorf("the question is not as it should be: %w", err)
		}
		if _, err := dec.Token(); !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("after the question there is more: %w", cause(err))
		}
		return method(s, question)
	}
}

func cause(err error) error {
	if err == nil {
		return errors.New("one is enough")
	}
	return err
}

// Listing is everything there is to look at.
type Listing struct {
	Courses []Listed `json:"courses"`
	Ran     []string `json:"ran"`
}

// Listed is a course in a list.
type Listed struct {
	Name      string `json:"name"`
	Algorithm string `json:"algorithm"`
	Property  string `json:"property,omitempty"` // of its trace
	Steps     int    `json:"steps"`
	Axes      []Axis `json:"axes,omitempty"` // of its world, that may be changed
}

func (s *Server) list(struct{}) (Listing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return listed(s.courses, s.ran), nil
}

func listed(courses []*course, ran []Execution) Listing {
	l := Listing{Courses: []Listed{}, Ran: []string{}}
	for _, c := range courses {
		row := Listed{Name: c.Name, Algorithm: c.Machine.Traits().Name, Steps: len(c.run.Steps), Axes: c.axes()}
		if c.Trace != nil {
			row.Property = c.Trace.Property
		}
		l.Courses = append(l.Courses, row)
	}
	for _, h := range ran {
		l.Ran = append(l.Ran, h.Name)
	}
	return l
}

func (s *Server) view(p Place) (v *View, err error) {
	c, err := s.course(p.which)
	if err != nil {
		return nil, err
	}
	defer guarded(c.Machine, &err)
	run, err := c.walk(p)
	if err != nil {
		return nil, err
	}
	return c.view(p, run), nil
}

// atQuestion asks for a state on the way to a place.
type atQuestion struct {
	Place
	At int `json:"at"` // steps from the beginning
}

func (s *Server) state(q atQuestion) (out Possibilities, err error) {
	c, err := s.course(q.which)
	if err != nil {
		return out, err
	}
	defer guarded(c.Machine, &err)
	run, err := c.walk(q.Place)
	if err != nil {
		return out, err
	}
	if q.At < 0 || q.At > len(run.Steps) {
		return out, fmt.Errorf("there is no state %d: there are %d steps", q.At, len(run.Steps))
	}
	return c.at(run, q.At), nil
}

func (s *Server) execution(q struct {
	Ran int `json:"ran"`
}) (*Execution, error) {
	if q.Ran < 0 || q.Ran >= len(s.ran) {
		return nil, fmt.Errorf("there is no run %d: there are %d", q.Ran, len(s.ran))
	}
	return &s.ran[q.Ran], nil
}

func (s *Server) compare(q struct {
	A     int    `json:"a"`
	World string `json:"world"` // of A
	B     int    `json:"b"`
}) (out Comparison, err error) {
	a, errA := s.course(which{q.A, q.World})
	b, errB := s.course(which{Course: q.B})
	if err := errors.Join(errA, errB); err != nil {
		return out, err
	}
	defer guarded(a.Machine, &err)
	whole := func(c *course) *View { return c.view(Place{Steps: len(c.run.Steps)}, c.run) }
	out.A, out.B = whole(a), whole(b)
	out.Pairs = align(a, b)
	return out, nil
}

func (s *Server) graph(q atQuestion) (*Graph, error) {
	c, err := s.course(q.which)
	if err != nil {
		return nil, err
	}
	return c.graph(q)
}

func (s *Server) histogram(q which) (*Histogram, error) {
	c, err := s.course(q)
	if err != nil {
		return nil, err
	}
	return c.histogram()
}

func (s *Server) find(q findQuestion) (Matches, error) {
	pattern, err := newPattern(q.Text)
	if err != nil {
		return Matches{}, err
	}
	c, err := s.course(q.which)
	if err != nil {
		return Matches{}, err
	}
	return pattern.search(c, q)
}
