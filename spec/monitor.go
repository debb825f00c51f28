package spec

import (
	"cmp"
	"reflect"

	"interleave/internal/cell"
)

// Monitor watches every run for what no single state shows: that nothing is decided twice, say. It
// is a value that each event of each process turns into another. The value is a part of the states
// that are checked, so it has to be a plain one, and there should be few.
type Monitor struct {
	First any                                  // the value when nothing has happened yet
	Next  func(v any, s Step) (any, error)     // the value after a step; or why the step breaks the property
	Read  func(text []byte) (v any, err error) // from JSON

	err error // why its values cannot be remembered
}

// Step is one event of one process, as a monitor sees it.
type Step struct {
	Process       ID
	Event         Event
	Before, After any   // what the process remembered, and what the handler made of it. Before a boot that is what is stable, or nil
	Outputs       []any // none if a crash cuts the step short
}

// MaxMonitors is how many monitors there may be at once.
const MaxMonitors = 4

// Monitored states that next returns no error, whatever happens, where first is the value when nothing has happened
// yet. An error is the reason why a step breaks the property.
func Monitored[V any](name, doc string, first V, next func(v V, s Step) (V, error)) Property {
	closed, err := cell.Close(first)
	t := reflect.TypeFor[V]()
	return Property{Name: name, Doc: doc, Form: Watched, Monitor: &Monitor{
		First: closed, Read: cell.Read[V], err: cmp.Or(cell.Plain(t, "the value of its monitor", t), err),
		Next: func(v any, s Step) (any, error) {
			after, err := next(cell.Open[V](v), s.values())
			if err != nil {
				return nil, err
			}
			return cell.Must(after, "the value of the monitor "+name), nil
		},
	}}
}

// values is s with values in place of cells.
func (s Step) values() Step {
	s.Before, s.After, s.Outputs, s.Event = cell.Value(s.Before), cell.Value(s.After), values(s.Outputs), s.Event.Opened()
	return s
}

// values are those in a list that may have cells in it.
func values(closed []any) []any {
	if closed == nil {
		return nil
	}
	list := make([]any, len(closed))
	for i, v := range closed {
		list[i] = cell.Value(v)
	}
	return list
}
