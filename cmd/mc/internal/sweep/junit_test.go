package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/properties"
	"interleave/spec/catalog"
)

// junitShape says which attributes and children each element of JUnit may have, and
// which attributes it must have. JUnit has no schema of its own; that of Jenkins, which
// TestJUnitSchema takes, leaves more open.
var junitShape = map[string]struct {
	must, may, within string
}{
	"testsuites": {"tests failures errors", "name time", ""},
	"testsuite":  {"name tests failures errors skipped time", "", "testsuites"},
	"testcase":   {"name classname time", "", "testsuite"},
	"failure":    {"message type", "", "testcase"},
	"error":      {"message type", "", "testcase"},
	"skipped":    {"", "", "testcase"},
	"system-out": {"", "", "testcase"},
}

// TestJUnit: what is written has the shape of JUnit, and counts right.
func TestJUnit(t *testing.T) {
	drawn := 0
	for name, text := range sweeps {
		cases := 0
		for _, flags := range []string{"", "--fail-fast"} {
			t.Run(name+flags, func(t *testing.T) {
				_, written, _ := swept(t, text, flags)
				all := readJUnit(t, written)
				drawn += bytes.Count(written, []byte("in the eyes of each"))
				if flags == "" {
					cases = len(all.Suites)
				} else if len(all.Suites) != cases {
					t.Errorf("%d configurations of %d are told: those that were not run are left out", len(all.Suites), cases)
				}
			})
		}
	}
	if drawn == 0 {
		t.Error("no failure shows a run")
	}
	s := sweepOf(t, sweeps["many"])
	for i, c := range s.cases {
		s.results = append(s.results, result{configuration: c, stats: properties.Stats{Seconds: float64(i + 1)}})
	}
	var out bytes.Buffer
	if err := writeJUnit(&out, &s.outcome); err != nil || !strings.Contains(out.String(), `errors="0" time="6.000">`) {
		t.Errorf("%v: the times are not added up:\n%.200s", err, out.String())
	}
}

// readJUnit reads a document of JUnit, and wants what it counts to be what is in it.
func readJUnit(t *testing.T, written []byte) (all junitSuites) {
	t.Helper()
	shaped(t, written)
	if err := xml.Unmarshal(written, &all); err != nil {
		t.Fatal(err)
	}
	tests, failures, errs := 0, 0, 0
	for _, s := range all.Suites {
		failed, erred, skipped := 0, 0, 0
		for _, c := range s.Cases {
			if c.Failure != nil {
				failed++
			}
			if c.Error != nil {
				erred++
			}
			if c.Skipped != nil {
				skipped++
			}
		}
		if have, want := [...]int{s.Tests, s.Failures, s.Errors, s.Skipped}, [...]int{len(s.Cases), failed, erred, skipped}; have != want {
			t.Errorf("%s: tests, failures, errors, skipped are %v, not %v", s.Name, have, want)
		}
		tests, failures, errs = tests+s.Tests, failures+s.Failures, errs+s.Errors
	}
	if have, want := [...]int{all.Tests, all.Failures, all.Errors}, [...]int{tests, failures, errs}; have != want {
		t.Errorf("tests, failures, errors are %v, not %v", have, want)
	}
	return all
}

// contradicted runs a sweep of three configurations, the second of which is of an
// algorithm that is not true to itself.
func contradicted(t *testing.T, flags string) (o ran, junit, found []byte) {
	t.Helper()
	bully, err := names.Table{Algorithms: catalog.Machines}.Find("bully/published")
	if err != nil {
		t.Fatal(err)
	}
	ring, err := names.Table{Algorithms: catalog.Machines}.Find("chang-roberts/classic")
	if err != nil {
		t.Fatal(err)
	}
	left := 39 // as many timeouts as the check asks for; the counterexample, written and read, has one more
	return swept(t, `version: 1
rows:
  - {algorithm: chang-roberts/classic, n: 2, expect: {winner-is-top: holds}}
  - {algorithm: bully/published, timers: any, max-depth: 3, expect: {winner-is-top: violated}}
  - {algorithm: chang-roberts/classic, n: 3, expect: {winner-is-top: holds}}
`, "--workers 1"+flags, ring, fickle{bully, &left})
}

