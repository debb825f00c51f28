package impl

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"interleave/impl/runlog"
	"interleave/model/modeltest"
	"interleave/spec"
)

// written is a value of more than one field.
type written struct {
	Key   uint8
	Value string
}

// register is a state that clients write, and which tells each of them what was there.
type register struct {
	Value   written
	Written int
	Closed  bool
}

// registers keep what they are asked to write, also over a crash. Nobody is elected.
func registers() *spec.Algorithm[register, int] {
	return &spec.Algorithm[register, int]{
		Name: "x/registers", Doc: "keeps a value", Source: "this test",
		Receive: func(*register, *spec.Proc[int], spec.ID, int) {},
		Stable:  func(s register) register { return s },
		Actions: []spec.Action[register, int]{
			{Name: "write", When: func(s register) bool { return !s.Closed }, Request: spec.OneOf([]written{{Key: 1, Value: "a"}}, func(s *register, p *spec.Proc[int], w written) {
				if w.Key == 0 {
					p.Refuse()
					return
				}
				p.Output(s.Value)
				p.Output(s.Written)
				s.Value, s.Written = w, s.Written+1
			})},
			{Name: "close", Do: func(s *register, _ *spec.Proc[int]) { s.Closed = true }},
			{Name: "halt", Do: func(*register, *spec.Proc[int]) { panic("on purpose") }},
		},
	}
}

// TestRequests: a client's request is a step, which the log has with its value, and is answered by
// what the step outputs; what is refused is no step. It works after a restart as before.
func TestRequests(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, registers(), 2, nil)
		defer g.stop()
		c := g.config
		c.ID, c.Ring, c.Transport = 1, g.ring, g.net.Plug(9)
		idle, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		if code, body := post(idle, "write", `{"Key":1,"Value":"a"}`); code != 503 {
			t.Errorf("before it runs: %d %s", code, body)
		}
		g.start(1, 2)
		time.Sleep(time.Second)
		node := func() *Node { return g.members[1].node }
		for _, c := range []struct {
			action, value string
			code          int
			answer        string
		}{
			{"write", `{"Key":1,"Value":"a"}`, 200, `[{"Key":0,"Value":""},0]`},
			{"write", ` {"Value": "b", "Key": 2} `, 200, `[{"Key":1,"Value":"a"},1]`},
			{"rite", "", 404, `no such action "rite": there are write, close, halt`},
			{"notice", "", 404, "no such action"},
			{"write", "", 400, `takes one, in JSON, as in {"Key":1,"Value":"a"}`},
			{"write", `{"Key":`, 400, `{"Key": is none: unexpected end of JSON input`},
			{"write", `{"Key":256,"Value":""}`, 400, "cannot unmarshal number 256"},
			{"write", `{"Key":1}`, 400, `write would take {"Key":1} for {"Key":1,"Value":""}: write all of it, and nothing else`},
			{"write", `{"key":1,"Value":""}`, 400, "write all of it, and nothing else"},
			{"write", `{"Key":1,"Value":"","More":1}`, 400, "write all of it, and nothing else"},
			{"write", `null`, 400, "write all of it, and nothing else"},
			{"write", `{"Key":1,"Value":"` + strings.Repeat("a", maxValue) + `"}`, 400, "too large"},
			{"write", `{"Key":0,"Value":""}`, 409, "process 1 does not write in its present state"},
			{"close", "1", 400, "takes none: leave it out"},
		} {
			if code, body := post(node(), c.action, c.value); code != c.code || !strings.Contains(body, c.answer) || strings.Count(body, "\n") != 1 {
				t.Errorf("%s %.40s: %d %s", c.action, c.value, code, body)
			}
		}
		g.crash(1)
		g.start(1)
		time.Sleep(time.Second)
		if code, body := post(node(), "write", `{"Key":3,"Value":"c"}`); code != 200 || body != `[{"Key":2,"Value":"b"},2]`+"\n" {
			t.Errorf("after a restart: %d %s", code, body)
		}
		if code, body := post(node(), "close", ""); code != 200 || body != "[]\n" {
			t.Errorf("%d %s", code, body)
		}
		if code, body := post(node(), "write", `{"Key":4,"Value":"d"}`); code != 409 {
			t.Errorf("once it is closed: %d %s", code, body)
		}
		if code, _ := get(node(), "/actions/close"); code != 405 {
			t.Errorf("a look at an action: %d", code)
		}
		synctest.Wait()
		var steps []string
		for _, r := range g.records(1) {
			if r.Line == runlog.LineStep && r.Input.Event != "init" {
				steps = append(steps, r.Input.String())
			}
			if r.Leader != nil {
				t.Errorf("line %d says that the process follows %v", r.Number, *r.Leader)
			}
		}
		if got, want := strings.Join(steps, "; "), `write {"Key":1,"Value":"a"}; write {"Key":2,"Value":"b"}; write {"Key":3,"Value":"c"}; close`; got != want {
			t.Errorf("the log has %s, and not %s", got, want)
		}
		g.recheck()
		for _, page := range []string{"/status", "/metrics"} {
			if _, body := get(node(), page); strings.Contains(body, "leader") || strings.Contains(body, "lection") {
				t.Errorf("%s speaks of a leader: %s", page, body)
			}
		}
		last := node()
		g.crash(1)
		if _, err := last.Ask(t.Context(), "close", nil); !errors.Is(err, ErrNotUp) {
			t.Errorf("when it has ended: %v", err)
		}
	})
}

