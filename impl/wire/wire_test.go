package wire_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"interleave/impl/wire"
	"interleave/impl/wire/wiretest"
)

var key = wire.Key("a secret of thirty-two bytes ...")

// frames returns one frame of each kind.
func frames() []wire.Frame {
	h := wire.Header{Algorithm: "bully/mended", Shape: 0x1352719838a6477e, Run: 99, From: 2, To: 64, Incarnation: 3, Acked: 4, Sent: 1_700_000_000_000_000_001}
	var all []wire.Frame
	for _, kind := range wire.Kinds {
		f := wire.Frame{Header: h}
		f.Kind = kind
		switch kind {
		case wire.Data:
			f.Sequence, f.Link, f.Body = 7, 5, []byte{2}
		case wire.Ack:
			f.Sequence, f.Link = 8, 6
		case wire.Hello:
			f.Body = []byte("ring 1,2; delta 50ms; datagrams false")
		case wire.Refuse:
			f.Body = []byte("another algorithm")
		}
		all = append(all, f)
	}
	return all
}

func TestFrames(t *testing.T) {
	for _, k := range []wire.Key{nil, key} {
		var stream bytes.Buffer
		for _, f := range frames() {
			b, err := f.Append([]byte("before"), k)
			if err != nil {
				t.Fatal(err)
			}
			b = b[len("before"):]
			got, err := wire.Parse(b, k)
			if err != nil || !reflect.DeepEqual(got, f) {
				t.Errorf("%+v: %v; want %+v", got, err, f)
			}
			stream.Write(b)
		}
		r := bufio.NewReader(&stream)
		for _, f := range frames() {
			if got, err := wire.ReadFrame(r, k); err != nil || !reflect.DeepEqual(got, f) {
				t.Errorf("%+v: %v; want %+v", got, err, f)
			}
		}
		if _, err := wire.ReadFrame(r, k); err != io.EOF {
			t.Errorf("at the end: %v", err)
		}
	}
}

// TestLargest fills frames to the brim, of a datagram and of a stream, and to where another bit of the length is used.
func TestLargest(t *testing.T) {
	const besides = wire.MaxFrame - wire.MaxBody
	for _, size := range []int{wire.MaxDatagram, wire.MaxDatagram + 1, 1<<16 - 1, 1 << 16, 1 << 22, wire.MaxFrame} {
		f := frames()[0]
		f.Algorithm, f.Body, f.Acked = strings.Repeat("a", wire.MaxName), make([]byte, size-besides), 1<<32-1
		b := wiretest.Encode(t, f, key)
		if got, err := wire.Parse(b, key); len(b) != size || err != nil || !reflect.DeepEqual(got, f) {
			t.Errorf("%d bytes, and not %d: %v", len(b), size, err)
		}
		if got, err := wire.ReadFrame(bufio.NewReaderSize(bytes.NewReader(b), 16), key); err != nil || !reflect.DeepEqual(got, f) {
			t.Errorf("from a stream: %v", err)
		}
		if err := wire.CheckDatagram(b); errors.Is(err, wire.ErrLong) != (size > wire.MaxDatagram) {
			t.Errorf("as a datagram: %v", err)
		}
		if err := wire.CheckDatagram(b[:100]); errors.Is(err, wire.ErrLong) != (size > wire.MaxDatagram) {
			t.Errorf("as the beginning of a datagram: %v", err)
		}
	}
}

