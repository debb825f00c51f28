package explore

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"interleave/cmd/mc/explorer"
	"interleave/cmd/mc/internal/execution"
	"interleave/cmd/mc/internal/names"
	"interleave/cmd/mc/internal/ui"
	"interleave/conformance"
	"interleave/conformance/captures"
	"interleave/conformance/logs"
	"interleave/impl/capture"
	"interleave/impl/runlog"
	"interleave/impl/wire"
	"interleave/model/picture"
	"interleave/spec"
)

// maxShown bounds the steps, and the packets, of a run that are shown.
const maxShown = 20_000

// Ran reads a run directory or a capture, judges it as mc conform does, and
// prepares it to be looked at. Of a capture that is cut, what is there is shown.
func Ran(u *ui.UI, known names.Table, name string, dir bool) (*explorer.Execution, error) {
	j := execution.Judge{UI: u, Known: known, Settings: &execution.Settings{}}
	j.Declare(pflag.NewFlagSet("conform", pflag.ContinueOnError)) // as by default
	j.Cut = true
	h := &builder{Execution: explorer.Execution{Name: filepath.Base(name), Notes: []string{}, Packets: []explorer.Packet{}, Steps: []explorer.Step{}}}
	file, logs := name, []string(nil)
	if dir {
		var err error
		if logs, file, err = execution.Files(name); err == nil && logs != nil {
			err = h.logs(j, logs)
		}
		if err != nil {
			return nil, err
		}
	}
	if file != "" {
		var unusable *conformance.UnusableError
		err := h.capture(j, file, logs == nil)
		switch errors.As(err, &unusable); {
		case unusable != nil && unusable.Silent && logs != nil: // messages may have been lost before they left
			h.Notes = append(h.Notes, "the capture: "+unusable.Reason)
		case unusable != nil:
			return nil, ui.Hint(err, "mc conform "+ui.ShellWord(file)+" --explain DIR has flags that say what a capture does not, and mc explore DIR shows what it writes")
		case err != nil:
			return nil, err
		}
	}
	h.merge()
	h.draw()
	return &h.Execution, nil
}

// drawnExecution is an execution in the making.
type builder struct {
	explorer.Execution
	traits  spec.Traits
	records map[spec.ID][]*runlog.Record // steps by process
	began   time.Time                    // the first packet
	wire    map[string]int               // by the name of a message: its first packet
	after   map[*runlog.Record]int       // the last packet that a step without a time is known to come after
}

