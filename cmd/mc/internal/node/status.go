package node

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"interleave/impl"
)

// serve serves the node's status to those who call it by its address or by one of some names, and
// returns what ends that.
func serve(address string, names []string, node *impl.Node, logger *slog.Logger) (stop func(), err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--http %s: %w", address, err)
	}
	server := &http.Server{Handler: calledBy(names, node.Handler()), ReadTimeout: 5 * time.Second, WriteTimeout: 5 * time.Second, MaxHeaderBytes: 1 << 14}
	logger.Info("serves", "http", "http://"+listener.Addr().String()+"/status")
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener)
	}()
	return func() { _ = server.Close(); <-done }, nil
}

// calledBy refuses requests by another name than localhost, an address of loopback, or one of some
// names. Otherwise a page of any site could read the answers in a browser on this machine, once the name
// of the site leads here.
func calledBy(names []string, to http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isNamed(r.Host, names) {
			http.Error(w, fmt.Sprintf("this process is not called %q: call it localhost, or start it with --status-host", r.Host), http.StatusMisdirectedRequest)
			return
		}
		to.ServeHTTP(w, r)
	})
}

// isNamed reports whether the host of a request, with any port, is one of this process.
func isNamed(host string, names []string) bool {
	name := (&url.URL{Host: host}).Hostname()
	if a, err := netip.ParseAddr(name); err == nil && a.IsLoopback() {
		return true
	}
	return strings.EqualFold(name, "localhost") || slices.ContainsFunc(names, func(known string) bool { return strings.EqualFold(name, known) })
}

// isHost reports whether a text may be the name of a machine, or its address.
func isHost(name string) bool {
	_, err := netip.ParseAddr(name)
	return err == nil || name != "" && !strings.ContainsAny(name, ":/[]@* ")
}
