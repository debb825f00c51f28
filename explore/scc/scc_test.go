package scc

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestOf compares with the nodes that reach each other.
func TestOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "nodes")
		next := make([][]uint32, n)
		for i := range next {
			next[i] = rapid.SliceOfN(rapid.Uint32Range(0, uint32(n-1)), 0, 3).Draw(t, "successors")
		}
		reaches := closure(next)
		numbers := Of(next)
		for a := range n {
			for b := range n {
				if want := a == b || reaches[a][b] && reaches[b][a]; (numbers[a] == numbers[b]) != want {
					t.Fatalf("%d and %d together: %v", a, b, !want)
				}
				if reaches[a][b] && numbers[b] > numbers[a] {
					t.Fatalf("%d leads to %d, which comes later", a, b)
				}
			}
		}
		s := Search{Nodes: n, Follow: func(i int, out []uint32) []uint32 { return append(out, next[i]...) }}
		s.Found = func(members []uint32, cyclic bool) error {
			if m := members[0]; cyclic != reaches[m][m] {
				t.Fatalf("a cycle through %d: %v", m, cyclic)
			}
			return nil
		}
		if err := s.Run(context.Background()); err != nil || s.Seen() != n {
			t.Fatalf("%d nodes seen, %v", s.Seen(), err)
		}
	})
}

// closure tells which nodes are reached from each by at least one step.
func closure(next [][]uint32) [][]bool {
	reaches := make([][]bool, len(next))
	for i := range reaches {
		reaches[i] = make([]bool, len(next))
		for queue := slices.Clone(next[i]); len(queue) > 0; queue = queue[1:] {
			if n := queue[0]; !reaches[i][n] {
				reaches[i][n] = true
				queue = append(queue, next[n]...)
			}
		}
	}
	return reaches
}

// TestLarge: a component of very many nodes is reported like any other: a path and back, and a
// path that leads there.
func TestLarge(t *testing.T) {
	const n = 1 << 17
	next := func(i int, out []uint32) []uint32 {
		if i == n-1 {
			return append(out, n/4)
		}
		return append(out, uint32(i+1))
	}
	sizes := map[int]int{}
	s := Search{Nodes: n, Follow: next, Found: func(members []uint32, cyclic bool) error {
		if sizes[len(members)]++; cyclic != (len(members) > 1) {
			t.Errorf("a component of %d is a cycle: %v", len(members), cyclic)
		}
		return nil
	}}
	if err := s.Run(t.Context()); err != nil || sizes[1] != n/4 || sizes[n-n/4] != 1 || len(sizes) != 2 {
		t.Errorf("components by size: %v, %v", sizes, err)
	}
}

// TestLimits ends searches of a path and of a fan early, while they go down.
func TestLimits(t *testing.T) {
	const n = 1 << 20
	path := func(i int, out []uint32) []uint32 {
		if i+1 < n {
			out = append(out, uint32(i+1))
		}
		return out
	}
	found := func([]uint32, bool) error { t.Error("a component is found"); return nil }
	cancelled, cancel := context.WithCancel(t.Context())
	down := 0
	s := Search{Nodes: n, Found: found, Follow: func(i int, out []uint32) []uint32 {
		if down++; down == n/4 {
			cancel()
		}
		return path(i, out)
	}}
	if err := s.Run(cancelled); err != context.Canceled || down > n/2 {
		t.Errorf("%v, after %d nodes", err, down)
	}
	for _, memory := range []int64{4*n - 1, 4*n + 1<<20} {
		s := Search{Nodes: n, Memory: memory, Follow: path, Found: found}
		if err := s.Run(t.Context()); err != ErrMemory || s.Seen() > n/4 {
			t.Errorf("%v, after %d nodes", err, s.Seen())
		}
	}
}
