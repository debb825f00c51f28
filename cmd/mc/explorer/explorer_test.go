package explorer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/lock"
	"interleave/spec/tokenring"
)

// twoLeaders is the trace in which the published Bully elects two leaders.
func twoLeaders(t *testing.T) Subject {
	return violation(t, "two.json", bully.Published, model.Config{N: 3, Timers: model.Any}, election.OneLeader)
}

// violation finds a counterexample.
func violation(t *testing.T, name string, m spec.Machine, c model.Config, p properties.Property) Subject {
	t.Helper()
	r, err := properties.Verify(t.Context(), m, c, []properties.Property{p}, properties.Options{})
	if err != nil || len(r.Findings) == 0 || r.Findings[0].Trace == nil {
		t.Fatalf("no counterexample to %s: %v", p.Name, err)
	}
	return Subject{Name: name, Machine: m, Trace: r.Findings[0].Trace}
}

// cycle is a run that cycles.
func cycle(t *testing.T) Subject {
	c, err := model.Home(tokenring.PublishedB, 2)
	if err != nil {
		t.Fatal(err)
	}
	c.Crashes = 1
	subject := violation(t, "cycle.json", tokenring.PublishedB, c, properties.Termination)
	if subject.Trace.Loop == 0 || subject.Trace.Loop > len(subject.Trace.Steps) {
		t.Fatalf("it does not cycle: loop %d", subject.Trace.Loop)
	}
	return subject
}

// longRun is a run of so many steps, at random.
func longRun(t *testing.T, steps int) Subject {
	t.Helper()
	c, err := model.Home(tokenring.PublishedB, 3)
	if err != nil {
		t.Fatal(err)
	}
	c.Crashes = 1
	return randomRun(t, tokenring.PublishedB, c, steps)
}

func randomRun(t *testing.T, m spec.Machine, c model.Config, steps int) Subject {
	t.Helper()
	r, err := model.NewReference(m, c)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	initial := r.Initial()[len(r.Initial())-1]
	s, events := initial, []model.Event{}
	for range steps {
		possible := r.Steps(s)
		if len(possible) == 0 {
			break
		}
		step := possible[random.IntN(len(possible))]
		events, s = append(events, step.Event), step.After
	}
	trace, _, err := model.Record(r, initial, events)
	if err != nil || len(trace.Steps) != steps {
		t.Fatalf("a run of %d steps: %v", len(trace.Steps), err)
	}
	trace.Property, trace.Reason = "one-leader", "nothing is false: the run is long"
	return Subject{Name: "long.json", Machine: m, Trace: trace}
}

