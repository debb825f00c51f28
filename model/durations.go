package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"interleave/spec"
)

// Durations says after how many ticks each timer expires, and after how many the crash of a
// leader is noticed, as in "T_ok=3,T_coord=5,notice=3".
type Durations string

// maxTicks bounds every duration.
const maxTicks = 100

const noticeDuration = "notice"

// durations are Durations by timer.
type durations struct {
	timers [spec.MaxTimers]uint8
	notice uint8
}

// parse returns the durations of all timers of an algorithm, each of which must be given.
func (d Durations) parse(t spec.Traits) (durations, error) {
	var out durations
	fields := map[string]*uint8{}
	var names []string
	for i, r := range t.Rules {
		fields[r.Name] = &out.timers[i]
		names = append(names, r.Name)
	}
	if t.Handles.Has(spec.Notice) {
		fields[noticeDuration] = &out.notice
		names = append(names, noticeDuration)
	}
	fail := func(format string, args ...any) (durations, error) {
		return out, &ConfigError{"durations", fmt.Sprintf(format, args...) + ": give each, as in " + strings.Join(names, "=3,") + "=3"}
	}
	if d == "" {
		return fail("it is not given, and with clocks each timer has one")
	}
	for part := range strings.SplitSeq(string(d), ",") {
		at := strings.LastIndexByte(part, '=')
		if at < 0 {
			return fail("%q is not a duration", part)
		}
		name := part[:at]
		ticks, err := strconv.Atoi(part[at+1:])
		switch field := fields[name]; {
		case !slices.Contains(names, name):
			return fail("there is no timer %q", name)
		case *field != 0:
			return fail("%s is given twice", name)
		case err != nil || ticks < 1 || ticks > maxTicks:
			return fail("%q is not 1 to %d ticks", part[at+1:], maxTicks)
		default:
			*field = uint8(ticks)
		}
	}
	for _, name := range names {
		if *fields[name] == 0 {
			return fail("%s has no duration", name)
		}
	}
	return out, nil
}
