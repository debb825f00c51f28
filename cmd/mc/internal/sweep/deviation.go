package sweep

import (
	"fmt"

	"interleave/cmd/mc/internal/source"
	"interleave/cmd/mc/internal/ui"
	"interleave/model"
	"interleave/model/picture"
	"interleave/properties"
	"interleave/properties/election"
)

// deviation is a verdict that is not as expected, as it is told to other programs.
type deviation struct {
	result    *result
	judged    *judged
	place     source.Line // of the handler that ends the counterexample, else of the row in the file
	events    []model.Event
	reference *model.Reference
	run       *model.Run // nil: there is none
}

// title says what deviates, in a few words.
func (d deviation) title() string {
	return fmt.Sprintf("%s: %s", d.result.title(), d.judged.name)
}

// sentence says what was expected and what was found.
func (d deviation) sentence() string {
	text := fmt.Sprintf("%s: expected %v, found %s", d.title(), d.judged.want, d.judged.found.Loud())
	if d.run != nil {
		text += " after " + ui.Steps(d.judged.finding.Depth)
	}
	if why := d.judged.finding.Why; why != "" {
		text += ": " + picture.OneLine(why)
	}
	if d.judged.finding.OnlyLuck {
		text += "; " + properties.OnlyLuck
	}
	return text
}

// picture returns the counterexample; nil if there is none.
func (d deviation) picture() *picture.Picture {
	if d.run == nil {
		return nil
	}
	return picture.Of(d.reference, d.run, d.judged.finding.Trace)
}

// deviations returns what is not as expected.
func (o *outcome) deviations() []deviation {
	sources := source.Here()
	var out []deviation
	for i := range o.results {
		r := &o.results[i]
		for k := range r.judged {
			j := &r.judged[k]
			if j.passes() {
				continue
			}
			f := deviation{result: r, judged: j, place: sources.Line(o.options.file, r.row.line)}
			if trace := j.finding.Trace; trace != nil {
				if reference, run, _, err := election.Replay(r.Machine, trace, j.finding.Property); err == nil {
					f.reference, f.run = reference, run
					for _, step := range run.Steps {
						f.events = append(f.events, step.Event)
					}
					if p := sources.Of(r.Machine, f.events); p != (source.Line{}) {
						f.place = p
					}
				}
			}
			out = append(out, f)
		}
	}
	return out
}
