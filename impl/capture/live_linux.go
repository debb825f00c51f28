package capture

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"
	"unsafe"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// live is the loopback interface. What gopacket has for it lets packets in before the filter
// is set, and its buffer cannot be set.
type live struct {
	name   string
	socket *os.File // a packet socket that never blocks
	conn   syscall.RawConn
	room   int    // bytes of the buffer in the kernel
	packet []byte // the one that is read
	beside []byte // what the kernel says of it
}

// maxPacket is the size of the largest packet that is captured whole: those on loopback
// have 64 KiB.
const maxPacket = 1 << 17

// Live captures what goes over the loopback interface from now on, each packet once. It
// needs the capability CAP_NET_RAW. The kernel keeps back what is not by our ports, and counts
// what it has no room for. The reader must be closed, and be read to its end, which releases the
// interface.
func Live(o Options) (*Reader, error) {
	loopback, err := loopback()
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	l := &live{name: loopback.Name, packet: make([]byte, maxPacket), beside: make([]byte, unix.CmsgSpace(int(unsafe.Sizeof(unix.Timespec{}))))}
	if err := l.open(loopback.Index, o); err != nil {
		return nil, fmt.Errorf("capture: interface %s: %w", l.name, err)
	}
	r := newReader(l, o)
	r.buffer = l.room
	return r, nil
}

func loopback() (net.Interface, error) {
	all, err := net.Interfaces()
	if err != nil {
		return net.Interface{}, err
	}
	for _, i := range all {
		if i.Flags&net.FlagLoopback != 0 && i.Flags&net.FlagUp != 0 {
			return i, nil
		}
	}
	return net.Interface{}, errors.New("no loopback interface is up")
}

// open makes the socket.
func (l *live) open(index int, o Options) (err error) {
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0) // of no protocol: nothing comes yet
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) {
		return fmt.Errorf("%w: it takes CAP_NET_RAW: run as root, or setcap cap_net_raw+ep on the program", ErrPermission)
	}
	if err != nil {
		return err
	}
	l.socket = os.NewFile(uintptr(fd), l.name)
	if err = l.prepare(fd, index, o); err == nil {
		l.conn, err = l.socket.SyscallConn()
	}
	if err != nil {
		l.socket.Close()
	}
	return err
}

// prepare sets filter, buffer and clock of the socket, and only then lets packets in.
func (l *live) prepare(fd, index int, o Options) (err error) {
	if err = attach(fd, append(incoming(), byPorts(o.Ports)...)); err != nil {
		return fmt.Errorf("the filter: %w", err)
	}
	if l.room, err = reserve(fd, cmp.Or(o.Buffer, DefaultBuffer)); err != nil {
		return fmt.Errorf("its buffer: %w", err)
	}
	if err = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1); err != nil {
		return fmt.Errorf("the time of packets: %w", err)
	}
	every := uint16(unix.ETH_P_ALL<<8 | unix.ETH_P_ALL>>8) // in the byte order of the network
	return unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: every, Ifindex: index})
}

// attach sets the filter of a socket.
func attach(fd int, program []bpf.Instruction) error {
	assembled, err := bpf.Assemble(program)
	if err != nil {
		return err
	}
	filter := make([]unix.SockFilter, len(assembled))
	for i, in := range assembled {
		filter[i] = unix.SockFilter{Code: in.Op, Jt: in.Jt, Jf: in.Jf, K: in.K}
	}
	return unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]})
}

// reserve sets the buffer of a socket, and returns how large it became: only who may administer
// the network gets more than net.core.rmem_max.
func reserve(fd, size int) (int, error) {
	if unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, size) != nil {
		if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, size); err != nil {
			return 0, err
		}
	}
	got, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF)
	return got / 2, err // Linux doubles what it is told, and says so
}

func (l *live) next() (raw, error) {
	p, err := l.receive(l.conn.Read)
	if errors.Is(err, os.ErrDeadlineExceeded) { // it was closed; what came before that counts
		if p, err = l.receive(l.atOnce); errors.Is(err, unix.EAGAIN) {
			l.socket.Close()
			err = ErrClosed
		}
	}
	return p, err
}

// atOnce calls f once, as the Read of a RawConn does until f succeeds.
func (l *live) atOnce(f func(fd uintptr) bool) error {
	return l.conn.Control(func(fd uintptr) { f(fd) })
}

// receive reads a packet.
func (l *live) receive(read func(func(fd uintptr) bool) error) (p raw, err error) {
	stopped := read(func(fd uintptr) bool {
		p, err = l.take(int(fd))
		return !errors.Is(err, unix.EAGAIN)
	})
	return p, cmp.Or(stopped, err)
}

// take reads a packet that has come, or returns EAGAIN.
func (l *live) take(fd int) (raw, error) {
	size, beside, _, _, err := unix.Recvmsg(fd, l.packet, l.beside, unix.MSG_TRUNC)
	if err != nil {
		return raw{}, err
	}
	kept := min(size, len(l.packet))
	info := gopacket.CaptureInfo{Timestamp: timeOf(l.beside[:beside]), Length: size, CaptureLength: kept}
	return raw{info: info, iface: l.name, link: uint32(layers.LinkTypeEthernet), data: append([]byte(nil), l.packet[:kept]...)}, nil
}

// timeOf returns the time that the kernel says beside a packet.
func timeOf(beside []byte) time.Time {
	messages, _ := unix.ParseSocketControlMessage(beside)
	for _, m := range messages {
		if m.Header.Level == unix.SOL_SOCKET && m.Header.Type == unix.SO_TIMESTAMPNS && len(m.Data) >= int(unsafe.Sizeof(unix.Timespec{})) {
			return time.Unix((*unix.Timespec)(unsafe.Pointer(&m.Data[0])).Unix())
		}
	}
	return time.Now()
}

// dropped is asked after each packet, the last one that waited included: the kernel drops none behind that.
func (l *live) dropped() (n uint64) {
	_ = l.conn.Control(func(fd uintptr) {
		if stats, err := unix.GetsockoptTpacketStats(int(fd), unix.SOL_PACKET, unix.PACKET_STATISTICS); err == nil { // since it was asked last
			n = uint64(stats.Drops)
		}
	})
	return n
}

// close lets no more packets in, and wakes a reader that waits for one.
func (l *live) close() {
	_ = l.conn.Control(func(fd uintptr) { _ = attach(int(fd), []bpf.Instruction{bpf.RetConstant{Val: 0}}) })
	_ = l.socket.SetReadDeadline(time.Unix(1, 0))
}
