package main

// world is one configuration, which every engine explores.
type world struct {
	name    string
	title   string // above its table
	sizes   []int  // unless others are asked for
	mc      string // arguments of mc verify, without size and engine
	step    func(n int) int
	spin    []spinModel // none: it is too large for SPIN, and for all our engines except diagrams
	module  string      // in TLA+, if there is one
	reduces bool        // mc --reduce takes part
}

// spinModel is a world in Promela.
type spinModel struct {
	engine  string // what its row says
	promela func(n, step int) string
	flags   string // for the C compiler
	before  int    // states that SPIN has before the world begins
	other   bool   // its states are not ours: compare only times
}

// Next on a ring is the process so many numbers further on.
func ascending(int) int    { return 1 }
func descending(n int) int { return n - 1 }
func noRing(int) int       { return 0 }

// Of what there is to set, these make the verifiers fastest: states stored as
// they are, no look for cycles, and no reduction where it finds nothing to reduce.
const (
	whole   = "-DSAFETY -DNOCOMP -DNOREDUCE"
	reduced = "-DSAFETY -DNOCOMP"
)

// The first model is what the others are compared with.
var worlds = []world{
	{
		name:   "classic",
		title:  "Chang-Roberts as in the PlusCal specification, IDs ascending round the ring",
		sizes:  []int{8, 9},
		mc:     "chang-roberts/classic --ring ascending --property winner-is-top",
		step:   ascending,
		spin:   []spinModel{{engine: "SPIN", promela: classic, flags: whole, before: 1}},
		module: "Classic",
	},
	{
		name:   "descending",
		title:  "The same, IDs descending round the ring",
		sizes:  []int{8, 9},
		mc:     "chang-roberts/classic --ring descending --property winner-is-top",
		step:   descending,
		spin:   []spinModel{{engine: "SPIN", promela: classic, flags: whole, before: 1}},
		module: "Classic",
	},
	{
		name:   "textbook",
		title:  "Chang-Roberts as in textbooks, IDs descending round a ring of queues",
		sizes:  []int{10, 11},
		mc:     "chang-roberts/textbook --ring descending --network fifo --property winner-is-top",
		step:   descending,
		spin:   []spinModel{{engine: "SPIN", promela: textbook, flags: whole}},
		module: "Textbook",
	},
	{
		name:  "channels",
		title: "The same as SPIN is commonly used, a process for each process, channels, and partial-order reduction, which leaves out interleavings that change nothing, in SPIN and in mc",
		sizes: []int{10, 11},
		mc:    "chang-roberts/textbook --ring descending --network fifo --property winner-is-top",
		step:  descending,
		spin: []spinModel{
			{engine: "SPIN, reduced: other granularity", promela: channels, flags: reduced, before: 1, other: true},
			{engine: "SPIN, not reduced", promela: channels, flags: whole, before: 1},
		},
		reduces: true,
	},
	{
		name:   "bully",
		title:  "Textbook Bully, mended; messages in any order, one crash at any moment, timers that expire when no answer can come",
		sizes:  []int{4},
		mc:     "bully/mended --crashes 1 --network set --timers just --property winner-is-top",
		step:   noRing,
		spin:   []spinModel{{engine: "SPIN", promela: bully, flags: whole}},
		module: "Bully",
	},
	{
		name:  "classic-large",
		title: "Chang-Roberts as in the PlusCal specification, larger than SPIN or TLC hold in 8 GiB; all properties of safety and liveness",
		sizes: []int{10, 12, 14},
		mc:    "chang-roberts/classic --ring ascending",
	},
	{
		name:  "bully-large",
		title: "Bully as above, larger than SPIN or TLC hold in 8 GiB; all properties of safety and liveness",
		sizes: []int{5, 6},
		mc:    "bully/mended --crashes 1 --network set --timers just",
	},
}

func names() []string {
	var names []string
	for _, w := range worlds {
		names = append(names, w.name)
	}
	return names
}