// TestFailureIsTold: where a configuration cannot be run, that one is an error, and those
// after it are skipped; the sweep is not whole.
func TestFailureIsTold(t *testing.T) {
	o, junit, found := contradicted(t, "")
	o.expect(t, ui.ExitContradicted, "3 configurations, 1 as expected, 2 not run")
	all := readJUnit(t, junit)
	if len(all.Suites) != 3 || all.Errors != 1 || all.Failures != 0 {
		t.Fatalf("%s", junit)
	}
	passed, failed, skipped := all.Suites[0].Cases[0], all.Suites[1].Cases[0], all.Suites[2].Cases[0]
	if passed.Error != nil || passed.Skipped != nil || failed.Error == nil || failed.Skipped != nil || skipped.Error != nil || skipped.Skipped == nil {
		t.Fatalf("%s", junit)
	}
	if e := failed.Error; o.err != "mc: error: "+e.Message+"\n" || !strings.Contains(e.Message, "bully/published n=3 timers=any: interleave contradicts itself: ") ||
		!strings.Contains(e.Text, "\nrepeat with: mc verify bully/published --n 3 --timers any ") {
		t.Errorf("%+v, and printed: %s", e, o.err)
	}
	var log sarifLog
	if err := errors.Join(checkSARIF(found), json.Unmarshal(found, &log)); err != nil || log.Runs[0].Invocations[0].Successful {
		t.Errorf("%v: a sweep that failed is said to be whole", err)
	}
	if all := log.Runs[0].Invocations[0].Notifications; len(all) != 1 || !strings.HasPrefix(all[0].Message.Text, failed.Error.Message+". Repeat with: mc verify") || all[0].Locations[0].Physical.Region.StartLine != 4 {
		t.Errorf("%+v in SARIF", all)
	}
	t.Run("github", func(t *testing.T) {
		summary := filepath.Join(t.TempDir(), "summary.md")
		t.Setenv("GITHUB_STEP_SUMMARY", summary)
		o, _, _ := contradicted(t, " --github")
		if want := "sweep.yaml,line=4,title=bully/published n=3 timers=any::"; !strings.Contains(o.err, want) || !strings.Contains(o.err, "interleave contradicts itself: ") {
			t.Errorf("%s", o.err)
		}
		text, err := os.ReadFile(summary)
		if err != nil || !strings.Contains(string(text), "**It could not be run:** ") || !strings.Contains(string(text), "Repeat with: `mc verify bully/published --n 3 --timers any ") {
			t.Errorf("%v: %s", err, text)
		}
	})
	t.Run("json", func(t *testing.T) {
		o, _, _ := contradicted(t, " --json")
		var d document
		if err := json.Unmarshal([]byte(o.out), &d); err != nil || d.Failed == nil {
			t.Fatalf("%v: %s", err, o.out)
		}
		if f := d.Failed; f.Line != 4 || f.Algorithm != "bully/published" || f.World != "n=3 timers=any" || !strings.Contains(f.Why, "contradicts itself") || !strings.HasPrefix(f.Repeat, "mc verify ") {
			t.Errorf("%+v", f)
		}
	})
}

