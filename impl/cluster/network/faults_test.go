package network

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var storm = Faults{Loss: 100_000, Duplicate: 50_000, Reorder: 20_000, Delay: Span{5 * time.Millisecond, 25 * time.Millisecond}}

// TestFateIsPure asks for fates in two orders, and pins some: a plan of today
// means the same tomorrow.
func TestFateIsPure(t *testing.T) {
	first := map[string]Fate{}
	for ordinal := uint64(1); ordinal <= 200; ordinal++ {
		first[fmt.Sprint(1, 2, ordinal)] = storm.Fate(7, 1, 2, ordinal)
		first[fmt.Sprint(2, 1, ordinal)] = storm.Fate(7, 2, 1, ordinal)
	}
	same := map[string]int{}
	for ordinal := uint64(200); ordinal >= 1; ordinal-- {
		if again := storm.Fate(7, 1, 2, ordinal); again != first[fmt.Sprint(1, 2, ordinal)] {
			t.Fatalf("ordinal %d: %+v", ordinal, again)
		}
		fate := first[fmt.Sprint(1, 2, ordinal)]
		for what, other := range map[string]Fate{
			"link": first[fmt.Sprint(2, 1, ordinal)], "seed": storm.Fate(8, 1, 2, ordinal), "ordinal": storm.Fate(7, 1, 2, ordinal+1),
		} {
			if !fate.Lost && fate == other {
				same[what]++
			}
		}
	}
	if len(same) > 0 {
		t.Errorf("fates that do not depend on what they should: %v", same)
	}
	pinned := ""
	for ordinal := uint64(1); ordinal <= 30; ordinal++ {
		switch f := storm.Fate(7, 1, 2, ordinal); {
		case f.Lost:
			pinned += "L"
		case f.Copied:
			pinned += "C"
		case f.Held:
			pinned += "H"
		default:
			pinned += "."
		}
	}
	if want := "........CLL..C......H......C.."; pinned != want {
		t.Errorf("the fates are %s, and were %s", pinned, want)
	}
}

// TestFateRates counts what 100,000 frames come to.
func TestFateRates(t *testing.T) {
	const n = 100_000
	var lost, copied, held, low, high int
	for ordinal := uint64(1); ordinal <= n; ordinal++ {
		f := storm.Fate(1, 3, 4, ordinal)
		if f.Lost {
			lost++
			continue
		}
		if f.Copied {
			copied++
		}
		if f.Held {
			held++
		}
		for _, d := range f.Delay {
			if d < storm.Delay.Min || d > storm.Delay.Max {
				t.Fatalf("ordinal %d is kept for %v", ordinal, d)
			}
			if d < 10*time.Millisecond {
				low++
			}
			if d > 20*time.Millisecond {
				high++
			}
		}
	}
	within := func(what string, have, of int, rate float64) {
		if got := float64(have) / float64(of); got < rate*0.95 || got > rate*1.05 {
			t.Errorf("%s: %.4f, not %.4f", what, got, rate)
		}
	}
	within("lost", lost, n, 0.1)
	within("copied", copied, n-lost, 0.05)
	within("held", held, n-lost, 0.02)
	within("quick", low, 2*(n-lost), 0.25)
	within("slow", high, 2*(n-lost), 0.25)
}

// TestMoreLossLosesMore: what a rate loses, a higher one loses, too, and what
// both let pass fares the same.
func TestMoreLossLosesMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, ordinal := rapid.Uint64().Draw(t, "seed"), rapid.Uint64().Draw(t, "ordinal")
		less := storm
		less.Loss = Rate(rapid.IntRange(0, int(certain)).Draw(t, "rate"))
		more := less
		more.Loss = min(less.Loss+less.Loss/2, certain)
		a, b := less.Fate(seed, 1, 2, ordinal), more.Fate(seed, 1, 2, ordinal)
		if a.Lost && !b.Lost || !b.Lost && a != b {
			t.Fatalf("%+v with %v, and %+v with %v", a, less.Loss, b, more.Loss)
		}
		if less.Loss = 0; !b.Lost && less.Fate(seed, 1, 2, ordinal) != b {
			t.Fatal("another fate without loss")
		}
		if (Faults{}).Fate(seed, 1, 2, ordinal) != (Fate{}) {
			t.Fatal("something befalls a frame without any faults")
		}
		if !(Faults{Loss: certain}).Fate(seed, 1, 2, ordinal).Lost {
			t.Fatal("a frame survives certain loss")
		}
	})
}

func TestParseRateAndSpan(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"10%", "10%"}, {"0.5%", "0.5%"}, {"100%", "100%"}, {"0%", "0%"}, {"0.0001%", "0.0001%"},
		{"10", `"10" is no percentage: write one as in 10%`},
		{"%", `"%" is no percentage: write one as in 10%`},
		{"ten%", `"ten%" is no percentage: write one as in 10%`},
		{"101%", `101% is no chance: write 0% to 100%`},
		{"-1%", `-1% is no chance: write 0% to 100%`},
		{"NaN%", `NaN% is no chance: write 0% to 100%`},
	} {
		r, err := ParseRate(c.text)
		if got := told(r, err); got != c.want {
			t.Errorf("%s: %s, not %s", c.text, got, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"0..20ms", "0..20ms"}, {"5ms..20ms", "5ms..20ms"}, {"5ms", "5ms"}, {"0s..1s", "0..1s"},
		{"20", `"20" is no span of time: write one as in 0..20ms`},
		{"1ms..2ms..3ms", `"1ms..2ms..3ms" is no span of time: write one as in 0..20ms`},
		{"20ms..5ms", `20ms..5ms is empty: write 5ms..20ms`},
		{"-1ms..5ms", `-1ms..5ms begins below 0: write 0..5ms`},
		{"0..1h", `0..1h: more than 1m0s is no delay: write a shorter one`},
	} {
		s, err := ParseSpan(c.text)
		if got := told(s, err); got != c.want {
			t.Errorf("%s: %s, not %s", c.text, got, c.want)
		}
	}
}

func told(v fmt.Stringer, err error) string {
	if err != nil {
		return err.Error()
	}
	return v.String()
}
