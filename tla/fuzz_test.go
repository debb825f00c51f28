package tla_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"interleave/tla"
	"interleave/tla/eval"
)

// FuzzCheck: whatever module and configuration are checked, that ends soon, and
// nothing panics.
func FuzzCheck(f *testing.F) {
	modules, err := filepath.Glob("*.tla")
	if err != nil || len(modules) < 5 {
		f.Fatal(modules, err)
	}
	for _, file := range append(modules, "testdata/Ring.tla") {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		config, err := os.ReadFile(strings.TrimSuffix(file, ".tla") + ".cfg")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), string(config))
	}
	f.Add("---- MODULE M ----\nEXTENDS Naturals, TLC\n"+counter+"====", "SPECIFICATION Fair PROPERTIES Reaches Returns Leaves Resets INVARIANT Small CONSTRAINT Few")
	for _, config := range []string{"INIT Next NEXT Next", "INIT Init NEXT Next INVARIANT Steps", "INIT Init NEXT Next VIEW Up SYMMETRY Small PROPERTY Never"} {
		f.Add("---- MODULE M ----\nEXTENDS Naturals, TLC\n"+counter+"====", config)
	}
	for _, next := range []string{
		"CHOOSE y \\in SUBSET (1..60) : FALSE", "{x, <<x, x>>} \\X {x}", "[y \\in Nat |-> y][x]", "x \\o x", "LET RECURSIVE G(_) G(n) == G(n + 1) IN G(x)",
		"[x EXCEPT ![1] = @ + 1]", "CASE x = 1 -> 2", "UNION {SUBSET Nat, {x}}", "TLCGet(\"level\")", "SortSeq(<<x, 1>>, LAMBDA a, b : a < b)",
	} {
		f.Add("---- MODULE M ----\nEXTENDS Integers, Sequences, FiniteSets, Bags, TLC\nVARIABLE x\nInit == x = <<1>>\nNext == x' = "+next+"\nL == []<>(ENABLED Next)\n====", "INIT Init NEXT Next PROPERTY L")
	}
	f.Fuzz(func(t *testing.T, text, config string) {
		c, err := tla.ParseConfig("M.cfg", config)
		if err != nil {
			return
		}
		name := "M"
		if _, rest, ok := strings.Cut(text, "MODULE"); ok && len(strings.Fields(rest)) > 0 {
			name = strings.Fields(rest)[0]
		}
		spec, err := eval.Load(name, eval.Alone(name, "M.tla", text))
		if err != nil {
			return
		}
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		defer spec.Limit(ctx, 1<<30)()
		m, err := tla.New(spec, c)
		if err != nil {
			return
		}
		r, err := m.Check(ctx, tla.Options{Workers: 1, MaxStates: 100, Memory: 1 << 28})
		if err == nil {
			r.Verdict()
			for _, f := range r.Findings {
				for i := 0; f.Trace != nil && i < len(f.Trace.States); i++ {
					f.Trace.Label(i)
					f.Trace.Changes(i, true)
				}
			}
		}
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}
