package spec

// Algorithm is a distributed algorithm as a struct of handlers: S is what one
// process remembers, M what processes say to each other. Each handler changes
// its own copy of a state and speaks through p; the state and the messages are
// plain values (see Validate), and a handler uses nothing but its
// arguments. A nil handler is an absent ability.
//
// A handler is atomic: its change of state and all its sends are one step.
type Algorithm[S, M any] struct {
	Name   string // "bully/mended": family, slash, variant
	Doc    string // one sentence
	Source string // where the algorithm is published

	Init    func(s *S, p *Proc[M])                   // fills in the state that a process begins in, and its first timers; no step: it sends, tells and asks nothing. nil: the zero value
	Start   func(s *S, p *Proc[M])                   // first step after boot or reboot, before which nothing is handled; nil: none is needed
	Receive func(s *S, p *Proc[M], from ID, m M)     // a message arrives
	Timeout func(s *S, p *Proc[M], t Timer)          // an armed timer expires; it is disarmed already. nil: sets no timer
	Suspect func(s *S, p *Proc[M], q ID)             // the failure detector reports q; nil: needs none
	Restore func(s *S, p *Proc[M], q ID)             // the report of q is withdrawn; nil: never
	Round   func(s *S, p *Proc[M], in []Received[M]) // one lock-step round; replaces Receive and Timeout
	Recover func(s *S, p *Proc[M])                   // comes up again after a crash, after Init and before Start; nil: as at first
	Stable  func(s S) S                              // what survives a crash, for Init to find; nil: nothing

	Actions  []Action[S, M]  // what it does of its own accord, or is asked for by clients
	Election *Election[S, M] // nil: nobody is elected

	Idle    func(s S) bool // waits for nothing, and may stay so forever; nil: always, so that no-deadlock asks only that no message stays undelivered
	Halted  func(s S) bool // takes part in no Round any more, and what is sent to it vanishes; nil: never
	Measure func(s S) int  // grows without end in some runs, so that a world may bound it; nil: nothing does

	MaxN   int  // the largest number of processes that it is written for; 0: as many as there can be IDs
	Ring   bool // the order of the processes on the ring matters: Next, NextIn, SendNext
	Oracle bool // handlers may ask who is Live
	// World is how the world that the source has in mind differs from the
	// mildest one, by the names of the command line: {"network": "set"}.
	World map[string]string

	Kind  func(m M) string  // the kind of a message, one of Kinds; nil: all are of one kind
	Kinds []string          // every kind of message there is, each sent in some run
	Rules []TimerRule[S, M] // indexed by Timer: what each expiry is taken to mean

	Properties []Property // what it is meant to have, judged wherever it is checked or runs
	Objects    []Object   // what it is meant to be to its clients, judged of runs

	Claims   []Claim[S] // what the algorithm promises of its own steps
	Promises []string   // the properties that it is meant to have, by name, of those that come with Interleave and its Claims; any other is refused. nil: what any election owes, or any algorithm at all

	Survives string       // of a mutant that no check can tell from its original: why
	around   Around[S, M] // of a mutant
	misuse   uint32       // of a Proc, by what is no handler: see tellMisuse; 0: none
}

// Claim is a promise that an algorithm makes of every step of one process.
type Claim[S any] struct {
	Name, Doc, Source string

	// Holds returns why the promise is broken by a step of p, which is one of
	// all, from one state to another that told its user something; nil if it
	// is kept.
	Holds func(p ID, all Set, before, after S, told []any) error
}

// Received is a message and where it came from.
type Received[M any] struct {
	From    ID
	Message M
}

// Timer numbers an algorithm's timers from 0; it indexes Algorithm.Rules.
type Timer uint8

// MaxTimers is how many timers an algorithm may have.
const MaxTimers = 8

// MaxKinds is how many kinds of message an algorithm may tell apart.
const MaxKinds = 200

// clocks are timers that processes have anyway, and so no names for those of an algorithm.
var clocks = []string{"heartbeat", Notice, "join", "suspect"}

// TimerRule says what the expiry of a timer is taken to mean, and so when a
// synchronous system lets it happen. A checker that assumes nothing about time
// lets an armed timer expire at any moment and needs the Name only.
//
// The expiry is justified while nothing that could still bring the answer is
// on its way, as told by Awaited. The stronger flush also wants that whatever
// the crashed processes among Silent have sent has arrived.
type TimerRule[S, M any] struct {
	Name string

	// Elects: the expiry can make some process the leader, rather than
	// merely begin an election.
	Elects bool

	// Lasts is how long the timer lasts at a real process unless told otherwise, in deltas. 0: three, or of one that
	// does not elect as long as an election in which every process is tried in turn.
	Lasts int

	// Awaited reports whether m, in flight between two processes, could still
	// lead to what p waits for. It is not asked of what the receiver refuses, which has
	// come. nil: nothing says when the expiry is justified.
	Awaited func(p, from, to ID, m M) bool

	// Silent returns the processes of all whose silence p, in state s, would
	// take to mean that they crashed. nil: none.
	Silent func(s S, p ID, all Set) Set

	// AllDown: justified only once every process in Silent has crashed.
	AllDown bool

	// Owing returns the processes to which q, live in state s, may still send
	// what they wait for: their expiry is not justified. nil: none.
	Owing func(s S, q ID, all Set) Set
}
