package cluster

import (
	"bytes"
	"encoding/json"
	"errors"
	"interleave/impl/cluster/network"
	"os"
	"runtime"
	"testing"
)

// Lines reads a log.
func Lines[T any](t *testing.T, file string) (all []T) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, v)
	}
	return all
}

// NeedAddresses fails at an error, but skips where the addresses of loopback
// have to be added first, which under Linux are there.
func NeedAddresses(t *testing.T, err error) {
	t.Helper()
	var missing *network.AddressError
	switch {
	case errors.As(err, &missing) && runtime.GOOS != "linux":
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
}
