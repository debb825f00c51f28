package testsize_test

import (
	"flag"
	"testing"

	"interleave/internal/testsize"
)

// TestOf: all is tested if the variable says so and -short does not.
func TestOf(t *testing.T) {
	before := flag.Lookup("test.short").Value.String()
	defer flag.Set("test.short", before)
	for _, c := range []struct{ value, short, want string }{
		{"", "false", "some"},
		{"all", "false", "all"},
		{"", "true", "little"},
		{"all", "true", "little"},
	} {
		t.Setenv("INTERLEAVE_TESTS", c.value)
		flag.Set("test.short", c.short)
		if have := testsize.Of("little", "some", "all"); have != c.want || testsize.All() != (c.want == "all") {
			t.Errorf("%+v: %s, all is %v", c, have, testsize.All())
		}
	}
}

// TestTestSkips: a test that takes long runs only where all is tested.
func TestTestSkips(t *testing.T) {
	t.Setenv("INTERLEAVE_TESTS", "")
	ran := false
	t.Run("skipped", func(t *testing.T) {
		testsize.Test(t)
		ran = true
	})
	if ran {
		t.Error("it runs although nobody asked for all")
	}
}

// TestMistyped: a value that says nothing is no silent "some".
func TestMistyped(t *testing.T) {
	t.Setenv("INTERLEAVE_TESTS", "ALL")
	defer func() {
		if recover() == nil {
			t.Error("ALL is taken")
		}
	}()
	testsize.All()
}
