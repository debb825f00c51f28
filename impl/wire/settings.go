package wire

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"interleave/spec"
)

// Settings are what all processes of a run must have in common: the body of a Hello.
type Settings struct {
	Ring      []spec.ID     // nil: not said
	Delta     time.Duration // for people: ParseSettings leaves it out
	Datagrams bool
	Begin     time.Time     // lock step: when the first round begins
	Round     time.Duration // lock step: how long each lasts; 0: there are no rounds
}

const settingsBreak = "; "

// String returns the settings for people and to compare: parts with a name and a value each.
// It fits a frame.
func (s Settings) String() string {
	var ring []string
	for _, id := range s.Ring {
		ring = append(ring, id.String())
	}
	parts := []string{"ring " + strings.Join(ring, ","), fmt.Sprintf("delta %v", s.Delta), fmt.Sprintf("datagrams %v", s.Datagrams)}
	if s.Round > 0 {
		parts = append(parts, "begin "+s.Begin.UTC().Format(time.RFC3339Nano), fmt.Sprintf("round %v", s.Round))
	}
	return strings.Join(parts, settingsBreak)
}

// ParseSettings reads what String writes. It ignores parts that it does not know. The error
// goes on after "its processes say ".
func ParseSettings(text string) (s Settings, err error) {
	for _, part := range strings.Split(text, settingsBreak) {
		name, value, _ := strings.Cut(part, " ")
		switch name {
		case "ring":
			for _, text := range strings.Split(value, ",") {
				id, _ := strconv.Atoi(text)
				s.Ring = append(s.Ring, spec.ID(id))
			}
			if !spec.IsRing(s.Ring, len(s.Ring)) {
				return s, fmt.Errorf("that their ring is %q: that does not name each of the processes 1 to %d once", value, len(s.Ring))
			}
		case "datagrams":
			s.Datagrams = value == "true"
		case "begin":
			s.Begin, err = time.Parse(time.RFC3339Nano, value)
		case "round":
			s.Round, err = time.ParseDuration(value)
		}
		if err != nil {
			return s, fmt.Errorf("%q: %w", part, err)
		}
	}
	return s, nil
}

// DiffSettings returns the parts of settings that others do not have.
func DiffSettings(settings, others string) string {
	theirs := strings.Split(others, settingsBreak)
	return strings.Join(slices.DeleteFunc(strings.Split(settings, settingsBreak), func(part string) bool {
		return slices.Contains(theirs, part)
	}), settingsBreak)
}
