package object_test

import (
	"context"
	"strings"
	"testing"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/object"
)

// core is a small object: it asks all others for a vote, and keeps the votes that come.
type core struct {
	term   int
	votes  map[spec.ID]bool
	waits  bool
	listen chan int
}

// seen is what is to see of a core, and disk what it keeps.
type (
	seen struct{ Term, Votes int }
	disk struct{ Term int }
	code = object.Code[*core, disk, seen, int]
)

// voting returns the code of a core whose processes ask once.
func voting() *code {
	c := &code{
		Open: func(id spec.ID, all spec.Set, d disk) *core {
			return &core{term: d.Term, votes: map[spec.ID]bool{}}
		},
		Handle: func(o *core, e spec.Event, p *spec.Proc[int]) {
			switch {
			case e.Kind == spec.Act:
				o.term++
				o.waits = true
				p.Broadcast(p.Others(), o.term)
			case e.Message == 0:
				o.votes[e.From] = true
			default:
				p.Send(e.From, 0)
			}
		},
		Disk: func(o *core) disk { return disk{o.term} },
		View: func(o *core) seen { return seen{o.term, len(o.votes)} },
	}
	c.Name = "voting"
	c.Actions = []spec.Action[object.State[disk, seen], int]{{Name: "ask", Doc: "asks for votes", Times: 1}}
	c.Properties = []spec.Property{spec.Invariant("few-votes", "no process has more votes than there are processes", func(w spec.World) error { return nil })}
	return c
}

func verified(c spec.Machine, w model.Config, o properties.Options) (*properties.Report, error) {
	o.Continue = true
	return properties.Verify(context.Background(), c, w, nil, o)
}

// TestBadInput: what cannot be checked is refused with one sentence that says where, and what to do.
func TestBadInput(t *testing.T) {
	crash := model.Config{N: 2, Crashes: 1, Recoveries: 1}
	for _, bad := range []struct {
		name, want string
		change     func(c *code)
	}{
		{"Open panics", "Open of process 1 panics: no at badinput_test.go", func(c *code) {
			c.Open = func(spec.ID, spec.Set, disk) *core { panic("no") }
		}},
		{"View panics", "View panics: runtime error: index out of range [0] with length 0 at badinput_test.go", func(c *code) {
			c.View = func(o *core) seen { return seen{o.term, []int{}[len(o.votes)]} }
		}},
		{"Disk panics", "Disk panics: no at badinput_test.go", func(c *code) { c.Disk = func(*core) disk { panic("no") } }},
		{"Kind panics", "Kind panics: no at badinput_test.go", func(c *code) {
			c.Kind, c.Kinds = func(int) string { panic("no") }, []string{"vote", "ask"}
		}},
		{"Key panics", "Key panics: no at badinput_test.go", func(c *code) { c.Key = func(*core) string { panic("no") } }},
		{"Timers panics", "Timers panics: no at badinput_test.go", func(c *code) {
			c.Rules = []spec.TimerRule[object.State[disk, seen], int]{{Name: "T"}}
			c.Timers = func(*core) []spec.Timer { panic("no") }
		}},
		{"Timers has no rule", "Open of process 1 sets a timer for which there is no rule", func(c *code) {
			c.Rules = []spec.TimerRule[object.State[disk, seen], int]{{Name: "T"}}
			c.Timers = func(*core) []spec.Timer { return []spec.Timer{3} }
		}},
		{"the disk is not restored", "what is on the disk does not survive a boot: after Open, Term is 0, and was 1. Let Open restore all that Disk returns", func(c *code) {
			open := c.Open
			c.Open = func(id spec.ID, all spec.Set, d disk) *core { return open(id, all, disk{}) }
		}},
		{"View changes the object", "View or Disk changes the object: waits is false, and was true. Let them only look", func(c *code) {
			view := c.View
			c.View = func(o *core) seen { o.waits = false; return view(o) }
		}},
		{"Disk panics where Handle recovers", "Disk panics: no at badinput_test.go", func(c *code) {
			handle, disked, asked := c.Handle, c.Disk, false
			c.Handle = func(o *core, e spec.Event, p *spec.Proc[int]) {
				func() {
					defer func() { recover() }()
					asked = true
					p.Persist()
				}()
				asked = false
				handle(o, e, p)
			}
			c.Disk = func(o *core) disk {
				if asked {
					panic("no")
				}
				return disked(o)
			}
		}},
		{"a field is none", "in Ignore, core.vote is no field: object_test.core has no vote, and has term, votes, waits, listen", func(c *code) {
			c.Ignore = map[string]string{"core.vote": "it is a test"}
		}},
		{"a type is never met", "in Ignore, raft.votes is a field of no object: give its type and the field, as in raft.logger, and no path such as a.b.c; or take it out", func(c *code) {
			c.Ignore = map[string]string{"raft.votes": "it is a test"}
		}},
		{"a channel", "listen is a chan, into which no text can look: list it in Ignore with the reason why it cannot matter", func(c *code) {
			open := c.Open
			c.Open = func(id spec.ID, all spec.Set, d disk) *core {
				o := open(id, all, d)
				o.listen = make(chan int)
				return o
			}
		}},
		{"no reason", `Ignore has no reason for core.votes: say why it cannot matter`, func(c *code) {
			c.Ignore = map[string]string{"core.votes": " "}
		}},
		{"Load panics", "Load panics: no at badinput_test.go", func(c *code) {
			longer(c)
			c.Save, c.Load = func(*core) []byte { return nil }, func(spec.ID, spec.Set, []byte) *core { panic("no") }
		}},
		{"Load loses something", "Save and Load lose something: after Load, waits is false, and was true. Save all that is part of the text, or leave both out", func(c *code) {
			longer(c)
			c.Save = func(o *core) []byte { return []byte{byte(o.term)} }
			c.Load = func(id spec.ID, _ spec.Set, b []byte) *core {
				return &core{term: int(b[0]), votes: map[spec.ID]bool{}}
			}
		}},
	} {
		for _, direct := range []bool{false, true} {
			c := voting()
			bad.change(c)
			w := crash
			if c.Rules != nil {
				w.Timers = model.Any
			}
			if c.Save != nil {
				w = model.Config{N: 1}
			}
			_, err := verified(c, w, properties.Options{Direct: direct})
			if err == nil || !strings.HasPrefix(err.Error(), "algorithm voting: "+bad.want) || strings.Count(err.Error(), "\n") > 0 {
				t.Errorf("%s: %v, want %s", bad.name, err, bad.want)
			}
		}
	}
}

