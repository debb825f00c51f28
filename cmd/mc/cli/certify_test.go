package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"interleave/properties/certificate"
	"interleave/spec/catalog"
)

// TestFilesFirst: a file that was asked for is there before anything is printed,
// as whoever reads that may have seen enough.
func TestFilesFirst(t *testing.T) {
	for flag, timers := range map[string]string{"--certificate": "flush", "--trace-out": "any"} { // holds, and does not
		path := filepath.Join(t.TempDir(), "file")
		there := errors.New("nothing was printed")
		Run(t.Context(), []string{"verify", "bully", "--timers", timers, "--property", "S-self", flag, path}, writer(func([]byte) {
			if there != nil {
				_, there = os.Stat(path)
			}
		}), io.Discard, catalog.Aliases, catalog.Machines...)
		if there != nil {
			t.Errorf("%s: %v", flag, there)
		}
	}
}

// writer is told what is written.
type writer func(b []byte)

func (w writer) Write(b []byte) (int, error) {
	w(b)
	return len(b), nil
}

// TestNothingCertified: a certificate that names no property confirms none.
func TestNothingCertified(t *testing.T) {
	var out bytes.Buffer
	if err := (&tool{out: &out}).tellConfirmed(certificate.Header{}, &certificate.Result{}); err != exitStatus(exitInconclusive) {
		t.Errorf("%v: %s", err, &out)
	}
}
