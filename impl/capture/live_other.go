//go:build !linux

package capture

import "fmt"

// Live captures what goes over the loopback interface, under Linux; elsewhere
// it returns ErrNoLive.
func Live(Options) (*Reader, error) { return nil, fmt.Errorf("capture: %w", ErrNoLive) }
