package tla

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"interleave/tla/eval"
	"interleave/tla/value"
)

// Model is a module with a configuration, compiled: what is to be checked.
type Model struct {
	Module string
	Config *Config
	Notes  []string // what was read but is not used

	spec       *eval.Spec
	machine    *eval.Machine
	fair       []eval.Formula
	next       eval.Formula
	justice    []eval.Justice
	properties []*property
	invariants []*eval.Predicate
	limits     []*eval.Predicate // constraints on states
	steps      []*eval.Predicate // constraints on steps
	asked      []question
	view       *eval.Expression
	symmetry   *symmetry
}

// maxAsked bounds the questions: a mark for each, and two more.
const maxAsked = 60

// Open reads a module and its configuration and compiles both. Modules are read from
// the folder of the file.
func Open(file, config string) (*Model, error) {
	return OpenWithin(context.Background(), file, config, 0)
}

// OpenWithin is Open with limits on the evaluation of assumptions and constants: it
// ends with an *eval.OutOfBudget when ctx is done or the heap grows beyond so many
// bytes; 0: no limit.
func OpenWithin(ctx context.Context, file, config string, memory int64) (*Model, error) {
	return open(ctx, file, config, memory, folder(filepath.Dir(file)))
}

// OpenAs is OpenWithin if the file of the module held another text.
func OpenAs(ctx context.Context, file, text, config string, memory int64) (*Model, error) {
	return open(ctx, file, config, memory, instead(file, text))
}

func open(ctx context.Context, file, config string, memory int64, modules eval.Source) (*Model, error) {
	name, ok := strings.CutSuffix(filepath.Base(file), ".tla")
	if !ok {
		return nil, fmt.Errorf("%s is no module: its name does not end in .tla", file)
	}
	if _, _, err := modules(name); err != nil { // before its configuration is missed
		return nil, err
	}
	text, err := readText(config)
	if err != nil {
		return nil, err
	}
	c, err := ParseConfig(config, text)
	if err != nil {
		return nil, err
	}
	spec, err := eval.Load(name, modules)
	if err != nil {
		return nil, err
	}
	defer spec.Limit(ctx, memory)()
	return New(spec, c)
}

// Limit bounds what evaluations take, as OpenWithin does, until end is called.
func (m *Model) Limit(ctx context.Context, memory int64) (end func() bool) {
	return m.spec.Limit(ctx, memory)
}

// MaxText bounds the size of a module or a configuration, in bytes.
const MaxText = 4 << 20

// readText reads a file that is not too long.
func readText(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	return readAll(name, file)
}

func readAll(name string, file io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(file, MaxText+1))
	if err == nil && len(text) > MaxText {
		err = fmt.Errorf("%s is longer than %d MiB", name, MaxText>>20)
	}
	return string(text), err
}

// folder is the source of the modules in a folder. The name of a module is a word, and
// no link may lead out of the folder.
func folder(dir string) eval.Source {
	return func(name string) (file, text string, err error) {
		file = filepath.Join(dir, name+".tla")
		root, err := os.OpenRoot(dir)
		if err != nil {
			return file, "", err
		}
		defer root.Close()
		in, err := root.Open(name + ".tla")
		switch {
		case errors.Is(err, os.ErrNotExist):
			return file, "", &fs.PathError{Op: "open", Path: file, Err: fs.ErrNotExist}
		case err != nil:
			return file, "", fmt.Errorf("%s is not read, and no link may lead out of the folder: %w", file, err)
		}
		defer in.Close()
		text, err = readAll(file, in)
		return file, text, err
	}
}

// Reads returns what Open would say of the names and levels in a module if its file held
// another text.
func Reads(file, text string) error {
	_, err := eval.Load(strings.TrimSuffix(filepath.Base(file), ".tla"), instead(file, text))
	return err
}

// instead is the source of the modules in the folder of a file, which has another text.
func instead(file, text string) eval.Source {
	name := strings.TrimSuffix(filepath.Base(file), ".tla")
	modules := folder(filepath.Dir(file))
	return func(other string) (string, string, error) {
		if other == name {
			return file, text, nil
		}
		return modules(other)
	}
}

