package main

// propertiesBugs are bugs in how properties are judged, and in what confirms a pass.
var propertiesBugs = []plant{
	{
		file: "properties/certificate/check.go",
		bug:  "a certificate need hold only the first initial state",
		old:  "if !found {\n\t\t\treturn refuted(now, nil, \"an initial state",
		new:  "if !found && len(initial) == 0 {\n\t\t\treturn refuted(now, nil, \"an initial state",
		test: "TestRefusesALackingBeginning",
	},
	{
		file: "properties/certificate/check.go",
		bug:  "only the first initial state of a certificate is looked at",
		old:  "range k.reference.Initial() {",
		new:  "range k.reference.Initial()[:1] {",
		test: "TestRefusesALackingBeginning",
	},
	{
		file: "properties/calm.go",
		bug:  "what was found with nothing in flight is used where a message is",
		old:  "found.recall(key); ok && alone {",
		new:  "found.recall(key); ok {",
		test: "TestCalmRemembersMessages",
	},
	{
		file: "properties/calm.go",
		bug:  "what was found with a message in flight is used where none is",
		old:  "if alone {\n\t\t\tfound.keep(key, err)\n\t\t}",
		new:  "found.keep(key, err)",
		test: "TestCalmRemembersMessages",
	},
	{
		file: "properties/liveness.go",
		bug:  "where nothing circles no run can stay, although a step need not happen",
		old:  "if c.config.Fairness.Unfair != nil {",
		new:  "if false && c.config.Fairness.Unfair != nil {",
		test: "TestUnfairStays",
	},
	{
		file: "properties/reduce.go",
		bug:  "a reduction is kept where runs circle",
		old:  "case cyclic || err != nil:",
		new:  "case cyclic && err != nil:",
		test: "TestReducedSees",
	},
	{
		file: "properties/reduce.go",
		bug:  "it is not asked whether runs circle in what a reduction leaves",
		old:  "if !c.mayCircle() {\n\t\treturn false, nil\n\t}",
		new:  "if !c.mayCircle() || true {\n\t\treturn false, nil\n\t}",
		test: "TestReducedSees",
	},
	{
		file: "properties/reduce.go",
		bug:  "a reduction is kept where a property looks at what it hides",
		old:  "if hidden, again := c.sys.(*model.System).Hidden(c.result.Marks); hidden {",
		new:  "if hidden, again := c.sys.(*model.System).Hidden(c.result.Marks); hidden && false {",
		test: "TestReducedSees",
	},
}
