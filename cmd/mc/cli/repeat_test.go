package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/cmd/mc/internal/world"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/spec/catalog"
)

// TestRepeatLine pins what to type to see the same again: the full name, the
// number of processes, and whatever differs from the algorithm's own world.
func TestRepeatLine(t *testing.T) {
	testsize.Alone(t)
	for typed, want := range map[string]string{
		"verify bully":                                       "verify bully/mended --n 3",
		"verify tb-pub --n 2":                                "verify bully/published --n 2",
		"verify cr-tla --network set":                        "verify chang-roberts/classic --n 3",
		"verify cr-tla --network fifo":                       "verify chang-roberts/classic --n 3 --network fifo",
		"verify cr-tla --initiators all":                     "verify chang-roberts/classic --n 3 --initiators all",
		"verify cr-tla --initiators 3,1":                     "verify chang-roberts/classic --n 3 --initiators 1,3",
		"verify cr-tla --ring ascending":                     "verify chang-roberts/classic --n 3",
		"verify cr-tla --ring descending":                    "verify chang-roberts/classic --n 3 --ring 3,2,1",
		"verify cr-tla --ring all":                           "verify chang-roberts/classic --n 3 --ring all",
		"verify bully --split --crashes 1":                   "verify bully/mended --n 3 --crashes 1 --split",
		"verify bully --split=false --crashes 1":             "verify bully/mended --n 3 --crashes 1",
		"verify bully --property t,s-self":                   "verify bully/mended --n 3 --property termination --property winner-is-top",
		"verify bully --continue --max-depth 4":              "verify bully/mended --n 3 --continue --max-depth 4",
		"verify bully --max-states 9 --workers 2":            "verify bully/mended --n 3 --max-states 9",
		"verify bully --start leader-down --stats":           "verify bully/mended --n 3 --start leader-down",
		"verify cr-fd --detector flushed --n 2":              "verify chang-roberts/detecting --n 2 --detector flushed",
		"verify bully --timers just --start cold":            "verify bully/mended --n 3 --timers just",
		"verify bully --initiators any --crashes 0":          "verify bully/mended --n 3 --initiators any",
		"verify bully --full-states --network bag":           "verify bully/mended --n 3 --network bag",
		"verify bully --crashes 2 --network fifo":            "verify bully/mended --n 3 --crashes 2",
		"verify bully --mem 64MiB --timeout 1h":              "verify bully/mended --n 3 --mem 64MiB --timeout 1h0m0s",
		"verify bully --mem 8GiB --spill .":                  "verify bully/mended --n 3 --spill .",
		"verify bully --mem 64MiB --spill .":                 "verify bully/mended --n 3 --mem 64MiB --spill .",
		"verify bully --n 2 --store bits --mem 9MiB":         "verify bully/mended --n 2 --store bits --mem 9MiB",
		"verify bully --n 2 --store bits":                    "verify bully/mended --n 2 --store bits",
		"verify cr-text --ring 2,3,1 --property termination": "verify chang-roberts/textbook --n 3 --ring 2,3,1 --property termination",
		"verify cr-naive --crashes 3 --n 3 --direct":         "verify chang-roberts/naive --n 3 --crashes 3 --direct",
	} {
		if have := repeatLine(t, typed, mc(t.Context(), typed)); have != want {
			t.Errorf("%s\nis repeated with %s\nand not with   %s", typed, have, want)
		}
	}
}

// axisValues are values of each axis as flags, the empty one for its default.
var axisValues = map[string][]string{
	"ring":       {"", "--ring descending", "--ring 2,1,3", "--ring all"},
	"initiators": {"", "--initiators all", "--initiators 1,3", "--initiators any"},
	"network":    {"", "--network fifo", "--network bag", "--network set"},
	"crashes":    {"", "--crashes 1", "--crashes 2 --split"},
	"detector":   {"", "--detector perfect", "--detector flushed"},
	"timers":     {"", "--timers mixed", "--timers just", "--timers any"},
	"start":      {"", "--start leader-down"},
	"strong":     {"", "--strong all"},
	"unfair":     {"", "--unfair all"},
}

