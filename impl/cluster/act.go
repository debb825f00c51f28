package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"interleave/impl"
	"interleave/impl/cluster/network"
	"interleave/impl/runcheck"
	"interleave/spec"
)

// happen lets an event of the plan happen, or undoes it.
func (r *run) happen(h happening) error {
	key := [2]int{h.event, h.occurrence}
	if h.undo {
		undo := r.undo[key]
		delete(r.undo, key)
		if undo == nil {
			return nil // it had no effect
		}
		return undo()
	}
	e := r.c.Plan.Events[h.event]
	if e.Verb == Act {
		draw := r.c.Plan.chance(h)
		r.request(drawRequest(r.c.Machine.Traits(), e.Request, draw), e.resolve(draw, r.who())[0])
		return nil
	}
	undo, err := r.act(e.Action, r.c.Plan.sides(h, r.who()))
	if undo != nil && e.For > 0 {
		r.undo[key] = undo
	}
	return err
}

// who returns the processes for which the words of a plan stand now.
func (r *run) who() who {
	w := who{all: spec.UpTo(r.c.N)}
	r.mu.Lock()
	w.live, w.leader = r.view.live(), r.view.foremost()
	r.mu.Unlock()
	for id, p := range r.processes {
		switch state, _, _ := p.now(); state {
		case Gone:
			w.killed = w.killed.With(id)
		case Halted:
			w.paused = w.paused.With(id)
		}
	}
	return w
}

// act carries out an action on the processes of its sides. It returns how to undo it,
// nil if there is nothing to undo.
func (r *run) act(a Action, sides []spec.Set) (undo func() error, err error) {
	if slices.Contains(sides, 0) {
		r.tell(string(a.Verb), spec.None, "%v: there is nobody it could mean", a)
		return nil, nil
	}
	switch a.Verb {
	case Kill:
		killed := r.kill(sides[0])
		return func() error { return r.restart(killed) }, nil
	case Restart:
		return nil, r.restart(sides[0])
	case Pause:
		r.pause(sides[0])
		return func() error { r.resume(sides[0]); return nil }, nil
	case Resume:
		r.resume(sides[0])
	case Partition, Cut:
		return r.divide(a.Verb, sides), nil
	case Heal:
		r.network.Heal()
		r.tell(string(Heal), spec.None, "every partition ends")
	default:
		r.network.Change(a.Set)
		r.tell(string(a.Verb), spec.None, "%v from now on", a)
		return func() error {
			r.network.Change(func(f *network.Faults) { a.reset(f, r.c.Plan.Faults) })
			r.tell(string(a.Verb), spec.None, "%s as in the beginning again", a.Verb)
			return nil
		}, nil
	}
	return nil, nil
}

// divide begins a partition or a one-way cut.
func (r *run) divide(verb Verb, sides []spec.Set) (undo func() error) {
	var links []network.Link
	sign := map[Verb]string{Partition: " | ", Cut: " -> "}[verb]
	some := make([]Some, len(sides))
	for i, from := range sides {
		some[i].Set = from
		for j, to := range sides {
			if i < j || i != j && verb == Partition {
				links = append(links, network.Between(from, to)...)
			}
		}
	}
	what := string(verb) + " " + strings.TrimSpace(joinSides(some, sign))
	mend := r.network.CutOff(what, links)
	r.tell(string(verb), spec.None, "%s", what)
	return func() error {
		mend()
		r.tell(string(Heal), spec.None, "%s ends", what)
		return nil
	}
}

// kill kills processes that are up, and returns them.
func (r *run) kill(some spec.Set) (killed spec.Set) {
	leader := r.who().leader
	for id := range some.All() {
		at := time.Now()
		if !r.processes[id].kill() {
			continue
		}
		killed = killed.With(id)
		r.note(Moment{at, id, Died, spec.None})
		remark := ""
		if id == leader {
			remark = ", the leader"
		}
		r.tell(runcheck.Kill, id, "kill -9 %v%s", id, remark)
	}
	return killed
}