// serve starts a server that ends with the test.
func serve(t *testing.T, subjects ...Subject) *Server {
	t.Helper()
	s, err := Listen(0, subjects, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return s
}

// asks has a question answered.
func asks[A any](t *testing.T, s *Server, path string, question any) (answer A) {
	t.Helper()
	text, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	status, body, _ := send(t, request(t, s, path, string(text)))
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", path, status, body)
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// viewed is a View, of whose picture the parts are counted.
type viewed struct {
	View
	Picture struct {
		Events, Messages []any
		Loop             int
	} `json:"picture"`
}

// TestView looks at a trace as the page does.
func TestView(t *testing.T) {
	s := serve(t, twoLeaders(t))
	v := asks[viewed](t, s, "/api/view", Place{Steps: 3})
	if v.Property != "one-leader" || v.Reason != "processes 1 and 3 both follow themselves" || len(v.Rows) != 4 || v.Refuted != "" {
		t.Fatalf("%s, %q, %d rows, %s", v.Property, v.Reason, len(v.Rows), v.Refuted)
	}
	at := func(row, property int) Valuation { return v.Valuations[v.Rows[row].Valuation[property]] }
	if v.Properties[0].Name != "one-leader" || at(2, 0).Says != holds || at(3, 0).Says != isFalse || fmt.Sprint(at(3, 0).Processes) != "[1 3]" {
		t.Errorf("%s: %+v, then %+v", v.Properties[0].Name, at(2, 0), at(3, 0))
	}
	for k, p := range v.Properties { // no state there is quiescent, though 1 knows no leader
		if valuation := at(1, k); p.Name == "agreement" && (valuation.Says != silent || !strings.Contains(valuation.Why, "quiescent")) {
			t.Errorf("%s after step 1: %+v", p.Name, valuation)
		}
	}
	local := v.Locals[v.Rows[2].Locals[0]]
	if fmt.Sprint(local) != "[{Mode idle} {Leader 1}]" {
		t.Errorf("process 1 after step 2: %+v", local)
	}
	if in := v.Inboxes[v.Rows[3].Inboxes[1]]; fmt.Sprint(in) != "[{✉ ELECTION from 1 on its way} {✉ COORDINATOR from 1 on its way} {✉ COORDINATOR from 3 on its way}]" {
		t.Errorf("on the way to process 2 in the end: %v", in)
	}
	if len(v.Picture.Events) != 3 || len(v.Picture.Messages) != 6 {
		t.Errorf("%d events and %d messages are drawn", len(v.Picture.Events), len(v.Picture.Messages))
	}
}

type written struct {
	Term int
	Text string
}

type desk struct {
	status string // as the status of a process is called
	Log    []written
	Acks   map[string]bool
	Last   *written
}

// scribe writes, step by step, into a list, a map and what a pointer points to.
var scribe = &spec.Algorithm[desk, bool]{
	Name: "test/scribe", Doc: "Writes.", Source: "this test",
	Receive: func(*desk, *spec.Proc[bool], spec.ID, bool) {},
	Actions: []spec.Action[desk, bool]{{Name: "write", Do: func(s *desk, _ *spec.Proc[bool]) {
		switch {
		case s.Log == nil:
			s.Log, s.Acks, s.status = []written{}, map[string]bool{}, "open"
		case len(s.Log) == 0:
			s.Log, s.Last, s.Acks["x y"] = []written{{1, "a"}}, &written{}, true
		case len(s.Log) == 1:
			s.Log, s.Last.Term, s.Acks[""] = append(s.Log, written{2, ""}), 3, true
		default:
			s.Log = s.Log[:1]
		}
	}}},
}

// TestLines: each part of lists, maps and what pointers point to has a line; nil and empty ones differ.
func TestLines(t *testing.T) {
	s := serve(t, Subject{Name: "scribe", Machine: scribe, Config: model.Config{N: 1, Crashes: 1}})
	v := asks[viewed](t, s, "/api/view", Place{Choices: []int{0, 0, 0, 1}})
	for i, want := range []string{
		`[{status ""} {Log nil} {Acks nil} {Last nil}]`,
		"[{status open} {Log []} {Acks map[]} {Last nil}]",
		"[{status open} {Log[0].Term 1} {Log[0].Text a} {Acks[x y] true} {Last.Term 0} {Last.Text \"\"}]",
		"[{status open} {Log[0].Term 1} {Log[0].Text a} {Log[1].Term 2} {Log[1].Text \"\"} {Acks[\"\"] true} {Acks[x y] true} {Last.Term 3} {Last.Text \"\"}]",
		"[{its status down}]",
	} {
		if got := fmt.Sprint(v.Locals[v.Rows[i].Locals[0]]); got != want {
			t.Errorf("after step %d: %s, want %s", i, got, want)
		}
	}
}

// TestPanic: where a handler panics nothing is false but that it must not, and a cover is
// what it was.
func TestPanic(t *testing.T) {
	fragile := &spec.Algorithm[bool, uint8]{
		Name: "fragile", Doc: "falls over the second bell", Source: "this test",
		Receive: func(rung *bool, _ *spec.Proc[uint8], _ spec.ID, _ uint8) {
			if *rung {
				panic("rung twice")
			}
			*rung = true
		},
		Election: &spec.Election[bool, uint8]{
			Notice: func(_ *bool, p *spec.Proc[uint8]) { p.Broadcast(p.Others(), 0) },
			Leader: func(rung bool) spec.ID { return map[bool]spec.ID{true: 3}[rung] },
		},
	}
	r, err := properties.Verify(t.Context(), fragile, model.Config{N: 3}, []properties.Property{election.CanElect}, properties.Options{})
	if err != nil || len(r.Findings) != 2 || r.Findings[1].Trace == nil {
		t.Fatal("no run to a panic:", err)
	}
	trace := r.Findings[1].Trace
	v := asks[viewed](t, serve(t, Subject{Name: "panic.json", Machine: fragile, Trace: trace}), "/api/view", Place{Steps: len(trace.Steps)})
	last := v.Rows[len(v.Rows)-1]
	for k, p := range v.Properties {
		want := silent
		switch p.Name {
		case "no-panic":
			want = isFalse
		case "can-elect":
			want = holds
		}
		if valuation := v.Valuations[last.Valuation[k]]; valuation.Says != want {
			t.Errorf("%s where a handler panics: %+v", p.Name, valuation)
		}
	}
	if last.Panic == "" || v.Properties[0].Name != "no-panic" || len(v.Properties) < 8 {
		t.Errorf("it panics: %q; %d properties, first %s", last.Panic, len(v.Properties), v.Properties[0].Name)
	}
}

// TestUnfair: a client need not ask, and what it asks is no failure; messages have to be handled.
func TestUnfair(t *testing.T) {
	s := serve(t, Subject{Name: "lock", Machine: lock.Published, Config: model.Config{N: 2}})
	for _, c := range []struct {
		at     atQuestion
		action string
		unfair bool
	}{{atQuestion{}, "ask", true}, {atQuestion{Place: Place{Choices: []int{0}}, At: 1}, "receive REQUEST from 2", false}} {
		p := asks[struct{ Enabled []map[string]any }](t, s, "/api/state", c.at)
		if got := p.Enabled[0]; got["action"] != c.action || got["unfair"] != c.unfair || got["failure"] != nil {
			t.Errorf("%v", p.Enabled)
		}
	}
}

// TestFork leaves a trace, and comes where the handlers lead.
func TestFork(t *testing.T) {
	s := serve(t, twoLeaders(t))
	p := asks[Possibilities](t, s, "/api/state", atQuestion{Place: Place{Steps: 3}, At: 1})
	taken, other := -1, -1
	for i, c := range p.Enabled {
		if c.Taken {
			taken = i
		} else if c.Action == "receive ELECTION from 1" && c.Process == 3 {
			other = i
		}
	}
	if taken < 0 || other < 0 || p.Enabled[taken].Action != "timeout T_ok" {
		t.Fatalf("%+v", p.Enabled)
	}
	v := asks[viewed](t, s, "/api/view", Place{Steps: 1, Choices: []int{other}})
	if last := v.Rows[len(v.Rows)-1]; len(v.Rows) != 3 || last.Action != "receive ELECTION from 1" || last.Process != 3 || v.Fork != 1 || v.Property != "" {
		t.Errorf("%d rows, the last %+v", len(v.Rows), last)
	}
	for _, bad := range []Place{{Steps: 4}, {Steps: -1}, {Steps: 1, Choices: []int{99}}, {Steps: 1, Choices: []int{-1}}, {Initial: 1}, {which: which{Course: 1}}, {Choices: make([]int, maxChoices+1)}} {
		text, _ := json.Marshal(bad)
		if status, body, _ := send(t, request(t, s, "/api/view", string(text))); status != http.StatusBadRequest {
			t.Errorf("%+v: %d %s", bad, status, body)
		}
	}
}

// TestLasso: a run that cycles says so, with the witnesses of its fairness, and leader-eventually is
// false from every state of it on.
func TestLasso(t *testing.T) {
	subject := cycle(t)
	s := serve(t, subject)
	v := asks[viewed](t, s, "/api/view", Place{Steps: len(subject.Trace.Steps)})
	if v.Loop != subject.Trace.Loop || len(v.Fairness) == 0 || v.Unfair != "" || v.Picture.Loop != v.Loop {
		t.Errorf("loop %d, fairness %v, %s", v.Loop, v.Fairness, v.Unfair)
	}
	for i, row := range v.Rows {
		if valuation := v.Valuations[row.Valuation[0]]; valuation.Says != isFalse || valuation.Why == "" {
			t.Errorf("T from state %d on: %+v", i, valuation)
		}
	}
}

// TestGraph compares the graph of a small space with a search, and wants a part of a
// large one.
func TestGraph(t *testing.T) {
	c := model.Config{N: 2, Crashes: 1}
	s := serve(t, Subject{Name: "small", Machine: bully.Published, Config: c}, Subject{Name: "large", Machine: bully.Mended, Config: model.Config{N: 3, Crashes: 1, Split: true}})
	r, err := properties.Verify(t.Context(), bully.Published, c, nil, properties.Options{Catalogue: election.Catalogue, Continue: true, Engine: properties.Explicit})
	if err != nil {
		t.Fatal(err)
	}
	g := asks[Graph](t, s, "/api/graph", atQuestion{})
	actions := 0
	for _, e := range g.Edges {
		actions += len(e.Actions)
	}
	if !g.Whole || len(g.Nodes) != r.Stats.States || actions != r.Stats.Transitions || len(g.Histogram.Counts) != r.Stats.Depth+1 {
		t.Errorf("%d states, %d steps, %d levels; want %d, %d, %d", len(g.Nodes), actions, len(g.Histogram.Counts), r.Stats.States, r.Stats.Transitions, r.Stats.Depth+1)
	}
	for i, n := range g.Nodes { // each can be gone to
		v := asks[viewed](t, s, "/api/view", n.Place)
		if len(v.Rows) != n.Depth+1 {
			t.Errorf("state %d is %d steps away, and its address leads %d steps", i, n.Depth, len(v.Rows)-1)
		}
	}
	large := asks[Graph](t, s, "/api/graph", atQuestion{Place: Place{which: which{Course: 1}, Choices: []int{0, 0}}, At: 2})
	counted := asks[Histogram](t, s, "/api/histogram", which{Course: 1})
	sum := 0
	for _, n := range counted.Counts {
		sum += n
	}
	if large.Whole || len(large.Nodes) > maxNear || len(large.Nodes) < 10 || !counted.Complete || sum != counted.States || large.Histogram != nil || sum < 2000 {
		t.Errorf("whole: %v, %d drawn, %d counted of %d", large.Whole, len(large.Nodes), sum, counted.States)
	}
	if !large.Nodes[2].Here || !large.Nodes[0].On {
		t.Errorf("the run is not marked: %+v", large.Nodes[:3])
	}
}

// TestLay: nodes of one layer keep their room, and stand over their neighbours.
func TestLay(t *testing.T) {
	layers := []int{0, 1, 1, 1, 2, 2, 2}
	edges := [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 6}, {2, 5}, {3, 4}, {4, 0}, {5, 6}}
	x := lay(layers, edges)
	for i := range layers {
		for j := range i {
			if d := x[i] - x[j]; layers[i] == layers[j] && d < 0.99 && d > -0.99 {
				t.Errorf("nodes %d and %d of a layer are %.2f apart", i, j, d)
			}
		}
	}
	for _, e := range [][2]int{{1, 6}, {2, 5}, {3, 4}} { // they need not cross
		if d := x[e[0]] - x[e[1]]; d > 0.01 || d < -0.01 {
			t.Errorf("%d stands at %.2f, and %d, which follows it alone, at %.2f", e[0], x[e[0]], e[1], x[e[1]])
		}
	}
}

// TestCheck runs a check to its end, opens what it found, and stops another.
func TestCheck(t *testing.T) {
	large := model.Config{N: 6, Crashes: 2, Network: model.Set, Split: true}
	s := serve(t, Subject{Name: "published", Machine: bully.Published, Config: model.Config{N: 3, Crashes: 1, Split: true}}, Subject{Name: "large", Machine: bully.Mended, Config: large})
	asks[CheckStatus](t, s, "/api/check/start", which{})
	<-s.checks[which{}].done
	st := asks[CheckStatus](t, s, "/api/check", which{})
	if st.Running || st.Verdict != "VIOLATED" || !st.Complete || st.States < 1000 || st.Fired["crash"] == 0 {
		t.Fatalf("%+v", st)
	}
	shown := 0
	for _, f := range st.Findings {
		if (f.Name == "leader-is-top") != (f.Note != "") {
			t.Errorf("%s: it does not count because %q", f.Name, f.Note)
		}
		if f.Course >= 0 {
			shown++
			v := asks[viewed](t, s, "/api/view", Place{which: which{Course: f.Course}})
			if v.Name != "counterexample to "+f.Name {
				t.Errorf("%s is shown by %s", f.Name, v.Name)
			}
		}
	}
	if shown == 0 {
		t.Error("no counterexample is shown")
	}
	asks[CheckStatus](t, s, "/api/check/start", which{Course: 1})
	if status, text, _ := send(t, request(t, s, "/api/check/start", `{"course":0}`)); status != http.StatusBadRequest || !strings.Contains(string(text), "another check runs") {
		t.Errorf("two checks at once: %d %s", status, text)
	}
	st = asks[CheckStatus](t, s, "/api/check/stop", which{Course: 1})
	if st.Running || st.Verdict != "INCONCLUSIVE" || st.Complete || len(st.NeverFired) > 0 {
		t.Errorf("stopped: %+v", st)
	}
}

// TestCompare aligns two runs.
func TestCompare(t *testing.T) {
	a := twoLeaders(t)
	b := violation(t, "false.json", bully.Published, model.Config{N: 3, Timers: model.Any}, election.WinnerIsTop)
	s := serve(t, a, b)
	c := asks[struct{ Pairs [][2]int }](t, s, "/api/compare", map[string]int{"a": 0, "b": 1})
	if got := fmt.Sprint(c.Pairs); got != "[[0 0] [1 1] [2 2] [3 0]]" {
		t.Errorf("the pairs are %s", got)
	}
	if got, want := fmt.Sprint(compared(s.courses)[0][1]), fmt.Sprint(c.Pairs); got != want {
		t.Errorf("a page without a server has %s", got)
	}
	c.Pairs = align(s.courses[1], s.courses[1])
	if got := fmt.Sprint(c.Pairs); got != "[[0 0] [1 1] [2 2]]" {
		t.Errorf("a run beside itself: %s", got)
	}
	whole := s.courses[0]
	begun := &course{reference: whole.reference, run: &model.Run{States: whole.run.States[1:], Steps: whole.run.Steps[1:]}}
	if got := fmt.Sprint(align(whole, begun)); got != "[[0 0] [1 0] [2 1] [3 2]]" {
		t.Errorf("a run beside its end: %s", got)
	}
	steps := func(text string) (out []label) {
		for _, r := range text {
			out = append(out, label{text: string(r)})
		}
		return out
	}
	if got := fmt.Sprint(common(steps("abcbd"), steps("bxcd"))); got != "[[1 0] [2 1] [0 2] [3 3] [4 0] [5 4]]" {
		t.Errorf("a longest common subsequence: %s", got)
	}
}

// TestHTML: one page has all that it needs, and no address but its own.
func TestHTML(t *testing.T) {
	var out bytes.Buffer
	if err := WriteHTML(&out, []Subject{twoLeaders(t)}, nil); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, part := range []string{"processes 1 and 3 both follow themselves", "Content-Security-Policy", "what it waits for may still come", "default-src &#39;none&#39;"} {
		if !strings.Contains(text, part) && !(strings.Contains(part, "may still come") && strings.Contains(text, "it is not armed")) {
			t.Errorf("the page has no %q", part)
		}
	}
	for _, bad := range []string{"src=\"http", "href=\"http", "@import", "url(http", "</script><script>alert"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

// TestRefutedTrace: a trace that the handlers do not confirm is shown as far as they do.
func TestRefutedTrace(t *testing.T) {
	subject := twoLeaders(t)
	other := *subject.Trace
	other.Steps = append(other.Steps[:1:1], other.Steps[2], other.Steps[1])
	subject.Trace = &other
	c, err := newCourse(subject)
	if err != nil {
		t.Fatal(err)
	}
	if c.refuted == "" || len(c.run.Steps) == 0 || c.loop() != 0 {
		t.Errorf("refuted: %q after %d steps", c.refuted, len(c.run.Steps))
	}
}
