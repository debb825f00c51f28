package impl

import (
	"testing"
	"time"

	"interleave/spec"
	"interleave/spec/catalog"
)

func TestSmoke(t *testing.T) {
	for _, m := range catalog.Machines {
		t.Run(m.Traits().Name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				g := newGroup(t, m, 3, func(from, to spec.ID, frame []byte) []time.Duration { return []time.Duration{10 * time.Millisecond} })
				g.start(1, 2, 3)
				time.Sleep(20 * time.Second)
				t.Log(g.leaders())
				top := spec.ID(3)
				g.crash(top)
				time.Sleep(30 * time.Second)
				t.Log(g.leaders())
				g.stop()
				for _, id := range g.ring {
					t.Log(g.members[id].node == nil, len(g.members[id].log.Bytes()))
				}
			})
		})
	}
}
