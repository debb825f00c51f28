package model_test

import (
	"strings"
	"testing"

	"interleave/explore"
	"interleave/model"
	"interleave/spec/bully"
	"interleave/spec/catalog"
)

// TestFairNames: what is listed may be named, and whatever is owed to one of the
// kinds is owed to none that does not begin so.
func TestFairNames(t *testing.T) {
	for _, m := range catalog.Machines {
		c, err := model.Home(m, 3)
		if err != nil {
			t.Fatal(err)
		}
		kinds := model.FairKinds(m, c)
		for _, name := range append(model.FairNames(m, c), "all") {
			c.Fairness = model.Fairness{Strong: []string{name}}
			if err := c.Check(m); err != nil {
				t.Errorf("%s: %v", m.Traits().Name, err)
			}
			for _, kind := range kinds {
				if owed := c.Fairness.Of(kind).String() == "strong"; owed != (name == "all" || kind == name || strings.HasPrefix(kind, name+" ")) {
					t.Errorf("%s: strong for %s: %v of %s", m.Traits().Name, name, owed, kind)
				}
			}
		}
	}
}

// TestFairWords: a kind of message that is called by two words is not meant by the first.
func TestFairWords(t *testing.T) {
	fair := model.Fairness{Strong: []string{"receive a"}, Unfair: []string{"timeout"}}
	for kind, want := range map[string]explore.Strength{
		"receive a": explore.Strong, "receive a b": explore.Weak, "receive ab": explore.Weak, "timeout T x": explore.Unfair, "timeouts": explore.Weak,
	} {
		if owed := fair.Of(kind); owed != want {
			t.Errorf("%s: %v, want %v", kind, owed, want)
		}
	}
}

func TestUnowed(t *testing.T) {
	for _, c := range []struct {
		axis, names, want string
		network           model.Network
	}{
		{"strong", "receive OK", "in a fifo network only the next message of a queue can arrive", model.FIFO},
		{"strong", "receive OK", "", model.Set},
		{"strong", "receive KO", "give all, or some of notice, timeout, timeout T_ok", model.FIFO},
		{"unfair", "lose", `"lose" is a failure, and fairness is never assumed of failures: leave it out`, model.FIFO},
		{"unfair", "recover", `"recover" is a failure`, model.Set},
		{"unfair", "notice", `"notice" is among the strong ones, too: leave one out`, model.FIFO},
		{"unfair", "timeout", "", model.FIFO},
	} {
		world := model.Config{N: 3, Network: c.network, Fairness: model.Fairness{Strong: []string{"notice", "timeout T_ok"}}}
		err := world.Set(c.axis, c.names)
		if err == nil {
			err = world.Check(bully.Mended)
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v", c.axis, c.names, err)
		}
	}
}