// longer has processes ask more often.
func longer(c *code) { c.Actions[0].Times = 9 }

// TestCopies: Handle can change nothing of an object that it is given a copy of.
func TestCopies(t *testing.T) {
	type value struct{ n [2]int }
	c := &object.Code[value, struct{}, int, int]{
		Open:   func(spec.ID, spec.Set, struct{}) value { return value{} },
		Handle: func(o value, _ spec.Event, p *spec.Proc[int]) { o.n[0]++ },
		View:   func(o value) int { return o.n[0] },
	}
	c.Name = "copied"
	c.Actions = []spec.Action[object.State[struct{}, int], int]{{Name: "count", Doc: "counts", Times: 1}}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "Handle is given a copy of its object, a object_test.value, and can change nothing of it: let O be a pointer to that") {
		t.Error(err)
	}
}

// TestNotReduced: a reduction would hand the code messages in states in which none comes.
func TestNotReduced(t *testing.T) {
	r, err := verified(voting(), model.Config{N: 2, Network: model.FIFO}, properties.Options{Reduce: true})
	if err != nil || r.Stats.Reduction != "off: it would ask the code for steps that no run takes" {
		t.Errorf("%v, reduced by %s", err, r.Stats.Reduction)
	}
}

// TestPanicIsFound: a panic of Handle is a finding, with the steps that lead there, and so is one of Open after a crash.
func TestPanicIsFound(t *testing.T) {
	c := voting()
	handle := c.Handle
	c.Handle = func(o *core, e spec.Event, p *spec.Proc[int]) {
		handle(o, e, p)
		if len(o.votes) > 0 {
			panic("a vote")
		}
	}
	boots := voting()
	open := boots.Open
	boots.Open = func(id spec.ID, all spec.Set, d disk) *core {
		if d.Term > 0 {
			panic("a term")
		}
		return open(id, all, d)
	}
	for want, m := range map[string]*code{"a vote": c, "a term": boots} {
		r, err := verified(m, model.Config{N: 2, Crashes: 1, Recoveries: 1}, properties.Options{})
		if err != nil {
			t.Errorf("%s: %v", want, err)
			continue
		}
		f := r.Findings[len(r.Findings)-1]
		if f.Name != properties.NoPanic.Name || f.Verdict != properties.Violated || !strings.Contains(f.Why, want) {
			t.Errorf("%s: %s is %v: %s", want, f.Name, f.Verdict, f.Why)
		}
	}
}
