package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"interleave/cmd/mc/internal/ui"
	"interleave/internal/porttest"
	"interleave/spec"
)

// newcomer is an algorithm that somebody else wrote: everybody follows the
// largest that spoke.
var newcomer = &spec.Algorithm[spec.ID, struct{ Rank int16 }]{
	Name: "newcomer", Doc: "follows the largest that spoke", Source: "this test",
	Receive: func(leader *spec.ID, _ *spec.Proc[struct{ Rank int16 }], _ spec.ID, m struct{ Rank int16 }) {
		*leader = max(*leader, spec.ID(m.Rank))
	},
	Election: &spec.Election[spec.ID, struct{ Rank int16 }]{
		Notice: func(leader *spec.ID, p *spec.Proc[struct{ Rank int16 }]) {
			*leader = p.ID
			p.Broadcast(p.Below(), struct{ Rank int16 }{int16(p.ID)})
		},
		Leader: func(leader spec.ID) spec.ID { return leader },
	},
}

// TestNodeOfAnother: an algorithm that was never heard of runs on sockets
// without any more code.
func TestNodeOfAnother(t *testing.T) {
	free := porttest.Free(t, 3)
	page := free[2]
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	statuses := make([]outcome, 2)
	for i := range statuses {
		line := fmt.Sprintf("node newcomer --id %d --listen %s --peers 1=%s,2=%s", i+1, free[i], free[0], free[1])
		if i == 0 {
			line += " --http " + page
		}
		running.Go(func() { statuses[i] = mc(ctx, line, newcomer) })
	}
	for i := 0; i < 3000 && !strings.Contains(body(page), "interleave_leader 2\n"); i++ {
		time.Sleep(10 * time.Millisecond)
	}
	if text := body(page); !strings.Contains(text, "interleave_leader 2\n") {
		t.Errorf("the metrics:\n%s", text)
	}
	r, err := http.NewRequest(http.MethodGet, "http://"+page+"/status", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "site.example"
	if answer, err := http.DefaultClient.Do(r); err != nil || answer.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("under another name: %+v, %v", answer, err)
	}
	cancel()
	running.Wait()
	for _, o := range statuses {
		if o.status != ui.ExitHolds || o.out != "" || !strings.Contains(o.err, "algorithm=newcomer") {
			t.Errorf("status %d: %s%s", o.status, o.out, o.err)
		}
	}
}

// TestNodePanics: a process whose handler panics says which process, handler and message that was,
// which mc cluster passes on.
func TestNodePanics(t *testing.T) {
	fragile := &spec.Algorithm[int, struct{ Number int }]{
		Name: "fragile",
		Start: func(_ *int, p *spec.Proc[struct{ Number int }]) {
			if p.ID == 1 {
				p.Send(2, struct{ Number int }{7})
			}
		},
		Receive:  func(*int, *spec.Proc[struct{ Number int }], spec.ID, struct{ Number int }) { panic("it broke") },
		Election: &spec.Election[int, struct{ Number int }]{Leader: func(int) spec.ID { return spec.None }},
	}
	free := porttest.Free(t, 2)
	ctx, cancel := context.WithCancel(t.Context())
	var sender sync.WaitGroup
	line := "node fragile --id %d --listen %s --peers 1=" + free[0] + ",2=" + free[1]
	sender.Go(func() { mc(ctx, fmt.Sprintf(line, 1, free[0]), fragile) })
	o := mc(ctx, fmt.Sprintf(line, 2, free[1]), fragile)
	cancel()
	sender.Wait()
	if want := `fragile, process 2: the handler of "receive {\"Number\":7} from 1" panics: it broke at node_test.go:`; o.status != ui.ExitContradicted || !strings.Contains(o.err, want) {
		t.Errorf("status %d, and not %s:\n%s", o.status, want, o.err)
	}
}

// register is an algorithm that keeps what it is asked to.
var register = &spec.Algorithm[int, int]{
	Name: "register", Doc: "keeps a number", Source: "this test",
	Receive: func(*int, *spec.Proc[int], spec.ID, int) {},
	Actions: []spec.Action[int, int]{{Name: "add", Request: spec.OneOf([]int{1}, func(s *int, p *spec.Proc[int], n int) {
		if n < 0 {
			p.Refuse()
			return
		}
		*s += n
		p.Output(*s)
	})}},
}

