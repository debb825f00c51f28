package picture

import (
	"fmt"
	"slices"
	"strings"

	"interleave/spec"
)

// shivizLine is the pattern by which ShiViz reads the log: two lines for each event.
const shivizLine = `(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`

// network is the host of events at no process.
const network = "network"

// ShiViz returns a log for ShiViz, as a file to be uploaded there: the events of each process,
// with vector clocks. Events of the network, or of all processes, have a host of their own.
func ShiViz(p *Picture) string {
	out := &strings.Builder{}
	fmt.Fprintf(out, "%s\n\n", shivizLine)
	clocks := make([][]int, len(p.Events)) // the last component is that of the network
	last := none
	for i, e := range p.Events {
		clock, at, host := make([]int, p.N+1), p.N, network
		causes := e.Causes
		if e.Process != spec.None {
			at, host = int(e.Process-1), fmt.Sprintf("process%v", e.Process)
		} else {
			causes = append(slices.Clone(causes), last)
			last = i
		}
		for _, c := range causes {
			if c == none {
				continue
			}
			for q, n := range clocks[c] {
				clock[q] = max(clock[q], n)
			}
		}
		clock[at]++
		clocks[i] = clock
		fmt.Fprintf(out, "%s {%s}\n%s\n", host, shivizClock(clock), strings.Join(e.told(p), "; "))
	}
	return out.String()
}

func shivizClock(clock []int) string {
	var parts []string
	for q, n := range clock {
		name := fmt.Sprintf("process%d", q+1)
		if q == len(clock)-1 {
			name = network
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%q: %d", name, n))
		}
	}
	return strings.Join(parts, ", ")
}

// told describes an event: what happens, what changes, what is sent and lost.
func (e *Event) told(p *Picture) []string {
	out := []string{e.Title}
	if e.Crash && e.Kind != kindCrash {
		out = append(out, e.crashed())
	}
	if e.Panic != "" {
		out = append(out, "PANIC: "+e.Panic)
	}
	out = append(out, e.Changes...)
	for _, m := range e.Sends {
		out = append(out, fmt.Sprintf("sends %s to %v", p.Messages[m].Text, p.Messages[m].To))
	}
	for _, m := range e.Loses {
		if e.Kind != kindLose && e.Kind != kindDrop {
			out = append(out, fmt.Sprintf("%s from %v to %v does not arrive: %s", p.Messages[m].Text, p.Messages[m].From, p.Messages[m].To, p.Messages[m].Lost()))
		}
	}
	return out
}
