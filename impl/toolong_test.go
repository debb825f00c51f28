package impl

import (
	"strings"
	"testing"
	"time"

	"interleave/impl/transport"
	"interleave/impl/wire"
	"interleave/spec"
)

// short is a transport of short messages.
type short struct{ transport.Transport }

func (short) MaxBody() int { return wire.MaxDatagramBody }

type listed struct{ Entries []string }

// TestTooLong: a process that is to send what no datagram holds ends with a sentence that says so, whether it is a string or
// a list; over a stream it is sent.
func TestTooLong(t *testing.T) {
	texts := &spec.Algorithm[int, [3]string]{Name: "test/texts",
		Start: func(s *int, p *spec.Proc[[3]string]) {
			p.Broadcast(p.Others(), [3]string{strings.Repeat("x", 2000)})
		},
		Receive: func(s *int, p *spec.Proc[[3]string], from spec.ID, m [3]string) { *s = len(m[0]) },
	}
	lists := &spec.Algorithm[int, listed]{Name: "test/lists",
		Start: func(s *int, p *spec.Proc[listed]) {
			p.Broadcast(p.Others(), listed{make([]string, 1000)})
		},
		Receive: func(s *int, p *spec.Proc[listed], from spec.ID, m listed) { *s = 2 * len(m.Entries) },
	}
	for _, m := range []spec.Machine{texts, lists} {
		for _, over := range []string{"stream", "datagrams"} {
			bubble(t, func(t *testing.T) {
				g := newGroup(t, m, 2, nil)
				defer g.stop()
				for _, id := range g.ring {
					c := g.config
					c.ID, c.Ring, c.Transport, c.Storage, c.Log = id, g.ring, g.net.Plug(id), g.members[id].stored, &g.members[id].log
					if over == "datagrams" {
						c.Transport = short{c.Transport}
					}
					g.run(id, c)
				}
				time.Sleep(time.Second)
				failed := g.members[1].node.Status().Failed
				state := string(g.members[2].node.Status().State)
				want := "process 1 cannot send: a message of kind message takes "
				if over == "stream" && (failed != "" || state != "2000") {
					t.Errorf("%s over a stream: %s, state %s", m.Traits().Name, failed, state)
				}
				if over == "datagrams" && !strings.HasPrefix(failed, want) {
					t.Errorf("%s over datagrams: %q, and not %s", m.Traits().Name, failed, want)
				}
				for _, id := range g.ring {
					if m := g.members[id]; m.node.Status().Failed != "" {
						<-m.done
						m.node = nil
					}
				}
			})
		}
	}
	big := &spec.Algorithm[int, [200]uint64]{Name: "test/big",
		Receive: func(s *int, p *spec.Proc[[200]uint64], from spec.ID, m [200]uint64) {}}
	c := Config{Machine: big, ID: 1, Ring: []spec.ID{1}, Transport: short{transport.NewSwitch(nil).Plug(1)}}
	if _, err := New(c); err == nil || !strings.Contains(err.Error(), "takes 1600 bytes or more, and a datagram holds at most 1060") {
		t.Error(err)
	}
}