// TestRepeatLineRepeats types the values of any two axes together, and then
// what the report says: it is the same world and the same search.
func TestRepeatLineRepeats(t *testing.T) {
	testsize.Alone(t)
	varied := map[string]bool{}
	for i, m := range catalog.Machines {
		all := pairs(world.Axes(m.Traits()))
		family := names.Family(m.Traits().Name) + " " + strings.Join(all, "; ")
		if i%testsize.Of(40, 40, 1) > 0 || varied[family] {
			continue // the axes are those of one of its family
		}
		varied[family] = true
		refused := 0
		again := map[string]search{} // many say the same world
		for _, typed := range all {
			typed = "verify " + m.Traits().Name + " --max-states 1 " + typed
			o := mc(t.Context(), typed)
			if o.status == ui.ExitUsage {
				refused++ // such as a network other than that of lock-step rounds
				continue
			}
			repeated := repeatLine(t, typed, o)
			if _, known := again[repeated]; !known {
				again[repeated] = searched(t, repeated)
			}
			if !reflect.DeepEqual(searched(t, typed), again[repeated]) {
				t.Errorf("%s\nis not repeated by %s", typed, repeated)
			}
		}
		if refused > len(all)-2 {
			t.Errorf("%s: %d of %d are refused", m.Traits().Name, refused, len(all))
		}
	}
}

// pairs returns every combination of values of two of the axes.
func pairs(axes []string) []string {
	var flags []string
	for i, a := range axes {
		for _, b := range axes[:i] {
			for _, x := range axisValues[a] {
				for _, y := range axisValues[b] {
					flags = append(flags, x+" "+y)
				}
			}
		}
	}
	slices.Sort(flags)
	return slices.Compact(flags)
}

// repeatLine returns the command that the report on what was typed says to repeat it with.
func repeatLine(t *testing.T, typed string, o outcome) string {
	t.Helper()
	_, line, found := strings.Cut(strings.TrimSpace(o.out), "\nrepeat with: mc ")
	if !found {
		t.Fatalf("%s: status %d, no command to repeat it\n%s%s", typed, o.status, o.out, o.err)
	}
	return line
}

// search is all that can differ between two searches.
type search struct {
	Algorithm   string
	Config      model.Config
	AllRings    bool `json:"all_rings"`
	Assumptions []string
}

func searched(t *testing.T, commandLine string) (s search) {
	t.Helper()
	if err := json.Unmarshal([]byte(mc(t.Context(), commandLine+" --json").out), &s); err != nil {
		t.Fatalf("%s: %v", commandLine, err)
	}
	return s
}

// TestCommandsAreQuoted: what is said to be typed next can be, whatever a file is called.
func TestCommandsAreQuoted(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("no run", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"verify", "bully/published", "--timers", "any", "--trace-out", "my run"}, "repeat it with: mc replay 'my run'\n"},
		{[]string{"verify", "bully", "--n", "2", "--certificate", "my pass"}, "confirm them with: mc certify 'my pass'\n"},
		{[]string{"certify", "my run"}, "mc replay 'my run'\n"},
		{[]string{"draw", "my pass"}, "mc certify 'my pass'\n"},
		{[]string{"explore", "my pass"}, "mc certify 'my pass'\n"},
		{[]string{"explore", "no run"}, "--dir 'no run' fills it\n"},
		{[]string{"conform", "no run"}, "--dir 'no run' fills it\n"},
		{[]string{"conform", "--logs", "no run"}, "--dir 'no run' fills it\n"},
	} {
		var out, err bytes.Buffer
		Run(t.Context(), c.args, &out, &err, catalog.Aliases, catalog.Machines...)
		if !strings.Contains(err.String(), c.want) {
			t.Errorf("%q: %q is not told:\n%s", c.args, c.want, err.String())
		}
	}
}
