package explorer

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"interleave/model"
)

// How far a search for a state goes.
const (
	maxFound    = 20
	maxSearched = 50_000 // states
	findingTime = 5 * time.Second
)

// Matches are the states that a search found, the nearest to the beginning first.
type Matches struct {
	Found    []Match `json:"found"`
	Searched int     `json:"searched"`      // states
	Why      string  `json:"why,omitempty"` // there may be more; empty: these are all that can be reached
}

// Match is a state that was looked for.
type Match struct {
	Place Place    `json:"place"`
	Lines []string `json:"lines"` // of the state, in which the text is
}

// findQuestion asks for states that can be reached from the beginning of a course.
type findQuestion struct {
	which
	Initial int    `json:"initial"`
	Text    string `json:"text"`
}

// A pattern is what a state has to have: of each of its terms all words in one line, such as
// "2: Phase done". A word with a colon is the number of the process, and a number is not found in a
// longer one.
type pattern [][]string

var processWord = regexp.MustCompile(`^\d+:$`)

func newPattern(text string) (pattern, error) {
	var p pattern
	for term := range strings.SplitSeq(text, ",") {
		if words := strings.Fields(strings.ToLower(term)); len(words) > 0 {
			p = append(p, words)
		}
	}
	if p == nil {
		return nil, errors.New("write what the state has, as in 2: done")
	}
	return p, nil
}

// match returns the lines of a state in which the terms are; nil if one is in none.
func (p pattern) match(lines []string) (found []string) {
	for _, words := range p {
		i := slices.IndexFunc(lines, func(line string) bool {
			process, rest, _ := strings.Cut(strings.ToLower(line), " ")
			return !slices.ContainsFunc(words, func(w string) bool {
				if processWord.MatchString(w) {
					return process != w
				}
				return !has(rest, w)
			})
		})
		if i < 0 {
			return nil
		}
		if !slices.Contains(found, lines[i]) {
			found = append(found, lines[i])
		}
	}
	return found
}

// has reports whether a word is in a line, where digits do not go on before or behind it.
func has(line, word string) bool {
	digit := func(text string, i int) bool { return i >= 0 && i < len(text) && '0' <= text[i] && text[i] <= '9' }
	for from := 0; ; {
		i := strings.Index(line[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if !(digit(word, 0) && digit(line, i-1)) && !(digit(word, len(word)-1) && digit(line, end)) {
			return true
		}
		from = i + 1
	}
}

// textLines are the lines of a state as they are searched.
func textLines(c *course, s model.State) (lines []string) {
	for p := range s.Locals {
		for _, l := range c.linesAt(s, p) {
			lines = append(lines, fmt.Sprintf("%d: %s %s", p+1, l.Path, l.Value))
		}
	}
	return lines
}

// reached is a state that a search came to, from another by one of its steps.
type reached struct {
	state        model.State
	from, choice int // -1: it is the first
}

// search looks breadth-first for states that can be reached from the beginning of a course.
func (p pattern) search(c *course, q findQuestion) (out Matches, err error) {
	defer guarded(c.Machine, &err)
	run, err := c.walk(Place{which: q.which, Initial: q.Initial})
	if err != nil {
		return out, err
	}
	out.Found = []Match{}
	states, seen, began := []reached{{run.End(), -1, -1}}, map[string]bool{run.End().Key(): true}, time.Now()
	for i := 0; i < len(states); i++ {
		if lines := p.match(textLines(c, states[i].state)); lines != nil {
			if len(out.Found) == maxFound {
				out.Why = fmt.Sprintf("the first %d are shown", maxFound)
				break
			}
			place := Place{which: q.which, Initial: q.Initial, Choices: []int{}}
			for k := i; states[k].from >= 0; k = states[k].from {
				place.Choices = append(place.Choices, states[k].choice)
			}
			slices.Reverse(place.Choices)
			out.Found = append(out.Found, Match{Place: place, Lines: lines})
		}
		out.Searched++
		if time.Since(began) > findingTime {
			out.Why = "the search took too long"
			break
		}
		for k, step := range c.reference.Steps(states[i].state) {
			if step.Panic != "" || seen[step.After.Key()] {
				continue
			}
			if len(states) == maxSearched {
				out.Why = cmp.Or(out.Why, fmt.Sprintf("only the %d states nearest to the beginning were searched", maxSearched))
				break
			}
			seen[step.After.Key()] = true
			states = append(states, reached{step.After, i, k})
		}
		states[i].state = model.State{} // of which there may be many
	}
	return out, nil
}
