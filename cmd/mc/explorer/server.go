package explorer

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"interleave/model"
	"interleave/spec"
)

// tokenHeader carries the launch token of a request.
const tokenHeader = "X-Explorer-Token"

// maxBody bounds the body of a request.
const maxBody = 1 << 20

// policy lets the page load its own script and style and ask its own server, and
// nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Server shows subjects in a browser.
type Server struct {
	token    string
	hosts    []string // how a request may name us
	listener net.Listener
	ran      []Execution

	mu      sync.Mutex // of what follows
	courses []*course
	worlds  map[which]*course // courses in another world
	checks  map[which]*job
}

// Listen prepares a server on a port of the loopback interface, any free one for 0.
// There has to be something to look at.
func Listen(port int, subjects []Subject, ran []Execution) (*Server, error) {
	if len(subjects)+len(ran) == 0 {
		return nil, errors.New("there is nothing to look at")
	}
	s := &Server{token: rand.Text(), ran: ran, worlds: map[which]*course{}, checks: map[which]*job{}}
	for _, subject := range subjects {
		c, err := newCourse(subject)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", subject.Name, err)
		}
		s.courses = append(s.courses, c)
	}
	listener, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, err
	}
	s.listener = listener
	actual := listener.Addr().(*net.TCPAddr).Port
	s.hosts = []string{fmt.Sprintf("127.0.0.1:%d", actual), fmt.Sprintf("localhost:%d", actual)}
	return s, nil
}

// URL is the address to open; the token in it never leaves the browser but in a
// header to this server.
func (s *Server) URL() string { return fmt.Sprintf("http://%s/#token=%s", s.hosts[0], s.token) }

// Serve answers until the context ends. Checks that run are stopped then.
func (s *Server) Serve(ctx context.Context) error {
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 16,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	done := context.AfterFunc(ctx, func() { server.Close() })
	defer done()
	defer s.stopAll()
	if err := server.Serve(s.listener); ctx.Err() == nil {
		return err
	}
	return nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if !slices.Contains(s.hosts, r.Host) {
		refuse(w, http.StatusMisdirectedRequest, "this server is not called that")
		return
	}
	if file, ok := files[r.URL.Path]; ok {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			refuse(w, http.StatusMethodNotAllowed, "the page is for GET")
			return
		}
		h.Set("Content-Type", file.kind)
		w.Write(file.text)
		return
	}
	answer, known := questions[r.URL.Path]
	if !known {
		refuse(w, http.StatusNotFound, "there is nothing here")
		return
	}
	if status, why := s.forbids(r); status != 0 {
		refuse(w, status, why)
		return
	}
	reply, err := answer(s, http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		refuse(w, http.StatusRequestEntityTooLarge, "the question is too long")
	case err != nil:
		refuse(w, http.StatusBadRequest, err.Error())
	default:
		h.Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(reply)
	}
}

// forbids says why a request may not ask; status 0: it may.
func (s *Server) forbids(r *http.Request) (status int, why string) {
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	switch {
	case r.Method != http.MethodPost:
		return http.StatusMethodNotAllowed, "questions are for POST"
	case origin != "" && origin != "http://"+r.Host, site != "" && site != "same-origin":
		return http.StatusForbidden, "another page has nothing to ask here"
	case subtle.ConstantTimeCompare([]byte(r.Header.Get(tokenHeader)), []byte(s.token)) != 1:
		return http.StatusForbidden, "the token is missing or of another launch: open the address that mc printed"
	case r.Header.Get("Content-Type") != "application/json":
		return http.StatusUnsupportedMediaType, "questions are application/json"
	}
	return 0, ""
}

func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{"error": why})
}

// course returns a course, for one question.
func (s *Server) course(q which) (there *course, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q.Course < 0 || q.Course >= len(s.courses) {
		return nil, fmt.Errorf("there is no run %d: there are %d", q.Course, len(s.courses))
	}
	c := s.courses[q.Course]
	defer guarded(c.Machine, &err)
	if q.World == "" {
		return c.forOne(), nil
	}
	if there = s.worlds[q]; there == nil {
		subject, err := c.in(q.World)
		if err != nil {
			return nil, err
		}
		if there, err = newCourse(subject); err != nil {
			return nil, err
		}
		if len(s.worlds) == maxWorlds {
			clear(s.worlds)
		}
		s.worlds[q] = there
	}
	return there.forOne(), nil
}

// guarded turns a panic of an algorithm's functions that are no handlers into an error.
func guarded(m spec.Machine, err *error) {
	if p := recover(); p != nil {
		*err = model.OutsideHandlers(m, p, debug.Stack())
	}
}