// TestRefusedFrames gives one nonsense after the other to Append; the bytes it
// would have written go to Parse.
func TestRefusedFrames(t *testing.T) {
	for want, spoil := range map[string]func(f *wire.Frame, b []byte){
		"there is no kind 0":            func(f *wire.Frame, b []byte) { f.Kind, b[5] = 0, 0 },
		"there is no kind 6":            func(f *wire.Frame, b []byte) { f.Kind, b[5] = 6, 6 },
		`the name of the algorithm, ""`: func(f *wire.Frame, b []byte) { f.Algorithm, b[7] = "", 0 },
		`"\xffully/mended", is not 1`:   func(f *wire.Frame, b []byte) { f.Algorithm, b[60] = "\xffully/mended", 0xff },
		"from 0 to 64":                  func(f *wire.Frame, b []byte) { f.From, b[10] = 0, 0 },
		"from 65 to 64":                 func(f *wire.Frame, b []byte) { f.From, b[10] = 65, 65 },
		"from 2 to 0":                   func(f *wire.Frame, b []byte) { f.To, b[11] = 0, 0 },
		"from 2 to 255":                 func(f *wire.Frame, b []byte) { f.To, b[11] = 255, 255 },
		"data with sequence 0":          func(f *wire.Frame, b []byte) { f.Sequence, b[43] = 0, 0 },
		"hello with sequence 7":         func(f *wire.Frame, b []byte) { f.Kind, b[5] = wire.Hello, 4 },
		`of a hello is not UTF-8`: func(f *wire.Frame, b []byte) {
			refuseWithBody(f, b)
			f.Kind, b[5], f.Body[0], b[72] = wire.Hello, 4, 0xff, 0xff
		},
		"hello with link 5":             func(f *wire.Frame, b []byte) { f.Kind, b[5], f.Sequence, b[43] = wire.Hello, 4, 0, 0 },
		"ack with a body of 1 bytes":    func(f *wire.Frame, b []byte) { f.Kind, b[5] = wire.Ack, 2 },
		`is not UTF-8: "\xff"`:          func(f *wire.Frame, b []byte) { refuseWithBody(f, b); f.Body[0], b[72] = 0xff, 0xff },
		"no room for a name of 200":     func(f *wire.Frame, b []byte) { f.Algorithm, b[7] = strings.Repeat("a", 200), 200 },
		"a body of 1128 bytes, at most": nil,
	} {
		f := frames()[0]
		f.Body = bytes.Clone(f.Body)
		b := wiretest.Encode(t, f, nil)
		if spoil != nil {
			spoil(&f, b)
		} else {
			refuseWithBody(&f, b)
			f.Body = make([]byte, 1128)
			b = append(b[:72], f.Body...)
			binary.BigEndian.PutUint16(b[8:], uint16(len(b)))
		}
		if got, err := f.Append([]byte("before"), nil); !errors.Is(err, wire.ErrMalformed) || string(got) != "before" {
			t.Errorf("%s: appended %q: %v", want, got, err)
		}
		if _, err := wire.Parse(b, nil); !errors.Is(err, wire.ErrMalformed) || !strings.Contains(err.Error(), want) {
			t.Errorf("parsed: %v; want %q", err, want)
		}
	}
}

// refuseWithBody makes a refusal of a data frame.
func refuseWithBody(f *wire.Frame, b []byte) {
	f.Kind, b[5], f.Sequence, b[43], f.Link, b[51] = wire.Refuse, 5, 0, 0, 0, 0
}

// TestBroken cuts and spoils the bytes of a frame, as a datagram and as a
// stream.
func TestBroken(t *testing.T) {
	b := wiretest.Encode(t, frames()[0], nil)
	for _, c := range []struct {
		bytes  []byte
		parsed error
		read   error
	}{
		{nil, wire.ErrShort, io.EOF},
		{b[:1], wire.ErrShort, wire.ErrShort},
		{b[:9], wire.ErrShort, wire.ErrShort},
		{b[:10], wire.ErrShort, wire.ErrShort},
		{b[:len(b)-1], wire.ErrShort, wire.ErrShort},
		{append(bytes.Clone(b), 'x'), wire.ErrLong, nil},
		{[]byte("GET / HTTP/1.1\r\n"), wire.ErrForeign, wire.ErrForeign},
		{[]byte("IG"), wire.ErrForeign, wire.ErrForeign},
		{with(b, 4, 2), wire.ErrVersion, wire.ErrVersion},
		{with(b, 4, 2)[:5], wire.ErrVersion, wire.ErrVersion},
		{with(b, 8, 0xff), wire.ErrShort, wire.ErrShort},
		{with(b, 6, 0xfe), wire.ErrShort, wire.ErrShort},
		{with(b, 9, 59), wire.ErrShort, wire.ErrShort},
		{with(b, 9, 0), wire.ErrShort, wire.ErrShort},
		{with(b, 6, 1), wire.ErrMalformed, wire.ErrMalformed}, // the MAC would begin within the name
		{with(b, 7, 14), wire.ErrMalformed, wire.ErrMalformed},
	} {
		if _, err := wire.Parse(c.bytes, nil); !errors.Is(err, c.parsed) || wire.Label(err) == "other" {
			t.Errorf("%q parsed: %v; want %v", c.bytes, err, c.parsed)
		}
		if _, err := wire.ReadFrame(bufio.NewReader(bytes.NewReader(c.bytes)), nil); !errors.Is(err, c.read) {
			t.Errorf("%q read: %v; want %v", c.bytes, err, c.read)
		}
	}
}

