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
		file: "explore/pathweights.go",
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

	{
		file: "explore/chance.go",
		bug:  "luck ends nothing: an event may be taken forever though an answer leads away",
		old:  "return barred != nil",
		new:  "return false",
		test: "TestChanceDrawings",
	},
	{
		file: "explore/chance.go",
		bug:  "luck ends all: an event of which every answer leads back is barred as well",
		old:  "if d.event == at.event && !stays[",
		new:  "if d.event == at.event && stays[",
		test: "TestChanceDrawings",
	},
	{
		file: "explore/liveness.go",
		bug:  "runs that last are not looked for in what luck leaves of a component",
		old:  "return c.retry()",
		new:  "return nil",
		test: "TestChanceDrawings",
	},
	{
		file: "explore/lasso.go",
		bug:  "the loop of a run that lasts takes what luck ends",
		old:  "bars: l.bars, ",
		new:  "",
		test: "TestChanceDrawings",
	},
	{
		file: "explore/liveness.go",
		bug:  "steps that luck ends hold a component together",
		old:  "if !f.bars(node, i) {",
		new:  "if f.bars(node, i); true {",
		test: "TestChanceGraphs",
	},

	// The classics.
	{
		file: "explore/scc/scc.go",
		bug:  "a component that is complete is met as if it were on the path, as where branches join",
		old:  "for _, m := range members {\n\t\ts.place[m] = s.component\n\t}\n\ts.component--",
		new:  "s.component--",
		test: "TestOf",
	},
	{
		file: "explore/scc/scc.go",
		bug:  "a step from a node to itself is no cycle",
		old:  "v.loops || len(members) > 1",
		new:  "len(members) > 1",
		test: "TestOf",
	},
	{
		file: "explore/liveness.go",
		bug:  "a cycle is a run, whether it is fair or not",
		old:  "accepted != c.acceptance() || !always.empty()",
		new:  "accepted != c.acceptance()",
		test: "TestFairDrawings",
	},
	{
		file: "explore/liveness.go",
		bug:  "a fair cycle inside of a component that is none is not looked for",
		old:  "return f.search(c.lacking(owed))",
		new:  "return nil",
		test: "TestFairDrawings",
	},
	{
		file: "explore/liveness.go",
		bug:  "a step that leaves its component counts as taken",
		old:  "return slices.ContainsFunc(c.inside, func(n uint32) bool { return c.parts.Together(n, rank) })",
		new:  "return true",
		test: "TestFairDrawings",
	},
	{
		file: "explore/liveness.go",
		bug:  "a run that stays where it rests does not cycle",
		old:  "if f.rests() {\n\t\tout =",
		new:  "if f.rests() && false {\n\t\tout =",
		test: "TestFairDrawings",
	},
	{
		file: "explore/lasso.go",
		bug:  "the cycle that is shown is the first, and leaves out steps that are owed",
		old:  "for !l.content() || l.last() != l.entry || len(l.path) == 0 {",
		new:  "for l.last() != l.entry || len(l.path) == 0 {",
		test: "TestFairGraphs",
	},
	{
		file: "explore/product.go",
		bug:  "a run is told from its end to its beginning",
		old:  "\tslices.Reverse(t)\n",
		new:  "\t_ = slices.Reverse[productPath]\n",
		test: "TestFairDrawings",
	},
}
