package export

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"interleave/model"
	"interleave/model/compiled"
	"interleave/properties/election"
	"interleave/spec"
	"interleave/tla/value"
)

// Module is a module as text, with its configuration.
type Module struct {
	Name, Text, Config string
	Of                 string   // the algorithm, or ofTrace
	Left               []string // names of properties that are left out

	told []property
}

// ofTrace is the origin of the files of a trace. It is written in comments of TLA+ and in
// JSON, so it has nothing that ends either.
func ofTrace(origin string) string {
	return "the trace " + comment(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == '"' || r == '\\' || r == unicode.ReplacementChar {
			return '_'
		}
		return r
	}, origin))
}

// Mark is a text by which an export is recognised. It is in the first 1024 bytes of
// each file.
func Mark(of string) string { return "mc exported " + of }

// Algorithm writes a Go algorithm in a world as a module, which names the command as
// its author.
func Algorithm(ctx context.Context, m spec.Machine, c model.Config, command string) (_ *Module, err error) {
	traits := m.Traits()
	defer uncounted(traits.Name, &err)
	if traits.Code != nil {
		return nil, fmt.Errorf("%s: it is existing code, and what stands for its objects says nothing in a module: write the algorithm down, and let a refinement compare the two", traits.Name)
	}
	if err := c.Check(m); err != nil {
		return nil, err
	}
	if err := writable(&traits); err != nil {
		return nil, err
	}
	if err := election.Check(m, c, nil); err != nil {
		return nil, err
	}
	if !c.HasTables() {
		return nil, errors.New("lock-step rounds and timed timers have no tables of local steps, which are what is exported")
	}
	learned, r, err := compiled.LocalTables(ctx, m, c)
	if errors.Is(err, compiled.ErrNotClosed) {
		return nil, fmt.Errorf("%s: there is no table of all local steps in this world: %w", traits.Name, err)
	}
	if err != nil {
		return nil, err
	}
	t, err := newTables(m, r, learned)
	if err != nil {
		return nil, err
	}
	w := world{tables: t, Command: command}
	w.Properties, w.Left = told(m, c)
	var text strings.Builder
	if err := worldTemplate.Execute(&text, w); err != nil {
		return nil, err
	}
	return &Module{Name: w.Name(), Text: text.String(), Config: w.configuration(), Of: w.Algorithm(), Left: w.Left, told: w.Properties}, nil
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
