package etcdraft

import (
	"fmt"

	"interleave/spec"
)

// Properties are those of figure 3 of the paper, and what etcd promises besides.
var Properties = []spec.Property{
	spec.Monitored("election-safety", "at most one process is the leader of a term", map[uint64]spec.ID{}, electionSafety),
	spec.Invariant("log-matching", "two logs that have an entry of one term at one index are the same up to there", logMatching),
	spec.Monitored("leader-completeness", "what was committed is in the log of every later leader", map[uint64]committed{}, leaderCompleteness),
	spec.Monitored("state-machine-safety", "no two processes commit different entries at one index", map[uint64]Entry{}, stateMachineSafety),
	spec.EveryStep("commit-grows", "what is committed stays so", commitGrows),
	spec.Monitored("fresh-reads", "a read is as new as all that anybody knew to be committed when it began", fresh{}, fresh.next),
	spec.Recoverable("electable", "a leader can always be elected again", func(w spec.World) bool { return some(w, func(View) bool { return true }) }),
	spec.Recoverable("available", "a leader can always commit an entry of its term", func(w spec.World) bool {
		return some(w, func(v View) bool {
			e, _ := at(v.Log, v.Commit)
			return e.Term == v.Term
		})
	}),
	spec.Cover("commits", "an entry is committed by all", func(w spec.World) bool {
		for _, s := range spec.States[state](w) {
			if s.View.Commit == 1 {
				return false
			}
		}
		return w.Live().Len() == w.N()
	}),
}

const leader = "StateLeader"

// some reports whether a live process leads, and is as wanted.
func some(w spec.World, wanted func(View) bool) bool {
	for _, s := range spec.States[state](w) {
		if s.View.Role == leader && wanted(s.View) {
			return true
		}
	}
	return false
}

// at returns the entry at an index of a log; none if it is not so long.
func at(log []Entry, index uint64) (e Entry, there bool) {
	if index < 2 || index-2 >= uint64(len(log)) {
		return e, false
	}
	return log[index-2], true
}

func electionSafety(leaders map[uint64]spec.ID, s spec.Step) (map[uint64]spec.ID, error) {
	v := s.After.(state).View
	if v.Role != leader {
		return leaders, nil
	}
	if other, ok := leaders[v.Term]; ok && other != s.Process {
		return nil, fmt.Errorf("processes %v and %v are leaders of term %d", other, s.Process, v.Term)
	}
	leaders[v.Term] = s.Process
	return leaders, nil
}

func logMatching(w spec.World) error {
	for p, a := range spec.States[state](w) {
		for q, b := range spec.States[state](w) {
			same := true
			for i := range min(len(a.View.Log), len(b.View.Log)) {
				x, y := a.View.Log[i], b.View.Log[i]
				same = same && x == y
				if !same && x.Term == y.Term {
					return fmt.Errorf("the logs of %v and %v have entries of term %d at index %d, and are different up to there", p, q, x.Term, i+2)
				}
			}
		}
	}
	return nil
}

// committed is an entry, and the term in which it was known to be committed first.
type committed struct {
	Entry Entry
	Term  uint64
}

func leaderCompleteness(all map[uint64]committed, s spec.Step) (map[uint64]committed, error) {
	v := s.After.(state).View
	for index, c := range all {
		if e, there := at(v.Log, index); v.Role == leader && v.Term > c.Term && (!there || e != c.Entry) {
			return nil, fmt.Errorf("process %v is the leader of term %d, and its log lacks %v at index %d, which was committed in term %d", s.Process, v.Term, c.Entry, index, c.Term)
		}
	}
	for index := uint64(2); index <= v.Commit; index++ {
		if e, there := at(v.Log, index); there {
			if _, known := all[index]; !known {
				all[index] = committed{e, v.Term}
			}
		}
	}
	return all, nil
}

func stateMachineSafety(applied map[uint64]Entry, s spec.Step) (map[uint64]Entry, error) {
	v := s.After.(state).View
	for index := uint64(2); index <= v.Commit; index++ {
		e, _ := at(v.Log, index)
		if before, ok := applied[index]; ok && before != e {
			return nil, fmt.Errorf("process %v commits %v at index %d, where %v was committed", s.Process, e, index, before)
		}
		applied[index] = e
	}
	return applied, nil
}

// commitGrows: also over a crash, as the index is on the disk.
func commitGrows(before, after spec.World) error {
	for p, b := range spec.States[state](after) {
		a, _ := before.State(p).(state)
		if b.Disk.Commit < a.Disk.Commit {
			return fmt.Errorf("process %v had committed up to index %d, and now only up to %d", p, a.Disk.Commit, b.Disk.Commit)
		}
	}
	return nil
}

// fresh is what a monitor knows of reads.
type fresh struct {
	Top   uint64            // what anybody knows to be committed
	Began map[string]uint64 // what that was when a read began
}

func (f fresh) next(s spec.Step) (fresh, error) {
	v := s.After.(state).View
	if s.Event.Kind == spec.Act && v.Asked > s.Before.(state).View.Asked {
		if f.Began == nil {
			f.Began = map[string]uint64{}
		}
		f.Began[readName(s.Process, v.Asked)] = f.Top
	}
	for _, output := range s.Outputs {
		if c, ok := output.(Confirmed); ok && c.Index < f.Began[c.Read] {
			return f, fmt.Errorf("read %s is answered as of index %d, and index %d was committed when it began", c.Read, c.Index, f.Began[c.Read])
		}
	}
	f.Top = max(f.Top, v.Commit)
	return f, nil
}

// register is what the processes are to their clients together, of which runs are judged.
func register() spec.Object {
	o := spec.Linearizable("register", "a read has the value that was written last", []string{"write", "read"}, "", func(value string, c spec.Call, then func(string, Done)) {
		if c.Action == "write" {
			value = c.Value.(string)
		}
		then(value, Done{c.Action, value})
	})
	o.Answers = func(c spec.Call, output any) bool {
		d, ok := output.(Done)
		return ok && !c.Crashed && d.Request == c.Action && (c.Action == "read" || d.Value == c.Value)
	}
	return o
}
