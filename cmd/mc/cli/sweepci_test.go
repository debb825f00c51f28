package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/spec/ble"
	"interleave/spec/catalog"
)

// swept runs a sweep of text in the root of the module with further flags, and returns
// what it wrote for other programs.
func swept(t *testing.T, text, flags string, list ...spec.Machine) (o outcome, junit, found []byte) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir("../../..")
	put(t, filepath.Join(dir, "sweep.yaml"), text)
	o = mc(t.Context(), "sweep "+dir+"/sweep.yaml --junit "+dir+"/junit.xml --sarif "+dir+"/mc.sarif "+flags, list...)
	junit, err := os.ReadFile(filepath.Join(dir, "junit.xml"))
	if err != nil {
		t.Fatal(err, o.err)
	}
	found, err = os.ReadFile(filepath.Join(dir, "mc.sarif"))
	if err != nil {
		t.Fatal(err)
	}
	return o, junit, found
}

// sweeps come to many sorts of differences, and to none.
var sweeps = map[string]string{
	"none":   "version: 1\nrows:\n  - {algorithm: bully/mended, n: 3, expect: {S-self: holds}}\n",
	"rounds": "version: 1\nrows:\n  - {algorithm: sync-bully/published, n: 3, expect: {S-lmax: holds, C-elected: never}}\n",
	"many": "version: 1\nrows:\n  - {algorithm: bully/published, n: [2, 3], timers: any, network: set, max-depth: 8, expect: {S-self: holds, S-lmax: holds, S-uniq: holds}}\n" +
		"  - {algorithm: bully/mended, n: 3, expect: {S-self: violated, S-uniq: violated, Q-max: violated}}\n",
	"crashes": "version: 1\nrows:\n  - {algorithm: chang-roberts/naive, n: 3, crashes: 1, network: set, expect: {Q-idle: holds, L1: holds, T: violated}}\n",
}

// sarifSchema returns the schema of SARIF 2.1.0, which a module has that writes such
// documents: a constant that it keeps to itself, and so is read from its source.
var sarifSchema = sync.OnceValues(func() (*gojsonschema.Schema, error) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", reflect.TypeFor[sarif.Report]().PkgPath()).Output()
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		return nil, err
	}
	var text string
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, err = strconv.Unquote(literal.Value)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	return gojsonschema.NewSchema(gojsonschema.NewStringLoader(text))
})

// checkSARIF holds a document against the schema.
func checkSARIF(written []byte) error {
	schema, err := sarifSchema()
	if err != nil {
		return err
	}
	found, err := schema.Validate(gojsonschema.NewBytesLoader(written))
	if err != nil {
		return err
	}
	var wrong []error
	for _, e := range found.Errors() {
		wrong = append(wrong, errors.New(e.String()))
	}
	return errors.Join(wrong...)
}

// TestCheckSARIF: the schema is one that refuses.
func TestCheckSARIF(t *testing.T) {
	_, _, good := swept(t, sweeps["many"], "")
	if err := checkSARIF(good); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		`"ruleIndex": 0`:          `"ruleIndex": -7`,
		`"level": "error"`:        `"level": "fatal"`,
		`"startLine": `:           `"startLine": -`,
		`"version": "2.1.0"`:      `"version": "2.2.0"`,
		`"columnKind"`:            `"columnKinds"`,
		`"results": [`:            `"results": null, "artifacts": [`,
		`"uri": "`:                `"uri": "a b\\`,
		`"executionSuccessful": `: `"exitCode": 0, "exitSignalName": `,
		`"threadFlows": [`:        `"threadFlows": [], "stacks": [`,
	} {
		bad := strings.Replace(string(good), from, to, 1)
		if bad == string(good) {
			t.Errorf("there is no %s", from)
		} else if checkSARIF([]byte(bad)) == nil {
			t.Errorf("%s is taken for right", to)
		}
	}
}

