package impl

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"interleave/impl/link"
	"interleave/impl/transport"
	"interleave/impl/wire"
	"interleave/spec"
	"interleave/spec/ble"
	"interleave/spec/bully"
)

func newTestFrame() wire.Frame {
	codec, err := wire.NewCodec(bully.Mended)
	if err != nil {
		panic(err)
	}
	return wire.Frame{Header: wire.Header{Kind: wire.Heartbeat, Algorithm: "bully/mended", Shape: codec.Shape(), From: 1, To: 2, Incarnation: 1}}
}

// flood says messages to a node as fast as it takes them: as many as a window
// at once, then it waits for the acknowledgement.
func flood(b *testing.B, m spec.Machine, message any, node, peer transport.Transport, key wire.Key, log io.Writer) {
	config := Config{Machine: m, ID: 1, Ring: []spec.ID{1, 2}, Run: 1, Transport: node, Key: key, Log: log, Delta: time.Hour, Bystander: true}
	n, err := New(config)
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- n.Run(ctx) }()
	defer func() {
		stop()
		if err := <-done; err != nil {
			b.Error(err)
		}
		peer.Close()
	}()
	codec, err := wire.NewCodec(m)
	if err != nil {
		b.Fatal(err)
	}
	body, err := codec.Append(nil, message)
	if err != nil {
		b.Fatal(err)
	}
	f := wire.Frame{Header: wire.Header{Kind: wire.Hello, Algorithm: m.Traits().Name, Shape: codec.Shape(), Run: 1, From: 2, To: 1, Incarnation: 1}, Body: []byte(n.settings)}
	var buffer []byte
	again := 0
	say := func() {
		f.Sent = time.Now().UnixNano()
		if buffer, err = f.Append(buffer[:0], key); err != nil {
			b.Fatal(err)
		}
		_ = peer.Send(1, buffer)
	}
	hear := func(kind wire.Kind) (f wire.Frame, ok bool) {
		for {
			select {
			case p := <-peer.Receive():
				if got, err := wire.Parse(p.Bytes, key); err == nil && got.Kind == kind {
					return got, true
				}
			case <-time.After(20 * time.Millisecond):
				return f, false
			}
		}
	}
	for f.Acked == 0 {
		say()
		answer, _ := hear(wire.Hello)
		f.Acked = answer.Incarnation
	}
	say()
	f.Kind, f.Body = wire.Data, body
	b.ReportAllocs()
	b.ResetTimer()
	for acked := uint64(0); acked < uint64(b.N); {
		for ; f.Link < min(acked+link.Window, uint64(b.N)); say() {
			f.Link++
			f.Sequence = f.Link
		}
		answer, ok := hear(wire.Ack)
		if acked = max(acked, answer.Link); !ok {
			f.Link = acked // something was lost: once more
			again++
		}
	}
	b.ReportMetric(float64(again), "stalls")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}

// BenchmarkNode is how many messages a process handles, each logged, over what.
func BenchmarkNode(b *testing.B) {
	key := wire.Key("a key of more than sixteen bytes")
	for _, c := range []struct {
		name    string
		machine spec.Machine
		message any
		key     wire.Key
	}{
		{"bully", bully.Mended, bully.OK, nil},
		{"bully with a key", bully.Mended, bully.OK, key},
		{"ble", ble.Mended, ble.Msg{Kind: ble.Reply}, nil},
	} {
		b.Run(fmt.Sprintf("%s in memory", c.name), func(b *testing.B) {
			net := transport.NewSwitch(nil)
			flood(b, c.machine, c.message, net.Plug(1), net.Plug(2), c.key, nil)
		})
		for _, network := range []string{"udp", "tcp"} {
			b.Run(fmt.Sprintf("%s over %s", c.name, network), func(b *testing.B) {
				addresses := map[spec.ID]string{1: "127.0.0.1:27111", 2: "127.0.0.1:27112"}
				ends := map[spec.ID]transport.Transport{}
				for id := range addresses {
					var end transport.Transport
					var err error
					if network == "tcp" {
						end, err = transport.NewTCP(transport.Addresses{Listen: addresses[id], Peers: addresses})
					} else {
						end, err = transport.NewUDP(transport.Addresses{Listen: addresses[id], Peers: addresses})
					}
					if err != nil {
						b.Fatal(err)
					}
					ends[id] = end
				}
				flood(b, c.machine, c.message, ends[1], ends[2], c.key, nil)
			})
		}
	}
}
