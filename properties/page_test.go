package properties_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"interleave/linear"
	"interleave/model"
	"interleave/properties"
	"interleave/spec"
)

// What docs/properties.md shows: a server, process 1, gives each client that asks a ticket with a number.

type State struct {
	Asked  bool
	Ticket uint8 // that it has; 0: none
	Next   uint8 // server: the last number that was given
}

type Ticket uint8 // 0: a client asks for one

var Tickets = &spec.Algorithm[State, Ticket]{
	Name: "tickets", Doc: "a server gives out numbers", Source: "docs/properties.md",
	Actions:    []spec.Action[State, Ticket]{{Name: "ask", Doc: "a client wants a ticket", Do: ask, Times: 1}},
	Receive:    receive,
	Properties: []spec.Property{distinct, served, kept, answered, withinReach, never, all},
	Objects:    []spec.Object{dispenser},
}

func ask(s *State, p *spec.Proc[Ticket]) {
	if p.ID == 1 || s.Asked {
		p.Refuse()
		return
	}
	s.Asked = true
	p.Send(1, 0)
}

func receive(s *State, p *spec.Proc[Ticket], from spec.ID, number Ticket) {
	if p.ID == 1 {
		s.Next++
		p.Send(from, Ticket(s.Next))
		return
	}
	s.Ticket = uint8(number)
	p.Output(number)
}

var distinct = spec.Invariant("distinct", "no two clients have the same ticket", func(w spec.World) error {
	has := map[uint8]spec.ID{}
	for p, s := range spec.States[State](w) {
		if q, taken := has[s.Ticket]; taken && s.Ticket != 0 {
			return fmt.Errorf("clients %v and %v both have ticket %d", q, p, s.Ticket)
		}
		has[s.Ticket] = p
	}
	return nil
})

var served = spec.Quiescent("served", "in the end, who has asked has a ticket, if the server is up", func(w spec.World) error {
	for p, s := range spec.States[State](w) {
		if s.Asked && s.Ticket == 0 && w.Live().Has(1) {
			return fmt.Errorf("client %v has none", p)
		}
	}
	return nil
})

var kept = spec.EveryStep("kept", "the ticket of a client does not change", func(before, after spec.World) error {
	for p, was := range spec.States[State](before) {
		is, up := after.State(p).(State)
		if up && after.Live().Has(p) && was.Ticket != 0 && is.Ticket != was.Ticket {
			return fmt.Errorf("client %v had ticket %d, and now %d", p, was.Ticket, is.Ticket)
		}
	}
	return nil
})

var answered = spec.Temporal("answered", "who waits for a ticket gets it, or somebody crashes", "waits ~> (!waits | !up(1))", map[string]func(w spec.World) error{
	"waits": func(w spec.World) error {
		for _, s := range spec.States[State](w) {
			if s.Asked && s.Ticket == 0 {
				return nil
			}
		}
		return errors.New("nobody waits")
	},
})

var withinReach = spec.Recoverable("within-reach", "everybody who waits for a ticket can still get one", func(w spec.World) bool {
	for _, s := range spec.States[State](w) {
		if s.Asked && s.Ticket == 0 {
			return false
		}
	}
	return true
})

var never = spec.Monitored("never-twice", "no ticket is handed out twice, also not after a crash", [256]bool{}, func(given [256]bool, s spec.Step) ([256]bool, error) {
	for _, output := range s.Outputs {
		number := output.(Ticket)
		if given[number] {
			return given, fmt.Errorf("client %v gets ticket %d, which was handed out before", s.Process, number)
		}
		given[number] = true
	}
	return given, nil
})

var all = spec.Cover("all-served", "every client has a ticket", func(w spec.World) bool {
	n := 1
	for _, s := range spec.States[State](w) {
		if s.Ticket != 0 {
			n++
		}
	}
	return n == w.N()
})

// Properties travel with the algorithm: Verify judges them without being told their names.
func ExampleVerify_ownProperties() {
	for _, c := range []model.Config{{N: 3}, {N: 3, Crashes: 1, Recoveries: 1}} {
		report, err := properties.Verify(context.Background(), Tickets, c, nil, properties.Options{Continue: true})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("crashes %d, restarts %d:\n", c.Crashes, c.Recoveries)
		for _, f := range report.Findings {
			fmt.Println(" ", f.Name, f.Verdict)
		}
	}
	// Output:
	// crashes 0, restarts 0:
	//   no-deadlock VERIFIED
	//   distinct VERIFIED
	//   served VERIFIED
	//   kept VERIFIED
	//   answered VERIFIED
	//   within-reach VERIFIED
	//   never-twice VERIFIED
	//   all-served VERIFIED
	// crashes 1, restarts 1:
	//   no-deadlock VERIFIED
	//   distinct VIOLATED
	//   served VIOLATED
	//   kept VERIFIED
	//   answered VIOLATED
	//   within-reach VIOLATED
	//   never-twice VIOLATED
	//   all-served VERIFIED
}

var dispenser = spec.Linearizable("dispenser", "who asks gets the next number", []string{"ask"}, Ticket(0),
	func(last Ticket, _ spec.Call, then func(Ticket, Ticket)) { then(last+1, last+1) })

// The run in which two clients get the same ticket is not linearizable, either.
func ExampleReplaySteps_object() {
	report, err := properties.Verify(context.Background(), Tickets, model.Config{N: 3, Crashes: 1, Recoveries: 1}, nil, properties.Options{Continue: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings {
		if f.Name != "distinct" {
			continue
		}
		_, run, _, err := properties.ReplaySteps(Tickets, f.Trace)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, h := range linear.Histories(Tickets.Traits()) {
			run.Observe(h)
			v := h.Judge(10 * time.Second)
			fmt.Printf("%s %v\n%s\n", v.Object, v.Outcome, v.Reason)
		}
	}
	// Output:
	// dispenser NOT LINEARIZABLE
	// no order of the requests explains these answers: ask at process 2, step 1 to step 5, answered 1; ask at process 3, step 6 to step 8, answered 1
}

// TestCrashedClient: whether a client that crashed may still get the ticket that it asked for is for Answers to tell.
func TestCrashedClient(t *testing.T) {
	for _, ends := range []bool{false, true} {
		h := linear.Histories(Tickets.Traits())[0]
		if o := &h.Object; ends {
			o.Answers = func(c spec.Call, output any) bool { _, is := output.(Ticket); return is && !c.Crashed }
		}
		h.Take(1, spec.Step{Process: 2, Event: spec.Event{Kind: spec.Act}})
		h.Crash(2)
		h.Take(2, spec.Step{Process: 2, Event: spec.Event{Kind: spec.Act}})
		h.Take(3, spec.Step{Process: 2, Event: spec.Event{Kind: spec.Receive}, Outputs: []any{Ticket(1)}})
		if v := h.Judge(10 * time.Second); (v.Outcome == linear.Linearizable) != ends || (v.Outcome == linear.Undecided) == ends {
			t.Errorf("%v: %s", v.Outcome, v.Reason)
		}
	}
}

// TestPage: the code that docs/properties.md shows is that of this file, and so is what it prints.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../docs/properties.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("page_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(go|text)\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 8 {
		t.Errorf("%d blocks only", len(blocks))
	}
	for _, b := range blocks {
		shown := b[2]
		if b[1] == "text" { // what an example prints
			shown = "\t// Output:\n\t// " + strings.ReplaceAll(strings.TrimSpace(shown), "\n", "\n\t// ") + "\n}\n"
		}
		if !strings.Contains(string(code), shown) {
			t.Errorf("page_test.go does not have this:\n%s", shown)
		}
	}
}
