package captures

import (
	"errors"
	"fmt"
	"slices"

	"interleave/conformance/frontier"
	"interleave/impl/capture"
	"interleave/impl/wire"
	"interleave/spec"
)

// Standing is the condition of a process at a moment of a run.
type Standing struct {
	Up     bool // false: it is down, or has not come up yet
	Leader spec.ID
	State  any // a state with that leader, of those that it can be in
}

// ErrHidden is what a SafetyProperty returns if it asks for what no packet shows. It leaves the property undecided.
var ErrHidden = errors.New("it asks for what no packet shows, as which messages are on their way")

// SafetyProperty is a statement about all processes at a moment.
type SafetyProperty struct {
	Name string
	Own  bool // the algorithm brings it along: it may ask for the whole state, and not only for the leader
	// For returns a function that says why the property does not hold of n processes,
	// of process 1 first, at a moment, or nil if it holds. An error leaves it
	// undecided.
	For func(n int) (holds func(now []Standing) error, err error)
}

// Across says whether a property holds in the explanations of a capture. HoldsInAll and
// ViolatedInAll are certain. Depends may be reported where one of them is true, for two reasons.
// The states that a process may be in after a packet are those with the right further sends, but
// they are not followed to the end of the capture. And explanations that violate a property at
// different moments are not added up.
type Across uint8

const (
	Undecided     Across = iota // there were too many combinations
	HoldsInAll                  // at every moment, whatever the hidden steps were
	ViolatedInAll               // at some moment, whatever the hidden steps were
	Depends                     // at some moment it depends on the hidden steps, and at none it is violated in all
)

func (a Across) String() string {
	return [...]string{"UNDECIDED", "HOLDS IN ALL", "VIOLATED IN ALL", "DEPENDS"}[a]
}

// MarshalText returns the words for it.
func (a Across) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// SafetyReport says whether a property holds in the explanations of a capture. It is
// judged at the moment of each packet. At that moment, each process may be in any state
// that agrees with the packets before and with the messages that it is still to send.
type SafetyReport struct {
	Property string `json:"property"`
	Own      bool   `json:"own,omitempty"` // the algorithm brings it along
	Across   Across `json:"across"`
	Packet   int    `json:"packet,omitempty"` // the first moment that decides it
	Reason   string `json:"reason,omitempty"`
	Moments  int    `json:"moments"`

	Unfinished bool `json:"unfinished,omitempty"` // Undecided because not all moments were looked at, by an interruption or a limit
}

// safety follows the standings of all processes along a capture.
type safety struct {
	check     *check
	reports   []SafetyReport
	holds     []func(now []Standing) error // for each of them
	undecided string                       // why not all moments were checked
	stopped   bool                         // by an interruption or a limit
	ends      map[incarnation]int          // the last packet of each incarnation, an index
	now       map[spec.ID][]Standing       // distinct by leader, or by state if some property is Own
	byState   bool
	there     spec.Set // who has been up
	certain   spec.Set // see Report.Leaders
}

// maxStandings bounds the combinations of standings.
const maxStandings = 1 << 12

func newSafety(c *check) *safety {
	s := &safety{check: c, ends: map[incarnation]int{}, now: map[spec.ID][]Standing{}}
	for i, p := range c.packets {
		s.ends[incarnation{p.Frame.From, p.Frame.Incarnation}] = i
	}
	for _, p := range c.options.Safety {
		r := SafetyReport{Property: p.Name, Own: p.Own, Across: HoldsInAll}
		s.byState = s.byState || p.Own
		holds, err := p.For(len(c.ring))
		if err != nil {
			r.Across, r.Reason = Undecided, err.Error()
		}
		s.reports, s.holds = append(s.reports, r), append(s.holds, holds)
	}
	for id := range c.context.all.All() {
		s.now[id] = []Standing{{}}
	}
	return s
}

// moment checks the standings after a packet, if it can have changed them.
func (s *safety) moment(i int, p capture.Packet) {
	f := p.Frame
	if s.undecided != "" {
		return
	}
	ended := s.ends[incarnation{f.From, f.Incarnation}] == i
	var changed spec.Set
	switch {
	case f.Kind == wire.Data && s.check.comes(p):
		changed = spec.SetOf(f.From, f.To)
	case f.Kind == wire.Data || f.Kind == wire.Ack || ended:
		changed = spec.SetOf(f.From)
	case len(s.now[f.From]) == 1 && !s.now[f.From][0].Up:
		changed = spec.SetOf(f.From) // it begins
	}
	for id := range changed.All() {
		if err := s.stand(id, i); err != nil {
			s.undecided, s.stopped = err.Error(), true
			return
		}
	}
	if changed != 0 {
		s.judge(p.Number)
	}
}

