// Package early starts the guard of mc before other packages are initialized, which would take
// many times as long as the guard itself. Nothing else depends on it. Only a main package that
// calls cli.Main may import it:
//
//	import _ "interleave/cmd/mc/guard/early"
package early

import "interleave/cmd/mc/guard"

func init() { guard.Start(guard.Verbs) }
