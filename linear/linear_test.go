package linear_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"interleave/linear"
	"interleave/model/modeltest"
	"interleave/spec"
)

// reply is what the objects of these tests answer.
type reply = modeltest.Reply

// register is a register of numbers.
var register = modeltest.Register("x/register", false).Objects[0]

// lock is had by one process at a time, and asking for it waits.
var lock = spec.Linearizable("lock", "one at a time has it", []string{"acquire", "release"}, spec.None,
	func(holder spec.ID, c spec.Call, then func(spec.ID, reply)) {
		switch {
		case c.Action == "acquire" && holder == spec.None:
			then(c.Process, reply{})
		case c.Action == "release" && holder == c.Process:
			then(spec.None, reply{})
		}
	})

// coin answers 0 or 1, and remembers it.
var coin = spec.Linearizable("coin", "shows the same side once it was flipped", []string{"flip"}, -1,
	func(side int, _ spec.Call, then func(int, reply)) {
		for i := range 2 {
			if side < 0 || side == i {
				then(i, reply{Value: i})
			}
		}
	})

// op is an operation as a test writes it. Ended 0: it has no answer.
func op(p spec.ID, began, ended int64, action string, value any, answer int) *linear.Operation {
	o := &linear.Operation{Call: spec.Call{Process: p, Action: action, Value: value}, Began: began}
	if ended > 0 {
		o.Answered, o.Ended, o.Answer = true, ended, reply{Value: answer}
	}
	return o
}

func judge(t *testing.T, o spec.Object, ops ...*linear.Operation) linear.Verdict {
	t.Helper()
	return (&linear.History{Object: o, Operations: ops}).Judge(time.Minute)
}

// TestHistories: histories whose judgement is known.
func TestHistories(t *testing.T) {
	const yes, no, open = linear.Linearizable, linear.NotLinearizable, linear.Undecided
	for _, c := range []struct {
		name   string
		object spec.Object
		want   linear.Outcome
		reason string
		ops    []*linear.Operation
	}{
		{"empty", register, open, "no request was answered, so there is nothing to judge", nil},
		{"nothing is answered", register, open, "no request was answered", []*linear.Operation{op(1, 1, 0, "write", 1, 0)}},
		{"reads what was written", register, yes, "", []*linear.Operation{op(1, 1, 2, "write", 1, 0), op(2, 3, 4, "read", nil, 1)}},
		{"stale", register, no, "no order of the requests explains these answers: write 1 at process 1, step 1 to step 2, answered {Value:0}; read at process 2, step 3 to step 4, answered {Value:0}", []*linear.Operation{op(1, 1, 2, "write", 1, 0), op(2, 3, 4, "read", nil, 0)}},
		{"at the same time", register, yes, "", []*linear.Operation{op(1, 1, 3, "write", 1, 0), op(2, 3, 4, "read", nil, 0)}},
		{"new, then old", register, no, "answers: read at process 2, step 2 to step 3, answered {Value:1}; read at process 2, step 5 to step 6, answered {Value:0}", []*linear.Operation{op(1, 1, 9, "write", 1, 0), op(2, 2, 3, "read", nil, 1), op(2, 5, 6, "read", nil, 0)}},
		{"no answer, took effect", register, yes, "", []*linear.Operation{op(1, 1, 0, "write", 1, 0), op(2, 2, 3, "read", nil, 0), op(2, 5, 6, "read", nil, 1)}},
		{"no answer, and back", register, no, "answers: read at process 2, step 2 to step 3, answered {Value:1}; read at process 2, step 5 to step 6, answered {Value:0}", []*linear.Operation{op(1, 1, 0, "write", 1, 0), op(2, 2, 3, "read", nil, 1), op(2, 5, 6, "read", nil, 0)}},
		{"nobody wrote it", register, no, "", []*linear.Operation{op(2, 2, 3, "read", nil, 2)}},
		{"written later", register, no, "", []*linear.Operation{op(2, 2, 3, "read", nil, 1), op(1, 4, 5, "write", 1, 0)}},
		{"two have the lock", lock, no, "", []*linear.Operation{op(1, 1, 2, "acquire", nil, 0), op(2, 3, 4, "acquire", nil, 0), op(1, 5, 6, "release", nil, 0)}},
		{"one waits for the lock", lock, yes, "", []*linear.Operation{op(1, 1, 2, "acquire", nil, 0), op(2, 3, 7, "acquire", nil, 0), op(1, 5, 6, "release", nil, 0)}},
		{"who has the lock crashed", lock, yes, "", []*linear.Operation{op(1, 1, 2, "acquire", nil, 0), op(2, 3, 0, "acquire", nil, 0)}},
		{"a coin", coin, yes, "", []*linear.Operation{op(1, 1, 2, "flip", nil, 1), op(2, 3, 4, "flip", nil, 1)}},
		{"two sides", coin, no, "", []*linear.Operation{op(1, 1, 2, "flip", nil, 1), op(2, 3, 4, "flip", nil, 0)}},
	} {
		if v := judge(t, c.object, c.ops...); v.Outcome != c.want || !strings.Contains(v.Reason, c.reason) {
			t.Errorf("%s: %v: %s", c.name, v.Outcome, v.Reason)
		}
	}
}

