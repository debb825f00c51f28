package spec

import (
	"encoding/json"
	"fmt"
	"iter"
	"math/bits"
	"strconv"
	"strings"

	"interleave/internal/cell"
)

// ID names a process and is its priority as well: processes are 1..N.
type ID int

// None is no process: "no leader known".
const None ID = 0

// MaxID is the largest ID that a Set can hold.
const MaxID ID = 64

func (id ID) String() string {
	if id == None {
		return "none"
	}
	return strconv.Itoa(int(id))
}

// Set is a set of process IDs from 1 to MaxID. The zero value is the empty set.
// It is a plain value: == compares contents.
type Set uint64

func init() { cell.Keeps[Set]() }

// SetOf returns the set of the given IDs.
func SetOf(ids ...ID) Set {
	var s Set
	for _, id := range ids {
		s = s.With(id)
	}
	return s
}

// UpTo returns {1..n}.
func UpTo(n int) Set {
	if n >= int(MaxID) {
		return ^Set(0)
	}
	return 1<<n - 1
}

func bit(id ID) Set {
	if id < 1 || id > MaxID {
		panic(fmt.Sprintf("spec: process ID %d is not in 1..%d", int(id), int(MaxID)))
	}
	return 1 << (id - 1)
}

// With returns s with id added.
func (s Set) With(id ID) Set { return s | bit(id) }

// Without returns s with id removed.
func (s Set) Without(id ID) Set { return s &^ bit(id) }

// Has reports whether id is in s. None is in no set, nor is what is no process.
func (s Set) Has(id ID) bool { return id >= 1 && id <= MaxID && s&bit(id) != 0 }

// Above returns the members of s that are greater than id.
func (s Set) Above(id ID) Set { return s &^ UpTo(int(id)) }

// Below returns the members of s that are less than id.
func (s Set) Below(id ID) Set { return s & UpTo(int(id)-1) }

// Len returns the number of members.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// Max returns the largest member, None if s is empty.
func (s Set) Max() ID { return ID(bits.Len64(uint64(s))) }

// Min returns the smallest member, None if s is empty.
func (s Set) Min() ID {
	if s == 0 {
		return None
	}
	return ID(bits.TrailingZeros64(uint64(s)) + 1)
}

// All yields the members in ascending order.
func (s Set) All() iter.Seq[ID] {
	return func(yield func(ID) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(ID(bits.TrailingZeros64(uint64(s)) + 1)) {
				return
			}
		}
	}
}

func (s Set) ids() []ID {
	ids := make([]ID, 0, s.Len())
	for id := range s.All() {
		ids = append(ids, id)
	}
	return ids
}

// String returns the members in ascending order, as in "{1 3}".
func (s Set) String() string {
	return "{" + strings.Trim(fmt.Sprint(s.ids()), "[]") + "}"
}

// MarshalJSON writes the members as a list in ascending order.
func (s Set) MarshalJSON() ([]byte, error) { return json.Marshal(s.ids()) }

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Set) UnmarshalJSON(data []byte) error {
	var ids []ID
	if err := json.Unmarshal(data, &ids); err != nil {
		return err
	}
	for _, id := range ids {
		if id < 1 || id > MaxID {
			return fmt.Errorf("process ID %d is not in 1..%d", int(id), int(MaxID))
		}
	}
	*s = SetOf(ids...)
	return nil
}
