package sweep

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"

	"interleave/cmd/mc/internal/source"
	"interleave/model/picture"
)

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
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"` // of what could not be run
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
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

// writeSARIF tells what is not as expected as a document of SARIF.
func writeSARIF(w io.Writer, o *outcome) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{Name: "interleave", Rules: []sarifRule{}}}, ColumnKind: "unicodeCodePoints",
		Invocations: []sarifInvocation{{Successful: len(o.results) == len(o.cases)}}, Results: []sarifResult{},
	}
	rules := map[string]int{}
	sources := source.Here()
	if c := o.failed(); c != nil {
		run.Invocations[0].Notifications = []sarifNotification{{
			"error", sarifText{picture.OneLine(o.failure.Error()) + ". Repeat with: " + c.Command()},
			[]sarifLocation{sarifAt(sources.Line(o.options.file, c.row.line), "")},
		}}
	}
	for _, f := range o.deviations() {
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
		run.Results = append(run.Results, sarifResultOf(f, sources, at))
	}
	if len(o.differences) > 0 {
		at, file := run.add(lockRule), sources.Relative(o.options.lock)
		for _, d := range foremost(o.differences) {
			run.Results = append(run.Results, sarifLockResult(d, file, at))
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

func sarifLockResult(d difference, file string, rule int) sarifResult {
	return sarifResult{
		RuleID: lockRule.ID, RuleIndex: rule, Level: "error",
		Message:      sarifText{d.String() + "; " + acceptHint},
		Locations:    []sarifLocation{sarifAt(source.Line{File: file, Number: d.line}, "")},
		Fingerprints: map[string]string{"interleave/v1": "lock: " + d.Configuration},
	}
}

func sarifResultOf(f deviation, sources *source.Tree, rule int) sarifResult {
	r := sarifResult{
		RuleID: f.judged.name, RuleIndex: rule, Level: "error",
		Message:      sarifText{f.sentence() + ". Repeat with: " + f.result.Command()},
		Locations:    []sarifLocation{sarifAt(f.place, "")},
		Fingerprints: map[string]string{"interleave/v1": f.title()},
	}
	var flow sarifThreadFlow
	for i, e := range f.events {
		text := fmt.Sprintf("%d. process %v: %s", i+1, e.Process, picture.OneLine(f.reference.Describe(e)))
		location := sarifAt(sources.Handler(f.result.Machine, e), text)
		flow.Locations = append(flow.Locations, sarifFlowLocation{location})
	}
	if flow.Locations != nil {
		r.CodeFlows = []sarifCodeFlow{{[]sarifThreadFlow{flow}}}
	}
	return r
}

func sarifAt(p source.Line, message string) sarifLocation {
	l := sarifLocation{}
	if p.Number > 0 {
		l.Physical = &sarifPhysical{sarifArtifact{(&url.URL{Path: p.File}).String()}, sarifRegion{p.Number}}
	}
	if message != "" {
		l.Message = &sarifText{message}
	}
	return l
}
