package export

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"text/template"
	"unicode"

	"interleave/model"
	"interleave/properties"
	"interleave/spec"
	"interleave/tla/value"
)

// Module is a module as text, with its configuration.
type Module struct {
	Name, Text, Config string
	Of                 string   // the algorithm, or ofTrace
	Left               []string // names of properties that are left out
}

// ofTrace is the origin of the files of a trace. It is written in comments of TLA+ and in
// JSON, so it has nothing that ends either.
func ofTrace(origin string) string {
	return "the trace " + comment(strings.Map(func(r rune) rune {
		if r < ' ' || r == '"' || r == '\\' || r == unicode.ReplacementChar {
			return '_'
		}
		return r
	}, origin))
}

// Mark is a text by which an export is recognised. It is in the first 1024 bytes of
// each file.
func Mark(of string) string { return "mc exported " + of }

//go:embed world.tmpl
var world string

var worldTemplate = template.Must(template.New("world").Funcs(template.FuncMap{
	"join":      strings.Join,
	"minus":     func(a, b int) int { return a - b },
	"sequence":  func(vals []value.Value) string { return bracketed("<<", vals, ">>", "  ") },
	"set":       func(vals []value.Value) string { return bracketed("{", vals, "}", "  ") },
	"tables":    func(t [][]value.Value) string { return nested(t, numbered) },
	"setTables": func(t [][][]value.Value) string { return nested(t, setsOf) },
	"mark":      Mark,
	"unchanged": func(m moduleData, changed ...string) string { return m.unchanged(changed) },
}).Parse(world))

// moduleData is the data of the template.
type moduleData struct {
	*tables
	Name, Algorithm, Command string
	Assumptions, Left        []string
	MessageType, MemoryType  string
	RowType                  string
	N                        int
	FIFO, Bag                bool
	Ring                     []string
	Budgets                  []budget
	Partitions, Recoveries   int
	Crashes, MostDown        int
	Losses, Duplicates       int
	Suspicions               int
	Split, Oracle, Hops      bool
	Panics, Notices          bool
	Refusing                 bool
	Outstanding              string // the operator for what has not arrived
	NoticesLate, Justified   bool
	AnyInitiators            bool
	SmallestInitiator        bool
	Detector                 string
	Timers                   []timer
	Locals                   [][]value.Value
	Own, Take                [][][]value.Value
	Begins, Awaited          []value.Value
	Properties               []property
}

// budget is a variable that counts faults of a kind.
type budget struct{ Name string }

// Algorithm writes a Go algorithm in a world as a module, which names the command as
// its author.
func Algorithm(ctx context.Context, m spec.Machine, c model.Config, command string) (_ *Module, err error) {
	defer uncounted(m.Traits().Name, &err)
	if err := c.Check(m); err != nil {
		return nil, err
	}
	if err := properties.Check(m, c, nil); err != nil {
		return nil, err
	}
	if !c.HasTables() {
		return nil, errors.New("lock-step rounds and timed timers have no tables of local steps, which are what is exported")
	}
	learned, _, err := model.LocalTables(ctx, m, c)
	if errors.Is(err, model.ErrNotSymbolic) {
		return nil, fmt.Errorf("%s: there is no table of all local steps in this world: %w", m.Traits().Name, err)
	}
	if err != nil {
		return nil, err
	}
	t, err := newTables(m, c, learned)
	if err != nil {
		return nil, err
	}
	d := t.data(command)
	var text strings.Builder
	if err := worldTemplate.Execute(&text, d); err != nil {
		return nil, err
	}
	return &Module{Name: d.Name, Text: text.String(), Config: d.config(), Of: d.Algorithm, Left: d.Left}, nil
}

func (t *tables) data(command string) moduleData {
	c := t.config
	d := moduleData{
		tables: t, Name: Name(t.traits.Name), Algorithm: t.traits.Name, Command: command, Assumptions: c.Assumptions(t.machine),
		MessageType: typeOf(reflect.TypeOf(t.traits.Message)), MemoryType: typeOf(reflect.TypeOf(t.traits.Zero)),
		N: c.N, FIFO: c.Network == model.FIFO, Bag: c.Network == model.Bag,
		Partitions: c.Partitions, Recoveries: c.Recoveries, Crashes: c.Crashes, MostDown: c.Crashes, Losses: c.Losses,
		Duplicates: c.Duplicates, Suspicions: c.Suspicions, Split: c.Split, Oracle: t.traits.Oracle, Hops: t.hops, Panics: t.panics, Refusing: t.refusing, Outstanding: "Flying",
		Notices: t.traits.Handles.Has(spec.Notice), NoticesLate: c.NoticesLate(t.traits), Justified: t.justified(),
		AnyInitiators: c.Initiators.Any, SmallestInitiator: t.traits.Wins == spec.SmallestInitiator,
		Timers: t.timers, Locals: t.locals, Own: t.own, Take: t.take, Begins: t.begins, Awaited: t.awaited,
	}
	if t.refusing {
		d.Outstanding = "Outstanding"
	}
	if c.Start == model.LeaderDown {
		d.MostDown++
	}
	if c.Detector != model.NoDetector {
		d.Detector = c.Detector.String()
	}
	for _, p := range c.Placement() {
		d.Ring = append(d.Ring, p.String())
	}
	d.RowType = t.rowType()
	for _, b := range []struct {
		name  string
		there bool
	}{
		{"crashes", c.Recoveries > 0}, {"recoveries", c.Recoveries > 0}, {"losses", c.Losses > 0}, {"duplicates", c.Duplicates > 0},
		{"partitions", c.Partitions > 0}, {"suspicions", c.Suspicions > 0},
	} {
		if b.there {
			d.Budgets = append(d.Budgets, budget{b.name})
		}
	}
	d.Properties, d.Left = told(t.machine, c)
	return d
}

