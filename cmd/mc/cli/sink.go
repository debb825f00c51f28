package cli

import (
	"encoding/json"
	"io"
)

// sink is standard output, and remembers if something could not be written.
type sink struct {
	io.Writer
	err error
}

func (s *sink) Write(text []byte) (int, error) {
	n, err := s.Writer.Write(text)
	if err != nil {
		s.err = err
	}
	return n, err
}

// printJSON prints what a verb found, for programs.
func (u *tool) printJSON(v any) error {
	enc := json.NewEncoder(u.out)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
