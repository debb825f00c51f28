package gpbft

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/filecoin-project/go-f3/gpbft"
)

// View is what properties and traces show.
type View struct {
	Round   uint64
	Phase   string
	Decided string // empty: not yet
	Fault   string // an error that the core reported of itself
}

// String returns it as in "PREPARE 0".
func (v View) String() string {
	text := fmt.Sprintf("%s %d", v.Phase, v.Round)
	if v.Decided != "" {
		text = "decided " + v.Decided
	}
	if v.Fault != "" {
		text += ", fault: " + v.Fault
	}
	return text
}

// Msg is a message as it is on the wire.
type Msg struct{ Wire []byte }

func (m Msg) open() *gpbft.GMessage {
	var msg gpbft.GMessage
	check(msg.UnmarshalCBOR(bytes.NewReader(m.Wire)))
	return &msg
}

// String returns it as in "COMMIT(0, GA), as PREPARE(0, GA) of {0 1}".
func (m Msg) String() string {
	msg := m.open()
	text := vote(msg.Vote)
	if why := msg.Justification; why != nil {
		signers, err := why.Signers.All(100)
		check(err)
		text += fmt.Sprintf(", as %s of %v", vote(why.Vote), signers)
	}
	return text
}

func vote(v gpbft.Payload) string { return fmt.Sprintf("%v(%d, %s)", v.Phase, v.Round, name(v.Value)) }

// name is that of a chain: the letters of its tip sets.
func name(c *gpbft.ECChain) string {
	if c.IsZero() {
		return "none"
	}
	var letters strings.Builder
	for _, t := range c.TipSets {
		letters.Write(t.Key)
	}
	return letters.String()
}
