package cli

import (
	"fmt"
	"slices"
	"time"

	"interleave/cmd/mc/internal/report"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/spec"
)

// tellCapture tells people what was found in a capture.
func tellCapture(u *ui.UI, file string, r *captures.Report) {
	p := r.Packets
	took := ""
	if !r.First.IsZero() {
		took = fmt.Sprintf(", %v", r.Last.Sub(r.First).Round(time.Millisecond))
	}
	u.Hanging("", fmt.Sprintf("%s: the packets of %s of %d processes: %s, %s on links of %s, run %d%s\n", ui.Title.Render(r.Algorithm), ui.Count(r.Incarnations, "incarnation"),
		len(r.Ring), ui.Count(p.Total, "packet"), ui.Count(p.Data, "message"), r.Network, r.Run, took))
	if r.Captured != "" {
		u.Hanging("  note       ", fmt.Sprintf("the capture is of %s, and is compared with %s", escaped(r.Captured), r.Algorithm))
		fmt.Fprintln(u.Out)
	}
	for _, k := range r.Messages {
		tellKind(u, k.Kind, k.Count, never(k.Count))
	}
	tellPackets(u, r)
	if r.Restarts > 0 {
		fmt.Fprintf(u.Out, "             %s\n", ui.Count(r.Restarts, "restart"))
	}
	fmt.Fprintf(u.Out, "  evidence   %s\n", r.Evidence)
	tellSafety(u, r)
	if len(r.Leaders) > 0 {
		u.Hanging("  leaders    ", fmt.Sprintf("%v: each is followed by some process, in all explanations", r.Leaders))
	} else if r.Verdict == conformance.Conforms {
		fmt.Fprintf(u.Out, "  leaders    none that is followed in all explanations\n")
	}
	fmt.Fprintf(u.Out, "  frontier   %s at most, %s looked at\n", ui.Count(r.Peak, "way"), ui.Comma(r.Looked))
	for _, n := range r.Notes {
		u.Hanging("  note       ", n)
	}
	tellExplained(u, file, r)
}

// tellPackets counts the packets that carry no new message.
func tellPackets(u *ui.UI, r *captures.Report) {
	p := r.Packets
	u.Hanging("\n  packets    ", fmt.Sprintf("%s again, %s, %s, %s, %s", ui.Comma(p.Again), ui.Count(p.Acks, "ack"), ui.Count(p.Heartbeats, "heartbeat"), ui.Count(p.Hellos, "hello"), ui.Count(p.Refusals, "refusal")))
	for _, odd := range []struct {
		count int
		text  string
	}{
		{p.Delivered, "delivered by the network"}, {p.OtherRuns, "of other runs"}, {p.Unreadable, "no frames of ours, or not whole"},
		{r.Unseen, "that did not pass the tap whole, as they or others say"},
	} {
		if odd.count > 0 {
			fmt.Fprintf(u.Out, "             %s %s\n", ui.Comma(odd.count), odd.text)
		}
	}
}

// tellSafety tells of the properties that were judged along the explanations.
func tellSafety(u *ui.UI, r *captures.Report) {
	var names []string
	for _, p := range r.Safety {
		names = append(names, p.Property)
	}
	width := report.ColumnOf(names)
	for _, p := range r.Safety {
		text := p.Across.String()
		if p.Packet > 0 {
			text += fmt.Sprintf(": packet %d", p.Packet)
		}
		if p.Reason != "" {
			text += ": " + escaped(p.Reason)
		}
		u.Hanging("  "+report.InColumn(p.Property, width)+" ", text)
	}
	violated := slices.ContainsFunc(r.Safety, func(p captures.SafetyReport) bool { return p.Across == captures.ViolatedInAll })
	if violated && r.Restarts > 0 {
		u.Hanging("  note       ", fmt.Sprintf("processes came up again: mc verify %s --crashes 1 --recoveries 1 --continue tells what that alone may violate", r.Algorithm))
	}
}

// tellExplained tells whether the algorithm explains the packets.
func tellExplained(u *ui.UI, file string, r *captures.Report) {
	switch r.Verdict {
	case conformance.Conforms:
		fmt.Fprintf(u.Out, "\n%s: %s explains every packet%s\n", ui.Good.Render("CONFORMS"), r.Algorithm, ofProcess(r.Process))
	case conformance.Refuted:
		tellUnexplained(u, file, r)
	default:
		u.Hanging("\n", ui.Doubt.Render("INCONCLUSIVE")+": "+r.Reason)
	}
}

// ofProcess says that the packets of one process were judged, and no others.
func ofProcess(id spec.ID) string {
	if id == spec.None {
		return ""
	}
	return fmt.Sprintf(" of process %v; those of the others were not judged", id)
}

// tellUnexplained tells of the first packet that nothing explains.
func tellUnexplained(u *ui.UI, file string, r *captures.Report) {
	bad := r.Unexplained
	fmt.Fprintf(u.Out, "\n%s %s, packet %d at %s: nothing explains it\n\n", ui.Bad.Render("REFUTED"), file, bad.Number, bad.Time.UTC().Format(time.RFC3339Nano))
	fmt.Fprintf(u.Out, "  process %v, incarnation %d: %s\n  %s\n", bad.Process, bad.Incarnation, escaped(bad.What), escaped(bad.Reason))
	for i, a := range bad.Allowed {
		if i == 5 {
			fmt.Fprintf(u.Out, "    and %d more\n", len(bad.Allowed)-i)
			break
		}
		fmt.Fprintf(u.Out, "    allowed  %s, on %s, in state %s\n", escaped(a.What), escaped(a.When), escaped(a.State))
		for _, m := range a.Misses {
			fmt.Fprintf(u.Out, "      %s: expected %s, found %s\n", escaped(m.Field), orNone(m.Expected), orNone(m.Found))
		}
	}
	for _, trial := range bad.Counterfactuals {
		fmt.Fprintf(u.Out, "    %s: %s\n", escaped(trial.Change), escaped(trial.Result))
	}
}
