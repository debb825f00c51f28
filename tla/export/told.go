package export

import (
	"slices"
	"strings"

	"interleave/model"
	"interleave/properties"
	"interleave/properties/election"
	"interleave/spec"
)

// property is one that the module tells.
type property struct {
	Name, Doc, Says string
	ofSteps         bool
}

// says has the properties of package properties that are about states or steps, in
// terms of the module.
var says = map[string]string{
	election.LeaderIsTop.Name:          `\A p \in Live : LeaderOf(p) \in { 0, Top }`,
	election.LeaderIsTopOrCrashed.Name: `\A p \in Live : LeaderOf(p) \in { 0, Top } \cup (Procs \ Live)`,
	election.WinnerIsTop.Name:          `\A p \in Live : LeaderOf(p) = p => p = Top`,
	election.OneLeader.Name:            `\A p \in Live : \A q \in Live : LeaderOf(p) = p /\ LeaderOf(q) = q => p = q`,
	election.Agreement.Name:            `Quiescent => \A p \in Live : LeaderOf(p) # 0 /\ \A q \in Live : LeaderOf(p) = LeaderOf(q)`,
	election.AgreementOnTop.Name:       `Quiescent => \A p \in Live : LeaderOf(p) # 0 /\ LeaderOf(p) = Top`,
	election.TopWon.Name:               `Quiescent /\ Top # 0 => LeaderOf(Top) = Top`,
	properties.NoDeadlock.Name:         `Quiescent => \A p \in Live : At(p).idle /\ \A q \in Procs : Flying(q) = {}`,
	election.TakeoverByTop.Name:        `[][\A p \in Procs : (LeaderOf(p) # p /\ LeaderOf(p)' = p) => p = Top']_vars`,
}

const (
	valid          = `\A p \in Live : LeaderOf(p) # 0 => At(LeaderOf(p)).status # "booting"`
	validInitiator = valid + ` /\ (LeaderOf(p) \in Live => At(LeaderOf(p)).begins)`
)

// told returns what of the properties that mc verify checks counts and can be told,
// and the names of the others.
func told(m spec.Machine, c model.Config) (list []property, left []string) {
	standard, notes := election.Standard(m, c)
	for _, p := range standard {
		text, ok := says[p.Name]
		switch {
		case p.Name == election.LeaderTookPart.Name && m.Traits().Wins == spec.SmallestInitiator:
			text, ok = validInitiator, true
		case p.Name == election.LeaderTookPart.Name:
			text, ok = valid, true
		}
		if strings.Contains(text, "LeaderOf") && !m.Traits().Elects {
			ok = false // one of its own, by the name of one of elections
		}
		if !ok || notes[p.Name] != "" {
			left = append(left, p.Name)
			continue
		}
		list = append(list, property{nameOf(p), p.Doc, text, p.Kind == properties.EveryStepKind})
	}
	return list, left
}

// nameOf is that of a property in a module.
func nameOf(p properties.Property) string { return Name(p.Name) }

// Tells reports whether a property of mc verify is among those of a module that
// Algorithm wrote, and under which name.
func (m *Module) Tells(p properties.Property) (name string, ok bool) {
	name = nameOf(p)
	return name, slices.ContainsFunc(m.told, func(told property) bool { return told.Name == name })
}
