package compiled

import (
	"interleave/explore"
	"interleave/model"
	"interleave/spec"
)

// current is the state that an expander expands, and what its steps depend on.
type current struct {
	rowMaker
	words     []uint64
	flatWords wordPair         // the words of a dense system, unpacked
	at        [model.MaxN]*row // row of each process; not in a flat system
	env       model.Env
	next      model.Env // after the current step
	optional  bool      // the current step need not happen
	mayCut    bool      // something may cut a step short
	allLive   bool
	views     uint64
	alone     int                   // the process that is expanded alone, less 1
	busy      [model.MaxN + 1]uint8 // the processes that may have a step, less 1
	busyCount int                   // how many of these there are
	out       *explore.Steps

	summed  bool                     // the following are computed
	awaited spec.Set                 // those from whom a message has not come yet
	held    [spec.MaxTimers]spec.Set // by timer: those whose expiry is not justified
}

// load computes what the steps out of a state depend on, and finds its rows.
func (x *current) load() bool {
	s := x.sys
	if x.fitted != s.version || x.lanes[0].tables == nil {
		x.fit()
	}
	oracle := s.traits.Oracle
	if oracle {
		x.live = x.liveIn(x.words)
	}
	live, views, busy := spec.Set(0), uint64(0), 0
	lanes := x.lanes[:len(s.tables)]
	for i := range lanes {
		l := &lanes[i]
		pair := l.pair(x.words)
		r := l.row(pair)
		if r == nil || r.pair != pair || oracle {
			if r = x.row(i, pair); r == nil {
				return false
			}
		}
		x.at[i] = r
		live |= r.live
		views |= r.view
		x.busy[busy] = uint8(i)
		busy += r.busy
	}
	x.live, x.views, x.busyCount, x.summed = live, views, busy, false
	if s.hasEnv {
		x.env = s.envs.Values[s.layout.env().get(x.words)]
		x.next = x.env
	}
	x.allLive = live == s.all
	return true
}
