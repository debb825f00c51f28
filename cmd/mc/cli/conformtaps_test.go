package cli

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// ngBlock returns a block of a pcapng file.
func ngBlock(kind uint32, body ...[]byte) []byte {
	b := slices.Concat(body...)
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(b)+12))
	return slices.Concat(binary.LittleEndian.AppendUint32(nil, kind), size, b, size)
}

// TestConformForeignInterface: packets of an interface that cannot be read are counted and passed over.
// Where such packets are all that there is, the file is refused.
func TestConformForeignInterface(t *testing.T) {
	t.Chdir(t.TempDir())
	section := ngBlock(0x0a0d0d0a, []byte{0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0}, slices.Repeat([]byte{0xff}, 8))
	wireless := slices.Concat(section, ngBlock(1, []byte{105, 0, 0, 0, 0, 0, 0, 0}), ngBlock(6, make([]byte, 12), []byte{4, 0, 0, 0, 4, 0, 0, 0}, []byte("wifi")))
	put(t, "both.pcapng", string(append(wireless, pcapng(t, episode, nil)...)))
	put(t, "wireless.pcapng", string(wireless))
	const told = "passed over: 1 packet of interfaces whose link type cannot be read"
	got := mc(t.Context(), "conform both.pcapng")
	if got.expect(t, 0, told); !strings.Contains(got.out, "CONFORMS") {
		t.Error(got.out)
	}
	mc(t.Context(), "conform wireless.pcapng").expect(t, 2, "a link type that cannot be read: 105")
}
