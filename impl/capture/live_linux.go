package capture

import (
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"syscall"

	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"
	"golang.org/x/net/bpf"
)

// live is the loopback interface.
type live struct {
	handle *pcapgo.EthernetHandle
	name   string
	closed atomic.Bool
}

// Live captures what goes over the loopback interface from now on, each packet once. It
// needs the capability CAP_NET_RAW. The reader must be closed; the next call of Next
// then releases the interface.
func Live(o Options) (*Reader, error) {
	name, err := loopback()
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	if err := mayCapture(); err != nil {
		return nil, fmt.Errorf("capture: interface %s: %w", name, err)
	}
	handle, err := pcapgo.NewEthernetHandle(name)
	if err != nil {
		return nil, fmt.Errorf("capture: interface %s: %w", name, err)
	}
	if err = handle.SetCaptureLength(1 << 17); err == nil {
		err = handle.SetBPF(incoming)
	}
	if err != nil {
		handle.Close()
		return nil, fmt.Errorf("capture: interface %s: %w", name, err)
	}
	return newReader(&live{handle: handle, name: name}, o), nil
}

func loopback() (string, error) {
	all, err := net.Interfaces()
	if err != nil {
		return "", err
	}
	for _, i := range all {
		if i.Flags&net.FlagLoopback != 0 && i.Flags&net.FlagUp != 0 {
			return i.Name, nil
		}
	}
	return "", errors.New("no loopback interface is up")
}

// mayCapture opens a socket of the kind that is needed: the library does not say which
// error occurred.
func mayCapture() error {
	s, err := syscall.Socket(syscall.AF_PACKET, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, 0)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		return fmt.Errorf("%w: it takes CAP_NET_RAW: run as root, or setcap cap_net_raw+ep on the program", ErrPermission)
	}
	if err != nil {
		return err
	}
	return syscall.Close(s)
}

// incoming drops a packet on its way out: on loopback each comes in again.
var incoming = func() []bpf.RawInstruction {
	const packetOutgoing = 4
	program, err := bpf.Assemble([]bpf.Instruction{
		bpf.LoadExtension{Num: bpf.ExtType},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: packetOutgoing, SkipTrue: 1},
		bpf.RetConstant{Val: 1 << 17},
		bpf.RetConstant{Val: 0},
	})
	if err != nil {
		panic("capture: the filter cannot be assembled: " + err.Error())
	}
	return program
}()

func (l *live) next() (raw, error) {
	if l.closed.Load() {
		l.handle.Close()
		return raw{}, ErrClosed
	}
	data, info, err := l.handle.ReadPacketData()
	if l.closed.Load() {
		l.handle.Close()
		return raw{}, ErrClosed
	}
	return raw{info: info, iface: l.name, link: uint32(layers.LinkTypeEthernet), data: data}, err
}

func (l *live) dropped() uint64 {
	if l.closed.Load() {
		return 0
	}
	stats, err := l.handle.Stats()
	if err != nil {
		return 0
	}
	return uint64(stats.Drops)
}

// close wakes a reader that waits for a packet, by sending one: closing the handle
// would not.
func (l *live) close() {
	l.closed.Store(true)
	if c, err := net.Dial("udp", "127.0.0.1:9"); err == nil {
		c.Write(nil)
		c.Close()
	}
}
