package runlog

import (
	"encoding/json"
	"strings"
	"time"

	"interleave/spec"
)

// scanner parses lines of a log that are written as this package writes them: without spaces,
// with keys in order and plain strings. It leaves all other lines, and rare fields, to
// encoding/json, which is much slower (BenchmarkReadLog). From every line that the scanner takes,
// encoding/json would read the same, and would write the same line again (TestScan, FuzzReadLog).
type scanner struct {
	line   []byte
	text   string // the same line as a string, of which the strings of the record are parts
	at     int
	failed bool   // the scanner cannot read the line
	room   []byte // memory for what records keep of many lines
}

// scan reads a line; false if the scanner cannot.
func (s *scanner) scan(line []byte) (*Record, bool) {
	s.line, s.text, s.at, s.failed = line, string(line), 0, false
	r := s.record()
	return r, !s.failed && s.at == len(line)
}

func (s *scanner) record() *Record {
	all := &struct {
		Record
		Input
		Letter
		leader spec.ID
	}{} // in one piece, as most lines have all of them
	r := &all.Record
	s.want(`{"line":`)
	r.Line = s.plain()
	s.want(`,"process":`)
	r.Process = s.id()
	s.want(`,"incarnation":`)
	r.Incarnation = s.short()
	s.want(`,"number":`)
	r.Number = s.number()
	s.want(`,"time":`)
	r.Time = s.time()
	if s.has(`,"step":`) {
		r.Step = some(s, s.number())
	}
	if s.has(`,"input":`) {
		r.Input = &all.Input
		s.input(r.Input, &all.Letter)
	}
	if s.has(`,"sends":`) {
		r.Sends = list(s, s.sent)
	}
	if s.has(`,"told":`) {
		r.Outputs = list(s, s.raw)
	}
	if s.has(`,"armed":`) {
		r.Armed = list(s, s.plain)
	}
	if s.has(`,"stopped":`) {
		r.Stopped = list(s, s.plain)
	}
	if s.has(`,"leader":`) {
		all.leader = s.id()
		r.Leader = &all.leader
	}
	if s.has(`,"state":`) {
		r.State = s.raw()
	}
	if s.has(`,"before":`) {
		r.Before = some(s, s.plain())
	}
	if s.has(`,"after":`) {
		r.After = some(s, s.plain())
	}
	s.want(`,"chain":`)
	r.Chain = some(s, s.plain())
	s.want("}")
	return r
}

func (s *scanner) input(in *Input, received *Letter) {
	s.want(`{"event":`)
	in.Event = s.plain()
	if s.has(`,"memory":`) {
		in.Memory = s.raw()
	}
	if s.has(`,"initiator":`) {
		s.want("true")
		in.Initiator = true
	}
	if s.has(`,"value":`) {
		in.Value = s.raw()
	}
	if s.has(`,"choices":`) {
		in.Choices = list(s, s.choice)
	}
	if s.has(`,"timer":`) {
		in.Timer = some(s, s.plain())
	}
	if s.has(`,"peer":`) {
		in.Peer = some(s, s.id())
	}
	if s.has(`,"live":`) {
		in.Live = new(s.set())
	}
	if s.has(`,"received":`) {
		*received = s.letter()
		in.Received = received
	}
	if s.has(`,"round":`) {
		in.Round = int64(some(s, s.number()))
	}
	if s.has(`,"inbox":`) {
		in.Inbox = list(s, s.letter)
	}
	if s.has(`,"delay":`) {
		in.Delay = some(s, s.plain())
	}
	s.want("}")
}

func (s *scanner) choice() int {
	n := s.number()
	s.failed = s.failed || n > spec.MaxChoice
	return int(n)
}

func (s *scanner) letter() (l Letter) {
	s.want(`{"from":`)
	l.From = s.id()
	s.want(`,"incarnation":`)
	l.Incarnation = s.short()
	s.want(`,"sequence":`)
	l.Sequence = s.number()
	s.want(`,"kind":`)
	l.Kind = s.plain()
	s.want(`,"message":`)
	l.Message = s.raw()
	s.want("}")
	return l
}

