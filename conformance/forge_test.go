package conformance_test

import (
	"sync"
	"testing"
	"time"

	"interleave/conformance/forge"
	"interleave/impl/runlog"
	"interleave/spec/ble"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/fastbully"
	"interleave/spec/syncbully"
	"interleave/spec/tokenring"
)

var once struct {
	sync.Mutex
	honest [][][]byte
}

// honest are the runs that the tests of forged logs begin with.
func honest(t *testing.T) (runs [][][]byte) {
	once.Lock()
	defer once.Unlock()
	if once.honest != nil {
		return once.honest
	}
	for _, pl := range []plan{
		{machine: bully.Mended, n: 3, seed: 1, crashes: 3},
		{machine: ble.Mended, n: 2, seed: 2, crashes: 2, loss: 10, length: time.Second},
		{machine: fastbully.Mended, n: 3, seed: 5, crashes: 4},
		{machine: tokenring.Mended, n: 3, seed: 4, crashes: 2},
		{machine: changroberts.Classic, n: 4, seed: 5},
		{machine: changroberts.Detecting, n: 3, seed: 6, crashes: 2},
		{machine: syncbully.Mended, n: 3, seed: 6, crashes: 1},
	} {
		if pl.length == 0 {
			pl.length = 2 * time.Second
		}
		runs = append(runs, pl.play(t))
	}
	runs = append(runs, [][]byte{asks().end().log(), answers().end().log()})
	once.honest = runs
	return runs
}

// parse reads the whole lines of a log.
func parse(t testing.TB, log []byte) []*runlog.Record {
	t.Helper()
	records, err := forge.Records(log)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// seal writes records as a forger would who knows how the chain is computed.
func seal(t testing.TB, records []*runlog.Record, renumber bool) []byte {
	log, err := forge.Seal(records, renumber)
	if err != nil {
		t.Fatal(err)
	}
	return log
}
