package node

import (
	"fmt"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/yaml"
	"interleave/spec/catalog"
)

// readSettings reads a node's file as mc node does.
func readSettings(text string) (*settings, error) {
	s := &settings{}
	f := pflag.NewFlagSet("node", pflag.ContinueOnError)
	s.flags(f)
	algorithm, err := readKeys([]byte(text), f)
	s.algorithm = algorithm
	return s, err
}

// TestNodeFile: every flag has its key, and the command line goes before the
// file.
func TestNodeFile(t *testing.T) {
	s, err := readSettings(`algorithm: bully
id: 2
listen: 127.0.0.1:1
peers: {1: "127.0.0.1:2", 3: "127.0.0.1:3"}
transport: tcp
ring: 3,2,1
delta: 50ms
timer:
  T_ok: 150ms
  "T2 (views)": 1s
run: 0x10
initiator: false
alone: true
begin: 2026-01-31T12:00:00Z
data: d
log: l
http: 127.0.0.1:4
status-host: [a, b]
key-file: k
insecure: true
unsafe-timers: true
datagrams: true
json: true
`)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%+v", *s)
	want := "{file: algorithm:bully id:2 run:0x10 ring:3,2,1 listen:127.0.0.1:1 transport:tcp begin:2026-01-31T12:00:00Z " +
		"peers:map[1:127.0.0.1:2 3:127.0.0.1:3] timers:map[T2 (views):1s T_ok:150ms] delta:50000000 initiator:false alone:true " +
		"datagrams:true insecure:true unsafeTimers:true keyFile:k data:d log:l http:127.0.0.1:4 statusHost:[a b] json:true}"
	if got != want {
		t.Errorf("read as\n%s, want\n%s", got, want)
	}
	f := pflag.NewFlagSet("node", pflag.ContinueOnError)
	s = &settings{}
	s.flags(f)
	if err := f.Parse([]string{"--id", "7"}); err != nil {
		t.Fatal(err)
	}
	if _, err := readKeys([]byte("id: 2\ndelta: 1s\n"), f); err != nil || s.id != "7" || s.delta != time.Second {
		t.Errorf("id %s, delta %v: %v", s.id, s.delta, err)
	}
}

// FuzzNodeFile wants a file to be read or refused with its line, whatever it
// is.
func FuzzNodeFile(f *testing.F) {
	f.Add("algorithm: bully\nid: 2\npeers:\n  1: 127.0.0.1:7001\ntimer: {T_ok: 1s}\nring: [1, 2]\n")
	f.Add("peers: {1: 'a,b'}")
	f.Add("ring:\n- [1]\n")
	f.Add("timer: {a: {b: c}}")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := readSettings(text)
		if err != nil {
			if yaml.Placed("f", err).Error() == err.Error() {
				t.Errorf("no place: %v", err)
			}
			return
		}
		_, _ = s.complete(names.New(catalog.Machines, catalog.Aliases))
	})
}
