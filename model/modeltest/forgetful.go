package modeltest

import "interleave/spec"

// Forgetful is a machine whose states and messages come back from JSON as others. A function that is nil changes nothing.
type Forgetful struct {
	spec.Machine
	State, Message func(v any) any
}

// Traits are those of the machine, but for what reads JSON.
func (m Forgetful) Traits() spec.Traits {
	t := m.Machine.Traits()
	t.ReadState, t.ReadMessage = forgets(t.ReadState, m.State), forgets(t.ReadMessage, m.Message)
	return t
}

func forgets(read func([]byte) (any, error), change func(any) any) func([]byte) (any, error) {
	if change == nil {
		return read
	}
	return func(text []byte) (any, error) {
		v, err := read(text)
		if err != nil {
			return nil, err
		}
		return change(v), nil
	}
}
