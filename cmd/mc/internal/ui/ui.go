// Package ui is what every verb of mc needs to speak with people and programs: results on
// standard output, progress and errors on standard error, styles and widths, arguments and
// files, and exit statuses. It knows no verb.
package ui

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"interleave/internal/printable"
)

// UI is what every verb works with.
type UI struct {
	Out      io.Writer // results; escapes what is no text, and takes colours out where they are not wanted
	Err      io.Writer // progress and errors
	Cursor   io.Writer // where Err ends: for the codes of a terminal that move the cursor, which text must not have
	Terminal bool      // Err is a terminal: progress may be rewritten
	Columns  int       // of the terminal that Out is; 0: it is none

	errColumns int // likewise, of Err

	results *printable.Writer // Out as New made it
	failed  *sink             // where Out ends
}

// New returns a UI that writes results to stdout, and progress and errors to stderr.
func New(stdout, stderr io.Writer) *UI {
	end := &sink{Writer: stdout}
	cursor := colorprofile.NewWriter(stderr, os.Environ())
	results := &printable.Writer{To: &colorprofile.Writer{Forward: end, Profile: colorprofile.Detect(stdout, os.Environ())}, Styled: true}
	return &UI{
		Out:        results,
		Err:        &printable.Writer{To: cursor, Styled: true},
		Cursor:     cursor,
		Terminal:   isTerminal(stderr),
		Columns:    columns(stdout),
		errColumns: columns(stderr),
		results:    results,
		failed:     end,
	}
}

// End writes what is left of the results after a verb. It returns the error of the verb, or that
// results could not be written.
func (u *UI) End(err error) error {
	err = errors.Join(err, u.results.Flush())
	if u.failed.err != nil {
		return Trouble(fmt.Errorf("standard output: %w", u.failed.err))
	}
	return err
}

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

// PrintJSON prints what a verb found, for programs.
func (u *UI) PrintJSON(v any) error {
	enc := json.NewEncoder(u.Out)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Interrupted tells that there will be no answer, for somebody would not wait for it.
func (u *UI) Interrupted() error {
	fmt.Fprintln(u.Err, "mc: interrupted")
	return ExitInconclusive
}

// Hanging prints a text behind something, wrapped on a terminal; its further
// lines begin below its first.
func (u *UI) Hanging(lead, text string) {
	indent := lipgloss.Width(lead)
	if room := u.Columns - indent; room >= Fewest {
		text = strings.ReplaceAll(Wrapped(text, room), "\n", "\n"+strings.Repeat(" ", indent))
	}
	fmt.Fprintf(u.Out, "%s%s\n", lead, text)
}

// Assume prints assumptions of a world, each of which begins with what it is of.
func (u *UI) Assume(all []string) {
	const name = len("initiators  ")
	for _, a := range all {
		lead := ""
		if len(a) > name && a[name-1] == ' ' {
			lead, a = a[:name], a[name:]
		}
		u.Hanging("  "+lead, a)
	}
}
