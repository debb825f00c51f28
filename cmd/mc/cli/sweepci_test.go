package cli

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"

	"interleave/spec"
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
	results := 0
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
// which attributes it must have. It is our own table of what Jenkins and the others read:
// JUnit has no schema of its own, and theirs come with no library.
var junitShape = map[string]struct {
	must, may, within string
}{
	"testsuites": {"tests failures errors", "name time", ""},
	"testsuite":  {"name tests failures errors skipped time", "", "testsuites"},
	"testcase":   {"name classname time", "file line", "testsuite"},
	"failure":    {"message type", "", "testcase"},
	"skipped":    {"message", "", "testcase"},
}

// TestJUnit: what is written has the shape of JUnit, and counts right.
func TestJUnit(t *testing.T) {
	for name, text := range sweeps {
		for _, flags := range []string{"", "--fail-fast"} {
			t.Run(name+flags, func(t *testing.T) {
				_, written, _ := swept(t, text, flags)
				shaped(t, written)
				var all junitSuites
				if err := xml.Unmarshal(written, &all); err != nil {
					t.Fatal(err)
				}
				tests, failures := 0, 0
				for _, s := range all.Suites {
					failed, skipped := 0, 0
					for _, c := range s.Cases {
						if c.Failure != nil {
							failed++
						}
						if c.Skipped != nil {
							skipped++
						}
					}
					if s.Tests != len(s.Cases) || s.Failures != failed || s.Skipped != skipped {
						t.Errorf("%s: %d tests, %d failures, %d skipped of %d, %d, %d", s.Name, s.Tests, s.Failures, s.Skipped, len(s.Cases), failed, skipped)
					}
					tests, failures = tests+s.Tests, failures+s.Failures
				}
				if all.Tests != tests || all.Failures != failures {
					t.Errorf("%d tests, %d failures of %d, %d", all.Tests, all.Failures, tests, failures)
				}
			})
		}
	}
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
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	o, _, _ := swept(t, rows.String(), "--github")
	if n := strings.Count(o.err, "::error "); n != githubAnnotations {
		t.Errorf("%d annotations", n)
	}
	if !strings.Contains(o.err, "::error title=mc sweep::3 more verdicts are not as expected: see the summary\n") {
		t.Errorf("what is left out is not told:\n%s", o.err)
	}
	text, err := os.ReadFile(summary)
	if err != nil || strings.Count(string(text), "expected violated, found BOUNDED") != 12 {
		t.Errorf("%v, in the summary:\n%s", err, text)
	}
}

// TestLongSummary: what has no room is counted.
func TestLongSummary(t *testing.T) {
	r := &sweepResult{sweepCase: sweepCase{row: &sweepRow{}}}
	r.verify.machine = catalog.Machines[0]
	var faults []fault
	for range 40 {
		j := &judged{name: "P"}
		j.finding.Why = strings.Repeat("long ", 10_000)
		faults = append(faults, fault{result: r, judged: j})
	}
	text := (&sweep{}).markdownSummary(faults)
	if len(text) > githubSummary || !strings.Contains(text, "20 more are not as expected, for which there is no room here.") {
		t.Errorf("%d bytes, that end: %s", len(text), text[max(0, len(text)-200):])
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
