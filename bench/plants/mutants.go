package main

var mutantBugs = []plant{
	{
		file: "properties/mutants.go",
		bug:  "a mutant survives searches that ended at a limit",
		old:  "!d.Killed && (d.Tried == 0 || len(d.Unfinished) > 0)",
		new:  "!d.Killed && d.Tried == 0",
		test: "TestMutantsBeyondLimits",
	},
	{
		file: "properties/mutants.go",
		bug:  "the world of the algorithm is not tried with more states",
		old:  "n := 2; n <= 4 && k.wanting()",
		new:  "n := 5; n <= 4 && k.wanting()",
		test: "TestMutantsBeyondLimits",
	},
	{
		file: "properties/mutants.go",
		bug:  "what a bound cuts off is taken for seen",
		old:  "f.Verdict == Bounded || f.cutShort",
		new:  "false && f.cutShort",
		test: "TestMutantsBeyondLimits",
	},
	{
		file: "cmd/mc/internal/mutants/command.go",
		bug:  "mc mutants ends with 0 although a mutant is undecided",
		old:  "case total.Undecided > 0:",
		new:  "case total.Undecided < 0:",
		test: "TestMutantsUndecided", in: "cmd/mc/cli",
	},
	{
		file: "conformance/matrix/matrix.go",
		bug:  "a drive that did not see everything has decided",
		old:  "if r.Verdict != drive.Agrees {",
		new:  "if false {",
		test: "TestUndecided",
	},
}