// TestRequestOfAnotherSite: the page of another site cannot ask for an action by way of a browser.
func TestRequestOfAnotherSite(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, registers(), 2, nil)
		defer g.stop()
		g.start(1, 2)
		time.Sleep(time.Second)
		node := g.members[1].node
		for header, value := range map[string]string{"Origin": "http://site.example", "Sec-Fetch-Site": "cross-site"} {
			w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "/actions/close", nil)
			r.Header.Set(header, value)
			if node.Handler().ServeHTTP(w, r); w.Code != 403 {
				t.Errorf("%s: %d %s", header, w.Code, w.Body)
			}
		}
		if code, body := post(node, "write", `{"Key":1,"Value":"a"}`); code != 200 {
			t.Errorf("it is closed: %d %s", code, body)
		}
	})
}

// TestPanicOnRequest: who asks for what breaks the process learns that.
func TestPanicOnRequest(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, registers(), 2, nil)
		defer g.stop()
		g.start(1, 2)
		time.Sleep(time.Second)
		if _, err := g.members[1].node.Ask(t.Context(), "halt", nil); !errors.Is(err, ErrNotUp) || !strings.Contains(err.Error(), "on purpose") {
			t.Error(err)
		}
		if err := <-g.members[1].done; err == nil || !strings.Contains(err.Error(), `the handler of "halt" panics`) {
			t.Error(err)
		}
		g.members[1].node = nil
	})
}

// TestAwait: a client waits for what answers its request, which the Objects tell, and learns if that does not come.
func TestAwait(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, modeltest.Register("x/register", false), 2, nil)
		defer g.stop()
		g.start(1, 2)
		time.Sleep(time.Second)
		node := g.members[2].node
		check := func(action, value string, code int, answer string) {
			t.Helper()
			if c, body := post(node, action, value); c != code || !strings.Contains(body, answer) {
				t.Errorf("%s %s: %d %s", action, value, c, body)
			}
		}
		check("write?wait=1s", "2", 200, `[{"Value":0}]`)
		check("read?wait=1s", "", 200, `[{"Value":2}]`)
		for _, wait := range []string{"", "2", "0s", "-1s", "soon"} {
			check("read?wait="+wait, "", 400, "?wait="+wait+" is no time to wait: write it as in ?wait=2s")
		}
		g.crash(1)
		began := time.Now()
		check("read?wait=3s", "", 504, "no answer: process 2 has done read, and has not answered it yet")
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("it waits %v", took)
		}
		check("read?wait=1s", "", 409, "process 2 does not read in its present state")
		g.crash(2)
		g.start(2)
		time.Sleep(time.Minute)
		node = g.members[2].node
		time.AfterFunc(time.Second, g.members[2].stop)
		check("read?wait=3s", "", 503, "not up: process 2 has done read, and ended before it answered")
	})
}

