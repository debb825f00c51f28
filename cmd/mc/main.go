// Mc is Interleave's command line: a model checker for elections written in Go.
package main

import (
	"interleave/cmd/mc/cli"
	_ "interleave/cmd/mc/supervisor/early" // before anything else
	"interleave/spec/catalog"
)

func main() {
	cli.Main(catalog.Aliases, append(catalog.Machines, catalog.Mutants...)...)
}
