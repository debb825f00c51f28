package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
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

	"interleave/cmd/mc/internal/source"
	"interleave/cmd/mc/internal/ui"
	"interleave/internal/testsize"
	"interleave/model"
	"interleave/model/picture"
	"interleave/spec"
	"interleave/spec/ble"
	"interleave/spec/catalog"
)

// swept runs a sweep of text in the root of the module with further flags, and returns
// what it wrote for other programs.
func swept(t *testing.T, text, flags string, list ...spec.Machine) (o ran, junit, found []byte) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir("../../../..")
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
	"none":   "version: 1\nrows:\n  - {algorithm: bully/mended, n: 3, expect: {winner-is-top: holds}}\n",
	"rounds": "version: 1\nrows:\n  - {algorithm: sync-bully/published, n: 3, expect: {leader-is-top-or-crashed: holds, can-elect: never}}\n",
	"many": "version: 1\nrows:\n  - {algorithm: bully/published, n: [2, 3], timers: any, network: set, max-depth: 8, expect: {winner-is-top: holds, leader-is-top-or-crashed: holds, one-leader: holds}}\n" +
		"  - {algorithm: bully/mended, n: 3, expect: {winner-is-top: violated, one-leader: violated, agreement-on-top: violated}}\n",
	"crashes": "version: 1\nrows:\n  - {algorithm: chang-roberts/naive, n: 3, crashes: 1, network: set, expect: {no-deadlock: holds, leader-eventually: holds, termination: violated}}\n",
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
	if uri := sarifAt(source.Line{File: "a b/ü%.go", Number: 3}, "").Physical.Artifact.URI; uri != "a%20b/%C3%BC%25.go" {
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

// TestGitHubLimits: of more verdicts than GitHub shows the last annotation tells how
// many; the summary keeps within its size, and diagrams within Mermaid's.
func TestGitHubLimits(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("version: 1\nrows:\n")
	for n := range 12 {
		fmt.Fprintf(&rows, "  - {algorithm: bully/mended, n: 3, crashes: %d, max-depth: %d, expect: {winner-is-top: violated}}\n", n%2, n/2+1)
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
	u, s := &ui.UI{Err: &told}, &outcome{differences: []difference{{"first", "less", 1}, {"second", "less", 2}, {"third", "less", 3}}}
	annotateDeviations(u, s, longDeviations(12))
	annotateLock(u, s)
	if n := strings.Count(told.String(), "::error "); n != githubAnnotations || !strings.Contains(told.String(), "::4 more verdicts are not as expected") ||
		!strings.HasSuffix(told.String(), "title=lock::first: less%0Aand 2 more: see the summary\n") {
		t.Errorf("%d annotations:\n%.2000s", n, told.String())
	}
}

// longDeviations are of no run, and take 50 kB each to tell.
func longDeviations(n int) (deviations []deviation) {
	r := &result{configuration: configuration{row: &row{}}}
	r.Machine = catalog.Machines[0]
	for range n {
		j := &judged{name: "P"}
		j.finding.Why = strings.Repeat("long ", 10_000)
		deviations = append(deviations, deviation{result: r, judged: j})
	}
	return deviations
}

// TestLongSummary: what has no room is counted.
func TestLongSummary(t *testing.T) {
	text := markdownSummary(&outcome{}, longDeviations(40))
	if len(text) > githubSummary || !strings.Contains(text, "20 more are not as expected, for which there is no room here.") {
		t.Errorf("%d bytes, that end: %s", len(text), text[max(0, len(text)-200):])
	}
	s := &outcome{differences: slices.Repeat([]difference{{"x", strings.Repeat("y", 1000), 1}}, 2000)}
	text = markdownSummary(s, longDeviations(40))
	if len(text) > githubSummary || !regexp.MustCompile(`\n- \d+ more\n`).MatchString(text) || !strings.Contains(text, "for which there is no room here") {
		t.Errorf("with those of the lock %d bytes, that end: %s", len(text), text[max(0, len(text)-200):])
	}
}

// TestLongDiagram: a run that Mermaid cannot draw is not given to it.
func TestLongDiagram(t *testing.T) {
	testsize.Alone(t)
	r, err := model.NewReference(ble.Mended, model.Config{N: 3, Timers: model.Any})
	if err != nil {
		t.Fatal(err)
	}
	f := longDeviations(1)[0]
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
		if f.judged.finding.Trace, f.run, err = model.Record(r, r.Initial()[0], events); err != nil {
			t.Fatal(err)
		}
		if text := markdownDeviation(f); strings.Contains(text, "```mermaid") != row.drawn || strings.Contains(text, "too long to be drawn") == row.drawn {
			t.Errorf("%d steps, %d characters: drawn is not %v", row.steps, len(picture.Mermaid(f.picture())), row.drawn)
		}
	}
}

func TestMarkdownText(t *testing.T) {
	if got, want := markdownText("~$a*b_c<d>&`|[#]\\"), "\\~\\$a\\*b\\_c&lt;d&gt;&amp;\\`\\|\\[\\#\\]\\\\"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestMarkdownNames: whatever names have in them stays in its cell, and in the code around it.
func TestMarkdownNames(t *testing.T) {
	m := &spec.Algorithm[int, int]{
		Name: "a|b/`c`", Start: func(*int, *spec.Proc[int]) {},
		Receive: func(*int, *spec.Proc[int], spec.ID, int) {}, Election: &spec.Election[int, int]{Leader: func(int) spec.ID { return spec.None }},
	}
	t.Run("table", func(t *testing.T) {
		o, _, _ := swept(t, "version: 1\nrows:\n  - {algorithm: \"a|b/`c`\", n: 1, expect: {winner-is-top: holds, \"[](!up(1) | up(1))\": holds}}\n", "--markdown", m)
		o.expect(t, ui.ExitHolds, "\n### a\\|b\n")
		o.expect(t, ui.ExitHolds, "| winner-is-top | \\[\\](!up(1) \\| up(1)) | states |\n")
		o.expect(t, ui.ExitHolds, "\n| a\\|b/\\`c\\` | n=1 | ✓ | ✓ | ")
	})
	for text, want := range map[string]string{"a": "`a`", "a`b": "`` a`b ``", "``": "``` `` ```"} {
		if got := codeSpan(text); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

func TestWorkflowCommandsAreEscaped(t *testing.T) {
	var out bytes.Buffer
	annotate((&ui.UI{Err: &out}), source.Line{File: "a,b:c.go", Number: 3}, "100%: x\ny", "1%0A\r\nz::")
	if want := "::error file=a%2Cb%3Ac.go,line=3,title=100%25%3A x%0Ay::1%250A%0D%0Az::\n"; out.String() != want {
		t.Errorf("%q, not %q", out.String(), want)
	}
}
