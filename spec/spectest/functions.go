package spectest

import "slices"

// asked is what the functions of an algorithm that are no handlers said of a local state or a
// message.
type asked struct {
	of      string
	ask     func() []answer
	answers []answer
}

// answer is what one function said.
type answer struct {
	function string
	value    any
}

// ask asks two times, and remembers the answers.
func (d *duties[S, M]) ask(of string, ask func() []answer) {
	a := asked{of, ask, ask()}
	d.compare(a)
	d.asked = append(d.asked, a)
}

// askAgain asks everything once more, the last first.
func (d *duties[S, M]) askAgain() {
	for _, a := range slices.Backward(d.asked) {
		d.compare(a)
	}
}

// compare asks again, and fails if an answer is another one.
func (d *duties[S, M]) compare(a asked) {
	for i, again := range a.ask() {
		if first := a.answers[i]; again != first {
			d.fail("%s: %s says %+v, and when asked again %+v: let it depend on what it is given", a.of, first.function, first.value, again.value)
		}
	}
}

// ofState returns what the functions say of a local state.
func (d *duties[S, M]) ofState(l local) []answer {
	t := d.traits
	answers := []answer{{"Idle", t.Idle(l.state)}, {"Halted", t.Halted(l.state)}}
	if t.Elects {
		answers = append(answers, answer{"Leader", t.Leader(l.state)})
	}
	for _, act := range t.Actions {
		answers = append(answers, answer{"When of " + act.Name, act.When(l.state)})
	}
	if t.Measure != nil {
		answers = append(answers, answer{"Measure", t.Measure(l.state)})
	}
	if t.Stable != nil {
		answers = append(answers, answer{"Stable", t.Stable(l.state)})
	}
	for _, r := range t.Rules {
		if r.Silent != nil {
			answers = append(answers, answer{"Silent of " + r.Name, r.Silent(l.state, l.self, d.all())})
		}
		if r.Owing != nil {
			answers = append(answers, answer{"Owing of " + r.Name, r.Owing(l.state, l.self, d.all())})
		}
	}
	return answers
}

// ofMessage returns what the functions say of a message.
func (d *duties[S, M]) ofMessage(l letter) []answer {
	answers := []answer{{"Kind", d.traits.Kind(l.message)}}
	for _, r := range d.traits.Rules {
		if r.Awaited == nil {
			continue
		}
		for p := range d.all().All() {
			answers = append(answers, answer{"Awaited of " + r.Name, r.Awaited(p, l.from, l.to, l.message)})
		}
	}
	return answers
}
