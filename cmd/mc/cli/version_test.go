package cli

import (
	"runtime/debug"
	"testing"

	"interleave/cmd/mc/internal/source"
)

// The version is that of the library, also in an mc of one's own, which has one of its own.
func TestNumberOf(t *testing.T) {
	other := debug.Module{Path: "example.org/lockservice", Version: "v9.9.9"}
	ours := debug.Module{Path: source.Library, Version: "v1.2.3"}
	replaced := ours
	replaced.Replace = &debug.Module{Path: "../interleave"}
	for _, build := range []struct {
		of   string
		info debug.BuildInfo
		want string
	}{
		{"our own mc", debug.BuildInfo{Main: ours, Deps: []*debug.Module{&other}}, "v1.2.3"},
		{"an mc of one's own", debug.BuildInfo{Main: other, Deps: []*debug.Module{&ours}}, "v1.2.3"},
		{"one beside our sources", debug.BuildInfo{Main: other, Deps: []*debug.Module{&replaced}}, "v1.2.3, replaced by ../interleave"},
		{"a build without modules", debug.BuildInfo{Main: other}, "(unknown)"},
	} {
		if got := numberOf(&build.info); got != build.want {
			t.Errorf("%s has version %q, want %q", build.of, got, build.want)
		}
	}
}