// stand records the possible standings of a process after packet i.
func (s *safety) stand(id spec.ID, i int) error {
	c := s.check
	name := incarnation{id, c.latest[id]}
	l := c.incarnations[name]
	if l == nil {
		return nil
	}
	ways, err := l.Possible(c.overview.whole.last(name), 0)
	if err != nil {
		return err
	}
	var all []Standing
	add := func(now Standing) {
		for _, other := range all {
			if other.Up == now.Up && other.Leader == now.Leader && (!s.byState || other.State == now.State) {
				return
			}
		}
		all = append(all, now)
	}
	for _, n := range ways {
		add(s.standing(n))
	}
	if slices.ContainsFunc(all, func(now Standing) bool { return now.Up }) {
		s.there = s.there.With(id)
	}
	if i >= s.ends[name] {
		add(Standing{})
	}
	s.now[id] = all
	if len(all) == 1 && all[0].Leader != spec.None && c.context.all.Has(all[0].Leader) {
		s.certain = s.certain.With(all[0].Leader)
	}
	return nil
}

func (s *safety) standing(n *frontier.Node) Standing {
	if !n.Up() {
		return Standing{}
	}
	return Standing{true, s.check.traits.Leader(n.State()), n.State()}
}

// judge checks all combinations of standings.
func (s *safety) judge(packet int) {
	n := len(s.check.ring)
	total := 1
	for _, list := range s.now {
		if total *= len(list); total > maxStandings {
			s.stopped = true
			s.undecided = fmt.Sprintf("behind packet %d the processes can stand in more than %d ways together", packet, maxStandings)
			return
		}
	}
	now := make([]Standing, n)
	for k := range s.reports {
		r := &s.reports[k]
		if r.Own && s.there != s.check.context.all {
			continue // its algorithm may count on all from the beginning
		}
		if r.Moments++; r.Across == ViolatedInAll || r.Across == Undecided {
			continue
		}
		violated, hidden, reason := 0, false, error(nil)
		for choice := range total {
			for id := range s.check.context.all.All() {
				list := s.now[id]
				now[id-1], choice = list[choice%len(list)], choice/len(list)
			}
			switch err := s.holds[k](now); {
			case errors.Is(err, ErrHidden):
				hidden = true
			case err != nil:
				violated++
				reason = err
			}
		}
		switch {
		case hidden:
			r.Across, r.Packet, r.Reason = Undecided, 0, ErrHidden.Error()
		case violated == total:
			r.Across, r.Packet, r.Reason = ViolatedInAll, packet, reason.Error()
		case violated > 0 && r.Across == HoldsInAll:
			r.Across, r.Packet, r.Reason = Depends, packet, reason.Error()
		}
	}
}

// judgeSafety judges properties along a capture that is explained.
func judgeSafety(c *check) error {
	s := newSafety(c)
	for i, p := range c.packets {
		if err := c.packet(p); err != nil {
			var wrong *Unexplained
			if errors.As(err, &wrong) || nobodyKnows(err) {
				s.undecided, s.stopped = err.Error(), wrong == nil
				break
			}
			return err
		}
		s.moment(i, p)
	}
	for k := range s.reports {
		if r := &s.reports[k]; r.Own && r.Moments == 0 && r.Across == HoldsInAll {
			r.Across, r.Reason = Undecided, "at no moment had all processes been seen"
		}
	}
	asked := c.world.Undeclared != 0
	if asked {
		s.undecided, s.certain = "a client may have asked with a value that is not declared, and a capture does not show what comes of that", 0
		s.stopped = false // whatever was looked at would not do
	}
	for k := range s.reports {
		if r := &s.reports[k]; s.undecided != "" && (r.Across != ViolatedInAll || asked) {
			r.Across, r.Packet, r.Reason, r.Unfinished = Undecided, 0, s.undecided, s.stopped
		}
	}
	c.report.Safety = s.reports
	for id := range s.certain.All() {
		c.report.Leaders = append(c.report.Leaders, id)
	}
	return nil
}