func (s *scanner) sent() (m Sent) {
	s.want(`{"to":`)
	m.To = s.id()
	if s.has(`,"next":`) {
		s.want("true")
		m.Next = true
	}
	s.want(`,"sequence":`)
	m.Sequence = s.number()
	s.want(`,"kind":`)
	m.Kind = s.plain()
	s.want(`,"message":`)
	m.Message = s.raw()
	s.want("}")
	return m
}

// list reads a list that is not empty.
func list[T any](s *scanner, element func() T) (all []T) {
	s.want("[")
	for {
		all = append(all, element())
		if s.failed || !s.has(",") {
			break
		}
	}
	s.want("]")
	return all
}

// some gives up on a line with a key whose value is empty: such a key would be left
// out.
func some[T comparable](s *scanner, value T) T {
	var none T
	s.failed = s.failed || value == none
	return value
}

func (s *scanner) has(next string) bool {
	if !strings.HasPrefix(s.text[s.at:], next) {
		return false
	}
	s.at += len(next)
	return true
}

func (s *scanner) want(next string) { s.failed = !s.has(next) || s.failed }

// next returns the next byte, 0 at the end of the line.
func (s *scanner) next() byte {
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

// plain reads a string of printable ASCII without escapes.
func (s *scanner) plain() string {
	s.want(`"`)
	begin := s.at
	for c := s.next(); c >= ' ' && c < 0x7f && c != '"' && c != '\\'; c = s.next() {
		s.at++
	}
	text := s.text[begin:s.at]
	s.want(`"`)
	return text
}

// number reads a number of at most 18 digits.
func (s *scanner) number() (n uint64) {
	begin := s.at
	for c := s.next(); c >= '0' && c <= '9' && s.at < begin+19; c = s.next() {
		n = 10*n + uint64(c-'0')
		s.at++
	}
	digits := s.at - begin
	s.failed = s.failed || digits == 0 || digits > 18 || digits > 1 && s.text[begin] == '0'
	return n
}

func (s *scanner) short() uint32 {
	n := s.number()
	s.failed = s.failed || n > 1<<32-1
	return uint32(n)
}

func (s *scanner) id() spec.ID {
	n := s.number()
	s.failed = s.failed || n > 1<<31-1
	return spec.ID(n)
}

// set reads processes in ascending order.
func (s *scanner) set() (all spec.Set) {
	for _, id := range list(s, s.id) {
		if id <= all.Max() || id > spec.MaxID {
			s.failed = true
			break
		}
		all = all.With(id)
	}
	return all
}

func (s *scanner) time() (t time.Time) {
	begin := s.at
	s.plain()
	s.failed = s.failed || t.UnmarshalJSON(s.line[begin:s.at]) != nil
	return t
}

// raw returns a value as it is written.
func (s *scanner) raw() json.RawMessage {
	begin := s.at
	s.failed = s.failed || s.next() == 'n'
	s.value(0)
	return s.keep(s.line[begin:s.at])
}

// keep copies a part of the line, for raw values.
func (s *scanner) keep(part []byte) json.RawMessage {
	const enough = 4096
	if len(part) > cap(s.room)-len(s.room) {
		s.room = make([]byte, 0, max(enough, len(part)))
	}
	n := len(s.room)
	s.room = append(s.room, part...)
	return s.room[n:len(s.room):len(s.room)]
}

// maxDepth bounds how deeply values are nested here.
const maxDepth = 16

// value skips a value without spaces whose numbers are whole.
func (s *scanner) value(depth int) {
	switch c := s.next(); {
	case depth > maxDepth || s.failed:
		s.failed = true
	case c == '"':
		s.plain()
	case c == '{':
		s.elements("}", func() { s.plain(); s.want(":"); s.value(depth + 1) })
	case c == '[':
		s.elements("]", func() { s.value(depth + 1) })
	case c == '-' || c >= '0' && c <= '9':
		s.has("-")
		s.number()
	default:
		s.failed = !s.has("true") && !s.has("false") && !s.has("null")
	}
}

// elements skips everything up to the closing bracket.
func (s *scanner) elements(end string, element func()) {
	s.at++
	if s.has(end) {
		return
	}
	element()
	for !s.failed && s.has(",") {
		element()
	}
	s.want(end)
}
