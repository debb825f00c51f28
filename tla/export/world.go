package export

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"interleave/model"
	"interleave/spec"
	"interleave/tla/value"
)

//go:embed world.tmpl
var worldText string

var worldTemplate = template.Must(template.New("world").Funcs(template.FuncMap{
	"join":      strings.Join,
	"minus":     func(a, b int) int { return a - b },
	"sequence":  func(vals []value.Value) string { return bracketed("<<", vals, ">>", "  ") },
	"set":       func(vals []value.Value) string { return bracketed("{", vals, "}", "  ") },
	"tables":    func(t [][]value.Value) string { return nested(t, numbered) },
	"setTables": func(t [][][]value.Value) string { return nested(t, setsOf) },
	"mark":      Mark,
	"unchanged": func(w world, changed ...string) string { return w.unchanged(changed) },
}).Parse(worldText))

// world is what world.tmpl reads: the tables, their configuration, and what follows from these.
type world struct {
	*tables
	Command    string
	Properties []property
	Left       []string // names of properties that are left out
}

// Name returns the name of the module.
func (w world) Name() string { return Name(w.traits.Name) }

// Algorithm returns the name of the algorithm.
func (w world) Algorithm() string { return w.traits.Name }

// Assumptions returns what mc verify prints of the world.
func (w world) Assumptions() []string { return w.Config.Assumptions(w.machine) }

// FIFO reports whether the network is of queues.
func (w world) FIFO() bool { return w.Config.Network == model.FIFO }

// Bag reports whether the network counts copies of a message.
func (w world) Bag() bool { return w.Config.Network == model.Bag }

// Ring returns the processes in ring order.
func (w world) Ring() (ring []string) {
	for _, p := range w.Config.Placement() {
		ring = append(ring, p.String())
	}
	return ring
}

// Oracle reports whether handlers ask who is live.
func (w world) Oracle() bool { return w.traits.Oracle }

// SmallestInitiator reports whether the smallest that begins should win, and not the largest.
func (w world) SmallestInitiator() bool { return w.traits.Wins == spec.SmallestInitiator }

// condition is what rules ask, in TLA+, of p and a record c.
type condition struct{ Name, Says string }

// Asked returns what some rule of Own asks.
func (w world) Asked() (asked []condition) {
	underWay := w.Outstanding()
	says := map[model.Ask]string{
		model.AllUp:       `c.of \subseteq Live`,
		model.AllDown:     `c.of \cap Live = {}`,
		model.NoneOwing:   `\A q \in Live : p \notin At(q).owing[c.timer]`,
		model.NoneAwaited: `\A q \in Live : \A e \in ` + underWay + `(q) : [timer |-> c.timer, waits |-> p, from |-> e.from, to |-> q, message |-> e.message] \notin Awaited`,
		model.NoneFrom:    `\A q \in c.to : \A e \in ` + underWay + `(q) : e.from \notin c.of \ Live`,
	}
	for _, ask := range slices.Sorted(maps.Keys(w.asked)) {
		asked = append(asked, condition{ask.String(), says[ask]})
	}
	return asked
}

// budget is a variable that counts something of which the world allows so much.
type budget struct {
	Name, Counts string
	Limit        int
}

// budget returns the variable of a budget.
func (w world) budget(b model.Budget) budget {
	out := budget{nameOfBudget(b), "how many there were", w.Config.Limit(b)}
	if act, ok := b.Act(); ok {
		out.Counts = "how often all processes together did " + comment(w.traits.Actions[act].Name)
	}
	return out
}

// nameOfBudget is that of its variable.
func nameOfBudget(b model.Budget) string { return strings.ReplaceAll(b.String(), " ", "_") }

// Spent returns the budgets that rules of Own spend.
func (w world) Spent() (budgets []budget) {
	for _, b := range w.Config.Counted() {
		if _, acts := b.Act(); acts || b == model.Recoveries || b == model.Suspicions {
			budgets = append(budgets, w.budget(b))
		}
	}
	return budgets
}

