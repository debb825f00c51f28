package execution

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"interleave/impl/runlog"
	"interleave/spec"
)

// undeclared names the requests with values that are not declared, as logs have them: a capture that such a value explains
// does not show it. Empty: there are none.
func undeclared(t spec.Traits, names []string) (string, error) {
	const most = 3
	var found []string
	logs, done, err := openLogs(names, func(_, _ int64) {})
	defer done()
	if err != nil {
		return "", err
	}
	for _, log := range logs {
		if err := runlog.Read(log.Reader, func(r runlog.Record) error {
			if r.Line != runlog.LineStep || r.Input.Value == nil {
				return nil
			}
			number, ok := t.ActionNamed(r.Input.Event)
			if !ok || t.Actions[number].ReadValue == nil {
				return nil
			}
			if v, err := t.Actions[number].ReadValue(r.Input.Value); err == nil && !slices.Contains(t.Actions[number].Values, v) {
				found = append(found, fmt.Sprintf("%s %s, step %d of %s", r.Input.Event, r.Input.Value, r.Step, filepath.Base(log.Name)))
			}
			return nil
		}); err != nil {
			return "", err
		}
	}
	if more := len(found) - most; more > 0 {
		found = append(found[:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(found, "; "), nil
}
