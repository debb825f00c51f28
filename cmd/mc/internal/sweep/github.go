package sweep

import (
	"fmt"
	"os"
	"strings"

	"interleave/cmd/mc/internal/source"
	"interleave/cmd/mc/internal/ui"
	"interleave/internal/printable"
	"interleave/model/picture"
)

// What GitHub shows: so many annotations of a kind for one step of a workflow, and so
// many bytes of its summary. Mermaid draws no more than so many characters.
const (
	githubAnnotations = 10
	githubSummary     = 1 << 20
	mermaidMost       = 50_000
)

// annotateDeviations tells GitHub what is not as expected, at the lines of the handlers. Where
// it is too much the last annotation says how much more there is. One is kept for the
// lock, and one for what could not be run.
func annotateDeviations(u *ui.UI, o *outcome, deviations []deviation) {
	most := githubAnnotations
	if len(o.differences) > 0 {
		most--
	}
	if o.failed() != nil {
		most--
	}
	for i, f := range deviations {
		if i == most-1 && len(deviations) > most {
			annotate(u, source.Line{}, "mc sweep", fmt.Sprintf("%d more verdicts are not as expected: see the summary", len(deviations)-i))
			return
		}
		annotate(u, f.place, f.title(), f.sentence()+"\nrepeat with: "+f.result.Command())
	}
}

// annotateFailure tells GitHub what could not be run, at its row.
func annotateFailure(u *ui.UI, o *outcome) {
	if c := o.failed(); c != nil {
		at := source.Here().Line(o.options.file, c.row.line)
		annotate(u, at, c.title(), picture.OneLine(o.failure.Error())+"\nrepeat with: "+c.Command())
	}
}

// annotateLock tells GitHub how what was explored differs from the lock, the first of it
// in words.
func annotateLock(u *ui.UI, o *outcome) {
	if len(o.differences) == 0 {
		return
	}
	text := o.differences[0].String()
	if more := len(o.differences) - 1; more > 0 {
		text += fmt.Sprintf("\nand %d more: see the summary", more)
	}
	annotate(u, source.Here().Line(o.options.lock, o.differences[0].line), "lock", text)
}

// annotate writes a workflow command, which GitHub reads from standard error, too.
func annotate(u *ui.UI, at source.Line, title, message string) {
	fmt.Fprintln(u.Err, annotation(at, title, message))
}

func annotation(at source.Line, title, message string) string {
	var fields []string
	if at.Number > 0 {
		fields = append(fields, "file="+githubProperty.Replace(at.File), fmt.Sprintf("line=%d", at.Number))
	}
	fields = append(fields, "title="+githubProperty.Replace(title))
	return fmt.Sprintf("::error %s::%s", strings.Join(fields, ","), githubMessage.Replace(message))
}

// How the parts of a workflow command are escaped.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// openSummary opens the file that GitHub names for the summary of a step, to append to it;
// nil if none is named.
func openSummary() (*os.File, error) {
	const variable = "GITHUB_STEP_SUMMARY"
	name := os.Getenv(variable)
	if name == "" {
		return nil, nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("%s: the summary of the step: %w: name a file, or none", variable, err)
	}
	return f, nil
}

// summarize appends the summary of a step, if it is wanted.
func summarize(o *outcome, deviations []deviation) error {
	f, err := openSummary()
	if f == nil {
		return err
	}
	_, err = f.WriteString(printable.Text(markdownSummary(o, deviations)))
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// markdownSummary says in Markdown what is not as expected, each with its diagram, as
// far as there is room.
func markdownSummary(o *outcome, deviations []deviation) string {
	var out strings.Builder
	summary := o.summary()
	fmt.Fprintf(&out, "### mc sweep %s\n\n%s\n\n", markdownText(o.options.file), markdownText(ui.Plain(summary.String())))
	if c := o.failed(); c != nil {
		fmt.Fprintf(&out, "**It could not be run:** %s\n\nRepeat with: %s\n\n", markdownText(picture.OneLine(o.failure.Error())), codeSpan(c.Command()))
	}
	const room = githubSummary - 4096
	if len(o.differences) > 0 {
		out.WriteString(markdownLock(o.differences, room/2))
		out.WriteString("\n")
	}
	for i, f := range deviations {
		part := markdownDeviation(f)
		if out.Len()+len(part) > room {
			fmt.Fprintf(&out, "%d more are not as expected, for which there is no room here.\n", len(deviations)-i)
			break
		}
		out.WriteString(part)
	}
	return out.String()
}

// markdownDeviation tells a deviation with its diagram.
func markdownDeviation(f deviation) string {
	text := fmt.Sprintf("**%s**\n\n", markdownText(f.sentence()))
	if p := f.picture(); p != nil {
		if diagram := picture.Mermaid(p); len(diagram) < mermaidMost {
			text += "```mermaid\n" + diagram + "```\n\n"
		} else {
			text += "The run is too long to be drawn here.\n\n"
		}
	}
	return text + "Repeat with: " + codeSpan(f.result.Command()) + "\n\n"
}

// codeSpan returns a text that Markdown shows as code, whatever it has in it.
func codeSpan(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if fence != "`" {
		text = " " + text + " "
	}
	return fence + text + fence
}

// markdownText returns a text that Markdown shows as it is.
func markdownText(text string) string { return markdownEscapes.Replace(text) }

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "|", `\|`, "~", `\~`, "$", `\$`, "[", `\[`, "]", `\]`, "#", `\#`)
