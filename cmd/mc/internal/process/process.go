// Package process reads what command lines and files say of real processes, and adds remedies to
// the errors of their runtime.
package process

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"interleave/cmd/mc/internal/ui"
	"interleave/impl"
	"interleave/impl/storage"
	"interleave/spec"
)

// ParseID reads the ID of a process.
func ParseID(text string) (spec.ID, error) {
	id, err := strconv.Atoi(text)
	if err != nil || id < 1 || id > int(spec.MaxID) {
		return 0, fmt.Errorf("%q is not a process: give a number from 1 to %d", text, spec.MaxID)
	}
	return spec.ID(id), nil
}

// ParseIDs reads a list of processes, as in 3,1,2.
func ParseIDs(list string) (ids []spec.ID, err error) {
	for part := range strings.SplitSeq(list, ",") {
		id, err := ParseID(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// ParseTimers reads what --timer gives for each.
func ParseTimers(texts map[string]string) (map[string]time.Duration, error) {
	timers := map[string]time.Duration{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		d, err := time.ParseDuration(texts[name])
		if err != nil {
			return nil, ui.Hint(fmt.Errorf("--timer: %s=%s: that is not a time", name, texts[name]), "give a number and a unit, as in 300ms")
		}
		timers[name] = d
	}
	return timers, nil
}

// Remedy adds the remedy to an error of the runtime.
func Remedy(err error) error {
	var timer *impl.TimerError
	switch {
	case errors.As(err, &timer):
		return ui.Hint(err, fmt.Sprintf("give --timer %q=%v or so, a smaller --delta, or --unsafe-timers to run all the same", timer.Name, timer.Than*3/2))
	case errors.Is(err, storage.ErrTorn):
		return ui.Hint(err, "restore the file from a copy, or move it away and give all processes another --run")
	case errors.Is(err, storage.ErrMemory):
		return ui.Hint(err, "--data names a folder for this process alone")
	}
	return err
}
