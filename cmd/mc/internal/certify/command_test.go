package certify

import (
	"bytes"
	"testing"

	"interleave/cmd/mc/internal/ui"
	"interleave/properties/certificate"
)

// TestNothingCertified: a certificate that names no property confirms none.
func TestNothingCertified(t *testing.T) {
	var out bytes.Buffer
	if err := tellConfirmed((&ui.UI{Out: &out}), certificate.Header{}, &certificate.Result{}); err != ui.ExitInconclusive {
		t.Errorf("%v: %s", err, &out)
	}
}
