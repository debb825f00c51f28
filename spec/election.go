package spec

// Election is what only an algorithm has that elects a leader.
type Election[S, M any] struct {
	Leader func(s S) ID           // the leader in the eyes of this process; None: none known
	Notice func(s *S, p *Proc[M]) // finds that it has no live leader; nil: never looks. An Action by the name of notice, which waits for that
	Follow func(s *S, leader ID)  // fills in the state of one that has long followed leader; nil: no run begins that way
	Wins   Winner                 // who ought to be elected

	Unannounced bool // only the winner learns who won
}

// Winner says who ought to be elected.
type Winner uint8

const (
	LargestLive       Winner = iota // the process with the largest ID of those that are up
	SmallestInitiator               // the process with the smallest ID of those that began
	Anyone                          // no process in particular: none has priority
)