// TestSARIF: what is written has the shape of SARIF, and is at the lines of handlers.
func TestSARIF(t *testing.T) {
	results, handlers := 0, 0 // handlers: in one flow
	for name, text := range sweeps {
		t.Run(name, func(t *testing.T) {
			_, _, written := swept(t, text, "")
			var log sarifLog
			if err := errors.Join(checkSARIF(written), json.Unmarshal(written, &log)); err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(written, []byte(`"results": [`)) {
				t.Error("its results are no list")
			}
			prints, run := map[string]bool{}, log.Runs[0]
			if !run.Invocations[0].Successful {
				t.Error("the sweep is said to have been cut short")
			}
			for _, r := range run.Results {
				results++
				if rule := run.Tool.Driver.Rules[r.RuleIndex]; rule.ID != r.RuleID {
					t.Errorf("rule %d is %s, not %s", r.RuleIndex, rule.ID, r.RuleID)
				}
				prints[r.Fingerprints["interleave/v1"]] = true
				for _, flow := range r.CodeFlows {
					at := r.Locations[0].Physical
					declaredAt(t, at.Artifact.URI, at.Region.StartLine)
					if len(flow.ThreadFlows[0].Locations) == 0 {
						t.Error("a flow of no steps")
					}
					lines := map[int]bool{}
					for _, l := range flow.ThreadFlows[0].Locations {
						if at := l.Location.Physical; at != nil { // else nobody handles it
							declaredAt(t, at.Artifact.URI, at.Region.StartLine)
							lines[at.Region.StartLine] = true
						}
					}
					handlers = max(handlers, len(lines))
				}
			}
			if len(prints) != len(run.Results) {
				t.Errorf("%d fingerprints of %d results", len(prints), len(run.Results))
			}
		})
	}
	if results < 8 {
		t.Errorf("only %d results", results)
	}
	if handlers < 2 {
		t.Error("no flow goes through two handlers")
	}
	_, _, written := swept(t, sweeps["many"], "--fail-fast")
	var log sarifLog
	if err := json.Unmarshal(written, &log); err != nil || log.Runs[0].Invocations[0].Successful {
		t.Errorf("%v: a sweep that was cut short is said to be whole", err)
	}
	if uri := (codeLine{"a b/ü%.go", 3}).sarif("").Physical.Artifact.URI; uri != "a%20b/%C3%BC%25.go" {
		t.Errorf("%s is no address", uri)
	}
}

