package network

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// arrivals lets frames named by letters take a line, one every millisecond,
// and returns those that come out, each with the milliseconds since the first
// was put in.
func arrivals(t *testing.T, hold time.Duration, fates ...Fate) string {
	var out []string
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		l := newLine(hold, func(frame []byte) {
			out = append(out, fmt.Sprintf("%s%d", frame, time.Since(began).Milliseconds()))
		})
		for i, fate := range fates {
			l.put([]byte{byte('a' + i)}, fate, time.Now())
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Second)
		l.close()
	})
	return strings.Join(out, " ")
}

func after(ms ...int) Fate {
	f := Fate{Copied: len(ms) > 1}
	for i, m := range ms {
		f.Delay[i] = time.Duration(m) * time.Millisecond
	}
	return f
}

func TestLine(t *testing.T) {
	held := Fate{Held: true}
	for _, c := range []struct {
		about string
		fates []Fate
		want  string
	}{
		{"nothing is done to them", []Fate{{}, {}, {}}, "a0 b1 c2"},
		{"each is kept", []Fate{after(10), after(10), after(10)}, "a10 b11 c12"},
		{"a shorter delay overtakes", []Fate{after(10), after(2), after(30)}, "b3 a10 c32"},
		{"due at the same time, first come first served", []Fate{after(2), after(1), after(0)}, "a2 b2 c2"},
		{"a copy", []Fate{after(5, 20), {}}, "b1 a5 a20"},
		{"a copy at once", []Fate{after(0, 0), {}}, "a0 a0 b1"},
		{"the next overtakes", []Fate{held, {}, {}}, "b1 a1 c2"},
		{"two in a row are held", []Fate{held, held, {}}, "c2 a2 b2"},
		{"nobody overtakes", []Fate{{}, held}, "a0 b51"},
		{"the next is slow, and overtakes all the same", []Fate{held, after(10), {}}, "c2 b11 a11"},
	} {
		if got := arrivals(t, 50*time.Millisecond, c.fates...); got != c.want {
			t.Errorf("%s: %s, not %s", c.about, got, c.want)
		}
	}
}

// TestLineHurries: what is under way arrives at once, and what comes later is none
// of it.
func TestLineHurries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var got string
		l := newLine(time.Second, func(frame []byte) { got += fmt.Sprintf("%s%d ", frame, time.Since(began).Milliseconds()) })
		l.put([]byte("a"), after(5000), time.Now())
		l.put([]byte("b"), Fate{Held: true}, time.Now())
		time.Sleep(3 * time.Millisecond)
		l.hurry(time.Now())
		synctest.Wait()
		l.put([]byte("c"), after(10), time.Now())
		time.Sleep(10 * time.Second)
		l.close()
		if got != "a3 b3 c13 " {
			t.Error(got)
		}
	})
}

// TestLineCloses: what is under way is dropped, and nothing comes after.
func TestLineCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine(time.Second, func([]byte) { t.Error("delivered") })
		l.put([]byte("a"), after(10), time.Now())
		l.close()
		time.Sleep(time.Second)
	})
}