// TestInterruptIsAnError: of an interrupted sweep the configuration under way is an error, or a CI that
// reads only this file would be content. The rest is skipped.
func TestInterruptIsAnError(t *testing.T) {
	s := sweepOf(t, sweeps["none"])
	s.cases = append(s.cases, s.cases...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.tool, s.progress = &ui.UI{Out: io.Discard, Err: io.Discard}, ui.NewProgress(&ui.UI{Err: io.Discard})
	s.failure = s.run(ctx, nil)
	var out bytes.Buffer
	if err := writeJUnit(&out, &s.outcome); err != nil {
		t.Fatal(err)
	}
	all := readJUnit(t, out.Bytes())
	if all.Errors != 1 || len(all.Suites) != 2 || all.Suites[0].Errors != 1 || all.Suites[1].Skipped != 1 {
		t.Fatalf("%s", out.String())
	}
	if e := all.Suites[0].Cases[0].Error; !strings.HasPrefix(e.Message, "interrupted") || !strings.Contains(e.Text, "\nrepeat with: mc verify ") {
		t.Errorf("%+v", e)
	}
}

// TestJUnitSchema holds what is written against the schema of Jenkins, if JUNIT_XSD
// says where it is: we may not pass it on. The gate fetches it.
func TestJUnitSchema(t *testing.T) {
	schema := os.Getenv("JUNIT_XSD")
	if schema == "" {
		t.Skip("JUNIT_XSD does not name jenkins-junit.xsd")
	}
	valid := func(t *testing.T, written []byte) {
		file := filepath.Join(t.TempDir(), "junit.xml")
		put(t, file, string(written))
		if out, err := exec.Command("xmllint", "--noout", "--schema", schema, file).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	for name, text := range sweeps {
		for _, flags := range []string{"", "--fail-fast"} {
			t.Run(name+flags, func(t *testing.T) {
				_, written, _ := swept(t, text, flags)
				valid(t, written)
			})
		}
	}
	t.Run("unlocked", func(t *testing.T) {
		_, written, _ := unlocked(t, "--json")
		valid(t, written)
	})
	t.Run("contradicted", func(t *testing.T) {
		_, written, _ := contradicted(t, "")
		valid(t, written)
	})
}

// shaped compares a document with junitShape.
func shaped(t *testing.T, written []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(written))
	stack := []string{""}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			shape, ok := junitShape[e.Name.Local]
			if !ok || shape.within != stack[len(stack)-1] {
				t.Fatalf("%s within %q", e.Name.Local, stack[len(stack)-1])
			}
			must, may := strings.Fields(shape.must), strings.Fields(shape.may)
			for _, a := range e.Attr {
				if i := slices.Index(must, a.Name.Local); i >= 0 {
					must = slices.Delete(must, i, i+1)
				} else if !slices.Contains(may, a.Name.Local) {
					t.Errorf("%s has an attribute %s", e.Name.Local, a.Name.Local)
				}
				if slices.Contains([]string{"tests", "failures", "errors", "skipped", "line", "time"}, a.Name.Local) {
					if n, err := strconv.ParseFloat(a.Value, 64); err != nil || n < 0 {
						t.Errorf("%s=%q is not a number", a.Name.Local, a.Value)
					}
				}
			}
			if len(must) > 0 {
				t.Errorf("%s has no %v", e.Name.Local, must)
			}
			stack = append(stack, e.Name.Local)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}

// TestSameRows: rows that come to the same configuration, such as with two time limits, are told
// apart in every report; others keep their names.
func TestSameRows(t *testing.T) {
	row := "  - {algorithm: bully/mended, n: 2, timeout: %s, expect: {winner-is-top: violated}}\n"
	text := "version: 1\nrows:\n" + fmt.Sprintf(row, "60s") + "  - {algorithm: bully/mended, n: 1, expect: {winner-is-top: holds}}\n" + fmt.Sprintf(row, "90s")
	o, junit, found := swept(t, text, "--github", catalog.Machines...)
	var suites, classes []string
	for _, s := range readJUnit(t, junit).Suites {
		suites, classes = append(suites, s.Name), append(classes, s.Cases[0].Class)
	}
	if want := []string{"bully/mended n=2 (row 1)", "bully/mended n=1", "bully/mended n=2 (row 3)"}; !slices.Equal(suites, want) {
		t.Errorf("suites %q, not %q", suites, want)
	}
	if want := []string{"bully.mended n=2 (row 1)", "bully.mended n=1", "bully.mended n=2 (row 3)"}; !slices.Equal(classes, want) {
		t.Errorf("classes %q, not %q", classes, want)
	}
	for _, title := range []string{"n=2 (row 1): winner-is-top", "n=2 (row 3): winner-is-top"} {
		if !strings.Contains(string(found), `"interleave/v1": "bully/mended `+title+`"`) {
			t.Errorf("no fingerprint has %q:\n%s", title, found)
		}
		if !strings.Contains(o.err, "title=bully/mended "+strings.ReplaceAll(title, ":", "%3A")) {
			t.Errorf("no annotation has %q:\n%s", title, o.err)
		}
	}
}
