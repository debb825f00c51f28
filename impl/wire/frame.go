package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"

	"interleave/spec"
)

// Port is where processes listen, over UDP and over TCP, unless told otherwise.
const Port = 26540

const (
	// MaxFrame is the size of the largest frame in bytes, MAC included: that of a message, in a stream.
	MaxFrame = 1<<23 - 1
	// MaxDatagram is that of the largest in a datagram, which no network splits.
	MaxDatagram = 1200
	// MaxName is the length of the longest name of an algorithm in bytes.
	MaxName = 64
	// MaxBody is the size of the largest body in bytes, and MaxDatagramBody of the largest in a datagram. They
	// fit with the longest name and a MAC.
	MaxBody         = MaxFrame - headerSize - MaxName - macSize
	MaxDatagramBody = MaxDatagram - headerSize - MaxName - macSize
)

// Magic is what every frame begins with.
const Magic = "ILVE"

const (
	version    = 1
	headerSize = 60 // without the name
	withMAC    = 1  // the one flag: the bits above it are the highest of the frame's length
)

// Kind is what a frame is for.
type Kind uint8

const (
	Data      Kind = iota + 1 // carries one message of the algorithm
	Ack                       // data frames have arrived, and were handled unless the algorithm refuses that
	Heartbeat                 // the sender is up
	Hello                     // the sender begins to speak, and says what it speaks; the body says on what settings
	Refuse                    // the sender does not speak with the receiver; the body says why
)

// Kinds are all kinds of frames.
var Kinds = []Kind{Data, Ack, Heartbeat, Hello, Refuse}

func (k Kind) String() string {
	if k < Data || k > Refuse {
		return fmt.Sprintf("kind %d", uint8(k))
	}
	return [...]string{"data", "ack", "heartbeat", "hello", "refuse"}[k-Data]
}

// Header says what a frame is, who sent it and in which run.
type Header struct {
	Kind        Kind
	Algorithm   string  // the machine's name, as "bully/mended": 1 to MaxName bytes of UTF-8
	Shape       uint64  // Codec.Shape: peers of different shapes refuse each other
	Run         uint64  // which run of the cluster; a frame of another run is foreign
	From, To    spec.ID // 1..spec.MaxID
	Incarnation uint32  // how often the sender was started
	Acked       uint32  // the incarnation of the receiver that the sender speaks to, or 0 if it knows none; of Ack: that of what is acknowledged
	Sequence    uint64  // of Data: with From and Incarnation it names the message, from 1; of Ack: that of the acknowledged; otherwise 0
	Link        uint64  // of Data: its place in the fifo order of the link, from 1, 0 if there is none; of Ack: that of the acknowledged; otherwise 0
	Sent        int64   // when it was first sent by the sender's clock, nanoseconds since 1970; 0: not said
}

// Frame is what travels between two processes: a datagram, or a part of a
// stream.
type Frame struct {
	Header
	Body []byte // of Data: the encoded message; of Hello: settings that all processes must share, of Refuse: a reason, both in UTF-8; otherwise empty
}

// Errors of frames. What is returned wraps one of them and says more.
var (
	ErrForeign   = errors.New("no frame of ours")               // it begins otherwise
	ErrVersion   = errors.New("a frame of another version")     // it is ours, and too new or too old to read
	ErrShort     = errors.New("the frame is cut short")         // fewer bytes than it says, or than a header has
	ErrLong      = errors.New("the frame is too long")          // more bytes than it says, or than a datagram has
	ErrMalformed = errors.New("the frame makes no sense")       // a field has a value that it cannot have
	ErrMAC       = errors.New("the frame is not authenticated") // no MAC where there must be one, or not the right one
)

// Label returns one word for the error of a frame or of a message, for counters:
// "foreign", "version", "short", "long", "malformed", "mac", "message", else
// "other".
func Label(err error) string {
	for _, l := range []struct {
		err  error
		word string
	}{
		{ErrForeign, "foreign"}, {ErrVersion, "version"}, {ErrShort, "short"}, {ErrLong, "long"},
		{ErrMalformed, "malformed"}, {ErrMAC, "mac"}, {ErrMessage, "message"},
	} {
		if errors.Is(err, l.err) {
			return l.word
		}
	}
	return "other"
}

// Append appends the bytes of f to dst. With a key they end in a MAC. It
// returns ErrMalformed or ErrLong for a frame that Parse would refuse.
func (f Frame) Append(dst []byte, key Key) ([]byte, error) {
	if err := f.check(); err != nil {
		return dst, err
	}
	size := headerSize + len(f.Algorithm) + len(f.Body)
	flags := byte(0)
	if key != nil {
		size += macSize
		flags = withMAC
	}
	flags |= byte(size>>16) << 1
	start := len(dst)
	dst = append(dst, Magic...)
	dst = append(dst, version, byte(f.Kind), flags, byte(len(f.Algorithm)))
	dst = binary.BigEndian.AppendUint16(dst, uint16(size))
	dst = append(dst, byte(f.From), byte(f.To))
	dst = binary.BigEndian.AppendUint32(dst, f.Incarnation)
	dst = binary.BigEndian.AppendUint32(dst, f.Acked)
	dst = binary.BigEndian.AppendUint64(dst, f.Shape)
	dst = binary.BigEndian.AppendUint64(dst, f.Run)
	dst = binary.BigEndian.AppendUint64(dst, f.Sequence)
	dst = binary.BigEndian.AppendUint64(dst, f.Link)
	dst = binary.BigEndian.AppendUint64(dst, uint64(f.Sent))
	dst = append(dst, f.Algorithm...)
	dst = append(dst, f.Body...)
	if key != nil {
		dst = append(dst, key.mac(dst[start:])...)
	}
	return dst, nil
}