// New compiles a specification under a configuration.
func New(spec *eval.Spec, c *Config) (*Model, error) {
	m := &Model{Module: spec.Name, Config: c, spec: spec}
	if c.Alias {
		m.Notes = append(m.Notes, "ALIAS is not used: traces show the variables")
	}
	for _, step := range []func() error{m.constants, func() error { return spec.Given(c.File) }, m.reductions, spec.Assumptions, m.behaviour, m.predicates, m.temporal} {
		if err := step(); err != nil {
			return nil, c.placed(err)
		}
	}
	return m, nil
}

func (m *Model) constants() error {
	for _, k := range m.Config.Constants {
		var err error
		switch {
		case k.In != "" && k.By != "":
			err = m.spec.ReplaceIn(k.In, k.Name, k.By)
		case k.In != "":
			err = m.spec.SetIn(k.In, k.Name, k.Value)
		case k.By != "":
			err = m.spec.Replace(k.Name, k.By)
		case k.Value == value.Value(value.Model(k.Name)) && !m.spec.Knows(k.Name):
			// a model value that occurs only in the configuration
		default:
			err = m.spec.Set(k.Name, k.Value)
		}
		if err != nil {
			return fmt.Errorf("%s:%v: %w", m.Config.File, k.Pos, err)
		}
	}
	return nil
}

// reductions compiles VIEW and SYMMETRY.
func (m *Model) reductions() (err error) {
	if m.Config.View != "" {
		if m.view, err = m.spec.Expression(m.Config.View); err != nil {
			return err
		}
	}
	if m.Config.Symmetry == "" {
		return nil
	}
	v, err := m.spec.Constant(m.Config.Symmetry)
	if err != nil {
		return err
	}
	if m.symmetry, err = newSymmetry(v); err != nil {
		return fmt.Errorf("%s: SYMMETRY %s: %w", m.Config.File, m.Config.Symmetry, err)
	}
	return nil
}

func (m *Model) behaviour() (err error) {
	c := m.Config
	b := &eval.Behaviour{}
	switch {
	case len(m.spec.Variables) == 0 && c.Specification+c.Init+c.Next != "":
		return fmt.Errorf("%s: module %s has no variables, and so no behaviour: leave out SPECIFICATION, INIT and NEXT", c.File, m.Module)
	case c.Specification != "" && c.Init+c.Next == "":
		b, err = m.spec.Behaviour(c.Specification)
	case c.Specification == "" && c.Init != "" && c.Next != "":
		var init eval.Formula
		if init, err = m.spec.Named(c.Init); err != nil {
			return err
		}
		b.Init = []eval.Formula{init}
		b.Next, err = m.spec.Named(c.Next)
	case c.Specification+c.Init+c.Next == "" && len(c.Invariants)+len(c.Properties)+len(c.Constraints)+len(c.ActionLimits)+len(m.spec.Variables) == 0:
		m.Notes = append(m.Notes, "there are no variables, so no state was explored, and only assumptions are checked")
		return nil
	case c.Specification != "" && c.Init+c.Next != "":
		return fmt.Errorf("%s: SPECIFICATION is given, and INIT or NEXT, too: leave out one or the other", c.File)
	default:
		return fmt.Errorf("%s: either SPECIFICATION or both INIT and NEXT have to be given: without, nothing is checked but the assumptions of a module without variables", c.File)
	}
	if err != nil {
		return err
	}
	m.fair, m.next = b.Fair, b.Next
	m.machine, err = m.spec.Machine(b.Init, b.Next)
	return err
}

func (m *Model) predicates() error {
	for _, list := range []struct {
		names   []string
		to      *[]*eval.Predicate
		compile func(name string) (*eval.Predicate, error)
	}{
		{m.Config.Invariants, &m.invariants, m.spec.StatePredicate},
		{m.Config.Constraints, &m.limits, m.spec.StatePredicate},
		{m.Config.ActionLimits, &m.steps, m.spec.StepPredicate},
	} {
		for _, name := range list.names {
			q, err := list.compile(name)
			if err != nil {
				return err
			}
			*list.to = append(*list.to, q)
		}
	}
	return nil
}

