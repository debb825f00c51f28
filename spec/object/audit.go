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

// Each step of a state is tried after up to otherHistories, each of which goes its own way for up to longWay events; and
// about mostTests are tried in all, evenly spread. One that comes out differently is tried so many more times. Besides, there
// are mostWalks walks of up to longWalk steps.
const otherHistories, longWay, mostTests, repeats, mostWalks, longWalk = 4, 16, 1 << 18, 16, 256, 64

// test is a step out of a state, after another history than the one by which it was taken.
type test struct {
	local *local
	way   []hop // to the local
	step  *step
}

// hop is a step out of a state, as part of a history.
type hop struct {
	from *local
	step *step
}

// ways is how a state comes about: the hops that lead there, of which the first few come from states nearer to the boot.
type ways struct {
	hops   []hop
	nearer int
	rank   int
}

// Audit implements spec.Code.
func (t *table[O, D, V, M]) Audit(ctx context.Context) (tests int, complete bool, _ error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if err := t.texts.unmet(); err != nil {
		return 0, true, t.code.fault("%v", err)
	}
	order := t.ordered()
	into, total := t.ways(order)
	stride, number := max(1, (total+mostTests-1)/mostTests), 0
	for _, l := range order {
		for _, way := range histories(into, l) {
			for _, s := range l.order {
				if number++; number%stride != 0 {
					continue
				}
				if ctx.Err() != nil {
					return tests, false, nil
				}
				if err := t.try(test{l, way, s}); err != nil {
					return tests, true, err
				}
				tests++
			}
		}
	}
	complete, err := t.wander(ctx, order)
	return tests, complete, err
}

// wander lets objects take long walks, from their boot on by steps that are known, of which each has to come out as it did.
// They are the same for the same states and steps, and no tests that are counted.
func (t *table[O, D, V, M]) wander(ctx context.Context, order []*local) (complete bool, _ error) {
	boots := slices.DeleteFunc(slices.Clone(order), func(l *local) bool { return l.before != nil })
	var choice choices
	for i := range min(mostWalks, mostWalks*len(boots)) {
		if ctx.Err() != nil {
			return false, nil
		}
		if err := t.walk(&choice, boots[i*len(boots)/mostWalks]); err != nil {
			return true, err
		}
	}
	return true, nil
}

// choices are a sequence of numbers that look random, by a linear congruence, and are the same each time.
type choices uint64

// among returns the next number below n.
func (c *choices) among(n int) int {
	*c = *c*6364136223846793005 + 1442695040888963407
	return int(uint64(*c)>>33) % n
}

// walk takes one walk, and returns an error if a step comes out differently.
func (t *table[O, D, V, M]) walk(choice *choices, at *local) error {
	var o O
	var way []hop
	for range longWalk {
		on := slices.DeleteFunc(slices.Clone(at.order), func(s *step) bool { return s.to == nil })
		if len(on) == 0 {
			break
		}
		h := hop{at, on[choice.among(len(on))]}
		var fx spec.Effects
		o, fx = t.perform(o, h.from, h.step.event, true)
		if how := t.unlike(o, fx, h.step); how != "" {
			return t.odd(test{h.from, way, h.step}, h, how)
		}
		way, at = append(way, h), h.step.to
	}
	return nil
}

// ways returns how each state comes about, and how many tests there are at most. It depends on the states and steps
// that are known only, and not on how they became known.
func (t *table[O, D, V, M]) ways(order []*local) (into map[*local]*ways, total int) {
	into = map[*local]*ways{}
	for rank, l := range order {
		into[l] = &ways{rank: rank}
		if l.before != nil {
			total += otherHistories * len(l.order)
		}
	}
	for _, l := range order {
		for _, s := range l.order {
			if s.to == nil {
				continue
			}
			to := into[s.to]
			to.hops = append(to.hops, hop{l, s})
			if into[l].rank < to.rank {
				to.nearer = len(to.hops)
			}
		}
	}
	return into, total
}

