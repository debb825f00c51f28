package explorer

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"interleave/internal/cell"
	"interleave/internal/numbering"
	"interleave/model"
	"interleave/model/picture"
	"interleave/properties"
	"interleave/spec"
)

// A View is a run as the page wants it. Rows name local states, what is on its way and
// valuations by their places in lists, in which each is once.
type View struct {
	Name        string              `json:"name"`
	Algorithm   string              `json:"algorithm"`
	Doc         string              `json:"doc"`
	Assumptions []string            `json:"assumptions"`
	N           int                 `json:"n"`
	Initials    int                 `json:"initials"` // how many initial states there are to begin from; 1 with a trace
	Property    string              `json:"property,omitempty"`
	Reason      string              `json:"reason,omitempty"`
	Refuted     string              `json:"refuted,omitempty"` // why the trace is not what it says
	Loop        int                 `json:"loop,omitempty"`    // as in a model.Trace
	Fairness    []Fair              `json:"fairness,omitempty"`
	Unfair      string              `json:"unfair,omitempty"` // why the loop is not fair
	Properties  []Statement         `json:"properties"`
	Kinds       []string            `json:"kinds"` // of action that the world can have
	Locals      [][]Line            `json:"locals"`
	Inboxes     [][]Line            `json:"inboxes"`
	Valuations  []Valuation         `json:"valuations"`
	Rows        []Row               `json:"rows"`
	Picture     *picture.Picture    `json:"picture"`
	Courses     []properties.Course `json:"-"`
	Choices     []int               `json:"choices,omitempty"` // of the place that is viewed
	Fork        int                 `json:"fork"`              // steps of the course before the choices
}

// Fair is a properties.Witness in words.
type Fair struct {
	Class   string `json:"class"`
	Owed    string `json:"owed"`
	Because string `json:"because"`
}

// Statement is what a property states.
type Statement struct {
	Name    string `json:"name"`
	Doc     string `json:"doc"`
	Kind    string `json:"kind"`
	Formula string `json:"formula,omitempty"`
	Note    string `json:"note,omitempty"` // why it does not count
}

// Line is a part of what a process has: a value in its state, by the path to it, as in
// "Log[2].Term"; its status, if it is not up; a timer that is armed; whom its detector reported; a
// message to it.
type Line struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// The paths that are no fields, or how they begin.
const (
	statusPath   = "its status" // no name of a field
	suspectsPath = "it suspects"
	timerPath    = "timer "
	messagePath  = "✉ "
	fromWord     = " from "
	onItsWay     = "on its way"
)

// Row is a state and the step that leads to it; the first row has no step.
type Row struct {
	Process   spec.ID  `json:"process"` // 0: none
	Action    string   `json:"action"`
	Kind      string   `json:"kind"` // of action
	Changes   []string `json:"changes,omitempty"`
	Panic     string   `json:"panic,omitempty"` // there is no state after it
	Locals    []int    `json:"locals,omitempty"`
	Inboxes   []int    `json:"inboxes,omitempty"`
	Env       string   `json:"env,omitempty"`
	Valuation []int    `json:"valuation"` // by property
}

// viewer makes a View.
type viewer struct {
	*View
	course     *course
	run        *model.Run
	locals     numbering.Of[model.Local]
	inboxes    numbering.Of[string]
	valuations numbering.Of[string]
	endless    [][]error // by property, of infinite runs
}

// view returns a run along a course.
func (c *course) view(p Place, run *model.Run) *View {
	v := &viewer{
		View: &View{
			Name: c.Name, Algorithm: c.Machine.Traits().Name, Doc: c.Machine.Traits().Doc, Assumptions: c.Config.Assumptions(c.Machine),
			N: c.Config.N, Initials: 1, Kinds: c.reference.StepKinds().Names(), Choices: p.Choices, Fork: p.Steps,
		},
		course: c, run: run,
	}
	if c.Trace == nil {
		v.Initials = len(c.initial)
	}
	trace := c.Trace
	if len(p.Choices) > 0 || p.Steps < len(c.run.Steps) {
		trace = nil // it goes another way
	}
	if trace != nil {
		v.Property, v.Reason, v.Refuted, v.Loop = trace.Property, c.reason, c.refuted, c.loop()
		v.fairness()
	}
	for _, q := range c.judges {
		v.Properties = append(v.Properties, Statement{q.Name, q.Doc, q.Kind.String(), q.Formula(c.Config.N), c.notes[q.Name]})
		v.endless = append(v.endless, v.forEver(q))
	}
	v.Picture = drawn(c.reference, run, v.Loop)
	for i := range max(len(run.States), len(run.Steps)+1) {
		v.row(i)
	}
	return v.View
}

