package wire

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"interleave/internal/cell"
	"interleave/spec"
)

// ErrMessage is wrapped by every error about bytes that are no message of the
// machine, or about a message that has no bytes.
var ErrMessage = errors.New("no message of this algorithm")

// Codec writes and reads the messages of one machine. It is safe for
// concurrent use.
type Codec struct {
	name   string
	traits spec.Traits
	typ    reflect.Type
	cell   *cell.Cell // any message, if they travel as cells: then a body is the text of one. nil: they do not
	leaves []leaf
	shape  uint64
}

// NewCodec returns the codec of m's messages, made from the shape of their
// type. It fails, naming the part, if that is not made of bool, integers,
// string, arrays and structs of those, or is too large for a frame.
func NewCodec(m spec.Machine) (*Codec, error) {
	t := m.Traits()
	if t.Name == "" || len(t.Name) > MaxName {
		return nil, fmt.Errorf("wire: the name %q of the algorithm is not 1 to %d bytes long", t.Name, MaxName)
	}
	if t.Message == nil {
		return nil, fmt.Errorf("wire: algorithm %s does not say what its messages are: set Traits.Message", t.Name)
	}
	typ := reflect.TypeOf(cell.Value(t.Message))
	if any, ok := t.Message.(cell.Cell); ok {
		c := &Codec{name: t.Name, traits: t, typ: typ, cell: &any}
		c.hash()
		return c, nil
	}
	leaves, err := leavesOf(typ, "message")
	if err != nil {
		return nil, fmt.Errorf("wire: algorithm %s: %w", t.Name, err)
	}
	for i := range leaves {
		leaves[i].name = strings.TrimPrefix(leaves[i].name, "message.")
	}
	c := &Codec{name: t.Name, traits: t, typ: typ, leaves: leaves}
	if size := c.MinSize(); size > MaxBody {
		return nil, fmt.Errorf("wire: algorithm %s: a message takes %d bytes or more, and a frame holds at most %d", t.Name, size, MaxBody)
	}
	c.hash()
	return c, nil
}

func (c *Codec) hash() {
	sum := sha256.Sum256([]byte(c.Describe()))
	c.shape = binary.BigEndian.Uint64(sum[:])
}

// Shape returns a hash of Describe.
func (c *Codec) Shape() uint64 { return c.shape }

// Describe returns all that both ends must agree on, a line for each: the name of the algorithm,
// the kinds of its messages, and each part of a message with its type, in the order of the bytes.
func (c *Codec) Describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "algorithm %s\n", c.name)
	for _, kind := range c.traits.Kinds {
		fmt.Fprintf(&b, "kind %s\n", kind)
	}
	for _, l := range c.leaves {
		fmt.Fprintf(&b, "%s %v\n", l.name, l.form)
	}
	if c.cell != nil {
		fmt.Fprintf(&b, "text %d of %s\n", cell.Version, cell.Describe(c.typ))
	}
	return b.String()
}

// MinSize returns how many bytes the shortest message takes, or fewer.
func (c *Codec) MinSize() int {
	size := 0
	for _, l := range c.leaves {
		size += l.form.minSize()
	}
	return size
}

// Append appends the bytes of a message to dst.
func (c *Codec) Append(dst []byte, message any) ([]byte, error) {
	v := reflect.ValueOf(message)
	text, isCell := message.(cell.Cell)
	if !v.IsValid() || isCell != (c.cell != nil) || !isCell && v.Type() != c.typ || isCell && text.Type() != c.typ {
		return dst, c.errorf("%T instead of %v", cell.Value(message), c.typ)
	}
	if err := c.checkKind(message); err != nil {
		return dst, err
	}
	out := dst
	if isCell {
		out = append(out, text.Text()...)
	}
	for _, l := range c.leaves {
		var err error
		if out, err = l.form.append(out, l.of(v)); err != nil {
			return dst, c.errorf("%s: %w", l.name, err)
		}
	}
	if size := len(out) - len(dst); size > MaxBody {
		return dst, c.errorf("%d bytes, at most %d are allowed", size, MaxBody)
	}
	return out, nil
}

