package impl

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
)

// Handler serves how a node is: /healthz (200 while it runs),
// /readyz (200 once it took its first step, unless every peer refuses it), /status (Status
// as JSON) and /metrics (for Prometheus). It changes nothing.
func (n *Node) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if s := n.Status(); s.Incarnation == 0 || s.Failed != "" {
			http.Error(w, "not running: "+s.Failed, http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if why := n.Status().ready(); why != "" {
			http.Error(w, why, http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		_ = e.Encode(n.Status())
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = io.WriteString(w, metrics(n.Status()))
	})
	return mux
}

// metrics returns a status in the text format of Prometheus. docs/node.md lists
// what there is.
func metrics(s Status) string {
	var b strings.Builder
	head := func(name, kind, help string) {
		fmt.Fprintf(&b, "# HELP interleave_%s %s\n# TYPE interleave_%s %s\n", name, help, name, kind)
	}
	one := func(name, kind, help string, value any) {
		head(name, kind, help)
		fmt.Fprintf(&b, "interleave_%s %v\n", name, value)
	}
	many := func(name, label, help string, values map[string]uint64) {
		head(name, "counter", help)
		for _, key := range slices.Sorted(maps.Keys(values)) {
			fmt.Fprintf(&b, "interleave_%s{%s=%q} %d\n", name, label, key, values[key])
		}
	}
	head("node_info", "gauge", "What runs: always 1.")
	fmt.Fprintf(&b, "interleave_node_info{algorithm=%q,process=\"%d\"} 1\n", s.Algorithm, int(s.Process))
	one("leader", "gauge", "The leader in the eyes of this process, 0 if it knows none.", int(s.Leader))
	one("incarnation", "gauge", "How often this process was started.", s.Incarnation)
	one("elections_total", "counter", "How often this process came to know a leader.", s.Elections)
	one("steps_total", "counter", "Steps of the algorithm.", s.Steps)
	one("refused_total", "counter", "Events that the algorithm refused.", s.Refused)
	one("told_total", "counter", "What the algorithm told its user.", s.Told)
	many("messages_sent_total", "kind", "Messages sent.", s.Sent)
	many("messages_received_total", "kind", "Messages handed to the algorithm.", s.Received)
	one("frames_sent_total", "counter", "Frames sent, of all kinds.", s.Frames)
	one("resent_total", "counter", "Frames sent again, for want of an acknowledgement.", s.Resent)
	one("given_up_total", "counter", "Messages given up, because the peer went down or the line was full.", s.GivenUp)
	many("dropped_total", "reason", "Packets received and not heeded.", s.Dropped)
	many("lost_total", "reason", "Frames that the transport could not send.", s.Lost)
	breaches := map[string]uint64{}
	for _, kind := range BreachKinds {
		breaches[string(kind)] = s.Breaches[kind]
	}
	many("breaches_total", "kind", "Assumptions about time seen violated.", breaches)
	flag := func(name, help string, is func(PeerStatus) bool) {
		head(name, "gauge", help)
		for _, p := range s.Peers {
			value := 0
			if is(p) {
				value = 1
			}
			fmt.Fprintf(&b, "interleave_%s{peer=\"%d\"} %d\n", name, int(p.Process), value)
		}
	}
	flag("suspected", "1 if this process suspects the peer to be down.", func(p PeerStatus) bool { return p.Suspected })
	flag("peer_met", "1 if this process and the peer have heard each other.", func(p PeerStatus) bool { return p.Met })
	flag("peer_refused", "1 if this process and the peer do not speak with each other.", func(p PeerStatus) bool { return p.Refused != "" })
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	one("goroutines", "gauge", "Goroutines of this program.", runtime.NumGoroutine())
	one("heap_bytes", "gauge", "Bytes of live and not yet swept objects.", memory.HeapAlloc)
	return b.String()
}