// maxEndless is how many states an infinite run may have to have formulas judged from
// each of them on.
const maxEndless = 500

func (v *viewer) forEver(p properties.Property) []error {
	if len(v.run.States) > maxEndless {
		return nil
	}
	return p.FromEach(v.course.reference, v.run, v.Loop)
}

// drawn returns the picture of a run, without what the rows have.
func drawn(r *model.Reference, run *model.Run, loop int) *picture.Picture {
	p := picture.Of(r, run, nil)
	p.Loop = loop
	for i := range p.Events {
		e := &p.Events[i]
		e.Changes, e.Causes, e.Clock = nil, nil, nil
	}
	return p
}

func (v *viewer) fairness() {
	if v.Loop == 0 {
		return
	}
	witnesses, err := properties.Witnesses(v.course.reference, v.run, v.Loop)
	if err != nil {
		v.Unfair = err.Error()
	}
	for _, w := range witnesses {
		v.Fairness = append(v.Fairness, Fair{w.Class, w.Owed.String(), w.Because()})
	}
}

func (v *viewer) row(i int) {
	row, r := Row{}, v.course.reference
	if i > 0 {
		step, before := v.run.Steps[i-1], v.run.States[i-1]
		row.Process, row.Action, row.Kind, row.Panic = step.Event.Process, r.Describe(step.Event), r.StepKinds().NameOf(before, step.Event), step.Panic
		row.Changes = r.Changes(before, step)
	}
	if i < len(v.run.States) {
		s := v.run.States[i]
		for k, l := range s.Locals {
			row.Locals = append(row.Locals, v.local(l))
			row.Inboxes = append(row.Inboxes, v.inbox(s.Inboxes[k]))
		}
		row.Env = v.course.environment(s.Env)
	}
	for k, p := range v.course.judges {
		row.Valuation = append(row.Valuation, v.valuation(v.evaluate(p, k, i)))
	}
	v.Rows = append(v.Rows, row)
}

func (v *viewer) local(l model.Local) int {
	place, isNew := v.locals.Number(l)
	if isNew {
		v.Locals = append(v.Locals, v.course.localLines(l))
	}
	return int(place)
}

func (v *viewer) inbox(in model.Inbox) int {
	place, isNew := v.inboxes.Number(strings.Join(messageTexts(in), "\x00"))
	if isNew {
		v.Inboxes = append(v.Inboxes, messageLines(in))
	}
	return int(place)
}

// linesAt lists what a process, from 0, has in a state.
func (c *course) linesAt(s model.State, p int) []Line {
	return append(c.localLines(s.Locals[p]), messageLines(s.Inboxes[p])...)
}

func (c *course) localLines(l model.Local) []Line {
	lines := []Line{}
	if l.Status != model.Up {
		lines = append(lines, Line{statusPath, l.Status.String()})
	}
	if l.State != nil {
		lines = appendLines(lines, "", cell.Settable(cell.Seen(l.State)))
	}
	for t, rule := range c.Machine.Traits().Rules {
		if l.Timers>>t&1 == 0 {
			continue
		}
		armed := "armed"
		if c.Config.Timers == model.Timed {
			armed = fmt.Sprintf("armed (%d)", l.Ages.Timers[t])
		}
		lines = append(lines, Line{timerPath + rule.Name, armed})
	}
	if l.Suspected != 0 {
		lines = append(lines, Line{suspectsPath, l.Suspected.String()})
	}
	return lines
}

