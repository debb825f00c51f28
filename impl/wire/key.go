package wire

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
)

// Key is a secret that all processes of a cluster share. With one, every frame
// ends in a MAC: the first 16 bytes of the HMAC-SHA256 of all bytes before it.
// nil: no MAC. It vouches for who may speak, not that a frame is new.
type Key []byte

const macSize = 16

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
