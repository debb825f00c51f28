package modeltest

import (
	"errors"

	"interleave/spec"
)

// Reply is what Register answers.
type Reply struct{ Value int }

// registerObject is what Register is to its clients. A process does not answer what was asked before it crashed.
var registerObject = func() spec.Object {
	o := spec.Linearizable("register", "a read is answered with what was written last", []string{"read", "write"}, 0,
		func(v int, c spec.Call, then func(int, Reply)) {
			if c.Action == "read" {
				then(v, Reply{v})
				return
			}
			then(c.Value.(int), Reply{})
		})
	o.Answers = func(c spec.Call, output any) bool {
		_, is := output.(Reply)
		return is && !c.Crashed
	}
	return o
}()

// kept is the state of a process of Register.
type kept struct {
	Value   int   // process 1: the register. Others: what they heard last
	Heard   bool  // others: there is such a value
	Waiting bool  // for the answer of process 1
	Asked   uint8 // how often
}

// message asks process 1 for something, or is its answer.
type message struct {
	Write  bool
	Value  int
	Number uint8 // of what was asked
}

// Register is a register that process 1 keeps for the others, and is linearizable. With a cache, these answer reads by
// what they heard last, and it is not.
func Register(name string, cache bool) *spec.Algorithm[kept, message] {
	ask := func(s *kept, p *spec.Proc[message], m message) {
		if p.ID == 1 || s.Waiting {
			p.Refuse()
			return
		}
		s.Waiting = true
		s.Asked++
		m.Number = s.Asked
		p.Send(1, m)
	}
	return &spec.Algorithm[kept, message]{
		Name: name, Doc: "process 1 keeps a register", Source: "this test",
		Actions: []spec.Action[kept, message]{
			{Name: "write", Times: 1, Request: spec.OneOf([]int{1, 2}, func(s *kept, p *spec.Proc[message], v int) { ask(s, p, message{Write: true, Value: v}) })},
			{Name: "read", Times: 2, Do: func(s *kept, p *spec.Proc[message]) {
				if cache && p.ID > 1 && !s.Waiting && s.Heard {
					p.Output(Reply{s.Value})
					return
				}
				ask(s, p, message{})
			}},
		},
		Receive: func(s *kept, p *spec.Proc[message], from spec.ID, m message) {
			switch {
			case p.ID == 1:
				if m.Write {
					s.Value = m.Value
				}
				p.Send(from, message{m.Write, s.Value, m.Number})
			case !s.Waiting || m.Number != s.Asked: // it asked before it crashed
			case m.Write:
				s.Value, s.Heard, s.Waiting = m.Value, true, false
				p.Output(Reply{})
			default:
				s.Value, s.Heard, s.Waiting = m.Value, true, false
				p.Output(Reply{m.Value})
			}
		},
		Stable:     func(s kept) kept { return kept{Value: s.Value, Asked: s.Asked} },
		Objects:    []spec.Object{registerObject},
		Properties: []spec.Property{spec.Monitored("fresh", "no read is answered 0 that began after a write was answered", fresh{}, fresh.next)},
	}
}

// fresh is what a monitor knows of reads, by process.
type fresh struct {
	Written bool    // a write was answered
	Late    [4]bool // and that before the last read began
}

func (f fresh) next(s spec.Step) (fresh, error) {
	if s.Event.Kind == spec.Act && s.Event.Action == 1 {
		f.Late[s.Process] = f.Written
	}
	m, _ := s.Event.Message.(message)
	switch {
	case len(s.Outputs) == 0:
	case m.Write:
		f.Written = true
	case s.Outputs[0] == Reply{0} && f.Late[s.Process]:
		return f, errors.New("this one is")
	}
	return f, nil
}
