package execution

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/capturetest"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec/catalog"
)

// TestFollowLost: a file of which something may be missed is followed no longer. What is still
// in it when it loses its name counts.
func TestFollowLost(t *testing.T) {
	t.Chdir(t.TempDir())
	whole, forged := capturetest.PCAPNG(t, capturetest.Election, nil), capturetest.Forged(t)
	other := capturetest.PCAPNG(t, slices.Concat(capturetest.Election, capturetest.Election), func(_ int, f *wire.Frame) { f.Run = 9 })
	zeros := append([]byte{0, 0, 0, 0, 0, 0, 0, 0, 100, 0, 0, 0, 100, 0, 0, 0}, make([]byte, 100)...) // a packet
	const name = "grows.pcapng"
	rename := func(from, to string) {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	for what, c := range map[string]struct {
		begin []byte
		lose  func()
		want  string // ""; it is refuted before
		told  string
	}{
		"truncated":                {whole, func() { put(t, name, "") }, "it was truncated or overwritten while it was followed", "7 packets so far; 7 are judged"},
		"truncated in a packet":    {whole[:len(whole)/2], func() { put(t, name, string(whole[:99])) }, "it was truncated or overwritten", "2 packets so far; 0 are judged"},
		"written over, and longer": {whole[:len(whole)/2], func() { put(t, name, string(other)) }, "it was truncated or overwritten", "2 packets so far; 0 are judged"},
		"truncated behind zeros":   {slices.Concat(capturetest.Snapped(t, whole, 0), zeros), func() { put(t, name, "") }, "it was truncated or overwritten", "7 packets so far; 7 are judged"},
		"removed":                  {whole, func() { os.Remove(name) }, "it was removed or renamed", "7 packets so far; 7 are judged"},
		"removed in a packet":      {whole[:len(whole)/2], func() { os.Remove(name) }, "it was removed or renamed", "2 packets so far; 0 are judged"},
		"renamed":                  {whole, func() { rename(name, "grows.pcapng.1") }, "it was removed or renamed", "7 packets so far; 7 are judged"},
		"another in its place":     {whole, func() { put(t, "other", string(forged)); rename("other", name) }, "another file has taken its place", "7 packets so far; 7 are judged"},
		"refuted before":           {forged, func() { os.Remove(name) }, "", ""},
	} {
		put(t, name, string(c.begin))
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		r, err := capture.NewReader(&growing{ctx: t.Context(), name: name, file: file}, capture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		first, err := r.Next() // by which all that is there has been read
		if err != nil {
			t.Fatal(err)
		}
		follower := captures.NewFollower(captures.Options{Find: names.Table{Algorithms: catalog.Machines}.Find})
		if _, err := follower.Take(first); err != nil {
			t.Fatal(err)
		}
		c.lose()
		var said strings.Builder
		report, err := takeAll(t.Context(), (&ui.UI{Err: &said}), r, follower)
		if c.want == "" {
			if err != nil || report == nil || report.Verdict != conformance.Refuted {
				t.Errorf("%s: %v, %v", what, report, err)
			}
			continue
		}
		var h ui.Hinted
		if err = inFile(name, err); !errors.As(err, &h) || !strings.HasPrefix(err.Error(), name+": "+c.want) || !strings.Contains(h.Hint, "one file") {
			t.Errorf("%s: %v", what, err)
		}
		if want := "mc: " + c.told + ", and explained\n"; said.String() != want {
			t.Errorf("%s: %q, want %q", what, said.String(), want)
		}
	}
}
