package impl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"

	"interleave/impl/runlog"
)

// handler serves a node: see Node.Handler.
func handler(n *Node) http.Handler {
	mux, status := http.NewServeMux(), n.Status
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if s := status(); s.Incarnation == 0 || s.Failed != "" {
			http.Error(w, "not running: "+s.Failed, http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if why := status().ready(); why != "" {
			http.Error(w, why, http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		_ = e.Encode(status())
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = io.WriteString(w, metrics(status()))
	})
	mux.HandleFunc("POST /actions/{name}", func(w http.ResponseWriter, r *http.Request) {
		if status().Since.IsZero() {
			http.Error(w, "it has not taken its first step", http.StatusServiceUnavailable)
			return
		}
		value, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxValue))
		if err != nil {
			http.Error(w, fmt.Sprintf("the value: %v", err), http.StatusBadRequest)
			return
		}
		outputs, err := askFor(n, w, r, value)
		for why, code := range statusCodes {
			if errors.Is(err, why) {
				http.Error(w, err.Error(), code)
				return
			}
		}
		if err == nil { // else the client is gone
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(append([]json.RawMessage{}, outputs...))
		}
	})
	return http.NewCrossOriginProtection().Handler(mux) // no page of another site may ask for an action
}

// askFor asks for the action of an HTTP request, and waits for its answer as long as ?wait says.
func askFor(n *Node, w http.ResponseWriter, r *http.Request, value []byte) ([]json.RawMessage, error) {
	name, query := r.PathValue("name"), r.URL.Query()
	if !query.Has("wait") {
		return n.Ask(r.Context(), name, value)
	}
	wait, err := time.ParseDuration(query.Get("wait"))
	if err != nil || wait <= 0 {
		return nil, fmt.Errorf("%w: ?wait=%s is no time to wait: write it as in ?wait=2s", ErrValue, query.Get("wait"))
	}
	ctx, cancel := context.WithTimeout(r.Context(), wait)
	defer cancel()
	over, _ := ctx.Deadline()
	for _, until := range []func(time.Time) error{http.NewResponseController(w).SetReadDeadline, http.NewResponseController(w).SetWriteDeadline} {
		_ = until(over.Add(5 * time.Second)) // a server may give less time to all others
	}
	outputs, err := n.Await(ctx, name, value)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%w: process %v was too busy to do it: ask again", ErrNotUp, n.config.ID)
	}
	return outputs, err
}

// maxValue bounds the value of a request in bytes.
const maxValue = 1 << 20

var statusCodes = map[error]int{
	ErrNoAction: http.StatusNotFound, ErrValue: http.StatusBadRequest, ErrRefused: http.StatusConflict, ErrNotUp: http.StatusServiceUnavailable,
	ErrNoAnswer: http.StatusGatewayTimeout, ErrUnclear: http.StatusInternalServerError,
}

// metrics returns a status in the text format of Prometheus. docs/node.md lists the
// metrics.
func metrics(s Status) string {
	var m exposition
	m.head("node_info", "gauge", "What runs: always 1.")
	fmt.Fprintf(&m, "interleave_node_info{algorithm=%q,process=\"%d\"} 1\n", s.Algorithm, int(s.Process))
	m.one("incarnation", "gauge", "How often this process was started.", s.Incarnation)
	if s.Elected != nil {
		m.one("leader", "gauge", "The leader in the eyes of this process, 0 if it knows none.", int(s.Leader))
		m.one("elections_total", "counter", "How often this process came to know a leader.", s.Elections)
	}
	m.one("steps_total", "counter", "Steps of the algorithm.", s.Steps)
	m.one("refused_total", "counter", "Events that the algorithm refused.", s.Refused)
	m.one("outputs_total", "counter", "What the algorithm output to its user.", s.Outputs)
	m.many("messages_sent_total", "kind", "Messages sent.", s.Sent)
	m.many("messages_received_total", "kind", "Messages handed to the algorithm.", s.Received)
	m.one("frames_sent_total", "counter", "Frames sent, of all kinds.", s.Frames)
	m.one("resent_total", "counter", "Frames sent again, for want of an acknowledgement.", s.Resent)
	m.one("given_up_total", "counter", "Messages given up, because the peer went down or the line was full.", s.GivenUp)
	m.many("dropped_total", "reason", "Packets received and not heeded.", s.Dropped)
	m.many("lost_total", "reason", "Frames that the transport could not send.", s.Lost)
	breaches := map[string]uint64{}
	for _, kind := range runlog.BreachKinds {
		breaches[string(kind)] = s.Breaches[kind]
	}
	m.many("breaches_total", "kind", "Assumptions about time seen violated.", breaches)
	m.flag("suspected", "1 if this process suspects the peer to be down.", s.Peers, func(p PeerStatus) bool { return p.Suspected })
	m.flag("peer_met", "1 if this process and the peer have heard each other.", s.Peers, func(p PeerStatus) bool { return p.Met })
	m.flag("peer_refused", "1 if this process and the peer do not speak with each other.", s.Peers, func(p PeerStatus) bool { return p.Refused != "" })
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	m.one("goroutines", "gauge", "Goroutines of this program.", runtime.NumGoroutine())
	m.one("heap_bytes", "gauge", "Bytes of live and not yet swept objects.", memory.HeapAlloc)
	return m.String()
}

// exposition is a text of metrics as Prometheus reads it.
type exposition struct{ strings.Builder }

// head begins a metric.
func (m *exposition) head(name, kind, help string) {
	fmt.Fprintf(m, "# HELP interleave_%s %s\n# TYPE interleave_%s %s\n", name, help, name, kind)
}

// one adds a metric that has one value.
func (m *exposition) one(name, kind, help string, value any) {
	m.head(name, kind, help)
	fmt.Fprintf(m, "interleave_%s %v\n", name, value)
}

// many adds a counter that has a value for each of some labels.
func (m *exposition) many(name, label, help string, values map[string]uint64) {
	m.head(name, "counter", help)
	for _, key := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(m, "interleave_%s{%s=%q} %d\n", name, label, key, values[key])
	}
}

// flag adds a gauge that is 1 or 0 for each peer.
func (m *exposition) flag(name, help string, peers []PeerStatus, is func(PeerStatus) bool) {
	m.head(name, "gauge", help)
	for _, p := range peers {
		value := 0
		if is(p) {
			value = 1
		}
		fmt.Fprintf(m, "interleave_%s{peer=\"%d\"} %d\n", name, int(p.Process), value)
	}
}
