//go:build !unix

package filelock

import "os"

// Lock keeps nobody from anything: there is no lock that ends with its process.
func Lock(*os.File) error { return nil }
