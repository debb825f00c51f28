package objecttest

import (
	"fmt"
	"strings"

	"interleave/spec"
	"interleave/spec/object"
)

// Pages is what is on the disk of a diary.
type Pages struct{ Written int }

// Writer keeps a diary.
type Writer struct{ written int }

// Diary returns code that does some things in turn when it is asked to, or is told something else than "last": it may
// "write" one of three pages on its disk, "persist" that, "say" how many there are to its user, and sends any other word to the
// next process.
func Diary(does string) *object.Code[*Writer, Pages, int, string] {
	type (
		state = object.State[Pages, int]
		proc  = *spec.Proc[string]
	)
	return &object.Code[*Writer, Pages, int, string]{
		Algorithm: spec.Algorithm[state, string]{
			Name: "diary/any", Doc: "writes, and says that it does", Source: "package objecttest", Promises: []string{}, Ring: true,
			Actions: []spec.Action[state, string]{{Name: "ask", Times: 1, Together: true}},
			Properties: []spec.Property{
				spec.Monitored("disk-grows", "no page disappears from a disk", map[spec.ID]int{}, func(had map[spec.ID]int, s spec.Step) (map[spec.ID]int, error) {
					now := s.After.(state).Disk.Written
					if now < had[s.Process] {
						return nil, fmt.Errorf("it had %d, and has %d", had[s.Process], now)
					}
					had[s.Process] = now
					return had, nil
				}),
				spec.Monitored("said-is-kept", "what a process has said is on its disk when it boots again", map[spec.ID]int{}, func(said map[spec.ID]int, s spec.Step) (map[spec.ID]int, error) {
					if boots := s.After.(state).View; s.Event.Kind == spec.Recover && boots < said[s.Process] {
						return nil, fmt.Errorf("it said %d, and has %d", said[s.Process], boots)
					}
					for _, n := range s.Outputs {
						said[s.Process] = max(said[s.Process], n.(int))
					}
					return said, nil
				}),
			},
		},
		Open: func(_ spec.ID, _ spec.Set, p Pages) *Writer { return &Writer{p.Written} },
		Handle: func(o *Writer, e spec.Event, p proc) {
			if e.Message == "last" {
				return
			}
			for _, what := range strings.Fields(does) {
				switch what {
				case "write":
					o.written = min(o.written+1, 3)
				case "persist":
					p.Persist()
				case "say":
					p.Output(o.written)
				default:
					p.Send(p.Next(), what)
				}
			}
		},
		Disk: func(o *Writer) Pages { return Pages{o.written} },
		View: func(o *Writer) int { return o.written },
	}
}
