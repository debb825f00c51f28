package main

// simulateBugs are bugs in random runs, and in what is said of them.
var simulateBugs = []plant{
	{
		file: "properties/internal/simulate/schedule.go",
		bug:  "pct: no priority ever changes",
		old:  "if w.step+1 == at {",
		new:  "if w.step < at && false {",
		test: "TestPCTBound",
		in:   "properties",
	},
	{
		file: "properties/internal/simulate/simulate.go",
		bug:  "the bound of pct is said of runs that took the length of runs for another",
		old:  "if s.history.longest != s.Longest {",
		new:  "if false {",
		test: "TestPCTBound",
		in:   "properties",
	},
	{
		file: "properties/internal/simulate/schedule.go",
		bug:  "all runs of a seed are the same",
		old:  "rand.NewPCG(q.Seed, uint64(run))",
		new:  "rand.NewPCG(q.Seed, 0)",
		test: "TestSimulateStats",
		in:   "properties",
	},
	{
		file: "properties/internal/simulate/simulate.go",
		bug:  "a run knows of others of its generation",
		old:  "corpus: slices.Clone(s.coverage.corpus)",
		new:  "corpus: s.coverage.corpus[:min(len(s.coverage.corpus), len(s.walkers))]",
		test: "TestSimulateRepeats",
		in:   "properties",
	},
	{
		file: "properties/internal/simulate/minimise.go",
		bug:  "a run that was made smaller need not violate its property",
		old:  "case m.violated.False(run, 0) != nil:\n\t\t\treturn taken",
		new:  "case len(taken) > 3:\n\t\t\treturn taken",
		test: "TestSimulateFinds",
		in:   "properties",
	},
	{
		file: "properties/internal/simulate/minimise.go",
		bug:  "single steps are not left out",
		old:  "size > 0;",
		new:  "size > 1;",
		test: "TestSimulateFinds",
		in:   "properties",
	},
	{
		file: "properties/internal/simulate/coverage.go",
		bug:  "local steps are told apart by the event only",
		old:  "h = h*31 + w.local(m.of, w.numbers[m.of-1]).whole",
		new:  "h *= 31",
		test: "TestSimulateStats",
		in:   "properties",
	},
	{
		file: "properties/internal/simulate/walk.go",
		bug:  "a run that is as long as it may be counts as quiescent",
		old:  "return unrested",
		new:  "return rested",
		test: "TestSimulateStats",
		in:   "properties",
	},
}
