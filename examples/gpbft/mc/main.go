// Command mc checks the consensus of Filecoin.
package main

import (
	"interleave/cmd/mc/cli"
	"interleave/examples/gpbft"
	"interleave/spec"
)

func main() {
	cli.Main(nil, gpbft.New(gpbft.Options{}), gpbft.New(gpbft.Options{Name: "slow", Slow: spec.SetOf(3)}))
}