// Rest says that the rest of the environment does not change in a step of Own.
func (w world) Rest() string {
	changed := []string{model.Crashes.String()}
	for _, b := range w.Spent() {
		changed = append(changed, b.Name)
	}
	return w.unchanged(changed)
}

// Elects reports whether processes follow a leader.
func (w world) Elects() bool { return w.traits.Elects }

// Asking reports whether some action is asked for with a value.
func (w world) Asking() bool { return asking(&w.traits) }

// Limit is how many faults the world allows of a budget.
func (w world) Limit(b model.Budget) int { return w.Config.Limit(b) }

// Messages returns the rules of what may happen to messages on their way, by those to process 1.
func (w world) Messages() []model.Rule { return w.reference.Rules().Messages(1) }

// Network returns the rules of what may happen to the network, one of each name.
func (w world) Network() []model.Rule {
	return slices.CompactFunc(w.reference.Rules().Network(), func(a, b model.Rule) bool { return a.Action == b.Action })
}

// Action returns the name of the action of a rule.
func (w world) Action(r model.Rule) string {
	name := r.Action.String()
	return strings.ToUpper(name[:1]) + name[1:]
}

// Asks returns what a rule of messages or of the network asks.
func (w world) Asks(r model.Rule) (all []string) {
	for _, c := range r.Asks {
		all = append(all, map[model.Ask]string{model.AllDown: `p \notin Live`, model.Whole: "side = {}", model.Divided: "side # {}"}[c.Ask])
	}
	return all
}

// Outstanding returns the operator for what has not arrived.
func (w world) Outstanding() string {
	if w.Refusing {
		return "Outstanding"
	}
	return "Flying"
}

// MessageType returns the type of messages, in Apalache's notation.
func (w world) MessageType() string { return notation(typeOf(w.traits.Message)) }

// MemoryType returns the type of what a process remembers.
func (w world) MemoryType() string { return notation(typeOf(w.traits.Zero)) }

// RowType returns the common part of the types of rows of Own and Take.
func (w world) RowType() string {
	fields := []string{"how: Str", "after: Int", "sends: Seq($sent)"}
	for _, f := range []struct {
		field string
		there bool
	}{{"live: Set(Int)", w.traits.Oracle}, {"next: Int", w.Hops}, {"choices: Seq(Int)", w.Choosing}, {"crash: Bool", w.Config.Split}} {
		if f.there {
			fields = append(fields, f.field)
		}
	}
	return strings.Join(fields, ", ")
}

// Budgets returns the variables that count faults, one for each kind that there may be, and actions.
func (w world) Budgets() (list []budget) {
	for _, b := range w.Config.Counted() {
		list = append(list, w.budget(b))
	}
	return list
}

// Variables returns the variables of the module.
func (w world) Variables() []string {
	return slices.Concat([]string{"local"}, w.environment(), []string{"inbox"})
}

// environment returns the variables that belong to no process.
func (w world) environment() []string {
	var names []string
	for _, b := range w.Budgets() {
		names = append(names, b.Name)
	}
	if w.Config.Partitions > 0 {
		names = append(names, "side")
	}
	return names
}

// unchanged says that the environment does not change, except for some of its
// variables.
func (w world) unchanged(changed []string) string {
	names := slices.DeleteFunc(w.environment(), func(name string) bool { return slices.Contains(changed, name) })
	if len(names) == 0 {
		return ""
	}
	return "\n    /\\ UNCHANGED << " + strings.Join(names, ", ") + " >>"
}

// configuration returns the text of the module's .cfg.
func (w world) configuration() string {
	var b strings.Builder
	b.WriteString("\\* " + Mark(w.Algorithm()) + "\nSPECIFICATION Spec\nCHECK_DEADLOCK FALSE\nINVARIANT Known\n")
	if w.Panics {
		b.WriteString("INVARIANT No_panic\n")
	}
	for _, p := range w.Properties {
		kind := "INVARIANT"
		if p.ofSteps {
			kind = "PROPERTY"
		}
		fmt.Fprintf(&b, "%s %s\n", kind, p.Name)
	}
	return b.String()
}
