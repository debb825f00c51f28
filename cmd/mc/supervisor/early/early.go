// Package early starts the supervisor of mc before other packages are initialized, which would take
// many times as long as the supervisor itself. Nothing else depends on it. Only a main package that
// calls cli.Main may import it:
//
//	import _ "interleave/cmd/mc/supervisor/early"
package early

import "interleave/cmd/mc/supervisor"

func init() { supervisor.Start(supervisor.Verbs) }
