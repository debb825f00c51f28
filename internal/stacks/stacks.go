// Package stacks finds out what a program waits for, once it has been told to end and does not.
// It reads the stacks of all goroutines, so nothing has to be noted while the work goes on.
package stacks

import (
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// Wait is what a goroutine is in.
type Wait struct {
	Goroutine string // its number and nothing else
	Called    string // the function of somebody else that our code called; empty: none
	Function  string // and the innermost one of somebody else: its name and place
	File      bool   // a file is read, written or opened
}

// same reports whether two waits, at two times, are of one goroutine in one function.
func (w Wait) same(v Wait) bool {
	return w.Goroutine == v.Goroutine && w.Called == v.Called && w.File == v.File
}

// Waits returns what the goroutines are in that our code, and in the end a verb, waits for.
func Waits() []Wait {
	text := make([]byte, 1<<20)
	text = text[:runtime.Stack(text, true)]
	var out []Wait
	for stack := range strings.SplitSeq(string(text), "\n\n") {
		if w, ok := read(stack); ok {
			out = append(out, w)
		}
	}
	return out
}

// Both returns the first of the waits that are in both lists.
func Both(before, now []Wait) (Wait, bool) {
	for _, w := range now {
		if slices.ContainsFunc(before, w.same) {
			return w, true
		}
	}
	return Wait{}, false
}

// frame is a call in a stack: the package of the function, its name, and where it is.
type frame struct{ pkg, function, place string }

var (
	title  = regexp.MustCompile(`^goroutine (\d+)`)
	place  = regexp.MustCompile(`^\t(.*:\d+)( \+0x[0-9a-f]+)?$`)
	called = regexp.MustCompile(`^((?:.*/)?[^./]+)\.(.*)\(.*\)$`)
)

// read reads a stack as Go prints it, the innermost call first.
func read(stack string) (Wait, bool) {
	lines := strings.Split(stack, "\n")
	number := title.FindStringSubmatch(lines[0])
	if number == nil {
		return Wait{}, false
	}
	var frames []frame
	for i := 1; i+1 < len(lines); i += 2 {
		f, at := called.FindStringSubmatch(lines[i]), place.FindStringSubmatch(lines[i+1])
		if f == nil || at == nil {
			break // "created by"
		}
		frames = append(frames, frame{f[1], f[2], at[1]})
	}
	return judge(number[1], frames)
}

// judge returns what the goroutine is in: the function of somebody else that our code called, or
// else a file that our code uses.
func judge(number string, frames []frame) (Wait, bool) {
	first := slices.IndexFunc(frames, func(f frame) bool { return !standard(f.pkg) })
	if first < 0 {
		return Wait{}, false
	}
	if f := frames[first]; ours(f.pkg) {
		uses := slices.ContainsFunc(frames[:first], func(f frame) bool {
			return f.pkg == "os" && (strings.HasPrefix(f.function, "(*File).") || f.function == "OpenFile")
		})
		return Wait{Goroutine: number, File: true}, uses && f.pkg != library+"/cmd/mc/supervisor"
	}
	caller := slices.IndexFunc(frames, func(f frame) bool { return ours(f.pkg) })
	if caller < 0 {
		return Wait{}, false // one of its own
	}
	outermost := frames[caller-1]
	if standard(outermost.pkg) || slices.ContainsFunc(theirs, func(p string) bool { return under(outermost.pkg, p) }) {
		return Wait{}, false
	}
	in := frames[first]
	dir, file := filepath.Split(in.place)
	return Wait{
		Goroutine: number, Called: outermost.pkg + "." + outermost.function,
		Function: in.pkg + "." + in.function + " (" + filepath.Base(dir) + "/" + file + ")",
	}, true
}

const library = "interleave"

// own are the packages of the library that call functions of somebody else, and theirs the
// modules of others that the library calls.
var (
	own    = []string{"conformance", "explore", "impl", "internal", "model", "properties", "tla", "cmd/mc/cli", "cmd/mc/explorer", "cmd/mc/supervisor", "cmd/mc/internal"}
	theirs = []string{"github.com/klauspost", "github.com/spf13", "github.com/charmbracelet", "charm.land", "github.com/goccy", "github.com/google/gopacket", "golang.org/x"}
)

func under(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }

func ours(pkg string) bool {
	return pkg == library || pkg == library+"/spec" || slices.ContainsFunc(own, func(p string) bool { return under(pkg, library+"/"+p) })
}

// standard reports whether a package is of the standard library.
func standard(pkg string) bool {
	host, _, _ := strings.Cut(pkg, "/")
	return !strings.Contains(host, ".") && host != "main" && !under(pkg, library) && !slices.ContainsFunc(modules(), func(m string) bool { return under(pkg, m) })
}

// modules returns the modules that the program is made of.
var modules = sync.OnceValue(func() (paths []string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	paths = append(paths, info.Main.Path)
	for _, m := range info.Deps {
		paths = append(paths, m.Path)
	}
	return paths
})
