package matrix

import (
	"testing"

	"interleave/conformance/drive"
	"interleave/spec/catalog"
)

// TestNoAlarm: nobody tells an algorithm from itself.
func TestNoAlarm(t *testing.T) {
	machines := catalog.Machines
	if testing.Short() {
		machines = machines[:6]
	}
	for _, m := range machines {
		t.Run(m.Traits().Name, func(t *testing.T) {
			t.Parallel()
			words := 0
			for _, c := range Worlds(m) {
				_, err := drive.Cover(t.Context(), m, c, drive.Options{MaxStates: maxStates / 10, Ran: func(r drive.Ran) error {
					if !silent(r) {
						words++
					}
					for _, l := range Layers[1:] {
						if how, err := l.Judge(m, c, r); how != "" || err != nil {
							t.Error(c, l.Name, how, err)
						}
					}
					return nil
				}})
				if err != nil {
					t.Log(err)
				}
			}
			if words == 0 {
				t.Error("nobody said a word in any run")
			}
		})
	}
}
