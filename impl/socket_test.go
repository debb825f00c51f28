package impl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

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

// ports returns addresses for n processes.
func ports(t *testing.T, n int) map[spec.ID]string {
	t.Helper()
	out := map[spec.ID]string{}
	for i, at := range porttest.Free(t, n) {
		out[spec.ID(i+1)] = at
	}
	return out
}

func listen(t *testing.T, network string, a Addresses) Transport {
	t.Helper()
	var transport Transport
	var err error
	if network == "tcp" {
		transport, err = NewTCP(a)
	} else {
		transport, err = NewUDP(a)
	}
	if err != nil {
		t.Fatal(err)
	}
	return transport
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
					config.Transport = listen(t, network, Addresses{Listen: addresses[id], Peers: addresses})
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

// TestReconnect: TCP finds a peer again that went away and came back at the
// same address, and a peer that resets every connection harms nobody.
func TestReconnect(t *testing.T) {
	addresses := ports(t, 2)
	one := listen(t, "tcp", Addresses{Listen: addresses[1], Peers: addresses})
	defer one.Close()
	frame := []byte("ILVE")
	if f, err := newTestFrame().Append(nil, nil); err != nil {
		t.Fatal(err)
	} else {
		frame = f
	}
	for range 3 {
		two := listen(t, "tcp", Addresses{Listen: addresses[2], Peers: addresses})
		arrived := make(chan bool)
		go func() {
			p := <-two.Receive()
			arrived <- bytes.Equal(p.Bytes, frame)
		}()
		for done := false; !done; {
			_ = one.Send(2, frame)
			select {
			case same := <-arrived:
				if done = true; !same {
					t.Error("something else arrived")
				}
			case <-time.After(2 * time.Millisecond):
			}
		}
		if err := two.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRudeStream: what makes no sense ends its connection and is told of; the
// rest goes on.
func TestRudeStream(t *testing.T) {
	addresses := ports(t, 2)
	one := listen(t, "tcp", Addresses{Listen: addresses[1], Peers: addresses})
	defer one.Close()
	for _, bytes := range []string{"GET / HTTP/1.1\r\n\r\n", "ILVE\x01\x01\x00\x01\xff\xff", "ILVE\x01\x01\x00\x01\x00\x50cut"} {
		conn, err := net.Dial("tcp", addresses[1])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(bytes)); err != nil {
			t.Fatal(err)
		}
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if p := <-one.Receive(); p.Err == nil || p.Bytes != nil {
			t.Errorf("%q: %+v", bytes, p)
		}
		if b, err := io.ReadAll(conn); len(b) > 0 || err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("%q: it answers %q, %v", bytes, b, err)
		}
		conn.Close()
	}
}

// TestNobodyThere: that nobody listens at the other end, or that there is no
// such peer, is a loss and no failure.
func TestNobodyThere(t *testing.T) {
	for _, network := range []string{"udp", "tcp"} {
		addresses := ports(t, 2)
		one := listen(t, network, Addresses{Listen: addresses[1], Peers: addresses})
		for range 2 * lineSize {
			if err := one.Send(2, []byte("hello")); err != nil && lossReason(err) == "other" {
				t.Errorf("%s: %v", network, err)
			}
		}
		if err := one.Send(3, nil); lossReason(err) != "stranger" {
			t.Errorf("%s: %v", network, err)
		}
		if err := one.Close(); err != nil {
			t.Errorf("%s: %v", network, err)
		}
		if _, open := <-one.Receive(); open {
			t.Errorf("%s: something arrives after Close", network)
		}
	}
}

// TestLossReason: what a kernel says of a datagram is counted by what it is.
func TestLossReason(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{syscall.EPERM, "forbidden"}, {syscall.ECONNREFUSED, "refused"}, {syscall.ENOBUFS, "full"},
		{syscall.EMSGSIZE, "oversized"}, {syscall.ENETUNREACH, "unreachable"}, {net.ErrClosed, "closed"},
		{os.ErrDeadlineExceeded, "full"}, {errors.New("the moon is full"), "other"},
	} {
		if got := lossReason(&net.OpError{Op: "write", Err: c.err}); got != c.want {
			t.Errorf("%v: %s", c.err, got)
		}
	}
}

// deaf is a transport that fails to send, as a kernel may.
type deaf struct {
	Transport
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
			if s.Leader != 1 || s.Lost[lossReason(err)] == 0 {
				t.Errorf("%v: it follows %v; lost: %v", err, s.Leader, s.Lost)
			}
		})
	}
}

// TestAddresses: without a key nobody listens beyond loopback, and addresses
// are told by name.
func TestAddresses(t *testing.T) {
	for _, c := range []struct {
		addresses Addresses
		want      string
	}{
		{Addresses{Listen: "0.0.0.0:0"}, "listen: 0.0.0.0:0 is not loopback, and without a key"},
		{Addresses{Listen: "[::]:0"}, "is not loopback"},
		{Addresses{Listen: "192.0.2.1:0"}, "is not loopback"},
		{Addresses{Listen: ":7001"}, `listen: ":7001" is no address: give host:port`},
		{Addresses{Listen: "7001"}, `"7001" is no address`},
		{Addresses{Listen: "127.0.0.1:70000"}, "listen: "},
		{Addresses{Listen: "127.0.0.1:0", Peers: map[spec.ID]string{2: "127.0.0.1"}}, `peers: process 2: "127.0.0.1" is no address`},
		{Addresses{Listen: "127.0.0.1:0", Peers: map[spec.ID]string{2: "127.0.0.1:0"}}, "peers: process 2: 127.0.0.1:0 is nowhere to send to"},
		{Addresses{Listen: "127.0.0.1:0", Peers: map[spec.ID]string{2: "0.0.0.0:7001"}}, "peers: process 2: 0.0.0.0:7001 is nowhere to send to"},
	} {
		for _, open := range []func(Addresses) (any, error){
			func(a Addresses) (any, error) { return NewUDP(a) }, func(a Addresses) (any, error) { return NewTCP(a) },
		} {
			if _, err := open(c.addresses); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: %v, want %s", c.addresses, err, c.want)
			}
		}
	}
	u, err := NewUDP(Addresses{Listen: "0.0.0.0:0", Open: true})
	if err != nil {
		t.Fatal(err)
	}
	if u.Address().Port() == 0 || u.Address().Addr() == (netip.Addr{}) {
		t.Errorf("it listens at %v", u.Address())
	}
	u.Close()
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
