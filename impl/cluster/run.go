package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"interleave/impl/cluster/network"
	"interleave/impl/runcheck"
	"interleave/impl/runlog"
	"interleave/spec"
)

// run is a cluster that runs.
type run struct {
	c         Config
	id        uint64 // of the run, in every frame
	addresses network.Addresses
	network   *network.Network
	proxy     *network.Proxy
	spawner   *spawner
	processes map[spec.ID]*process
	began     time.Time
	fail      func(error) // ends the run with an error

	asking sync.WaitGroup // requests that are not answered yet

	undo map[[2]int]func() error // by event and occurrence; for the goroutine that plays only

	directory
	observed
}

// observed is what is known of a run while it lasts, which several goroutines find out.
type observed struct {
	mu       sync.Mutex
	view     *view
	news     *news
	changed  time.Time // when a process last came, went or changed its mind; or took a step, if nobody is elected
	recent   []Occasion
	phase    string
	reports  map[spec.ID]*reports
	late     Lateness // of mc itself
	failures []string // of processes that ended by themselves
	healed   int      // by elections: how often all agreed after the healing
	requests Requests // of the plan
}

// Run runs a cluster and judges it. It returns an error if the cluster cannot
// be run as told, and a verdict, too, if it failed on the way. When ctx ends
// the verdict is Interrupted. No process is left behind.
func Run(ctx context.Context, c Config) (*Verdict, error) {
	c, err := c.complete()
	if err != nil {
		return nil, &InputError{err}
	}
	a, claim, err := network.Claim(c.Port, c.N)
	if err != nil {
		return nil, err
	}
	defer claim.Close()
	r := &run{
		c: c, id: rand.Uint64(), addresses: a, spawner: newSpawner(), processes: map[spec.ID]*process{}, undo: map[[2]int]func() error{},
		observed: observed{view: newView(c.N), reports: map[spec.ID]*reports{}, news: &news{brief: c.Delta, view: newView(c.N)}},
	}
	defer close(r.spawner.start)
	if r.directory, err = openDirectory(c, a); err != nil {
		return nil, errors.Join(err, r.directory.close())
	}
	return r.run(ctx)
}

// run starts everything, lets it run, heals it, and judges it.
func (r *run) run(ctx context.Context) (v *Verdict, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.fail = func(err error) { cancel(failure{err}) }
	r.network = network.New(r.c.Plan.Seed, r.c.Plan.Faults, func(s network.Settled) { r.fates.write(s) })
	r.proxy = network.NewProxy(r.addresses, r.network, r.recorder)
	carry := func(n int) error { return r.proxy.CarryDatagrams(n, r.c.Delta/2) }
	if r.c.Stream {
		carry = r.proxy.CarryStreams
	}
	if err := carry(r.c.N); err != nil {
		r.proxy.Close()
		return nil, errors.Join(err, r.directory.close())
	}
	for id := range spec.UpTo(r.c.N).All() {
		r.processes[id] = &process{id: id, stderr: file(r.c.Dir, id, "stderr")}
		r.reports[id] = &reports{breaches: map[runlog.BreachKind]int{}}
	}
	r.began = time.Now()
	endWatch := r.background(r.watch)
	endTails := r.background(r.tailAll)
	v, err = r.play(ctx)
	r.asking.Wait()
	endWatch()
	trouble := r.stopAll()
	endTails()
	r.publish(time.Now())
	r.proxy.Close()
	err = errors.Join(err, r.directory.close())
	if v != nil {
		complete(r, v)
		v.Trouble = append(v.Trouble, trouble...)
		if wrong := judgeByLogs(r.c, v); wrong != nil {
			v.Trouble = append(v.Trouble, fmt.Sprintf("the run cannot be judged by the logs: %v", wrong))
		}
		v.Outcome, v.Reason = outcome(r.c, r.healed, v)
		v.doubt(err)
		unwritten := v.write(r.c.Dir)
		v.doubt(unwritten)
		err = errors.Join(err, unwritten)
	}
	return v, err
}

// background lets f run until the returned function is called, which waits for
// its end.
func (r *run) background(f func(context.Context)) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { f(ctx) })
	return func() {
		cancel()
		running.Wait()
	}
}

// tailAll reads the logs of all processes.
func (r *run) tailAll(ctx context.Context) {
	var tails sync.WaitGroup
	for id := range r.processes {
		tails.Go(func() {
			if err := tail(ctx, file(r.c.Dir, id, "ndjson"), r.hear); err != nil {
				r.fail(fmt.Errorf("the log of process %v cannot be read: %w", id, err))
			}
		})
	}
	tails.Wait()
}

// play is the run itself. Whatever it returns, processes may be up after it.
func (r *run) play(ctx context.Context) (*Verdict, error) {
	v, err := r.perform(ctx)
	var failed failure
	switch {
	case err == nil:
		return v, nil
	case ctx.Err() == nil:
		return nil, err
	case errors.As(context.Cause(ctx), &failed):
		return nil, failed.error
	}
	return &Verdict{Outcome: Interrupted, Reason: "the run was interrupted before the end"}, nil
}

// failure is why a run ended before its time, if not because somebody wanted
// that.
type failure struct{ error }