// logs judges logs and reads them.
func (h *builder) logs(j execution.Judge, names []string) error {
	r, _, err := j.Logs(names)
	if err != nil {
		return err
	}
	h.Source, h.Algorithm, h.N = "Logged steps", r.Algorithm, r.Processes
	machine, err := j.Known.Find(r.Algorithm)
	if err != nil {
		return err
	}
	h.traits = machine.Traits()
	h.verdict("the logs", r.Verdict.String())
	if r.Refutation != nil {
		h.Notes = append(h.Notes, fmt.Sprintf("the logs are refuted: %v", r.Refutation))
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err == nil {
			err = h.read(name, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (h *builder) verdict(what, verdict string) {
	if h.Verdict != "" {
		h.Verdict += "; "
	}
	h.Verdict += what + ": " + verdict
}

// capture reads and judges a capture, and reads what explains it if that is asked
// for.
func (h *builder) capture(j execution.Judge, file string, explain bool) error {
	c, err := j.ReadCapture(file)
	if err != nil {
		return err
	}
	report, err := j.Capture(c)
	if err != nil {
		return err
	}
	h.Algorithm, h.N = report.Algorithm, len(report.Ring)
	h.verdict("the capture", report.Verdict.String())
	h.Notes = append(h.Notes, report.Notes...)
	if report.Reason != "" {
		h.Notes = append(h.Notes, report.Reason)
	}
	machine, err := j.Known.Find(report.Algorithm)
	if err != nil {
		return err
	}
	h.traits = machine.Traits()
	codec, err := wire.NewCodec(machine)
	if err != nil {
		return err
	}
	h.packets(c.Packets, codec, report)
	if !explain {
		return nil
	}
	h.Source = "Steps that explain it"
	logs, err := captures.Explanation(c.Packets, c.Options)
	if err != nil {
		return err
	}
	for _, log := range logs {
		if err := h.read(file, log); err != nil {
			return err
		}
	}
	return nil
}

// packets fills in the messages of a capture, and what nothing explains.
func (h *builder) packets(packets []capture.Packet, codec *wire.Codec, r *captures.Report) {
	h.wire = map[string]int{}
	for _, p := range packets {
		bad := r.Unexplained != nil && r.Unexplained.Number == p.Number
		if h.began.IsZero() {
			h.began = p.Time
		}
		if p.Err != nil || p.Frame.Kind != wire.Data && !bad || p.Frame.Run != r.Run {
			continue
		}
		if len(h.Packets) == maxShown {
			h.Left++
			continue
		}
		shown := explorer.Packet{Number: p.Number, Time: fmt.Sprintf("%.4f", p.Time.Sub(h.began).Seconds()), From: p.Frame.From, To: p.Frame.To, Text: p.Frame.Kind.String()}
		if p.Frame.Kind == wire.Data {
			shown.Message = nameOf(p.Frame.From, p.Frame.Incarnation, p.Frame.Sequence)
			if h.wire[shown.Message] == 0 {
				h.wire[shown.Message] = p.Number
			}
			if m, err := codec.Decode(p.Frame.Body); err == nil {
				shown.Text = fmt.Sprint(m)
			}
			shown.Delivered = p.Delivered()
		}
		if bad {
			shown.Unexplained = r.Unexplained.Reason
		}
		h.Packets = append(h.Packets, shown)
	}
}

func nameOf(from spec.ID, incarnation uint32, sequence uint64) string {
	return fmt.Sprintf("%v.%d.%d", from, incarnation, sequence)
}

// read takes the steps out of a log, which has a name for errors.
func (h *builder) read(name string, log []byte) error {
	if h.records == nil {
		h.records = map[spec.ID][]*runlog.Record{}
	}
	lines := runlog.NewReader(bytes.NewReader(log))
	for {
		r, err := lines.Next()
		var broken *runlog.LineError
		switch {
		case err == io.EOF, errors.As(err, &broken) && broken.Cut: // a crash cuts a line short
			return nil
		case errors.As(err, &broken):
			return fmt.Errorf("%v: %w", logs.Place{File: name, Line: broken.Line}, broken.Err)
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		case r.Line == runlog.LineStep:
			h.records[r.Process] = append(h.records[r.Process], r)
		}
	}
}

// date says of each step which packet it comes after: its own sends, or what it handles,
// or the step before it at the same process.
func (h *builder) date() {
	h.after = map[*runlog.Record]int{}
	for _, all := range h.records {
		last := 0
		for _, r := range all {
			for _, m := range takes(r) {
				last = max(last, h.wire[m])
			}
			for _, m := range r.Sends {
				last = max(last, h.wire[nameOf(r.Process, r.Incarnation, m.Sequence)])
			}
			h.after[r] = last
		}
	}
}

// merge puts the steps of all processes into one order: what is handled comes after it
// was sent, and otherwise the earlier first, by the clock, or by the packets.
func (h *builder) merge() {
	h.date()
	sent, places := map[string]bool{}, map[spec.ID]int{}
	for _, all := range h.records {
		for _, r := range all {
			for _, m := range r.Sends {
				sent[nameOf(r.Process, r.Incarnation, m.Sequence)] = false
			}
		}
	}
	for {
		r := h.next(places, sent)
		if r == nil {
			return
		}
		places[r.Process]++
		for _, m := range r.Sends {
			sent[nameOf(r.Process, r.Incarnation, m.Sequence)] = true
		}
		if len(h.Steps) == maxShown {
			h.Left++
			continue
		}
		h.Steps = append(h.Steps, h.step(r))
	}
}

// next returns the step that comes next; nil at the end. If each waits for another,
// which no run does, the first is taken.
func (h *builder) next(places map[spec.ID]int, sent map[string]bool) *runlog.Record {
	var ready, waiting []*runlog.Record
	for p, all := range h.records {
		if places[p] == len(all) {
			continue
		}
		r := all[places[p]]
		waits := slices.ContainsFunc(takes(r), func(m string) bool { there, known := sent[m]; return known && !there })
		if waits {
			waiting = append(waiting, r)
		} else {
			ready = append(ready, r)
		}
	}
	if ready == nil {
		ready = waiting
	}
	if ready == nil {
		return nil
	}
	return slices.MinFunc(ready, func(a, b *runlog.Record) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(h.after[a], h.after[b]), cmp.Compare(a.Process, b.Process))
	})
}

// takes names the messages that a step handles.
func takes(r *runlog.Record) (names []string) {
	letters := r.Input.Inbox
	if r.Input.Received != nil {
		letters = append(slices.Clone(letters), *r.Input.Received)
	}
	for _, l := range letters {
		names = append(names, nameOf(l.From, l.Incarnation, l.Sequence))
	}
	return names
}

func (h *builder) step(r *runlog.Record) explorer.Step {
	d := explorer.Step{
		Process: r.Process, Incarnation: r.Incarnation, Step: r.Step, Action: inputText(r.Input), State: h.state(r.State), Takes: takes(r),
	}
	if r.Leader != nil {
		d.Leader = *r.Leader
	}
	for _, m := range r.Sends {
		d.Sends = append(d.Sends, explorer.Sending{To: m.To, Text: m.Kind, Message: nameOf(r.Process, r.Incarnation, m.Sequence)})
	}
	return d
}

// inputText says what a process handled.
func inputText(in *runlog.Input) string {
	switch {
	case in.Received != nil:
		return fmt.Sprintf("receive %s from %v", in.Received.Kind, in.Received.From)
	case in.Timer != "":
		return in.Event + " " + in.Timer
	case in.Peer != spec.None:
		return fmt.Sprintf("%s %v", in.Event, in.Peer)
	case in.Round > 0:
		return fmt.Sprintf("%s %d", in.Event, in.Round)
	}
	return in.Event
}

// state tells a logged state as a trace does.
func (h *builder) state(text json.RawMessage) string {
	if state, err := h.traits.ReadState(text); err == nil {
		return fmt.Sprintf("%+v", state)
	}
	return string(text)
}

// draw makes a picture of the steps: what was sent and is never handled was lost, or is
// on its way in the end, which nobody can know.
func (h *builder) draw() {
	p := &picture.Picture{Algorithm: h.Algorithm, N: h.N, Steps: len(h.Steps), Events: []picture.Event{}, Messages: []picture.Message{}}
	places := map[string]int{}
	view := picture.View{Status: make([]string, h.N)}
	if h.traits.Elects {
		view.Leader = make([]spec.ID, h.N)
	}
	for i := range view.Status {
		view.Status[i] = "down"
	}
	p.Views = append(p.Views, view)
	for i, d := range h.Steps {
		kind, _, _ := strings.Cut(d.Action, " ")
		e := picture.Event{Step: i + 1, Process: d.Process, Kind: kind, Title: d.Action}
		if d.Incarnation > 1 && kind == spec.Init.String() {
			e.Title = fmt.Sprintf("begins again, incarnation %d", d.Incarnation)
		}
		for _, name := range d.Takes {
			if m, known := places[name]; known && p.Messages[m].EndsIn < 0 {
				p.Messages[m].Fate, p.Messages[m].EndsIn = picture.Delivered, i
				e.Takes = append(e.Takes, m)
			}
		}
		for _, m := range d.Sends {
			places[m.Message] = len(p.Messages)
			e.Sends = append(e.Sends, len(p.Messages))
			p.Messages = append(p.Messages, picture.Message{From: d.Process, To: m.To, Text: m.Text, SentBy: i, EndsIn: -1})
		}
		view = picture.View{Leader: slices.Clone(view.Leader), Status: slices.Clone(view.Status)}
		if view.Status[d.Process-1] = "up"; h.traits.Elects {
			view.Leader[d.Process-1] = d.Leader
		}
		p.Events, p.Views = append(p.Events, e), append(p.Views, view)
	}
	h.Picture = p
}
