package impl

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"interleave/impl/storage"
	"interleave/impl/transport"
	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/fastbully"
	"interleave/spec/syncbully"
)

// TestSettings: processes that differ in what all must share refuse each other,
// say in what, and count nobody of the other kind as up; also when one of them
// was known in a former life.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		change func(*Config)
		why    string
	}{
		{func(c *Config) { c.Ring = []spec.ID{3, 2, 1} }, "processes 3 and 1 differ: ring 3,2,1 and ring 1,2,3: start both with the same settings"},
		{func(c *Config) { c.Ring = []spec.ID{1, 2, 3, 4} }, "differ: ring 1,2,3,4 and ring 1,2,3: "},
		{func(c *Config) { c.Delta = 50 * time.Millisecond }, "differ: delta 50ms and delta 100ms: "},
		{func(c *Config) { c.Datagrams = true }, "differ: datagrams true and datagrams false: "},
	} {
		for _, known := range []bool{false, true} {
			bubble(t, func(t *testing.T) {
				g := newGroup(t, bully.Mended, 3, nil)
				defer g.stop()
				g.start(1, 2)
				if known {
					g.start(3)
					time.Sleep(time.Second)
					g.crash(3)
				}
				m := g.members[3]
				other := g.config
				other.ID, other.Ring, other.Transport, other.Storage = 3, g.ring, g.net.Plug(3), m.stored
				c.change(&other)
				g.run(3, other)
				time.Sleep(20 * time.Second)
				s, third := g.members[1].node.Status(), m.node.Status()
				if got := s.Peers[1]; !strings.Contains(got.Refused, c.why) || !got.Suspected {
					t.Errorf("%q, known %v: process 1 knows of 3: %+v", c.why, known, got)
				}
				if got := third.Peers[0]; got.Refused == "" || got.Incarnation != 0 {
					t.Errorf("%q, known %v: process 3 knows of 1: %+v", c.why, known, got)
				}
				if s.Leader != 2 || s.Dropped["settings"] == 0 {
					t.Errorf("%q, known %v: process 1 follows %v, dropped %v", c.why, known, s.Leader, s.Dropped)
				}
			})
		}
	}
}

// TestEndlessSettings: a hello with settings that are too long for a refusal
// does not stop the process.
func TestEndlessSettings(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, bully.Mended, 2, nil)
		defer g.stop()
		g.start(1)
		time.Sleep(time.Second)
		node := g.members[1].node
		node.mu.Lock()
		f := node.frame(wire.Hello, 1)
		node.mu.Unlock()
		f.From, f.Body = 2, []byte(strings.Repeat("é", wire.MaxDatagramBody/2))
		b, err := f.Append(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		g.net.Inject(1, b)
		time.Sleep(time.Second)
		if s := node.Status(); s.Failed != "" || s.Dropped["settings"] != 1 {
			t.Errorf("failed %q, dropped %v", s.Failed, s.Dropped)
		}
	})
}

// TestShunned: a process that no peer accepts leads, warns of it, and is not
// ready; nor is one before its first step. One that hears nobody is ready, and warns as well.
func TestShunned(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGroup(t, bully.Mended, 2, nil)
		defer g.stop()
		var said bytes.Buffer
		g.config.Logger = slog.New(slog.NewTextHandler(&said, nil))
		g.start(1)
		time.Sleep(time.Millisecond)
		if code, _ := get(g.members[1].node, "/readyz"); code != 503 {
			t.Errorf("before its first step: %d", code)
		}
		time.Sleep(20 * time.Second)
		if code, body := get(g.members[1].node, "/readyz"); code != 200 {
			t.Errorf("alone: %d %s", code, body)
		}
		g.config.Delta, g.config.Logger = 50*time.Millisecond, nil
		g.start(2)
		time.Sleep(time.Second)
		node := g.members[1].node
		if code, body := get(node, "/readyz"); code != 503 || !strings.Contains(body, "differ: delta 50ms and delta 100ms") {
			t.Errorf("refused by all: %d %s", code, body)
		}
		if _, body := get(node, "/metrics"); !strings.Contains(body, "interleave_peer_met{peer=\"2\"} 0\n") || !strings.Contains(body, "interleave_peer_refused{peer=\"2\"} 1\n") {
			t.Errorf("metrics:\n%s", body)
		}
		g.crash(1)
		for _, want := range []string{"leads, and has met none of its peers", "has never heard of process 2: wrong address"} {
			if !strings.Contains(said.String(), want) {
				t.Errorf("no %q in\n%s", want, said.String())
			}
		}
		said.Reset()
		g.config.Delta, g.config.Logger = 100*time.Millisecond, slog.New(slog.NewTextHandler(&said, nil))
		g.start(1)
		time.Sleep(20 * time.Second)
		g.crash(1)
		if want := "leads, and does not speak with some of its peers\" peers=[2]"; !strings.Contains(said.String(), want) {
			t.Errorf("no %q in\n%s", want, said.String())
		}
	})
}

