package explorer

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"interleave/model"
	"interleave/properties/election"
)

// An Axis of the world that somebody may change in the page.
type Axis struct {
	Name  string `json:"name"` // one of model.Axes
	Help  string `json:"help"`
	Value string `json:"value"` // in the world of the subject
	// Values are all that there are; nil: too many.
	Values []string `json:"values,omitempty"`
}

// maxWorlds is how many worlds that were asked for a server remembers.
const maxWorlds = 50

// which names a course, and the world in which it is begun anew: values of axes, as in
// "crashes=1&n=5". No world: its own.
type which struct {
	Course int    `json:"course"`
	World  string `json:"world,omitempty"`
}

// axes tells what may be changed, and what it is now.
func (s Subject) axes() []Axis {
	all := slices.Clone(s.Axes)
	for i, a := range all {
		all[i].Value = s.Config.Value(a.Name)
		all[i].Values = map[string][]string{
			"network": model.NetworkNames, "detector": model.DetectorNames, "timers": model.TimingNames, "start": model.StartNames, "split": {"false", "true"},
		}[a.Name]
	}
	return all
}

// in returns the subject without a trace, in a world that differs in the axes named.
func (s Subject) in(world string) (Subject, error) {
	axes, err := url.ParseQuery(world)
	if err != nil {
		return s, fmt.Errorf("%q is no world: %w", world, err)
	}
	s.Trace, s.Name = nil, fmt.Sprintf("%s (%s)", s.Machine.Traits().Name, worldWords(world))
	for axis, values := range axes {
		if !slices.ContainsFunc(s.Axes, func(a Axis) bool { return a.Name == axis }) {
			return s, fmt.Errorf("%s: it cannot be changed here", axis)
		}
		if len(values) > 1 {
			return s, fmt.Errorf("%s: it has two values", axis)
		}
	}
	if axes.Has("n") {
		if err := s.resize(axes.Get("n")); err != nil {
			return s, err
		}
	}
	for _, axis := range model.Axes {
		if axes.Has(axis) {
			if err := s.Config.Set(axis, axes.Get(axis)); err != nil {
				return s, err
			}
		}
	}
	if err := s.Config.Check(s.Machine); err != nil {
		return s, err
	}
	return s, election.Check(s.Machine, s.Config, s.Properties)
}

// resize changes the number of processes. A ring that was given is that of others.
func (s *Subject) resize(n string) error {
	number, err := strconv.Atoi(n)
	if err != nil || number < 1 || number > model.MaxN {
		return &model.ConfigError{Axis: "n", Reason: fmt.Sprintf("%q is no number of processes: give 1 to %d", n, model.MaxN)}
	}
	if number == s.Config.N {
		return nil
	}
	home, err := model.Home(s.Machine, number)
	s.Config.N, s.Config.Ring = number, home.Ring
	return err
}

// worldWords tells the axes of a world that can be read.
func worldWords(world string) string {
	if text, err := url.QueryUnescape(world); err == nil {
		world = text
	}
	return strings.ReplaceAll(world, "&", ", ")
}
