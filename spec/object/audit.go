package object

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"interleave/internal/cell"
	"interleave/spec"
)

// Each step of a state is tried with up to otherHistories of those that lead to the state, and up to mostTests are tried
// in all, evenly spread.
const otherHistories, mostTests = 4, 1 << 18

// test is a step out of a state, after another history than the one by which it was taken.
type test struct {
	local *local
	last  *step  // that leads to the state,
	from  *local // out of this one
	step  *step
}

// Audit implements spec.Code.
func (t *table[O, D, V, M]) Audit(ctx context.Context) (tests int, complete bool, _ error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if err := t.texts.unmet(); err != nil {
		return 0, true, t.code.fault("%v", err)
	}
	list := t.tests()
	stride := max(1, (len(list)+mostTests-1)/mostTests)
	for i := 0; i < len(list); i += stride {
		if ctx.Err() != nil {
			return tests, false, nil
		}
		if err := t.try(list[i]); err != nil {
			return tests, true, err
		}
		tests++
	}
	return tests, true, nil
}

// tests lists what there is to try, in an order that depends on the states and steps that are known only, and not on how they became known.
func (t *table[O, D, V, M]) tests() (list []test) {
	order := t.ordered()
	into := map[*local][]test{}
	for _, l := range order {
		for _, s := range l.order {
			if s.to != nil {
				into[s.to] = append(into[s.to], test{local: s.to, last: s, from: l})
			}
		}
	}
	for _, l := range order {
		ways := into[l]
		for i := range min(len(ways), otherHistories) {
			way := ways[i*len(ways)/min(len(ways), otherHistories)]
			for _, s := range l.order {
				way.step = s
				list = append(list, way)
			}
		}
	}
	return list
}

// ordered lists the states with the nearest to the boot first, each reached by the first of its shortest histories, and the steps of
// each by their names.
func (t *table[O, D, V, M]) ordered() (order []*local) {
	for _, l := range t.list {
		if l.before == nil {
			order = append(order, l)
		}
		slices.SortStableFunc(l.order, func(a, b *step) int { return cmp.Compare(name(a.event), name(b.event)) })
	}
	slices.SortFunc(order, func(a, b *local) int {
		return cmp.Or(cmp.Compare(a.self, b.self), cmp.Compare(a.ring, b.ring), cmp.Compare(name(a.state), name(b.state)))
	})
	met := map[*local]bool{}
	for i := 0; i < len(order); i++ {
		l := order[i]
		for _, s := range l.order {
			if s.to == nil || met[s.to] {
				continue
			}
			met[s.to] = true
			order = append(order, s.to)
			if s.to.saved == nil {
				s.to.before, s.to.event = l, s.event
			}
		}
	}
	return order
}

// name tells an event or a state apart from others.
func name(v any) string {
	if e, is := v.(spec.Event); is {
		return fmt.Sprintf("%+v", happeningOf(e))
	}
	return fmt.Sprintf("%+v", v)
}

// try takes the step of a test, and returns an error if it is another than the one that was taken.
func (t *table[O, D, V, M]) try(x test) error {
	o, fx := t.perform(t.again(x.from), x.from, x.last.event, true)
	if leadsNowhere(fx) {
		return t.odd(x, fmt.Sprintf("%s it %v, and before it did not", t.told(x.from, x.last.event), fx))
	}
	if now := string(t.text(o)); now != string(t.textOf(x.local.state)) {
		return t.odd(x, fmt.Sprintf("%s comes out differently when it is repeated: %s", t.told(x.from, x.last.event), firstDifference(string(t.textOf(x.local.state)), now)))
	}
	var state any
	o, fx = t.perform(o, x.local, x.step.event, true)
	if !leadsNowhere(fx) {
		text := t.text(o)
		if x.step.to == nil {
			return t.odd(x, fmt.Sprintf("it %v once, and after another history it does not", x.step.effects))
		}
		if before := t.textOf(x.step.to.state); string(before) != string(text) {
			return t.odd(x, "after another history "+firstDifference(string(before), string(text)))
		}
		state = t.code.seen(o, digestOf(text))
	}
	if !fx.Same(x.step.effects) {
		return t.odd(x, fmt.Sprintf("once it %v, and after another history it %v", x.step.effects, fx))
	}
	if x.step.to != nil && x.step.to.state != state {
		return t.odd(x, "after another history of the disk and the view "+cell.Difference(x.step.to.state, state))
	}
	return nil
}

// odd is the error of a test that came out differently.
func (t *table[O, D, V, M]) odd(x test, how string) error {
	return &spec.CodeError{Algorithm: t.code.Name, Reason: fmt.Sprintf(
		"two objects of process %v have one text and are not alike: of %s, %s. %s", x.local.self, t.told(x.local, x.step.event), how, t.blame(x),
	)}
}

// blame says why a test may have come out differently, and what to do.
func (t *table[O, D, V, M]) blame(x test) string {
	if t.whole(x.from, x.last, x.step) != t.whole(x.from, x.last, x.step) {
		return "The same history does not lead to the same object. " + beFunction
	}
	for _, suspect := range []*local{x.local, x.from} {
		var ways []string
		for _, l := range t.list {
			for _, s := range l.order {
				if s.to == suspect {
					ways = append(ways, t.whole(l, s))
				}
			}
		}
		for _, way := range ways {
			if at := firstDifference(ways[0], way); at != "" {
				return "They differ in what is ignored: " + at + ". Take that field out of Ignore, or let the Key have it"
			}
		}
	}
	return "Nothing that is ignored tells them apart: look for a variable of a package, or one that a func captures, and let the Key have it"
}

// whole returns the text, with what is ignored, of the object that some steps lead to; empty if it has none.
func (t *table[O, D, V, M]) whole(from *local, steps ...*step) string {
	o := t.again(from)
	for _, s := range steps {
		o, _ = t.perform(o, from, s.event, true)
	}
	all := newTexts(nil)
	text, _ := all.text(reflect.ValueOf(&o).Elem())
	return string(text)
}

// told tells an event of a process in a state.
func (t *table[O, D, V, M]) told(l *local, e spec.Event) string {
	switch e.Kind {
	case spec.Receive:
		return fmt.Sprintf("receive %v from %v", e.Message, e.From)
	case spec.Timeout:
		return "timeout " + t.traits.Rules[e.Timer].Name
	}
	return t.traits.EventName(e)
}

// firstDifference says where two texts differ first; empty if they do not.
func firstDifference(before, after string) string {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			path, was, _ := strings.Cut(a[i], "\t")
			now, is, _ := strings.Cut(b[i], "\t")
			if path != now {
				return fmt.Sprintf("there is %s %s in place of %s %s", strings.TrimPrefix(now, "."), is, strings.TrimPrefix(path, "."), was)
			}
			return fmt.Sprintf("%s is %s, and was %s", strings.TrimPrefix(path, "."), is, was)
		}
	}
	return ""
}