// TestDropLines: a dropped packet is told of once for each reason and sender,
// again after a minute with a count, and strangers do not fill the memory.
func TestDropLines(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var said bytes.Buffer
		c := sensible()
		c.Key = wire.Key("a key of more than sixteen bytes")
		c.Logger = slog.New(slog.NewTextHandler(&said, nil))
		node, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		b, err := newTestFrame().Append(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		drop := func(from string) string {
			said.Reset()
			node.packet(transport.Packet{Bytes: b, From: from})
			return said.String()
		}
		want := `reason=mac from=192.0.2.1:7 it_is="signed with another key, or only one of the two has a key"`
		if got := drop("192.0.2.1:7"); !strings.Contains(got, want) {
			t.Errorf("first: %s", got)
		}
		if got := drop("192.0.2.1:7"); got != "" {
			t.Errorf("again: %s", got)
		}
		if got := drop("192.0.2.2:7"); !strings.Contains(got, "from=192.0.2.2:7") {
			t.Errorf("another: %s", got)
		}
		time.Sleep(time.Minute)
		if got := drop("192.0.2.1:7"); !strings.Contains(got, "times=2") {
			t.Errorf("later: %s", got)
		}
		for i := range 1000 {
			drop(fmt.Sprint(i))
		}
		time.Sleep(time.Minute)
		if got := drop("192.0.2.3:7"); got == "" {
			t.Error("after a flood nobody new is told of")
		}
		if len(node.lines.drops) > maxRepeats || node.Status().Dropped["mac"] != 1005 {
			t.Errorf("%d senders are remembered", len(node.lines.drops))
		}
	})
}

// TestSettingsInLockStep: the rounds are among the settings, and the largest
// fit a hello.
func TestSettingsInLockStep(t *testing.T) {
	c := Config{Machine: syncbully.Mended, Delta: 100 * time.Millisecond, Begin: time.Date(2026, 1, 31, 13, 0, 0, 0, time.FixedZone("", 3600)),
		Durations: map[string]time.Duration{timerRound: 200 * time.Millisecond}}
	for id := range spec.UpTo(int(spec.MaxID)).All() {
		c.Ring = append(c.Ring, id)
	}
	got := c.settings()
	if !strings.HasSuffix(got, "; delta 100ms; datagrams false; begin 2026-01-31T12:00:00Z; round 200ms") || len(got) > wire.MaxDatagramBody {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}

// TestForgetful: who would not notice that it was up before says so.
func TestForgetful(t *testing.T) {
	for _, c := range []struct {
		machine spec.Machine
		storage storage.Stable
		warns   bool
	}{{fastbully.Mended, nil, true}, {fastbully.Mended, &memoryStorage{}, false}, {bully.Published, nil, false}} {
		var said bytes.Buffer
		config := sensible()
		config.Machine, config.Storage, config.Logger = c.machine, c.storage, slog.New(slog.NewTextHandler(&said, nil))
		node, err := New(config)
		if err == nil {
			err = node.boot()
		}
		if warned := strings.Contains(said.String(), "Recover is not called"); err != nil || warned != c.warns {
			t.Errorf("%s: %v, %s", c.machine.Traits().Name, err, said.String())
		}
	}
}