// TestNodeRequests: a client asks by lines of standard input, from before the process is up, and over
// HTTP. The process goes on after the last line.
func TestNodeRequests(t *testing.T) {
	lines, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	real := os.Stdin
	os.Stdin = lines
	defer func() { os.Stdin = real }()
	fmt.Fprintf(in, "add 3\n\nadd\nadd -1\nsub 1\n  add  4 \n")
	in.Close()
	page := porttest.Free(t, 1)[0]
	ctx, cancel := context.WithCancel(t.Context())
	var o outcome
	var running sync.WaitGroup
	running.Go(func() {
		o = mc(ctx, "node register --id 1 --alone --delta 20ms --listen 127.0.0.1:0 --http "+page, register)
	})
	for i := 0; i < 3000 && !strings.Contains(body(page), "interleave_outputs_total 2\n"); i++ {
		time.Sleep(10 * time.Millisecond)
	}
	answer, err := http.Post("http://"+page+"/actions/add", "application/json", strings.NewReader("5"))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	cancel()
	running.Wait()
	if answer.StatusCode != http.StatusOK || string(text) != "[12]\n" {
		t.Errorf("over HTTP: %d %s", answer.StatusCode, text)
	}
	if o.status != ui.ExitHolds || o.out != "[3]\n[7]\n" || strings.Count(o.err, "does not do what it is asked for") != 3 || strings.Contains(o.err, "leader") {
		t.Errorf("status %d, %q: %s", o.status, o.out, o.err)
	}
}

// body returns the metrics that are served at an address, or nothing.
func body(address string) string {
	r, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		return ""
	}
	defer r.Body.Close()
	b, _ := io.ReadAll(r.Body)
	return string(b)
}

// TestNodeInTrouble: a process that began and could not go on ends with another
// status than one that was given nonsense.
func TestNodeInTrouble(t *testing.T) {
	faulty := &spec.Algorithm[spec.ID, struct{}]{
		Name: "faulty", Doc: "panics", Source: "this test",
		Receive: func(*spec.ID, *spec.Proc[struct{}], spec.ID, struct{}) {},
		Election: &spec.Election[spec.ID, struct{}]{
			Notice: func(*spec.ID, *spec.Proc[struct{}]) { panic("on purpose") },
			Leader: func(leader spec.ID) spec.ID { return leader },
		},
	}
	o := mc(t.Context(), "node faulty --id 1 --listen 127.0.0.1:0 --alone --delta 1ms", faulty)
	if o.status != ui.ExitContradicted || !strings.Contains(o.err, "on purpose") {
		t.Errorf("status %d: %s", o.status, o.err)
	}
	if o := mc(t.Context(), "node faulty --id 1 --listen 127.0.0.1:0 --alone --delta 1us", faulty); o.status != ui.ExitUsage {
		t.Errorf("status %d: %s", o.status, o.err)
	}
}

// TestOpenKey: a key that others can read is warned of.
func TestOpenKey(t *testing.T) {
	name := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(name, []byte("0123456789abcdef0123456789abcdef"), 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, warned := range map[os.FileMode]bool{0o600: false, 0o640: false, 0o644: runtime.GOOS != "windows"} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		o := mc(ctx, "node newcomer --id 1 --listen 127.0.0.1:0 --alone --key-file "+name, newcomer)
		if strings.Contains(o.err, "others can read the key") != warned {
			t.Errorf("%v: %s", mode, o.err)
		}
	}
}

// TestStatusHostsRefused: what is no name of this process is refused.
func TestStatusHostsRefused(t *testing.T) {
	for flags, want := range map[string]string{
		"--status-host a": "--status-host means nothing without --http",
		"--http 127.0.0.1:0 --status-host a.example:9": `--status-host: "a.example:9" is not a list of names`,
		"--http 127.0.0.1:0 --status-host http://a":    "is not a list of names",
	} {
		mc(t.Context(), "node bully --id 1 --listen 127.0.0.1:0 --alone "+flags).expect(t, ui.ExitUsage, want)
	}
}
