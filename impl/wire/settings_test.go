package wire_test

import (
	"reflect"
	"testing"
	"time"

	"interleave/impl/wire"
	"interleave/spec"
)

// TestSettings: what processes say of their settings is read as it was meant, but for delta; and
// two that differ are told in what.
func TestSettings(t *testing.T) {
	free := wire.Settings{Ring: []spec.ID{2, 1, 3}, Datagrams: true}
	inStep := wire.Settings{Ring: []spec.ID{1}, Begin: time.Date(2026, 1, 31, 12, 0, 0, 1, time.UTC), Round: 200 * time.Millisecond}
	for _, want := range []wire.Settings{free, inStep} {
		said := want
		said.Delta = time.Second
		if got, err := wire.ParseSettings(said.String()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v, %v", said, got, err)
		}
	}
	if got := wire.DiffSettings(free.String(), inStep.String()); got != "ring 2,1,3; datagrams true" {
		t.Error(got)
	}
	if got, err := wire.ParseSettings(""); err != nil || got.Ring != nil {
		t.Errorf("nothing said: %+v, %v", got, err)
	}
	for text, want := range map[string]string{
		"ring 1,1":       `that their ring is "1,1": that does not name each of the processes 1 to 2 once`,
		"round 1 minute": `"round 1 minute": time: unknown unit " minute" in duration "1 minute"`,
	} {
		if _, err := wire.ParseSettings(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
