package capture

import "errors"

// How a capture can end, besides io.EOF. What is returned wraps one of these and
// says more. Packets before the error are good.
var (
	ErrEmpty      = errors.New("the capture is empty")                      // not a byte in it
	ErrForeign    = errors.New("neither a pcapng nor a pcap file")          // it begins otherwise
	ErrLinkType   = errors.New("a link type that cannot be read")           // neither Ethernet, Linux cooked, BSD loopback nor bare IP
	ErrDamaged    = errors.New("the capture is damaged")                    // it contradicts itself
	ErrTooLarge   = errors.New("a part of the capture is too large")        // it says that it is larger than any that we take
	ErrCut        = errors.New("the capture is cut within a packet")        // the rest is missing
	ErrUnfinished = errors.New("the capture has no end")                    // ours, and Writer.Close was not called, or its end was cut off
	ErrClosed     = errors.New("the capture was closed")                    // Reader.Close was called
	ErrPermission = errors.New("not allowed to capture")                    // for lack of CAP_NET_RAW
	ErrNoLive     = errors.New("live capture is possible under Linux only") // use tcpdump, and read what it writes
)

// ErrMissing is in the error of a Packet that is no frame because the tap did not take all
// of it. Those who were to get the rest may have got it.
var ErrMissing = errors.New("a part of it was not captured")

// ErrDropped is, beside ErrMissing, in the error of a Packet that stands for those that were there
// and not captured.
var ErrDropped = errors.New("dropped while it was captured")
