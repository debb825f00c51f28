package wire

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
)

// Key is a secret that all processes of a cluster share. With one, every frame
// ends in a MAC: the first 16 bytes of the HMAC-SHA256 of all bytes before it.
// nil: no MAC. It vouches for who may speak, not that a frame is new.
type Key []byte

const macSize = 16

// MinKey is the length of the shortest key in bytes.
const MinKey = 16

// NewKey returns a key, or why b is none. White space around it, such as the
// end of a line in a file, does not count.
func NewKey(b []byte) (Key, error) {
	b = bytes.TrimSpace(b)
	if len(b) < MinKey {
		return nil, fmt.Errorf("wire: a key of %d bytes can be guessed: give it %d or more", len(b), MinKey)
	}
	return bytes.Clone(b), nil
}

func (k Key) mac(b []byte) []byte {
	h := hmac.New(sha256.New, k)
	h.Write(b)
	return h.Sum(nil)[:macSize]
}

// verify checks the MAC at the end of frame b, nil if it has none.
func (k Key) verify(b, mac []byte) error {
	switch {
	case k == nil && mac == nil:
		return nil
	case k == nil:
		return fmt.Errorf("%w: it has a MAC, and no key is configured here to check it", ErrMAC)
	case mac == nil:
		return fmt.Errorf("%w: it has no MAC, and a key is configured here", ErrMAC)
	case !hmac.Equal(mac, k.mac(b[:len(b)-macSize])):
		return fmt.Errorf("%w: its MAC is wrong: the key differs, or somebody altered it", ErrMAC)
	}
	return nil
}