// Decode reads exactly one message, of the type that the machine's handlers
// expect. Append gives the same bytes again.
func (c *Codec) Decode(b []byte) (any, error) {
	if c.cell != nil {
		return c.decodeCell(b)
	}
	v := reflect.New(c.typ).Elem()
	err := c.read(b, func(l leaf, at, size int) error { return l.form.read(b[at:at+size], l.of(v)) })
	if err != nil {
		return nil, err
	}
	message := v.Interface()
	if err := c.checkKind(message); err != nil {
		return nil, err
	}
	return message, nil
}

func (c *Codec) decodeCell(b []byte) (any, error) {
	if len(b) > MaxBody {
		return nil, c.errorf("%d bytes, at most %d are allowed", len(b), MaxBody)
	}
	message, err := c.cell.FromText(string(b))
	if err != nil {
		return nil, c.errorf("%w", err)
	}
	if err := c.checkKind(message); err != nil {
		return nil, err
	}
	return message, nil
}

// read finds each part of an encoded message and hands it to use.
func (c *Codec) read(b []byte, use func(l leaf, at, size int) error) error {
	if len(b) > MaxBody {
		return c.errorf("%d bytes, at most %d are allowed", len(b), MaxBody)
	}
	at := 0
	for _, l := range c.leaves {
		size, err := l.form.size(b[at:])
		if err == nil {
			err = use(l, at, size)
		}
		if err != nil {
			return c.errorf("%s, at byte %d: %w", l.name, at, err)
		}
		at += size
	}
	if at < len(b) {
		return c.errorf("%d bytes behind the %d of the message", len(b)-at, at)
	}
	return nil
}

// checkKind refuses a message of no kind that the algorithm has: to ask such a
// message for its kind may well panic.
func (c *Codec) checkKind(message any) (err error) {
	defer func() {
		if recover() != nil {
			err = c.errorf("%#v is of no kind", message)
		}
	}()
	if kind := c.traits.Kind(message); !slices.Contains(c.traits.Kinds, kind) {
		return c.errorf("%#v is of kind %q", message, kind)
	}
	return nil
}

func (c *Codec) errorf(format string, args ...any) error {
	return fmt.Errorf("%w %s: "+format, append([]any{ErrMessage, c.name}, args...)...)
}

// Field is one part of an encoded message.
type Field struct {
	Name       string // as "Ballot.N" or "List[3]"; "message" if the message has no parts
	Type       string // bool, int8 … uint64, int, uint, string, ID or Set; in a message with lists also float32, or as in []Entry
	At, Length int    // where it lies in the body, bytes
	Value      any    // of the field's own Go type; of a list or map, whose elements follow, how many there are
}

// fieldOf returns a part of a message with lists.
func fieldOf(p cell.Part) Field {
	f := Field{Name: p.Path, Type: formOf(p.Value.Type()).String(), At: p.At, Length: p.Length, Value: p.Value.Interface()}
	switch kind := p.Value.Kind(); {
	case kind == reflect.Slice && p.Value.Type().Elem().Kind() != reflect.Uint8, kind == reflect.Map:
		if !p.Value.IsNil() {
			f.Value = p.Value.Len()
		}
		f.Type = p.Value.Type().String()
	case formOf(p.Value.Type()) == 0:
		f.Type = p.Value.Type().String()
	}
	if f.Name == "" || f.Name[0] == '[' {
		f.Name = "message" + f.Name
	}
	return f
}

// Fields returns the parts of a message in the order of its bytes, for
// dissectors and logs. It refuses what Decode refuses.
func (c *Codec) Fields(b []byte) ([]Field, error) {
	message, err := c.Decode(b)
	if err != nil {
		return nil, err
	}
	var fields []Field
	if m, ok := message.(cell.Cell); ok {
		for _, p := range cell.Parts(m) {
			fields = append(fields, fieldOf(p))
		}
		return fields, nil
	}
	v := reflect.ValueOf(message)
	err = c.read(b, func(l leaf, at, size int) error {
		fields = append(fields, Field{l.name, l.form.String(), at, size, l.of(v).Interface()})
		return nil
	})
	return fields, err
}
