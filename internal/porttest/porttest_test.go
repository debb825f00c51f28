package porttest

import (
	"net"
	"net/netip"
	"os"
	"testing"
)

// TestFree: each address is another, also of so many that the system would give some twice,
// and the first can be had for datagrams and for streams.
func TestFree(t *testing.T) {
	seen := map[string]bool{}
	for _, at := range Free(t, 400) {
		if seen[at] {
			t.Errorf("%s twice", at)
		}
		if a := netip.MustParseAddrPort(at); a.Addr().String() == own(os.Getpid()) && a.Port() >= 28000 {
			t.Errorf("%s may be given to a caller", at)
		}
		if seen[at] = true; len(seen) > 20 {
			continue
		}
		stream, err := net.Listen("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer stream.Close()
		datagrams, err := net.ListenPacket("udp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer datagrams.Close()
	}
}

// TestOwn: two programs have two hosts.
func TestOwn(t *testing.T) {
	hosts := map[string]int{}
	for pid := range 1 << 22 { // the most that Linux counts to
		if pid%251 > 0 && pid > 1000 {
			continue
		}
		if other, taken := hosts[own(pid)]; taken {
			t.Fatalf("programs %d and %d share %s", other, pid, own(pid))
		}
		hosts[own(pid)] = pid
	}
}

// TestPort: a port that is taken is not returned.
func TestPort(t *testing.T) {
	port := Port(t)
	c, err := net.ListenPacket("udp", "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if other := Port(t); other == port {
		t.Errorf("%s again", port)
	}
}
