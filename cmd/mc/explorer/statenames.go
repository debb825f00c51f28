package explorer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"interleave/model"
)

// How much a name tells: letters of a value, and lines.
const (
	nameLetters = 14
	nameLines   = 4
)

// A part is one of those of which states consist: a line of what a process has, or, of no
// process, the faults so far. The parts of lower rank are for people, and are preferred.
type part struct {
	rank    int
	process int // from 1
	path    string
}

const (
	ofDown = iota // always in the name
	ofFields
	ofStatus
	ofTimers
	ofSuspicions
	ofMessages
	ofFaults
	ofOrder // of the messages to a process, where all else is equal
)

func rankOf(path string) int {
	switch {
	case strings.HasPrefix(path, messagePath):
		return ofMessages
	case strings.HasPrefix(path, timerPath):
		return ofTimers
	case path == statusPath:
		return ofStatus
	case path == suspectsPath:
		return ofSuspicions
	}
	return ofFields
}

// stateNames names states by what tells them apart: as few parts as a greedy choice needs, and
// of these the ones in which a state differs from a reference, which is one of them.
type stateNames struct {
	parts     []part            // in the order in which they are preferred
	values    map[part][]string // by state; "" where a state lacks the part
	reference int
	chosen    []part
	cut       map[part][]string // values of those chosen, shortened
}

func newStateNames(c *course, states []model.State, reference int) *stateNames {
	n := &stateNames{values: map[part][]string{}, cut: map[part][]string{}, reference: reference}
	for i, s := range states {
		n.see(i, len(states), part{rank: ofFaults}, c.environment(s.Env))
		for p := range s.Locals {
			if s.Locals[p].Status == model.Down {
				n.see(i, len(states), part{ofDown, p + 1, statusPath}, model.Down.String())
			}
			for _, l := range c.linesAt(s, p) {
				n.see(i, len(states), part{rankOf(l.Path), p + 1, l.Path}, l.Value)
			}
			n.see(i, len(states), part{rank: ofOrder, process: p + 1}, strings.Join(messageTexts(s.Inboxes[p]), ", "))
		}
	}
	slices.SortStableFunc(n.parts, func(a, b part) int { return cmp.Compare(a.rank, b.rank) })
	n.choose(len(states))
	for _, p := range n.chosen {
		n.cut[p] = shortened(n.values[p])
	}
	return n
}

func (n *stateNames) see(state, of int, p part, value string) {
	if n.values[p] == nil {
		n.parts, n.values[p] = append(n.parts, p), make([]string, of)
	}
	n.values[p][state] = value
}

// choose picks parts, each the one that tells most states apart, until all are.
func (n *stateNames) choose(states int) {
	groups, count := make([]int, states), 1
	for _, p := range n.parts {
		if p.rank == ofDown {
			n.chosen = append(n.chosen, p)
			groups, count = refine(groups, n.values[p])
		}
	}
	for rank := ofFields; rank <= ofOrder && count < states; {
		best, bestCount, bestGroups := part{}, count, groups
		for _, p := range n.parts {
			if p.rank != rank {
				continue
			}
			if split, k := refine(groups, n.values[p]); k > bestCount {
				best, bestCount, bestGroups = p, k, split
			}
		}
		if bestCount == count {
			rank++
			continue
		}
		n.chosen, groups, count = append(n.chosen, best), bestGroups, bestCount
	}
	last := func(p part) int { return (p.process + model.MaxN) % (model.MaxN + 1) } // what is of no process comes last
	slices.SortStableFunc(n.chosen, func(a, b part) int {
		return cmp.Or(cmp.Compare(last(a), last(b)), cmp.Compare(a.rank, b.rank), cmp.Compare(slices.Index(n.parts, a), slices.Index(n.parts, b)))
	})
}

// refine splits groups by the values of their members, and counts them.
func refine(groups []int, values []string) (split []int, count int) {
	type key struct {
		group int
		value string
	}
	numbers := map[key]int{}
	split = make([]int, len(groups))
	for i, g := range groups {
		k := key{g, values[i]}
		if _, known := numbers[k]; !known {
			numbers[k] = len(numbers)
		}
		split[i] = numbers[k]
	}
	return split, len(numbers)
}

