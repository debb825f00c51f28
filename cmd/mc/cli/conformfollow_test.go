package cli

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"interleave/cmd/mc/internal/capturetest"
	"interleave/cmd/mc/internal/ui"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/internal/porttest"
	"interleave/spec/bully"
	"interleave/spec/catalog"
)

// following runs mc until it ends by itself, or ended does.
func following(ctx context.Context, args string) (ended func() outcome) {
	done := make(chan outcome, 1)
	go func() { done <- mc(ctx, args) }()
	return func() outcome { return <-done }
}

// followed is a capture that grows, and what is said of it.
type followed struct {
	name   string
	file   []byte
	flags  string
	status ui.Status
	want   string
}

// TestFollow: a capture that grows is judged as it does.
func TestFollow(t *testing.T) {
	t.Chdir(t.TempDir())
	whole, forged := capturetest.PCAPNG(t, capturetest.Election, nil), capturetest.Forged(t)
	grow := func(t *testing.T, b []byte, mode int) {
		f, err := os.OpenFile("grows.pcapng", os.O_CREATE|os.O_WRONLY|mode, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []followed{
		{"whole", whole, "", 0, "CONFORMS: bully/mended explains every packet"},
		{"whole, as JSON", whole, "--json", 0, `"verdict": "CONFORMS"`},
		{"no end yet", whole[:len(whole)-40], "", 0, "CONFORMS"},
		{"cut in a packet", whole[:len(whole)*3/4], "", 0, "CONFORMS"},
		{"another run comes first", capturetest.PCAPNG(t, append(capturetest.Election[:3:3], capturetest.Election...), func(i int, f *wire.Frame) {
			if i < 3 {
				f.Run = 9
			}
		}), "--run 7", 0, "CONFORMS"},
		{"a property that depends", whole, "--property leader-is-top", 3, "leader-is-top            DEPENDS"},
		{"no property", whole, "--property leader-eventually", 2, `"leader-eventually" is not judged`},
		{"nothing said yet", capturetest.PCAPNG(t, capturetest.Election[:2], nil), "", 2, "none of its 2 frames of this run carries a message"},
		{"too few ways", whole, "--frontier 1", 3, "INCONCLUSIVE"},
	} {
		t.Run("interrupted: "+c.name, func(t *testing.T) {
			ctx, interrupt := context.WithCancel(t.Context())
			grow(t, c.file[:50], os.O_TRUNC)
			ended := following(ctx, "conform grows.pcapng --follow "+c.flags)
			grow(t, c.file[50:], os.O_APPEND)
			interrupt()
			ended().expect(t, c.status, c.want)
		})
	}
	for _, c := range []followed{
		{"forged", forged[:len(forged)-40], "", 1, "REFUTED grows.pcapng, packet 5"},
		{"one restart too many", again(t, capturetest.Election), "--crashes 0", 1, "REFUTED grows.pcapng, packet 8"},
		{"forged, and nobody says hello", capturetest.PCAPNG(t, capturetest.Election[2:], func(i int, f *wire.Frame) {
			if i == 2 {
				f.Body = []byte{byte(bully.Election)}
			}
		}), "--n 2", 1, "REFUTED grows.pcapng, packet 3"},
		{"of another algorithm", whole, "--algorithm ble", 2, "and not of ble/mended"},
		{"foreign", bytes.Repeat([]byte("this is no capture at all"), 100), "", 2, "neither a pcapng nor a pcap file"},
		{"a stranger", capturetest.PCAPNG(t, append(capturetest.Election[:5:5], capturetest.Line{Kind: wire.Heartbeat, From: 3, To: 1}), nil), "", 2, "packet 6 is from process 3 to 1"},
	} {
		t.Run("by itself: "+c.name, func(t *testing.T) {
			grow(t, c.file[:50], os.O_TRUNC)
			ended := following(t.Context(), "conform grows.pcapng --follow "+c.flags)
			for rest := c.file[50:]; len(rest) > 0; { // packets come in pieces
				n := min(len(rest), 33)
				grow(t, rest[:n], os.O_APPEND)
				rest = rest[n:]
			}
			ended().expect(t, c.status, c.want)
		})
	}
	mc(t.Context(), "conform missing.pcapng --follow").expect(t, 2, "missing.pcapng: no such file or directory")
}

// TestFollowPipe: a pipe ends when its writer closes it, or when it is interrupted.
func TestFollowPipe(t *testing.T) {
	if runtime.GOOS != "linux" { // nothing else has such a name for it
		return
	}
	for _, closes := range []bool{true, false} {
		from, to, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		ctx, interrupt := context.WithTimeout(t.Context(), 200*time.Millisecond)
		if closes {
			ctx = t.Context()
		}
		ended := following(ctx, fmt.Sprintf("conform /proc/self/fd/%d --follow", from.Fd()))
		whole := capturetest.PCAPNG(t, capturetest.Election, nil)
		if _, err := to.Write(whole[:len(whole)-40]); err != nil {
			t.Fatal(err)
		}
		if closes {
			to.Close()
		}
		ended().expect(t, 0, "CONFORMS: bully/mended explains every packet")
		interrupt()
		from.Close()
		to.Close()
	}
}

// TestFollowLive: what goes over the loopback interface is judged as it comes.
func TestFollowLive(t *testing.T) {
	if runtime.GOOS != "linux" {
		mc(t.Context(), "conform --live").expect(t, 2, "mc: hint: or follow what tcpdump")
		return
	}
	if os.Getuid() != 0 {
		mc(t.Context(), "conform --live").expect(t, 2, "mc: hint: ")
		return
	}
	port := porttest.Port(t)
	for _, c := range []struct {
		name   string
		file   []byte
		flags  string
		status ui.Status
		want   string
		after  int // after so many repetitions of the election it is interrupted; 0: it ends by itself
	}{
		{"forged", capturetest.Forged(t), "", 1, "REFUTED loopback, packet", 0},
		{"of another algorithm", capturetest.PCAPNG(t, capturetest.Election, nil), "--algorithm ble", 2, "and not of ble/mended", 0},
		{"honest", capturetest.PCAPNG(t, capturetest.Election, nil), "--json", 0, `"data": 3`, 20},
		{"nobody speaks", nil, "", 2, "there is no packet of ours in it", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			listens, done := make(chan bool), make(chan outcome, 1)
			go func() {
				var out bytes.Buffer
				err := &until{text: "listens", then: func(string) { close(listens) }}
				status := ui.Status(Run(ctx, strings.Fields("conform --live --port "+port+" "+c.flags), &out, err, catalog.Aliases, catalog.Machines...))
				done <- outcome{status, out.String(), err.String()}
			}()
			select {
			case <-listens:
			case o := <-done:
				done <- o
			}
			for said := 1; ; said++ { // nobody minds copies
				if c.file != nil {
					speak(t, port, c.file)
				}
				select {
				case o := <-done:
					o.expect(t, c.status, c.want)
					return
				case <-time.After(100 * time.Millisecond):
					if said == c.after {
						interrupt()
					}
				}
			}
		})
	}
}

// speak sends the frames of a capture over the loopback interface.
func speak(t *testing.T, port string, file []byte) {
	r, err := capture.NewReader(bytes.NewReader(file), capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	homes := map[netip.Addr]net.PacketConn{}
	for range capturetest.Election {
		p, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []netip.Addr{p.From.Addr(), p.To.Addr()} {
			if homes[at] == nil {
				if homes[at], err = net.ListenPacket("udp", net.JoinHostPort(at.String(), port)); err != nil {
					t.Fatal(err)
				}
				defer homes[at].Close()
			}
		}
		if _, err := homes[p.From.Addr()].WriteTo(p.Bytes, homes[p.To.Addr()].LocalAddr()); err != nil {
			t.Fatal(err)
		}
	}
}