// TestAwaitUnclear: an output answers the request whose step it is of. Later, it answers the only one that waits; if more
// wait, the Objects have to tell.
func TestAwaitUnclear(t *testing.T) {
	type question struct{ Number int }
	later := spec.Algorithm[int, question]{
		Name: "x/later", Doc: "answers later", Source: "this test",
		Receive: func(_ *int, p *spec.Proc[question], from spec.ID, m question) {
			if p.ID == 1 {
				p.Send(from, m)
				return
			}
			p.Output(m.Number)
		},
		Actions: []spec.Action[int, question]{
			{Name: "now", Do: func(_ *int, p *spec.Proc[question]) { p.Output(0) }},
			{Name: "ask", Request: spec.OneOf([]int{1, 2}, func(_ *int, p *spec.Proc[question], v int) {
				if v == 1 {
					p.Output("asked")
				}
				p.Send(1, question{v})
			})},
		},
	}
	told := later
	told.Objects = []spec.Object{{
		Name:     "told",
		Requests: []string{"ask"}, Do: func(any, spec.Call, func(any, any)) {},
		Answers: func(c spec.Call, output any) bool { return c.Value == output },
	}}
	loose := told
	loose.Objects = []spec.Object{spec.Linearizable("loose", "", []string{"ask"}, 0, func(int, spec.Call, func(int, int)) {})}
	for _, c := range []struct {
		algorithm        *spec.Algorithm[int, question]
		one, two, asleep string
	}{
		{&later, `200 ["asked"]`, "200 [1]", "200 [0]"},
		{&told, "200 [1]", "200 [2]", "200 [0]"},
		{&loose, "500 nobody knows what is answered: process 2 outputs 1, and that may answer 2 requests that wait", "500 nobody knows", "200 [0]"},
	} {
		bubble(t, func(t *testing.T) {
			g := newGroup(t, c.algorithm, 2, func(spec.ID, spec.ID, []byte) []time.Duration { return []time.Duration{50 * time.Millisecond} })
			defer g.stop()
			g.start(1, 2)
			time.Sleep(time.Second)
			got := map[string]string{}
			var mu sync.Mutex
			var all sync.WaitGroup
			for _, ask := range [][2]string{{"ask", "1"}, {"ask", "2"}, {"now", ""}} {
				all.Go(func() {
					code, body := post(g.members[2].node, ask[0]+"?wait=1s", ask[1])
					mu.Lock()
					defer mu.Unlock()
					got[ask[1]] = fmt.Sprint(code, " ", body)
				})
				synctest.Wait()
			}
			all.Wait()
			for value, want := range map[string]string{"1": c.one, "2": c.two, "": c.asleep} {
				if !strings.HasPrefix(got[value], want) {
					t.Errorf("%q of %v is answered %s, and not %s", value, c.algorithm.Objects, got[value], want)
				}
			}
		})
	}
}

// TestAskWaits: a request waits until the process is up, unless whoever asks gives up.
func TestAskWaits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, registers(), 2, nil)
		defer g.stop()
		g.start(1)
		node := g.members[1].node
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := node.Ask(ctx, "close", nil); !errors.Is(err, context.DeadlineExceeded) || !node.Status().Since.IsZero() {
			t.Errorf("before it is up: %v", err)
		}
		if _, err := node.Ask(t.Context(), "close", nil); err != nil || node.Status().Since.IsZero() {
			t.Error(err)
		}
	})
}

