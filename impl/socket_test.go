package impl

import (
	"context"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"interleave/impl/transport"
	"interleave/internal/porttest"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/tokenring"
)

// wait wants something to become true before long. Real sockets have no virtual
// time: it is looked at again and again.
func wait(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// TestSockets: real elections on loopback, the crash of the leader, and its
// return.
func TestSockets(t *testing.T) {
	for _, network := range []string{"udp", "tcp"} {
		for _, c := range []struct {
			machine spec.Machine
			n       int
		}{{bully.Mended, 3}, {bully.Mended, 5}, {tokenring.Mended, 3}} {
			t.Run(fmt.Sprintf("%s %s of %d", network, c.machine.Traits().Name, c.n), func(t *testing.T) {
				g := newGroup(t, c.machine, c.n, nil)
				g.config.Delta = 40 * time.Millisecond
				addresses := ports(t, c.n)
				start := func(id spec.ID) {
					config := g.config
					config.ID, config.Ring, config.Log, config.Storage = id, g.ring, &g.members[id].log, g.members[id].stored
					config.Transport = listen(t, network, transport.Addresses{Listen: addresses[id], Peers: addresses})
					g.run(id, config)
				}
				defer g.stop()
				for _, id := range g.ring {
					start(id)
				}
				agree := func() (leader spec.ID) { // which one it is depends on how fast each of them is
					t.Helper()
					wait(t, "all follow one that is up", func() bool {
						leader = g.members[g.up()[0]].node.Status().Leader
						return leader != spec.None && g.members[leader].node != nil && !strings.Contains(strings.ReplaceAll(g.leaders(), fmt.Sprintf(":%v ", leader), ""), ":")
					})
					return leader
				}
				leader := agree()
				g.crash(leader)
				agree()
				start(leader)
				agree()
				g.stop()
				g.recheck()
			})
		}
	}
}

// deaf is a transport that fails to send, as a kernel may.
type deaf struct {
	transport.Transport
	err error
}

func (d deaf) Send(spec.ID, []byte) error { return d.err }

// TestCannotSend: a process that the kernel lets send nothing goes on, and
// leads itself in the end.
func TestCannotSend(t *testing.T) {
	for _, err := range []error{syscall.EPERM, syscall.ECONNREFUSED, syscall.ENOBUFS} {
		bubble(t, func(t *testing.T) {
			g := newGroup(t, bully.Mended, 2, nil)
			defer g.stop()
			c := g.config
			c.ID, c.Ring, c.Transport = 1, g.ring, deaf{g.net.Plug(1), err}
			g.run(1, c)
			time.Sleep(20 * time.Second)
			s := g.members[1].node.Status()
			if s.Leader != 1 || s.Lost[transport.LossReason(err)] == 0 {
				t.Errorf("%v: it follows %v; lost: %v", err, s.Leader, s.Lost)
			}
		})
	}
}

// TestHTTP: health, status and metrics tell the same as Status.
func TestHTTP(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, bully.Mended, 3, nil)
		defer g.stop()
		c := g.config
		c.ID, c.Ring, c.Transport = 1, g.ring, g.net.Plug(9)
		idle, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		if code, _ := get(idle, "/healthz"); code != 503 {
			t.Errorf("before it runs: %d", code)
		}
		g.start(1, 2, 3)
		time.Sleep(5 * time.Second)
		g.crash(3)
		time.Sleep(5 * time.Second)
		node := g.members[1].node
		if code, body := get(node, "/healthz"); code != 200 || body != "ok\n" {
			t.Errorf("%d %s", code, body)
		}
		if code, body := get(node, "/status"); code != 200 || !strings.Contains(body, `"leader": 2,`) {
			t.Errorf("%d %s", code, body)
		}
		code, body := get(node, "/metrics")
		s := node.Status() // how many messages an election takes depends on who is heard first
		if s.Received["COORDINATOR"] == 0 || s.Sent["ELECTION"] == 0 {
			t.Errorf("no messages are counted: %+v", s)
		}
		for _, line := range []string{
			`interleave_node_info{algorithm="bully/mended",process="1"} 1`, "interleave_leader 2", fmt.Sprintf("interleave_elections_total %d", s.Elections), "interleave_incarnation 1",
			fmt.Sprintf(`interleave_messages_received_total{kind="COORDINATOR"} %d`, s.Received["COORDINATOR"]),
			fmt.Sprintf(`interleave_messages_sent_total{kind="ELECTION"} %d`, s.Sent["ELECTION"]),
			`interleave_breaches_total{kind="delay"} 0`, `interleave_suspected{peer="2"} 0`, `interleave_suspected{peer="3"} 1`,
			`interleave_peer_met{peer="2"} 1`, `interleave_peer_refused{peer="2"} 0`, "# TYPE interleave_goroutines gauge",
		} {
			if code != 200 || !strings.Contains(body, line+"\n") {
				t.Errorf("%d: no line %s in\n%s", code, line, body)
			}
		}
		if code, _ := get(node, "/"); code != 404 {
			t.Errorf("/: %d", code)
		}
	})
}

func get(n *Node, path string) (int, string) {
	w := httptest.NewRecorder()
	n.Handler().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w.Code, w.Body.String()
}

// TestRunEnds: Run ends with its context, which is no error, at any moment.
func TestRunEnds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := sensible()
		node, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := node.Run(ctx); err != nil {
			t.Error(err)
		}
	})
}

// TestCallersAreCounted: a connection that was closed here is in the metrics,
// under its own word.
func TestCallersAreCounted(t *testing.T) {
	addresses := ports(t, 2)
	g := newGroup(t, bully.Mended, 2, nil)
	defer g.stop()
	config := g.config
	config.ID, config.Ring = 1, g.ring
	config.Transport = listen(t, "tcp", transport.Addresses{Listen: addresses[1], Peers: map[spec.ID]string{2: addresses[2]}, Silence: 20 * time.Millisecond})
	g.run(1, config)
	node := g.members[1].node
	call(t, addresses[1])
	wait(t, "one that is silent is counted", func() bool { return node.Status().Dropped["silent"] == 1 })
	calls := uint64(1)
	for node.Status().Dropped["foreign"] == 0 { // who is slow to speak is silent once more
		calls++
		_, _ = call(t, addresses[1]).Write([]byte("GET / HTTP/1.1\r\n\r\n"))
		wait(t, "the other is counted", func() bool {
			dropped := node.Status().Dropped
			return dropped["silent"]+dropped["foreign"] == calls
		})
	}
	_, body := get(node, "/metrics")
	for _, line := range []string{fmt.Sprintf("interleave_dropped_total{reason=\"silent\"} %d\n", calls-1), "interleave_dropped_total{reason=\"foreign\"} 1\n"} {
		if !strings.Contains(body, line) {
			t.Errorf("no line %sin\n%s", line, body)
		}
	}
}

// ports returns addresses for n processes.
func ports(t *testing.T, n int) map[spec.ID]string {
	t.Helper()
	out := map[spec.ID]string{}
	for i, at := range porttest.Free(t, n) {
		out[spec.ID(i+1)] = at
	}
	return out
}

// listen returns a transport over real sockets.
func listen(t *testing.T, network string, a transport.Addresses) (to transport.Transport) {
	t.Helper()
	var err error
	if network == "tcp" {
		to, err = transport.NewTCP(a)
	} else {
		to, err = transport.NewUDP(a)
	}
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// call makes a connection to somebody.
func call(t *testing.T, to string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}
