package matrix

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/drive"
	"interleave/conformance/forge"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/model"
	"interleave/spec"
)

// Forged is a way to forge logs or captures, and which layers detect it.
type Forged struct {
	Forgery string         `json:"forgery"`
	Places  int            `json:"places"`          // number of places in honest runs at which it was tried
	Killed  map[string]int `json:"killed"`          // at how many places, by name of the layer; layers that do not examine it are left out
	Honest  int            `json:"honest"`          // at how many places no layer detects it, but it may be true
	Why     []string       `json:"why,omitempty"`   // why it may be true
	Unknown int            `json:"unknown"`         // at how many places it is unknown whether it may be true
	Holes   []string       `json:"holes,omitempty"` // places at which no layer detects it, for no known reason
}

// forgedLayers examine what is left of a run, and say what is wrong with it.
var forgedLayers = []Layer{{Name: "logs", Judge: Logs}, {Name: "capture", Judge: forgedCapture}, {Name: "beside", Judge: Beside}}

// forgedWays bounds the search for an explanation of a forged capture. There are many of these.
const forgedWays = 1 << 12

func forgedCapture(m spec.Machine, _ model.Config, r drive.Ran) (how string, err error) {
	return captured(m, r, forgedWays)
}

// ForgedLayers are the names of the layers that forgeries are tried on.
func ForgedLayers() (names []string) {
	for _, l := range forgedLayers {
		names = append(names, l.Name)
	}
	return names
}

// Beside compares the logs of a run with its capture.
func Beside(m spec.Machine, _ model.Config, r drive.Ran) (how string, err error) {
	report, err := captures.Compare(named(r.Logs), r.Packets, captures.Options{Find: always(m)})
	if err != nil || report.Verdict != conformance.Refuted {
		return "", err
	}
	return report.Discrepancies[0], nil
}

// Forge forges what honest processes of a machine leave behind, in every way and at several
// places each, and has each layer examine it.
func Forge(ctx context.Context, m spec.Machine) ([]Forged, error) {
	b := &bench{machine: m, rows: map[string]*Forged{}}
	for _, c := range Worlds(m) {
		if mild := c.N == 3 && c.Crashes == 0 && c.Start == model.Cold; !mild && c.Recoveries == 0 {
			continue
		}
		r, err := longest(ctx, m, c)
		if err != nil {
			return nil, err
		}
		if silent(r) {
			continue
		}
		b.config = c
		if err := errors.Join(b.logs(r), b.captures(r)); err != nil {
			return nil, err
		}
	}
	return b.all(), ctx.Err()
}

// longest returns the run of a world with the most steps.
func longest(ctx context.Context, m spec.Machine, c model.Config) (run drive.Ran, err error) {
	most := 0
	_, err = drive.Cover(ctx, m, c, drive.Options{MaxStates: maxForged, Ran: func(r drive.Ran) error {
		if n := bytes.Count(slices.Concat(r.Logs...), []byte("\n")); n > most {
			run, most = drive.Ran{Packets: slices.Clone(r.Packets)}, n
			for _, log := range r.Logs {
				run.Logs = append(run.Logs, bytes.Clone(log))
			}
		}
		return nil
	}})
	if errors.As(err, new(*drive.ImpossibleError)) {
		err = nil
	}
	return run, err
}

// maxForged bounds the states of a world out of which a run is taken to be forged.
const maxForged = 300

// bench forges runs and collects the results.
type bench struct {
	machine spec.Machine
	config  model.Config
	rows    map[string]*Forged
	order   []string
}

func (b *bench) all() (rows []Forged) {
	for _, name := range b.order {
		slices.Sort(b.rows[name].Why)
		rows = append(rows, *b.rows[name])
	}
	return rows
}

// row returns the row of a forgery, which the given layers examine.
func (b *bench) row(name string, layers ...string) *Forged {
	if b.rows[name] == nil {
		b.rows[name] = &Forged{Forgery: name, Killed: map[string]int{}}
		b.order = append(b.order, name)
		for _, l := range layers {
			b.rows[name].Killed[l] = 0
		}
	}
	return b.rows[name]
}

