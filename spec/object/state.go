package object

import "fmt"

// State is what a process remembers whose code has a state of its own: Text stands for the object.
type State[D, V any] struct {
	Disk D
	View V
	Text string // the digest of the object's text; empty: it has not booted
}

// String shows the view, and the disk where there is no more.
func (s State[D, V]) String() string {
	if s.Text == "" {
		return fmt.Sprintf("disk %+v", s.Disk)
	}
	return fmt.Sprintf("%+v", s.View)
}

// Seen is what there is to see of a state, and what a trace has of it: another version of the code shall be able to repeat that.
func (s State[D, V]) Seen() any {
	return struct {
		Disk D
		View V
	}{s.Disk, s.View}
}