// Parse reads one whole frame, with nothing behind it. With a key it returns
// ErrMAC unless the frame ends in the right MAC; without one it returns ErrMAC
// for a frame that has any. The body is a part of b.
func Parse(b []byte, key Key) (Frame, error) {
	f, mac, err := Inspect(b)
	if err != nil {
		return Frame{}, err
	}
	if err := key.verify(b, mac); err != nil {
		return Frame{}, err
	}
	return f, nil
}

// Inspect is Parse for those who have no key and only look: nobody vouches for
// the frame. It returns the MAC as well, nil if there is none.
func Inspect(b []byte) (f Frame, mac []byte, err error) {
	size, err := Size(b)
	switch {
	case err != nil:
		return Frame{}, nil, err
	case len(b) < size:
		return Frame{}, nil, fmt.Errorf("%w: %d bytes of %d", ErrShort, len(b), size)
	case len(b) > size:
		return Frame{}, nil, fmt.Errorf("%w: %d bytes behind its %d", ErrLong, len(b)-size, size)
	}
	sealed, name := b[6]&withMAC != 0, int(b[7])
	end := size
	if sealed {
		end -= macSize
	}
	if end < headerSize+name {
		return Frame{}, nil, fmt.Errorf("%w: %d bytes have no room for a name of %d", ErrMalformed, size, name)
	}
	f = Frame{Header: header(b, headerSize+name), Body: b[headerSize+name : end : end]}
	if len(f.Body) == 0 {
		f.Body = nil
	}
	if err := f.check(); err != nil {
		return Frame{}, nil, err
	}
	if sealed {
		mac = b[end:]
	}
	return f, mac, nil
}

// PrefixSize is how many bytes of a frame tell its size.
const PrefixSize = 10

// Size returns the size of the frame that b begins with, which may well be
// more than b has. ErrShort means that b has fewer than PrefixSize bytes, all of
// them right, or that the frame cannot hold a header.
func Size(b []byte) (int, error) {
	for i := range min(len(Magic), len(b)) {
		if b[i] != Magic[i] {
			return 0, fmt.Errorf("%w: it begins with %q and not with %q", ErrForeign, b[:min(len(Magic), len(b))], Magic)
		}
	}
	if len(b) > len(Magic) && b[len(Magic)] != version {
		return 0, fmt.Errorf("%w: %d, and not %d", ErrVersion, b[len(Magic)], version)
	}
	if len(b) < PrefixSize {
		return 0, fmt.Errorf("%w: %d bytes", ErrShort, len(b))
	}
	size := int(b[6]>>1)<<16 | int(binary.BigEndian.Uint16(b[8:])) // at most MaxFrame
	if size < headerSize {
		return 0, fmt.Errorf("%w: %d bytes are less than a header", ErrShort, size)
	}
	return size, nil
}

// CheckDatagram returns ErrLong for the beginning of a frame that is longer than one in a datagram may be.
func CheckDatagram(b []byte) error {
	if size, err := Size(b); err == nil && max(size, len(b)) > MaxDatagram {
		return fmt.Errorf("%w: %d bytes, and a datagram has at most %d", ErrLong, max(size, len(b)), MaxDatagram)
	}
	return nil
}

// header reads the header in b[:end]; there is enough of it.
func header(b []byte, end int) Header {
	return Header{
		Kind:        Kind(b[5]),
		From:        spec.ID(b[10]),
		To:          spec.ID(b[11]),
		Incarnation: binary.BigEndian.Uint32(b[12:]),
		Acked:       binary.BigEndian.Uint32(b[16:]),
		Shape:       binary.BigEndian.Uint64(b[20:]),
		Run:         binary.BigEndian.Uint64(b[28:]),
		Sequence:    binary.BigEndian.Uint64(b[36:]),
		Link:        binary.BigEndian.Uint64(b[44:]),
		Sent:        int64(binary.BigEndian.Uint64(b[52:])),
		Algorithm:   string(b[headerSize:end]),
	}
}

// check returns what is wrong with the values of f.
func (f Frame) check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{ErrMalformed}, args...)...)
	}
	counted := f.Kind == Data || f.Kind == Ack
	switch {
	case f.Kind < Data || f.Kind > Refuse:
		return bad("there is no %v", f.Kind)
	case f.Algorithm == "" || len(f.Algorithm) > MaxName || !utf8.ValidString(f.Algorithm):
		return bad("the name of the algorithm, %q, is not 1 to %d bytes of UTF-8", f.Algorithm, MaxName)
	case f.From < 1 || f.From > spec.MaxID || f.To < 1 || f.To > spec.MaxID:
		return bad("from %d to %d: processes are 1..%d", int(f.From), int(f.To), int(spec.MaxID))
	case counted != (f.Sequence > 0):
		return bad("%v with sequence %d: data and acks count from 1, others are 0", f.Kind, f.Sequence)
	case !counted && f.Link != 0:
		return bad("%v with link %d: only data and acks have a place on a link", f.Kind, f.Link)
	case (f.Kind == Ack || f.Kind == Heartbeat) && len(f.Body) > 0:
		return bad("%v with a body of %d bytes: only data, hellos and refusals have one", f.Kind, len(f.Body))
	case (f.Kind == Hello || f.Kind == Refuse) && !utf8.Valid(f.Body):
		return bad("the text of a %v is not UTF-8: %q", f.Kind, f.Body)
	case len(f.Body) > f.maxBody():
		return bad("a body of %d bytes, at most %d are allowed", len(f.Body), f.maxBody())
	}
	return nil
}

// maxBody is the size of the largest body: only messages may be longer than a datagram.
func (f Frame) maxBody() int {
	if f.Kind == Data {
		return MaxBody
	}
	return MaxDatagramBody
}