// TestUndecided: what cannot be judged is neither linearizable nor not.
func TestUndecided(t *testing.T) {
	broken := spec.Linearizable("broken", "", []string{"read"}, 0, func(int, spec.Call, func(int, reply)) { panic("on purpose") })
	if v := judge(t, broken, op(1, 1, 2, "read", nil, 0)); v.Outcome != linear.Undecided || !strings.Contains(v.Reason, "the object broken panics at read at process 1: on purpose") {
		t.Errorf("a panic: %v: %s", v.Outcome, v.Reason)
	}
	odd := spec.Linearizable[any]("odd", "", []string{"read"}, any(0), func(_ any, _ spec.Call, then func(any, reply)) { then([]chan int{nil}, reply{}) })
	if v := judge(t, odd, op(1, 1, 2, "read", nil, 0)); v.Outcome != linear.Undecided || !strings.Contains(v.Reason, "panics") {
		t.Errorf("a value that cannot be compared: %v: %s", v.Outcome, v.Reason)
	}
	var many []*linear.Operation
	for i := range 60 {
		many = append(many, op(spec.ID(i), 1, 0, "write", i, 0))
	}
	h := linear.History{Object: register, Operations: append(many, op(61, 2, 3, "read", nil, 99))}
	if v := h.Judge(50 * time.Millisecond); v.Outcome != linear.Undecided || !strings.Contains(v.Reason, "within 50ms neither") || v.Requests != 61 || v.Answers != 1 {
		t.Errorf("a search that takes too long: %+v", v)
	}
}

// TestAgainstAllOrders: the judgement on small histories is that of trying every order.
func TestAgainstAllOrders(t *testing.T) {
	seen := map[linear.Outcome]int{}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		object := []spec.Object{register, lock, coin}[i%3]
		var ops []*linear.Operation
		for range 1 + random.IntN(5) {
			began := random.Int64N(8) + 1
			o := op(spec.ID(1+random.IntN(2)), began, began+random.Int64N(5), object.Requests[random.IntN(len(object.Requests))], nil, random.IntN(2))
			if o.Answered = random.IntN(4) > 0; !o.Answered {
				o.Answer, o.Ended = nil, 0
			}
			if o.Action == "write" {
				o.Value = random.IntN(2)
				if o.Answered {
					o.Answer = reply{}
				}
			}
			ops = append(ops, o)
		}
		v, want := judge(t, object, ops...), linear.NotLinearizable
		if someOrder(object, ops, []any{object.First}) {
			want = linear.Linearizable
		}
		if v.Answers == 0 {
			want = linear.Undecided
		}
		if seen[want]++; v.Outcome != want {
			t.Fatalf("%s: %v, and trying all orders gives %v: %s", object.Name, v.Outcome, want, all(ops))
		}
		if want == linear.NotLinearizable {
			checkUnexplained(t, object, ops, v.Unexplained)
		}
	}
	if seen[linear.Linearizable] < 500 || seen[linear.NotLinearizable] < 500 {
		t.Errorf("%v", seen)
	}
}

// someOrder reports whether some order of operations explains their answers, given the values that the object may
// have. Those without an answer may be left out.
func someOrder(o spec.Object, ops []*linear.Operation, values []any) bool {
	if len(values) == 0 {
		return false
	}
	if !slices.ContainsFunc(ops, func(op *linear.Operation) bool { return op.Answered }) {
		return true
	}
	for i, op := range ops {
		if slices.ContainsFunc(ops, func(before *linear.Operation) bool { return before.Answered && before.Ended < op.Began }) {
			continue
		}
		rest := slices.Delete(slices.Clone(ops), i, i+1)
		var next []any
		for _, v := range values {
			o.Do(v, op.Call, func(after, answer any) {
				if !op.Answered || answer == op.Answer {
					next = append(next, after)
				}
			})
		}
		if someOrder(o, rest, next) || !op.Answered && someOrder(o, rest, values) {
			return true
		}
	}
	return false
}

// checkUnexplained checks that no order explains some answers, and that some order does so without any one of them.
func checkUnexplained(t *testing.T, o spec.Object, ops, unexplained []*linear.Operation) {
	t.Helper()
	for i := -1; i < len(unexplained); i++ {
		var weaker []*linear.Operation
		for _, op := range ops {
			if at := slices.Index(unexplained, op); at < 0 || at == i {
				op = &linear.Operation{Call: op.Call, Began: op.Began}
			}
			weaker = append(weaker, op)
		}
		if got := someOrder(o, weaker, []any{o.First}); got != (i >= 0) {
			t.Fatalf("%s: of %s without number %d: some order explains it: %v", all(ops), all(unexplained), i, got)
		}
	}
}

func all(ops []*linear.Operation) (text string) {
	for _, o := range ops {
		text += fmt.Sprintf("%v from %d to %d: %v; ", o, o.Began, o.Ended, o.Answer)
	}
	return text
}
