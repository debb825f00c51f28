package diagram

import (
	"cmp"
	"encoding/binary"
	"slices"
	"unsafe"

	"interleave/model"
	"interleave/model/compiled"
	"interleave/spec"
)

// channel is a place of a symbolic vector that holds messages in flight. Its values are lists of
// messages, numbered as they are met; 0 is the empty list. Equal contents are equal lists: in a
// fifo network they are by sender and then in the order of sending, in others by receiver and
// message.
type channel struct {
	place   int
	network model.Network
	may     []compiled.Message // all that may ever be in it
	numbers map[string]uint32
	values  [][]compiled.Message
	bytes   int64 // that the values take, approximately
}

// Approximate memory of a list of messages, which is held twice: as a value, and as bytes of a key.
const (
	bytesPerList   = 200
	bytesPerParcel = int64(unsafe.Sizeof(compiled.Message{})) + 8
)

func newChannel(place int, n model.Network) *channel {
	c := &channel{place: place, network: n, numbers: map[string]uint32{}}
	c.number(nil)
	return c
}

func (c *channel) number(messages []compiled.Message) uint32 {
	key := keyOf(messages)
	if n, ok := c.numbers[key]; ok {
		return n
	}
	n := uint32(len(c.values))
	c.numbers[key] = n
	c.values = append(c.values, messages)
	c.bytes += bytesPerList + int64(len(messages))*bytesPerParcel
	return n
}

// find returns the number of some messages, in any order, but in a fifo network in the order of
// sending; false if they have none. In a set, equal messages are one.
func (c *channel) find(messages []compiled.Message) (uint32, bool) {
	if c.network != model.FIFO {
		slices.SortFunc(messages, func(p, q compiled.Message) int {
			return cmp.Or(cmp.Compare(p.To, q.To), cmp.Compare(p.ID, q.ID))
		})
	}
	if c.network == model.Set {
		messages = slices.Compact(messages)
	}
	n, ok := c.numbers[keyOf(messages)]
	return n, ok
}

func keyOf(messages []compiled.Message) string {
	key := make([]byte, 0, 8*len(messages))
	for _, p := range messages {
		key = binary.LittleEndian.AppendUint32(append(key, byte(p.To)), p.ID)
	}
	return string(key)
}

// holds reports whether a value has a message for which what is true.
func (c *channel) holds(value uint32, what func(compiled.Message) bool) bool {
	return slices.ContainsFunc(c.values[value], what)
}

// next returns the index of a message that may arrive next; -1 if it may not.
func (c *channel) next(value uint32, p compiled.Message) int {
	messages := c.values[value]
	if c.network == model.FIFO {
		i := slices.IndexFunc(messages, func(q compiled.Message) bool { return q.From == p.From })
		if i < 0 || messages[i] != p {
			return -1
		}
		return i
	}
	return slices.Index(messages, p)
}

// take is the value without a message; false if that may not arrive next.
func (c *channel) take(value uint32, p compiled.Message) (uint32, bool) {
	i := c.next(value, p)
	if i < 0 {
		return 0, false
	}
	return c.number(slices.Delete(slices.Clone(c.values[value]), i, i+1)), true
}

// put is the value with one more message.
func (c *channel) put(value uint32, p compiled.Message) uint32 {
	messages := c.values[value]
	at := 0
	for at < len(messages) && (c.network == model.FIFO && messages[at].From <= p.From || c.network != model.FIFO && messages[at].Before(p)) {
		at++
	}
	if c.network == model.Set && at < len(messages) && messages[at] == p {
		return value
	}
	return c.number(slices.Insert(slices.Clone(messages), at, p))
}

// twice is the value with a copy of a message; false if that may not arrive next. A set absorbs
// the copy.
func (c *channel) twice(value uint32, p compiled.Message) (uint32, bool) {
	i := c.next(value, p)
	if i < 0 || c.network == model.Set {
		return value, i >= 0
	}
	return c.number(slices.Insert(slices.Clone(c.values[value]), i, p)), true
}

// empty is the value without the messages to a process.
func (c *channel) empty(value uint32, to spec.ID) uint32 {
	return c.number(slices.DeleteFunc(slices.Clone(c.values[value]), func(p compiled.Message) bool { return p.To == to }))
}
