package certificate

import "interleave/model"

// Format and Version head every certificate.
const (
	Format  = "interleave certificate"
	Version = 1
)

// Header says what a certificate is about, and how much follows.
type Header struct {
	Format     string         `json:"format"`
	Version    int            `json:"version"`
	Algorithm  string         `json:"algorithm"`
	Config     model.Config   `json:"config"`
	Properties []string       `json:"properties"`     // the names of the properties that are claimed to hold
	Runs       []*model.Trace `json:"runs,omitempty"` // to the goals of covers
	Parts      []int          `json:"parts"`          // how many different parts there are, by place
	States     int            `json:"states"`
}

// book numbers the parts of states. A state has a part in each of 2N+1 places:
// the local state of process 1, its inbox, the same of process 2 and so on, and
// the environment. A row is the numbers of the parts of one state, packed.
type book struct {
	values  [][]any       // by place and number
	numbers []map[any]int // by place: the number of a part, by its key
	lists   map[list]int  // keys of inboxes, from 1
	wide    int           // bytes of a number in a row, the highest first
}

// list is the key of an inbox: the key of the inbox without the last message, and that message.
type list struct {
	before int
	last   model.Envelope
}

func newBook(n int) *book {
	b := &book{values: make([][]any, 2*n+1), numbers: make([]map[any]int, 2*n+1), lists: map[list]int{}}
	for i := range b.numbers {
		b.numbers[i] = map[any]int{}
	}
	return b
}

// partAt returns the part of a state at a place.
func partAt(s model.State, place int) any {
	switch {
	case place == 2*len(s.Locals):
		return s.Env
	case place%2 == 0:
		return s.Locals[place/2]
	}
	return s.Inboxes[place/2]
}

// key returns a key that is equal for equal parts only. Without learn it is nil for an inbox that
// was not learned.
func (b *book) key(part any, learn bool) any {
	in, ok := part.(model.Inbox)
	if !ok {
		return part
	}
	key := 0
	for _, e := range in {
		longer := list{key, e}
		if key = b.lists[longer]; key == 0 && !learn {
			return nil
		} else if key == 0 {
			key = len(b.lists) + 1
			b.lists[longer] = key
		}
	}
	return key
}

// learn numbers a part, unless it has a number at this place already.
func (b *book) learn(place int, part any) (isNew bool) {
	key := b.key(part, true)
	if _, known := b.numbers[place][key]; known {
		return false
	}
	b.numbers[place][key] = len(b.values[place])
	b.values[place] = append(b.values[place], part)
	return true
}

// measure makes numbers as wide as the largest count of parts requires.
func (b *book) measure(counts []int) {
	b.wide = 1
	for _, n := range counts {
		for n > 1<<(8*b.wide) {
			b.wide++
		}
	}
}

// width is the number of bytes in a row.
func (b *book) width() int { return b.wide * len(b.values) }

// pack appends the row of a state; false if it has a part without a number.
func (b *book) pack(row []byte, s model.State) ([]byte, bool) {
	for place, numbers := range b.numbers {
		n, known := numbers[b.key(partAt(s, place), false)]
		if !known {
			return row, false
		}
		for i := b.wide - 1; i >= 0; i-- {
			row = append(row, byte(n>>(8*i)))
		}
	}
	return row, true
}

// numberAt returns the number at a place in a row.
func (b *book) numberAt(row []byte, place int) (n int) {
	for _, digit := range row[place*b.wide:][:b.wide] {
		n = n<<8 | int(digit)
	}
	return n
}
