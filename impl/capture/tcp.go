package capture

import (
	"net/netip"
	"slices"
	"time"

	"github.com/google/gopacket/layers"
)

// link is one direction between two processes on one side of the network. Each has a
// separate stream; those of the two sides differ in the port of the client, since tools
// identify streams only by addresses.
type link struct {
	side     Side
	from, to netip.AddrPort
}

// tcpStream is a made-up connection, from a client that sends to a server that
// acknowledges.
type tcpStream struct {
	side                   Side
	client, server         netip.AddrPort
	clientNext, serverNext uint32 // sequence numbers
	unacked                int    // bytes
}

const (
	firstPort = 32768 // of the clients
	ackEvery  = 16384 // bytes; a server acknowledges after so many, well within its window
	window    = 65535
)

// TCP writes a frame as a part of a stream between two IPv4 addresses, which it opens
// first if needed. The stream has its own source port, not that of from.
func (w *Writer) TCP(s Side, at time.Time, from, to netip.AddrPort, frame []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	stream, err := w.open(link{s, from, to}, at)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(frame, ackEvery) {
		if err := w.segment(at, stream, true, layers.TCP{PSH: true, ACK: true}, part); err != nil {
			return err
		}
		if stream.unacked += len(part); stream.unacked < ackEvery {
			continue
		}
		stream.unacked = 0
		if err := w.segment(at, stream, false, layers.TCP{ACK: true}, nil); err != nil {
			return err
		}
	}
	return nil
}

// EndTCP closes the stream that TCP opened, if it did, as both ends would. The
// next frame opens another.
func (w *Writer) EndTCP(s Side, at time.Time, from, to netip.AddrPort) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := link{s, from, to}
	stream := w.streams[l]
	if stream == nil {
		return nil
	}
	delete(w.streams, l)
	return w.segments(at, stream, []part{
		{true, layers.TCP{FIN: true, ACK: true}},
		{false, layers.TCP{FIN: true, ACK: true}},
		{true, layers.TCP{ACK: true}},
	})
}

// open returns the stream of a link, after a handshake if there is none yet.
func (w *Writer) open(l link, at time.Time) (*tcpStream, error) {
	if stream := w.streams[l]; stream != nil {
		return stream, nil
	}
	port := firstPort + w.ports%(1<<15)
	stream := &tcpStream{side: l.side, client: netip.AddrPortFrom(l.from.Addr(), port), server: l.to}
	err := w.segments(at, stream, []part{
		{true, layers.TCP{SYN: true}},
		{false, layers.TCP{SYN: true, ACK: true}},
		{true, layers.TCP{ACK: true}},
	})
	if err != nil {
		return nil, err
	}
	w.ports++
	w.streams[l] = stream
	return stream, nil
}

// part is a segment without a payload.
type part struct {
	byClient bool
	tcp      layers.TCP
}

func (w *Writer) segments(at time.Time, stream *tcpStream, parts []part) error {
	for _, p := range parts {
		if err := w.segment(at, stream, p.byClient, p.tcp, nil); err != nil {
			return err
		}
	}
	return nil
}

// segment writes one segment, of the client or of the server, and moves that
// one's sequence on.
func (w *Writer) segment(at time.Time, stream *tcpStream, byClient bool, tcp layers.TCP, payload []byte) error {
	from, to, next, ack := stream.client, stream.server, &stream.clientNext, stream.serverNext
	if !byClient {
		from, to, next, ack = stream.server, stream.client, &stream.serverNext, stream.clientNext
	}
	tcp.SrcPort, tcp.DstPort, tcp.Window = layers.TCPPort(from.Port()), layers.TCPPort(to.Port()), window
	tcp.Seq = *next
	if tcp.ACK {
		tcp.Ack = ack
	}
	ip, err := header(from.Addr(), to.Addr(), layers.IPProtocolTCP)
	if err != nil {
		return err
	}
	if err := tcp.SetNetworkLayerForChecksum(ip); err != nil {
		return err
	}
	if err := w.write(stream.side, at, ip, &tcp, payload); err != nil {
		return err
	}
	*next += uint32(len(payload))
	if tcp.SYN || tcp.FIN {
		*next++
	}
	return nil
}
