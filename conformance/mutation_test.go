package conformance_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"interleave/conformance"
	"interleave/impl"
)

// TestMain makes fewer checks than rapid does by default; -rapid.checks says
// otherwise.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "25"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// caught wants logs not to pass.
func caught(t *rapid.T, logs [][]byte) {
	t.Helper()
	report, err := check(logs, conformance.AnyFaults)
	var unusable *conformance.UnusableError
	switch {
	case errors.As(err, &unusable), err == nil && report.Verdict == conformance.Refuted:
		return
	case err != nil:
		t.Fatal(err)
	}
	t.Fatalf("it passes: %d steps", report.Steps)
}

// TestSeal: what the forger of these tests writes without altering anything is
// what was there.
func TestSeal(t *testing.T) {
	for _, run := range honest(t) {
		for i, log := range run {
			whole := log[:bytes.LastIndexByte(log, '\n')+1]
			if sealed := seal(t, parse(log), true); !bytes.Equal(sealed, whole) {
				t.Fatalf("process %d:\n%s\n%s", i+1, sealed, whole)
			}
		}
		if report, err := check(run, conformance.AnyFaults); err != nil || report.Verdict != conformance.Conforms {
			t.Fatal(report, err)
		}
	}
}

// TestAlteredFields: an alteration of any field is caught, even if the chain is
// computed anew. Each has a run that has such a field.
func TestAlteredFields(t *testing.T) {
	runs := honest(t)
	for _, a := range alterations {
		t.Run(a.name, func(t *testing.T) {
			places := altered(t, runs, a)
			if len(places) == 0 {
				t.Fatal("no line of any run has such a field")
			}
			rapid.Check(t, func(rt *rapid.T) {
				p := rapid.SampledFrom(places).Draw(rt, "place")
				records := parse(runs[p.run][p.log])
				a.alter(records[p.line])
				caught(rt, replaced(runs[p.run], p.log, seal(t, records, false)))
			})
		})
	}
}

// place is a line of a log of a run.
type place struct{ run, log, line int }

// altered returns the lines that an alteration can alter.
func altered(t *testing.T, runs [][][]byte, a alteration) (places []place) {
	for i, run := range runs {
		for j, log := range run {
			for k, r := range parse(log) {
				if a.alter(r) {
					places = append(places, place{i, j, k})
				}
			}
		}
	}
	return places
}

func replaced(run [][]byte, log int, text []byte) [][]byte {
	run = slices.Clone(run)
	run[log] = text
	return run
}

// surgery is a mutation of the lines of one log; the others are there to take
// lines from. It returns nil where it has no effect that anybody could see.
type surgery struct {
	name   string
	sealed bool // the forger computes numbers and chain anew
	cut    func(t *rapid.T, lines, others []*impl.Record) []*impl.Record
}

var surgeries = []surgery{
	{"delete", false, func(t *rapid.T, lines, _ []*impl.Record) []*impl.Record {
		i := rapid.IntRange(0, len(lines)-2).Draw(t, "line")
		if lines[i+1].Line == impl.LineBegin {
			return nil // the end of an incarnation: a crash
		}
		return slices.Delete(lines, i, i+1)
	}},
	{"double", false, func(t *rapid.T, lines, _ []*impl.Record) []*impl.Record {
		i := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		return slices.Insert(lines, i, lines[i])
	}},
	{"swap", false, func(t *rapid.T, lines, _ []*impl.Record) []*impl.Record {
		i := rapid.IntRange(0, len(lines)-2).Draw(t, "line")
		lines[i], lines[i+1] = lines[i+1], lines[i]
		return lines
	}},
	{"move from another process", false, func(t *rapid.T, lines, others []*impl.Record) []*impl.Record {
		i := rapid.IntRange(0, len(lines)).Draw(t, "line")
		return slices.Insert(lines, i, others[rapid.IntRange(0, len(others)-1).Draw(t, "other")])
	}},
	{"delete, sealed", true, func(t *rapid.T, lines, _ []*impl.Record) []*impl.Record {
		i := rapid.IntRange(0, len(lines)-2).Draw(t, "line")
		if r, next := lines[i], following(lines, i); r.Line != impl.LineBegin && (next == nil || r.Before == r.After) {
			return nil // the last step before a crash, or one that leaves the state alone: a loss
		}
		return slices.Delete(lines, i, i+1)
	}},
	{"double, sealed", true, func(t *rapid.T, lines, _ []*impl.Record) []*impl.Record {
		i := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		r := lines[i]
		if r.Line == impl.LineBreach || r.Line == impl.LineRefused || r.Line == impl.LineLost {
			return nil // said twice
		}
		if r.Line == impl.LineStep && r.Before == r.After && len(r.Sends) == 0 && r.Input.Received == nil {
			return nil // as a notice that changes nothing may come twice
		}
		return slices.Insert(lines, i, r)
	}},
	{"swap, sealed", true, func(t *rapid.T, lines, _ []*impl.Record) []*impl.Record {
		i := rapid.IntRange(0, len(lines)-2).Draw(t, "line")
		a, b := lines[i], lines[i+1]
		if a.Line != impl.LineStep || b.Line != impl.LineStep || a.Before == a.After || b.Before == b.After || a.Before == b.After {
			return nil
		}
		lines[i], lines[i+1] = b, a
		return lines
	}},
	{"forge a step of another process, sealed", true, func(t *rapid.T, lines, others []*impl.Record) []*impl.Record {
		i := rapid.IntRange(1, len(lines)-1).Draw(t, "line")
		forged := *others[rapid.IntRange(0, len(others)-1).Draw(t, "other")]
		if forged.Line != impl.LineStep || forged.Before == forged.After || following(lines, i-1) == nil {
			return nil // at the end it may be true
		}
		forged.Process, forged.Incarnation = lines[i-1].Process, lines[i-1].Incarnation
		return slices.Insert(lines, i, &forged)
	}},
	{"forge a state with its hashes, sealed", true, func(t *rapid.T, lines, _ []*impl.Record) []*impl.Record {
		i := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		r := lines[i]
		if r.Line != impl.LineStep || !digit(&r.State) {
			return nil
		}
		r.After = impl.HashState(r.State)
		if next := following(lines, i); next != nil {
			next.Before = r.After
		}
		return lines
	}},
	{"leave out a former life, sealed", true, func(t *rapid.T, lines, others []*impl.Record) []*impl.Record {
		i := 1 + slices.IndexFunc(lines[1:], func(r *impl.Record) bool { return r.Line == impl.LineBegin })
		heard := func(r *impl.Record) bool {
			in := r.Input
			return r.Line == impl.LineStep && in.Received != nil && in.Received.From == lines[0].Process && in.Received.Incarnation == lines[0].Incarnation
		}
		if i == 0 || !slices.ContainsFunc(others, heard) {
			return nil // as if it had never been
		}
		return lines[i:]
	}},
}