// histories returns ways to a state: the usual one, and others that choose at each state between those that come from nearer
// to the boot.
func histories(into map[*local]*ways, l *local) (list [][]hop) {
	hops := into[l].hops
	for i := range min(otherHistories, otherHistories*len(hops)) {
		way := []hop{hops[i*len(hops)/otherHistories]}
		for at := way[0].from; i > 0 && at.before != nil && len(way) < longWay; at = way[len(way)-1].from {
			choice := into[at]
			way = append(way, choice.hops[(i+choice.rank)%choice.nearer])
		}
		slices.Reverse(way)
		if !slices.ContainsFunc(list, func(other []hop) bool { return slices.Equal(other, way) }) {
			list = append(list, way)
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
			s.to.before, s.to.event = l, s.event
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
	o, at := t.after(x.way)
	if at != "" {
		return t.odd(x, x.way[len(x.way)-1], at)
	}
	if now, before := string(t.text(o)), string(t.textOf(x.local.state)); now != before {
		return t.odd(x, x.way[len(x.way)-1], "after another history "+firstDifference(before, now))
	}
	o, fx := t.perform(o, x.local, x.step.event, true)
	var state any
	if !leadsNowhere(fx) {
		text := t.text(o)
		if x.step.to == nil {
			return t.odd(x, hop{x.local, x.step}, fmt.Sprintf("it %v once, and after another history it does not", x.step.effects))
		}
		if before := t.textOf(x.step.to.state); string(before) != string(text) {
			return t.odd(x, hop{x.local, x.step}, "after another history "+firstDifference(string(before), string(text)))
		}
		state = t.code.seen(o, digestOf(text))
	}
	if !fx.Same(x.step.effects) {
		return t.odd(x, hop{x.local, x.step}, fmt.Sprintf("once it %v, and after another history it %v", x.step.effects, fx))
	}
	if x.step.to != nil && x.step.to.state != state {
		return t.odd(x, hop{x.local, x.step}, "after another history of the disk and the view "+cell.Difference(x.step.to.state, state))
	}
	return nil
}

// after makes an object by a history. If that ends in between, the object is none, and it says how.
func (t *table[O, D, V, M]) after(way []hop) (o O, ends string) {
	if len(way) == 0 { // to where nothing has booted
		return o, ""
	}
	o = t.again(way[0].from)
	for _, h := range way {
		var fx spec.Effects
		if o, fx = t.perform(o, h.from, h.step.event, false); leadsNowhere(fx) {
			return o, fmt.Sprintf("after another history it %v, and before it did not", fx)
		}
	}
	return o, ""
}

// Follow implements spec.Code.
func (t *table[O, D, V, M]) Follow(run []spec.Taken) (at int, _ error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	objects := map[spec.ID]O{}
	for i, x := range run {
		from := t.local(x.Process, x.Ring, x.Before)
		known := from.steps[happeningOf(x.Event)]
		if known == nil {
			return i, t.code.fault("of process %v, nothing is known of %s in the state %+v", x.Process, t.told(from, x.Event), x.Before)
		}
		o, fx := t.perform(objects[x.Process], from, x.Event, true)
		if how := t.unlike(o, fx, known); how != "" {
			return i, t.code.fault("this run is put together of objects that are not alike: of process %v, %s, %s. %s", x.Process, t.told(from, x.Event), how, t.apart(run[:i], x.Process, from))
		}
		objects[x.Process] = o
	}
	return 0, nil
}

// unlike says how what an object did is not what is known of a step; empty if it is.
func (t *table[O, D, V, M]) unlike(o O, fx spec.Effects, known *step) string {
	switch {
	case !fx.Same(known.effects):
		return fmt.Sprintf("an object with no other history %v, and another one %v", fx, known.effects)
	case known.to == nil:
		return ""
	}
	text, before := t.text(o), t.textOf(known.to.state)
	if how := firstDifference(string(before), string(text)); how != "" {
		return "of an object with no other history " + how
	}
	if state := t.code.seen(o, digestOf(text)); state != known.to.state {
		return "of an object with no other history " + cell.Difference(known.to.state, state)
	}
	return ""
}

// apart says what tells the object that took a run from that which stands for the state in which it is.
func (t *table[O, D, V, M]) apart(run []spec.Taken, p spec.ID, now *local) string {
	var o O
	for _, x := range run {
		if x.Process == p {
			o, _ = t.perform(o, t.local(p, x.Ring, x.Before), x.Event, true)
		}
	}
	if at := firstDifference(whole(t.again(now)), whole(o)); at != "" {
		return ignoredHint(at)
	}
	return nothingIgnored
}

// ignoredHint says what to do about a difference in what is ignored.
func ignoredHint(at string) string {
	return "They differ in what is ignored: " + at + ". Take that field out of Ignore, or let the Key have it"
}

const nothingIgnored = "Nothing that is ignored tells them apart: look for a variable of a package, one that a func captures, or what lists share, and let the Key have it"

// odd is the error of a test in which a step came out differently.
func (t *table[O, D, V, M]) odd(x test, at hop, how string) error {
	return t.code.fault("two objects of process %v have one text and are not alike: of %s, %s. %s", x.local.self, t.told(at.from, at.step.event), how, t.blame(x))
}

// blame says why a test may have come out differently, and what to do.
func (t *table[O, D, V, M]) blame(x test) string {
	first := t.outcome(x)
	for range repeats {
		if t.outcome(x) != first {
			return "The same history does not lead to the same steps and the same object. " + beFunction
		}
	}
	into, _ := t.ways(t.ordered())
	for i := range x.way {
		one, _ := t.after(x.way[:i+1])
		for _, other := range histories(into, x.way[i].step.to) {
			two, _ := t.after(other)
			if at := firstDifference(whole(two), whole(one)); at != "" {
				return ignoredHint(at)
			}
		}
	}
	return nothingIgnored
}

// outcome is what a test comes to, with what is ignored.
func (t *table[O, D, V, M]) outcome(x test) string {
	o, _ := t.after(x.way)
	o, fx := t.perform(o, x.local, x.step.event, true)
	return whole(o) + fx.String()
}

// whole returns the text of an object, with what is ignored.
func whole[O any](o O) string {
	all := newTexts(nil)
	w := walk{texts: &all, seen: map[pointer]string{}, blind: true}
	w.value(reflect.ValueOf(&o).Elem())
	return string(w.out)
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
