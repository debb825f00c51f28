package raft

import (
	"fmt"

	"interleave/spec"
)

// Properties are those of figure 3 of the paper.
var Properties = []spec.Property{
	spec.Monitored("election-safety", "at most one process is the leader of a term", map[int]spec.ID{}, electionSafety),
	spec.Invariant("log-matching", "two logs that have an entry of one term at one place are the same up to there", logMatching),
	spec.Monitored("leader-completeness", "what was committed is in the log of every later leader", map[int]committed{}, leaderCompleteness),
	spec.Monitored("state-machine-safety", "no two processes apply different commands at one place", map[int]string{}, stateMachineSafety),
	spec.Cover("commits", "a command is committed by all", func(w spec.World) bool {
		for _, s := range spec.States[State](w) {
			if s.Commit == 0 {
				return false
			}
		}
		return w.Live().Len() == w.N()
	}),
}

func electionSafety(leaders map[int]spec.ID, s spec.Step) (map[int]spec.ID, error) {
	after := s.After.(State)
	if after.Role != Leader {
		return leaders, nil
	}
	if other, ok := leaders[after.Term]; ok && other != s.Process {
		return nil, fmt.Errorf("processes %v and %v are leaders of term %d", other, s.Process, after.Term)
	}
	leaders[after.Term] = s.Process
	return leaders, nil
}

func logMatching(w spec.World) error {
	for p, a := range spec.States[State](w) {
		for q, b := range spec.States[State](w) {
			same := true
			for i := range min(len(a.Log), len(b.Log)) {
				same = same && a.Log[i] == b.Log[i]
				if !same && a.Log[i].Term == b.Log[i].Term {
					return fmt.Errorf("the logs of %v and %v have entries of term %d at place %d, and are different up to there", p, q, a.Log[i].Term, i+1)
				}
			}
		}
	}
	return nil
}

// committed is an entry, and the term in which its leader committed it.
type committed struct {
	Entry Entry
	Term  int
}

func leaderCompleteness(all map[int]committed, s spec.Step) (map[int]committed, error) {
	after := s.After.(State)
	for place, c := range all {
		if after.Role == Leader && after.Term > c.Term && (len(after.Log) < place || after.Log[place-1] != c.Entry) {
			return nil, fmt.Errorf("process %v is the leader of term %d, and its log lacks the entry %v at place %d, which was committed in term %d", s.Process, after.Term, c.Entry, place, c.Term)
		}
	}
	for i, e := range after.Log[:after.Commit] {
		if _, known := all[i+1]; !known {
			all[i+1] = committed{e, after.Term}
		}
	}
	return all, nil
}

func stateMachineSafety(applied map[int]string, s spec.Step) (map[int]string, error) {
	for _, output := range s.Outputs {
		a := output.(Applied)
		if before, ok := applied[a.Place]; ok && before != a.Command {
			return nil, fmt.Errorf("process %v applies %q at place %d, where %q was applied", s.Process, a.Command, a.Place, before)
		}
		applied[a.Place] = a.Command
	}
	return applied, nil
}
