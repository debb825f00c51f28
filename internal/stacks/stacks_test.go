package stacks

import "testing"

func TestRead(t *testing.T) {
	const (
		mine   = "main.leader.func1(...)\n\t/home/me/mine/mine.go:12 +0x1d\n"
		sort   = "slices.SortFunc[...](0x1)\n\t/go/src/slices/sort.go:30 +0x1d\n"
		caller = "interleave/model.(*World).Leader(0xc0001, {0x1, 0x2})\n\t/lib/model/world.go:99 +0x2\n"
		zstd   = "github.com/klauspost/compress/zstd.(*Encoder).Write(0x1)\n\t/zstd/enc.go:7 +0x2\n"
		file   = "syscall.write(0x1)\n\t/go/src/syscall/z.go:3 +0x2\nos.(*File).Write(0x1)\n\t/go/src/os/file.go:3 +0x2\n"
		parent = "interleave/cmd/mc/supervisor.begun.func1()\n\t/lib/supervisor.go:9 +0x2\n"
		by     = "created by interleave/properties.supervised[...] in goroutine 1\n\t/lib/watchdog.go:1 +0x3\n"
	)
	leader := Wait{Goroutine: "7", Called: "main.leader.func1", Function: "main.leader.func1 (mine/mine.go:12)"}
	for stack, want := range map[string]Wait{
		mine + caller + by:        leader,
		sort + mine + caller + by: leader,
		file + mine + caller + by: leader,
		sort + caller + by:        {},
		mine + by:                 {},
		zstd + caller + by:        {},
		file + zstd + caller + by: {},
		file + caller + by:        {Goroutine: "7", File: true},
		file + parent:             {},
	} {
		got, ok := read("goroutine 7 [running]:\n" + stack)
		if ok != (want != Wait{}) || ok && got != want {
			t.Errorf("%s%+v, %v; want %+v", stack, got, ok, want)
		}
	}
}

func TestBoth(t *testing.T) {
	a, b := Wait{Goroutine: "1", File: true}, Wait{Goroutine: "2", File: true}
	if w, ok := Both([]Wait{a, b}, []Wait{b}); !ok || w != b {
		t.Error(w, ok)
	}
	if w, ok := Both([]Wait{a}, []Wait{b}); ok {
		t.Error(w)
	}
}
