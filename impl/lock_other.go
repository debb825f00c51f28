//go:build !unix

package impl

import "os"

// lockFile opens a file. Nothing keeps another process from doing so, too.
func lockFile(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
}
