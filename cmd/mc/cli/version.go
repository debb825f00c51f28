package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"interleave/cmd/mc/internal/source"
)

// version returns which Interleave this is, as the build recorded it, and which Go built it. In
// a program of somebody else's Interleave is one of the modules that it depends on.
func version() string {
	number := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		number = numberOf(info)
	}
	return fmt.Sprintf("%s, %s %s/%s", number, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// numberOf returns the version of the library in a build.
func numberOf(info *debug.BuildInfo) string {
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path != source.Library {
			continue
		}
		if m.Replace != nil {
			return m.Version + ", replaced by " + m.Replace.Path
		}
		return m.Version
	}
	return "(unknown)"
}
