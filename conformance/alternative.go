package conformance

import (
	"encoding/json"
	"fmt"

	"interleave/conformance/frontier"
	"interleave/impl"
	"interleave/impl/wire"
	"interleave/spec"
)

// alternative says what a process could have sent in place of a frame, and in what
// the frame differs from it.
func (c *captureCheck) alternative(f wire.Frame, content any, m frontier.Miss) Alternative {
	a := Alternative{What: fmt.Sprintf("message %d, %v to %v", m.Send.Sequence, m.Send.Content, m.Send.To), When: c.inWords(m.Input)}
	if text, err := impl.PlainJSON(m.After); err == nil {
		a.State = string(text)
	}
	if m.Send.To != f.To {
		a.Misses = append(a.Misses, Miss{"to", m.Send.To.String(), f.To.String()})
	}
	want, found := map[string]string{}, map[string]string{}
	flattenMessage(want, m.Send.Content)
	flattenMessage(found, content)
	for _, field := range sortedKeys(want, found) {
		if want[field] != found[field] {
			a.Misses = append(a.Misses, Miss{field, want[field], found[field]})
		}
	}
	return a
}

// flattenMessage adds the fields of a message under their names.
func flattenMessage(to map[string]string, m any) {
	text, err := impl.PlainJSON(m)
	if err != nil {
		return
	}
	tree := map[string]json.RawMessage{}
	if json.Unmarshal(text, &tree) == nil {
		flatten(to, "message.", tree)
		return
	}
	to["message"] = fmt.Sprint(m)
}

// inWords returns a hidden step in words.
func (c *captureCheck) inWords(in frontier.Input) string {
	text := in.Kind.String()
	switch in.Kind {
	case spec.Receive:
		return fmt.Sprintf("%s %v from %v", text, in.Message, in.From)
	case spec.Timeout:
		return text + " " + c.traits.Rules[in.Timer].Name
	case spec.Suspect, spec.Restore:
		return fmt.Sprintf("%s %v", text, in.Peer)
	}
	return text
}