// logs forges the logs of a run.
func (b *bench) logs(r drive.Ran) error {
	parsed, err := forge.Parse(r.Logs)
	if err != nil {
		return err
	}
	for _, f := range forge.Logs {
		row := b.row("log: "+f.Name, "logs", "beside")
		var places []forge.Place
		for log := range r.Logs {
			for line := range parsed.Lines(log) {
				place := forge.Place{Log: log, Line: line, Other: line}
				if _, _, ok := f.Forge(parsed, place); ok {
					places = append(places, place)
				}
			}
		}
		for _, place := range some(places) {
			text, honest, _ := f.Forge(parsed, place)
			logs := slices.Clone(r.Logs)
			logs[place.Log] = text
			why := func() (string, error) { return honest, nil }
			if err := b.try(row, drive.Ran{Logs: logs, Packets: r.Packets}, fmt.Sprintf("%s, log %d, line %d", f.Field, place.Log+1, place.Line+1), why); err != nil {
				return err
			}
		}
	}
	return nil
}

// most is at how many places of a run each forgery is tried.
const most = 6

// some returns up to most elements of a list, spread from its beginning to its end.
func some[T any](list []T) (few []T) {
	n := min(most, len(list))
	for i := range n {
		few = append(few, list[i*(len(list)-1)/max(n-1, 1)])
	}
	return few
}

// captures forges the capture of a run.
func (b *bench) captures(r drive.Ran) error {
	for _, f := range forge.Captures {
		row := b.row("capture: "+f.Name, "capture", "beside")
		places := slices.DeleteFunc(firsts(r.Packets), func(at int) bool { _, ok := f.Forge(r.Packets, at); return !ok })
		for _, at := range some(places) {
			packets, _ := f.Forge(r.Packets, at)
			why := func() (string, error) { return b.witness(packets, f.Never) }
			if err := b.try(row, drive.Ran{Logs: r.Logs, Packets: packets}, fmt.Sprintf("packet %d", at+1), why); err != nil {
				return err
			}
		}
	}
	return nil
}

// firsts returns the places in a capture where each message is first, in order.
func firsts(packets []capture.Packet) (at []int) {
	seen := map[[3]uint64]int{}
	for i, p := range packets {
		name := nameOf(p)
		if _, ok := seen[name]; !ok && p.Err == nil && p.Frame.Kind == wire.Data {
			seen[name] = i
			at = append(at, i)
		}
	}
	slices.SortFunc(at, func(i, j int) int { a, b := nameOf(packets[i]), nameOf(packets[j]); return slices.Compare(a[:], b[:]) })
	return at
}

func nameOf(p capture.Packet) [3]uint64 {
	return [3]uint64{uint64(p.Frame.From), uint64(p.Frame.Incarnation), p.Frame.Sequence}
}

// try has the layers examine a forged run.
func (b *bench) try(row *Forged, r drive.Ran, place string, why func() (string, error)) error {
	row.Places++
	killed := false
	for _, l := range forgedLayers {
		if _, looks := row.Killed[l.Name]; !looks {
			continue
		}
		how, err := l.Judge(b.machine, b.config, r)
		if how != "" || errors.As(err, new(*conformance.UnusableError)) {
			row.Killed[l.Name]++
			killed = true
		} else if err != nil {
			return fmt.Errorf("%s, %s, %s: %w", row.Forgery, l.Name, place, err)
		}
	}
	if killed {
		return nil
	}
	reason, err := why()
	switch {
	case err != nil:
		return fmt.Errorf("%s, %s: %w", row.Forgery, place, err)
	case reason == "":
		row.Holes = append(row.Holes, place)
	case reason == unknown:
		row.Unknown++
	default:
		row.Honest++
		if !slices.Contains(row.Why, reason) {
			row.Why = append(row.Why, reason)
		}
	}
	return nil
}

// unknown is the reason where there are more ways than are looked at.
const unknown = "?"

// witness says why a capture that no layer refutes may be honest: it shows an honest run that
// leaves this capture behind, checked by the layer of logs. If never, there is no reason.
func (b *bench) witness(packets []capture.Packet, never bool) (why string, err error) {
	o := captures.Options{Find: always(b.machine), Limit: forgedWays}
	report, err := captures.Check(packets, o)
	switch {
	case err != nil:
		return "", err
	case report.Verdict == conformance.Unknown && report.Unseen == 0:
		return unknown, nil
	case never || report.Verdict == conformance.Refuted:
		return "", nil
	case report.Unseen > 0:
		return "a packet may be missing", nil
	case report.Verdict == conformance.Unknown:
		return "", nil
	}
	logs, err := captures.Explanation(packets, o)
	if err != nil {
		return "", err
	}
	r := drive.Ran{Logs: logs, Packets: packets}
	for _, judge := range []func(spec.Machine, model.Config, drive.Ran) (string, error){Logs, Beside} {
		if how, err := judge(b.machine, b.config, r); how != "" || err != nil {
			return "", errors.Join(err, errors.New(how))
		}
	}
	return "another honest run leaves the same", nil
}