// TestFairActions: what is fair happens by itself, again and again while it is possible, and as
// often as its timer allows; what is not happens on request. What changes nothing leaves no line.
func TestFairActions(t *testing.T) {
	type state struct{ Open, Asked, Ticks int }
	do := func(f func(s *state, p *spec.Proc[int])) func(s *state, p *spec.Proc[int]) { return f }
	a := &spec.Algorithm[state, int]{
		Name: "x/fair", Doc: "opens", Source: "this test",
		Receive: func(*state, *spec.Proc[int], spec.ID, int) {},
		Actions: []spec.Action[state, int]{
			{Name: "use", Fair: true, When: func(s state) bool { return s.Open > 0 && s.Open < 5 }, Do: do(func(s *state, _ *spec.Proc[int]) { s.Open++ })},
			{Name: "open", Fair: true, Request: spec.OneOf([]int{0, 1}, func(s *state, p *spec.Proc[int], v int) {
				if s.Open > 0 || v == 0 {
					p.Refuse()
					return
				}
				s.Open = v
			})},
			{Name: "look", Fair: true, Do: do(func(*state, *spec.Proc[int]) {})},
			{Name: "ask", Do: do(func(s *state, _ *spec.Proc[int]) { s.Asked++ })},
			{Name: "count", Fair: true, When: func(s state) bool { return s.Asked > 0 }, Do: do(func(s *state, _ *spec.Proc[int]) { s.Ticks++ })},
		},
	}
	bubble(t, func(t *testing.T) {
		g := newGroup(t, a, 2, nil)
		defer g.stop()
		g.start(1, 2)
		time.Sleep(5 * time.Second)
		steps := func() (text string) {
			synctest.Wait()
			for _, r := range g.records(1) {
				if r.Line == runlog.LineStep {
					text += r.Input.Event + " "
				}
			}
			return text
		}
		if got := steps(); got != "init open use use use use " {
			t.Errorf("by itself it does %s", got)
		}
		refused := g.members[1].node.Status().Refused
		time.Sleep(5 * time.Second)
		if s := g.members[1].node.Status(); s.Refused != refused {
			t.Errorf("it is refused %d times while nothing happens, after %d", s.Refused, refused)
		}
		if _, err := g.members[1].node.Ask(t.Context(), "ask", nil); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if ticks := strings.Count(steps(), "count"); ticks < 90 || ticks > 101 {
			t.Errorf("in a second, a hundred times its timer, it does %d steps: %s", ticks, steps())
		}
		g.stop()
		g.recheck()
	})
}

// TestChoices: what handlers choose is drawn, or is what the Config says; the log has it.
func TestChoices(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, modeltest.Requests, 3, nil)
		defer g.stop()
		g.config.Choose = func(n int) int { return n - 1 }
		g.start(1, 2, 3)
		time.Sleep(time.Second)
		if _, err := g.members[1].node.Ask(t.Context(), "ask", []byte("2")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if state := string(g.members[1].node.Status().State); state != `{"Open":true,"Coin":1,"Answer":2}` {
			t.Errorf("state %s", state)
		}
		g.config.Choose = nil
		coins := map[byte]int{}
		for range 20 {
			g.crash(3)
			g.start(3)
			time.Sleep(time.Second)
			state := string(g.members[3].node.Status().State)
			coins[state[strings.Index(state, "Coin")+6]]++
		}
		if coins['0'] == 0 || coins['1'] == 0 {
			t.Errorf("in 20 throws of a coin it shows %v", coins)
		}
		g.stop()
		g.recheck()
	})
}

// TestTriggeredAction: a driver lets an action happen that would not yet happen by itself.
func TestTriggeredAction(t *testing.T) {
	bubble(t, func(t *testing.T) {
		triggers := make(chan Trigger)
		g := newGroup(t, modeltest.Requests, 2, nil)
		defer g.stop()
		g.config.Durations = map[string]time.Duration{timerAction: time.Hour}
		g.config.Triggers = triggers
		g.start(1)
		done := make(chan bool, 1)
		for _, c := range []struct {
			action uint8
			value  any
			after  time.Duration
			did    bool
			open   bool
		}{{0, nil, 0, false, false}, {0, nil, 10 * time.Second, true, true}, {0, nil, 0, false, true}, {1, 2, 0, true, true}, {1, 9, 0, false, true}, {9, nil, 0, false, true}} {
			time.Sleep(c.after)
			triggers <- Trigger{What: WaitsAction, Act: c.action, Value: c.value, Done: done}
			did := <-done
			state := string(g.members[1].node.Status().State)
			if did != c.did || strings.Contains(state, `"Open":true`) != c.open {
				t.Errorf("action %d with %v: %v, state %s", c.action, c.value, did, state)
			}
		}
	})
}

// post asks a node for an action.
func post(n *Node, action, value string) (int, string) {
	w := httptest.NewRecorder()
	n.Handler().ServeHTTP(w, httptest.NewRequest("POST", fmt.Sprintf("/actions/%s", action), strings.NewReader(value)))
	return w.Code, w.Body.String()
}
