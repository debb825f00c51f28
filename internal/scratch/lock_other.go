//go:build !unix || solaris || aix

package scratch

import "os"

// lock cannot tell here whether somebody else has locked a file.
func lock(*os.File) (done, known bool) { return true, false }