// name returns the lines of the name of a state, and the same without anything cut.
func (n *stateNames) name(state int, same string) (short, whole []string) {
	messages := 0 // the process of which a message was told
	for _, p := range n.chosen {
		values := n.values[p]
		down := n.values[part{ofDown, p.process, statusPath}]
		gone := down != nil && down[state] != "" && p.rank != ofDown && p.rank < ofMessages // as it is down
		gone = gone || p.rank == ofOrder && p.process == messages
		if values[state] != values[n.reference] && !gone {
			if p.rank == ofMessages {
				messages = p.process
			}
			short = append(short, n.tell(p, state, n.cut[p][state], cut))
			whole = append(whole, n.tell(p, state, values[state], uncut))
		}
	}
	short, whole = slices.Compact(short), slices.Compact(whole)
	if len(short) > nameLines {
		short = append(short[:nameLines-1], fmt.Sprintf("and %d more", len(short)-nameLines+1))
	}
	if len(short) == 0 {
		return []string{same}, []string{same}
	}
	return short, whole
}

// uncut is cut without cutting.
func uncut(text string, _ int) string { return text }

// tell says which value a state has of a part.
func (n *stateNames) tell(p part, state int, value string, cut func(text string, from int) string) string {
	switch p.rank {
	case ofFaults:
		return cmp.Or(value, "no fault so far")
	case ofOrder:
		return fmt.Sprintf("✉ to %d: %s", p.process, value)
	case ofMessages:
		text := strings.TrimPrefix(p.path, messagePath)
		from := strings.LastIndex(text, fromWord)
		text = fmt.Sprintf("✉ %s %s→%d", cut(text[:from], 0), text[from+len(fromWord):], p.process)
		switch value {
		case "":
			return "no " + text
		case onItsWay:
			return text
		}
		return text + ", " + value
	case ofTimers:
		return fmt.Sprintf("%d %s %s", p.process, strings.TrimPrefix(p.path, timerPath), cmp.Or(value, "off"))
	case ofSuspicions:
		return fmt.Sprintf("%d suspects %s", p.process, cmp.Or(value, "nobody"))
	}
	if p.path == statusPath || value != "" && value != noText && n.speaks(p) {
		return fmt.Sprintf("%d %s", p.process, cmp.Or(value, "up"))
	}
	if status := n.values[part{ofStatus, p.process, statusPath}]; value == "" && status != nil && status[state] != "" {
		return fmt.Sprintf("%d %s", p.process, status[state]) // before its state is told
	}
	return fmt.Sprintf("%d %s %s", p.process, p.path, cmp.Or(value, "–"))
}

// noText is how a text without letters is shown.
const noText = `""`

// speaks reports whether the values of a field say by themselves what they are of: they are words,
// and no other field that was chosen has one of them.
func (n *stateNames) speaks(p part) bool {
	words := map[string]bool{}
	for q, values := range n.values {
		if q.path == p.path {
			for _, v := range values {
				words[v] = true
			}
		}
	}
	delete(words, "")
	delete(words, noText)
	for v := range words {
		if first, _ := utf8.DecodeRuneInString(v); !unicode.IsLetter(first) || v == "true" || v == "false" || v == "none" || v == "nil" || strings.Contains(p.path, "[") {
			return false
		}
	}
	for _, q := range n.chosen {
		if q.path != p.path && slices.ContainsFunc(n.values[q], func(v string) bool { return words[v] }) {
			return false
		}
	}
	return true
}

// shortened cuts long values so that different ones stay so: after some letters, or, if they begin
// alike, before those in which they begin to differ.
func shortened(values []string) []string {
	distinct := slices.Compact(slices.Sorted(slices.Values(values)))
	from := 0
	for _, v := range distinct {
		for _, w := range distinct {
			if v != w && cut(v, 0) == cut(w, 0) {
				from = max(from, alike(v, w)-nameLetters/2)
			}
		}
	}
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = cut(v, min(from, max(0, utf8.RuneCountInString(v)-nameLetters)))
	}
	return out
}

// alike is with how many equal letters two texts begin.
func alike(a, b string) int {
	x, y := []rune(a), []rune(b)
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n
}

// cut returns what a text has from a letter on, cut to some letters.
func cut(text string, from int) string {
	letters := []rune(text)[from:]
	before, after := "", ""
	if from > 0 {
		before = "…"
	}
	if len(letters) > nameLetters {
		letters, after = letters[:nameLetters-1], "…"
	}
	return before + string(letters) + after
}
