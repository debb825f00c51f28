package main

// exploreBugs are bugs in the search and in what is found of runs.
var exploreBugs = []plant{
	{
		file: "explore/liveness.go",
		bug:  "components above 3,000 nodes are ignored in the search for fair cycles",
		old:  "if !cyclic {\n\t\t\treturn nil\n\t\t}\n\t\treturn f.judge(",
		new:  "if !cyclic || len(members) > 3000 {\n\t\t\treturn nil\n\t\t}\n\t\treturn f.judge(",
		test: "TestLargeComponents",
	},
	{
		file: "explore/liveness.go",
		bug:  "what strong fairness leaves of components above 3,000 nodes is ignored",
		old:  "case !owed.empty():",
		new:  "case !owed.empty() && len(c.members) <= 3000:",
		test: "TestLargeComponents",
	},
	{
		file: "explore/graph.go",
		bug:  "components above 3,000 nodes are no cycle",
		old:  "c.Found = func(_ []uint32, cyclic bool) error {\n\t\tif cyclic {",
		new:  "c.Found = func(members []uint32, cyclic bool) error {\n\t\tif cyclic && len(members) <= 3000 {",
		test: "TestLargeComponents",
	},
	{
		file: "explore/weigh.go",
		bug:  "components above 3,000 nodes weigh nothing",
		old:  "\tmost := int32(0)\n\tfor _, n := range states {",
		new:  "\tmost := int32(0)\n\tif len(states) > 3000 {\n\t\treturn nil\n\t}\n\tfor _, n := range states {",
		test: "TestLargeComponents",
	},
	{
		file: "explore/scc/scc.go",
		bug:  "components above 3,000 nodes are not reported",
		old:  "return s.Found(members, v.loops || len(members) > 1)",
		new:  "if len(members) > 3000 {\n\t\treturn nil\n\t}\n\treturn s.Found(members, v.loops || len(members) > 1)",
		test: "TestLarge",
	},
}
