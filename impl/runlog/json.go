package runlog

import (
	"bytes"
	"encoding/json"
)

// PlainJSON returns the JSON of a plain value as in logs: all fields, in the order of
// their declaration, without spaces.
func PlainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
