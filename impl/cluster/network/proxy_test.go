package network

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"interleave/impl/wire"
	"interleave/spec"
)

// seen is a tap that counts.
type seen struct {
	mu                      sync.Mutex
	sentN, deliveredN, ends int
}

func (s *seen) Sent(time.Time, Link, bool, []byte) { s.mu.Lock(); s.sentN++; s.mu.Unlock() }
func (s *seen) Delivered(time.Time, Link, bool, []byte) {
	s.mu.Lock()
	s.deliveredN++
	s.mu.Unlock()
}
func (s *seen) Ended(time.Time, Link) { s.mu.Lock(); s.ends++; s.mu.Unlock() }

// between three processes there is a proxy with faults, for datagrams or
// streams.
func testProxy(t *testing.T, f Faults, stream bool) (*Proxy, *seen) {
	t.Helper()
	a := claimed(t)
	taps := &seen{}
	n, _ := loggedNetwork(t, 7, f)
	p := NewProxy(a, n, taps)
	p.stall = time.Millisecond
	carry := func(n int) error { return p.CarryDatagrams(n, time.Minute) }
	if stream {
		carry = p.CarryStreams
	}
	if err := carry(3); err != nil {
		p.Close()
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p, taps
}

func udpAt(t *testing.T, a Addresses, id spec.ID) *net.UDPConn {
	t.Helper()
	s, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(a.Of(id)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.SetReadDeadline(time.Now().Add(20 * time.Second))
	return s
}

// TestDatagrams compares what arrives with what the plan says, frame by frame:
// which are lost, which come twice, and which have been overtaken.
func TestDatagrams(t *testing.T) {
	f := Faults{Loss: 300_000, Duplicate: 200_000, Reorder: 200_000}
	p, taps := testProxy(t, f, false)
	from, to := udpAt(t, p.addresses, 1), udpAt(t, p.addresses, 2)
	const n = 240 // as many as a buffer of the system holds, if nobody reads for a while
	var want, held []string
	for i := range n {
		fate := f.Fate(7, 1, 2, uint64(i+1))
		name := fmt.Sprint(i)
		switch {
		case fate.Lost:
			continue
		case fate.Held:
			held = append(held, name)
		default:
			want = append(append(want, name), held...)
			held = nil
		}
		if fate.Copied { // at once, too, but behind those that the frame overtook
			want = append(want, name)
		}
	}
	go func() {
		for i := range n {
			from.WriteToUDPAddrPort([]byte(fmt.Sprint(i)), p.addresses.Known(1, 2))
			if i%20 == 0 {
				time.Sleep(time.Millisecond) // no faster than the buffers of the system
			}
		}
	}()
	var got []string
	buf := make([]byte, 100)
	for len(got) < len(want) {
		size, sender, err := to.ReadFromUDPAddrPort(buf)
		if err != nil {
			t.Fatalf("%v after %d of %d", err, len(got), len(want))
		}
		if sender != p.addresses.Known(2, 1) {
			t.Fatalf("it comes from %v", sender)
		}
		got = append(got, string(buf[:size]))
	}
	sorted := func(all []string) []string { return slices.Sorted(slices.Values(all)) }
	if !slices.Equal(sorted(got), sorted(want)) {
		t.Errorf("other frames arrive:\n%v\n%v", got, want)
	}
	if strays := misplaced(got, want); strays > 0 {
		t.Errorf("%d of %d frames arrive in another place:\n%v\n%v", strays, len(want), got, want)
	}
	counted := func() (sent, delivered int) {
		taps.mu.Lock()
		defer taps.mu.Unlock()
		return taps.sentN, taps.deliveredN
	}
	// The last frames may be among those that are lost: none arrives after them.
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if sent, delivered := counted(); sent >= n && delivered >= len(want) {
			break
		}
	}
	if sent, delivered := counted(); sent != n || delivered < len(want) {
		t.Errorf("the taps saw %d sent and %d delivered, not %d and %d", sent, delivered, n, len(want))
	}
}

// misplaced counts the positions in which two lists differ.
func misplaced(a, b []string) (n int) {
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// TestStrangersAreNotCarried: what does not come from the process itself is not
// passed on.
func TestStrangersAreNotCarried(t *testing.T) {
	p, taps := testProxy(t, Faults{}, false)
	stranger, from, to := udpAt(t, p.addresses, 3), udpAt(t, p.addresses, 1), udpAt(t, p.addresses, 2)
	stranger.WriteToUDPAddrPort([]byte("stranger"), p.addresses.Known(1, 2))
	from.WriteToUDPAddrPort([]byte("friend"), p.addresses.Known(1, 2))
	buf := make([]byte, 100)
	size, _, err := to.ReadFromUDPAddrPort(buf)
	if err != nil || string(buf[:size]) != "friend" {
		t.Errorf("%s %v", buf[:size], err)
	}
	taps.mu.Lock()
	defer taps.mu.Unlock()
	if taps.sentN != 1 {
		t.Errorf("the tap saw %d frames", taps.sentN)
	}
}

// TestDatagramDelays: frames take at least as long as they should.
func TestDatagramDelays(t *testing.T) {
	p, _ := testProxy(t, Faults{Delay: Span{30 * time.Millisecond, 40 * time.Millisecond}}, false)
	from, to := udpAt(t, p.addresses, 1), udpAt(t, p.addresses, 2)
	began := time.Now()
	from.WriteToUDPAddrPort([]byte("x"), p.addresses.Known(1, 2))
	if _, _, err := to.ReadFromUDPAddrPort(make([]byte, 10)); err != nil || time.Since(began) < 30*time.Millisecond {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

// TestDatagramCuts: a one-way cut lets the other way through, and heals.
func TestDatagramCuts(t *testing.T) {
	p, _ := testProxy(t, Faults{}, false)
	one, two := udpAt(t, p.addresses, 1), udpAt(t, p.addresses, 2)
	buf := make([]byte, 100)
	p.network.CutOff("", []Link{oneTwo})
	one.WriteToUDPAddrPort([]byte("cut off"), p.addresses.Known(1, 2))
	two.WriteToUDPAddrPort([]byte("back"), p.addresses.Known(2, 1))
	if size, _, err := one.ReadFromUDPAddrPort(buf); err != nil || string(buf[:size]) != "back" {
		t.Fatalf("%s %v", buf[:size], err)
	}
	for p.traffic().Cut == 0 {
		time.Sleep(time.Millisecond)
	}
	p.network.Heal()
	one.WriteToUDPAddrPort([]byte("healed"), p.addresses.Known(1, 2))
	if size, _, err := two.ReadFromUDPAddrPort(buf); err != nil || string(buf[:size]) != "healed" {
		t.Fatalf("%s %v", buf[:size], err)
	}
}

func (p *Proxy) traffic() Traffic {
	_, _, _, traffic := p.network.Now()
	return traffic
}

// listenAt accepts connections as a process.
func listenAt(t *testing.T, a Addresses, id spec.ID) *net.TCPListener {
	t.Helper()
	l, err := net.ListenTCP("tcp4", net.TCPAddrFromAddrPort(a.Of(id)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	l.SetDeadline(time.Now().Add(20 * time.Second))
	return l
}

// dialAs connects as one process to another, by way of the proxy.
func dialAs(t *testing.T, a Addresses, from, to spec.ID) net.Conn {
	t.Helper()
	c, err := tryDial(t, a, from, to)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func tryDial(t *testing.T, a Addresses, from, to spec.ID) (net.Conn, error) {
	d := net.Dialer{LocalAddr: ephemeral(a.Of(from))}
	c, err := d.Dial("tcp4", a.Known(from, to).String())
	if err == nil {
		t.Cleanup(func() { c.Close() })
		c.SetDeadline(time.Now().Add(20 * time.Second))
	}
	return c, err
}

// noCall wants a call to fail, or to end at once.
func noCall(t *testing.T, a Addresses, from, to spec.ID) {
	t.Helper()
	if c, err := tryDial(t, a, from, to); err == nil {
		ended(t, "the call", c)
	}
}

func accepted(t *testing.T, l *net.TCPListener) *net.TCPConn {
	t.Helper()
	c, err := l.AcceptTCP()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(20 * time.Second))
	return c
}

// TestStreams: all frames arrive, once and in their order, whatever the faults,
// and the end of a connection comes after them.
func TestStreams(t *testing.T) {
	p, taps := testProxy(t, Faults{Loss: 300_000, Duplicate: certain, Reorder: certain, Delay: Span{0, 3 * time.Millisecond}}, true)
	listener := listenAt(t, p.addresses, 2)
	from := dialAs(t, p.addresses, 1, 2)
	to := accepted(t, listener)
	if host := to.RemoteAddr().(*net.TCPAddr).AddrPort().Addr(); host != p.addresses.Known(2, 1).Addr() {
		t.Errorf("it comes from %v", host)
	}
	const n = 200
	go func() {
		for i := range n {
			from.Write(frameOf(t, oneTwo, uint64(i+1)))
		}
		from.(*net.TCPConn).CloseWrite()
	}()
	r := bufio.NewReader(to)
	for i := range n {
		f, err := wire.ReadFrame(r, nil)
		if err != nil || f.Sequence != uint64(i+1) {
			t.Fatalf("frame %d: %d %v", i+1, f.Sequence, err)
		}
	}
	if _, err := wire.ReadFrame(r, nil); err != io.EOF {
		t.Errorf("behind the last: %v", err)
	}
	to.Write(frameOf(t, twoOne, 9))
	if f, err := wire.ReadFrame(bufio.NewReader(from), nil); err != nil || f.Sequence != 9 {
		t.Errorf("the way back: %v %v", f.Sequence, err)
	}
	if traffic := p.traffic(); traffic.Stalled < 30 || traffic.Frames != n+1 || traffic.Lost+traffic.Copied+traffic.Held > 0 {
		t.Errorf("%+v", traffic)
	}
	taps.mu.Lock()
	defer taps.mu.Unlock()
	if taps.sentN != n+1 || taps.deliveredN != n+1 {
		t.Errorf("the taps saw %d and %d", taps.sentN, taps.deliveredN)
	}
}

// TestStreamStalls: a lost frame makes those behind it late.
func TestStreamStalls(t *testing.T) {
	p, _ := testProxy(t, Faults{Loss: certain}, true)
	p.stall = 30 * time.Millisecond
	listener := listenAt(t, p.addresses, 2)
	from := dialAs(t, p.addresses, 1, 2)
	to := accepted(t, listener)
	began := time.Now()
	from.Write(frameOf(t, oneTwo, 1))
	if _, err := wire.ReadFrame(bufio.NewReader(to), nil); err != nil || time.Since(began) < p.stall {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

// TestStreamCuts: a cut of either direction ends the connection and refuses new
// ones until it is healed.
func TestStreamCuts(t *testing.T) {
	for _, cutLink := range []Link{oneTwo, twoOne} {
		t.Run(fmt.Sprint(cutLink), func(t *testing.T) {
			p, _ := testProxy(t, Faults{}, true)
			listener := listenAt(t, p.addresses, 2)
			from := dialAs(t, p.addresses, 1, 2)
			to := accepted(t, listener)
			from.Write(frameOf(t, oneTwo, 1))
			if _, err := wire.ReadFrame(bufio.NewReader(to), nil); err != nil {
				t.Fatal(err)
			}
			p.network.CutOff("", []Link{cutLink})
			ended(t, "the caller's end", from)
			ended(t, "the callee's end", to)
			noCall(t, p.addresses, 1, 2)
			p.network.Heal()
			from = dialAs(t, p.addresses, 1, 2)
			to = accepted(t, listener)
			from.Write(frameOf(t, oneTwo, 2))
			if f, err := wire.ReadFrame(bufio.NewReader(to), nil); err != nil || f.Sequence != 2 {
				t.Errorf("after the healing: %v", err)
			}
		})
	}
}

// ended wants a connection to end, rather than to stay silent.
func ended(t *testing.T, what string, c net.Conn) {
	t.Helper()
	_, err := c.Read(make([]byte, 1))
	var timeout net.Error
	if err == nil || errors.As(err, &timeout) && timeout.Timeout() {
		t.Errorf("%s: %v", what, err)
	}
}

// TestCallsToTheDead: a connection to a process that is down ends.
func TestCallsToTheDead(t *testing.T) {
	p, _ := testProxy(t, Faults{}, true)
	noCall(t, p.addresses, 1, 2)
}

// TestGibberish: what is no frame ends its stream.
func TestGibberish(t *testing.T) {
	p, _ := testProxy(t, Faults{}, true)
	listener := listenAt(t, p.addresses, 2)
	from := dialAs(t, p.addresses, 1, 2)
	to := accepted(t, listener)
	from.Write([]byte("GET / HTTP/1.1\r\n\r\n"))
	ended(t, "the gibberish", to)
}

// claimed returns addresses for three processes.
func claimed(t *testing.T) Addresses {
	t.Helper()
	a, claim, err := Claim(0, 3)
	var missing *AddressError
	switch {
	case errors.As(err, &missing) && runtime.GOOS != "linux": // the addresses have to be added first
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(func() { claim.Close() })
	return a
}

// TestClaim: what another cluster has claimed, or anybody has taken, is not to be
// had, and whoever does not insist gets another port.
func TestClaim(t *testing.T) {
	a := claimed(t)
	if b := claimed(t); b == a {
		t.Errorf("the same port again: %v", b)
	}
	var e *AddressError
	if _, _, err := Claim(a.Port, 3); !errors.As(err, &e) || e.Remedy == "" {
		t.Errorf("a port that is claimed: %v", err)
	}
	udpAt(t, a, 3)
	if err := a.probe(3); !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "nothing can listen on 127.0.0.3:") {
		t.Errorf("a port that is taken: %v", err)
	}
	if err := addressError(a.Of(9), fmt.Errorf("bind: %w", syscall.EADDRNOTAVAIL)); !errors.As(err, &e) || !strings.HasPrefix(e.Remedy, "a cluster needs") {
		t.Errorf("%v", err)
	}
}
