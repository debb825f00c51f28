package cluster

import (
	"strings"
	"testing"
	"time"

	"interleave/impl/cluster/network"
	"interleave/spec"
	"interleave/spec/bully"
	"interleave/spec/changroberts"
	"interleave/spec/fastbully"
	"interleave/spec/tokenring"
)

func TestWarnings(t *testing.T) {
	kill := Event{At: time.Second, Action: Action{Verb: Kill, Sides: []Some{{Word: Leader}}}}
	back := kill
	back.For = time.Second
	slow := Event{At: time.Second, Action: Action{Verb: Delay, Delay: network.Span{Max: 60 * time.Millisecond}}}
	twice := Event{At: time.Second, Action: Action{Verb: Duplicate, Rate: 1}}
	const unnoticed, unrecovered = "processes are killed, and nothing in ", "killed processes come back, and "
	for _, c := range []struct {
		machine spec.Machine
		config  Config
		want    []string // how the warnings begin
	}{
		{bully.Mended, Config{Plan: Plan{Events: []Event{kill, back}}}, nil},
		{fastbully.Mended, Config{Elections: 3}, nil},
		{tokenring.Mended, Config{Elections: 3}, nil},
		{changroberts.Detecting, Config{Plan: Plan{Events: []Event{kill}}}, nil},
		{changroberts.Detecting, Config{Plan: Plan{Events: []Event{back}}}, []string{unrecovered + "chang-roberts/detecting knows"}},
		{changroberts.Detecting, Config{Elections: 1}, []string{unrecovered}},
		{changroberts.Classic, Config{Plan: Plan{Events: []Event{kill}}}, []string{unnoticed + "chang-roberts/classic notices"}},
		{changroberts.Classic, Config{Elections: 1}, []string{unnoticed, unrecovered}},
		{bully.Mended, Config{Plan: Plan{Faults: network.Faults{Delay: network.Span{Max: 50 * time.Millisecond}}}}, nil},
		{bully.Mended, Config{Plan: Plan{Faults: network.Faults{Delay: network.Span{Max: 60 * time.Millisecond}}}}, []string{"packets take up to 60ms, longer than δ, 50ms: "}},
		{bully.Mended, Config{Plan: Plan{Events: []Event{slow}}}, []string{"packets take up to 60ms, longer than δ, 50ms: "}},
		{bully.Mended, Config{Plan: Plan{Faults: network.Faults{Loss: 1, Duplicate: 1, Reorder: 1}}}, nil},
		{bully.Mended, Config{Stream: true, Plan: Plan{Faults: network.Faults{Loss: 1}}}, []string{"over TCP a lost packet comes 200ms late, longer than δ, 50ms: "}},
		{bully.Mended, Config{Stream: true, Plan: Plan{Faults: network.Faults{Reorder: 1}, Events: []Event{twice}}},
			[]string{"duplicate has no effect over TCP", "reorder has no effect over TCP"}},
	} {
		c.config.Machine, c.config.Delta = c.machine, 50*time.Millisecond
		got := c.config.Warnings()
		same := len(got) == len(c.want)
		for i := range c.want {
			same = same && strings.HasPrefix(got[i], c.want[i])
		}
		if !same {
			t.Errorf("%s %+v: %q, not %q", c.machine.Traits().Name, c.config.Plan, got, c.want)
		}
	}
}