// perform starts the processes, lets the faults happen, heals them, and judges.
func (r *run) perform(ctx context.Context) (*Verdict, error) {
	r.enter("faults")
	r.tell(runcheck.Begin, spec.None, "%d processes begin, on port %d", r.c.N, r.addresses.Port)
	for _, text := range r.c.Warnings() {
		r.tell("warning", spec.None, "warning: %s", text)
	}
	for id := range spec.UpTo(r.c.N).All() {
		if err := r.start(id); err != nil {
			return nil, err
		}
	}
	play := r.script
	if r.c.Elections > 0 {
		play = r.elections
	}
	if err := play(ctx); err != nil {
		return nil, err
	}
	r.enter("healing")
	if err := r.heal(); err != nil {
		return nil, err
	}
	return r.conclude(ctx)
}

// conclude waits for the processes to agree and judges. If one of them
// has stirred between its last word and our question, the agreement did not last.
func (r *run) conclude(ctx context.Context) (*Verdict, error) {
	deadline := time.Now().Add(r.c.Settle)
	for {
		lasted, err := r.lastingAgreement(ctx, deadline)
		if err != nil {
			return nil, err
		}
		v := judge(r, lasted)
		if !lasted || v.holds() || time.Now().After(deadline) {
			return v, nil
		}
	}
}

// script lets the events of the plan happen.
func (r *run) script(ctx context.Context) error {
	for _, h := range r.c.Plan.happenings(r.c.Duration) {
		if !r.sleep(ctx, r.began.Add(h.at)) {
			return ctx.Err()
		}
		r.due(r.began.Add(h.at))
		if err := r.happen(h); err != nil {
			return err
		}
	}
	if !r.sleep(ctx, r.began.Add(r.c.Duration)) {
		return ctx.Err()
	}
	r.due(r.began.Add(r.c.Duration))
	return nil
}

// sleep waits until a time, and reports whether it has come.
func (r *run) sleep(ctx context.Context, until time.Time) bool {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return ctx.Err() == nil
	}
}

// lastingAgreement waits until the processes have been in agreement, and none has changed its
// mind, for as long as Calm from now on. It reports whether that came about
// before the deadline.
func (r *run) lastingAgreement(ctx context.Context, deadline time.Time) (bool, error) {
	began := time.Now()
	for {
		agree, since := r.inAgreement()
		if since.Before(began) {
			since = began
		}
		lasted := agree && time.Since(since) >= r.c.Calm
		if lasted || time.Now().After(deadline) {
			return lasted, nil
		}
		if !r.sleep(ctx, time.Now().Add(tailPeriod)) {
			return false, ctx.Err()
		}
	}
}

// inAgreement reports whether all live processes follow the same live one; or, for an algorithm that
// announces nobody, whether the one that ought to win follows itself, or just one does. Where nobody is elected there is
// nothing to agree on. It also returns since when no process has come, gone or changed its leader; or,
// there, taken a step.
func (r *run) inAgreement() (bool, time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.c.Machine.Traits()
	if !t.Elects {
		return true, r.changed
	}
	if t.Unannounced && t.Wins == spec.Anyone {
		return selfish(r.view.live(), r.view.leaders).Len() == 1, r.changed
	}
	if t.Unannounced {
		top := top(t, r.view.live(), r.c.Initiators)
		return top == spec.None || r.view.leaders[top] == top, r.changed
	}
	return r.view.agreed() != spec.None, r.changed
}

// agree waits until all live processes follow the same live one, if only for a
// moment. It returns none if that did not come about within the time for it.
func (r *run) agree(ctx context.Context) (spec.ID, error) {
	deadline := time.Now().Add(r.c.Settle)
	for {
		if leader := r.agreement(); leader != spec.None || time.Now().After(deadline) {
			return leader, nil
		}
		if !r.sleep(ctx, time.Now().Add(tailPeriod)) {
			return spec.None, ctx.Err()
		}
	}
}

// agreement returns whom all live processes follow, if they do.
func (r *run) agreement() spec.ID {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.view.agreed()
}

// elections kills the leader again and again. After each kill the others have
// to agree on a new one, and with the killed one, which comes back, on one
// again, all with the faults going on. Then the faults end for a while, and all
// have to agree for as long as Calm.
func (r *run) elections(ctx context.Context) error {
	for range r.c.Elections {
		r.network.Change(func(f *network.Faults) { *f = r.c.Plan.Faults })
		leader, err := r.agree(ctx)
		if err != nil {
			return err
		}
		if leader == spec.None {
			r.tell("stuck", spec.None, "there is no leader to kill: the processes do not agree on one")
			return nil
		}
		r.kill(spec.SetOf(leader))
		if _, err := r.agree(ctx); err != nil {
			return err
		}
		if err := r.start(leader); err != nil {
			return err
		}
		if _, err := r.agree(ctx); err != nil {
			return err
		}
		r.network.Change(func(f *network.Faults) { *f = network.Faults{} })
		lasted, err := r.lastingAgreement(ctx, time.Now().Add(r.c.Settle))
		if err != nil {
			return err
		}
		r.mu.Lock()
		if lasted && r.view.live() == spec.UpTo(r.c.N) {
			r.healed++
		}
		r.mu.Unlock()
	}
	return nil
}
