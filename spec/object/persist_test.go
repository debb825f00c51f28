package object_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"interleave/internal/cell"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/object"
	"interleave/spec/object/objecttest"
)

// TestPersist: a crash within a step leaves what was persisted before it, whatever was sent.
func TestPersist(t *testing.T) {
	for _, row := range []struct {
		does string
		want []string // after so many sends, what is on the disk
	}{
		{"a b", []string{"1: 0"}},               // a crash before all is like one before the step
		{"write a b", []string{"0: 1", "1: 1"}}, // on the disk before anything is sent
		{"write persist a b", []string{"0: 1", "1: 1"}},
		{"a write persist", []string{"1: 0"}},
		{"a write persist b", []string{"1: 0", "1: 1"}},
		{"write persist a write persist b write", []string{"0: 1", "1: 1", "1: 2", "2: 2"}},
		{"write persist write persist a", []string{"0: 1", "0: 2"}},
		{"a persist persist write", []string{"1: 0"}}, // and what is written is safe when the step ends
		{"a persist write persist persist b", []string{"1: 0", "1: 1"}},
		{"write say persist", []string{"0: 0, said 1"}},
		{"write persist say", nil},
		{"write a say persist say", []string{"1: 0, said 1"}},
		{"write say a persist b", []string{"1: 0, said 1", "1: 1"}},
	} {
		if got := leftByCrashes(t, objecttest.Diary(row.does)); !slices.Equal(got, row.want) {
			t.Errorf("%s: %q, not %q", row.does, got, row.want)
		}
	}
	d := objecttest.Diary("a write b persist c")
	silent := d.Mutant("silent", "does not send b", func(_ *objecttest.Writer, _ spec.Event, p *spec.Proc[string], handle func()) {
		handle()
		p.Unsend(func(_ spec.ID, m string) bool { return m == "b" })
	})
	if got, want := leftByCrashes(t, silent), []string{"1: 0", "1: 1"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

// TestPersistPrograms compares, for all short programs, what crashes leave with what is out and on the disk after each of
// its words.
func TestPersistPrograms(t *testing.T) {
	programs := []string{""}
	for i := 0; i < len(programs); i++ {
		if len(strings.Fields(programs[i])) == testsize.Of(4, 5, 6) {
			continue
		}
		for _, word := range []string{" a", " write", " persist"} {
			programs = append(programs, programs[i]+word)
		}
	}
	for _, does := range programs {
		sends, written, safe, marked := 0, 0, 0, strings.Contains(does, "persist")
		want := map[string]bool{}
		reaches := func() { want[fmt.Sprintf("%d: %d", sends, safe)] = true }
		reaches()
		if !marked { // all is on the disk first
			safe = min(3, strings.Count(does, "write"))
			reaches()
		}
		for _, word := range strings.Fields(does) {
			switch word {
			case "a":
				sends++
			case "write":
				written = min(written+1, 3)
			case "persist":
				safe = written
			}
			reaches()
		}
		got := map[string]bool{"0: 0": true, fmt.Sprintf("%d: %d", sends, written): true} // a crash before the step, and one after it
		for _, left := range leftByCrashes(t, objecttest.Diary(does)) {
			got[left] = true
		}
		want[fmt.Sprintf("%d: %d", sends, written)] = true
		if !maps.Equal(got, want) {
			t.Errorf("%s: a crash leaves %v, not %v", does, got, want)
		}
	}
}

// leftByCrashes tells, for each crash within the first step of process 1, how many messages have left and what is on the disk.
func leftByCrashes(t *testing.T, m spec.Machine) (left []string) {
	r, err := model.NewReference(m, model.Config{N: 2, Crashes: 1, Recoveries: 1, Split: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range r.Steps(r.Initial()[0]) {
		if e := step.Event; e.Action == model.CrashMidStep && e.Process == 1 {
			state := cell.Open[object.State[objecttest.Pages, int]](step.After.Local(1).State)
			text := fmt.Sprintf("%d: %d", len(step.Sends), state.Disk.Written)
			if step.Outputs != nil {
				text += ", said " + strings.Trim(fmt.Sprint(step.Outputs), "[]")
			}
			left = append(left, text)
		}
	}
	return left
}

// TestPersistEngines: all engines find as many states, and whether something is sent that a disk does not have.
func TestPersistEngines(t *testing.T) {
	for _, does := range []string{"a write persist last", "write persist a write persist last write", "last persist persist write"} {
		for _, c := range []model.Config{{Crashes: 1, Recoveries: 1}, {Crashes: 2, Recoveries: 2, Partitions: 1}, {Crashes: 1}} {
			c.N, c.Network, c.Split = 2, model.Set, true
			var told []string
			for _, o := range []properties.Options{{Engine: properties.Explicit}, {Direct: true}, {Engine: properties.Symbolic}} {
				o.Continue = true
				unwritten := properties.Cover("unwritten", "what a process has sent is not on its disk", func(w *model.World) bool {
					for m := range w.InFlight() {
						if s, up := w.State(m.From).(object.State[objecttest.Pages, int]); up && s.Disk.Written == 0 {
							return true
						}
					}
					return false
				})
				r, err := properties.Verify(t.Context(), objecttest.Diary(does), c, []properties.Property{unwritten}, o)
				if err != nil {
					t.Fatal(err)
				}
				told = append(told, fmt.Sprint(r.Findings[0].Verdict, r.Stats.States))
			}
			if told[0] != told[1] || told[0] != told[2] {
				t.Errorf("%s, %+v:\n%s", does, c, strings.Join(told, "\n"))
			}
			t.Log(does, told[0])
		}
	}
}

// TestHasty: that a replica sends before it persists shows if it crashes in between and comes up again, and the run says so.
func TestHasty(t *testing.T) {
	c := model.Config{N: 2, Network: model.Set, Crashes: 1, Recoveries: 1}
	for _, c.Split = range []bool{false, true} {
		for _, o := range []properties.Options{{}, {Direct: true}} {
			m := objecttest.Hasty.Traits().Code.Fresh()
			r, err := properties.Verify(t.Context(), m, c, nil, o)
			if err != nil {
				t.Fatal(err)
			}
			if (r.Verdict == properties.Violated) != c.Split {
				t.Fatalf("between sends: %v: %v %s", c.Split, r.Verdict, r.Why)
			}
			if !c.Split {
				continue
			}
			i := slices.IndexFunc(r.Findings, func(f properties.Finding) bool { return f.Verdict == properties.Violated })
			reference, run, err := model.Replay(m.Traits().Code.Fresh(), r.Findings[i].Trace)
			if err != nil {
				t.Fatal(err)
			}
			told := ""
			for _, step := range run.Steps {
				told += reference.Describe(step.Event) + "\n"
			}
			if !strings.Contains(told, "crash after 1 of its sends, before it persists") {
				t.Errorf("%s does not say when it persists", told)
			}
		}
	}
}

// sloppy persists early or late, and it is ignored which.
type sloppy struct {
	late bool
	n    int
}

// TestPersistAudited: when something is persisted is part of what a step does.
func TestPersistAudited(t *testing.T) {
	type state = object.State[int, int]
	code := &object.Code[*sloppy, int, int, string]{
		Algorithm: spec.Algorithm[state, string]{
			Name: "sloppy/any", Doc: "persists in its own time", Source: "this test", Promises: []string{},
			Actions: []spec.Action[state, string]{{Name: "hurry", Times: 1}, {Name: "dawdle", Times: 1}, {Name: "write", Times: 1}},
		},
		Open: func(_ spec.ID, _ spec.Set, n int) *sloppy { return &sloppy{n: n} },
		Handle: func(o *sloppy, e spec.Event, p *spec.Proc[string]) {
			if e.Kind != spec.Act || e.Action < 2 {
				o.late = e.Action == 1
				return
			}
			if o.n++; !o.late {
				p.Persist()
			}
			if p.Send(1, "written"); o.late {
				p.Persist()
			}
		},
		Disk:   func(o *sloppy) int { return o.n },
		View:   func(o *sloppy) int { return o.n },
		Ignore: map[string]string{"sloppy.late": "what is late is persisted all the same"},
	}
	calm := properties.Invariant("calm", "nothing is wrong", func(*model.World) error { return nil })
	_, err := properties.Verify(t.Context(), code, model.Config{N: 1, Crashes: 1, Recoveries: 1}, []properties.Property{calm}, properties.Options{})
	if err == nil || !strings.Contains(err.Error(), "late is ") {
		t.Errorf("%v", err)
	}
}

// TestSaidIsKept: what is output before it is on the disk is lost in a crash, by tables and without, and monitors see no disk
// that never was.
func TestSaidIsKept(t *testing.T) {
	for _, row := range []struct {
		does string
		kept bool
	}{
		{"write say persist", false}, {"write persist say", true}, {"write say a persist", false}, {"write persist say a persist", true}, {"a write say", true},
		{"a write persist write say persist", false},
	} {
		for _, direct := range []bool{false, true} {
			m := objecttest.Diary(row.does)
			r, err := properties.Verify(t.Context(), m, model.Config{N: 2, Network: model.Set, Crashes: 1, Recoveries: 1, Split: true}, properties.Own(m), properties.Options{Direct: direct, Continue: true})
			if err != nil {
				t.Fatal(err)
			}
			want := properties.Violated
			if row.kept {
				want = properties.Verified
			}
			if grows, kept := r.Findings[0], r.Findings[1]; grows.Verdict != properties.Verified || kept.Verdict != want {
				t.Errorf("%s: %s is %v (%s), %s is %v (%s)", row.does, grows.Name, grows.Verdict, grows.Why, kept.Name, kept.Verdict, kept.Why)
			}
		}
	}
	never := objecttest.Diary("write persist say").Mutant("never", "does not persist", func(_ *objecttest.Writer, _ spec.Event, p *spec.Proc[string], handle func()) {
		handle()
		p.Unpersist()
	})
	r, err := properties.Verify(t.Context(), never, model.Config{N: 2, Crashes: 1, Recoveries: 1, Split: true}, properties.Own(never), properties.Options{})
	if err != nil || r.Verdict != properties.Violated {
		t.Errorf("a sync that is left out is %v: %v", r.Verdict, err)
	}
}

// TestPersistRefused: only code that has a disk persists.
func TestPersistRefused(t *testing.T) {
	m := &spec.Algorithm[int, string]{Name: "m", Start: func(_ *int, p *spec.Proc[string]) { p.Persist() }}
	if _, fx := m.Step(1, []spec.ID{1}, 0, spec.Event{Kind: spec.Start}); !strings.Contains(fx.Panic, "Stable says what survives") {
		t.Errorf("%v", fx)
	}
	often := objecttest.Diary(strings.Repeat("write persist ", 255))
	r, err := model.NewReference(often, model.Config{N: 2, Crashes: 1, Recoveries: 1})
	if err != nil {
		t.Fatal(err)
	}
	if steps := r.Steps(r.Initial()[0]); !slices.ContainsFunc(steps, func(s model.Step) bool { return strings.Contains(s.Panic, "it persists 255 times in one step") }) {
		t.Errorf("%+v", steps)
	}
}