// with returns b with another byte in it.
func with(b []byte, at int, c byte) []byte {
	b = bytes.Clone(b)
	b[at] = c
	return b
}

// TestInStep wants a stream to go on behind a frame that is refused.
func TestInStep(t *testing.T) {
	good := wiretest.Encode(t, frames()[0], key)
	stream := append(with(good, 70, 'x'), with(wiretest.Encode(t, frames()[0], key), 5, 9)...)
	r := bufio.NewReader(bytes.NewReader(append(stream, good...)))
	for _, want := range []error{wire.ErrMAC, wire.ErrMalformed, nil, io.EOF} {
		if _, err := wire.ReadFrame(r, key); !errors.Is(err, want) {
			t.Errorf("%v; want %v", err, want)
		}
	}
}

// TestReaderFails passes on what is wrong with a stream itself.
func TestReaderFails(t *testing.T) {
	reset := errors.New("connection reset")
	for _, n := range []int{0, 5, 20} {
		b := wiretest.Encode(t, frames()[0], nil)[:n]
		r := bufio.NewReader(io.MultiReader(bytes.NewReader(b), failing{reset}))
		if _, err := wire.ReadRaw(r); !errors.Is(err, reset) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestMAC alters each byte, strips the MAC and tries other keys.
func TestMAC(t *testing.T) {
	f := frames()[0]
	plain, sealed := wiretest.Encode(t, f, nil), wiretest.Encode(t, f, key)
	for i := range sealed {
		for bit := range 8 {
			if got, err := wire.Parse(with(sealed, i, sealed[i]^1<<bit), key); err == nil || wire.Label(err) == "other" {
				t.Errorf("byte %d altered: %+v, %v", i, got, err)
			}
		}
	}
	stripped := with(with(sealed[:len(sealed)-16], 6, 0), 9, byte(len(sealed)-16))
	other := append(wire.Key("x"), key[1:]...)
	for what, c := range map[string]struct {
		bytes []byte
		key   wire.Key
	}{
		"no MAC":      {plain, key},
		"stripped":    {stripped, key},
		"no key":      {sealed, nil},
		"another key": {sealed, other},
		"shorter key": {sealed, key[:31]},
		"empty key":   {wiretest.Encode(t, f, wire.Key{}), nil},
	} {
		if _, err := wire.Parse(c.bytes, c.key); !errors.Is(err, wire.ErrMAC) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := wire.Parse(plain, key); err == nil || !strings.Contains(err.Error(), "it has no MAC") {
		t.Error(err)
	}
	if !bytes.Equal(stripped, plain) {
		t.Error("a frame without its MAC is another")
	}
	f, err := wire.Parse(sealed, key)
	if err != nil {
		t.Fatal(err)
	}
	if got, mac, err := wire.Inspect(sealed); err != nil || !reflect.DeepEqual(got, f) || len(mac) != 16 {
		t.Errorf("inspected: %+v, %x, %v", got, mac, err)
	}
	if body := append(f.Body, 'x'); len(body) != 2 || !bytes.Equal(sealed, wiretest.Encode(t, f, key)) {
		t.Error("who appends to the body writes over the MAC")
	}
	if _, mac, err := wire.Inspect(plain); err != nil || mac != nil {
		t.Errorf("inspected: %x, %v", mac, err)
	}
}

func TestNewKey(t *testing.T) {
	if k, err := wire.NewKey([]byte(" 0123456789abcdef\n")); err != nil || string(k) != "0123456789abcdef" {
		t.Errorf("%q, %v", k, err)
	}
	if k, err := wire.NewKey([]byte("0123456789abcde\n")); err == nil || k != nil {
		t.Errorf("%q, %v", k, err)
	}
}

func TestLabels(t *testing.T) {
	if got := wire.Label(io.EOF); got != "other" {
		t.Errorf("%s", got)
	}
	if got := wire.Label(wire.ErrMessage); got != "message" {
		t.Errorf("%s", got)
	}
}
