// Package catalog lists the elections that come with Interleave.
package catalog

import (
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
)

// Machines are the algorithms, the default variant of each family first.
var Machines = []spec.Machine{
	changroberts.Classic,
	changroberts.Textbook,
	changroberts.Naive,
	changroberts.Detecting,
	bully.Mended,
	bully.Published,
	bully.Unguarded,
}

// Aliases are the short names under which the algorithms go in our notes.
var Aliases = map[string]string{
	"cr-tla":   "chang-roberts/classic",
	"cr-text":  "chang-roberts/textbook",
	"cr-naive": "chang-roberts/naive",
	"cr-fd":    "chang-roberts/detecting",
	"tb":       "bully/mended",
	"tb-fix":   "bully/mended",
	"tb-pub":   "bully/published",
}
