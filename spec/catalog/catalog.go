// Package catalog lists the algorithms that come with Interleave: Machines has them, elections first,
// Mutants has variants with one planted bug each, to try checks on, and Aliases has short names.
//
// A program that has algorithms of its own lists them itself: see cli.Program in cmd/mc/cli.
package catalog

import (
	"slices"

	"interleave/spec"
	"interleave/spec/ble"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/fastbully"
	"interleave/spec/itairodeh"
	"interleave/spec/lock"
	"interleave/spec/paxos"
	"interleave/spec/strikebully"
	"interleave/spec/syncbully"
	"interleave/spec/syncring"
	"interleave/spec/tokenring"
	"interleave/spec/twophasecommit"
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
	strikebully.Mended,
	strikebully.Published,
	fastbully.Mended,
	fastbully.Published,
	tokenring.Mended,
	tokenring.PublishedA,
	tokenring.PublishedB,
	ble.Mended,
	ble.Published,
	ble.Majority,
	ble.Quiet,
	syncring.Published,
	syncring.Asynchronous,
	syncbully.Mended,
	syncbully.Published,
	syncbully.Deadline2,
	itairodeh.Finite,
	itairodeh.Published,
	twophasecommit.Mended,
	twophasecommit.Published,
	paxos.SingleDecree,
	paxos.Volatile,
	lock.Mended,
	lock.Published,
}

// Mutants are algorithms of Machines with one bug each: a check that cannot tell
// one from its original in any world is not worth much.
var Mutants = slices.Concat(
	changroberts.Mutants,
	bully.Mutants,
	strikebully.Mutants,
	fastbully.Mutants,
	tokenring.Mutants,
	ble.Mutants,
	syncring.Mutants,
	syncbully.Mutants,
	itairodeh.Mutants,
	twophasecommit.Mutants,
	paxos.Mutants,
	lock.Mutants,
)

// Aliases are the short names under which the algorithms go in our notes.
var Aliases = map[string]string{
	"cr-tla":   "chang-roberts/classic",
	"cr-text":  "chang-roberts/textbook",
	"cr-naive": "chang-roberts/naive",
	"cr-fd":    "chang-roberts/detecting",
	"tb":       "bully/mended",
	"tb-fix":   "bully/mended",
	"tb-pub":   "bully/published",

	"strike-bully-fix": "strike-bully/mended",
	"strike-bully-pub": "strike-bully/published",
	"strike-fast":      "fast-bully/mended",
	"strike-fast-fix":  "fast-bully/mended",
	"strike-fast-pub":  "fast-bully/published",

	"ring":     "token-ring/mended",
	"ring-fix": "token-ring/mended",
	"ring-a":   "token-ring/published-a",
	"ring-b":   "token-ring/published-b",

	"ble-fix":             "ble/mended",
	"ble-pub":             "ble/published",
	"cr-aau":              "sync-ring/published",
	"cr-aau-async":        "sync-ring/asynchronous",
	"aau-bully-pub":       "sync-bully/published",
	"aau-bully-deadline2": "sync-bully/deadline2",
	"aau-bully-fix":       "sync-bully/mended",

	"2pc": "two-phase-commit/mended",
}
