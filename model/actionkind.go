package model

// ActionKind is what kind of thing happens in one step of a world.
type ActionKind uint8

const (
	Handle       ActionKind = iota // a process handles something
	Crash                          // a process crashes
	CrashMidStep                   // a process handles something, and crashes before all is sent
	Drop                           // a message to a crashed process vanishes
	Lose                           // a message is lost
	Copy                           // a message is copied
	Divide                         // the network falls into two parts
	Heal                           // the network is whole again
	Tick                           // time advances
	Round                          // all live processes take part in one lock-step round
	actionKinds                    // their number
)

// actionTable is what is known of each kind of action.
var actionTable = [actionKinds]struct {
	name   string
	counts string // the name of its steps in Stats.Fired, if that is another
	spends Budget
	cut    string // what cuts a step short, in words; empty: it is a step of its own
	about  about
	down   bool // its process goes down
}{
	Handle:       {name: "handle", about: aboutStep},
	Crash:        {name: "crash", spends: Crashes, down: true},
	CrashMidStep: {name: "break", counts: "crash between sends", spends: Crashes, cut: "crash", about: aboutStep, down: true},
	Drop:         {name: "drop", about: aboutMessage},
	Lose:         {name: "lose", spends: Losses, about: aboutMessage},
	Copy:         {name: "copy", spends: Duplicates, about: aboutMessage},
	Divide:       {name: "divide", spends: Partitions, about: aboutSide},
	Heal:         {name: "heal"},
	Tick:         {name: "tick"},
	Round:        {name: "round"},
}

// about says what an event is about, besides its process.
type about uint8

const (
	aboutNothing about = iota
	aboutStep          // what its process handles
	aboutMessage       // a message in flight to its process
	aboutSide          // how the network divides
)

func (d ActionKind) String() string { return actionTable[d].name }

// Handles reports whether a process handles something.
func (d ActionKind) Handles() bool { return actionTable[d].about == aboutStep }

// HasStep reports whether an event has a Step: what its process handles, or a message in flight to it.
func (d ActionKind) HasStep() bool { return d.Handles() || actionTable[d].about == aboutMessage }

// HasSide reports whether an event has a Side.
func (d ActionKind) HasSide() bool { return actionTable[d].about == aboutSide }

// Cuts reports whether a process handles something, and not all that it sends leaves.
func (d ActionKind) Cuts() bool { return actionTable[d].cut != "" }

// Down reports whether the process of an event goes down.
func (d ActionKind) Down() bool { return actionTable[d].down }
