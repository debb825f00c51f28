package main

import (
	"slices"
	"testing"
)

// TestDifference: what is measured does not count, what is renamed is the same, and anything else differs.
func TestDifference(t *testing.T) {
	renamed := renaming("# old new\nQ-idle no-deadlock\nkept\tstored\n")
	before := lines("{\n  \"Q-idle\": 1,\n  \"seconds\": 0.5,\n  \"kept_as\": 2\n}", renamed)
	for report, want := range map[string]string{
		"{\n  \"no-deadlock\": 1,\n  \"seconds\": 0.7,\n  \"kept_as\": 2\n}": "",
		"{\n  \"no-deadlock\": 1,\n  \"kept_as\": 2,\n  \"bytes\": 3\n}":     "",
		"{\n  \"no-deadlock\": 2,\n  \"kept_as\": 2\n}":                      "  before \"no-deadlock\": 1\n  after  \"no-deadlock\": 2\n",
		"{\n  \"no-deadlock\": 1\n}":                                         "  before \"kept_as\": 2\n  after  }\n",
	} {
		if have := difference(before, lines(report, func(s string) string { return s })); have != want {
			t.Errorf("%s: %q, not %q", report, have, want)
		}
	}
	if have := lines("a Q-idle, kept and unkept", renamed); !slices.Equal(have, []string{"a no-deadlock, stored and unkept"}) {
		t.Error(have)
	}
}

func TestFlagOf(t *testing.T) {
	for want, value := range map[string]any{"3": 3.0, "fifo": "fifo", "false": false, "1,3,2": []any{1.0, 3.0, 2.0}} {
		if have := flagOf(value); have != want {
			t.Errorf("%v is %q, not %q", value, have, want)
		}
	}
}
