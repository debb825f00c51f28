package capture

import (
	"fmt"
	"io"
	"time"

	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"
)

// Recording is a pcapng file of the packets that a Reader reads.
type Recording struct {
	to         io.Writer
	ng         *pcapgo.NgWriter // nil: nothing is written yet
	interfaces map[recorded]int
	packets    int
	dropped    uint64 // packets that were not captured
	told       uint64 // of them, those of which the file tells
}

// recorded is an interface of a recording.
type recorded struct {
	name string
	link uint32
}

// Record makes r write every packet by one of our ports to w from now on, as it
// was captured. If that fails, Next does.
func (r *Reader) Record(w io.Writer) *Recording {
	r.recording = &Recording{to: w, interfaces: map[recorded]int{}}
	return r.recording
}

// Packets returns how many were written.
func (c *Recording) Packets() int { return c.packets }

// Dropped returns how many are known that were not captured, and so cannot be written.
func (c *Recording) Dropped() uint64 { return c.dropped }

// add writes a packet.
func (c *Recording) add(p raw) error {
	id, err := c.number(recorded{p.iface, p.link})
	if err == nil {
		p.info.InterfaceIndex = id
		err = c.ng.WritePacket(p.info, p.data)
	}
	if err != nil {
		return fmt.Errorf("capture: it cannot be recorded: %w", err)
	}
	c.packets++
	return c.tell()
}

// tell writes how many packets were not captured, as soon as that has changed: the recording
// may not come to its end.
func (c *Recording) tell() error {
	if c.dropped == c.told {
		return nil
	}
	stats := pcapgo.NgInterfaceStatistics{LastUpdate: time.Now(), PacketsReceived: pcapgo.NgNoValue64, PacketsDropped: c.dropped}
	if err := c.ng.WriteInterfaceStats(0, stats); err != nil {
		return fmt.Errorf("capture: it cannot be recorded: %w", err)
	}
	c.told = c.dropped
	return nil
}

// number returns the number of an interface in the file.
func (c *Recording) number(at recorded) (id int, err error) {
	id, known := c.interfaces[at]
	if known {
		return id, nil
	}
	described := pcapgo.NgInterface{Name: at.name, LinkType: layers.LinkType(at.link)}
	if uint32(described.LinkType) != at.link { // the library writes one byte of it
		return 0, fmt.Errorf("%w: %d", ErrLinkType, at.link)
	}
	if c.ng == nil {
		c.ng, err = pcapgo.NewNgWriterInterface(c.to, described, pcapgo.NgWriterOptions{SectionInfo: pcapgo.NgSectionInfo{Application: "mc capture"}})
	} else {
		id, err = c.ng.AddInterface(described)
	}
	c.interfaces[at] = id
	return id, err
}

// Flush writes out what was recorded so far. A recording must end with it.
func (c *Recording) Flush() error {
	if c.ng == nil { // a file without packets is valid, too
		if _, err := c.number(recorded{"", uint32(layers.LinkTypeEthernet)}); err != nil {
			return fmt.Errorf("capture: it cannot be recorded: %w", err)
		}
	}
	if err := c.tell(); err != nil {
		return err
	}
	if err := c.ng.Flush(); err != nil {
		return fmt.Errorf("capture: it cannot be recorded: %w", err)
	}
	return nil
}
