package properties_test

import (
	"fmt"
	"math"
	"testing"

	"interleave/properties"
	"interleave/spec/changroberts"
)

// TestCalmRounds: there is no property about so many rounds that they cannot be counted, nor
// about none, of which all would hold.
func TestCalmRounds(t *testing.T) {
	for _, of := range []func(int) properties.Property{properties.Served, properties.Settled} {
		for k, ok := range map[int]bool{1: true, 1_000_000: true, 0: false, -1: false, 1_000_001: false, math.MaxInt/2 + 1: false, math.MaxInt: false} {
			name := of(1).Name
			name = fmt.Sprintf("%s(%d)", name[:len("LE1")], k)
			if p, named := properties.Named(changroberts.Textbook, name); named != ok || ok && p.Name != name {
				t.Errorf("%s is a property: %v", name, named)
			}
			func() {
				defer func() {
					if said := recover(); (said == nil) != ok {
						t.Errorf("%s: %v", name, said)
					}
				}()
				of(k)
			}()
		}
	}
}
