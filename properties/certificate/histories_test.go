package certificate

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"interleave/model"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/object/objecttest"
)

// crashing is a world for the store.
var crashing = model.Config{N: 2, Network: model.Set, Crashes: 1, Recoveries: 1, Split: true}

// ofCode returns a certificate of existing code, without compression and checksum, and how many states it has.
func ofCode(t testing.TB, m spec.Machine, c model.Config) (text string, states int) {
	t.Helper()
	h, all := passed(t, m, c)
	var file bytes.Buffer
	if err := Write(t.Context(), &file, m, h, slices.Values(all), WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	text = unzip(t, file.Bytes())
	return text[:len(text)-sha256.Size], len(all)
}

// TestHistories: who knows no object yet confirms a pass of existing code by the histories in its certificate.
func TestHistories(t *testing.T) {
	text, states := ofCode(t, objecttest.NewStore(), crashing)
	c, err := Open(bytes.NewReader(zipped(t, text, true)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Check(t.Context(), objecttest.NewStore(), Options{})
	if err != nil || r.States != states || c.Header.Histories < 10 || r.Audits == 0 || len(r.Unseen) != 1 {
		t.Errorf("%v: %+v, of %d states by %d histories", err, r, states, c.Header.Histories)
	}
	if again, _ := ofCode(t, objecttest.NewStore(), crashing); again != text {
		t.Error("the same pass is another file")
	}
}

// TestPersistedHistories: a process that boots from what it has persisted within a step is confirmed, too.
func TestPersistedHistories(t *testing.T) {
	m := objecttest.Diary("write a write persist last write")
	text, states := ofCode(t, m, crashing)
	c, err := Open(bytes.NewReader(zipped(t, text, true)))
	if err != nil {
		t.Fatal(err)
	}
	if r, err := c.Check(t.Context(), m.Traits().Code.Fresh(), Options{}); err != nil || r.States != states {
		t.Errorf("%v: %+v, of %d states", err, r, states)
	}
}

// TestNeededHistories: what else is known of the code makes no difference.
func TestNeededHistories(t *testing.T) {
	text, _ := ofCode(t, objecttest.NewStore(), crashing)
	m := objecttest.NewStore()
	ofCode(t, m, model.Config{N: 3, Network: model.Set})
	if again, _ := ofCode(t, m, crashing); again != text {
		t.Error("it is another file")
	}
}

// TestForgedHistories: histories that are missing, do not happen, or make other states, are one clear error.
func TestForgedHistories(t *testing.T) {
	good, _ := ofCode(t, objecttest.NewStore(), model.Config{N: 2, Network: model.Set})
	header, rest, _ := strings.Cut(good, "\n")
	count := regexp.MustCompile(`"histories":([0-9]+),`).FindStringSubmatch(header)
	histories := strings.SplitAfter(rest, "\n")
	number, _ := strconv.Atoi(count[1])
	states := strings.Join(histories[number:], "")
	histories = histories[:number]
	with := func(histories []string) string {
		return strings.Replace(header, count[0], fmt.Sprintf(`"histories":%d,`, len(histories)), 1) + "\n" + strings.Join(histories, "") + states
	}
	edit := func(old, new string) string {
		all := strings.Join(histories, "")
		if !strings.Contains(all, old) {
			t.Fatalf("%q does not stand in %s", old, all)
		}
		return header + "\n" + strings.Replace(all, old, new, 1) + states
	}
	if with(histories) != good {
		t.Fatalf("there are other histories than %s", histories)
	}
	for name, c := range map[string]struct {
		text, want string
		refuted    bool
	}{
		"none":           {strings.Replace(with(nil), `"histories":0,`, "", 1), "no history leads process 1 to its local state {Log:[] Committed:0}", true},
		"one too few":    {with(histories[:number-1]), "to its local state", true},
		"a wrong number": {strings.Replace(good, count[0], `"histories":-7,`, 1), "line 1: -7 histories are out of range", false},
		"one too many":   {strings.Replace(good, count[0], fmt.Sprintf(`"histories":%d,`, number+1), 1), "it is not as it was written", false},
		"no process":     {edit(`{"Process":1`, `{"Process":9`), "line 2, history 1 of", false},
		"no boot":        {edit(`"Kind":7}`, `"Kind":2}`), "what begins a history is a boot from a disk, and nothing else is", false},
		"nothing before": {edit(`"After":1`, `"After":99`), "it goes on with no history of its process that stands before it", false},
		"of another":     {edit(`{"Process":1,"After":1`, `{"Process":2,"After":1`), "it goes on with no history of its process that stands before it", false},
		"another event":  {edit(`"Value":7`, `"Value":6`), "to its local state", true},
		"no such action": {edit(`"Kind":1`, `"Kind":1,"Action":3`), "it has a value, which its event has not", false},
		"a panic":        {edit(`"Message":{"Kind":"ack","Index":1`, `"Message":{"Kind":"ack","Index":5`), "does not happen: process 1 panics", true},
		"another disk":   {edit(`{"Log":null,"Committed":0}`, `{"Log":[5],"Committed":0}`), "to its local state", true},
		"a booted disk":  {edit(`"Text":""`, `"Text":"00"`), "history 1 does not happen: algorithm store/kept: no history is known", true},
		"something more": {edit(`{"Process":1`, `{"Colour":3,"Process":1`), "it is not as it was written, which is ", false},
	} {
		err := read(t, objecttest.NewStore(), zipped(t, c.text, true))
		if refuted := (*RefutedError)(nil); err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &refuted) != c.refuted {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
}

// TestChangedCode: a certificate is of the very code.
func TestChangedCode(t *testing.T) {
	text, _ := ofCode(t, objecttest.NewStore(), crashing)
	text = strings.ReplaceAll(text, `"store/kept"`, `"store/kept~forgetful"`)
	if err := read(t, objecttest.Forgetful, zipped(t, text, true)); !errors.As(err, new(*RefutedError)) {
		t.Error(err)
	}
	if err := read(t, bully.Mended, zipped(t, strings.ReplaceAll(text, `"store/kept~forgetful"`, `"bully/mended"`), true)); err == nil {
		t.Error("an algorithm has histories")
	}
}

// FuzzHistories wants no panic from any histories, and that none that are forged confirm more than there is.
func FuzzHistories(f *testing.F) {
	good, states := ofCode(f, objecttest.NewStore(), model.Config{N: 2, Network: model.Set})
	f.Add([]byte(good))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Open(bytes.NewReader(zipped(t, string(text), true)))
		if err != nil || c.Header.Algorithm != "store/kept" || c.Header.Config.N > 2 || c.Header.Config.Crashes > 0 || c.Header.Config.Losses > 0 {
			return
		}
		if r, err := c.Check(t.Context(), objecttest.NewStore(), Options{}); err == nil && r.States < states && c.Header.Config.N == 2 && c.Header.Config.Network == model.Set {
			t.Errorf("%d states are confirmed, and there are %d", r.States, states)
		}
	})
}
