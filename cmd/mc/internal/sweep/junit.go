package sweep

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"interleave/model/picture"
	"interleave/properties"
)

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
		Note    string        `xml:"system-out,omitempty"`
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

// writeJUnit tells the outcome as a document of JUnit. What could not be run is an error, and
// what was not run is skipped.
func writeJUnit(w io.Writer, o *outcome) error {
	deviations := map[*judged]deviation{}
	for _, f := range o.deviations() {
		deviations[f.judged] = f
	}
	all := junitSuites{Name: "mc sweep " + o.options.file}
	total := 0.0
	for i := range o.results {
		r := &o.results[i]
		total += r.seconds()
		all.add(suiteOf(r, deviations))
	}
	for i, c := range o.cases[len(o.results):] {
		if i == 0 && o.failed() != nil {
			all.add(suiteFailed(c, o.failure))
		} else {
			all.add(suiteSkipped(c))
		}
	}
	if len(o.differences) > 0 {
		all.add(suiteOfLock(o))
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

// suiteFailed tells of a configuration that could not be run.
func suiteFailed(c configuration, err error) junitSuite {
	told := &junitFailure{Message: picture.OneLine(err.Error()), Type: "ERROR", Text: err.Error() + "\nrepeat with: " + c.Command() + "\n"}
	failed := junitCase{Name: "run", Class: strings.ReplaceAll(c.algorithm(), "/", "."), Time: "0.000", Error: told}
	return junitSuite{Name: c.title(), Tests: 1, Errors: 1, Time: "0.000", Cases: []junitCase{failed}}
}

// suiteSkipped tells of a configuration that was not run.
func suiteSkipped(c configuration) junitSuite {
	skipped := junitCase{Name: "not run", Class: strings.ReplaceAll(c.algorithm(), "/", "."), Time: "0.000", Skipped: &junitSkipped{"the sweep ended before"}}
	return junitSuite{Name: c.title(), Tests: 1, Skipped: 1, Time: "0.000", Cases: []junitCase{skipped}}
}

func suiteOf(r *result, deviations map[*judged]deviation) junitSuite {
	suite := junitSuite{Name: r.title(), Tests: len(r.judged), Time: fmt.Sprintf("%.3f", r.seconds())}
	for k := range r.judged {
		j := &r.judged[k]
		c := junitCase{Name: j.name, Class: strings.ReplaceAll(r.algorithm(), "/", ".") + strings.TrimPrefix(r.title(), r.algorithm()), Time: "0.000"}
		if k == 0 {
			c.Time = suite.Time // all properties are judged together
		}
		if f, failed := deviations[j]; failed {
			suite.Failures++
			c.Failure = failureOf(f)
		}
		if j.finding.OnlyLuck {
			c.Note = properties.OnlyLuck
		}
		suite.Cases = append(suite.Cases, c)
	}
	return suite
}

// suiteOfLock tells how what was explored differs from the lock, a failure for each
// configuration.
func suiteOfLock(o *outcome) junitSuite {
	suite := junitSuite{Name: "lock " + o.options.lock, Time: "0.000"}
	for _, d := range foremost(o.differences) {
		failure := &junitFailure{Message: d.String(), Type: "LOCK", Text: d.String() + "\n" + acceptHint + "\n"}
		suite.Cases = append(suite.Cases, junitCase{Name: d.Configuration, Class: "lock", Time: "0.000", Failure: failure})
	}
	suite.Tests, suite.Failures = len(suite.Cases), len(suite.Cases)
	return suite
}

func failureOf(f deviation) *junitFailure {
	text := fmt.Sprintf("%s\n%s:%d\n", f.sentence(), f.place.File, f.place.Number)
	if p := f.picture(); p != nil {
		text += "\n" + picture.Text(p, picture.TextOptions{})
	}
	return &junitFailure{Message: f.sentence(), Type: f.judged.found.Loud(), Text: text + "\nrepeat with: " + f.result.Command() + "\n"}
}
