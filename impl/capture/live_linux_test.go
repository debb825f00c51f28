package capture_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"golang.org/x/sys/unix"

	"interleave/impl/capture"
)

// TestLiveFragments: the kernel lets fragments pass, of which only the first has ports.
func TestLiveFragments(t *testing.T) {
	c := connect(t, "udp", "127.0.0.2:0")
	r := live(t, capture.Options{Ports: []uint16{c.to.Port()}})
	frame := liveFrame(t, 0)
	whole := packet(t, frame, ip4(unix.IPPROTO_UDP), udp(9, c.to.Port()))
	header, behind := whole[:20], whole[20:]
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_RAW) // with headers of ours
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(socket)
	binary.BigEndian.PutUint16(header[4:], 0x7e57)
	for at := 0; at < len(behind); at += 24 {
		part, split := behind[at:min(at+24, len(behind))], uint16(at/8)
		if at+24 < len(behind) {
			split |= 0x2000
		}
		binary.BigEndian.PutUint16(header[6:], split)
		if err := unix.Sendto(socket, append(bytes.Clone(header), part...), 0, &unix.SockaddrInet4{Addr: c.to.Addr().As4()}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.arrive(len(frame)); err != nil {
		t.Fatal(err)
	}
	if got, _, _ := readAll(r); len(got) != 1 || got[0].Err != nil || !bytes.Equal(got[0].Bytes, frame) || got[0].To != c.to {
		t.Errorf("%+v", got)
	}
}
