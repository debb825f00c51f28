package captures

// cause is what a refutation rests on. It says what could still explain the packet: a longer
// search, or packets that are missing. Every rule names one.
type cause uint8

const (
	bySteps         cause = iota // no hidden steps of its process explain it
	byAbsence                    // a packet that had to come before it is not there
	byEnd                        // its incarnation was over, unless the first packet with the message is not there
	byContradiction              // it contradicts itself, or a packet that is there
	byBudget                     // it is one restart too many
)

// certain reports whether nothing can explain the packet, whatever is missing and however
// long is searched.
func (c cause) certain() bool { return c >= byContradiction }

// changeable reports whether the packet may be explained if the message says something else.
func (c cause) changeable() bool { return c != byBudget }

// movable reports whether the packet may be explained later.
func (c cause) movable() bool { return c != byBudget && c != byEnd }
