package cli

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"strings"

	"interleave/model"
	"interleave/model/picture"
	"interleave/properties"
)

// fault is a verdict that is not as expected, as it is told to other programs.
type fault struct {
	result    *sweepResult
	judged    *judged
	place     codeLine // of the handler that ends the counterexample, else of the row in the file
	events    []model.Event
	reference *model.Reference
	run       *model.Run // nil: there is none
}

// title says what is at fault in a few words.
func (f fault) title() string {
	return fmt.Sprintf("%s %s: %s", f.result.algorithm(), f.result.world(), f.judged.name)
}

// sentence says what was expected and what was found.
func (f fault) sentence() string {
	text := fmt.Sprintf("%s: expected %v, found %s", f.title(), f.judged.want, strings.ToUpper(f.judged.found.word))
	if f.run != nil {
		text += " after " + steps(f.judged.finding.Depth)
	}
	if why := f.judged.finding.Why; why != "" {
		text += ": " + picture.OneLine(why)
	}
	return text
}

// picture returns the counterexample; nil if there is none.
func (f fault) picture() *picture.Picture {
	if f.run == nil {
		return nil
	}
	return picture.Of(f.reference, f.run, f.judged.finding.Trace)
}

// faults returns what is not as expected.
func (s *sweep) faults() []fault {
	sources := newSources()
	var out []fault
	for i := range s.results {
		r := &s.results[i]
		for k := range r.judged {
			j := &r.judged[k]
			if j.passes() {
				continue
			}
			f := fault{result: r, judged: j, place: codeLine{sources.relative(s.options.file), r.row.line}}
			if trace := j.finding.Trace; trace != nil {
				if reference, run, _, err := properties.Replay(r.verify.machine, trace, j.finding.Property); err == nil {
					f.reference, f.run = reference, run
					for _, step := range run.Steps {
						f.events = append(f.events, step.Event)
					}
					if p := sources.of(r.verify.machine, f.events); p != (codeLine{}) {
						f.place = p
					}
				}
			}
			out = append(out, f)
		}
	}
	return out
}

// The form of JUnit that CI systems read: an element for each configuration, with one
// for each property in it, and one for the lock if there is something that differs.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Time    string        `xml:"time,attr"`
		Skipped *junitSkipped `xml:"skipped"`
		Error   *junitFailure `xml:"error"`
		Failure *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
	junitSkipped struct {
		Why string `xml:",chardata"`
	}
)

// junit tells the sweep as a document of JUnit. What could not be run is an error, and
// what was not run is skipped.
func (s *sweep) junit(w io.Writer) error {
	faults := map[*judged]fault{}
	for _, f := range s.faults() {
		faults[f.judged] = f
	}
	all := junitSuites{Name: "mc sweep " + s.options.file}
	total := 0.0
	for i := range s.results {
		r := &s.results[i]
		total += r.seconds()
		all.add(r.junit(faults))
	}
	for i, c := range s.cases[len(s.results):] {
		if i == 0 && s.failure != nil {
			all.add(c.junitFailed(s.failure))
		} else {
			all.add(c.junitSkipped())
		}
	}
	if len(s.differences) > 0 {
		all.add(s.junitLock())
	}
	all.Time = fmt.Sprintf("%.3f", total)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (j *junitSuites) add(s junitSuite) {
	j.Suites = append(j.Suites, s)
	j.Tests += s.Tests
	j.Failures += s.Failures
	j.Errors += s.Errors
}

// junitFailed tells of a configuration that could not be run.
func (c sweepCase) junitFailed(err error) junitSuite {
	told := &junitFailure{Message: picture.OneLine(err.Error()), Type: "ERROR", Text: err.Error() + "\nrepeat with: " + c.verify.command() + "\n"}
	failed := junitCase{Name: "run", Class: strings.ReplaceAll(c.algorithm(), "/", "."), Time: "0.000", Error: told}
	return junitSuite{Name: c.algorithm() + " " + c.world(), Tests: 1, Errors: 1, Time: "0.000", Cases: []junitCase{failed}}
}

// junitSkipped tells of a configuration that was not run.
func (c sweepCase) junitSkipped() junitSuite {
	skipped := junitCase{Name: "not run", Class: strings.ReplaceAll(c.algorithm(), "/", "."), Time: "0.000", Skipped: &junitSkipped{"the sweep ended before"}}
	return junitSuite{Name: c.algorithm() + " " + c.world(), Tests: 1, Skipped: 1, Time: "0.000", Cases: []junitCase{skipped}}
}

func (r *sweepResult) junit(faults map[*judged]fault) junitSuite {
	suite := junitSuite{Name: r.algorithm() + " " + r.world(), Tests: len(r.judged), Time: fmt.Sprintf("%.3f", r.seconds())}
	for k := range r.judged {
		j := &r.judged[k]
		c := junitCase{Name: j.name, Class: strings.ReplaceAll(r.algorithm(), "/", ".") + " " + r.world(), Time: "0.000"}
		if k == 0 {
			c.Time = suite.Time // all properties are judged together
		}
		if f, failed := faults[j]; failed {
			suite.Failures++
			c.Failure = f.junit()
		}
		suite.Cases = append(suite.Cases, c)
	}
	return suite
}

// junitLock tells how what was explored differs from the lock, a failure for each
// configuration.
func (s *sweep) junitLock() junitSuite {
	suite := junitSuite{Name: "lock " + s.options.lock, Time: "0.000"}
	for _, d := range s.foremost() {
		failure := &junitFailure{Message: d.String(), Type: "LOCK", Text: d.String() + "\n" + acceptHint + "\n"}
		suite.Cases = append(suite.Cases, junitCase{Name: d.Configuration, Class: "lock", Time: "0.000", Failure: failure})
	}
	suite.Tests, suite.Failures = len(suite.Cases), len(suite.Cases)
	return suite
}

func (f fault) junit() *junitFailure {
	text := fmt.Sprintf("%s\n%s:%d\n", f.sentence(), f.place.file, f.place.line)
	if p := f.picture(); p != nil {
		text += "\n" + p.Text(picture.TextOptions{})
	}
	return &junitFailure{Message: f.sentence(), Type: strings.ToUpper(f.judged.found.word), Text: text + "\nrepeat with: " + f.result.verify.command() + "\n"}
}

// The part of SARIF 2.1.0 that we write.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"` // never null
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string     `json:"id"`
		Short sarifText  `json:"shortDescription"`
		Full  *sarifText `json:"fullDescription,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		Successful bool `json:"executionSuccessful"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		CodeFlows    []sarifCodeFlow   `json:"codeFlows,omitempty"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Message  *sarifText     `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifCodeFlow struct {
		ThreadFlows []sarifThreadFlow `json:"threadFlows"`
	}
	sarifThreadFlow struct {
		Locations []sarifFlowLocation `json:"locations"`
	}
	sarifFlowLocation struct {
		Location sarifLocation `json:"location"`
	}
)

