package object

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

	"github.com/klauspost/compress/zstd"
)

// store keeps texts by their digests, compressed. The first is what the others are compressed against, as they are much alike.
type store struct {
	texts map[string][]byte
	pack  *zstd.Encoder
	read  *zstd.Decoder
}

func newStore() store { return store{texts: map[string][]byte{}} }

// digestBytes is how many bytes of a hash stand for a text.
const digestBytes = 16

// dictionary is the number by which the frames name the first text.
const dictionary = 1

// add returns the digest of a text, and how many bytes it takes if it is new.
func (s *store) add(text []byte) (digest string, fresh int) {
	digest = digestOf(text)
	if old, known := s.texts[digest]; known {
		if !bytes.Equal(s.unpack(old), text) {
			panic("object: two texts have the digest " + digest)
		}
		return digest, 0
	}
	if s.pack == nil {
		s.pack, _ = zstd.NewWriter(nil, zstd.WithEncoderDictRaw(dictionary, text), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
		s.read, _ = zstd.NewReader(nil, zstd.WithDecoderDictRaw(dictionary, bytes.Clone(text)), zstd.WithDecoderConcurrency(1))
	}
	packed := bytes.Clone(s.pack.EncodeAll(text, nil))
	s.texts[digest] = packed
	return digest, len(packed) + len(digest) + 64
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:digestBytes])
}

// get returns the text with a digest; nil if there is none.
func (s *store) get(digest string) []byte {
	packed, known := s.texts[digest]
	if !known {
		return nil
	}
	return s.unpack(packed)
}

func (s *store) unpack(packed []byte) []byte {
	text, err := s.read.DecodeAll(packed, nil)
	if err != nil {
		panic("object: a text cannot be unpacked: " + err.Error())
	}
	return text
}
