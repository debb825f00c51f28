package node

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestStatusHosts: the status is for those who call a process by an address of loopback, or by a name that it
// knows. Another name is that of a site whose page asks.
func TestStatusHosts(t *testing.T) {
	h := calledBy([]string{"metrics.example", "192.0.2.7", "2001:db8::7"}, http.NotFoundHandler())
	for host, known := range map[string]bool{
		"127.0.0.1:9101": true, "127.0.0.1": true, "127.3.2.1:9101": true, "[::1]:9101": true, "[::1]": true, "localhost:9101": true, "LocalHost": true,
		"metrics.example:1": true, "Metrics.Example": true, "192.0.2.7:9101": true, "[2001:db8::7]:9101": true,
		"": false, ":9101": false, "site.example:9101": false, "localhost.site.example": false, "127.0.0.1.site.example:9101": false, "192.0.2.8": false, "0.0.0.0:9101": false,
		"site.example@localhost": false, "localhost:9101:9101": false,
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "/status", nil)
		r.Host = host
		h.ServeHTTP(w, r)
		if want := map[bool]int{true: http.StatusNotFound, false: http.StatusMisdirectedRequest}[known]; w.Code != want {
			t.Errorf("%q: %d, want %d", host, w.Code, want)
		}
	}
}
