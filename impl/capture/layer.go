package capture

import (
	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"interleave/impl/wire"
)

// LayerType is our protocol as a layer of gopacket. UDP packets on wire.Port are
// decoded as such; TCP needs a Reader, since the frames are parts of a stream.
var LayerType = gopacket.RegisterLayerType(26540, gopacket.LayerTypeMetadata{Name: "Interleave", Decoder: gopacket.DecodeFunc(decode)})

func init() { layers.RegisterUDPPortLayerType(wire.Port, LayerType) }

// Layer is one frame. Its MAC is not checked.
type Layer struct {
	layers.BaseLayer
	wire.Frame
	MAC []byte // nil if there is none
}

// LayerType returns LayerType.
func (*Layer) LayerType() gopacket.LayerType { return LayerType }

// CanDecode returns LayerType.
func (*Layer) CanDecode() gopacket.LayerClass { return LayerType }

// NextLayerType returns none: only the algorithm can decode a body.
func (*Layer) NextLayerType() gopacket.LayerType { return gopacket.LayerTypeZero }

// Payload returns the body of the frame.
func (l *Layer) Payload() []byte { return l.Body }

// DecodeFromBytes reads one frame with nothing behind it.
func (l *Layer) DecodeFromBytes(data []byte, _ gopacket.DecodeFeedback) error {
	frame, mac, err := wire.Inspect(data)
	if err != nil {
		return err
	}
	header := len(data) - len(frame.Body) - len(mac)
	*l = Layer{layers.BaseLayer{Contents: data[:header], Payload: frame.Body}, frame, mac}
	return nil
}

func decode(data []byte, p gopacket.PacketBuilder) error {
	l := &Layer{}
	if err := l.DecodeFromBytes(data, p); err != nil {
		return err
	}
	p.AddLayer(l)
	p.SetApplicationLayer(l)
	return nil
}