// appendLines adds the parts of a plain value that can be set. One that has words for itself, or no parts, is one.
func appendLines(lines []Line, path string, v reflect.Value) []Line {
	parts := len(lines)
	switch kind := v.Kind(); {
	case cell.Speaks(v) && path != "":
	case kind == reflect.Struct:
		for i := range v.NumField() {
			lines = appendLines(lines, strings.TrimPrefix(path+"."+v.Type().Field(i).Name, "."), cell.Field(v, i))
		}
	case kind == reflect.Array, kind == reflect.Slice:
		for i := range v.Len() {
			lines = appendLines(lines, fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case kind == reflect.Map:
		for key, element := range cell.Entries(v) {
			lines = appendLines(lines, fmt.Sprintf("%s[%s]", path, cell.Shown(key)), element)
		}
	case kind == reflect.Pointer && !v.IsNil() && v.Type().Elem().Kind() == reflect.Struct:
		lines = appendLines(lines, path, v.Elem())
	}
	if len(lines) == parts && (path != "" || v.Kind() != reflect.Struct) {
		lines = append(lines, Line{cmp.Or(path, "state"), cell.Shown(v)})
	}
	return lines
}

func messageTexts(in model.Inbox) []string {
	texts := []string{}
	for _, e := range in {
		texts = append(texts, fmt.Sprint(e.Message, fromWord, e.From))
	}
	return texts
}

// messageLines has a line for equal messages.
func messageLines(in model.Inbox) []Line {
	lines, counts := []Line{}, map[string]int{}
	texts := messageTexts(in)
	for _, text := range texts {
		if counts[text]++; counts[text] == 1 {
			lines = append(lines, Line{messagePath + text, onItsWay})
		}
	}
	for i, l := range lines {
		if n := counts[strings.TrimPrefix(l.Path, messagePath)]; n > 1 {
			lines[i].Value = fmt.Sprintf("%d times", n)
		}
	}
	return lines
}

// environment tells what of the budgets was used, how the network is divided, and what monitors have seen.
func (c *course) environment(e model.Env) string {
	var parts []string
	for _, used := range []struct {
		count uint8
		what  string
	}{{e.Crashes, "crashed"}, {e.Recoveries, "recovered"}, {e.Losses, "lost"}, {e.Duplicates, "copied"}, {e.Suspicions, "falsely suspected"}, {e.Partitions, "divided"}} {
		if used.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", used.count, used.what))
		}
	}
	if e.Side != 0 {
		parts = append(parts, fmt.Sprintf("%v cut off", e.Side))
	}
	if monitors := c.reference.Monitors(); len(monitors) > 0 {
		values, err := monitors.Read(e.Monitors)
		for i := range values {
			parts = append(parts, fmt.Sprintf("monitor %s: %+v", monitors[i].Name, values[i]))
		}
		if err != nil {
			parts = append(parts, err.Error())
		}
	}
	return strings.Join(parts, ", ")
}

// Possibilities is what may happen in a state, and what may not.
type Possibilities struct {
	Enabled   []Choice         `json:"enabled"`
	Disabled  []model.Disabled `json:"disabled"`
	Quiescent bool             `json:"quiescent"` // nothing that is possible must happen
}

// Choice is a step that is possible, to be named by its place in the list.
type Choice struct {
	Process spec.ID  `json:"process"`
	Action  string   `json:"action"`
	Kind    string   `json:"kind"`
	Changes []string `json:"changes"`
	Unfair  bool     `json:"unfair"` // nothing obliges it to happen
	Taken   bool     `json:"taken"`  // the run goes on with it
}

// possibilities tells what is possible after a run, and which of it the step next
// takes; nil: none.
func (c *course) possibilities(s model.State, next *model.Step) Possibilities {
	out := Possibilities{Enabled: []Choice{}, Disabled: model.WhyDisabled(c.reference, s), Quiescent: true}
	steps, cut := c.reference.Enabled(s)
	out.Quiescent = !cut
	for _, step := range steps {
		out.Quiescent = out.Quiescent && step.Unfair
		out.Enabled = append(out.Enabled, Choice{
			Process: step.Event.Process, Action: c.reference.Describe(step.Event), Kind: c.reference.StepKinds().NameOf(s, step.Event),
			Changes: c.reference.Changes(s, step), Unfair: step.Unfair,
			Taken: next != nil && next.Event.Process == step.Event.Process && c.reference.Describe(next.Event) == c.reference.Describe(step.Event) && next.Event.Age == step.Event.Age,
		})
	}
	if out.Disabled == nil {
		out.Disabled = []model.Disabled{}
	}
	return out
}

// at tells what is possible after so many steps of a run.
func (c *course) at(run *model.Run, at int) Possibilities {
	if at >= len(run.States) { // the handler panicked
		return Possibilities{Enabled: []Choice{}, Disabled: []model.Disabled{}, Quiescent: true}
	}
	var next *model.Step
	if at < len(run.Steps) {
		next = &run.Steps[at]
	}
	return c.possibilities(run.States[at], next)
}