// sarif tells what is not as expected as a document of SARIF.
func (s *sweep) sarif(w io.Writer) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{Name: "interleave", Rules: []sarifRule{}}}, ColumnKind: "unicodeCodePoints",
		Invocations: []sarifInvocation{{Successful: len(s.results) == len(s.cases)}}, Results: []sarifResult{},
	}
	rules := map[string]int{}
	sources := newSources()
	for _, f := range s.faults() {
		at, ok := rules[f.judged.name]
		if !ok {
			p := f.judged.finding.Property
			rule := sarifRule{ID: f.judged.name, Short: sarifText{p.Doc}}
			if p.Source != "" {
				rule.Full = &sarifText{p.Doc + " (" + p.Source + ")"}
			}
			at = run.add(rule)
			rules[f.judged.name] = at
		}
		run.Results = append(run.Results, f.sarif(sources, at))
	}
	if len(s.differences) > 0 {
		at, place := run.add(lockRule), codeLine{sources.relative(s.options.lock), 1}
		for _, d := range s.foremost() {
			run.Results = append(run.Results, d.sarif(place, at))
		}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// add adds a rule, and returns its index.
func (r *sarifRun) add(rule sarifRule) int {
	rules := &r.Tool.Driver.Rules
	*rules = append(*rules, rule)
	return len(*rules) - 1
}

// lockRule is broken by what differs from the lock.
var lockRule = sarifRule{ID: "lock", Short: sarifText{"what is explored is what the lock says"}}

func (d difference) sarif(place codeLine, rule int) sarifResult {
	return sarifResult{
		RuleID: lockRule.ID, RuleIndex: rule, Level: "error",
		Message:      sarifText{d.String() + "; " + acceptHint},
		Locations:    []sarifLocation{place.sarif("")},
		Fingerprints: map[string]string{"interleave/v1": "lock: " + d.Configuration},
	}
}

func (f fault) sarif(sources *sources, rule int) sarifResult {
	r := sarifResult{
		RuleID: f.judged.name, RuleIndex: rule, Level: "error",
		Message:      sarifText{f.sentence() + ". Repeat with: " + f.result.verify.command()},
		Locations:    []sarifLocation{f.place.sarif("")},
		Fingerprints: map[string]string{"interleave/v1": f.title()},
	}
	var flow sarifThreadFlow
	for i, e := range f.events {
		text := fmt.Sprintf("%d. process %v: %s", i+1, e.Process, picture.OneLine(f.reference.Deed(e)))
		location := sources.handler(f.result.verify.machine, e).sarif(text)
		flow.Locations = append(flow.Locations, sarifFlowLocation{location})
	}
	if flow.Locations != nil {
		r.CodeFlows = []sarifCodeFlow{{[]sarifThreadFlow{flow}}}
	}
	return r
}

func (p codeLine) sarif(message string) sarifLocation {
	l := sarifLocation{}
	if p.line > 0 {
		l.Physical = &sarifPhysical{sarifArtifact{(&url.URL{Path: p.file}).String()}, sarifRegion{p.line}}
	}
	if message != "" {
		l.Message = &sarifText{message}
	}
	return l
}