// restart starts processes that are down again.
func (r *run) restart(some spec.Set) error {
	for id := range some.All() {
		if state, _, _ := r.processes[id].now(); state == Gone {
			if err := r.start(id); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) pause(some spec.Set) {
	for id := range some.All() {
		if r.processes[id].pause() {
			r.note(Moment{time.Now(), id, Stood, spec.None})
			r.tell(string(Pause), id, "pause %v", id)
		}
	}
}

func (r *run) resume(some spec.Set) {
	for id := range some.All() {
		if r.processes[id].resume() {
			r.note(Moment{time.Now(), id, Went, spec.None})
			r.tell(string(Resume), id, "resume %v", id)
		}
	}
}

// start starts a process, for the first time or again.
func (r *run) start(id spec.ID) error {
	p := r.processes[id]
	if _, starts, _ := p.now(); starts > 0 {
		r.tell(runcheck.Restart, id, "restart %v", id)
	}
	at := time.Now()
	r.mu.Lock()
	r.reports[id].came = at
	r.mu.Unlock()
	if err := p.launch(r.spawner, r.command(id), r.failed); err != nil {
		if _, starts, _ := p.now(); starts == 0 {
			return err
		}
		r.failure(id, err.Error())
		return nil
	}
	r.note(Moment{at, id, Came, spec.None})
	return nil
}

// RefusedError says that a process refused its command line.
type RefusedError struct {
	Process spec.ID
	Reason  string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("process %v does not run: %s", e.Process, e.Reason)
}

// failed records a process that ended by itself. One that refuses its command line,
// which it does at its first start, ends the run.
func (r *run) failed(p *process, how string, status int) {
	reason, refused := strings.CutPrefix(p.lastError(), "mc: error: ")
	if _, starts, _ := p.now(); refused && status == exitUsage && starts == 1 {
		r.fail(&RefusedError{p.id, reason})
		return
	}
	r.note(Moment{time.Now(), p.id, Died, spec.None})
	text := fmt.Sprintf("process %v ended by itself, %s: %s", p.id, how, p.lastError())
	if status == killedBySignal && !broke(p.lastError()) {
		text = fmt.Sprintf("process %v was ended from outside, %s", p.id, how) // what it wrote before has nothing to do with it
	}
	r.failure(p.id, text)
}

// failure records a process that ended by itself, or did not come back.
func (r *run) failure(id spec.ID, text string) {
	r.mu.Lock()
	r.failures = append(r.failures, text)
	r.mu.Unlock()
	r.tell(runcheck.Failed, id, "%s", text)
}

// stopAll ends all processes. It returns when none is left, with a word on each that
// did not end as asked.
func (r *run) stopAll() (trouble []string) {
	var stopping sync.WaitGroup
	var mu sync.Mutex
	for id, p := range r.processes {
		stopping.Go(func() {
			if wrong := p.stop(stopTime); wrong != "" {
				mu.Lock()
				trouble = append(trouble, fmt.Sprintf("process %v %s", id, wrong))
				mu.Unlock()
			}
		})
	}
	stopping.Wait()
	slices.Sort(trouble)
	return trouble
}

// command is the command line of one process.
func (r *run) command(id spec.ID) []string {
	a, c := r.addresses, r.c
	var peers, ring, timers []string
	for j := range spec.UpTo(c.N).Without(id).All() {
		peers = append(peers, fmt.Sprintf("%v=%v", j, a.Known(id, j)))
	}
	for _, j := range c.Ring {
		ring = append(ring, j.String())
	}
	args := append(slices.Clone(c.Program), c.Machine.Traits().Name, "--id", id.String(), "--listen", a.Of(id).String(),
		"--peers", strings.Join(peers, ","), "--ring", strings.Join(ring, ","), "--run", fmt.Sprint(r.id), "--transport", c.transport(),
		"--delta", c.Delta.String(), "--http", a.Status(id).String(),
		"--log", file(c.Dir, id, "ndjson"), "--data", filepath.Join(c.Dir, fmt.Sprintf("data-%v", id)))
	for name, d := range c.Timers {
		timers = append(timers, name+"="+d.String())
	}
	if slices.Sort(timers); timers != nil {
		args = append(args, "--timer", strings.Join(timers, ","))
	}
	if !c.Initiators.Has(id) {
		args = append(args, "--initiator=false")
	}
	if c.UnsafeTimers {
		args = append(args, "--unsafe-timers")
	}
	if c.lockStep() {
		args = append(args, "--begin", r.began.Add(time.Second).Format(time.RFC3339Nano))
	}
	if c.Datagrams {
		args = append(args, "--datagrams")
	}
	return args
}

// heal ends all faults: it undoes what the plan means to undo, ends every
// partition and pause, and lets every frame pass.
func (r *run) heal() error {
	for _, key := range slices.SortedFunc(maps.Keys(r.undo), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		undo := r.undo[key]
		delete(r.undo, key)
		if err := undo(); err != nil {
			return err
		}
	}
	r.network.Heal()
	r.network.Change(func(f *network.Faults) { *f = network.Faults{} })
	r.proxy.Hurry(time.Now())
	r.resume(spec.UpTo(r.c.N))
	if r.c.Plan.harmless() {
		r.tell(runcheck.Over, spec.None, "the plan is over")
		return nil
	}
	r.tell(runcheck.Healed, spec.None, "all faults are over")
	return nil
}

// request asks processes for an action, and tells what came of it. It does not wait for that.
func (r *run) request(request string, some spec.Set) {
	if some == 0 {
		r.tell(string(Act), spec.None, "%s: there is nobody it could mean", request)
	}
	for id := range some.All() {
		r.asking.Go(func() {
			answer, err := r.post(id, request)
			r.mu.Lock()
			r.requests.Asked++
			switch {
			case err == nil:
				r.requests.Answered++
			case errors.Is(err, impl.ErrRefused):
				r.requests.Refused++
			default:
				r.requests.Failed++
			}
			r.mu.Unlock()
			if err != nil {
				answer = err.Error()
			}
			r.tell(string(Act), id, "%s at %v: %s", request, id, answer)
		})
	}
}

// post asks a process for an action.
func (r *run) post(id spec.ID, request string) (answer string, err error) {
	if state, _, _ := r.processes[id].now(); state != Up {
		return "", fmt.Errorf("it is %s", state)
	}
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	name, value, _ := strings.Cut(request, " ")
	text, status, err := exchange(ctx, http.MethodPost, r.addresses, id, "/actions/"+name, strings.NewReader(value))
	answer = strings.TrimSpace(string(text))
	switch {
	case err != nil:
		return "", err
	case status == http.StatusConflict:
		return "", fmt.Errorf("%w", impl.ErrRefused)
	case status != http.StatusOK:
		return "", errors.New(answer)
	}
	return answer, nil
}