// rowType is the common part of the types of rows of Own and Take, in Apalache's
// notation.
func (t *tables) rowType() string {
	fields := []string{"how: Str", "after: Int", "sends: Seq($sent)"}
	for _, f := range []struct {
		field string
		there bool
	}{{"live: Set(Int)", t.traits.Oracle}, {"next: Int", t.hops}, {"crash: Bool", t.config.Split}} {
		if f.there {
			fields = append(fields, f.field)
		}
	}
	return strings.Join(fields, ", ")
}

// Name turns another name, such as that of an algorithm, into a name of TLA+.
func Name(text string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, text)
	if !strings.ContainsFunc(name, unicode.IsLetter) || strings.HasPrefix(name, "WF_") || strings.HasPrefix(name, "SF_") {
		name = "m_" + name // TLA+ has no names without a letter, and reads these as fairness
	}
	return name
}

// Variables returns the variables of the module.
func (d moduleData) Variables() []string {
	return append(append([]string{"local"}, d.environment()...), "inbox")
}

// environment returns the variables that belong to no process.
func (d moduleData) environment() []string {
	var names []string
	for _, b := range d.Budgets {
		names = append(names, b.Name)
	}
	if d.Partitions > 0 {
		names = append(names, "side")
	}
	return names
}

// unchanged says that the environment does not change, except for some of its
// variables.
func (d moduleData) unchanged(changed []string) string {
	var names []string
	for _, n := range d.environment() {
		there := false
		for _, c := range changed {
			there = there || c == n
		}
		if !there {
			names = append(names, n)
		}
	}
	if names == nil {
		return ""
	}
	return "\n    /\\ UNCHANGED << " + strings.Join(names, ", ") + " >>"
}

func (d moduleData) config() string {
	var b strings.Builder
	b.WriteString("\\* " + Mark(d.Algorithm) + "\nSPECIFICATION Spec\nCHECK_DEADLOCK FALSE\nINVARIANT Known\n")
	if d.Panics {
		b.WriteString("INVARIANT No_panic\n")
	}
	for _, p := range d.Properties {
		kind := "INVARIANT"
		if p.ofSteps {
			kind = "PROPERTY"
		}
		fmt.Fprintf(&b, "%s %s\n", kind, p.Name)
	}
	return b.String()
}

// bracketed writes values one to a line.
func bracketed(open string, vals []value.Value, end, indent string) string {
	if len(vals) == 0 {
		return open + " " + end
	}
	var b strings.Builder
	b.WriteString(open)
	for i, v := range vals {
		b.WriteString("\n" + indent + source(v))
		if i < len(vals)-1 {
			b.WriteString(",")
		}
	}
	return b.String() + " " + end
}

// nested writes a table for each process.
func nested[T any](tables []T, write func(T) string) string {
	var parts []string
	for i, t := range tables {
		parts = append(parts, fmt.Sprintf("\n  \\* process %d\n  %s", i+1, write(t)))
	}
	return "<<" + strings.Join(parts, ",") + " >>"
}

// numbered writes values one to a line, each with its number.
func numbered(vals []value.Value) string {
	var b strings.Builder
	b.WriteString("<<")
	for i, v := range vals {
		comma := ","
		if i == len(vals)-1 {
			comma = ""
		}
		fmt.Fprintf(&b, "\n    %s%s \\* %d", source(v), comma, i+1)
	}
	return b.String() + "\n  >>"
}

// setsOf writes sets of rows, each under its number.
func setsOf(sets [][]value.Value) string {
	var b strings.Builder
	b.WriteString("<<")
	for i, rows := range sets {
		end := ","
		if i == len(sets)-1 {
			end = " >>"
		}
		fmt.Fprintf(&b, "\n    \\* %d\n    %s%s", i+1, bracketed("{", rows, "}", "      "), end)
	}
	return b.String()
}