// declaredAt wants a function to be declared on a line of a file of the catalogue.
func declaredAt(t *testing.T, file string, line int) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
		return
	}
	if lines := strings.Split(string(text), "\n"); line > len(lines) || !strings.HasPrefix(lines[line-1], "func ") {
		t.Errorf("no function is declared at %s:%d", file, line)
	}
}

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
		s.results = append(s.results, sweepResult{sweepCase: c, stats: properties.Stats{Seconds: float64(i + 1)}})
	}
	var out bytes.Buffer
	if err := s.junit(&out); err != nil || !strings.Contains(out.String(), `errors="0" time="6.000">`) {
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

// unlocked runs a sweep with a lock: of three configurations one is as the lock says, one
// is not and one is not in it; and a fourth is in it only.
func unlocked(t *testing.T) (o outcome, junit, found []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a%lock.json")
	text := "version: 1\nrows:\n  - {algorithm: bully/mended, n: 1..3, expect: {S-self: holds}}\n"
	t.Run("lock", func(t *testing.T) { swept(t, text, "--lock "+file+" --update-lock") })
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	l, err := parseLock(written)
	if err != nil {
		t.Fatal(err)
	}
	l.Counts["old"] = counts{true, 1, 1}
	l.Counts["bully/mended n=2"] = counts{true, 7, 9}
	delete(l.Counts, "bully/mended n=3")
	if written, err = json.Marshal(l); err != nil {
		t.Fatal(err)
	}
	put(t, file, string(written))
	return swept(t, text, "--json --lock "+file)
}

// TestLockIsTold: what differs from the lock is told in each form, and nothing says that
// all is well.
func TestLockIsTold(t *testing.T) {
	t.Run("none", func(t *testing.T) {
		o, junit, _ := swept(t, sweeps["none"], "--json")
		o.expect(t, exitHolds, `"lock_differences": [],`)
		o.expect(t, exitHolds, `"pass": true,`)
		if len(readJUnit(t, junit).Suites) != 1 {
			t.Errorf("%s", junit)
		}
	})
	keys := []string{"bully/mended n=2", "bully/mended n=3", "old"}
	o, junit, found := unlocked(t)
	o.expect(t, exitViolated, `"differing": 2,`)
	var d sweepDocument
	if err := json.Unmarshal([]byte(o.out), &d); err != nil || d.Pass || len(d.Lock) != 3 || !d.Rows[0].Pass || d.Rows[1].Pass || d.Rows[2].Pass {
		t.Errorf("%v: %s", err, o.out)
	}
	all := readJUnit(t, junit)
	suite := all.Suites[len(all.Suites)-1]
	if !strings.HasPrefix(suite.Name, "lock /") || suite.Failures != 3 || all.Failures != 3 {
		t.Errorf("%+v", suite)
	}
	var log sarifLog
	if err := errors.Join(checkSARIF(found), json.Unmarshal(found, &log)); err != nil || len(log.Runs[0].Results) != 3 {
		t.Fatalf("%v: %s", err, found)
	}
	for i, key := range keys {
		told, c, r := key+": "+d.Lock[i].Why, suite.Cases[i], log.Runs[0].Results[i]
		if d.Lock[i].Configuration != key || !strings.Contains(o.err, "mc: lock: "+told+"\n") {
			t.Errorf("%v in JSON, and %s", d.Lock[i], o.err)
		}
		if c.Name != key || c.Failure == nil || c.Failure.Message != told {
			t.Errorf("%+v in JUnit", c)
		}
		if at := r.Locations[0].Physical; r.Message.Text != told+"; "+acceptHint || log.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID != "lock" || r.RuleID != "lock" ||
			!strings.HasSuffix(at.Artifact.URI, "/a%25lock.json") || r.Fingerprints["interleave/v1"] != "lock: "+key {
			t.Errorf("%+v in SARIF", r)
		}
	}
}

// TestOldLockDiffers: what is in the lock only is of no configuration that was run, and
// yet all is not well.
func TestOldLockDiffers(t *testing.T) {
	s := sweep{differences: []difference{{"old", "it is in the lock, and not checked any more"}}}
	if s.document().Pass {
		t.Error("all is said to be well")
	}
}

// TestManyDifferences: of more than there is room for it is told how many they are.
func TestManyDifferences(t *testing.T) {
	s := &sweep{differences: slices.Repeat([]difference{{"x", strings.Repeat("y", 1000)}}, 2000)}
	var junit, found bytes.Buffer
	if err := errors.Join(s.junit(&junit), s.sarif(&found), checkSARIF(found.Bytes())); err != nil {
		t.Fatal(err)
	}
	cases := readJUnit(t, junit.Bytes()).Suites[0].Cases
	want := fmt.Sprintf("more: %s, for which there is no room here", count(2000-len(cases)+1, "difference"))
	if got := cases[len(cases)-1].Failure.Message; len(cases) < 100 || got != want {
		t.Errorf("%d cases, the last %q, not %q", len(cases), got, want)
	}
	if !strings.Contains(found.String(), want) {
		t.Error("SARIF does not tell how many more")
	}
	for form, out := range map[string]*bytes.Buffer{"JUnit": &junit, "SARIF": &found} {
		if out.Len() > 4*lockRoom {
			t.Errorf("%d bytes of %s", out.Len(), form)
		}
	}
}

// contradicted runs a sweep of three configurations, the second of which is of an
// algorithm that is not true to itself.
func contradicted(t *testing.T) (o outcome, junit, found []byte) {
	t.Helper()
	bully, err := machines{list: catalog.Machines}.find("bully/published")
	if err != nil {
		t.Fatal(err)
	}
	ring, err := machines{list: catalog.Machines}.find("chang-roberts/classic")
	if err != nil {
		t.Fatal(err)
	}
	left := 2
	return swept(t, `version: 1
rows:
  - {algorithm: chang-roberts/classic, n: 2, expect: {S-self: holds}}
  - {algorithm: bully/published, timers: any, max-depth: 3, expect: {S-self: violated}}
  - {algorithm: chang-roberts/classic, n: 3, expect: {S-self: holds}}
`, "--workers 1", ring, fickle{bully, &left})
}

// TestFailureIsTold: where a configuration cannot be run, that one is an error, and those
// after it are skipped; the sweep is not whole.
func TestFailureIsTold(t *testing.T) {
	o, junit, found := contradicted(t)
	o.expect(t, exitContradicted, "3 configurations, 1 as expected, 2 not run")
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
}

// TestInterruptIsNoError: of an interrupted sweep the rest is skipped.
func TestInterruptIsNoError(t *testing.T) {
	s := sweepOf(t, sweeps["none"])
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.tool, s.progress = &tool{out: io.Discard, err: io.Discard}, (&tool{err: io.Discard}).newProgress()
	s.failure = s.run(ctx, nil)
	var out bytes.Buffer
	if err := s.junit(&out); err != nil {
		t.Fatal(err)
	}
	if all := readJUnit(t, out.Bytes()); all.Errors != 0 || all.Suites[0].Skipped != 1 {
		t.Errorf("%s", out.String())
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
		_, written, _ := unlocked(t)
		valid(t, written)
	})
	t.Run("contradicted", func(t *testing.T) {
		_, written, _ := contradicted(t)
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
						t.Errorf("%s=%q is no number", a.Name.Local, a.Value)
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

// TestGitHubLimits: of more verdicts than GitHub shows the last annotation tells how
// many; the summary keeps within its size, and diagrams within Mermaid's.
func TestGitHubLimits(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("version: 1\nrows:\n")
	for n := range 12 {
		fmt.Fprintf(&rows, "  - {algorithm: bully/mended, n: 3, crashes: %d, max-depth: %d, expect: {S-self: violated}}\n", n%2, n/2+1)
	}
	summary := filepath.Join(t.TempDir(), "summary.md")
	put(t, summary, "of the step so far\n")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	o, _, _ := swept(t, rows.String(), "--github")
	if n := strings.Count(o.err, "::error "); n != githubAnnotations {
		t.Errorf("%d annotations", n)
	}
	if !strings.Contains(o.err, "::error title=mc sweep::3 more verdicts are not as expected: see the summary\n") {
		t.Errorf("what is left out is not told:\n%s", o.err)
	}
	text, err := os.ReadFile(summary)
	if err != nil || strings.Count(string(text), "expected violated, found BOUNDED") != 12 || !strings.HasPrefix(string(text), "of the step so far\n") {
		t.Errorf("%v, in the summary:\n%s", err, text)
	}

	// The lock keeps one for itself.
	var told bytes.Buffer
	s := sweep{tool: &tool{err: &told}, differences: []difference{{"first", "less"}, {"second", "less"}, {"third", "less"}}}
	s.annotate(longFaults(12))
	s.annotateLock()
	if n := strings.Count(told.String(), "::error "); n != githubAnnotations || !strings.Contains(told.String(), "::4 more verdicts are not as expected") ||
		!strings.HasSuffix(told.String(), "title=lock::first: less%0Aand 2 more: see the summary\n") {
		t.Errorf("%d annotations:\n%.2000s", n, told.String())
	}
}

// longFaults are of no run, and take 50 kB each to tell.
func longFaults(n int) (faults []fault) {
	r := &sweepResult{sweepCase: sweepCase{row: &sweepRow{}}}
	r.verify.machine = catalog.Machines[0]
	for range n {
		j := &judged{name: "P"}
		j.finding.Why = strings.Repeat("long ", 10_000)
		faults = append(faults, fault{result: r, judged: j})
	}
	return faults
}

// TestLongSummary: what has no room is counted.
func TestLongSummary(t *testing.T) {
	text := (&sweep{}).markdownSummary(longFaults(40))
	if len(text) > githubSummary || !strings.Contains(text, "20 more are not as expected, for which there is no room here.") {
		t.Errorf("%d bytes, that end: %s", len(text), text[max(0, len(text)-200):])
	}
	s := &sweep{differences: slices.Repeat([]difference{{"x", strings.Repeat("y", 1000)}}, 2000)}
	text = s.markdownSummary(longFaults(40))
	if len(text) > githubSummary || !regexp.MustCompile(`\n- \d+ more\n`).MatchString(text) || !strings.Contains(text, "for which there is no room here") {
		t.Errorf("with those of the lock %d bytes, that end: %s", len(text), text[max(0, len(text)-200):])
	}
}

// TestLongDiagram: a run that Mermaid cannot draw is not given to it.
func TestLongDiagram(t *testing.T) {
	r, err := model.NewReference(ble.Mended, model.Config{N: 3, Timers: model.Any})
	if err != nil {
		t.Fatal(err)
	}
	f := longFaults(1)[0]
	f.reference = r
	for _, row := range []struct {
		steps int
		drawn bool
	}{{20, true}, {1000, false}} {
		var events []model.Event
		s := r.Initial()[0]
		for i := range row.steps {
			steps := r.Steps(s)
			step := steps[i%len(steps)]
			events, s = append(events, step.Event), step.After
		}
		if f.judged.finding.Trace, f.run, err = r.Record(r.Initial()[0], events); err != nil {
			t.Fatal(err)
		}
		if text := f.markdown(); strings.Contains(text, "```mermaid") != row.drawn || strings.Contains(text, "too long to be drawn") == row.drawn {
			t.Errorf("%d steps, %d characters: drawn is not %v", row.steps, len(f.picture().Mermaid()), row.drawn)
		}
	}
}

func TestMarkdownText(t *testing.T) {
	if got, want := markdownText("a*b_c<d>&`|[#]\\"), "a\\*b\\_c&lt;d&gt;&amp;\\`\\|\\[\\#\\]\\\\"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestLockCounts: what differs from the lock is told, down to one transition; what was not
// run, or not to the end, is not taken for less.
func TestLockCounts(t *testing.T) {
	s := sweepOf(t, "version: 1\nrows:\n  - {algorithm: bully/mended, n: [2, 3], max-depth: 9, max-states: 50, expect: {Q-max: holds}}\n")
	for i, c := range s.cases {
		s.results = append(s.results, sweepResult{sweepCase: c, stats: properties.Stats{Complete: true, States: 10 + i, Transitions: 20 + i}})
	}
	const first, second = "bully/mended n=2 max-depth=9 max-states=50", "bully/mended n=3 max-depth=9 max-states=50"
	fresh := func() *lock {
		return &lock{Counts: map[string]counts{first: {true, 10, 20}, second: {true, 11, 21}, "old": {true, 1, 1}}}
	}
	expect := func(what string, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, not %q", what, got, want)
		}
	}
	compare := func(l *lock) (told []string) {
		for _, d := range s.compare(l) {
			told = append(told, d.String())
		}
		return told
	}
	const gone = "old: it is in the lock, and not checked any more"
	expect("the same", compare(fresh()), gone)
	l := fresh()
	l.Counts[first] = counts{true, 10, 19}
	expect("a transition more", compare(l), first+": 10 states, 20 transitions, and in the lock: 10 states, 19 transitions", gone)
	l = fresh()
	delete(l.Counts, second)
	expect("not there", compare(l), second+": it is not in the lock: 11 states, 21 transitions", gone)
	s.options.quick = true
	expect("a part of the file", compare(fresh()))
	s.accept(l)
	expect("accepted a part", slices.Sorted(maps.Keys(l.Counts)), first, second, "old")
	s.options.quick = false
	s.accept(l)
	expect("accepted all", slices.Sorted(maps.Keys(l.Counts)), first, second)
	s.results[1].stats.Complete = false
	expect("cut short", compare(l), second+": not explored to the end, and in the lock: 11 states, 21 transitions")
	s.results = s.results[:1]
	l = fresh()
	s.accept(l)
	expect("accepted until an interrupt", slices.Sorted(maps.Keys(l.Counts)), first, second, "old")
	for _, version := range []string{"0", "2"} {
		if _, err := parseLock([]byte(`{"format":"interleave lock","version":` + version + `,"counts":{}}`)); err == nil {
			t.Errorf("a lock of version %s is read", version)
		}
	}
}

func TestWorkflowCommandsAreEscaped(t *testing.T) {
	var out bytes.Buffer
	(&tool{err: &out}).annotation(codeLine{"a,b:c.go", 3}, "100%: x\ny", "1%0A\r\nz::")
	if want := "::error file=a%2Cb%3Ac.go,line=3,title=100%25%3A x%0Ay::1%250A%0D%0Az::\n"; out.String() != want {
		t.Errorf("%q, not %q", out.String(), want)
	}
}

// FuzzLock wants an error or a lock of whatever it reads, and what it accepts to be
// read again as the same.
func FuzzLock(f *testing.F) {
	f.Add([]byte(`{"format":"interleave lock","version":1,"counts":{"bully/mended n=3":{"complete":true,"distinct_states":7,"transitions":9}}}`))
	f.Add([]byte(`{"format":"interleave lock","version":2,"counts":{}}`))
	f.Add([]byte(`{}{}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := parseLock(text)
		if err != nil {
			return
		}
		again, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := parseLock(again); err != nil || len(m.Counts) != len(l.Counts) {
			t.Errorf("%v: %s", err, again)
		}
	})
}
