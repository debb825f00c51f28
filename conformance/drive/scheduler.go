package drive

import (
	"slices"

	"interleave/model"
	"interleave/spec"
)

// point is a point of a run: a state of the model, and what the runtime knows beyond
// it.
type point struct {
	state    model.State
	runtimes []runtimeState     // number 1 first
	mail     [][]model.Envelope // likewise; in lock step: the inboxes in the order of sending
}

// runtimeState is what the runtime of one process knows and the model does not have.
type runtimeState struct {
	suspects spec.Set // peers that were silent for too long, and not heard since
	noticing bool     // it waits to notice that it has no leader
	refuses  bool     // it has refused the next message that it sent to itself
	started  bool     // peers that it heard in this incarnation or a former one
	mailed   bool     // something was sent to it before it ever started
	ended    uint8    // number of its incarnations that are over
}

// end forgets what is lost with an incarnation.
func (m *runtimeState) end() {
	*m = runtimeState{started: m.started, mailed: m.mailed, ended: m.ended + 1}
}

// group is the steps that the driver makes happen at once: one of the model, and those that
// the runtime takes after it by itself.
type group struct {
	silences []spec.ID // peers whose silence its process must notice before
	unasked  bool      // the first step follows from that already
	steps    []model.Step
	refusals []refusal
	refused  bool               // its process refuses the only step
	reads    [][]model.Envelope // in a lock-step round: by each process, number 1 first
	told     bool               // likewise: the processes that are reported to be down
	tells    [][]any            // likewise: what each tells its user, unless it crashes
	arms     [][]string         // by each step: the timers that it arms, whether or not they were armed
	after    point
}

// refusal says that a process refuses a message to itself, after so many steps of a
// group. It logs that once, however often it is tried.
type refusal struct {
	steps   int
	message any
}

// process is the process of a group; none in a lock-step round.
func (m *group) process() spec.ID { return m.steps[0].Event.Process }

// panics reports whether a handler panics at the end of a group.
func (m *group) panics() bool { return m.steps[len(m.steps)-1].Panic != "" }

// scheduler knows what real processes can be made to do.
type scheduler struct {
	handlers
	reference *model.Reference
}

func newScheduler(m spec.Machine, c model.Config) (*scheduler, error) {
	r, err := model.NewReference(m, c)
	if err != nil {
		return nil, err
	}
	return &scheduler{handlers{m, m.Traits(), c, spec.UpTo(c.N), datagrams(c)}, r}, nil
}

// first returns the point of an initial state.
func (d *scheduler) first(s model.State) point {
	pt := point{state: s, runtimes: make([]runtimeState, d.config.N), mail: make([][]model.Envelope, d.config.N)}
	for p := range d.all.All() {
		if s.Locals[p-1].Status == model.Up {
			pt.runtimes[p-1] = runtimeState{started: true, noticing: d.notices(pt, p) && d.leader(pt, p) == spec.None}
		}
	}
	return pt
}

func (pt point) clone() point { return point{pt.state, slices.Clone(pt.runtimes), pt.mail} }

// down returns the processes that are down.
func (pt point) down() spec.Set {
	var down spec.Set
	for i, l := range pt.state.Locals {
		if l.Status == model.Down {
			down = down.With(spec.ID(i + 1))
		}
	}
	return down
}

// groups returns what can be made to happen at a point, and for each step of the model
// that cannot, why.
func (d *scheduler) groups(pt point) (groups []group, barred map[int]string, steps []model.Step) {
	steps = d.reference.Steps(pt.state)
	barred = map[int]string{}
	whole := -1 // the step that those after it cut short
	for i, step := range steps {
		cut := step.Event.Action == model.CrashMidStep
		if !cut {
			whole = i
		}
		m, reason := d.group(pt, step)
		switch {
		case cut && barred[whole] != "":
			reason = barred[whole]
		case cut && d.persistsLate(step, steps[whole]):
			reason = "the runtime has all on its disk before it sends, whatever the code tells of that"
		case cut && d.followed(pt, steps[whole]):
			reason = "the process would do more in the same turn, before anybody could crash it"
		}
		if reason != "" {
			barred[i] = reason
			continue
		}
		m.arms = d.arms(pt.state, m.steps)
		groups = append(groups, m)
	}
	return groups, barred, steps
}

// persistsLate reports whether a crash within a step leaves something else than one in the runtime does.
func (d *scheduler) persistsLate(cut, whole model.Step) bool {
	p := cut.Event.Process
	left := d.reference.AfterCrash(whole.After.Local(p))
	return cut.Event.Disk > 0 && (cut.After.Local(p) != left || cut.Outputs != nil)
}

// followed reports whether the runtime goes on by itself after a step.
func (d *scheduler) followed(pt point, step model.Step) bool {
	m, reason := d.group(pt, step)
	return reason != "" || len(m.steps) > 1 || len(m.refusals) > 0
}

// group returns the group that begins with a step, or why there is none.
func (d *scheduler) group(pt point, step model.Step) (m group, reason string) {
	m = group{steps: []model.Step{step}, after: pt.clone()}
	m.after.state = step.After
	e := step.Event
	switch e.Action {
	case model.Copy:
		return m, "the runtime drops copies, so that nothing is ever handled twice"
	case model.Tick:
		return m, "the driver is the clock, and has no ticks"
	case model.Lose:
		if e.Step.From == e.Process {
			return m, "what a process sends to itself needs no way, and is not lost"
		}
		return m, ""
	case model.Handle, model.Crash, model.CrashMidStep:
	case model.Round:
		if step.Panic != "" {
			return m, "the model does not say what the others do in a round in which a handler panics"
		}
		return m, d.readable(pt, &m)
	default:
		return m, ""
	}
	if e.Action == model.Crash {
		if d.config.N == 1 && pt.state.Locals[0].Status == model.Booting {
			return m, "a process without peers waits for nobody, and starts before anybody could crash it"
		}
		m.after.runtimes[e.Process-1].end()
		return m, ""
	}
	if reason = d.prepare(pt, &m); reason != "" {
		return m, reason
	}
	if e.Action == model.CrashMidStep || step.Panic != "" {
		reason = d.sees(pt, &m)
		m.after.runtimes[e.Process-1].end()
		return m, reason
	}
	return m, d.goOn(pt, &m)
}

// arms returns the timers that each of some steps arms, where that is compared: a crash
// ends all, and in a process that comes up again no timer was armed before.
func (d *scheduler) arms(before model.State, steps []model.Step) (arms [][]string) {
	for _, step := range steps {
		p, e := step.Event.Process, step.Event.Step
		var fx spec.Effects
		if step.Event.Action == model.Handle && e.Kind != spec.Recover {
			fx = d.handle(before, p, e, d.all&^point{state: before}.down())
		}
		arms = append(arms, d.traits.TimerNames(fx.Armed))
		before = step.After
	}
	return arms
}
