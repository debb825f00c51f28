package capture

import (
	"fmt"
	"io"
	"net/netip"
	"sync"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"
)

// Side says on which side of the network a frame was seen.
type Side int

const (
	Sent      Side = iota // as a process handed it to the network
	Delivered             // as the network handed it on
)

func (s Side) String() string { return [...]string{"sent", "delivered"}[s] }

// application is the name of the writer in our captures.
const application = "Interleave"

// Writer writes a capture. It is safe for concurrent use.
type Writer struct {
	mu      sync.Mutex
	ng      *pcapgo.NgWriter
	buffer  gopacket.SerializeBuffer
	last    time.Time
	written [2]uint64 // packets, by side
	streams map[link]*tcpStream
	ports   uint16 // how many the clients of streams have used
}

// NewWriter begins a capture. The comment says what it is of.
func NewWriter(w io.Writer, comment string) (*Writer, error) {
	ng, err := pcapgo.NewNgWriterInterface(w, iface(Sent), pcapgo.NgWriterOptions{
		SectionInfo: pcapgo.NgSectionInfo{Application: application, Comment: comment},
	})
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	if _, err := ng.AddInterface(iface(Delivered)); err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	return &Writer{ng: ng, buffer: gopacket.NewSerializeBuffer(), streams: map[link]*tcpStream{}}, nil
}

func iface(s Side) pcapgo.NgInterface {
	return pcapgo.NgInterface{
		Name:        s.String(),
		Description: [...]string{"what processes handed to the network", "what the network handed on"}[s],
		LinkType:    layers.LinkTypeEthernet,
	}
}

// UDP writes a frame as a datagram between two IPv4 addresses.
func (w *Writer) UDP(s Side, at time.Time, from, to netip.AddrPort, frame []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	ip, err := header(from.Addr(), to.Addr(), layers.IPProtocolUDP)
	if err != nil {
		return err
	}
	udp := &layers.UDP{SrcPort: layers.UDPPort(from.Port()), DstPort: layers.UDPPort(to.Port())}
	if err := udp.SetNetworkLayerForChecksum(ip); err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	return w.write(s, at, ip, udp, frame)
}

// header returns an IP header.
func header(from, to netip.Addr, protocol layers.IPProtocol) (*layers.IPv4, error) {
	if !from.Is4() || !to.Is4() {
		return nil, fmt.Errorf("capture: from %v to %v: only IPv4 addresses can be written", from, to)
	}
	return &layers.IPv4{Version: 4, TTL: 64, Flags: layers.IPv4DontFragment, Protocol: protocol, SrcIP: from.AsSlice(), DstIP: to.AsSlice()}, nil
}

// write adds the layer below ip and writes the packet. The lock is held.
func (w *Writer) write(s Side, at time.Time, ip *layers.IPv4, transport gopacket.SerializableLayer, payload []byte) error {
	if at.UnixNano() <= 0 {
		return fmt.Errorf("capture: a packet of %v: it cannot be from before 1970", at)
	}
	eth := &layers.Ethernet{SrcMAC: hardware(ip.SrcIP), DstMAC: hardware(ip.DstIP), EthernetType: layers.EthernetTypeIPv4}
	options := gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}
	if err := gopacket.SerializeLayers(w.buffer, options, eth, ip, transport, gopacket.Payload(payload)); err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	data := w.buffer.Bytes()
	info := gopacket.CaptureInfo{Timestamp: at, CaptureLength: len(data), Length: len(data), InterfaceIndex: int(s)}
	if err := w.ng.WritePacket(info, data); err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	w.written[s]++
	if at.After(w.last) {
		w.last = at
	}
	return nil
}

// hardware returns a made-up Ethernet address, a private one with the IPv4
// address in it.
func hardware(address []byte) []byte { return append([]byte{2, 0}, address...) }

// Flush writes out what was written so far, for readers that follow.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.flush()
}

func (w *Writer) flush() error {
	if err := w.ng.Flush(); err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	return nil
}

// Close writes the end, without which a Reader takes the capture for cut. It does not
// close the underlying writer.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for s, written := range w.written {
		stats := pcapgo.NgInterfaceStatistics{LastUpdate: w.last, PacketsReceived: written, PacketsDropped: pcapgo.NgNoValue64}
		if err := w.ng.WriteInterfaceStats(s, stats); err != nil {
			return fmt.Errorf("capture: %w", err)
		}
	}
	return w.flush()
}