// temporal compiles the properties. Those that are about every state, or every step,
// join the invariants.
func (m *Model) temporal() error {
	for _, f := range m.fair {
		js, err := f.Conditions(m.next)
		if err != nil {
			return err
		}
		m.justice = append(m.justice, js...)
	}
	for _, name := range m.Config.Properties {
		f, err := m.spec.Named(name)
		if err != nil {
			return err
		}
		t, err := f.Property()
		if err != nil {
			return err
		}
		p := &property{name: name, premises: t.Premises(), assumed: m.assumed(t)}
		p.take(t)
		m.properties = append(m.properties, p)
	}
	for _, q := range m.invariants {
		m.asked = append(m.asked, question{q.Name, q.Name + " is false", q, false})
	}
	for _, p := range m.properties {
		for _, q := range p.always {
			m.asked = append(m.asked, question{p.name, "a state is not as it demands", q, false})
		}
		for _, q := range p.every {
			m.asked = append(m.asked, question{p.name, "the last step is not as it demands", q, true})
		}
	}
	if len(m.asked) > maxAsked {
		return fmt.Errorf("%s: %d invariants and properties of steps are given; %d are supported", m.Config.File, len(m.asked), maxAsked)
	}
	return nil
}

// question is asked of every state, or of every step; its index is its mark.
type question struct {
	name, why string
	pred      *eval.Predicate
	step      bool
}

// Variables returns the names of the variables, in the order in which a state
// lists their values.
func (m *Model) Variables() []string { return m.spec.Variables }

// Evaluator yields the initial states and the steps of the model. Only one goroutine
// may use it. Constraints are not applied.
func (m *Model) Evaluator() *eval.Evaluator { return m.machine.Evaluator() }

// Step identifies a part of the next-state relation, and its arguments.
func (m *Model) Step(part int, args []value.Value) Step {
	return Step{part, m.machine.Parts[part].Name, args}
}

// Constant returns what the configuration gives to a constant.
func (m *Model) Constant(name string) (value.Value, error) {
	for _, c := range m.Config.Constants {
		switch {
		case c.Name != name:
		case c.By != "":
			return m.spec.Constant(c.By)
		default:
			return c.Value, nil
		}
	}
	return nil, fmt.Errorf("%s gives no value to the constant %s", m.Config.File, name)
}

// constraints names what may cut off states or steps.
func (m *Model) constraints() []string {
	return slices.Concat(m.Config.Constraints, m.Config.ActionLimits)
}

// merged returns why states that were merged may differ.
func (m *Model) merged() (why []string) {
	if m.view != nil {
		why = append(why, "only one state of each VIEW "+m.Config.View+" was looked at")
	}
	if doubt := m.doubt(); doubt != "" {
		why = append(why, doubt)
	}
	return why
}

// doubt returns why merged states may differ; empty if they cannot.
func (m *Model) doubt() string {
	if m.symmetry == nil {
		return ""
	}
	for _, k := range m.Config.Constants {
		if k.Value != nil && (k.In != "" || m.spec.Knows(k.Name)) && m.symmetry.moves(value.Explicit(k.Value)) {
			return fmt.Sprintf("SYMMETRY %s may take states for one that are told apart by the constant %s", m.Config.Symmetry, k.Name)
		}
	}
	if m.spec.Chooses() {
		return fmt.Sprintf("SYMMETRY %s may take states for one that are told apart where something is chosen", m.Config.Symmetry)
	}
	return ""
}

// assumed lists where a property demands fairness that the specification assumes.
func (m *Model) assumed(t *eval.Temporal) (all []eval.Place) {
	switch {
	case t.Fair != nil:
		if slices.ContainsFunc(m.justice, func(j eval.Justice) bool { return j.Implies(t.Fair) }) {
			all = append(all, t.Place)
		}
	case t.Op == eval.And:
		for _, part := range t.Args {
			all = append(all, m.assumed(part)...)
		}
	}
	return slices.Compact(all)
}
