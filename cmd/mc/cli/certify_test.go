package cli

import (
	"bytes"
	"testing"

	"interleave/properties/certificate"
)

// TestNothingCertified: a certificate that names no property confirms none.
func TestNothingCertified(t *testing.T) {
	var out bytes.Buffer
	if err := (&tool{out: &out}).tellConfirmed(certificate.Header{}, &certificate.Result{}); err != exitStatus(exitInconclusive) {
		t.Errorf("%v: %s", err, &out)
	}
}
