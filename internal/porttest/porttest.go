// Package porttest finds addresses for tests with real sockets.
package porttest

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
)

// tried counts the ports that Free has tried.
var tried atomic.Uint32

// Free returns addresses of loopback that were free a moment ago, for datagrams and for
// streams. Where the system gives a program a host of its own, as Linux does, no other
// program takes them before the test does, or while who listens there is down; nor does
// the system give their ports to who calls from there.
func Free(t testing.TB, n int) []string {
	t.Helper()
	var out []string
	for range n {
		l, err := listen()
		if err != nil {
			l, err = net.Listen("tcp", "127.0.0.1:0")
		}
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		out = append(out, l.Addr().String())
	}
	return out
}

// listen listens at the next free port of the program's own host.
func listen() (l net.Listener, err error) {
	for range 1000 {
		port := strconv.Itoa(20000 + int(tried.Add(1)%8000))
		if l, err = net.Listen("tcp", net.JoinHostPort(own(os.Getpid()), port)); err == nil {
			break
		}
	}
	return l, err
}

// Port returns a port that was free a moment ago at the first address of loopback, and that the
// system gives to nobody who leaves the choice to it: Linux begins at 32768.
func Port(t testing.TB) string {
	t.Helper()
	for k := range 1000 {
		port := strconv.Itoa(28000 + (os.Getpid()+k)%4000)
		c, err := net.ListenPacket("udp", "127.0.0.1:"+port)
		if err == nil {
			c.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return ""
}

// own is a host of loopback for each program, and none of those that people use.
func own(pid int) string {
	return fmt.Sprintf("127.%d.%d.%d", 64|pid>>16&63, pid>>8&255, pid&255)
}
