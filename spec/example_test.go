package spec_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"interleave/spec"
)

// token is what a process of the example remembers.
type token struct{ Leader spec.ID }

// largest sends the largest ID it has seen round a ring: an algorithm is a
// struct of handlers over plain values.
var largest = &spec.Algorithm[token, spec.ID]{
	Name: "largest", Doc: "the largest ID goes round a ring", Source: "this example", Ring: true,
	Start: func(s *token, p *spec.Proc[spec.ID]) {
		if p.Initiator() {
			p.Send(p.Next(), p.ID)
		}
	},
	Receive: func(s *token, p *spec.Proc[spec.ID], _ spec.ID, seen spec.ID) {
		if s.Leader != max(seen, s.Leader) {
			s.Leader = seen
			p.Send(p.Next(), max(seen, p.ID))
		}
	},
	Election: &spec.Election[token, spec.ID]{Leader: func(s token) spec.ID { return s.Leader }},
}

// A handler is run by Step: nothing else moves an algorithm, in a check and in
// a real process alike.
func ExampleAlgorithm() {
	fmt.Println(largest.Validate())
	ring := []spec.ID{1, 2, 3}
	state, effects := largest.Step(2, ring, largest.Traits().Zero, spec.Event{Kind: spec.Receive, From: 1, Message: spec.ID(1)})
	fmt.Printf("%+v, sends %v to %v\n", state, effects.Sends[0].Message, effects.Sends[0].To)
	// Output:
	// <nil>
	// {Leader:1}, sends 2 to 3
}

func ExampleSet() {
	asked := spec.SetOf(4, 2).With(1)
	fmt.Println(asked, asked.Max(), asked.Has(3), spec.UpTo(4)&^asked)
	// Output: {1 2 4} 4 false {3}
}

// Poll is the algorithm of the package comment.
var Poll = &spec.Algorithm[spec.Set, string]{
	Name: "poll", Doc: "asks all others", Source: "package spec",
	Actions: []spec.Action[spec.Set, string]{{
		Name: "ask", Doc: "a client asks", Times: 1,
		Request: spec.OneOf([]string{"now?"}, func(_ *spec.Set, p *spec.Proc[string], question string) {
			p.Broadcast(p.Others(), question)
		}),
	}},
	Receive: func(agree *spec.Set, p *spec.Proc[string], from spec.ID, m string) {
		switch {
		case m == "yes":
			*agree = agree.With(from)
		case p.Choose(2) == 1:
			p.Send(from, "yes")
		}
		if *agree == p.Others() {
			p.Output("all agree")
		}
	},
	Properties: []spec.Property{
		spec.Cover("agreed", "all others agree with process 1", func(w spec.World) bool {
			agree, _ := w.State(1).(spec.Set)
			return w.N() > 1 && agree == spec.UpTo(w.N()).Without(1)
		}),
	},
}

// A request is an event with a value. A handler that chooses is given the answers, and says if one is missing.
func ExampleOneOf() {
	ring := []spec.ID{1, 2, 3}
	_, asks := Poll.Step(1, ring, Poll.Traits().Zero, spec.Event{Kind: spec.Act, Value: "now?"})
	fmt.Println(len(asks.Sends), "sends of", asks.Sends[0].Message)
	question := spec.Event{Kind: spec.Receive, From: 1, Message: "now?"}
	_, missing := Poll.Step(2, ring, Poll.Traits().Zero, question)
	question.Choices = []int{1}
	_, votes := Poll.Step(2, ring, Poll.Traits().Zero, question)
	fmt.Println("one of", missing.Choose, "answers is missing; after answer 1 it sends", votes.Sends[0].Message)
	// Output:
	// 2 sends of now?
	// one of 2 answers is missing; after answer 1 it sends yes
}

// TestPackageComment: the algorithm that the package comment shows is Poll.
func TestPackageComment(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?m)^//\t(.*\n)").FindAllStringSubmatch(string(doc), -1)
	var text strings.Builder
	for _, line := range shown {
		text.WriteString(line[1])
	}
	if len(shown) < 10 || !strings.Contains(string(code), text.String()) {
		t.Errorf("example_test.go does not have this:\n%s", text.String())
	}
}