// following returns the next step of the same incarnation, nil if there is none.
func following(lines []*impl.Record, i int) *impl.Record {
	for _, r := range lines[i+1:] {
		switch r.Line {
		case impl.LineBegin:
			return nil
		case impl.LineStep:
			return r
		}
	}
	return nil
}

// TestSurgery: lines that are left out, doubled, moved or made up are caught.
func TestSurgery(t *testing.T) {
	runs := honest(t)
	for _, s := range surgeries {
		t.Run(s.name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				run, i, lines := operate(rt, runs, s.cut)
				log := raw(t, lines)
				if s.sealed {
					log = seal(t, lines, true)
				}
				caught(rt, replaced(run, i, log))
			})
		})
	}
}

// operate cuts a drawn log of a drawn run, or where there is nothing to cut the
// next log that can be; one of them can.
func operate(t *rapid.T, runs [][][]byte, cut func(t *rapid.T, lines, others []*impl.Record) []*impl.Record) (run [][]byte, i int, lines []*impl.Record) {
	t.Helper()
	first := rapid.IntRange(0, len(runs)-1).Draw(t, "run")
	log := rapid.IntRange(0, 100).Draw(t, "log")
	for k := range runs {
		run := runs[(first+k)%len(runs)]
		for j := range run {
			i := (log + j) % len(run)
			for range 40 {
				if lines := cut(t, parse(run[i]), parse(run[(i+1)%len(run)])); lines != nil {
					return run, i, lines
				}
			}
		}
	}
	t.Fatal("there is nothing to cut")
	return nil, 0, nil
}

// raw writes records as they are.
func raw(t testing.TB, lines []*impl.Record) (out []byte) {
	for _, r := range lines {
		text, err := impl.PlainJSON(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, text...), '\n')
	}
	return out
}

// TestBytes: no byte of a log can be altered.
func TestBytes(t *testing.T) {
	runs := honest(t)
	rapid.Check(t, func(t *rapid.T) {
		run := runs[rapid.IntRange(0, len(runs)-1).Draw(t, "run")]
		i := rapid.IntRange(0, len(run)-1).Draw(t, "log")
		end := bytes.LastIndexByte(run[i], '\n') // behind it a line is cut, and nobody knows what it was
		at := rapid.IntRange(0, end-1).Draw(t, "byte")
		log := bytes.Clone(run[i])
		log[at] ^= 1 << rapid.IntRange(0, 6).Draw(t, "bit")
		caught(t, replaced(run, i, log))
	})
}

// TestTruncated: a log that ends too early is a crash, and told as one, or else
// messages come from nowhere.
func TestTruncated(t *testing.T) {
	runs := honest(t)
	refuted := 0
	rapid.Check(t, func(t *rapid.T) {
		run := runs[rapid.IntRange(0, len(runs)-1).Draw(t, "run")]
		i := rapid.IntRange(0, len(run)-1).Draw(t, "log")
		end := rapid.IntRange(0, bytes.LastIndexByte(run[i], '\n')-1).Draw(t, "end")
		before, err := check(run, conformance.AnyFaults)
		if err != nil {
			t.Fatal(err)
		}
		after, err := check(replaced(run, i, run[i][:end]), conformance.AnyFaults)
		var unusable *conformance.UnusableError
		switch {
		case errors.As(err, &unusable):
		case err != nil:
			t.Fatal(err)
		case after.Verdict == conformance.Refuted:
			refuted++
		case len(after.Notes) == 0 || after.Lines >= before.Lines:
			t.Fatalf("a log that ends at byte %d of %d is as good as whole", end, len(run[i]))
		}
	})
	if refuted == 0 {
		t.Error("no message came from nowhere")
	}
}
