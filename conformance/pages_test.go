package conformance_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"interleave/impl/runlog"
	"interleave/impl/wire"
	"interleave/impl/wire/wiretest"
	"interleave/internal/cell"
	"interleave/spec"
	"interleave/spec/catalog"
)

var update = flag.Bool("update", false, "write what the pages of the algorithms say of a process anew")

// processBlock is the part of a page that says what a process of the family is.
var processBlock = regexp.MustCompile(`(?s)<!-- a process of ([a-z-]+) -->\n(.*?)<!-- end -->`)

// TestPagesOfProcesses: the page of an algorithm says of each variant how state and messages
// are written, which timers there are, and what the steps send, arm and stop, as the code
// has it. When a step does what, people have written; it has to be said of each row.
func TestPagesOfProcesses(t *testing.T) {
	pages, err := filepath.Glob("../docs/algorithms/*.md")
	if err != nil {
		t.Fatal(err)
	}
	families := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		shown := processBlock.ReplaceAllStringFunc(string(text), func(block string) string {
			families++
			parts := processBlock.FindStringSubmatch(block)
			is := describe(t, variants(parts[1]), whens(parts[2]))
			if is != parts[2] && !*update {
				t.Errorf("%s: a process of %s is otherwise; go test ./conformance -run PagesOfProcesses -update writes\n%s", page, parts[1], changed(parts[2], is))
			}
			if strings.Contains(is, "| ? |") {
				t.Errorf("%s does not say when a process of %s takes each step", page, parts[1])
			}
			return "<!-- a process of " + parts[1] + " -->\n" + is + "<!-- end -->"
		})
		if *update && shown != string(text) {
			if err := os.WriteFile(page, []byte(shown), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if families != 12 {
		t.Errorf("%d families have a page that says what a process is", families)
	}
}

// changed returns the lines of one text that are not in the other, and the other way round.
func changed(was, is string) string {
	var b strings.Builder
	for _, c := range []struct{ mark, of, in string }{{"-", was, is}, {"+", is, was}} {
		in := strings.Split(c.in, "\n")
		for _, line := range strings.Split(c.of, "\n") {
			if !slices.Contains(in, line) {
				fmt.Fprintln(&b, c.mark, line)
			}
		}
	}
	return b.String()
}

// variants returns the algorithms of a family.
func variants(family string) (some []spec.Machine) {
	for _, m := range catalog.Machines {
		if strings.HasPrefix(m.Traits().Name, family+"/") {
			some = append(some, m)
		}
	}
	return some
}

// name returns the part of a variant's name that is its own.
func name(m spec.Machine) string {
	_, own, _ := strings.Cut(m.Traits().Name, "/")
	return own
}

// whens returns the last cell of each row of a table, by the cells before it.
func whens(table string) map[string]string {
	by := map[string]string{}
	for line := range strings.Lines(table) {
		cells := strings.TrimSuffix(strings.TrimSpace(line), " |")
		if at := strings.LastIndex(cells, " | "); at > 0 {
			by[cells[:at+3]] = cells[at+3:]
		}
	}
	return by
}

// describe says what processes of some variants are. The words of rows that there are already are kept.
func describe(t *testing.T, machines []spec.Machine, when map[string]string) string {
	var b strings.Builder
	b.WriteString("| variant | shape | timers | events that it handles |\n|---|---|---|---|\n")
	for _, m := range machines {
		codec, err := wire.NewCodec(m)
		if err != nil {
			t.Fatal(err)
		}
		var timers, events []string
		for _, rule := range m.Traits().Rules {
			timers = append(timers, "`"+rule.Name+"`")
		}
		for kind := range spec.Recover + 1 {
			switch {
			case kind == spec.Act:
				for _, act := range m.Traits().Actions {
					events = append(events, act.Name)
				}
			case m.Traits().Handles.Has(kind):
				events = append(events, kind.String())
			}
		}
		fmt.Fprintf(&b, "| `%s` | `%016x` | %s | %s |\n", m.Traits().Name, codec.Shape(), list(timers), list(events))
	}
	for _, of := range byType(machines, func(t spec.Traits) any { return t.Zero }) {
		describeState(t, &b, of)
	}
	for _, of := range byType(machines, func(t spec.Traits) any { return t.Message }) {
		describeMessages(t, &b, of)
	}
	describeSteps(t, &b, machines, when)
	return b.String()
}

// byType returns the machines in groups of those in which a value has the same type.
func byType(machines []spec.Machine, value func(spec.Traits) any) (groups [][]spec.Machine) {
next:
	for _, m := range machines {
		for i, g := range groups {
			if reflect.TypeOf(cell.Value(value(g[0].Traits()))) == reflect.TypeOf(cell.Value(value(m.Traits()))) {
				groups[i] = append(g, m)
				continue next
			}
		}
		groups = append(groups, []spec.Machine{m})
	}
	return groups
}

func names(machines []spec.Machine) string {
	var all []string
	for _, m := range machines {
		all = append(all, name(m))
	}
	return list(all)
}

// describeState says how the state is written, and the memory that a process finds at first.
func describeState(t *testing.T, b *strings.Builder, of []spec.Machine) {
	fmt.Fprintf(b, "\nThe **state** of %s:\n\n| field | value |\n|---|---|\n", names(of))
	describeFields(b, reflect.TypeOf(cell.Value(of[0].Traits().Zero)), "")
	zero := of[0].Traits().Zero
	first, _ := of[0].Step(2, []spec.ID{1, 2, 3}, zero, spec.Event{Kind: spec.Init})
	fmt.Fprintf(b, "\nThe first `memory` is `%s`", plain(t, zero))
	if first != zero {
		fmt.Fprintf(b, ",\nand the state of process 2 of three after `init` is `%s`", plain(t, first))
	}
	b.WriteString(".\n")
}

// plain returns a value as logs have it.
func plain(t *testing.T, v any) string {
	text, err := runlog.PlainJSON(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// describeFields adds a row for each field of a type, in its order.
func describeFields(b *strings.Builder, typ reflect.Type, path string) {
	for f := range typ.Fields() {
		fmt.Fprintf(b, "| `%s%s` | %s |\n", path, f.Name, valueOf(f.Type))
		switch {
		case f.Type.Kind() == reflect.Struct:
			describeFields(b, f.Type, path+f.Name+".")
		case f.Type.Kind() == reflect.Array && f.Type.Elem().Kind() == reflect.Struct:
			describeFields(b, f.Type.Elem(), path+f.Name+"[i].")
		case f.Type.Kind() == reflect.Map && f.Type.Elem().Kind() == reflect.Struct:
			describeFields(b, f.Type.Elem(), path+f.Name+"[key].")
		}
	}
}

// valueOf says what values of a type are, and how they are written.
func valueOf(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[spec.ID]():
		return "a process, 0 for none"
	case t == reflect.TypeFor[spec.Set]():
		return "a set of processes"
	case t.Kind() == reflect.Struct:
		return "an object"
	case t.Kind() == reflect.Array:
		return fmt.Sprintf("a list of %d, each %s", t.Len(), valueOf(t.Elem()))
	case t.Kind() == reflect.Map:
		return fmt.Sprintf("`null`, or an object by %s, in the order of these, each %s", strings.TrimSuffix(valueOf(t.Key()), ", 0 for none"), valueOf(t.Elem()))
	case t.Kind() == reflect.Bool:
		return "`true` or `false`"
	case t.Kind() == reflect.String:
		return "a text"
	}
	if all := constants(t); all != "" {
		return "a number: " + all
	}
	return "a number, " + t.Kind().String()
}

// constants returns the names of a type's numbers, if it has some.
func constants(t reflect.Type) (names string) {
	var all []string
	defer func() {
		_ = recover() // there are no more
		names = list(all)
	}()
	for i := uint64(0); t.Implements(reflect.TypeFor[fmt.Stringer]()); i++ {
		v := reflect.New(t).Elem()
		v.SetUint(i)
		all = append(all, fmt.Sprintf("%d %s", i, v.Interface().(fmt.Stringer).String()))
	}
	return ""
}

// describeMessages says how messages are written in logs and on the wire.
func describeMessages(t *testing.T, b *strings.Builder, of []spec.Machine) {
	typ := reflect.TypeOf(cell.Value(of[0].Traits().Message))
	if typ.Kind() == reflect.Struct {
		fmt.Fprintf(b, "\nA **message** of %s:\n\n| field | value |\n|---|---|\n", names(of))
		describeFields(b, typ, "")
	} else {
		fmt.Fprintf(b, "\nA **message** of %s is %s.\n", names(of), valueOf(typ))
	}
	b.WriteString("\n| kind | such as | as bytes | of |\n|---|---|---|---|\n")
	var rows []string
	by := map[string][]spec.Machine{}
	for _, m := range of {
		codec, err := wire.NewCodec(m)
		if err != nil {
			t.Fatal(err)
		}
		for i, message := range wiretest.OfEachKind(m) {
			body, err := codec.Append(nil, message)
			if err != nil {
				t.Fatal(err)
			}
			row := fmt.Sprintf("| %s | `%s` | `%x` |", m.Traits().Kinds[i], plain(t, message), body)
			if by[row] == nil {
				rows = append(rows, row)
			}
			by[row] = append(by[row], m)
		}
	}
	for _, row := range rows {
		fmt.Fprintf(b, "%s %s |\n", row, names(by[row]))
	}
}

// describeSteps says what comes of the steps of a process, of each event of each variant.
func describeSteps(t *testing.T, b *strings.Builder, machines []spec.Machine, when map[string]string) {
	of := map[row][]spec.Machine{}
	told := map[string]string{}
	var events []string
	for _, m := range machines {
		if m.Traits().Handles.Has(spec.Round) {
			continue
		}
		v := surveyOf(m)
		for r := range v.rows {
			of[r] = append(of[r], m)
		}
		for name, value := range v.told {
			told[name] = plain(t, value)
		}
		events = append(events, eventsOf(m)...)
	}
	if len(of) == 0 {
		return
	}
	for name, text := range told {
		fmt.Fprintf(b, "\n`told` has `%s` as `%s`.\n", name, text)
	}
	b.WriteString("\n| event | sends, in this order | arms | stops | of | when, and what becomes of the state |\n|---|---|---|---|---|---|\n")
	for _, r := range sorted(of, events) {
		cells := fmt.Sprintf("| %s | %s | %s | %s | %s | ", r.event, r.sends, r.arms, r.stops, names(of[r]))
		fmt.Fprintf(b, "%s%s |\n", cells, cmp.Or(when[cells], "?"))
	}
}

// eventsOf returns the events of a machine as rows name them, in their order.
func eventsOf(m spec.Machine) (events []string) {
	events = append(events, "init", "recover", "start", spec.Notice)
	for _, act := range m.Traits().Actions {
		if !act.Leaderless {
			events = append(events, act.Name)
		}
	}
	for _, kind := range m.Traits().Kinds {
		events = append(events, "receive "+kind)
	}
	for _, rule := range m.Traits().Rules {
		events = append(events, "timeout "+rule.Name)
	}
	return append(events, "suspect")
}

// sorted returns the rows in the order of the events, what is refused first.
func sorted(of map[row][]spec.Machine, events []string) (rows []row) {
	for r := range of {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(slices.Index(events, a.event), slices.Index(events, b.event)),
			cmp.Compare(b.refuses(), a.refuses()), cmp.Compare(a.sends, b.sends), cmp.Compare(a.arms, b.arms), cmp.Compare(a.stops, b.stops))
	})
	return rows
}

func (r row) refuses() int {
	if r.sends == "refused" {
		return 1
	}
	return 0
}
